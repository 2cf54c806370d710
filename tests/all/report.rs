//! Reports for people: what stands in them, equal to what the database says, without what players must not know.

mod fights;
mod golden;
mod injected;
mod known;
pub mod rig;
mod secret;
mod shared;
mod statistics;
