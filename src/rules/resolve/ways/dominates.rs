//! Groups of which one dominates: once two are compared, only the dice of the higher one matter to those that follow.
//!
//! So the pools are gone through one after the other, and of what fell so far is known which group leads, with which dice, and what
//! else the check sees of each pool. Of the last one not even the leading dice matter.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::classes::{Class, Falls};
use super::reads::Reads;
use super::seen::{Die, Seen, Shown};
use crate::dice::odds::{Kept, Pool};
use crate::dice::{DiceError, ScriptedRoller};
use crate::rules::language::checks::Check;
use crate::rules::resolve::attempt::Attempt;
use crate::rules::resolve::work::Work;
use crate::rules::when::facts::group_names;

/// Pairs of what fell so far and how the next pool falls.
const PAIRS_MAX: usize = 2_000_000;
/// Pairs that take as much as a die that is thrown.
const PAIRS_A_DIE: usize = 4;

/// What is known of the pools so far: the leading group, its dice from the highest down, and what else is seen of each pool.
type Known = (Option<usize>, Vec<i64>, Vec<Shown>);

impl Check {
    /// The pools as one, where the check asks which group dominates; as they are where that is not so, or cannot be told pool by pool.
    ///
    /// # Errors
    /// When a roll cannot be made.
    pub(super) fn compared(
        &self,
        attempt: &Attempt,
        reads: &Reads,
        (own, falls): (&[Pool], Vec<Falls>),
        work: &mut Work,
    ) -> Result<Vec<Falls>, DiceError> {
        let plain =
            |pool: &Pool| pool.kept == Kept::All && pool.chains.is_none() && !pool.grouped && pool.is_drawn_once();
        if !reads.dominates || reads.each || reads.natural || own.len() < 2 || !own.iter().all(plain) {
            return Ok(falls);
        }
        let others = Reads { dominates: false, ..reads.clone() };
        let count = self.count_in(attempt);
        let seen: Option<Vec<Seen<'_>>> = own.iter().map(|pool| Seen::of(pool, &others, count.as_deref())).collect();
        let (Some(seen), Some(groups)) = (seen, groups(attempt, own, &falls)?) else { return Ok(falls) };
        let mut states: BTreeMap<Known, (BigUint, Vec<i64>)> =
            BTreeMap::from([((None, Vec::new(), Vec::new()), (BigUint::from(1_u8), Vec::new()))]);
        let mut pairs = 0_usize;
        for (at, ((pool, seen), (group, falls_of_it))) in
            own.iter().zip(&seen).zip(groups.iter().zip(&falls)).enumerate()
        {
            let step = states.len().saturating_mul(falls_of_it.classes.len());
            pairs = pairs.saturating_add(step);
            if pairs > PAIRS_MAX || !work.take(u64::try_from(step / PAIRS_A_DIE).unwrap_or(u64::MAX)) {
                return Ok(falls);
            }
            let last = at + 1 == own.len();
            let classes: Vec<(Vec<i64>, Shown, &Class)> =
                falls_of_it.classes.iter().map(|class| of_class(pool, seen, class)).collect();
            let mut next: BTreeMap<Known, (BigUint, Vec<i64>)> = BTreeMap::new();
            for ((lead, dice, shown), (ways, faces)) in &states {
                for (own, also, class) in &classes {
                    let leads = group.is_some_and(|group| match lead {
                        // Of those that are alike the first of the Roll.
                        Some(before) => (own, std::cmp::Reverse(group)) > (dice, std::cmp::Reverse(*before)),
                        None => !own.is_empty(),
                    });
                    let (lead, dice) = if leads { (*group, own) } else { (*lead, dice) };
                    let dice = if last { Vec::new() } else { dice.clone() };
                    let key = (lead, dice, shown.iter().chain([also]).cloned().collect());
                    let known = next
                        .entry(key)
                        .or_insert_with(|| (BigUint::ZERO, faces.iter().chain(&class.faces).copied().collect()));
                    known.0 += ways * &class.ways;
                }
            }
            states = next;
        }
        let of = falls.iter().map(|pool| &pool.of).product();
        let classes = states.into_values().map(|(ways, faces)| Class { faces, ways }).collect();
        Ok(vec![Falls { classes, of }])
    }
}

/// The dice of a class from the highest down, and what else is seen of them.
fn of_class<'c>(pool: &Pool, seen: &Seen<'_>, class: &'c Class) -> (Vec<i64>, Shown, &'c Class) {
    let mut dice: Vec<i64> = class.faces.iter().filter_map(|face| pool.number(*face)).collect();
    dice.sort_unstable_by(|one, other| other.cmp(one));
    let shown = class.faces.iter().fold(seen.nothing(), |shown, face| seen.with(&shown, Die::of(pool, *face, *face)));
    (dice, shown, class)
}

/// Which group each pool is, by its place among those of the Roll. None where a group is not one pool.
fn groups(attempt: &Attempt, own: &[Pool], falls: &[Falls]) -> Result<Option<Vec<Option<usize>>>, DiceError> {
    let first = falls.iter().filter_map(|pool| pool.classes.first()).flat_map(|class| class.faces.iter().copied());
    let roll = attempt.expression.roll(&mut ScriptedRoller::new(first))?;
    let dice = roll.dice();
    let mut views = dice.iter();
    let mut found: Vec<Option<usize>> = Vec::new();
    for pool in own {
        let view = views.by_ref().take(pool.count).last();
        let labels: Vec<String> =
            view.into_iter().flat_map(|view| &view.labels).flat_map(|own| group_names(own)).collect();
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
