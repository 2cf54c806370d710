//! What a check can come to, found by carrying it out for every value of its names and every way its dice can fall.
//!
//! A first look goes over a few telling values, for most tables are sound and show it at once; only what is still open then
//! is settled by going over all of them, up to a bound. Situational modifiers are left out: they can reach anything.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::values::{Named, named};
use crate::dice::Bound;
use crate::names::fold;
use crate::rules::attempt::{Attempt, Means, Scattered, Verdict, Walked};
use crate::rules::check::Check;
use crate::rules::system::System;

/// States (values and ways of the dice) that are looked at for one check; beyond them nothing is proven.
pub(super) const STATES_MAX: u64 = 100_000;
/// The same for one set of values at the first look.
const LOOK_MAX: u64 = 10_000;
/// Values that are tried where there are too many for all.
const SAMPLES: u64 = 200;
/// Rolls that are tried where the dice of one set of values can fall in too many ways.
const ROLLS: u64 = 100;

/// What a check can come to.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Row by row.
    pub rows: Vec<Seen>,
    /// Values with which no row holds, in words.
    pub falls: Option<String>,
    /// Whether it worked at least once.
    pub succeeded: bool,
    /// Whether it failed at least once.
    pub failed: bool,
    /// Whether everything was looked at, or what was not makes no difference.
    pub proven: bool,
    /// What the names stood for, in words: "difficulty 0 to 20".
    pub names: Vec<String>,
}

/// What was seen of a row.
#[derive(Debug, Default, Clone)]
pub(super) struct Seen {
    /// Whether it won, or a natural face moved the outcome to it.
    pub won: bool,
    /// A row that won where this one held too.
    pub beaten_by: Option<usize>,
}

/// The values of the names of one attempt.
type Values = BTreeMap<String, i64>;

impl Survey {
    /// None when there is nothing to find out: the check decides nothing by itself, or cannot be attempted with any value.
    pub fn of(check: &Check, system: &System) -> Option<Self> {
        let decides = !check.rows.is_empty() || check.target.is_some();
        if check.assumed || !check.unread.is_empty() || !decides {
            return None;
        }
        let names = named(check, system);
        let mut search = Search {
            check,
            survey: Self { rows: vec![Seen::default(); check.rows.len()], ..Self::default() },
            left: STATES_MAX,
            attempts: 0,
            open_ended: false,
        };
        let settled = search.run(&names);
        let Search { survey, attempts, open_ended, .. } = search;
        let names = names.iter().map(|name| format!("{} {} to {}", name.name, name.low, name.high)).collect();
        (attempts > 0).then_some(Self { proven: settled && (!open_ended || survey.is_settled(check)), names, ..survey })
    }

    /// Whether nothing more can be found out.
    fn is_settled(&self, check: &Check) -> bool {
        let falls =
            self.falls.is_some() || check.rows.iter().any(|row| row.when == crate::rules::when::When::Otherwise);
        let rows = check.rows.is_empty() || (falls && self.rows.iter().all(|row| row.won));
        rows && self.succeeded && self.failed
    }
}

struct Search<'a> {
    check: &'a Check,
    survey: Survey,
    left: u64,
    attempts: u64,
    /// Whether explosions were left off.
    open_ended: bool,
}

