//! Initiative by the rules: rolled, fixed, dealt, by side, or set by the GM.
//!
//! Initiative by cards: a pack of 52 and two jokers, shuffled before each deal. A card is a number
//! from 1 (the two of clubs) to 54 (the red joker), so the higher card is the higher number: ranks
//! from the two to the ace, and within a rank clubs, diamonds, hearts, spades. No two combatants
//! hold the same card unless more than 54 are dealt.

use crate::decide::combat::order::{are_together, others_together, shared_initiative, tie_breaks};
use crate::decide::combat::{change, combatant, open, turn::no_turns};
use crate::record::state::{Character, Combatant};
use crate::refusal::{Code, Refusal, Result};
use crate::{mechanics::duration::has_turns, mechanics::values::Values, table::Table};
use crate::{record::entry::RollRecord, record::event::Act, record::purpose::INITIATIVE};
use rollbook_dice::{BindError, DiceError};
use rollbook_rules::{InitiativeKind, System};
use rollbook_text::names::suggest;

/// The initiative of a combatant, and its roll; `shared`: of who acts with it; `dealt`: cards.
pub(super) fn number(
    table: &mut Table,
    row: &Character,
    shared: Option<i64>,
    dealt: &[i64],
) -> Result<(Option<i64>, Option<RollRecord>)> {
    if shared.is_some() {
        return Ok((shared, None));
    }
    let system = table.system();
    match &system.initiative.kind {
        InitiativeKind::Each(formula) | InitiativeKind::PerSide(formula) => {
            let bound = Values::of(table.state, system, row).try_bind(formula);
            let expression = bound.map_err(|error| cannot_bind(system, row, &error))?;
            if let Some(fixed) = expression.constant() {
                return Ok((Some(fixed), None));
            }
            let rolled = table.roll(&expression, &row.name, INITIATIVE);
            let record = rolled.map_err(|error| cannot_roll(system, row, &error))?;
            Ok((Some(record.roll.total), Some(record)))
        }
        // One of the cards that are left, chosen by a die.
        InitiativeKind::Cards => {
            let left = left(dealt);
            let drawn = rollbook_dice::parse(&format!("1d{}", left.len()))
                .and_then(|expression| table.roll(&expression, &row.name, INITIATIVE))
                .map_err(|error| cannot_roll(system, row, &error))?;
            Ok((
                left.get(usize::try_from(drawn.roll.total - 1).unwrap_or(0))
                    .copied(),
                Some(drawn),
            ))
        }
        // The GM sets the numbers; combatants without one act last, in the order of entry.
        InitiativeKind::Given | InitiativeKind::None => Ok((None, None)),
    }
}

/// Rolls for the named, or for all without a number; those that act together get one number.
pub fn roll(table: &mut Table, names: &[String]) -> Result<()> {
    let open = open(table.state)?;
    let combat = open.id;
    if table.system().initiative.kind != InitiativeKind::None && !has_turns(table.system(), open) {
        return Err(no_turns(table.system()));
    }
    let mut members: Vec<Combatant> = Vec::new();
    for name in names {
        let named = combatant(table, "combatant", name)?;
        if !members
            .iter()
            .any(|other| other.id == named.id || are_together(table, &named, other))
        {
            members.push(named);
        }
    }
    if names.is_empty() {
        members = without_number(table, combat);
    }
    if members.is_empty() {
        return change::no_effect(
            "Everybody has a number. Send combatant=\"…\" to roll anew for one of them, or set_initiative to say it.",
        );
    }
    let anew = !names.is_empty();
    let before = table.written().len();
    for member in members {
        let number = roll_for(table, &member, anew)?;
        for other in others_together(table, &member)
            .iter()
            .filter(|_| anew && number.is_some())
        {
            assign(table, other, number, &[])?;
        }
    }
    if table.written().len() == before {
        return change::no_effect(
            "These rules roll no initiative: say the numbers with set_initiative combatants=[{\"name\": \"…\", \
             \"initiative\": 12}], or leave them out.",
        );
    }
    Ok(())
}

fn without_number(table: &Table, combat: i64) -> Vec<Combatant> {
    table
        .state
        .combatants_of(combat)
        .filter(|member| member.initiative.is_none())
        .cloned()
        .collect()
}

pub(super) fn roll_missing(table: &mut Table, combat: i64) -> Result<()> {
    without_number(table, combat)
        .iter()
        .try_for_each(|member| roll_for(table, member, false).map(drop))
}

/// Rolls for every combatant that is up, at the start of a round. Where the rule cannot be rolled,
/// the number stays. One that is down gets that of those with whom it acts, in case it gets up.
pub(super) fn roll_round(table: &mut Table, combat: i64) {
    let members = table.state.combatants_of(combat).cloned();
    let (down, up): (Vec<Combatant>, Vec<Combatant>) = members.partition(|member| member.defeated);
    let mut round: Vec<(Combatant, i64)> = Vec::new();
    for member in up.into_iter().chain(down) {
        let mut with = round
            .iter()
            .filter(|(other, _)| are_together(table, &member, other));
        let shared = with.next().map(|(_, number)| *number);
        let out: Vec<i64> = round.iter().map(|(_, number)| *number).collect();
        if (!member.defeated || shared.is_some())
            && let Ok(Some(number)) = assign(table, &member, shared, &out)
            && !member.defeated
        {
            renew_turns(table, &member, number, &out);
            round.push((member, number));
        }
    }
}

