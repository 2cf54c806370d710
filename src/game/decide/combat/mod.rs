//! A fight, from its preparation to its end. Whose turn it is, is an id; who is next follows from the declared order and from
//! the round in which each last acted. So nobody who comes, goes or changes place moves the turn.
//!
//! - Prepared, running, ended; an ended fight stays in the log and in the tables. Nothing ends a fight by itself, and
//!   everything about it is in the state, so it goes on after weeks as it stood.
//! - A turn that lets others go first ([`wait`]) is interrupted, not ended: called back, it goes on where it was; the round's
//!   end ends it. So each turn has one start and one end, and effects are counted once at each.
//! - An effect is a condition with a clock ([`clock`]), so whatever knows conditions knows effects.
//! - The turn before comes back by the before-images of the advance that ended it ([`back`]).

mod back;
mod begin;
pub mod cards;
mod change;
mod clock;
mod effect;
mod end;
mod hit_points;
mod initiative;
mod join;
mod leave;
mod newcomer;
mod order;
mod sides;
mod sight;
mod ties;
mod turn;
mod wait;
mod who;

pub use back::previous_turn;
pub use begin::{StartCall, add, create, start};
pub use change::{Update, defeat, revive, set_initiative, update};
pub use effect::{EffectCall, add_effect, remove_effect};
pub use end::end;
pub use initiative::roll as roll_initiative;
pub use leave::remove;
pub use newcomer::Newcomer;
pub use order::{order, upcoming};
pub use sight::{hide, reveal};
pub use turn::next_turn;
pub use wait::{call_back, delay, ready};

use crate::game::record::state::{Combat, State};
use crate::game::refusal::{Code, Refusal};

/// The fight that is going on, or a refusal that says how to begin one.
pub fn running(state: &State) -> Result<&Combat, Refusal> {
    if let Some(combat) = state.running_combat() {
        return Ok(combat);
    }
    Err(match state.open_combat() {
        Some(_) => Refusal::new(Code::NoCombat, "The fight is prepared and has not begun. Send action=\"start\"."),
        None => none(),
    })
}

/// The fight that is going on or being prepared, or a refusal that says how to begin one.
fn open(state: &State) -> Result<&Combat, Refusal> {
    state.open_combat().ok_or_else(none)
}

/// The same for somebody who joins: the call begins the fight.
fn joined(state: &State) -> Result<&Combat, Refusal> {
    state.open_combat().ok_or_else(|| {
        let summary = "No fight is going on, so nobody can join one. Send action=\"start\" with the same combatants, and with \
                       everybody else who is in it; who is known goes by name alone.";
        Refusal::new(Code::NoCombat, summary)
    })
}

fn none() -> Refusal {
    let summary = "No fight is going on. Send manage_combat action=\"start\" combatants=[{\"name\": \"Goblin\", \"count\": 2, \
                   \"hp\": 7}] with everybody who is in it; who is known goes by name alone.";
    Refusal::new(Code::NoCombat, summary)
}
