//! The game: calls, decisions, and the entries they log. Pure: time and randomness are passed in, and nothing here does
//! I/O.
//!
//! A decision takes a [`table::Table`] and a call, and either logs entries or refuses. The state is the sum of the entries'
//! after-images; see [`record::state`].
//!
//! Each module uses only what stands before it:
//!
//! 1. [`refusal`]: why a call is refused, and what to send instead.
//! 2. [`limits`]: every limit on what a call may bring.
//! 3. [`record`]: what happened, and what it adds up to.
//! 4. [`mechanics`]: what the rules do to state.
//! 5. [`view`]: who sees what, and in which words.
//! 6. [`table`]: where a call is decided.
//! 7. [`decide`]: one module a kind of call.
//! 8. [`import`]: characters from outside.
//! 9. [`simulate`]: fights played out many times.

pub mod decide;
pub mod import;
pub mod limits;
pub mod mechanics;
pub mod record;
pub mod refusal;
pub mod simulate;
pub mod table;
pub mod view;
