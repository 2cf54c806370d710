//! Initiative by the rules: rolled, fixed, dealt, by side, or set by the GM.
//!
//! Initiative by cards: a pack of 52 and two jokers, shuffled before each deal. A card is a number from 1 (the two of clubs)
//! to 54 (the red joker), so whoever has the higher card has the higher number: ranks from the two to the ace, and within a
//! rank clubs, diamonds, hearts, spades. No two combatants hold the same card unless more than 54 are dealt.

use crate::decide::combat;
use crate::decide::combat::turn::no_turns;
use crate::decide::combat::{change, open, order};
use crate::mechanics::duration::has_turns;
use crate::mechanics::values::Values;
use crate::record::entry::RollRecord;
use crate::record::event::Act;
use crate::record::purpose::INITIATIVE;
use crate::record::state::{Character, Combatant};
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use rollbook_dice::{BindError, DiceError, Formula};
use rollbook_rules::{InitiativeKind, System};
use rollbook_text::names::suggest;

/// The initiative of a combatant, and its roll; `shared` is the number that those have already with whom it has one, `dealt`
/// are the dealt cards. Refused: when the rule cannot be rolled; then the GM can set the number.
pub(super) fn number(
    table: &mut Table,
    row: &Character,
    shared: Option<i64>,
    dealt: &[i64],
) -> Result<(Option<i64>, Option<RollRecord>), Refusal> {
    if shared.is_some() {
        return Ok((shared, None));
    }
    match &table.system().initiative.kind {
        InitiativeKind::Each(formula) | InitiativeKind::PerSide(formula) => by_formula(table, row, formula),
        InitiativeKind::Cards => deal_card(table, row, dealt),
        // The GM sets the numbers; combatants without one act last, in the order of entry.
        InitiativeKind::Given | InitiativeKind::None => Ok((None, None)),
    }
}

fn by_formula(
    table: &mut Table,
    row: &Character,
    formula: &Formula,
) -> Result<(Option<i64>, Option<RollRecord>), Refusal> {
    let expression = Values::of(table.state, table.system(), row)
        .try_bind(formula)
        .map_err(|error| cannot_bind(table.system(), row, &error))?;
    if let Some(fixed) = expression.constant() {
        return Ok((Some(fixed), None));
    }
    let record =
        table.roll(&expression, &row.name, INITIATIVE).map_err(|error| cannot_roll(table.system(), row, &error))?;
    Ok((Some(record.roll.total), Some(record)))
}

/// Deals one of the cards that are left, chosen by a die.
fn deal_card(table: &mut Table, row: &Character, dealt: &[i64]) -> Result<(Option<i64>, Option<RollRecord>), Refusal> {
    let left = left(dealt);
    let drawn = rollbook_dice::parse(&format!("1d{}", left.len()))
        .and_then(|expression| table.roll(&expression, &row.name, INITIATIVE))
        .map_err(|error| cannot_roll(table.system(), row, &error))?;
    let nth = usize::try_from(drawn.roll.total - 1).unwrap_or(0);
    Ok((left.get(nth).copied(), Some(drawn)))
}

