//! Initiative by the rules: rolled, fixed, dealt, by side, or set by the GM. The order of a fight is by initiative, then by the
//! tie-breaks of the rules, then by entry. Where sides act, a side is kept together, by its initiative, then by the entry of its
//! first member.
//!
//! Initiative by cards: a pack of 52 and two jokers, shuffled before each deal. A card is a number from 1 (the two of clubs)
//! to 54 (the red joker), so the higher card is the higher number: ranks from the two to the ace, and within a rank clubs,
//! diamonds, hearts, spades. No two combatants hold the same card unless more than 54 are dealt.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::decide::combat::turn::no_turns;
use crate::decide::combat::{change, combatant, open};
use crate::mechanics::duration::has_turns;
use crate::mechanics::values::Values;
use crate::record::entry::RollRecord;
use crate::record::event::Act;
use crate::record::purpose::INITIATIVE;
use crate::record::state::{Character, Combat, Combatant, State, Wait};
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use rollbook_dice::{BindError, DiceError};
use rollbook_rules::{InitiativeKind, System, TieBreak};
use rollbook_text::names::suggest;

/// The combatants of one fight in the order they act; those without initiative are last. Without turns, side by side.
pub fn order<'s>(state: &'s State, system: &System, combat: i64) -> Vec<&'s Combatant> {
    let mut order: Vec<&Combatant> = state.combatants_of(combat).collect();
    let without_turns = state.combats.get(&combat).is_some_and(|fight| !has_turns(system, fight));
    let sides = first_members(order.iter().copied(), without_turns || act_together(system));
    match without_turns {
        true => order.sort_by_key(|member| (sides.get(member.side.as_str()).copied(), member.id)),
        false => order.sort_by_cached_key(|member| key(system, &sides, member)),
    }
    order
}

/// Whether a combatant that joins acts before another one.
pub(super) fn is_before(state: &State, system: &System, newcomer: &Combatant, other: &Combatant) -> bool {
    let sides = first_members(state.combatants_of(other.combat).chain([newcomer]), act_together(system));
    key(system, &sides, newcomer) < key(system, &sides, other)
}

/// The first member of each side, where whole sides act.
fn first_members<'c>(members: impl Iterator<Item = &'c Combatant>, together: bool) -> BTreeMap<&'c str, i64> {
    let mut sides = BTreeMap::new();
    for member in members.filter(|_| together) {
        sides.entry(member.side.as_str()).or_insert(member.id);
    }
    sides
}

/// The sort key: the lower acts first.
fn key(system: &System, sides: &BTreeMap<&str, i64>, member: &Combatant) -> impl Ord + use<> {
    let initiative = member.initiative.map(|value| if system.initiative.highest_first { -value } else { value });
    let ties: Vec<Reverse<i64>> = member.ties.iter().copied().map(Reverse).collect();
    (initiative.is_none(), initiative, ties, sides.get(member.side.as_str()).copied(), member.id)
}

/// Who acts next in that round: a combatant that was called back, else the first one up that has not acted in it. `without`
/// is skipped.
///
/// What counts is the round each last acted in, not its place in the order. So a combatant that was skipped while down and
/// is healed before the round ends acts next; one that had acted before it went down waits for the next round.
pub(super) fn next_in(table: &Table, combat: i64, round: u32, without: Option<i64>) -> Option<i64> {
    let mut order = order(table.state, table.system(), combat);
    order.retain(|member| !member.defeated && Some(member.id) != without);
    let is_returned = |member: &&&Combatant| member.waits == Some(Wait::Returned);
    let is_fresh = |member: &&&Combatant| member.waits.is_none() && has_turn_in(member, round);
    order.iter().find(is_returned).or_else(|| order.iter().find(is_fresh)).map(|member| member.id)
}

/// Whether a combatant is still to act in this round.
pub(super) fn has_turn_in(member: &Combatant, round: u32) -> bool {
    member.acted_round < round && member.from_round <= round
}

/// The combatants from the current turn on: the current one, delayed ones, the rest of this round, then the next round's.
pub fn upcoming<'s>(state: &'s State, system: &System, combat: &Combat) -> Vec<&'s Combatant> {
    let mut upcoming = order(state, system, combat.id);
    upcoming.sort_by_key(|member| match () {
        () if combat.current == Some(member.id) => 0,
        () if member.defeated => 4,
        () if member.waits.is_some() => 1,
        () if has_turn_in(member, combat.round) => 2,
        () => 3,
    });
    upcoming
}

/// Whether whole sides act by the rules.
pub(super) fn act_together(system: &System) -> bool {
    matches!(system.initiative.kind, InitiativeKind::PerSide(_))
}

/// Whether two combatants have one initiative: of a side where sides act, of a kind where the rules or the fight say so.
pub(super) fn are_together(table: &Table, one: &Combatant, other: &Combatant) -> bool {
    let (state, system) = (&*table.state, table.system());
    // The kind of a foe is its name without the number.
    let kind = |member: &Combatant| {
        let who = state.characters.get(&member.character).filter(|who| !who.kind.is_open())?;
        who.name.rsplit_once(' ').filter(|(_, number)| number.parse::<u32>().is_ok()).map(|(kind, _)| kind)
    };
    let by_kind = system.initiative.by_kind || state.combats.get(&one.combat).is_some_and(|combat| combat.by_kind);
    let alike = || by_kind && kind(one).is_some_and(|name| kind(other) == Some(name));
    one.side == other.side && (act_together(system) || alike())
}

/// The initiative that those have already with whom it has one.
pub(super) fn shared_initiative(table: &Table, member: &Combatant) -> Option<i64> {
    others_together(table, member).into_iter().find_map(|other| other.initiative)
}

