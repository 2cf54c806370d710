//! How uncertain things are resolved.

use super::clause::Clause;
use super::count::{Count, Pairs};
use super::facts::Facts;
use super::flag::Flag;
use super::follow_up::FollowUp;
use super::outcome::Outcome;
use super::shift::Shift;
use super::when::When;
use crate::diagnostic::{Place, Span};
use crate::dice::{Die, Expression, Formula};

/// How one kind of uncertain thing is resolved: what is rolled, what it must reach, what comes of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// Name as the author writes it; "Check" for an assumed one.
    pub name: String,
    /// What is rolled.
    pub roll: Formula,
    /// What is rolled instead when the roll asks for no dice, or for fewer.
    pub no_dice: Option<Clause<Formula>>,
    /// Dice that the total is compared with, each by itself.
    pub opposing: Option<Clause<Formula>>,
    /// What it is compared with; none when the total alone decides.
    pub target: Option<Formula>,
    /// Which side of the target is good.
    pub succeed: Succeed,
    /// What counts as a success; with it successes, not the total, are compared with the target.
    pub count: Option<Count>,
    /// Equal faces that count further.
    pub pairs: Vec<Pairs>,
    /// What `{modifier}` means; none: the attribute's modifier plus the skill's bonus.
    pub modifier: Option<Clause<Formula>>,
    /// Natural faces that move the outcome.
    pub shifts: Vec<Shift>,
    /// What can be true beside the outcome.
    pub flags: Vec<Flag>,
    /// What may be done with a roll of this check.
    pub follow_ups: Vec<FollowUp>,
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
    /// What the natural face did to the outcome.
    pub shifted: Vec<Shift>,
}

impl Check {
    /// A check of which nothing is known yet but what is rolled.
    pub(super) fn new(name: &str, roll: Formula, place: Place, span: Span) -> Self {
        Self {
            name: name.to_owned(),
            roll,
            no_dice: None,
            opposing: None,
            target: None,
            succeed: Succeed::AtLeast,
            count: None,
            pairs: Vec::new(),
            modifier: None,
            shifts: Vec::new(),
            flags: Vec::new(),
            follow_ups: Vec::new(),
            rows: Vec::new(),
            unread: Vec::new(),
            about: String::new(),
            assumed: false,
            place,
            span,
        }
    }

    /// The die that advantage replaces: the first of the Roll. None when the roll has no dice.
    pub fn main_die(&self) -> Option<Die> {
        main_die(&self.roll)
    }

    /// Whether its main die is a d20, which makes the system one of the d20 family.
    pub fn rolls_d20(&self) -> bool {
        self.main_die() == Some(Die::Sides(20))
    }

    /// Whether its main die is a single d20, which advantage makes two of unasked.
    pub fn rolls_one_d20(&self) -> bool {
        let one = |expression: Expression| expression.main_count() == 1;
        self.rolls_d20() && self.roll.bind(&mut |_| Some(PROBE)).is_ok_and(one)
    }

    /// The first row that holds, from the top, moved by the natural face where the check says so; without a table success
    /// from margin 0. None when no row holds, when there is neither a table nor a margin, or when part of the check is not
    /// carried out.
    pub fn judge(&self, facts: &Facts) -> Option<Judgement> {
        if !self.unread.is_empty() {
            return None;
        }
        let shifts: Vec<&Shift> =
            self.shifts.iter().filter(|shift| facts.natural.is_some_and(|n| shift.is_by(n))).collect();
        let steps = shifts.iter().map(|shift| shift.steps).fold(0, i64::saturating_add);
        let first = match self.rows.is_empty() {
            true => self.by_margin(facts.margin?),
            false => {
                let (rank, row) = self.ranked().find(|(_, row)| row.when.holds(facts))?;
                row.judged(rank)
            }
        };
        let judged = if steps == 0 { first } else { self.moved(first, steps) };
        Some(Judgement { shifted: shifts.into_iter().cloned().collect(), ..judged })
    }

    /// The flags that are raised by a roll that was followed by these rules, in the author's order.
    pub fn raised(&self, facts: &Facts, followed_by: &[String]) -> Vec<&Flag> {
        let may = |flag: &&Flag| flag.after.as_ref().is_none_or(|rule| followed_by.contains(rule));
        self.flags.iter().filter(may).filter(|flag| flag.when.holds(facts)).collect()
    }

    /// The outcomes that the check can have, the worst first.
    pub fn outcomes(&self) -> Vec<Outcome> {
        let mut outcomes: Vec<Outcome> = match self.rows.is_empty() {
            true => vec![Outcome::Failure, Outcome::Success],
            false => self.rows.iter().map(|row| row.canonical).collect(),
        };
        outcomes.sort_unstable();
        outcomes.dedup();
        outcomes
    }

    /// Success from margin 0 on.
    fn by_margin(&self, margin: i64) -> Judgement {
        self.plain(if margin >= 0 { Outcome::Success } else { Outcome::Failure })
    }

    fn plain(&self, outcome: Outcome) -> Judgement {
        Judgement {
            rank: None,
            outcome,
            label: outcome.to_string(),
            text: None,
            place: self.place.clone(),
            shifted: Vec::new(),
        }
    }

    /// A step moves among the distinct outcomes of the table; its label is that outcome's first row.
    fn moved(&self, judged: Judgement, steps: i64) -> Judgement {
        let outcomes = self.outcomes();
        let Some(at) = outcomes.iter().position(|outcome| *outcome == judged.outcome) else { return judged };
        let last = i64::try_from(outcomes.len()).unwrap_or(i64::MAX).saturating_sub(1);
        let to = i64::try_from(at).unwrap_or(0).saturating_add(steps).clamp(0, last.max(0));
        let outcome = usize::try_from(to).ok().and_then(|to| outcomes.get(to).copied());
        match outcome.filter(|outcome| *outcome != judged.outcome) {
            None => judged,
            Some(outcome) => match self.ranked().find(|(_, row)| row.canonical == outcome) {
                Some((rank, row)) => row.judged(rank),
                None => self.plain(outcome),
            },
        }
    }

    fn ranked(&self) -> impl Iterator<Item = (u32, &Row)> {
        (1u32..).zip(&self.rows)
    }
}

impl Row {
    fn judged(&self, rank: u32) -> Judgement {
        Judgement {
            rank: Some(rank),
            outcome: self.canonical,
            label: self.label.clone(),
            text: self.text.clone(),
            place: self.place.clone(),
            shifted: Vec::new(),
        }
    }
}
