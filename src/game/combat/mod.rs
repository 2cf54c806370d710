//! A fight, from initiative to its end. Whose turn it is, is an id; who is next follows from the declared order
//! and from the round in which each last acted.

mod initiative;
mod order;
mod start;
mod turn;

pub use order::order;
pub use start::{Newcomer, StartCall, start};
pub use turn::{end, next_turn};

use crate::game::refusal::Refusal;
use crate::game::state::{Combat, State};

/// The fight that is going on, or a refusal that says how to begin one.
pub fn running(state: &State) -> Result<&Combat, Refusal> {
    state.running_combat().ok_or_else(|| {
        let summary = "No fight is going on. Send manage_combat action=\"start\" combatants=[{\"name\": \"Aria\"}, \
                       {\"name\": \"Goblin\", \"count\": 2, \"hp\": 7}].";
        Refusal::new("no_combat", summary)
    })
}
