//! Decides the outcome of a roll: the row that holds, moved by the natural face, and the flags.

use crate::grammar::outcome::Outcome;
use crate::language::checks::{Check, Flag, Row, Shift};
use crate::when::facts::Facts;
use rollbook_text::diagnostic::Place;

/// The outcome of a roll by its check's table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The row's place in the table, from 1; none without a table.
    pub rank: Option<u32>,
    /// One of the outcomes that all systems share.
    pub outcome: Outcome,
    /// The author's word.
    pub label: String,
    /// The text of the row.
    pub text: Option<String>,
    /// The line that decided.
    pub place: Place,
    /// The shifts by the natural face.
    pub shifted: Vec<Shift>,
    /// Where a row had to be reached and was not: the label of the success, and of that row.
    pub short: Option<(String, String)>,
}

impl Check {
    /// The first row that holds, moved by the natural face; without a table, success from margin 0.
    /// None when no row holds, or there is neither a table nor a margin.
    pub fn judge(&self, facts: &Facts) -> Option<Judgement> {
        self.judge_among(facts, |_| true)
    }

    /// The margin and the outcome of a result against another one without a target. The other
    /// result is the number to reach, and the defender wins a tie. Rows that contradict who wins
    /// are skipped; a tie without such a row counts as the smallest win or loss.
    pub fn judge_contest(
        &self,
        facts: &Facts,
        (result, other): (i64, i64),
        defends: bool,
    ) -> (i64, Judgement) {
        let margin = self.succeed.margin(result, other);
        let won = margin > 0 || (margin == 0 && defends);
        let says_so = |outcome: Outcome| {
            if won {
                outcome.is_success()
            } else {
                outcome < Outcome::Success
            }
        };
        let at = |margin| Facts {
            margin: Some(margin),
            target: Some(other),
            ..facts.clone()
        };
        let nearest = if won { margin.max(1) } else { margin.min(-1) };
        let judged = self
            .judge(&at(margin))
            .filter(|judged| says_so(judged.outcome));
        let judged = judged.or_else(|| self.judge_among(&at(nearest), says_so));
        let plain = || {
            self.plain(if won {
                Outcome::Success
            } else {
                Outcome::Failure
            })
        };
        (margin, judged.unwrap_or_else(plain))
    }

    fn judge_among(&self, facts: &Facts, may: impl Fn(Outcome) -> bool) -> Option<Judgement> {
        let shifts: Vec<&Shift> = self
            .shifts
            .iter()
            .filter(|shift| facts.natural().is_some_and(|n| shift.is_by(n)))
            .collect();
        let steps = shifts
            .iter()
            .map(|shift| shift.steps)
            .fold(0, i64::saturating_add);
        let first = match self.rows.is_empty() {
            true => self.plain(if facts.margin? >= 0 {
                Outcome::Success
            } else {
                Outcome::Failure
            }),
            false => self.by_row(
                self.ranked()
                    .find(|(_, row)| row.when.holds(facts) && may(row.canonical))?,
            ),
        };
        let judged = if steps == 0 {
            first
        } else {
            self.shifted(first, steps)
        };
        Some(Judgement {
            shifted: shifts.into_iter().cloned().collect(),
            ..judged
        })
        .filter(|judged| may(judged.outcome))
    }

    /// The flags that a roll raises after these rules for again, in the author's order.
    pub fn raised_flags(&self, facts: &Facts, followed_by: &[String]) -> Vec<&Flag> {
        let may = |flag: &&Flag| {
            flag.after
                .as_ref()
                .is_none_or(|rule| followed_by.contains(rule))
        };
        self.flags
            .iter()
            .filter(may)
            .filter(|flag| flag.when.holds(facts))
            .collect()
    }

    /// An outcome without a row.
    pub fn plain(&self, outcome: Outcome) -> Judgement {
        Judgement {
            rank: None,
            outcome,
            label: outcome.to_string(),
            text: None,
            place: self.place.clone(),
            shifted: Vec::new(),
            short: None,
        }
    }

    /// Moves along the distinct outcomes of the table, to the first row of that outcome.
    fn shifted(&self, judged: Judgement, steps: i64) -> Judgement {
        let outcomes = self.outcomes();
        let Some(at) = outcomes
            .iter()
            .position(|outcome| *outcome == judged.outcome)
        else {
            return judged;
        };
        let last = i64::try_from(outcomes.len())
            .unwrap_or(i64::MAX)
            .saturating_sub(1);
        let to = i64::try_from(at)
            .unwrap_or(0)
            .saturating_add(steps)
            .clamp(0, last.max(0));
        let outcome = usize::try_from(to)
            .ok()
            .and_then(|to| outcomes.get(to).copied());
        match outcome.filter(|outcome| *outcome != judged.outcome) {
            None => judged,
            Some(outcome) => self.first_of(outcome),
        }
    }

    /// The judgement if this row must be reached: a success below it is the table's failure.
    pub fn with_reach(&self, judged: Judgement, reach: Option<u32>) -> Judgement {
        let row = reach.and_then(|reach| self.row(Some(reach)));
        let Some(row) = row.filter(|_| judged.outcome.is_success() && judged.rank > reach) else {
            return judged;
        };
        let short = Some((judged.label, row.label.clone()));
        Judgement {
            shifted: judged.shifted,
            short,
            ..self.first_of(Outcome::Failure)
        }
    }

    /// An outcome by its first row, if any.
    fn first_of(&self, outcome: Outcome) -> Judgement {
        let row = self.ranked().find(|(_, row)| row.canonical == outcome);
        row.map_or_else(|| self.plain(outcome), |row| self.by_row(row))
    }

    fn by_row(&self, (rank, row): (u32, &Row)) -> Judgement {
        let (label, text, place) = (row.label.clone(), row.text.clone(), row.place.clone());
        Judgement {
            rank: Some(rank),
            label,
            text,
            place,
            ..self.plain(row.canonical)
        }
    }

    fn ranked(&self) -> impl Iterator<Item = (u32, &Row)> {
        (1u32..).zip(&self.rows)
    }
}
