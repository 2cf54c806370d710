//! Whole sides that act together: one number for all of them, whoever of them it was rolled for or said of, and one place
//! in the order.

use std::collections::BTreeMap;

use crate::game::record::state::{Combatant, State};
use crate::rules::{InitiativeKind, System};

/// Whether the rules let whole sides act.
pub(super) fn act_together(system: &System) -> bool {
    matches!(system.initiative.kind, InitiativeKind::PerSide(_))
}

/// The number the side has already, where whole sides act.
pub(super) fn number(state: &State, system: &System, combat: i64, side: &str) -> Option<i64> {
    let mut own = state.combatants_of(combat).filter(|own| act_together(system) && own.side == side);
    own.find_map(|own| own.initiative)
}

/// Those who act together with somebody.
pub(super) fn others(state: &State, system: &System, of: &Combatant) -> Vec<Combatant> {
    let together = |own: &&Combatant| act_together(system) && own.side == of.side && own.id != of.id;
    state.combatants_of(of.combat).filter(together).cloned().collect()
}

/// Each side by its first member, where whole sides act.
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
