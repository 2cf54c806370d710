//! What a check can come to, found by carrying it out for every value of its names and every way its dice can fall.
//!
//! A first look goes over a few telling values, for most tables are sound and show it at once; only what is still open then
//! is settled by going over all of them, up to a bound. Situational modifiers are left out: they can reach anything.
//!
//! What a state takes grows with its dice, so besides the states the [`Work`] is bounded: for a check, and for all of a file.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::values::{Named, named};
use crate::dice::{Bound, Code, DiceError};
use crate::names::fold;
use crate::rules::attempt::{Attempt, AttemptError, Means, Scattered, Verdict, Walked, Work};
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

/// What may be done for one check; a hundred thousand states of a few dice take no more.
const WORK_MAX: u64 = 3_000_000;
/// What may be done for all checks of a file.
pub(super) const WORK_ALL: u64 = 12_000_000;

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
    /// Why it cannot be rolled with some of the values that were looked at.
    pub refused: Option<String>,
    /// Whether it could be rolled with any of them.
    pub rolled: bool,
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
    /// None when there is nothing to find out: the check decides nothing by itself.
    pub fn of(check: &Check, system: &System, all: &mut Work) -> Option<Self> {
        let decides = !check.rows.is_empty() || check.target.is_some();
        if check.assumed || !check.unread.is_empty() || !decides {
            return None;
        }
        let names = named(check, system);
        let began = all.part(WORK_MAX);
        let mut search = Search {
            check,
            names: &names,
            survey: Self { rows: vec![Seen::default(); check.rows.len()], ..Self::default() },
            left: STATES_MAX,
            weight: check.weight(),
            work: began.clone(),
            verdicts: 0,
            open_ended: false,
            refused: None,
        };
        let settled = search.run();
        let Search { survey, work, verdicts, open_ended, refused, .. } = search;
        all.take_part(&began, &work);
        let names = names.iter().map(|name| format!("{} {} to {}", name.name, name.low, name.high)).collect();
        let rolled = verdicts > 0 || open_ended;
        // Where dice stand for a name a number does not do, and nobody knows which dice they will be.
        if !rolled && refused.is_none() && settled {
            return None;
        }
        let proven = rolled && settled && (!open_ended || survey.is_settled(check));
        Some(Self { proven, names, refused, rolled, ..survey })
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
    names: &'a [Named],
    survey: Survey,
    left: u64,
    /// What a state takes besides its dice.
    weight: u64,
    work: Work,
    /// Verdicts that were seen.
    verdicts: u64,
    /// Whether explosions were left off.
    open_ended: bool,
    /// Why it could not be rolled, the last time.
    refused: Option<String>,
}

impl Search<'_> {
    /// Whether all is known in the end.
    fn run(&mut self) -> bool {
        let names = self.names;
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
    fn attempt(&mut self, values: &Values) -> Option<Attempt> {
        let lookup = |name: &str, _| values.get(&fold(name)).copied().map(Bound::Number);
        self.work.take(self.weight);
        match self.check.attempt(&Means { lookup: &lookup, extra: 0, targeted: true }) {
            Ok(attempt) => Some(attempt),
            Err(AttemptError::Dice(error)) => {
                self.refuse(&error);
                None
            }
            Err(_) => None,
        }
    }

    /// Remembers a bound of the dice that was passed: nobody can roll that.
    fn refuse(&mut self, error: &DiceError) {
        if matches!(error.code, Code::LimitExceeded | Code::DivZero | Code::Overflow) {
            self.refused = Some(error.message.clone());
        }
    }

    /// Rolls a few times with these values, always the same: the walk begins with the lowest faces and may never leave them.
    fn sample(&mut self, values: &Values) {
        let Some(attempt) = self.attempt(values) else { return };
        let mut dice = Scattered::default();
        for _ in 0..ROLLS {
            if self.work.is_done() {
                return;
            }
            match attempt.roll(&mut dice) {
                Ok((roll, opposing)) => {
                    let thrown = u64::try_from(roll.dice().len()).unwrap_or(u64::MAX);
                    self.work.take(self.weight.saturating_add(thrown));
                    let verdict = self.check.verdict(&attempt, &roll, opposing.as_ref());
                    self.note(&attempt, &verdict, values);
                }
                Err(error) => {
                    self.work.take(self.weight);
                    self.refuse(&error);
                }
            }
        }
    }

    /// Carries the check out with these values; whether every way of the dice was seen.
    fn look(&mut self, values: &Values) -> bool {
        if self.work.is_done() {
            return false;
        }
        let Some(attempt) = self.attempt(values) else { return true };
        let (check, left) = (self.check, self.left);
        let mut states = 0;
        let mut work = self.work.clone();
        let walked = check.each_verdict_within(&attempt, left, &mut work, &mut |verdict, _| {
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
        self.work = work;
        match walked {
            // A roll that cannot be made is refused in play.
            Err(error) => {
                self.refuse(&error);
                true
            }
            Ok(walked) => walked == Walked::Whole,
        }
    }

    fn note(&mut self, attempt: &Attempt, verdict: &Verdict, values: &Values) {
        self.verdicts += 1;
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
            None if survey.falls.is_none() => survey.falls = Some(example(attempt, verdict, values, self.names)),
            None => {}
        }
    }
}

/// "a total of 3, with difficulty 7".
fn example(attempt: &Attempt, verdict: &Verdict, values: &Values, names: &[Named]) -> String {
    let mut parts = vec![format!("a total of {}", verdict.facts.total)];
    parts.extend(attempt.target.map(|target| format!("against {target}")));
    let written =
        |folded: &String| names.iter().find(|own| own.folded == *folded).map_or(folded.clone(), |own| own.name.clone());
    let values: Vec<String> = values.iter().map(|(name, value)| format!("{} {value}", written(name))).collect();
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
