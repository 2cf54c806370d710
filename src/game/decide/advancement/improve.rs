//! Ticked skills: each is rolled for, and gains where the roll says so.

use crate::game::decide::character::{Sheet, revise};
use crate::game::limits::LIMITS;
use crate::game::mechanics::values::{Values, dice_refusal};
use crate::game::record::entry::RollRecord;
use crate::game::record::event::Event;
use crate::game::record::purpose::GAIN;
use crate::game::record::state::Character;
use crate::game::refusal::Refusal;
use crate::game::table::{Draft, Table};
use crate::game::view::visibility::of_sheet;
use crate::rules::Improvement;

/// Rolls for every ticked skill in the order of their names, takes the ticks away and logs it; answers the character as it is
/// then.
pub fn improve(table: &mut Table, before: &Character, rule: &Improvement) -> Result<Character, Refusal> {
    let mut after = before.clone();
    let mut rolls = Vec::new();
    for name in std::mem::take(&mut after.ticks) {
        let values = Values::of(table.state, table.system(), before);
        let known = match table.system().skill(&name) {
            Ok(skill) => values.skill(skill).map_or(0, |found| found.value),
            // Rules that declare no skills leave their names to the sheets.
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
    let revision = revise(table, before, after, &Sheet::default())?;
    let event = Event::Improved { subject: revision.after.subject(), fields: revision.fields };
    let visibility = of_sheet(table.state, before);
    let rule = Some(rule.place.to_string());
    table.log(Draft { visibility, rolls, rule, ..Draft::new("gm", event, revision.changes) });
    Ok(revision.after)
}
