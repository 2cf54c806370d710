//! Initiative by the rules: rolled, fixed, dealt, by side, or left to the GM.

use super::{cards, change, open, sides, ties, who};
use crate::dice::{BindError, DiceError, Formula};
use crate::game::mechanics::values::Values;
use crate::game::record::entry::RollRecord;
use crate::game::record::event::Act;
use crate::game::record::purpose::INITIATIVE;
use crate::game::record::state::{Character, Combatant};
use crate::game::refusal::{Code, Refusal};
use crate::game::table::Table;
use crate::names::near;
use crate::rules::{InitiativeKind, System};

/// The number a combatant of that side gets, and the roll it came from; `dealt` are the cards that are out, and whoever of the
/// side has a number has it for all of them.
///
/// # Errors
/// When the rule cannot be rolled for it; then the GM can say the number.
pub(super) fn number(
    table: &mut Table,
    row: &Character,
    own_side: Option<i64>,
    dealt: &[i64],
) -> Result<(Option<i64>, Option<RollRecord>), Refusal> {
    match &table.system().initiative.kind {
        InitiativeKind::Rolled(formula) | InitiativeKind::Fixed(formula) => by_formula(table, row, formula),
        InitiativeKind::PerSide(_) if own_side.is_some() => Ok((own_side, None)),
        InitiativeKind::PerSide(Some(formula)) => by_formula(table, row, formula),
        InitiativeKind::Cards => dealt_to(table, row, dealt),
        // The GM says the numbers; whoever has none acts behind the others in the order of entry.
        InitiativeKind::PerSide(None) | InitiativeKind::Given | InitiativeKind::None => Ok((None, None)),
    }
}

fn by_formula(
    table: &mut Table,
    row: &Character,
    formula: &Formula,
) -> Result<(Option<i64>, Option<RollRecord>), Refusal> {
    let expression = Values::of(table.state, table.system(), row)
        .try_bind(formula)
        .map_err(|error| unusable(table.system(), row, &error))?;
    if let Some(fixed) = expression.constant() {
        return Ok((Some(fixed), None));
    }
    let record =
        table.roll(&expression, &row.name, INITIATIVE).map_err(|error| undrawn(table.system(), row, &error))?;
    Ok((Some(record.roll.total), Some(record)))
}

/// One card of those that are left: the die says the how manieth from below.
fn dealt_to(table: &mut Table, row: &Character, dealt: &[i64]) -> Result<(Option<i64>, Option<RollRecord>), Refusal> {
    let left = cards::left(dealt);
    let drawn = crate::dice::parse(&format!("1d{}", left.len()))
        .and_then(|expression| table.roll(&expression, &row.name, INITIATIVE))
        .map_err(|error| undrawn(table.system(), row, &error))?;
    let nth = usize::try_from(drawn.roll.total - 1).unwrap_or(0);
    Ok((left.get(nth).copied(), Some(drawn)))
}

/// The rules' number for those who are named, or for everybody who has none yet. Whoever acts together with one of them gets
/// the same number, by one roll.
pub fn roll(table: &mut Table, names: &[String]) -> Result<(), Refusal> {
    let combat = open(table.state)?.id;
    let mut of: Vec<Combatant> = Vec::new();
    for name in names {
        let named = who::named(table.state, table.system(), "combatant", name)?.clone();
        let together = |other: &Combatant| sides::act_together(table.system()) && other.side == named.side;
        if !of.iter().any(|other| other.id == named.id || together(other)) {
            of.push(named);
        }
    }
    if names.is_empty() {
        of.extend(table.state.combatants_of(combat).filter(|own| own.initiative.is_none()).cloned());
    }
    if of.is_empty() {
        let summary =
            "Everybody has a number. Send combatant=\"…\" to roll anew for one of them, or set_initiative to say it.";
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    let anew = !names.is_empty();
    let before = table.written().len();
    for own in of {
        let number = roll_for(table, combat, own.id, anew)?;
        let others = sides::others(table.state, table.system(), &own);
        for other in others.iter().filter(|_| anew && number.is_some()) {
            give(table, other, number, &[])?;
        }
    }
    if table.written().len() == before {
        let summary = "These rules roll no initiative: say the numbers with set_initiative combatants=[{\"name\": \"…\", \
                       \"initiative\": 12}], or leave them out.";
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    Ok(())
}

/// A new number for everybody who is up, at the start of a round. Whom the rules cannot give one keeps the old.
pub(super) fn roll_round(table: &mut Table, combat: i64) {
    let up: Vec<Combatant> = table.state.combatants_of(combat).filter(|own| !own.defeated).cloned().collect();
    let mut round: Vec<Dealt> = Vec::new();
    for own in up {
        let side = round.iter().find(|dealt| dealt.side == own.side).map(|dealt| dealt.number);
        let out: Vec<i64> = round.iter().map(|dealt| dealt.number).collect();
        if let Ok(Some(number)) = give(table, &own, side, &out) {
            round.push(Dealt { side: own.side, number });
        }
    }
    // Whoever is down acts with its side, should it be up again in this round.
    let down = |own: &&Combatant| own.defeated && sides::act_together(table.system());
    let down: Vec<Combatant> = table.state.combatants_of(combat).filter(down).cloned().collect();
    for own in down {
        if let Some(dealt) = round.iter().find(|dealt| dealt.side == own.side) {
            // A number of the side is not rolled again, so nothing can be missing for it.
            let _ = give(table, &own, Some(dealt.number), &[]);
        }
    }
}

struct Dealt {
    side: String,
    number: i64,
}

/// The rules' number for one who has none, or `anew`.
pub(super) fn roll_for(table: &mut Table, combat: i64, id: i64, anew: bool) -> Result<Option<i64>, Refusal> {
    let Some(own) = table.state.combatants.get(&id).cloned() else { return Ok(None) };
    let side = sides::number(table.state, table.system(), combat, &own.side).filter(|_| !anew);
    let out = numbers(table, combat);
    give(table, &own, side, &out)
}

fn give(table: &mut Table, own: &Combatant, side: Option<i64>, out: &[i64]) -> Result<Option<i64>, Refusal> {
    let Some(row) = table.state.characters.get(&own.character).cloned() else { return Ok(None) };
    let (number, roll) = number(table, &row, side, out)?;
    let Some(initiative) = number else { return Ok(None) };
    let act = Act::InitiativeRolled { initiative, card: card(table.system(), initiative) };
    let ties = ties::of(table, &row, &own.side);
    change::log_rolled(table, own.id, "system", act, roll, |own| {
        own.initiative = Some(initiative);
        own.ties = ties;
    });
    Ok(Some(initiative))
}

/// All numbers in the fight: the cards that are out.
pub(super) fn numbers(table: &Table, combat: i64) -> Vec<i64> {
    table.state.combatants_of(combat).filter_map(|own| own.initiative).collect()
}

/// What a number is called where cards are dealt.
pub(super) fn card(system: &System, initiative: i64) -> Option<String> {
    match system.initiative.kind {
        InitiativeKind::Cards => cards::name(initiative),
        _ => None,
    }
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
    let refusal = Refusal::new(Code::RuleBroken, summary);
    place.into_iter().fold(refusal, Refusal::at)
}
