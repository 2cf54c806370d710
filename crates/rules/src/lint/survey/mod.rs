//! What a check can come to, found by carrying it out for every value of its names and every way its dice can fall.
//!
//! A first look goes over a few telling values, for most tables are sound and show it at once; only what is still open then
//! is settled by going over all of them, up to a bound. Situational modifiers are left out: they can reach anything.
//!
//! What a state takes grows with its dice, so besides the states the [`Work`] is bounded: for a check, and for all of a file.

mod search;
mod tries;

use super::values::named;
use crate::language::checks::Check;
use crate::language::system::System;
use crate::resolve::Work;
use crate::when::When;
use rollbook_text::diagnostic::Diagnostic;
use search::Search;

/// States (values and ways of the dice) that are looked at for one check; beyond them nothing is proven.
pub(super) const STATES_MAX: u64 = 100_000;

/// What may be done for one check; a hundred thousand states of a few dice take no more.
const WORK_MAX: u64 = 3_000_000;
/// What may be done for all checks of a file.
pub(super) const WORK_ALL: u64 = 12_000_000;

/// What a check can come to.
#[derive(Debug, Default)]
pub struct Survey {
    /// Row by row.
    pub rows: Vec<Seen>,
    /// Whether each flag was raised.
    pub flags: Vec<bool>,
    /// Whether each natural face that moves the outcome fell.
    pub shifts: Vec<bool>,
    /// Values with which no row holds, in words.
    pub falls: Option<String>,
    /// Whether it worked at least once.
    pub succeeded: bool,
    /// Whether it failed at least once.
    pub failed: bool,
    /// Whether everything was looked at, or what was not makes no difference.
    pub proven: bool,
    /// Whether what was not seen cannot be.
    pub whole: bool,
    /// What the names stood for, in words: "difficulty 0 to 20".
    pub names: Vec<String>,
    /// Why it cannot be rolled with some of the values that were looked at.
    pub refused: Option<String>,
    /// A default, or an end of a range, with which it cannot be rolled, in words, and why: "`Might` at 5".
    pub refused_at: Option<(String, String)>,
    /// Whether it could be rolled with any of them.
    pub rolled: bool,
}

/// What was seen of a row.
#[derive(Debug, Default, Clone)]
pub struct Seen {
    /// Whether it won, or a natural face moved the outcome to it.
    pub won: bool,
    /// A row that won where this one held too.
    pub beaten_by: Option<usize>,
}

impl Survey {
    /// None when there is nothing to find out. A check that decides nothing by itself is rolled a few times.
    pub fn of(check: &Check, system: &System, all: &mut Work) -> Option<Self> {
        if check.assumed {
            return None;
        }
        let names = named(check, system);
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
        let settled = if Self::decides(check) { search.run() } else { search.rolls() };
        let refused_at = search.refused_within_ranges();
        let Search { survey, work, verdicts, open_ended, refused, .. } = search;
        all.take_part(&began, &work);
        let names = names.iter().map(|name| format!("{} {} to {}", name.name, name.low, name.high)).collect();
        let rolled = verdicts > 0 || open_ended;
        // Where dice stand for a name a number does not do, and nobody knows which dice they will be.
        if !rolled && refused.is_none() && settled {
            return None;
        }
        let whole = rolled && settled && !open_ended;
        let proven = rolled && (whole || survey.is_decided(check));
        Some(Self { proven, whole, names, refused, refused_at: refused_at.filter(|_| rolled), rolled, ..survey })
    }

    /// Whether a check decides anything by itself; one that does not is only rolled.
    pub fn decides(check: &Check) -> bool {
        !check.rows.is_empty() || check.target.is_some()
    }

    /// A finding with what the names were taken to stand for.
    pub fn looked_at(&self, diagnostic: Diagnostic) -> Diagnostic {
        match self.names.as_slice() {
            [] => diagnostic,
            names => diagnostic.because(format!("looked at: {}", names.join(", "))),
        }
    }

    /// Whether nothing more can be found out.
    fn is_settled(&self, check: &Check) -> bool {
        self.is_decided(check) && self.flags.iter().chain(&self.shifts).all(|seen| *seen)
    }

    /// Whether nothing more can be found out about the outcomes.
    fn is_decided(&self, check: &Check) -> bool {
        let falls = self.falls.is_some() || check.rows.iter().any(|row| row.when == When::Otherwise);
        let rows = check.rows.is_empty() || (falls && self.rows.iter().all(|row| row.won));
        rows && self.succeeded && self.failed
    }
}
