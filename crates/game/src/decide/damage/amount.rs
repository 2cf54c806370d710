//! The amount: what the call sends, else the total of the named entry's roll.
//!
//! Only rolls of `roll_dice` or `roll_multiple` without a target are amounts: a check, a roll
//! against a target and counted successes are not. A plain roll of the one die of a check, such as
//! one d20 or d100, is one only if the call sends the amount too. A die of up to [`WEAPON_DIE_MAX`]
//! sides is a weapon's in most games, so its roll may always be damage.
//!
//! One roll may hit several targets; a second use on the same target is noted.

use std::collections::VecDeque;

use crate::decide::damage::DamageCall;
use crate::decide::damage::call::{is_type, typed};
use crate::mechanics::{tracks::main_name, values::dice_refusal};
use crate::record::entry::{Entry, RollRecord, Visibility};
use crate::record::event::{DamageEvent, Event, Part, RollNote};
use crate::record::state::State;
use crate::refusal::{Code, Refusal, Result};
use rollbook_dice::{EnteredRoller, Expression, Roll, Term, parse};
use rollbook_rules::System;
use rollbook_text::names::{quoted, same};

/// The amount by its types, and the total where that was below 0, which counts as 0: only dice that
/// are taken away heal.
pub(super) fn amount(
    state: &State,
    system: &System,
    call: &DamageCall,
    referred: Option<&Entry>,
) -> Result<(Vec<Part>, Option<i64>)> {
    let Some((seq, entry)) = call.roll.zip(referred) else {
        return Ok((call.all_parts(), None));
    };
    rolled_amounts(entry).map_err(|why| not_a_damage_roll(seq, &why))?;
    if call.amount.is_some() || !call.parts.is_empty() {
        return Ok((call.all_parts(), None));
    }
    let (checks, hits) = split_rolls(system, call, entry);
    let summary = match (hits.as_slice(), checks.first()) {
        ([roll], _) => {
            let mut hit = call.clone();
            hit.set_rolled(parts_of(state, system, roll, call.damage_type.as_deref())?);
            return Ok((hit.all_parts(), hit.below_zero));
        }
        ([], Some((check, roll))) => format!(
            "Entry #{seq} ({}) has the dice of {check}, which say whether a blow hits and not how hard. Roll the damage with roll_dice and \
             send its log number as roll. If these dice are the damage all the same, send amount={} beside roll.",
            roll.expression, roll.total
        ),
        (rolls, _) => format!(
            "Entry #{seq} holds {} rolls, so it does not say the amount. Send the one that is meant as amount \
             beside roll, or make one roll with roll_dice.",
            rolls.len()
        ),
    };
    Err(Refusal::new(Code::InvalidParameters, summary))
}

/// What each type of a roll came to, by its labels, and whether it heals; `default` is the type of
/// dice without.
pub fn parts_of(
    state: &State,
    system: &System,
    roll: &Roll,
    default: Option<&str>,
) -> Result<Vec<(bool, Part)>> {
    let expression = parse(&roll.expression).map_err(|error| dice_refusal(&error))?;
    let parts = typed(&expression, default, |label| is_type(state, system, label))?;
    let (mut faces, is_only) = (EnteredRoller::new(&roll.faces()), parts.len() == 1);
    let part = |(dice, damage_type): (Expression, Option<String>)| {
        let amount = match is_only {
            true => Ok(roll.total),
            false => dice.roll(&mut faces).map(|roll| roll.total),
        };
        let amount = amount.map_err(|error| dice_refusal(&error))?;
        let part = Part {
            amount,
            damage_type,
        };
        Ok((dice.is_taken_away(), part))
    };
    parts.into_iter().map(part).collect()
}

/// What a roll deals: below 0 it heals where its dice are taken away, else it is a hit of 0.
pub fn dealt(roll: &Roll) -> i64 {
    let heals = || parse(&roll.expression).is_ok_and(|dice| dice.is_taken_away());
    if roll.total < 0 && !heals() {
        0
    } else {
        roll.total
    }
}

