//! How uncertain things are resolved.

use super::facts::Facts;
use super::outcome::Outcome;
use super::when::When;
use crate::diagnostic::{Place, Span};
use crate::dice::{Die, Formula};

/// How one kind of uncertain thing is resolved: what is rolled, what it must reach, what comes of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// Name as the author writes it; "Check" for an assumed one.
    pub name: String,
    /// What is rolled.
    pub roll: Formula,
    /// What it is compared with; none when the total alone decides.
    pub target: Option<Formula>,
    /// Which side of the target is good.
    pub succeed: Succeed,
    /// The outcome table, in the author's order; empty: margin 0+ is a success, anything else a failure.
    pub rows: Vec<Row>,
    /// Bullets that belong to the language and that this program does not carry out. While there are any the outcome is
    /// for the GM: a check half understood must not decide.
    pub unread: Vec<Unread>,
    /// The author's words before the bullets; may be empty.
    pub about: String,
    /// Whether it comes from prose and stated defaults rather than from a check of its own.
    pub assumed: bool,
    /// Where it stands.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}

/// The first die of an expression. Variables stand for six, which is a count and a size that dice can have.
pub(super) fn main_die(formula: &Formula) -> Option<Die> {
    formula.bind(&mut |_| Some(PROBE)).ok()?.main_die()
}

/// What variables stand for when only the dice of an expression are asked for.
pub(super) const PROBE: i64 = 6;

/// Which side of the target is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Succeed {
    /// Reaching it.
    AtLeast,
    /// Not going over it.
    AtMost,
}

impl Succeed {
    /// By how much a total makes a target; positive is always good.
    pub fn margin(self, total: i64, target: i64) -> i64 {
        match self {
            Self::AtLeast => total.saturating_sub(target),
            Self::AtMost => target.saturating_sub(total),
        }
    }
}

/// One row of an outcome table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The author's word for it: "Strong hit".
    pub label: String,
    /// What every system calls it.
    pub canonical: Outcome,
    /// When it holds.
    pub when: When,
    /// When it holds, in the author's words.
    pub when_text: String,
    /// What the other columns say; none when there are none or they are empty.
    pub text: Option<String>,
    /// Where it stands.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}

/// A part of a check that the program knows of and does not carry out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The bullet's label: "Opposing dice".
    pub label: String,
    /// Where it stands.
    pub place: Place,
}

/// What the outcome table says about a roll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// Which row from the top, from 1; none without a table.
    pub rank: Option<u32>,
    /// What every system calls it.
    pub outcome: Outcome,
    /// The author's word for it.
    pub label: String,
    /// What the row says.
    pub text: Option<String>,
    /// The line that decided.
    pub place: Place,
}

impl Check {
    /// The die that advantage replaces: the first of the Roll. None when the roll has no dice.
    pub fn main_die(&self) -> Option<Die> {
        main_die(&self.roll)
    }

    /// Whether its main die is a d20, which makes the system one of the d20 family.
    pub fn rolls_d20(&self) -> bool {
        self.main_die() == Some(Die::Sides(20))
    }

    /// The first row that holds, from the top; without a table success from margin 0. None when no row holds, when there is
    /// neither a table nor a margin, or when part of the check is not carried out.
    pub fn judge(&self, facts: &Facts) -> Option<Judgement> {
        if !self.unread.is_empty() {
            return None;
        }
        if self.rows.is_empty() {
            let outcome = if facts.margin? >= 0 { Outcome::Success } else { Outcome::Failure };
            return Some(Judgement {
                rank: None,
                outcome,
                label: outcome.to_string(),
                text: None,
                place: self.place.clone(),
            });
        }
        let (rank, row) = (1u32..).zip(&self.rows).find(|(_, row)| row.when.holds(facts))?;
        Some(Judgement {
            rank: Some(rank),
            outcome: row.canonical,
            label: row.label.clone(),
            text: row.text.clone(),
            place: row.place.clone(),
        })
    }
}
