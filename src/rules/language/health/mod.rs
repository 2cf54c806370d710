//! The Health section: tracks and what else is hit, what stands before them, what happens at their ends.

pub mod boxes;
pub mod chained;
pub mod damage_chain;
pub mod describe;
pub mod harm;
pub mod mitigation;
pub mod read;
pub mod tracks;
pub mod trigger;
mod triggers;
pub mod wounds;

pub use boxes::{Boxes, Slot, Slots};
pub use damage_chain::DamageChain;
pub use harm::{Harm, Marks};
pub use mitigation::{Layer, Mitigation, MitigationKind};
pub use tracks::{Direction, Start, Track, is_pool_name};
pub use trigger::{AlsoWith, Trigger, TriggerWhen};
pub use wounds::Wounds;
