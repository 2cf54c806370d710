//! What comes of a roll that is followed by a rule, such as a push, wherever that pays.
//!
//! Rolls of which the same dice stay are followed by the same ones, so the second throw is looked at once for all of them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::classes::{Falls, classes, classes_beside};
use super::reads::Reads;
use super::{Fallen, THROWN_MAX, Walked, Ways, product};
use crate::dice::odds::Ratio;
use crate::dice::{DiceError, Expression, Roll};
use crate::rules::grammar::outcome::Outcome;
use crate::rules::language::checks::{Check, FollowUp};
use crate::rules::resolve::attempt::Attempt;
use crate::rules::resolve::verdict::Verdict;
use crate::rules::resolve::work::Work;

/// Whether a roll was followed, and what came of it; no verdict for what is left of endless explosions.
pub type Followed<'v> = dyn FnMut(bool, Option<&Verdict>, &Ways) + 'v;

/// By the number of ways of which each is one, how many.
type WayCounts = BTreeMap<BigUint, BigUint>;
/// What the second throw may come to: one verdict of those that are alike, and how likely it is.
type Second = Vec<(Option<Verdict>, WayCounts)>;
/// Which dice stay, in the order of draws, and the opposing dice.
type Key = (Vec<Option<i64>>, Vec<i64>);
/// What tells two verdicts apart.
type End = Option<(Option<(Outcome, Option<u32>)>, Vec<(String, i64)>, Vec<String>)>;

impl Check {
    /// Shows every verdict of this attempt, followed by the rule where that pays: after an outcome that the rule names, else after one
    /// that is no success, when a better outcome is likelier than a worse one. Values and flags are those of the last throw.
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
        let again = Again { check: self, first: attempt, rule, most, second: rule.with_added(&attempt.expression)? };
        let reads = Reads::of(self, attempt).and_values(self).and_kept(rule);
        let mut work = Work::of(THROWN_MAX);
        let (mut known, mut wrong) = (BTreeMap::<Key, Option<Second>>::new(), None);
        let walked = self.whole(attempt, &reads, most, &mut |fallen, ways| {
            let Some(Fallen { verdict, roll, opposing }) = fallen else {
                visit(false, None, ways);
                return ControlFlow::Continue(());
            };
            let outcome = verdict.judged.as_ref().map(|own| own.outcome);
            let Some(before) = outcome.filter(|outcome| rule.is_offered_after(*outcome)) else {
                visit(false, Some(&verdict), ways);
                return ControlFlow::Continue(());
            };
            let faces = rule.kept_faces(roll);
            if faces.iter().all(Option::is_some) && rule.added_count() == 0 {
                visit(false, Some(&verdict), ways);
                return ControlFlow::Continue(());
            }
            let key = again.key(&faces, opposing);
            if !known.contains_key(&key) {
                match again.throw(roll, &faces, opposing, &mut work) {
                    Ok(second) => drop(known.insert(key.clone(), second)),
                    Err(error) => wrong = Some(error),
                }
            }
            let Some(second) = known.get(&key).and_then(Option::as_ref) else { return ControlFlow::Break(()) };
            if !pays(second, before) {
                visit(false, Some(&verdict), ways);
                return ControlFlow::Continue(());
            }
            for (verdict, then) in second {
                for (of, times) in then {
                    visit(true, verdict.as_ref(), &Ways { times: &ways.times * times, of: &ways.of * of });
                }
            }
            ControlFlow::Continue(())
        })?;
        match (wrong, walked) {
            (Some(error), _) => Err(error),
            // It stops only where the second throw is too much to look at.
            (None, Walked::Stopped) => Ok(Walked::TooMany),
            (None, walked) => Ok(walked),
        }
    }
}

/// Whether a better outcome is likelier than a worse one.
fn pays(second: &Second, before: Outcome) -> bool {
    let outcome = |verdict: &Option<Verdict>| verdict.as_ref()?.judged.as_ref().map(|own| own.outcome);
    let chance = |wanted: &dyn Fn(Outcome) -> bool| {
        let those = second.iter().filter(|(verdict, _)| outcome(verdict).is_some_and(wanted));
        let mut all = WayCounts::new();
        those.flat_map(|(_, parts)| parts).for_each(|(of, times)| *all.entry(of.clone()).or_default() += times);
        Ratio::sum_of_ways(&all)
    };
    chance(&|own| own > before) > chance(&|own| own < before)
}