/// An entry's plain rolls: with the dice of a check, if on health, by name; the others' totals.
fn split_rolls<'e>(
    system: &System,
    call: &DamageCall,
    entry: &'e Entry,
) -> (Vec<(String, &'e Roll)>, Vec<&'e Roll>) {
    let is_health = |track: &str| same(track, main_name(system)) || same(track, "hp");
    let on_health = call.track.as_deref().is_none_or(is_health);
    let (mut checks, mut hits) = (Vec::new(), Vec::new());
    for RollRecord { roll, .. } in plain_rolls(entry) {
        match check_like(system, roll).filter(|_| on_health) {
            Some(check) => checks.push((check, roll)),
            None => hits.push(roll),
        }
    }
    (checks, hits)
}

/// Whether the amount is that of a roll with the dice of a check.
pub(super) fn is_like_a_check(
    system: &System,
    call: &DamageCall,
    entry: &Entry,
    amount: i64,
) -> bool {
    let (checks, hits) = split_rolls(system, call, entry);
    let hits: Vec<i64> = hits.into_iter().map(dealt).collect();
    !checks.is_empty() && (hits.is_empty() || differs(&hits, amount))
}

/// The rolls without a target, and that count no successes.
fn plain_rolls(entry: &Entry) -> impl Iterator<Item = &RollRecord> {
    let has_target = |roll: &Roll| {
        roll.successes.is_some()
            || roll.verdict.is_some()
            || roll.repeats.iter().any(|one| one.verdict.is_some())
    };
    entry
        .rolls
        .iter()
        .filter(move |record| !has_target(&record.roll))
}

/// The amounts of an entry's rolls that can be damage. Refused: why there is none, in words.
pub fn rolled_amounts(entry: &Entry) -> Result<Vec<i64>, String> {
    let kind = || entry.event.kind().replace('_', " ");
    match &entry.event {
        Event::Roll(_) | Event::RollSet(_) => {}
        Event::Check(event) => {
            let says = "which says whether it succeeds and not how much damage it does";
            return Err(format!("is a check ({}), {says}", event.check));
        }
        _ if entry.rolls.is_empty() => return Err(format!("is no roll ({})", kind())),
        _ => return Err(format!("is no damage roll ({})", kind())),
    }
    let plain: Vec<i64> = plain_rolls(entry)
        .map(|record| dealt(&record.roll))
        .collect();
    if !plain.is_empty() {
        return Ok(plain);
    }
    Err(match entry.rolls.first().map(|record| &record.roll) {
        None => "is no roll".to_owned(),
        Some(Roll {
            successes: Some(_),
            expression,
            ..
        }) => {
            format!("counts successes ({expression}), which are no amount of damage")
        }
        Some(roll) => format!(
            "is rolled against a target ({}), so it says whether and not how much",
            roll.expression
        ),
    })
}

/// The refusal of an entry whose rolls can be no damage, with `why`.
pub fn not_a_damage_roll(seq: u64, why: &str) -> Refusal {
    let summary = format!(
        "Entry #{seq} {why}. Roll the damage with roll_dice and send its log number as roll; where the rules give the number without \
         a roll, send it as amount and leave roll out."
    );
    Refusal::new(Code::InvalidParameters, summary)
}

/// The largest damage die of weapons in published games.
const WEAPON_DIE_MAX: u32 = 12;
/// The die of attacks where there are no rules.
const USUAL_SIDES: u32 = 20;

/// The check with these dice, or `a check` without rules; `None`: they may be damage.
fn check_like(system: &System, roll: &Roll) -> Option<String> {
    let sides = first_dice(&roll.terms)
        .filter(|(sides, kept)| *sides > WEAPON_DIE_MAX && *kept == 1)?
        .0;
    match system
        .checks
        .iter()
        .find(|check| check.rolls_one_die(sides))
    {
        Some(check) => Some(format!("the check {}", quoted(&check.name))),
        None => (system.checks.is_empty() && sides == USUAL_SIDES).then(|| "a check".to_owned()),
    }
}

/// The sides of the first dice, and how many of them are kept.
fn first_dice(terms: &[Term]) -> Option<(u32, usize)> {
    terms.iter().find_map(|term| match term {
        Term::Dice { sides, kept, .. } => Some((*sides, kept.len())),
        Term::Group { terms, .. } | Term::Compute { terms, .. } => first_dice(terms),
        Term::Constant { .. } => None,
    })
}

/// Uses and undos kept; of longer logs the last ones.
const KEPT_MAX: usize = 100_000;
const ROLLED_MAX: usize = 12;

/// Damage that names a roll, in the order of the log.
#[derive(Debug, Default)]
pub struct RollUses {
    hits: VecDeque<RollUse>,
    /// Each undo, with the first and last entry of the undone call.
    undos: VecDeque<(u64, u64, u64)>,
}

#[derive(Debug)]
struct RollUse {
    seq: u64,
    roll: u64,
    target: i64,
    amount: i64,
    undone: bool,
}

impl RollUses {
    pub(crate) fn among(entries: &[(u64, Entry)]) -> RollUses {
        let mut uses = RollUses::default();
        entries
            .iter()
            .for_each(|(seq, entry)| uses.add(*seq, entry));
        uses
    }

    /// Adds the next entry of the log.
    pub fn add(&mut self, seq: u64, entry: &Entry) {
        match &entry.event {
            Event::Damage(DamageEvent {
                roll: Some(roll),
                subject,
                amount,
                ..
            }) => {
                let (target, amount) = (subject.id, amount.saturating_abs());
                self.hits.push_back(RollUse {
                    seq,
                    roll: *roll,
                    target,
                    amount,
                    undone: false,
                });
            }
            Event::Undone(event) if event.entry <= event.last && event.last < seq => {
                // Where an undo is among the undone entries, its uses are redone.
                let mut ranges = vec![(event.entry, event.last)];
                while let Some((first, last)) = ranges.pop() {
                    let from = self.hits.partition_point(|hit| hit.seq < first);
                    let to = self.hits.partition_point(|hit| hit.seq <= last);
                    self.hits
                        .range_mut(from..to)
                        .for_each(|hit| hit.undone = !hit.undone);
                    let from = self.undos.partition_point(|(seq, ..)| *seq < first);
                    let to = self.undos.partition_point(|(seq, ..)| *seq <= last);
                    ranges.extend(
                        self.undos
                            .range(from..to)
                            .map(|(_, first, last)| (*first, *last)),
                    );
                }
                self.undos.push_back((seq, event.entry, event.last));
            }
            _ => {}
        }
        self.hits.drain(..self.hits.len().saturating_sub(KEPT_MAX));
        self.undos
            .drain(..self.undos.len().saturating_sub(KEPT_MAX));
    }

    /// How damage departs from the roll in `entry`; empty: it does not, or there is none.
    pub fn note(&self, seq: u64, entry: &Entry, hit: &DamageEvent) -> RollNote {
        let rolled = rolled_amounts(entry).unwrap_or_default();
        let instead = !rolled.is_empty() && differs(&rolled, hit.amount);
        let hidden = entry.visibility != Visibility::Public;
        RollNote {
            before: self
                .earlier_use(seq, &rolled, hit)
                .filter(|_| !rolled.is_empty()),
            rolled: if instead {
                rolled.into_iter().take(ROLLED_MAX).collect()
            } else {
                Vec::new()
            },
            like_check: false,
            hidden,
            // Players do not know that there was a roll which is the GM's alone.
            changed_unseen: instead
                && matches!(
                    entry.visibility,
                    Visibility::Blind | Visibility::OutcomeOnly
                ),
        }
    }

    /// The last use of the roll on the same target, where all rolls of the entry are used up.
    pub fn earlier_use(&self, roll: u64, rolled: &[i64], hit: &DamageEvent) -> Option<u64> {
        // A roll is used after it was made.
        let after = self.hits.partition_point(|hit| hit.seq <= roll);
        let is_of_it =
            |one: &&RollUse| one.roll == roll && one.target == hit.subject.id && !one.undone;
        let used: Vec<&RollUse> = self.hits.range(after..).filter(is_of_it).collect();
        let (last, amount) = (used.last()?.seq, hit.amount.saturating_abs());
        let rolled_so = rolled
            .iter()
            .filter(|total| total.saturating_abs() == amount)
            .count();
        let used_so = used.iter().filter(|one| one.amount == amount).count();
        let whole = sum(rolled);
        let spent = used.len() >= rolled.len()
            || (rolled_so > 0 && used_so >= rolled_so)
            || used.iter().any(|one| one.amount == whole);
        spent.then_some(last)
    }
}

/// Whether an amount is neither one of the totals nor all of them together.
pub fn differs(rolled: &[i64], amount: i64) -> bool {
    let amount = amount.saturating_abs();
    amount != sum(rolled) && rolled.iter().all(|total| total.saturating_abs() != amount)
}

fn sum(rolled: &[i64]) -> i64 {
    rolled
        .iter()
        .fold(0, |sum, total| sum.saturating_add(total.saturating_abs()))
}
