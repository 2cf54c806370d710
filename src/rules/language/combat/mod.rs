//! The Combat section: who acts when, effects that somebody holds, numbers of everybody who has none of their own.

pub mod held;
pub mod held_effects;
pub mod initiative;
pub mod read;
pub mod stated;
pub mod stated_values;

pub use held::{Against, CheckBy, Held, HeldCheck, Share};
pub use initiative::{Alternative, Initiative, InitiativeKind, InitiativeWhen, TieBreak};
pub use stated::Stated;
