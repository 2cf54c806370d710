//! System.md -> [`System`] and diagnostics. Strings in, values out; no file is opened here.
//!
//! [`read()`] builds a [`document`] in which each word has its place, and gives it to the readers
//! of the sections (`language/`). They take each rule whole, or report it and leave it out. Then
//! the lints look at it all. What a file leaves open has defaults, each noted as an [`Assumption`].
//!
//! Checks are resolved here, without a table: [`Check::attempt`] gives every name its value,
//! [`Check::verdict`] is the outcome of a roll, [`Check::each_verdict`] that of all rolls.
//!
//! Words: a *check* resolves something uncertain; a *row* is a line of its outcome table; a *track*
//! is a number that play moves; a *trigger* has effects when a track reaches a number. A *condition*
//! of a row is a comparison on dice; a condition of a character is a [`ConditionRule`].
//!
//! Each module uses only those before it:
//!
//! 1. [`limits`], [`codes`]: how much is read; the codes of findings.
//! 2. [`document`]: Markdown as sections, bullets, tables and prose, each with its place.
//! 3. [`section`], [`grammar`]: the kinds of sections; the language whose lines are read whole.
//! 4. [`when`]: conditions on a roll, and the facts of one.
//! 5. [`language`]: a folder for each section of `System.md`; the [`System`] that they make.
//! 6. [`mod@call`]: texts in calls that the grammar reads.
//! 7. [`random_table`]: tables of any file that are rolled on.
//! 8. [`resolve`]: a check with its values: bind, roll, judge.
//! 9. [`lint`]: findings about the whole system.
//! 10. [`builtin`], [`base`]: rules in the program, and rules that others are built on.
//! 11. [`reading`]: one reading of an adventure's rules, from texts to findings and a summary.
//! 12. [`players`]: the reading as players have it.
//! 13. [`mod@model`]: what was understood, for programs.

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
mod when;

pub use grammar::again::{AgainChange, Faces};
pub use grammar::dealt::Dealt;
pub use grammar::effect::{
    Act, By, Change, DURATION_MAX, Duration, Edge, End, Move, Moved, Rest, SPAN_MAX, Scope, Sign,
    Turn, Unit,
};
pub use grammar::line::{
    Added, Against, Ask, AskedFrom, DifficultyValue, Fights, InitiativeKind, InitiativeWhen,
    Showing, ShowingPolicy, TieBreak,
};
pub use grammar::opposed::{Compared, Comparison, Opposition, Ties};
pub use grammar::outcome::Outcome;
pub use grammar::print_effect::{signed_count, span_words};
pub use language::advancement::{Advancement, Improvement, Threshold};
pub use language::attacks::CommonAttack;
pub use language::attributes::{Attribute, Modifier, ModifierError};
pub use language::checks::{
    Check, CheckCost, Count, Flag, FollowUp, RESULT, Row, Shift, Stated, StatedEnds, StatedFault,
    Weight, row_formula, stated, target_name, without_column,
};
pub use language::clause::{Assumption, Bullet, Clause};
pub use language::combat::{HeldEffects, Initiative, Structure};
pub use language::conditions::ConditionRule;
pub use language::dice::{DiceChain, DicePolicy, Difficulty, NamedDice, NamedDie, StayOut, Symbol};
pub use language::effects::{Effect, die_after_steps, texts};
pub use language::health::damage::OUT_OF_FIGHT;
pub use language::health::{
    DamageLine, Defence, Direction, EXCEPT, GAME_TIME, Mark, Soak, Start, Track, Trigger,
    TriggerWhen, name_and_types,
};
pub use language::number_table::{Base, NumberRow, NumberTable, Part, value_of};
pub use language::skills::Skill;
pub use language::system::{System, called};
pub use language::unknown::{NameKind, UnknownName};
pub use limits::Limits;
pub use lint::tables;
pub use model::model;
pub use players::without_gm;
pub use reading::{Reading, proofs, read, read_with_bases, read_within, reading_summary};
pub use resolve::judge::Judgement;
pub use resolve::{
    Attempt, AttemptError, Followed, Means, Side, Swap, SwapHow, Verdict, Visit, Walked, Ways, Work,
};
pub use section::{SectionKind, SectionText};
pub use when::facts::{Facts, Succeed};
pub use when::{Expr, Range, When};
