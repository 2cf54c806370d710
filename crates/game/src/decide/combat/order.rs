//! The order of a fight: initiative, then the tie-breaks of the rules, then the order of entry. Where sides act, a side is
//! kept together, by its initiative, then by the entry of its first member.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::mechanics::duration::has_turns;
use crate::mechanics::values::Values;
use crate::record::state::{Character, Combat, Combatant, State, Wait};
use crate::table::Table;
use rollbook_rules::{InitiativeKind, System, TieBreak};

/// The combatants of one fight in the order they act; those without initiative are last. Without turns, side by side.
pub fn order<'s>(state: &'s State, system: &System, combat: i64) -> Vec<&'s Combatant> {
    let mut order: Vec<&Combatant> = state.combatants_of(combat).collect();
    if state.combats.get(&combat).is_some_and(|fight| !has_turns(system, fight)) {
        let mut sides = BTreeMap::new();
        for order in &order {
            sides.entry(order.side.as_str()).or_insert(order.id);
        }
        order.sort_by_key(|own| (sides.get(own.side.as_str()).copied(), own.id));
        return order;
    }
    let sides = first_members(system, order.iter().copied());
    order.sort_by_cached_key(|own| key(system, &sides, own));
    order
}

/// Whether a combatant that joins acts before another one.
pub(super) fn is_before(state: &State, system: &System, newcomer: &Combatant, other: &Combatant) -> bool {
    let sides = first_members(system, state.combatants_of(other.combat).chain([newcomer]));
    key(system, &sides, newcomer) < key(system, &sides, other)
}

/// The sort key: the lower acts first.
fn key(system: &System, sides: &BTreeMap<&str, i64>, own: &Combatant) -> impl Ord + use<> {
    let initiative = own.initiative.map(|value| if system.initiative.highest_first { -value } else { value });
    let ties: Vec<Reverse<i64>> = own.ties.iter().copied().map(Reverse).collect();
    (initiative.is_none(), initiative, ties, sides.get(own.side.as_str()).copied(), own.id)
}

/// Who acts next in that round: a combatant that was called back, else the first one up that has not acted in it. `without`
/// is skipped.
///
/// What counts is the round each last acted in, not its place in the order. So a combatant that was skipped while down and
/// is healed before the round ends acts next; one that had acted before it fell waits for the next round.
pub fn next_in<'s>(
    state: &'s State,
    system: &System,
    combat: i64,
    round: u32,
    without: Option<i64>,
) -> Option<&'s Combatant> {
    let mut order = order(state, system, combat);
    order.retain(|combatant| !combatant.defeated && Some(combatant.id) != without);
    let returned = order.iter().find(|combatant| combatant.waits == Some(Wait::Returned));
    let waiting = || {
        let fresh =
            |member: &&&Combatant| member.waits.is_none() && member.acted_round < round && member.from_round <= round;
        order.iter().find(fresh)
    };
    returned.or_else(waiting).copied()
}

/// The combatants from the current turn on: the current one, delayed ones, the rest of this round, then the next round's.
pub fn upcoming<'s>(state: &'s State, system: &System, combat: &Combat) -> Vec<&'s Combatant> {
    let order = order(state, system, combat.id);
    let place = |member: &Combatant| {
        if combat.current == Some(member.id) {
            0
        } else if member.defeated {
            4
        } else if member.waits.is_some() {
            1
        } else if member.acted_round < combat.round && member.from_round <= combat.round {
            2
        } else {
            3
        }
    };
    let mut upcoming = order;
    upcoming.sort_by_key(|own| place(own));
    upcoming
}

/// Whether whole sides act by the rules.
pub(super) fn act_together(system: &System) -> bool {
    matches!(system.initiative.kind, InitiativeKind::PerSide(_))
}

/// Whether two combatants have one initiative: of a side where sides act, of a kind where the rules or the fight say so.
pub(super) fn are_together(state: &State, system: &System, one: &Combatant, other: &Combatant) -> bool {
    let alike = || kind(state, one.character).is_some_and(|own| kind(state, other.character) == Some(own));
    one.side == other.side && (act_together(system) || (is_by_kind(state, system, one.combat) && alike()))
}

/// Whether foes of a kind have one initiative.
fn is_by_kind(state: &State, system: &System, combat: i64) -> bool {
    system.initiative.by_kind || state.combats.get(&combat).is_some_and(|combat| combat.by_kind)
}

/// The kind of a foe: its name without the number.
fn kind(state: &State, character: i64) -> Option<&str> {
    let who = state.characters.get(&character).filter(|who| !who.kind.is_open())?;
    let (kind, number) = who.name.rsplit_once(' ')?;
    number.parse::<u32>().ok().map(|_| kind)
}

/// The initiative that those have already with whom it has one.
pub(super) fn shared_initiative(state: &State, system: &System, own: &Combatant) -> Option<i64> {
    let with = |other: &&Combatant| other.id != own.id && are_together(state, system, own, other);
    state.combatants_of(own.combat).filter(with).find_map(|other| other.initiative)
}

/// The combatants that have one initiative with this one.
pub(super) fn others_together(state: &State, system: &System, of: &Combatant) -> Vec<Combatant> {
    let with = |member: &&Combatant| member.id != of.id && are_together(state, system, of, member);
    state.combatants_of(of.combat).filter(with).cloned().collect()
}

/// The first member of each side, where whole sides act.
pub(super) fn first_members<'c>(
    system: &System,
    members: impl Iterator<Item = &'c Combatant>,
) -> BTreeMap<&'c str, i64> {
    let mut sides = BTreeMap::new();
    if act_together(system) {
        for member in members {
            sides.entry(member.side.as_str()).or_insert(member.id);
        }
    }
    sides
}

/// The values of the tie-breaks, in the order of the rules, higher first. Between whole sides no scores count.
pub(super) fn tie_breaks(table: &Table, row: &Character, side: &str) -> Vec<i64> {
    let system = table.system();
    let values = Values::of(table.state, system, row);
    let by_side = act_together(system);
    let rules = system.initiative.ties.iter();
    rules
        .map(|rule| match rule {
            TieBreak::Players if by_side => i64::from(side == "players"),
            TieBreak::Higher(_) if by_side => 0,
            TieBreak::Higher(name) => match system.named_attribute(name) {
                // The score, not its modifier: 15 beats 14 though both add 2.
                Some(attribute) => values.score(attribute).map_or(0, |(score, _)| score),
                None => values.get(name).unwrap_or(0),
            },
            TieBreak::Players => i64::from(row.kind.is_open()),
            TieBreak::Entered => 0,
        })
        .collect()
}