/// The combatants that have one initiative with this one.
pub(super) fn others_together(table: &Table, member: &Combatant) -> Vec<Combatant> {
    let with = |other: &&Combatant| other.id != member.id && are_together(table, member, other);
    table.state.combatants_of(member.combat).filter(with).cloned().collect()
}

/// The values of the tie-breaks, in the order of the rules, higher first. Between whole sides no scores count.
pub(super) fn tie_breaks(table: &Table, row: &Character, side: &str) -> Vec<i64> {
    let system = table.system();
    let values = Values::of(table.state, system, row);
    let by_side = act_together(system);
    let value = |rule: &TieBreak| match rule {
        TieBreak::Players if by_side => i64::from(side == "players"),
        TieBreak::Higher(_) if by_side => 0,
        TieBreak::Higher(name) => match system.named_attribute(name) {
            // The score, not its modifier: 15 beats 14 though both add 2.
            Some(attribute) => values.score(attribute).map_or(0, |(score, _)| score),
            None => values.get(name).unwrap_or(0),
        },
        TieBreak::Players => i64::from(row.kind.is_open()),
        TieBreak::Entered => 0,
    };
    system.initiative.ties.iter().map(value).collect()
}

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
            Ok((left.get(usize::try_from(drawn.roll.total - 1).unwrap_or(0)).copied(), Some(drawn)))
        }
        // The GM sets the numbers; combatants without one act last, in the order of entry.
        InitiativeKind::Given | InitiativeKind::None => Ok((None, None)),
    }
}

/// Rolls for the named combatants, or for all without a number. Combatants that act together get the same number by one
/// roll.
pub fn roll(table: &mut Table, names: &[String]) -> Result<(), Refusal> {
    let open = open(table.state)?;
    let combat = open.id;
    if table.system().initiative.kind != InitiativeKind::None && !has_turns(table.system(), open) {
        return Err(no_turns(table.system()));
    }
    let mut members: Vec<Combatant> = Vec::new();
    for name in names {
        let named = combatant(table, "combatant", name)?;
        if !members.iter().any(|other| other.id == named.id || are_together(table, &named, other)) {
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
        for other in others_together(table, &member).iter().filter(|_| anew && number.is_some()) {
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
    table.state.combatants_of(combat).filter(|member| member.initiative.is_none()).cloned().collect()
}

/// Rolls for all without a number.
pub(super) fn roll_missing(table: &mut Table, combat: i64) -> Result<(), Refusal> {
    without_number(table, combat).iter().try_for_each(|member| roll_for(table, member, false).map(drop))
}

/// Rolls for every combatant that is up, at the start of a round. Where the rule cannot be rolled, the number stays.
/// A combatant that is down gets the number of those with whom it has one, in case it gets up in this round.
pub(super) fn roll_round(table: &mut Table, combat: i64) {
    let members = table.state.combatants_of(combat).cloned();
    let (down, up): (Vec<Combatant>, Vec<Combatant>) = members.partition(|member| member.defeated);
    let mut round: Vec<(Combatant, i64)> = Vec::new();
    for member in up.into_iter().chain(down) {
        let mut with = round.iter().filter(|(other, _)| are_together(table, &member, other));
        let shared = with.next().map(|(_, number)| *number);
        let out: Vec<i64> = round.iter().map(|(_, number)| *number).collect();
        if (!member.defeated || shared.is_some())
            && let Ok(Some(number)) = assign(table, &member, shared, &out)
            && !member.defeated
        {
            round.push((member, number));
        }
    }
}

/// Rolls for one combatant; without `anew` the number is used of those with whom it has one.
fn roll_for(table: &mut Table, member: &Combatant, anew: bool) -> Result<Option<i64>, Refusal> {
    let shared = shared_initiative(table, member).filter(|_| !anew);
    let dealt = all_numbers(table, member.combat);
    assign(table, member, shared, &dealt)
}

fn assign(table: &mut Table, member: &Combatant, shared: Option<i64>, dealt: &[i64]) -> Result<Option<i64>, Refusal> {
    let Some(row) = table.state.characters.get(&member.character).cloned() else { return Ok(None) };
    let (number, roll) = number(table, &row, shared, dealt)?;
    let Some(initiative) = number else { return Ok(None) };
    let act = Act::InitiativeRolled { initiative, card: card_name(table.system(), initiative) };
    let ties = tie_breaks(table, &row, &member.side);
    change::log_rolled(table, member.id, ("system", act), roll, |member| {
        member.initiative = Some(initiative);
        member.ties = ties;
    });
    Ok(Some(initiative))
}

/// All numbers in the fight, which are the dealt cards.
pub(super) fn all_numbers(table: &Table, combat: i64) -> Vec<i64> {
    table.state.combatants_of(combat).filter_map(|member| member.initiative).collect()
}

/// The card's name, where cards are dealt.
pub(super) fn card_name(system: &System, initiative: i64) -> Option<String> {
    name(initiative).filter(|_| system.initiative.kind == InitiativeKind::Cards)
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
    place.into_iter().fold(Refusal::new(Code::RuleBroken, summary), Refusal::at)
}

const PACK: i64 = 54;

const RANKS: [&str; 13] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
const SUITS: [&str; 4] = ["clubs", "diamonds", "hearts", "spades"];

/// "queen of hearts"; `None` for a number that is no card, since the GM may set any.
fn name(card: i64) -> Option<String> {
    let place = usize::try_from(card.checked_sub(1)?).ok()?;
    match (RANKS.get(place / SUITS.len()), SUITS.get(place % SUITS.len())) {
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
        assert_eq!([&names[0], &names[42], &names[51]], ["two of clubs", "queen of hearts", "ace of spades"]);
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