/// Rolls for the further turns of one that has several in a round.
fn renew_turns(table: &mut Table, member: &Combatant, first: i64, dealt: &[i64]) {
    let mut turns = vec![first];
    for _ in &member.extra {
        let dealt = [dealt, &turns].concat();
        turns.extend(assign(table, member, None, &dealt).ok().flatten());
    }
    turns.sort_unstable();
    if table.system().initiative.highest_first {
        turns.reverse();
    }
    if let Some((first, extra)) = turns.split_first().filter(|(_, extra)| !extra.is_empty()) {
        let (first, extra, initiatives) = (*first, extra.to_vec(), turns.clone());
        let act = Act::TurnsSet { initiatives };
        change::log_rolled(table, member.id, ("system", act), None, |member| {
            (member.initiative, member.extra) = (Some(first), extra);
        });
    }
}

/// Rolls for one combatant; without `anew` the number is used of those with whom it has one.
fn roll_for(table: &mut Table, member: &Combatant, anew: bool) -> Result<Option<i64>> {
    let shared = shared_initiative(table, member).filter(|_| !anew);
    let dealt = all_numbers(table, member.combat);
    assign(table, member, shared, &dealt)
}

fn assign(
    table: &mut Table,
    member: &Combatant,
    shared: Option<i64>,
    dealt: &[i64],
) -> Result<Option<i64>> {
    let Some(row) = table.state.characters.get(&member.character).cloned() else {
        return Ok(None);
    };
    let (number, roll) = number(table, &row, shared, dealt)?;
    let Some(initiative) = number else {
        return Ok(None);
    };
    let act = Act::InitiativeRolled {
        initiative,
        card: card_name(table.system(), initiative),
    };
    let ties = tie_breaks(table, &row, &member.side);
    change::log_rolled(table, member.id, ("system", act), roll, |member| {
        member.initiative = Some(initiative);
        member.ties = ties;
    });
    Ok(Some(initiative))
}

pub(super) fn all_numbers(table: &Table, combat: i64) -> Vec<i64> {
    table
        .state
        .combatants_of(combat)
        .filter_map(|member| member.initiative)
        .collect()
}

pub(super) fn card_name(system: &System, initiative: i64) -> Option<String> {
    name(initiative).filter(|_| system.initiative.kind == InitiativeKind::Cards)
}

/// The refusal of a rule with a name that has no value: an author's mistake, or a missing score.
fn cannot_bind(system: &System, row: &Character, error: &BindError) -> Refusal {
    let names = match error {
        BindError::Dice(error) => return cannot_roll(system, row, error),
        BindError::Missing(names) => names,
    };
    let missing: Vec<String> = names.iter().map(|name| format!("{{{name}}}")).collect();
    let known = || {
        system
            .attributes
            .iter()
            .flat_map(|score| [score.name.as_str(), score.short()])
    };
    let near: Vec<String> = names
        .iter()
        .flat_map(|name| suggest(name, known()))
        .take(3)
        .collect();
    let why = match names.iter().find_map(|name| system.attribute(name).ok()) {
        Some(attribute) => format!("{} has no {} score", row.name, attribute.name),
        None if near.is_empty() => "nothing here is called so".to_owned(),
        None => format!("nothing here is called so (near: {})", near.join(", ")),
    };
    rule_broken(
        system,
        row,
        &format!("needs {}, and {why}", missing.join(", ")),
    )
    .did_you_mean(near)
}

fn cannot_roll(system: &System, row: &Character, error: &DiceError) -> Refusal {
    rule_broken(
        system,
        row,
        &format!("cannot be rolled: {}", error.message.trim_end_matches('.')),
    )
}

fn rule_broken(system: &System, row: &Character, what: &str) -> Refusal {
    let place = system.initiative.place.as_ref().map(ToString::to_string);
    let cited = place
        .as_ref()
        .map_or(String::new(), |place| format!(" ({place})"));
    let summary = format!(
        "The rule for initiative{cited} {what}. Say the number yourself for each combatant: {{\"name\": \"{}\", \"initiative\": 12}}.",
        row.name
    );
    place
        .into_iter()
        .fold(Refusal::new(Code::RuleBroken, summary), Refusal::at)
}

const PACK: i64 = 54;

const RANKS: [&str; 13] = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
    "king", "ace",
];
const SUITS: [&str; 4] = ["clubs", "diamonds", "hearts", "spades"];

/// "queen of hearts"; `None` for a number that is no card, since the GM may set any.
fn name(card: i64) -> Option<String> {
    let place = usize::try_from(card.checked_sub(1)?).ok()?;
    match (
        RANKS.get(place / SUITS.len()),
        SUITS.get(place % SUITS.len()),
    ) {
        (Some(rank), Some(suit)) => Some(format!("{rank} of {suit}")),
        _ if card == PACK - 1 => Some("black joker".to_owned()),
        _ if card == PACK => Some("red joker".to_owned()),
        _ => None,
    }
}

/// The cards left to be dealt, lowest first; a new pack once all of one are dealt.
fn left(dealt: &[i64]) -> Vec<i64> {
    let packs = dealt.len() / usize::try_from(PACK).unwrap_or(usize::MAX);
    let out = |card: &i64| dealt.iter().filter(|other| *other == card).count();
    (1..=PACK).filter(|card| out(card) <= packs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_card_has_its_own_name_and_is_dealt_once_from_each_pack() {
        let mut names: Vec<String> = (1..=PACK).filter_map(name).collect();
        assert_eq!(
            [&names[0], &names[42], &names[51]],
            ["two of clubs", "queen of hearts", "ace of spades"]
        );
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 54);
        assert_eq!((name(0), name(55), name(i64::MIN)), (None, None, None));
        assert_eq!((left(&[]).len(), left(&[3, 54]).len()), (54, 52));
        let first: Vec<i64> = (1..=PACK).collect();
        assert_eq!(left(&first).len(), 54, "a second pack");
        assert!(!left(&[first, vec![7]].concat()).contains(&7));
    }
}
