//! System.md -> [`System`] and diagnostics. Strings in, values out; no file is opened here.
//!
//! [`read()`] takes the texts, builds a [`document`] that knows where each word stands, and hands it to one reader a
//! section (`language/`). The readers take what they can and write down what they cannot; nothing stops them. Then the
//! lints look at the whole. What prose leaves open is filled by stated defaults, each noted as an [`Assumption`].
//!
//! A check is carried out here too, as far as no table is needed: [`Check::attempt`] puts values in the place of names,
//! [`Check::verdict`] says what a roll comes to, [`Check::each_verdict`] what every roll does. Calls, exact odds, lints and
//! tests share them.
//!
//! Words: a *check* is how an uncertain thing is resolved; a *row* is one line of its outcome table; a *track* is a number
//! that play moves; a *trigger* is what happens when it reaches an end. A *condition* of a row is a comparison on dice; a
//! condition of a character is a [`ConditionRule`].
//!
//! Each module uses only what stands before it:
//!
//! 1. [`limits`], [`codes`]: how much is read; the names of findings.
//! 2. [`document`]: Markdown to sections, bullets, tables and prose, each with its place.
//! 3. [`section`], [`grammar`]: what the parts of a file are called; the language whose lines are read whole.
//! 4. [`when`]: conditions on a roll, and what is known of one.
//! 5. [`language`]: one section of `System.md` a folder, joined by its `read`; the [`System`] that they add up to.
//! 6. [`mod@call`]: the text of calls that the grammar reads.
//! 7. [`random_table`]: tables of any file that are rolled on.
//! 8. [`resolve`]: a check with its values: bind, roll, judge.
//! 9. [`lint`]: what an author should know of the whole, a file for one thing.
//! 10. [`builtin`], [`base`]: rules in the program, and rules that others are built on.
//! 11. [`reading`]: one reading of an adventure's rules, from texts to findings.
//! 12. [`players`]: the reading as players have it.
//! 13. [`mod@understood`], [`mod@model`]: what was understood, for people and for programs.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

pub mod base;
pub mod builtin;
pub mod call;
pub mod codes;
pub mod document;
pub mod grammar;
mod language;
mod limits;
mod lint;
mod model;
mod players;
pub mod random_table;
mod reading;
mod resolve;
mod section;
#[cfg(test)]
mod tests;
mod understood;
pub mod when;

pub use grammar::again::{AgainChange, Faces};
pub use grammar::dealt::Dealt;
pub use grammar::effect::{
    Act, By, Change, DURATION_MAX, Duration, Edge, End, Move, Moved, SPAN_MAX, Scope, Sign, Turn, Unit,
};
pub use grammar::line::{
    Added, Against, Ask, AskedFrom, Fights, InitiativeKind, InitiativeWhen, Showing, ShowingPolicy, TieBreak, ToReach,
};
pub use grammar::opposed::{Compared, Comparison, Opposition, Ties};
pub use grammar::outcome::Outcome;
pub use grammar::print_effect::{of_many, span_words};
pub use language::advancement::{Advancement, Improvement, Threshold};
pub use language::attacks::CommonAttack;
pub use language::attributes::{Attribute, Modifier, ModifierError};
pub use language::checks::{
    Check, CheckCost, Count, Flag, FollowUp, RESULT, Row, Shift, Stated, StatedEnds, StatedFault, Weight, of_target,
    row_formula, stated, without_column,
};
pub use language::clause::{Assumption, Bullet, Clause};
pub use language::combat::{Held, Initiative, Structure};
pub use language::conditions::ConditionRule;
pub use language::dice::{DiceChain, DicePolicy, Difficulty, OwnDice, OwnDie, Stays, Symbol};
pub use language::effects::{Effect, stepped, texts};
pub use language::health::damage::OUT;
pub use language::health::{
    DamageLine, Defence, Direction, GAME_TIME, Mark, Soak, Start, Track, Trigger, TriggerWhen, by_type,
};
pub use language::number_table::{Base, NumberRow, NumberTable, Part, value_of};
pub use language::skills::Skill;
pub use language::system::{System, called};
pub use language::unknown::{Named, Unknown};
pub use limits::Limits;
pub use lint::tables;
pub use model::model;
pub use players::without_gm;
pub use reading::{Reading, proofs, proofs_until, read, read_on, read_within};
pub use resolve::judge::Judgement;
pub use resolve::{Attempt, AttemptError, Followed, Means, Side, Swap, SwapHow, Verdict, Visit, Walked, Ways, Work};
pub use section::{SectionKind, SectionText};
pub use understood::understood;
pub use when::facts::{Facts, Succeed};
pub use when::{Expr, Range, When};
