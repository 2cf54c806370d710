//! What the GM and players see: visibility, sentences, sheets, snapshots.

pub mod call;
pub mod number;
pub mod reading;
pub mod recap;
pub(crate) mod secrets;
pub mod sheet;
pub mod snapshot;
pub mod visibility;
pub mod words;

pub use crate::record::entry::Audience;
