//! A fight, from its preparation to its end. The current turn is an id; the next one follows from the order and from the
//! round in which each combatant last acted. So the turn stays when combatants join, leave or change their initiative.
//!
//! - A fight is prepared, running or ended; only the GM ends it. All of it is in the state, so it can go on weeks later.
//! - A delayed turn ([`wait`]) is interrupted, not ended: it goes on when it is called back, or ends with the round. So
//!   each turn has one start and one end, and effects are counted once at each.
//! - A fight has turns or not ([`structure`]), and may change over.
//! - An effect is a condition with counted turns ([`clock`]).
//! - The last advance can be taken back by its before-images ([`back`]).

mod back;
mod begin;
pub mod cards;
mod change;
mod clock;
mod effect;
mod end;
mod hit_points;
mod initiative;
mod newcomer;
mod order;
mod structure;
mod turn;
mod wait;
mod who;

pub use back::previous_turn;
pub use begin::{StartCall, add, create, start};
pub use change::{Update, defeat, revive, set_initiative, update};
pub use change::{hide, reveal};
pub use effect::{EffectCall, add_effect, remove_effect, reveal_effect};
pub use end::end;
pub use end::remove;
pub use initiative::roll as roll_initiative;
pub use newcomer::Newcomer;
pub use order::{order, upcoming};
pub use structure::{change_structure, next_round};
pub use turn::{check_turn_of, next_turn};
pub use wait::{call_back, delay, ready};

use crate::record::state::{Combat, State};
use crate::refusal::{Code, Refusal};

/// The running fight, or a refusal.
pub fn running(state: &State) -> Result<&Combat, Refusal> {
    if let Some(combat) = state.running_combat() {
        return Ok(combat);
    }
    Err(match state.open_combat() {
        Some(_) => Refusal::new(Code::NoCombat, "The fight is prepared and has not begun. Send action=\"start\"."),
        None => no_combat(),
    })
}

/// The running or prepared fight, or a refusal.
fn open(state: &State) -> Result<&Combat, Refusal> {
    state.open_combat().ok_or_else(no_combat)
}

/// The same for adding combatants.
fn open_to_join(state: &State) -> Result<&Combat, Refusal> {
    state.open_combat().ok_or_else(|| {
        let summary = "No fight is going on, so nobody can join one. Send action=\"start\" with the same combatants, and with \
                       everybody else who is in it; who is known goes by name alone.";
        Refusal::new(Code::NoCombat, summary)
    })
}

fn no_combat() -> Refusal {
    let summary = "No fight is going on. Send manage_combat action=\"start\" combatants=[{\"name\": \"Goblin\", \"count\": 2, \
                   \"hp\": 7}] with everybody who is in it; who is known goes by name alone.";
    Refusal::new(Code::NoCombat, summary)
}
