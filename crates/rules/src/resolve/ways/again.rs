//! All ways of a roll that a rule such as a push follows, wherever that pays.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::classes::{PoolClasses, classes};
use super::reads::Reads;
use super::{Rolled, THROWN_MAX, Walked, Ways, product};
use crate::grammar::outcome::Outcome;
use crate::language::checks::{Check, FollowUp};
use crate::resolve::attempt::Attempt;
use crate::resolve::verdict::Verdict;
use crate::resolve::work::Work;
use rollbook_dice::odds::Ratio;
use rollbook_dice::{DiceError, Expression, Roll};

/// Gets whether a roll was followed, and the verdict; none for the rest of endless explosions.
pub type Followed<'v> = dyn FnMut(bool, Option<&Verdict>, &Ways) + 'v;

/// How many ways, by the number of equally likely ways that they are part of.
type WayCounts = BTreeMap<BigUint, BigUint>;
/// The verdicts of the second throw with their ways; equal verdicts once.
type Second = Vec<(Option<Verdict>, WayCounts)>;
/// What distinguishes two verdicts.
type End = Option<(
    Option<(Outcome, Option<u32>)>,
    Vec<(String, i64)>,
    Vec<String>,
)>;

impl Check {
    /// Visits every verdict of this attempt, followed by the rule where that pays: after an outcome
    /// that the rule names, else after one that is no success, when a better outcome is likelier
    /// than a worse one. Values and flags are those of the last throw.
    ///
    /// # Errors
    /// As [`Check::each_verdict`].
    pub fn each_followed(
        &self,
        attempt: &Attempt,
        rule: &FollowUp,
        most: u64,
        visit: &mut Followed<'_>,
    ) -> Result<Walked, DiceError> {
        let (second, reads) = (
            rule.with_added(&attempt.expression)?,
            Reads::new(self, attempt).and_values(self),
        );
        let first_reads = reads.clone().and_kept(rule);
        let again = Again {
            check: self,
            first: attempt,
            rule,
            most,
            second,
            reads,
        };
        let mut work = Work::new(THROWN_MAX);
        let walked = self.whole(attempt, &first_reads, most, &mut |rolled, ways| {
            let first = rolled.map(|(roll, opposing)| self.verdict(attempt, roll, opposing));
            let before = first
                .as_ref()
                .and_then(|verdict| verdict.judgement.as_ref())
                .map(|judged| judged.outcome);
            let followed = rolled.zip(before.filter(|outcome| rule.is_offered_after(*outcome)));
            let second = match followed {
                None => Second::new(),
                Some((rolled, _)) => match again.throw(rolled, &mut work)? {
                    None => return Ok(ControlFlow::Break(())),
                    Some(second) => second,
                },
            };
            if !before.is_some_and(|before| pays(&second, before)) {
                visit(false, first.as_ref(), ways);
            } else {
                for (verdict, then) in &second {
                    for (of, times) in then {
                        visit(
                            true,
                            verdict.as_ref(),
                            &Ways {
                                times: &ways.times * times,
                                of: &ways.of * of,
                            },
                        );
                    }
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        // It stops only where the second throw is too much work.
        Ok(if walked == Walked::Stopped {
            Walked::TooMany
        } else {
            walked
        })
    }
}

/// Whether a better outcome is likelier than a worse one.
fn pays(second: &Second, before: Outcome) -> bool {
    let outcome = |verdict: &Option<Verdict>| {
        verdict
            .as_ref()?
            .judgement
            .as_ref()
            .map(|judged| judged.outcome)
    };
    let chance = |wanted: &dyn Fn(Outcome) -> bool| {
        let those = second
            .iter()
            .filter(|(verdict, _)| outcome(verdict).is_some_and(wanted));
        let mut all = WayCounts::new();
        those
            .flat_map(|(_, parts)| parts)
            .for_each(|(of, times)| *all.entry(of.clone()).or_default() += times);
        Ratio::sum_of_ways(&all)
    };
    chance(&|outcome| outcome > before) > chance(&|outcome| outcome < before)
}

/// A rule that follows the rolls of an attempt.
struct Again<'a> {
    check: &'a Check,
    first: &'a Attempt,
    rule: &'a FollowUp,
    most: u64,
    /// The roll of the second throw.
    second: Expression,
    /// What verdicts read of the roll.
    reads: Reads,
}

impl Again<'_> {
    /// The second throw; none where it is too much work.
    fn throw(
        &self,
        (roll, opposing): Rolled<'_>,
        work: &mut Work,
    ) -> Result<Option<Second>, DiceError> {
        let faces = self.rule.kept_faces(roll);
        let attempt = Attempt {
            expression: self.second.clone(),
            opposing: None,
            ..self.first.clone()
        };
        let by = [self.rule.name.clone()];
        let mut ends: BTreeMap<End, (Option<Verdict>, WayCounts)> = BTreeMap::new();
        let mut look = |rolled: Option<Rolled<'_>>, ways: &Ways| {
            let verdict =
                rolled.map(|(roll, _)| self.check.verdict_after(self.first, roll, opposing, &by));
            let end = verdict.as_ref().map(|verdict| {
                let row = verdict
                    .judgement
                    .as_ref()
                    .map(|judged| (judged.outcome, judged.rank));
                (row, verdict.values.clone(), verdict.flags.clone())
            });
            let (_, parts) = ends
                .entry(end)
                .or_insert_with(|| (verdict, WayCounts::new()));
            *parts.entry(ways.of.clone()).or_default() += &ways.times;
            Ok(ControlFlow::Continue(()))
        };
        let walked = match self.pools(roll, &faces, work) {
            Some(pools) if product(&pools) <= self.most && !work.is_done() => {
                self.check.by_classes(&attempt, &pools, work, &mut look)?
            }
            Some(_) => Walked::TooMany,
            None => {
                // Where nothing is kept every face is drawn again, those of explosions, too.
                let kept = if faces.iter().all(Option::is_none) {
                    &[]
                } else {
                    faces.as_slice()
                };
                self.check
                    .by_rolls(&attempt, kept, self.most, work, &mut look)?
            }
        };
        let whole = walked == Walked::Whole;
        Ok(whole.then(|| ends.into_values().collect()))
    }

    /// The classes of each pool of the second throw; added dice are last.
    fn pools(
        &self,
        roll: &Roll,
        faces: &[Option<i64>],
        work: &mut Work,
    ) -> Option<Vec<PoolClasses>> {
        let count = self.check.count_in(self.first);
        let dice = roll.dice();
        let is_whole = faces.iter().all(Option::is_none);
        if !is_whole && (self.first.expression.redraws() || faces.len() != dice.len()) {
            return None;
        }
        let mut lie = faces.iter().zip(&dice);
        let mut all = Vec::new();
        for pool in &self.second.pools()? {
            let kept = lie.by_ref().take(pool.count);
            let stay: Vec<i64> = kept
                .filter(|(face, _)| face.is_some())
                .map(|(_, view)| view.die.natural())
                .collect();
            all.push(classes(pool, &stay, &self.reads, count.as_deref(), work)?);
        }
        Some(all)
    }
}
