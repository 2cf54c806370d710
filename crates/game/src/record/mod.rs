//! Events, entries and state. Old logs are read with these types, so serialised names never change.

pub mod carried;
pub mod change;
pub mod entry;
pub mod event;
pub mod instant;
pub mod loss;
pub mod purpose;
pub mod state;
