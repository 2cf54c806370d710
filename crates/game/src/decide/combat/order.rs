//! The order of a fight: by initiative, then by the tie-breaks of the rules, then by entry. Where
//! sides act, a side is kept together, by its initiative, then by the entry of its first member.

use crate::record::state::{Character, Combat, Combatant, State, Wait};
use crate::{mechanics::duration::has_turns, mechanics::values::Values, table::Table};
use rollbook_rules::{InitiativeKind, System, TieBreak};
use std::{cmp::Reverse, collections::BTreeMap};

/// The combatants in the order they act, those without initiative last; without turns side by side.
pub fn order<'s>(state: &'s State, system: &System, combat: i64) -> Vec<&'s Combatant> {
    let mut order: Vec<&Combatant> = state.combatants_of(combat).collect();
    let without_turns = state
        .combats
        .get(&combat)
        .is_some_and(|fight| !has_turns(system, fight));
    let sides = first_members(order.iter().copied(), without_turns || act_together(system));
    match without_turns {
        true => order.sort_by_key(|member| (sides.get(member.side.as_str()).copied(), member.id)),
        false => order.sort_by_cached_key(|member| key(system, &sides, member)),
    }
    order
}

/// All turns of a round in this order: who has several is at each of them, and none is further.
pub fn turns(state: &State, system: &System, combat: i64) -> Vec<Combatant> {
    let order = order(state, system, combat);
    let sides = first_members(order.iter().copied(), act_together(system));
    let each = |member: &&Combatant| {
        let member = Combatant::clone(member);
        let last = u32::try_from(member.extra.len()).unwrap_or(u32::MAX);
        (0..=last).map(move |nth| Combatant {
            acted_round: member
                .acted_round
                .saturating_sub(u32::from(nth > member.again)),
            extra: Vec::new(),
            ..member.at_turn(nth)
        })
    };
    let mut turns: Vec<Combatant> = order.iter().flat_map(each).collect();
    if turns.len() > order.len() {
        turns.sort_by_cached_key(|turn| key(system, &sides, turn));
    }
    turns
}

pub(super) fn is_before(
    state: &State,
    system: &System,
    newcomer: &Combatant,
    other: &Combatant,
) -> bool {
    let sides = first_members(
        state.combatants_of(other.combat).chain([newcomer]),
        act_together(system),
    );
    key(system, &sides, newcomer) < key(system, &sides, other)
}

fn first_members<'c>(
    members: impl Iterator<Item = &'c Combatant>,
    together: bool,
) -> BTreeMap<&'c str, i64> {
    let mut sides = BTreeMap::new();
    for member in members.filter(|_| together) {
        sides.entry(member.side.as_str()).or_insert(member.id);
    }
    sides
}

fn key(system: &System, sides: &BTreeMap<&str, i64>, member: &Combatant) -> impl Ord + use<> {
    let initiative = member.initiative.map(|value| {
        if system.initiative.highest_first {
            -value
        } else {
            value
        }
    });
    let ties: Vec<Reverse<i64>> = member.ties.iter().copied().map(Reverse).collect();
    (
        initiative.is_none(),
        initiative,
        ties,
        sides.get(member.side.as_str()).copied(),
        member.id,
    )
}

/// Who acts next in that round: a combatant that was called back, else the first one up that has
/// not acted in it, but for `without`. So one that was skipped while down and is healed before the
/// round ends acts next; one that had acted waits for the next round.
pub(super) fn next_in(table: &Table, combat: i64, round: u32, without: Option<i64>) -> Option<i64> {
    let mut order = order(table.state, table.system(), combat);
    order.retain(|member| !member.defeated && Some(member.id) != without);
    let is_returned = |member: &&&Combatant| member.waits == Some(Wait::Returned);
    let is_fresh = |member: &&&Combatant| member.waits.is_none() && has_turn_in(member, round);
    let system = table.system();
    let sides = first_members(order.iter().copied(), act_together(system));
    let fresh = order.iter().filter(is_fresh);
    order
        .iter()
        .find(is_returned)
        .or_else(|| fresh.min_by_key(|member| key(system, &sides, &member.at_next(round))))
        .map(|member| member.id)
}

