//! Dice: notation to expression, expression to roll.
//!
//! Pure: knows no rules of any game, no clock, no file. Chance is passed in as a [`Roller`].
//!
//! - [`parse`] reads notation, [`read`] also plain English, [`parse_formula`] the formulas of
//!   rules, which may name variables.
//! - Everything that can be refused is refused there, before the first draw: a [`DiceError`] says
//!   what is wrong, where, and what to write instead.
//! - [`Expression::roll`] gives a [`Roll`]: every die with every face, and one line of arithmetic.
//! - The order of draws is fixed, so a roll can be checked from its faces ([`ScriptedRoller`]).

mod advantage;
mod arithmetic;
mod ast;
mod band;
mod binder;
mod bounds;
mod compare;
mod die;
mod english;
mod error;
mod evaluate;
mod explain;
mod expression;
pub mod fairness;
mod formula;
mod fraction;
mod limits;
mod modifiers;
mod near;
pub mod odds;
mod parse;
mod print;
mod roll;
mod roller;
mod span;
mod structured;
mod text;
mod throw;

pub use advantage::Mode;
pub use ast::Function;
pub use band::Band;
pub use binder::Bound;
pub use compare::Variable;
pub use die::Die;
pub use english::read;
pub use error::{Code, DiceError};
pub use expression::{Expression, parse};
pub use formula::{BindError, Formula, parse_formula};
pub use fraction::Fraction;
pub use limits::Limits;
pub use roll::{DieView, Face, Reason, Roll, RolledDie, Special, Term, Verdict};
pub use roller::{DrawError, OsRoller, Roller, ScriptedRoller};
pub use structured::{ParameterError, Structured};
pub use text::shown;

#[cfg(test)]
mod tests;
