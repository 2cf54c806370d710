//! How much: what the GM says, else what the named entry's dice came to.

use crate::game::entry::Entry;
use crate::game::event::Event;
use crate::game::refusal::Refusal;

use super::{DamageCall, parts};

/// The amount, and what was rolled where that was below 0: a roll decides how hard a blow is, and no blow heals.
pub(super) fn amount(call: &DamageCall, referred: Option<&Entry>) -> Result<(i64, Option<i64>), Refusal> {
    let said = call.amount.or_else(|| parts::sum(call));
    let Some((seq, entry)) = call.roll.zip(referred) else { return Ok((said.unwrap_or(0), None)) };
    if entry.rolls.is_empty() {
        return Err(refused(seq, &format!("is no roll ({})", entry.event.kind().replace('_', " "))));
    }
    if let Some(amount) = said {
        return Ok((amount, None));
    }
    match (&entry.event, entry.rolls.as_slice()) {
        (Event::Roll { .. }, [record]) if record.roll.total < 0 => Ok((0, Some(record.roll.total))),
        (Event::Roll { .. }, [record]) => Ok((record.roll.total, None)),
        (Event::RollSet { .. }, rolls) => {
            Err(refused(seq, &format!("holds {} rolls, so it does not say the amount", rolls.len())))
        }
        (event, _) => Err(refused(seq, &format!("is no damage roll ({})", event.kind().replace('_', " ")))),
    }
}

fn refused(seq: u64, what: &str) -> Refusal {
    let summary = format!(
        "Entry #{seq} {what}. Roll the damage with roll_dice and send its log number as roll, or send the number itself as amount."
    );
    Refusal::new("invalid_parameters", summary)
}
