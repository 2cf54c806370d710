//! Sides that act together: one initiative for the whole side, and one place in the order.

use std::collections::BTreeMap;

use crate::game::record::state::{Combatant, State};
use crate::rules::{InitiativeKind, System};

/// Whether whole sides act by the rules.
pub(super) fn act_together(system: &System) -> bool {
    matches!(system.initiative.kind, InitiativeKind::PerSide(_))
}

/// The initiative that the side has already, where whole sides act.
pub(super) fn side_initiative(state: &State, system: &System, combat: i64, side: &str) -> Option<i64> {
    let mut own = state.combatants_of(combat).filter(|own| act_together(system) && own.side == side);
    own.find_map(|own| own.initiative)
}

/// The combatants that act together with this one.
pub(super) fn others_on_side(state: &State, system: &System, of: &Combatant) -> Vec<Combatant> {
    let together = |own: &&Combatant| act_together(system) && own.side == of.side && own.id != of.id;
    state.combatants_of(of.combat).filter(together).cloned().collect()
}

/// The first member of each side, where whole sides act.
pub(super) fn first_members<'c>(
    system: &System,
    members: impl Iterator<Item = &'c Combatant>,
) -> BTreeMap<&'c str, i64> {
    let mut sides = BTreeMap::new();
    if act_together(system) {
        for own in members {
            sides.entry(own.side.as_str()).or_insert(own.id);
        }
    }
    sides
}