/// Rolls for the named combatants, or for all without a number. Combatants that act together get the same number by one
/// roll.
pub fn roll(table: &mut Table, names: &[String]) -> Result<(), Refusal> {
    let open = open(table.state)?;
    let combat = open.id;
    if table.system().initiative.kind != InitiativeKind::None && !has_turns(table.system(), open) {
        return Err(no_turns(table.system()));
    }
    let mut of: Vec<Combatant> = Vec::new();
    for name in names {
        let named = combat::combatant(table.state, table.system(), "combatant", name)?.clone();
        let together = |other: &Combatant| order::are_together(table.state, table.system(), &named, other);
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
        let others = order::others_together(table.state, table.system(), &own);
        for other in others.iter().filter(|_| anew && number.is_some()) {
            assign(table, other, number, &[])?;
        }
    }
    if table.written().len() == before {
        let summary = "These rules roll no initiative: say the numbers with set_initiative combatants=[{\"name\": \"…\", \
                       \"initiative\": 12}], or leave them out.";
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    Ok(())
}

/// Rolls for every combatant that is up, at the start of a round. Where the rule cannot be rolled, the number stays.
pub(super) fn roll_round(table: &mut Table, combat: i64) {
    let up: Vec<Combatant> = table.state.combatants_of(combat).filter(|own| !own.defeated).cloned().collect();
    let mut round: Vec<(Combatant, i64)> = Vec::new();
    for own in up {
        let shared = shared_in(table, &round, &own);
        let out: Vec<i64> = round.iter().map(|(_, number)| *number).collect();
        if let Ok(Some(number)) = assign(table, &own, shared, &out) {
            round.push((own, number));
        }
    }
    // A combatant that is down gets the number of those with whom it has one, in case it gets up in this round.
    let down: Vec<Combatant> = table.state.combatants_of(combat).filter(|own| own.defeated).cloned().collect();
    for own in down {
        if let Some(number) = shared_in(table, &round, &own) {
            // Cannot be refused: the number is not rolled again.
            let _ = assign(table, &own, Some(number), &[]);
        }
    }
}

/// The number in this round of those with whom a combatant has one.
fn shared_in(table: &Table, round: &[(Combatant, i64)], own: &Combatant) -> Option<i64> {
    let mut with = round.iter().filter(|(other, _)| order::are_together(table.state, table.system(), own, other));
    with.next().map(|(_, number)| *number)
}

/// Rolls for one combatant; without `anew` the number is used of those with whom it has one.
pub(super) fn roll_for(table: &mut Table, combat: i64, id: i64, anew: bool) -> Result<Option<i64>, Refusal> {
    let Some(own) = table.state.combatants.get(&id).cloned() else { return Ok(None) };
    let shared = order::shared_initiative(table.state, table.system(), &own).filter(|_| !anew);
    let out = all_numbers(table, combat);
    assign(table, &own, shared, &out)
}

fn assign(table: &mut Table, own: &Combatant, shared: Option<i64>, out: &[i64]) -> Result<Option<i64>, Refusal> {
    let Some(row) = table.state.characters.get(&own.character).cloned() else { return Ok(None) };
    let (number, roll) = number(table, &row, shared, out)?;
    let Some(initiative) = number else { return Ok(None) };
    let act = Act::InitiativeRolled { initiative, card: card_name(table.system(), initiative) };
    let ties = order::tie_breaks(table, &row, &own.side);
    change::log_rolled(table, own.id, "system", act, roll, |own| {
        own.initiative = Some(initiative);
        own.ties = ties;
    });
    Ok(Some(initiative))
}

/// All numbers in the fight, which are the dealt cards.
pub(super) fn all_numbers(table: &Table, combat: i64) -> Vec<i64> {
    table.state.combatants_of(combat).filter_map(|own| own.initiative).collect()
}

/// The card's name, where cards are dealt.
pub(super) fn card_name(system: &System, initiative: i64) -> Option<String> {
    match system.initiative.kind {
        InitiativeKind::Cards => name(initiative),
        _ => None,
    }
}

/// The refusal of a rule with a name that has no value: an author's mistake, or a missing score.
fn cannot_bind(system: &System, row: &Character, error: &BindError) -> Refusal {
    let names = match error {
        BindError::Dice(error) => return cannot_roll(system, row, error),
        BindError::Missing(names) => names,
    };
    let known = || system.attributes.iter().flat_map(|attribute| [attribute.name.as_str(), attribute.short()]);
    let missing: Vec<String> = names.iter().map(|name| format!("{{{name}}}")).collect();
    let suggestions: Vec<String> = names.iter().flat_map(|name| suggest(name, known())).take(3).collect();
    let why = match names.iter().find_map(|name| system.attribute(name).ok()) {
        Some(attribute) => format!("{} has no {} score", row.name, attribute.name),
        None if suggestions.is_empty() => "nothing here is called so".to_owned(),
        None => format!("nothing here is called so (near: {})", suggestions.join(", ")),
    };
    rule_broken(system, row, &format!("needs {}, and {why}", missing.join(", "))).did_you_mean(suggestions)
}

fn cannot_roll(system: &System, row: &Character, error: &DiceError) -> Refusal {
    rule_broken(system, row, &format!("cannot be rolled: {}", error.message.trim_end_matches('.')))
}

fn rule_broken(system: &System, row: &Character, what: &str) -> Refusal {
    let place = system.initiative.place.as_ref().map(ToString::to_string);
    let cited = place.as_ref().map_or(String::new(), |place| format!(" ({place})"));
    let summary = format!(
        "The rule for initiative{cited} {what}. Say the number yourself for each combatant: {{\"name\": \"{}\", \"initiative\": 12}}.",
        row.name
    );
    let refusal = Refusal::new(Code::RuleBroken, summary);
    place.into_iter().fold(refusal, Refusal::at)
}

/// Cards of a pack.
pub const PACK: i64 = 54;

const RANKS: [&str; 13] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
const SUITS: [&str; 4] = ["clubs", "diamonds", "hearts", "spades"];

/// "queen of hearts"; `None` for a number that is no card, since the GM may set any.
pub fn name(card: i64) -> Option<String> {
    let place = usize::try_from(card.checked_sub(1)?).ok()?;
    match (RANKS.get(place / SUITS.len()), SUITS.get(place % SUITS.len())) {
        (Some(rank), Some(suit)) => Some(format!("{rank} of {suit}")),
        _ if card == PACK - 1 => Some("black joker".to_owned()),
        _ if card == PACK => Some("red joker".to_owned()),
        _ => None,
    }
}

/// The cards left to be dealt, lowest first; a new pack once all of one are dealt.
pub fn left(dealt: &[i64]) -> Vec<i64> {
    let packs = dealt.len() / usize::try_from(PACK).unwrap_or(usize::MAX);
    let out = |card: &i64| dealt.iter().filter(|own| *own == card).count();
    (1..=PACK).filter(|card| out(card) <= packs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_card_has_its_own_name() {
        let mut names: Vec<String> = (1..=PACK).filter_map(name).collect();
        assert_eq!(
            (names[0].as_str(), names[42].as_str(), names[51].as_str()),
            ("two of clubs", "queen of hearts", "ace of spades")
        );
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 54);
        assert_eq!((name(0), name(55), name(i64::MIN)), (None, None, None));
    }

    #[test]
    fn a_card_is_dealt_once_from_each_pack() {
        assert_eq!(left(&[]).len(), 54);
        assert_eq!(left(&[3, 54]).len(), 52);
        let first: Vec<i64> = (1..=PACK).collect();
        assert_eq!(left(&first).len(), 54, "a second pack");
        assert!(!left(&[first, vec![7]].concat()).contains(&7));
    }
}
