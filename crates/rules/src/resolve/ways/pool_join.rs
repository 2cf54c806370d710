//! Joins a roll's pools: ways that a check cannot distinguish become one class, across all pools.
//!
//! Where a check reads sums only (total, successes, how many dice show a face or symbol), a class
//! of a pool adds the difference of the sums when only this pool changes. Where it asks which group
//! dominates, only the leading group and its dice are kept, with what else it sees of each pool.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::classes::{Handful, PoolClasses, pairs};
use super::reads::{EACH, Reads};
use super::view::{PoolView, Shown};
use crate::language::checks::Check;
use crate::resolve::attempt::Attempt;
use crate::resolve::work::Work;
use crate::when::facts::group_names;
use rollbook_dice::odds::{Kept, Pool};
use rollbook_dice::{DiceError, ScriptedRoller};

/// The most pairs of a class so far and a class of the next pool.
const PAIRS_MAX: usize = 2_000_000;
/// Pairs that cost as much as a die.
const PAIRS_A_DIE: usize = 4;

impl Check {
    /// The roll's pools joined, where that is possible for what the check reads; else as they are.
    ///
    /// # Errors
    /// When a roll cannot be made.
    pub(super) fn joined(
        &self,
        attempt: &Attempt,
        reads: &Reads,
        (pools, classes): (&[Pool], Vec<PoolClasses>),
        work: &mut Work,
    ) -> Result<Vec<PoolClasses>, DiceError> {
        if pools.len() < 2 {
            return Ok(classes);
        }
        if reads.is_of_sums() && attempt.expression.is_sum_of_pools() {
            return self.added_up(attempt, reads, classes, work);
        }
        if reads.dominates {
            return self.compared(attempt, reads, (pools, classes), work);
        }
        Ok(classes)
    }

    fn added_up(
        &self,
        attempt: &Attempt,
        reads: &Reads,
        classes: Vec<PoolClasses>,
        work: &mut Work,
    ) -> Result<Vec<PoolClasses>, DiceError> {
        let rolls = classes
            .iter()
            .map(|pool| pool.classes.len() as u64)
            .sum::<u64>();
        if !work.take(rolls.saturating_mul(self.weight())) {
            return Ok(classes);
        }
        let sums = |chosen: (usize, usize)| -> Result<Vec<i64>, DiceError> {
            let place = |at: usize| if at == chosen.0 { chosen.1 } else { 0 };
            let classes = classes
                .iter()
                .enumerate()
                .filter_map(|(at, pool)| pool.classes.get(place(at)));
            let roll = attempt.expression.roll(&mut ScriptedRoller::new(
                classes.flat_map(|class| class.faces.clone()),
            ))?;
            Ok(reads.sums(&self.facts(attempt, &roll, None), roll.total))
        };
        let first = sums((0, 0))?;
        let mut adds: Vec<Vec<Vec<i64>>> = Vec::new();
        for (at, pool) in classes.iter().enumerate() {
            let each =
                (0..pool.classes.len()).map(|place| Ok(difference(&sums((at, place))?, &first)));
            adds.push(each.collect::<Result<_, DiceError>>()?);
        }
        let none = vec![0; first.len()];
        Ok(together(
            classes,
            none,
            work,
            |sum: &Vec<i64>, at, place| {
                let more = adds
                    .get(at)
                    .and_then(|pool| pool.get(place))
                    .into_iter()
                    .flatten();
                sum.iter()
                    .zip(more)
                    .map(|(sum, more)| sum.saturating_add(*more))
                    .collect()
            },
        ))
    }

