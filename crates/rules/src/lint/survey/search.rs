//! The search of a survey: rolls and judges attempts until all is known or a bound is reached.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::language::checks::Check;
use crate::lint::survey::{STATES_MAX, Survey};
use crate::lint::values::NameRange;
use crate::resolve::{Attempt, AttemptError, Means, Verdict, Walked, Work};
use rollbook_dice::{Bound, Code, DiceError, SeededRoller};
use rollbook_text::names::fold;

/// The most states for one set of values at the first look.
const LOOK_MAX: u64 = 10_000;
/// How many values are tried where there are too many for all.
const SAMPLES: u64 = 200;
/// How many rolls are tried where the dice of one set of values can fall in too many ways.
const ROLLS: u64 = 100;

pub(super) struct Search<'a> {
    pub(super) check: &'a Check,
    pub(super) names: &'a [NameRange],
    pub(super) survey: Survey,
    pub(super) left: u64,
    /// The work of a state besides its dice.
    pub(super) weight: u64,
    pub(super) work: Work,
    pub(super) verdicts: u64,
    /// Whether explosions were cut off.
    pub(super) open_ended: bool,
    /// Why it could not be rolled the last time.
    pub(super) refused: Option<String>,
}

impl Search<'_> {
    /// Runs the search. Returns whether everything is known.
    pub(super) fn run(&mut self) -> bool {
        let names = self.names;
        let all = names
            .iter()
            .fold(1_u64, |all, name| all.saturating_mul(name.len()));
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
                self.look(&nth(
                    names,
                    sample
                        .wrapping_mul(all / SAMPLES + 1)
                        .wrapping_add(sample * 7919)
                        % all,
                ));
            }
            return self.survey.is_settled(self.check);
        }
        let whole = (0..all).all(|index| self.look(&nth(names, index)));
        whole || self.survey.is_settled(self.check)
    }

    /// A name with its default or an end of its range, in words, for which the check cannot be
    /// rolled where all other names are as usual; and why.
    pub(super) fn refused_within_ranges(&mut self) -> Option<(String, String)> {
        let names = self.names;
        let usual = first_look(names).into_iter().next()?;
        let ends = |name: &NameRange| {
            name.bounded
                .then_some([name.low, name.high])
                .into_iter()
                .flatten()
        };
        let tries = names.iter().flat_map(|name| {
            name.default
                .into_iter()
                .chain(ends(name))
                .map(move |value| (name, value))
        });
        tries.into_iter().find_map(|(name, value)| {
            let mut values = usual.clone();
            values.insert(name.folded.clone(), value);
            let before = self.refused.take();
            let attempt = self.attempt(&values);
            let why = std::mem::replace(&mut self.refused, before).filter(|_| attempt.is_none())?;
            Some((format!("`{}` at {value}", name.name), why))
        })
    }

    /// Rolls with a few values, until a roll succeeds.
    pub(super) fn rolls(&mut self) -> bool {
        for values in first_look(self.names) {
            self.sample(&values);
            if self.verdicts > 0 {
                return true;
            }
        }
        self.refused.is_some()
    }

    /// The check with these values; none where it cannot be rolled with them.
    fn attempt(&mut self, values: &Values) -> Option<Attempt> {
        let lookup = |name: &str, _| values.get(&fold(name)).copied().map(Bound::Number);
        self.work.take(self.weight);
        match self.check.attempt(&Means {
            lookup: &lookup,
            extra: 0,
            dice: 0,
            targeted: true,
        }) {
            Ok(attempt) => Some(attempt),
            Err(AttemptError::Dice(error)) => {
                self.refuse(&error);
                None
            }
            Err(_) => None,
        }
    }

    /// Keeps the error where dice cannot be rolled.
    fn refuse(&mut self, error: &DiceError) {
        if matches!(
            error.code,
            Code::LimitExceeded | Code::DivZero | Code::Overflow
        ) {
            self.refused = Some(error.message.clone());
        }
    }

    /// Rolls a few times, from a fixed seed: walks begin with the lowest faces and may stay there.
    fn sample(&mut self, values: &Values) {
        let Some(attempt) = self.attempt(values) else {
            return;
        };
        let mut dice = SeededRoller::new(1, 0);
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

    /// Walks all ways with these values. Returns whether every way was seen.
    fn look(&mut self, values: &Values) -> bool {
        if self.work.is_done() {
            return false;
        }
        let Some(attempt) = self.attempt(values) else {
            return true;
        };
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
        let mut holding = self
            .check
            .rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row.when.holds(&verdict.facts))
            .map(|(at, _)| at);
        let first = holding.next();
        for beaten in holding {
            if let Some(row) = survey.rows.get_mut(beaten) {
                row.beaten_by = row.beaten_by.or(first);
            }
        }
        for (flag, seen) in self.check.flags.iter().zip(&mut survey.flags) {
            *seen = *seen || flag.when.holds(&verdict.facts);
        }
        for (shift, seen) in self.check.shifts.iter().zip(&mut survey.shifts) {
            *seen = *seen
                || verdict
                    .facts
                    .natural()
                    .is_some_and(|natural| shift.is_by(natural));
        }
        let judged = verdict.judgement.as_ref();
        let moved_to = judged
            .and_then(|judged| judged.rank)
            .and_then(|rank| usize::try_from(rank).ok()?.checked_sub(1));
        for won in first.into_iter().chain(moved_to) {
            if let Some(row) = survey.rows.get_mut(won) {
                row.won = true;
            }
        }
        match judged {
            Some(judged) if judged.outcome.is_success() => survey.succeeded = true,
            Some(_) => survey.failed = true,
            None if survey.without_row.is_none() => {
                survey.without_row = Some(example(attempt, verdict, values, self.names))
            }
            None => {}
        }
    }
}

/// "a total of 3, with difficulty 7".
fn example(attempt: &Attempt, verdict: &Verdict, values: &Values, names: &[NameRange]) -> String {
    let mut parts = vec![format!("a total of {}", verdict.facts.total)];
    parts.extend(attempt.target.map(|target| format!("against {target}")));
    let written = |folded: &String| {
        names
            .iter()
            .find(|name| name.folded == *folded)
            .map_or(folded.clone(), |name| name.name.clone())
    };
    let values: Vec<String> = values
        .iter()
        .map(|(name, value)| format!("{} {value}", written(name)))
        .collect();
    if !values.is_empty() {
        parts.push(format!("with {}", values.join(", ")));
    }
    parts.join(" ")
}

/// The values of the names of one attempt.
type Values = BTreeMap<String, i64>;

/// Everything in the middle, at its default, low, high; then each name low and high by itself.
fn first_look(names: &[NameRange]) -> Vec<Values> {
    let all = |value: fn(&NameRange) -> i64| {
        names
            .iter()
            .map(|name| (name.folded.clone(), value(name)))
            .collect::<Values>()
    };
    let usual = all(|name| name.default.unwrap_or_else(|| name.middle()));
    let mut looks = vec![
        usual.clone(),
        all(NameRange::middle),
        all(|name| name.low),
        all(|name| name.high),
    ];
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
fn nth(names: &[NameRange], mut index: u64) -> Values {
    let mut values = Values::new();
    for name in names {
        let at = i64::try_from(index % name.len()).unwrap_or(0);
        values.insert(name.folded.clone(), name.low.saturating_add(at));
        index /= name.len();
    }
    values
}
