//! What happened, and what it adds up to. Everything here is read from old logs too, so names and words of what is serialised
//! stay as they are.

pub mod change;
pub mod entry;
pub mod event;
pub mod instant;
pub mod loss;
pub mod purpose;
pub mod state;
