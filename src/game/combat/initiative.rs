//! Initiative by the rules: rolled, fixed, or left to the GM; and what breaks ties.

use crate::dice::{BindError, DiceError};
use crate::game::entry::RollRecord;
use crate::game::refusal::Refusal;
use crate::game::state::Character;
use crate::game::table::Table;
use crate::game::values::Values;
use crate::names::near;
use crate::rules::{InitiativeKind, System, TieBreak};

/// The number a combatant gets, and the roll it came from.
///
/// # Errors
/// When the rule cannot be rolled for it; then the GM can say the number.
pub(super) fn rolled(table: &mut Table, row: &Character) -> Result<(Option<i64>, Option<RollRecord>), Refusal> {
    let formula = match &table.system().initiative.kind {
        InitiativeKind::Rolled(formula) | InitiativeKind::Fixed(formula) => formula,
        // The GM says the numbers; whoever has none acts behind the others in the order of entry.
        InitiativeKind::PerSide(_) | InitiativeKind::Cards | InitiativeKind::Given | InitiativeKind::None => {
            return Ok((None, None));
        }
    };
    let expression = Values::of(table.state, table.system(), row)
        .try_bind(formula)
        .map_err(|error| unusable(table.system(), row, &error))?;
    if let Some(fixed) = expression.constant() {
        return Ok((Some(fixed), None));
    }
    let record =
        table.roll(&expression, &row.name, "initiative").map_err(|error| undrawn(table.system(), row, &error))?;
    Ok((Some(record.roll.total), Some(record)))
}

/// The rule names what nobody has: the author's slip, or a score that is still missing. Either way the number can be sent.
fn unusable(system: &System, row: &Character, error: &BindError) -> Refusal {
    let names = match error {
        BindError::Dice(error) => return undrawn(system, row, error),
        BindError::Missing(names) => names,
    };
    let known = || system.attributes.iter().flat_map(|attribute| [attribute.name.as_str(), attribute.short()]);
    let missing: Vec<String> = names.iter().map(|name| format!("{{{name}}}")).collect();
    let near: Vec<String> = names.iter().flat_map(|name| near(name, known())).take(3).collect();
    let why = match names.iter().find_map(|name| system.attribute(name).ok()) {
        Some(attribute) => format!("{} has no {} score", row.name, attribute.name),
        None if near.is_empty() => "nothing here is called so".to_owned(),
        None => format!("nothing here is called so (near: {})", near.join(", ")),
    };
    refused(system, row, &format!("needs {}, and {why}", missing.join(", "))).near(near)
}

fn undrawn(system: &System, row: &Character, error: &DiceError) -> Refusal {
    refused(system, row, &format!("cannot be rolled: {}", error.message.trim_end_matches('.')))
}

fn refused(system: &System, row: &Character, what: &str) -> Refusal {
    let place = system.initiative.place.as_ref().map(ToString::to_string);
    let cited = place.as_ref().map_or(String::new(), |place| format!(" ({place})"));
    let summary = format!(
        "The rule for initiative{cited} {what}. Say the number yourself for each combatant: {{\"name\": \"{}\", \"initiative\": 12}}.",
        row.name
    );
    let refusal = Refusal::new("rule_broken", summary);
    place.into_iter().fold(refusal, Refusal::at)
}

/// What decides between equal numbers, in the order the rules state, higher first.
pub(super) fn ties(table: &Table, row: &Character) -> Vec<i64> {
    let system = table.system();
    let values = Values::of(table.state, system, row);
    let rules = system.initiative.ties.iter();
    rules
        .map(|rule| match rule {
            // The score, not its modifier: 15 beats 14 though both add 2.
            TieBreak::HigherAttribute(name) => row.attributes.get(name).copied().unwrap_or(0),
            TieBreak::HigherSkill(name) => values.get(name).unwrap_or(0),
            TieBreak::Players => i64::from(row.kind.is_open()),
            TieBreak::Agreed | TieBreak::Entered => 0,
        })
        .collect()
}
