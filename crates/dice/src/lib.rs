//! Dice: notation, expressions, rolls, exact odds and fairness, usable alone.
//!
#![doc = include_str!("../README.md")]
//! # What is in it
//!
//! Pure: knows no rules of any game, no clock, no file. Chance is passed in as a [`Roller`].
//!
//! - [`parse()`] reads notation, [`read`] also plain English, [`parse_formula`] rules' formulas,
//!   which may name variables.
//! - What can be refused is refused there, before the first draw: a [`DiceError`] says what is
//!   wrong, where, and what to write instead.
//! - [`Expression::roll`] gives a [`Roll`]: every die with every face, and one line of arithmetic.
//! - The order of draws is fixed, so a roll can be checked from its faces ([`ScriptedRoller`]).
//!
//! Each module uses only what is before it:
//!
//! 1. [`text`]: places in a text, numbers as text, characters that are not shown.
//! 2. [`fraction`]: exact numbers.
//! 3. [`limits`]: the bounds of a request.
//! 4. [`error`]: refusals, and rewrites of what was refused.
//! 5. [`compare`]: numbers that may be variables, comparisons with them, ranges between several.
//! 6. [`die`]: the kinds of dice.
//! 7. [`record`]: what was rolled.
//! 8. [`modifiers`]: what is done with dice, one file a kind.
//! 9. [`expression`]: the tree, its printer, and what is refused of it.
//! 10. [`roll`]: expression and roller to a record with its line of arithmetic.
//! 11. [`notation`]: text to expression.
//! 12. [`english`]: plain English to notation.
//! 13. [`odds`]: expression to its exact distribution.
//! 14. [`fairness`]: dice on trial, and the faces that were rolled.

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

mod compare;
mod die;
mod english;
mod error;
mod expression;
pub mod fairness;
mod fraction;
pub mod limits;
mod modifiers;
mod notation;
pub mod odds;
mod record;
mod roll;
mod text;

pub use compare::{Band, Comparison, Variable};
pub use die::{Die, Side};
pub use english::read;
pub use error::{Code, DiceError};
pub use expression::Expression;
pub use expression::tree::{Function, Hand};
pub use fraction::Fraction;
pub use notation::binder::Bound;
pub use notation::formula::{BindError, Formula, parse_formula};
pub use notation::parse;
pub use notation::strict;
pub use notation::structured::{ParameterError, Structured};
pub use notation::words::{brief, described};
pub use record::{
    DieShown, DieView, Face, Mode, Reason, Roll, RolledDie, Special, Term, TermShown, Verdict,
};
pub use roll::roller::{
    DrawError, EnteredRoller, KeptRoller, OsRoller, Roller, ScriptedRoller, SeededRoller,
};
pub use text::{is_minus, shown};

#[cfg(test)]
mod tests;