    fn compared(
        &self,
        attempt: &Attempt,
        reads: &Reads,
        (pools, classes): (&[Pool], Vec<PoolClasses>),
        work: &mut Work,
    ) -> Result<Vec<PoolClasses>, DiceError> {
        let plain = |pool: &Pool| {
            pool.kept == Kept::All && pool.chains.is_none() && !pool.grouped && pool.is_drawn_once()
        };
        if reads.highest == EACH || reads.natural || !pools.iter().all(plain) {
            return Ok(classes);
        }
        let others = Reads {
            dominates: false,
            ..reads.clone()
        };
        let count = self.count_in(attempt);
        let seen: Option<Vec<PoolView<'_>>> = pools
            .iter()
            .map(|pool| PoolView::new(pool, &others, count.as_deref()))
            .collect();
        let (Some(seen), Some(groups)) = (seen, groups(attempt, pools, &classes)?) else {
            return Ok(classes);
        };
        let pools = pools.iter().zip(&seen).zip(&classes);
        let shown: Vec<Vec<(Vec<i64>, Shown)>> = pools
            .map(|((pool, seen), all)| {
                all.classes
                    .iter()
                    .map(|class| dice_of_class(pool, seen, class))
                    .collect()
            })
            .collect();
        // The leading group, its dice from the highest down, and what else is seen of each pool.
        let none: (Option<usize>, Vec<i64>, Vec<Shown>) = (None, Vec::new(), Vec::new());
        Ok(together(
            classes,
            none,
            work,
            |(lead, dice, before), at, place| {
                let Some((class_dice, also)) = shown.get(at).and_then(|pool| pool.get(place))
                else {
                    return Default::default();
                };
                let group = groups.get(at).copied().flatten();
                // Between equals the first of the Roll leads.
                let leads = group.is_some()
                    && !class_dice.is_empty()
                    && (class_dice, Reverse(group)) > (dice, Reverse(*lead));
                let (lead, dice) = if leads {
                    (group, class_dice)
                } else {
                    (*lead, dice)
                };
                // After the last pool the leading dice do not matter.
                let dice = if at + 1 == shown.len() {
                    Vec::new()
                } else {
                    dice.clone()
                };
                (lead, dice, before.iter().chain([also]).cloned().collect())
            },
        ))
    }
}

/// Joins the pools one by one. `step` gives the key after a class, by the places of the pool and
/// the class. Returns the pools as they are where that is too much work.
fn together<K: Ord>(
    classes: Vec<PoolClasses>,
    start: K,
    work: &mut Work,
    step: impl Fn(&K, usize, usize) -> K,
) -> Vec<PoolClasses> {
    let mut known = BTreeMap::from([(start, Handful::none())]);
    let mut taken = 0_usize;
    for (at, pool) in classes.iter().enumerate() {
        let more = known.len().saturating_mul(pool.classes.len());
        taken = taken.saturating_add(more);
        if taken > PAIRS_MAX || !work.take(u64::try_from(more / PAIRS_A_DIE).unwrap_or(u64::MAX)) {
            return classes;
        }
        known = pairs(&known, pool.classes.iter().enumerate(), |before, place| {
            step(before, at, *place)
        });
    }
    vec![PoolClasses {
        classes: known.into_values().collect(),
        of: classes.iter().map(|pool| &pool.of).product(),
    }]
}

fn difference(one: &[i64], other: &[i64]) -> Vec<i64> {
    one.iter()
        .zip(other)
        .map(|(one, other)| one.saturating_sub(*other))
        .collect()
}

/// The dice of a class from the highest down, and what else the check sees of them.
fn dice_of_class(pool: &Pool, seen: &PoolView<'_>, class: &Handful<i64>) -> (Vec<i64>, Shown) {
    let mut dice: Vec<i64> = class
        .faces
        .iter()
        .filter_map(|face| pool.number(*face))
        .collect();
    dice.sort_unstable_by(|one, other| other.cmp(one));
    (
        dice,
        class.faces.iter().fold(seen.nothing(), |shown, face| {
            seen.with(&shown, &seen.die(*face, *face))
        }),
    )
}

/// The group of each pool, by its place among the Roll's. None where a group is not one pool.
fn groups(
    attempt: &Attempt,
    pools: &[Pool],
    classes: &[PoolClasses],
) -> Result<Option<Vec<Option<usize>>>, DiceError> {
    let first = classes
        .iter()
        .filter_map(|pool| pool.classes.first())
        .flat_map(|class| class.faces.iter().copied());
    let roll = attempt.expression.roll(&mut ScriptedRoller::new(first))?;
    let dice = roll.dice();
    let mut views = dice.iter();
    let mut found: Vec<Option<usize>> = Vec::new();
    for pool in pools {
        let view = views.by_ref().take(pool.count).last();
        let labels: Vec<String> = view
            .into_iter()
            .flat_map(|view| &view.labels)
            .flat_map(|label| group_names(label))
            .collect();
        let group = match labels.as_slice() {
            [] => None,
            [only] => attempt.groups.iter().position(|group| group == only),
            _ => return Ok(None),
        };
        if group.is_some() && found.contains(&group) {
            return Ok(None);
        }
        found.push(group);
    }
    Ok(Some(found))
}
