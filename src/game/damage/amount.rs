//! How much: what the GM says, else what the named entry's dice came to.
//!
//! A roll says how much when it is one of `roll_dice` or `roll_multiple` and has no target: a check, an attack against a number
//! or counted successes say whether.

use crate::game::entry::{Entry, RollRecord};
use crate::game::event::Event;
use crate::game::refusal::Refusal;

use super::{DamageCall, parts};

/// The amount, and what was rolled where that was below 0: a roll decides how hard a blow is, and no blow heals.
pub(super) fn amount(call: &DamageCall, referred: Option<&Entry>) -> Result<(i64, Option<i64>), Refusal> {
    let said = call.amount.or_else(|| parts::sum(call));
    let Some((seq, entry)) = call.roll.zip(referred) else { return Ok((said.unwrap_or(0), None)) };
    let dealt = dealt(entry).map_err(|why| refused(seq, &why))?;
    match (said, dealt.as_slice()) {
        (Some(amount), _) => Ok((amount, None)),
        (None, [total]) if *total < 0 => Ok((0, Some(*total))),
        (None, [total]) => Ok((*total, None)),
        (None, rolls) => {
            let summary = format!(
                "Entry #{seq} holds {} rolls, so it does not say the amount. Send the one that is meant as amount \
                 beside roll, or make one roll with roll_dice.",
                rolls.len()
            );
            Err(Refusal::new("invalid_parameters", summary))
        }
    }
}

/// The amounts that an entry's dice say, one for each roll that can be damage.
///
/// # Errors
/// In words why it decides no amount.
pub fn dealt(entry: &Entry) -> Result<Vec<i64>, String> {
    match &entry.event {
        Event::Roll { .. } | Event::RollSet { .. } => {}
        Event::Check(check) => {
            return Err(format!(
                "is a check ({}), which says whether it succeeds and not how much damage it does",
                check.check
            ));
        }
        event if entry.rolls.is_empty() => return Err(format!("is no roll ({})", event.kind().replace('_', " "))),
        event => return Err(format!("is no damage roll ({})", event.kind().replace('_', " "))),
    }
    let plain: Vec<i64> =
        entry.rolls.iter().filter(|record| !decides(record)).map(|record| record.roll.total).collect();
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

/// Whether a roll has a target, so that it says whether and not how much.
fn decides(record: &RollRecord) -> bool {
    record.roll.successes.is_some()
        || record.roll.verdict.is_some()
        || record.roll.repeats.iter().any(|one| one.verdict.is_some())
}

fn refused(seq: u64, why: &str) -> Refusal {
    let summary = format!(
        "Entry #{seq} {why}. Roll the damage with roll_dice and send its log number as roll; where the rules give the number without \
         a roll, send it as amount and leave roll out."
    );
    Refusal::new("invalid_parameters", summary)
}
