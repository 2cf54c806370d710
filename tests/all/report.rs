//! Reports for people: what is in them, equal to what the database says, without what players must
//! not know.

mod fights;
mod golden;
mod known;
pub mod rig;
mod secret;
mod shared;
mod statistics;
