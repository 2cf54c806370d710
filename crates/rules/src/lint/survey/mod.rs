//! What a check can result in: it is rolled for every value of its names and way of its dice.
//!
//! A first look tries a few values, enough for most checks. Where something is open, all are tried
//! up to a bound. Situational modifiers are left out: with them every number is possible.
//!
//! [`Work`] is bounded, too, for a check and a file, since states with many dice take longer.

mod search;

use super::values::name_ranges;
use crate::language::checks::Check;
use crate::language::system::System;
use crate::resolve::Work;
use crate::when::When;
use rollbook_text::diagnostic::Diagnostic;
use search::Search;

/// The most states (values and ways of the dice) for a check; beyond them nothing is proven.
pub(super) const STATES_MAX: u64 = 100_000;

/// The most work for a check, enough for a hundred thousand states of a few dice.
const WORK_MAX: u64 = 3_000_000;
/// The most work for all checks of a file.
pub(super) const WORK_ALL: u64 = 12_000_000;

/// What a check can result in.
#[derive(Debug, Default)]
pub struct Survey {
    /// For each row.
    pub rows: Vec<Seen>,
    /// Whether each flag was raised.
    pub flags: Vec<bool>,
    /// Whether each natural face that moves the outcome occurred.
    pub shifts: Vec<bool>,
    /// Values with which no row holds, in words.
    pub without_row: Option<String>,
    /// Whether it succeeded at least once.
    pub succeeded: bool,
    /// Whether it failed at least once.
    pub failed: bool,
    /// Whether everything was tried, or the rest makes no difference.
    pub proven: bool,
    /// Whether what was not seen is impossible.
    pub whole: bool,
    /// The ranges of the names, in words: "difficulty 0 to 20".
    pub names: Vec<String>,
    /// Why it cannot be rolled with some of the values.
    pub refused: Option<String>,
    /// A default or end of a range with which it cannot be rolled, as "`Might` at 5", and why.
    pub refused_at: Option<(String, String)>,
    /// Whether it could be rolled with any values.
    pub rolled: bool,
}

/// What was seen of a row.
#[derive(Debug, Default, Clone)]
pub struct Seen {
    /// Whether it won, or a natural face moved the outcome to it.
    pub won: bool,
    /// The first row that won where this one held, too.
    pub beaten_by: Option<usize>,
}

impl Survey {
    /// None where there is nothing to find out. A check without outcomes is rolled a few times.
    pub fn run(check: &Check, system: &System, all: &mut Work) -> Option<Self> {
        if check.assumed {
            return None;
        }
        let names = name_ranges(check, system);
        let began = all.part(WORK_MAX);
        let mut search = Search {
            check,
            names: &names,
            survey: Self {
                rows: vec![Seen::default(); check.rows.len()],
                flags: vec![false; check.flags.len()],
                shifts: vec![false; check.shifts.len()],
                ..Self::default()
            },
            left: STATES_MAX,
            weight: check.weight(),
            work: began.clone(),
            verdicts: 0,
            open_ended: false,
            refused: None,
        };
        let settled = if Self::decides(check) {
            search.run()
        } else {
            search.rolls()
        };
        let refused_at = search.refused_within_ranges();
        let Search {
            survey,
            work,
            verdicts,
            open_ended,
            refused,
            ..
        } = search;
        all.take_part(&began, &work);
        let names = names
            .iter()
            .map(|name| format!("{} {} to {}", name.name, name.low, name.high))
            .collect();
        let rolled = verdicts > 0 || open_ended;
        // A name that wants dice has no number, and its dice are not known.
        if !rolled && refused.is_none() && settled {
            return None;
        }
        let whole = rolled && settled && !open_ended;
        let proven = rolled && (whole || survey.is_decided(check));
        Some(Self {
            proven,
            whole,
            names,
            refused,
            refused_at: refused_at.filter(|_| rolled),
            rolled,
            ..survey
        })
    }

    /// Whether a check has outcomes. One without them is only rolled.
    pub fn decides(check: &Check) -> bool {
        !check.rows.is_empty() || check.target.is_some()
    }

    /// Adds the ranges of the names to a finding.
    pub fn with_names(&self, diagnostic: Diagnostic) -> Diagnostic {
        match self.names.as_slice() {
            [] => diagnostic,
            names => diagnostic.because(format!("looked at: {}", names.join(", "))),
        }
    }

    /// Whether everything is known.
    fn is_settled(&self, check: &Check) -> bool {
        self.is_decided(check) && self.flags.iter().chain(&self.shifts).all(|seen| *seen)
    }

    /// Whether everything about the outcomes is known.
    fn is_decided(&self, check: &Check) -> bool {
        let falls =
            self.without_row.is_some() || check.rows.iter().any(|row| row.when == When::Otherwise);
        let rows = check.rows.is_empty() || (falls && self.rows.iter().all(|row| row.won));
        rows && self.succeeded && self.failed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use rollbook_text::diagnostic::SourceFile;

    #[test]
    fn rolls_of_every_kind_take_work_and_end_with_it() {
        let rows =
            "| critical success | total 9000+ |\n| success | total 5+ |\n| failure | otherwise |\n";
        for bullets in [
            "- Roll: `1000d1000kh500`",
            "- Roll: `20d10`\n- Count: 6+\n- Result: `successes + 2 * floor(10s / 2)`\n- On natural 1-9: -1 step",
            "- Roll: `6d20 + {a} + {b}`\n- Asks: a 1 to 20, b 1 to 20\n- Target: 9",
            "- Roll: `{a}d6!! + {b}d8!!`\n- Asks: a 1 to 20, b 1 to 20",
        ] {
            let text =
                format!("## Checks\n### A\n{bullets}\n\n| Outcome | When |\n|---|---|\n{rows}");
            let system = read(vec![SourceFile::new("System.md", text)]).system;
            let mut work = Work::new(100_000);
            let survey = Survey::run(&system.checks[0], &system, &mut work).expect("a survey");
            assert!(!survey.proven && work.is_done(), "{bullets}");
        }
    }
}
