//! Improvement of ticked skills by a roll for each.

use crate::game::decide::character::{SheetCall, revise};
use crate::game::limits::LIMITS;
use crate::game::mechanics::values::{Values, dice_refusal};
use crate::game::record::entry::RollRecord;
use crate::game::record::event::Event;
use crate::game::record::purpose::GAIN;
use crate::game::record::state::Character;
use crate::game::refusal::Refusal;
use crate::game::table::{Draft, Table};
use crate::game::view::visibility::sheet_visibility;
use crate::rules::Improvement;

/// Rolls for every ticked skill in the order of their names, removes the ticks and logs it; returns the improved character.
pub fn improve(table: &mut Table, before: &Character, rule: &Improvement) -> Result<Character, Refusal> {
    let mut after = before.clone();
    let mut rolls = Vec::new();
    for name in std::mem::take(&mut after.ticks) {
        let values = Values::of(table.state, table.system(), before);
        let known = match table.system().skill(&name) {
            Ok(skill) => values.skill(skill).map_or(0, |found| found.value),
            // Where the rules declare no skills, sheets may have any.
            Err(_) => match before.skills.get(&name) {
                Some(known) => *known,
                None => continue,
            },
        };
        let (roll, gain) = (values.bind(&rule.roll)?, values.bind(&rule.gain)?);
        let mut throw = |expression, purpose| -> Result<i64, Refusal> {
            let record: RollRecord =
                table.roll(expression, &before.name, purpose).map_err(|error| dice_refusal(&error))?;
            let total = record.roll.total;
            rolls.push(record);
            Ok(total)
        };
        let thrown = throw(&roll, &name)?;
        if rule.is_met(thrown, known) {
            let gained = throw(&gain, GAIN)?;
            after.skills.insert(name, known.saturating_add(gained).clamp(-LIMITS.number, LIMITS.number));
        }
    }
    let revision = revise(table, before, after, &SheetCall::default())?;
    let event = Event::Improved { subject: revision.after.subject(), fields: revision.fields };
    let visibility = sheet_visibility(table.state, before);
    let rule = Some(rule.place.to_string());
    table.log(Draft { visibility, rolls, rule, ..Draft::new("gm", event, revision.changes) });
    Ok(revision.after)
}