/// A rule that follows the rolls of an attempt.
struct Again<'a> {
    check: &'a Check,
    first: &'a Attempt,
    rule: &'a FollowUp,
    most: u64,
    /// What is rolled then.
    second: Expression,
}

impl Again<'_> {
    /// What the second throw depends on: of a pool only which dice stay, unless it matters which is the first.
    fn key(&self, faces: &[Option<i64>], opposing: Option<&Roll>) -> Key {
        let (mut faces, natural) = (faces.to_vec(), Reads::of(self.check, self.first).and_values(self.check).natural);
        let counts = self.first.expression.pools().filter(|_| !natural && !self.first.expression.redraws());
        let mut rest = faces.as_mut_slice();
        for pool in counts.into_iter().flatten().filter(|pool| pool.is_drawn_once()) {
            let (own, others) = rest.split_at_mut(pool.count.min(rest.len()));
            own.sort_unstable();
            rest = others;
        }
        (faces, opposing.map_or_else(Vec::new, Roll::faces))
    }

    /// The second throw; none where it is too much to look at.
    fn throw(
        &self,
        roll: &Roll,
        faces: &[Option<i64>],
        opposing: Option<&Roll>,
        work: &mut Work,
    ) -> Result<Option<Second>, DiceError> {
        let attempt = Attempt { expression: self.second.clone(), opposing: None, ..self.first.clone() };
        let by = [self.rule.name.clone()];
        let judge = |roll: &Roll, _: Option<&Roll>| self.check.verdict_after(self.first, roll, opposing, &by);
        let mut ends: BTreeMap<End, (Option<Verdict>, WayCounts)> = BTreeMap::new();
        let mut look = |fallen: Option<Fallen<'_>>, ways: &Ways| {
            let verdict = fallen.map(|fallen| fallen.verdict);
            let end = verdict.as_ref().map(|own| {
                let row = own.judged.as_ref().map(|own| (own.outcome, own.rank));
                (row, own.values.clone(), own.flags.clone())
            });
            let (_, parts) = ends.entry(end).or_insert_with(|| (verdict, WayCounts::new()));
            *parts.entry(ways.of.clone()).or_default() += &ways.times;
            ControlFlow::Continue(())
        };
        let walked = match self.pools(roll, faces, work) {
            Some(pools) if product(&pools) <= self.most && !work.is_done() => {
                self.check.by_classes(&attempt, &pools, work, &judge, &mut look)?
            }
            Some(_) => Walked::TooMany,
            None => {
                // Where nothing stays every face is drawn anew, those of explosions, too.
                let kept = if faces.iter().all(Option::is_none) { &[] } else { faces };
                self.check.by_rolls(&attempt, kept, self.most, work, &judge, &mut look)?
            }
        };
        let whole = walked == Walked::Whole;
        Ok(whole.then(|| ends.into_values().collect()))
    }

    /// The classes of each pool of the second throw, those that are added last.
    fn pools(&self, roll: &Roll, faces: &[Option<i64>], work: &mut Work) -> Option<Vec<Falls>> {
        let reads = Reads::of(self.check, self.first).and_values(self.check);
        let pools = self.second.pools()?;
        let count = self.check.count_in(self.first);
        let count = count.as_deref();
        if faces.iter().all(Option::is_none) {
            return pools.iter().map(|pool| classes(pool, &reads, count, work)).collect();
        }
        let dice = roll.dice();
        if self.first.expression.redraws() || faces.len() != dice.len() {
            return None;
        }
        let mut lie = faces.iter().zip(&dice);
        let mut all = Vec::new();
        for pool in &pools {
            let own = lie.by_ref().take(pool.count);
            let stay: Vec<i64> = own.filter(|(face, _)| face.is_some()).map(|(_, view)| view.die.natural()).collect();
            all.push(classes_beside(pool, &stay, &reads, count, work)?);
        }
        Some(all)
    }
}