impl Search<'_> {
    /// Whether all is known in the end.
    fn run(&mut self, names: &[Named]) -> bool {
        let all = names.iter().fold(1_u64, |all, name| all.saturating_mul(name.len()));
        let mut most = 1;
        for values in first_look(names) {
            self.left = LOOK_MAX;
            if !self.look(&values) {
                self.sample(&values);
            }
            if self.survey.is_settled(self.check) {
                return true;
            }
            most = most.max(LOOK_MAX - self.left);
        }
        self.left = STATES_MAX;
        if all.saturating_mul(most) > STATES_MAX {
            for sample in 0..SAMPLES.min(all) {
                self.look(&nth(names, sample.wrapping_mul(all / SAMPLES + 1).wrapping_add(sample * 7919) % all));
            }
            return self.survey.is_settled(self.check);
        }
        let whole = (0..all).all(|index| self.look(&nth(names, index)));
        whole || self.survey.is_settled(self.check)
    }

    /// The check with these values; none when it cannot be rolled with them, and so cannot happen.
    fn attempt(&self, values: &Values) -> Option<Attempt> {
        let lookup = |name: &str, _| values.get(&fold(name)).copied().map(Bound::Number);
        self.check.attempt(&Means { lookup: &lookup, extra: 0, targeted: true }).ok()
    }

    /// Rolls a few times with these values, always the same: the walk begins with the lowest faces and may never leave them.
    fn sample(&mut self, values: &Values) {
        let Some(attempt) = self.attempt(values) else { return };
        let mut dice = Scattered::default();
        for _ in 0..ROLLS {
            if let Ok((roll, opposing)) = attempt.roll(&mut dice) {
                let verdict = self.check.verdict(&attempt, &roll, opposing.as_ref());
                self.note(&attempt, &verdict, values);
            }
        }
    }

    /// Carries the check out with these values; whether every way of the dice was seen.
    fn look(&mut self, values: &Values) -> bool {
        let Some(attempt) = self.attempt(values) else { return true };
        self.attempts += 1;
        let (check, left) = (self.check, self.left);
        let mut states = 0;
        let walked = check.each_verdict(&attempt, left, &mut |verdict, _| {
            states += 1;
            match verdict {
                Some(verdict) => self.note(&attempt, verdict, values),
                None => self.open_ended = true,
            }
            if states < left && !self.survey.is_settled(check) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        self.left = left.saturating_sub(states);
        // A roll that cannot be made is refused in play.
        walked.is_err() || walked == Ok(Walked::Whole)
    }

    fn note(&mut self, attempt: &Attempt, verdict: &Verdict, values: &Values) {
        let survey = &mut self.survey;
        let mut holding =
            self.check.rows.iter().enumerate().filter(|(_, row)| row.when.holds(&verdict.facts)).map(|(at, _)| at);
        let first = holding.next();
        for beaten in holding {
            if let Some(row) = survey.rows.get_mut(beaten) {
                row.beaten_by = row.beaten_by.or(first);
            }
        }
        let judged = verdict.judged.as_ref();
        let moved_to =
            judged.and_then(|judged| judged.rank).and_then(|rank| usize::try_from(rank).ok()?.checked_sub(1));
        for won in first.into_iter().chain(moved_to) {
            if let Some(row) = survey.rows.get_mut(won) {
                row.won = true;
            }
        }
        match judged {
            Some(judged) if judged.outcome.is_success() => survey.succeeded = true,
            Some(_) => survey.failed = true,
            None if survey.falls.is_none() => survey.falls = Some(example(attempt, verdict, values)),
            None => {}
        }
    }
}

/// "a total of 3, with difficulty 7".
fn example(attempt: &Attempt, verdict: &Verdict, values: &Values) -> String {
    let mut parts = vec![format!("a total of {}", verdict.facts.total)];
    parts.extend(attempt.target.map(|target| format!("against {target}")));
    let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} {value}")).collect();
    if !values.is_empty() {
        parts.push(format!("with {}", values.join(", ")));
    }
    parts.join(" ")
}

/// Everything in the middle, at its default, low, high; then each name low and high by itself.
fn first_look(names: &[Named]) -> Vec<Values> {
    let all =
        |value: fn(&Named) -> i64| names.iter().map(|name| (name.folded.clone(), value(name))).collect::<Values>();
    let usual = all(|name| name.default.unwrap_or_else(|| name.middle()));
    let mut looks = vec![usual.clone(), all(Named::middle), all(|name| name.low), all(|name| name.high)];
    for name in names {
        for value in [name.low, name.high] {
            let mut values = usual.clone();
            values.insert(name.folded.clone(), value);
            looks.push(values);
        }
    }
    looks
}

/// The combination of values with this number, the first name changing fastest.
fn nth(names: &[Named], mut index: u64) -> Values {
    let mut values = Values::new();
    for name in names {
        let at = i64::try_from(index % name.len()).unwrap_or(0);
        values.insert(name.folded.clone(), name.low.saturating_add(at));
        index /= name.len();
    }
    values
}
