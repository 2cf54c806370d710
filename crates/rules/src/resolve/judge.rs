//! Decides what a roll of a check comes to: the row that holds, moved by the natural face, and the flags beside it.

use crate::grammar::outcome::Outcome;
use crate::language::checks::{Check, Flag, Row, Shift};
use crate::when::facts::Facts;
use rollbook_text::diagnostic::Place;

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
    /// The success that it would be if its row need not be reached: its label, and that of the row.
    pub short: Option<(String, String)>,
}

impl Check {
    /// The first row that holds, from the top, moved by the natural face where the check says so; without a table success
    /// from margin 0. None when no row holds, or when there is neither a table nor a margin.
    pub fn judge(&self, facts: &Facts) -> Option<Judgement> {
        self.judge_among(facts, |_| true)
    }

    /// What this result comes to against another's, where neither has a target: the other's is the number to reach, and a tie is the
    /// defender's. The outcome says who wins, so a row that would say something else is passed over, and a tie for which the
    /// table has no row of its own counts as the smallest loss or win.
    pub fn judge_contest(&self, facts: &Facts, (result, other): (i64, i64), defends: bool) -> (i64, Judgement) {
        let margin = self.succeed.margin(result, other);
        let won = margin > 0 || (margin == 0 && defends);
        let says_so = |outcome: Outcome| if won { outcome.is_success() } else { outcome < Outcome::Success };
        let at = |margin| Facts { margin: Some(margin), target: Some(other), ..facts.clone() };
        let nearest = if won { margin.max(1) } else { margin.min(-1) };
        let judged = self.judge(&at(margin)).filter(|judged| says_so(judged.outcome));
        let judged = judged.or_else(|| self.judge_among(&at(nearest), says_so));
        let plain = || self.plain(if won { Outcome::Success } else { Outcome::Failure });
        (margin, judged.unwrap_or_else(plain))
    }

    fn judge_among(&self, facts: &Facts, may: impl Fn(Outcome) -> bool) -> Option<Judgement> {
        let shifts: Vec<&Shift> =
            self.shifts.iter().filter(|shift| facts.natural().is_some_and(|n| shift.is_by(n))).collect();
        let steps = shifts.iter().map(|shift| shift.steps).fold(0, i64::saturating_add);
        let first = match self.rows.is_empty() {
            true => self.by_margin(facts.margin?),
            false => self.by_row(self.ranked().find(|(_, row)| row.when.holds(facts) && may(row.canonical))?),
        };
        let judged = if steps == 0 { first } else { self.moved(first, steps) };
        Some(Judgement { shifted: shifts.into_iter().cloned().collect(), ..judged }).filter(|own| may(own.outcome))
    }

    /// The flags that are raised by a roll that was followed by these rules, in the author's order.
    pub fn raised(&self, facts: &Facts, followed_by: &[String]) -> Vec<&Flag> {
        let may = |flag: &&Flag| flag.after.as_ref().is_none_or(|rule| followed_by.contains(rule));
        self.flags.iter().filter(may).filter(|flag| flag.when.holds(facts)).collect()
    }

    /// Success from margin 0 on.
    fn by_margin(&self, margin: i64) -> Judgement {
        self.plain(if margin >= 0 { Outcome::Success } else { Outcome::Failure })
    }

    /// That outcome, by no row.
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

    /// A step moves among the distinct outcomes of the table; its label is that outcome's first row.
    fn moved(&self, judged: Judgement, steps: i64) -> Judgement {
        let outcomes = self.outcomes();
        let Some(at) = outcomes.iter().position(|outcome| *outcome == judged.outcome) else { return judged };
        let last = i64::try_from(outcomes.len()).unwrap_or(i64::MAX).saturating_sub(1);
        let to = i64::try_from(at).unwrap_or(0).saturating_add(steps).clamp(0, last.max(0));
        let outcome = usize::try_from(to).ok().and_then(|to| outcomes.get(to).copied());
        match outcome.filter(|outcome| *outcome != judged.outcome) {
            None => judged,
            Some(outcome) => self.first_of(outcome),
        }
    }

    /// What a judgement is where this row must be reached: a success below it counts as the table's failure.
    pub fn reaching(&self, judged: Judgement, reach: Option<u32>) -> Judgement {
        let row = reach.and_then(|reach| self.row(Some(reach)));
        let Some(row) = row.filter(|_| judged.outcome.is_success() && judged.rank > reach) else { return judged };
        let short = Some((judged.label, row.label.clone()));
        Judgement { shifted: judged.shifted, short, ..self.first_of(Outcome::Failure) }
    }

    /// That outcome, by its first row where it has one.
    fn first_of(&self, outcome: Outcome) -> Judgement {
        let row = self.ranked().find(|(_, row)| row.canonical == outcome);
        row.map_or_else(|| self.plain(outcome), |row| self.by_row(row))
    }

    fn by_row(&self, (rank, row): (u32, &Row)) -> Judgement {
        let (label, text, place) = (row.label.clone(), row.text.clone(), row.place.clone());
        Judgement { rank: Some(rank), label, text, place, ..self.plain(row.canonical) }
    }

    fn ranked(&self) -> impl Iterator<Item = (u32, &Row)> {
        (1u32..).zip(&self.rows)
    }
}
