//! The game: calls, decisions, and the entries they log. No I/O: time and randomness are passed in.
//!
//! A decision takes a [`table::Table`] and a call, and either logs entries or refuses. The state is
//! the sum of the entries' after-images; see [`record::state`].
//!
//! Each module uses only those above it in this list:
//!
//! 1. [`refusal`]: why a call is refused, and what to send instead.
//! 2. [`limits`]: every limit on what a call may bring.
//! 3. [`zone`], [`moment`]: time zones; moments of the game's time.
//! 4. [`record`]: what happened, and what it adds up to.
//! 5. [`mechanics`]: what the rules do to state.
//! 6. [`view`]: who sees what, and in which words.
//! 7. [`table`]: where a call is decided.
//! 8. [`opening`]: how a campaign begins, and by which rules it goes on.
//! 9. [`decide`]: one module a kind of call.
//! 10. [`import`]: characters from outside.
//! 11. [`simulate`]: fights played out many times.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

/// Gives enums their words: what each variant is called in the log, in tables and in parameters.
macro_rules! words {
    ($($kind:ident: $($variant:ident = $word:literal),+;)+) => {$(
        impl $kind {
            /// The word in the log, in tables, in parameters and in replies.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($kind::$variant => $word,)+
                }
            }
        }
    )+};
}

pub mod decide;
pub mod import;
pub mod limits;
pub mod mechanics;
pub mod moment;
pub mod opening;
pub mod record;
pub mod refusal;
pub mod simulate;
pub mod table;
pub mod view;
pub mod zone;