/// Whether a turn of it in that round is to come.
pub(super) fn has_turn_in(member: &Combatant, round: u32) -> bool {
    let has_again = usize::try_from(member.again).is_ok_and(|again| again < member.extra.len());
    (member.acted_round < round || has_again) && member.from_round <= round
}

/// The combatants from the current turn on: it, delayed ones, the rest of this round, the next's.
pub fn upcoming<'s>(state: &'s State, system: &System, combat: &Combat) -> Vec<&'s Combatant> {
    let mut upcoming = order(state, system, combat.id);
    let sides = first_members(upcoming.iter().copied(), act_together(system));
    let has_turns = has_turns(system, combat);
    let soon = |member: &Combatant| match () {
        () if combat.current == Some(member.id) => 0,
        () if member.defeated => 4,
        () if member.waits.is_some() => 1,
        () if has_turn_in(member, combat.round) => 2,
        () => 3,
    };
    upcoming.sort_by_cached_key(|member| {
        let next = has_turns && !member.extra.is_empty() && soon(member) == 2;
        let place = if next {
            member.at_next(combat.round)
        } else {
            (*member).clone()
        };
        (soon(member), has_turns.then(|| key(system, &sides, &place)))
    });
    upcoming
}

pub(super) fn act_together(system: &System) -> bool {
    matches!(system.initiative.kind, InitiativeKind::PerSide(_))
}

/// Whether two have one initiative: of a side where sides act, of a kind where rules or fight say.
pub(super) fn are_together(table: &Table, one: &Combatant, other: &Combatant) -> bool {
    let (state, system) = (&*table.state, table.system());
    // The kind of a foe is its name without the number.
    let kind = |member: &Combatant| {
        let who = state
            .characters
            .get(&member.character)
            .filter(|who| !who.kind.is_open())?;
        who.name
            .rsplit_once(' ')
            .filter(|(_, number)| number.parse::<u32>().is_ok())
            .map(|(kind, _)| kind)
    };
    let by_kind = system.initiative.by_kind
        || state
            .combats
            .get(&one.combat)
            .is_some_and(|combat| combat.by_kind);
    let alike = || by_kind && kind(one).is_some_and(|name| kind(other) == Some(name));
    one.side == other.side && (act_together(system) || alike())
}

pub(super) fn shared_initiative(table: &Table, member: &Combatant) -> Option<i64> {
    together(table, member).find_map(|other| other.initiative)
}

pub(super) fn others_together(table: &Table, member: &Combatant) -> Vec<Combatant> {
    together(table, member).cloned().collect()
}

fn together<'t>(
    table: &'t Table<'_>,
    member: &'t Combatant,
) -> impl Iterator<Item = &'t Combatant> {
    let with = |other: &&Combatant| other.id != member.id && are_together(table, member, other);
    table.state.combatants_of(member.combat).filter(with)
}

/// The tie-breaks in the order of the rules, higher first. Between whole sides no scores count.
pub(super) fn tie_breaks(table: &Table, row: &Character, side: &str) -> Vec<i64> {
    let system = table.system();
    let values = Values::of(table.state, system, row);
    let by_side = act_together(system);
    let value = |rule: &TieBreak| match rule {
        TieBreak::Players if by_side => i64::from(side == "players"),
        TieBreak::Higher(_) if by_side => 0,
        TieBreak::Higher(name) => match system.named_attribute(name) {
            // The score, not its modifier: 15 beats 14 though both add 2.
            Some(attribute) => values.score(attribute).map_or(0, |score| score.value),
            None => values.get(name).unwrap_or(0),
        },
        TieBreak::Players => i64::from(row.kind.is_open()),
        TieBreak::Entered => 0,
    };
    system.initiative.ties.iter().map(value).collect()
}
