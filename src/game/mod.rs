//! The table: what may be asked, what follows from it, and what is written down. Pure: time and chance are
//! passed in, nothing is read or written here.
//!
//! A decision takes a [`table::Table`] and a call, and either logs entries or refuses. State is what the entries'
//! after-images add up to; see [`record::state`].
//!
//! Each module uses only what stands before it:
//!
//! 1. [`refusal`]: what cannot be done, and what to send instead.
//! 2. [`limits`]: every bound on what a call may bring.
//! 3. [`record`]: what happened, and what it adds up to.
//! 4. [`mechanics`]: what the rules do to state, without a decision.
//! 5. [`view`]: who sees what, and in which words.
//! 6. [`table`]: where a call is decided.
//! 7. [`decide`]: one module a kind of call.
//! 8. [`import`]: characters from outside.

pub mod decide;
pub mod import;
pub mod limits;
pub mod mechanics;
pub mod record;
pub mod refusal;
pub mod table;
pub mod view;
