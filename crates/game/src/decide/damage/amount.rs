//! The amount: what the call sends, else the total of the named entry's roll.
//!
//! Only rolls of `roll_dice` or `roll_multiple` without a target are amounts: a check, a roll against a target and counted
//! successes are not. A plain roll with the dice of a check ([`super::form`]) is one only if the call sends the amount too.

use crate::mechanics::tracks::main_name;
use crate::record::entry::{Entry, RollRecord};
use crate::record::event::Event;
use crate::record::state::State;
use crate::refusal::{Code, Refusal};
use rollbook_rules::System;
use rollbook_text::names::{quoted, same};

use super::call::sum;
use super::{DamageCall, differs, form};

/// The amount, and the total where that was below 0, which counts as 0: a rolled hit never heals.
pub(super) fn amount(
    state: &State,
    system: &System,
    call: &DamageCall,
    referred: Option<&Entry>,
) -> Result<(i64, Option<i64>), Refusal> {
    let amount_sent = call.amount.or_else(|| sum(call));
    let Some((seq, entry)) = call.roll.zip(referred) else { return Ok((amount_sent.unwrap_or(0), None)) };
    rolled_amounts(entry).map_err(|why| not_a_damage_roll(seq, &why))?;
    if let Some(amount) = amount_sent {
        return Ok((amount, None));
    }
    let (like, blows) = split_rolls(state, system, call, entry);
    match (blows.as_slice(), like.as_slice()) {
        ([total], _) if *total < 0 => Ok((0, Some(*total))),
        ([total], _) => Ok((*total, None)),
        ([], [(check, record), ..]) => Err(check_dice(seq, check, record)),
        (rolls, _) => {
            let summary = format!(
                "Entry #{seq} holds {} rolls, so it does not say the amount. Send the one that is meant as amount \
                 beside roll, or make one roll with roll_dice.",
                rolls.len()
            );
            Err(Refusal::new(Code::InvalidParameters, summary))
        }
    }
}

/// A roll with the dice of a check, and that check's name.
type CheckLike<'a> = (&'a str, &'a RollRecord);

/// The plain rolls of an entry: those with the dice of a check, and the totals of the others. On another track than health
/// (sanity of 100 points) any dice are an amount.
fn split_rolls<'a>(
    state: &State,
    system: &'a System,
    call: &DamageCall,
    entry: &'a Entry,
) -> (Vec<CheckLike<'a>>, Vec<i64>) {
    let on_health = is_on_health(system, call);
    let mut like = Vec::new();
    let mut blows = Vec::new();
    for record in plain_rolls(entry) {
        match form::check_like(state, system, &record.roll).filter(|_| on_health) {
            Some(check) => like.push((check, record)),
            None => blows.push(record.roll.total),
        }
    }
    (like, blows)
}

/// Whether the amount is that of a roll with the dice of a check.
pub(super) fn is_like_a_check(state: &State, system: &System, call: &DamageCall, entry: &Entry, amount: i64) -> bool {
    let is_like = |record: &&RollRecord| {
        form::check_like(state, system, &record.roll).is_some() || form::may_be_a_check(state, system, &record.roll)
    };
    let (like, blows): (Vec<&RollRecord>, Vec<&RollRecord>) =
        plain_rolls(entry).partition(|record| is_on_health(system, call) && is_like(record));
    let blows: Vec<i64> = blows.into_iter().map(|record| record.roll.total).collect();
    !like.is_empty() && (blows.is_empty() || differs(&blows, amount))
}

/// Whether the call is about health.
fn is_on_health(system: &System, call: &DamageCall) -> bool {
    call.track.as_deref().is_none_or(|track| same(track, main_name(system)) || same(track, "hp"))
}

fn check_dice(seq: u64, check: &str, record: &RollRecord) -> Refusal {
    let RollRecord { roll, .. } = record;
    let check = if check == "a check" { check.to_owned() } else { format!("the check {}", quoted(check)) };
    let summary = format!(
        "Entry #{seq} ({}) has the dice of {check}, which say whether a blow hits and not how hard. Roll the damage with roll_dice and \
         send its log number as roll. If these dice are the damage all the same, send amount={} beside roll.",
        roll.expression, roll.total
    );
    Refusal::new(Code::InvalidParameters, summary)
}

fn plain_rolls(entry: &Entry) -> impl Iterator<Item = &RollRecord> {
    entry.rolls.iter().filter(|record| !has_target(record))
}

/// The amounts of an entry's rolls, one for each roll that can be damage.
///
/// # Errors
/// Why there is none, in words.
pub fn rolled_amounts(entry: &Entry) -> Result<Vec<i64>, String> {
    match &entry.event {
        Event::Roll(_) | Event::RollSet(_) => {}
        Event::Check(check) => {
            return Err(format!(
                "is a check ({}), which says whether it succeeds and not how much damage it does",
                check.check
            ));
        }
        event if entry.rolls.is_empty() => return Err(format!("is no roll ({})", event.kind().replace('_', " "))),
        event => return Err(format!("is no damage roll ({})", event.kind().replace('_', " "))),
    }
    let plain: Vec<i64> = plain_rolls(entry).map(|record| record.roll.total).collect();
    match entry.rolls.first() {
        None => Err("is no roll".to_owned()),
        Some(first) if plain.is_empty() && first.roll.successes.is_some() => {
            Err(format!("counts successes ({}), which are no amount of damage", first.roll.expression))
        }
        Some(first) if plain.is_empty() => {
            Err(format!("is rolled against a target ({}), so it says whether and not how much", first.roll.expression))
        }
        Some(_) => Ok(plain),
    }
}

/// Whether a roll has a target or counts successes.
fn has_target(record: &RollRecord) -> bool {
    record.roll.successes.is_some()
        || record.roll.verdict.is_some()
        || record.roll.repeats.iter().any(|one| one.verdict.is_some())
}

pub fn not_a_damage_roll(seq: u64, why: &str) -> Refusal {
    let summary = format!(
        "Entry #{seq} {why}. Roll the damage with roll_dice and send its log number as roll; where the rules give the number without \
         a roll, send it as amount and leave roll out."
    );
    Refusal::new(Code::InvalidParameters, summary)
}
