//! A crowd in a line each. The status of a great fight is asked for often and read whole, so those who do not act soon
//! are told in as few words as their place in the order takes.

use crate::game::mechanics::duration;
use crate::game::record::state::{Combatant, State};
use crate::game::view::Audience;
use crate::rules::System;

use super::reply::{health_of, name};

/// Combatants up to which a fight is listed whole.
pub const WHOLE: usize = 20;

/// One of them: "Wrecker 7, foes, 12: 3/7, blinded (2 rounds), hidden".
pub fn line(state: &State, system: &System, own: &Combatant) -> String {
    let mut line = format!("{}, {}", name(state, own), own.side);
    if let Some(initiative) = own.initiative {
        line.push_str(&format!(", {initiative}"));
    }
    line.push_str(": ");
    line.push_str(&health_of(state, system, own, Audience::Gm));
    let conditions = state.conditions_of(own.character).map(duration::render_with_cause);
    let flags = [(own.defeated, "defeated"), (own.hidden, "hidden")];
    let flags = flags.into_iter().filter(|(is, _)| *is).map(|(_, word)| word.to_owned());
    let waits = own.waits.map(|waits| waits.as_str().to_owned());
    let ready = own.ready.as_ref().map(|trigger| format!("ready: {trigger}"));
    for more in conditions.chain(flags).chain(waits).chain(ready) {
        line.push_str(", ");
        line.push_str(&more);
    }
    line
}
