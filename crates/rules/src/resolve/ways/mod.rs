//! Every way in which the dice of an attempt can fall, with its verdict: for exact odds and lints.
//!
//! Ways that the check cannot distinguish are joined ([`mod@classes`]) where the order of dice does
//! not matter; else every sequence of faces is walked. A test compares both.

mod again;
mod chains;
mod classes;
mod pool_join;
mod reads;
mod view;

use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::attempt::Attempt;
use super::verdict::Verdict;
use super::work::Work;
use crate::grammar::opposed::Opposition;
use crate::language::checks::Check;
pub use again::Followed;
use classes::{PoolClasses, classes};
use reads::{EACH, Reads};
use rollbook_dice::odds::Walker;
use rollbook_dice::{DiceError, Expression, KeptRoller, Roll, ScriptedRoller};

/// The most dice thrown to see all ways. A check that needs more is refused before the first.
const THROWN_MAX: u64 = 12_000_000;

/// Some of a number of equally likely ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ways {
    pub times: BigUint,
    /// Out of how many.
    pub of: BigUint,
}

/// How a walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walked {
    /// At the end: the ways add up to one.
    Whole,
    /// Where the visitor stopped it.
    Stopped,
    /// At the bound; the rest is unknown.
    TooMany,
}

/// Gets a verdict with its ways; none for the rest of endless explosions.
pub type Visit<'v> = dyn FnMut(Option<&Verdict>, &Ways) -> ControlFlow<()> + 'v;

/// A roll, with the opposing dice.
type Rolled<'r> = (&'r Roll, Option<&'r Roll>);

/// Gets a roll with its ways; none for the rest of endless explosions.
type Look<'v> = dyn FnMut(Option<Rolled<'_>>, &Ways) -> Result<ControlFlow<()>, DiceError> + 'v;

impl Check {
    /// Visits every verdict of this attempt, with equal ways joined where possible.
    ///
    /// Outcome, row, values and flags are those of all these ways; the other facts are those of one
    /// of them. Visits at most `most` verdicts, and none where there are surely more.
    ///
    /// # Errors
    /// When a roll cannot be made: a total that does not fit, a division by zero.
    pub fn each_verdict(
        &self,
        attempt: &Attempt,
        most: u64,
        visit: &mut Visit<'_>,
    ) -> Result<Walked, DiceError> {
        self.whole(
            attempt,
            &Reads::new(self, attempt).and_values(self),
            most,
            &mut self.judged(attempt, visit),
        )
    }

    /// The same as long as work is left; then [`Walked::TooMany`].
    ///
    /// # Errors
    /// As [`Check::each_verdict`].
    pub fn each_verdict_within(
        &self,
        attempt: &Attempt,
        most: u64,
        work: &mut Work,
        visit: &mut Visit<'_>,
    ) -> Result<Walked, DiceError> {
        match self
            .pools(attempt, &Reads::new(self, attempt), work)?
            .filter(|pools| product(pools) <= most)
        {
            Some(pools) => self.by_classes(attempt, &pools, work, &mut self.judged(attempt, visit)),
            None => self.by_rolls(attempt, &[], most, work, &mut self.judged(attempt, visit)),
        }
    }

    /// The same as [`Check::each_verdict`], but margin, result and what else decides an opposed
    /// check are those of all these ways, too.
    ///
    /// # Errors
    /// As [`Check::each_verdict`].
    pub fn each_result(
        &self,
        attempt: &Attempt,
        decided: &Opposition,
        most: u64,
        visit: &mut Visit<'_>,
    ) -> Result<Walked, DiceError> {
        let reads = Reads::new(self, attempt)
            .and_values(self)
            .and_result(self, decided);
        self.whole(attempt, &reads, most, &mut self.judged(attempt, visit))
    }

    /// A visitor of rolls that passes on their verdicts.
    fn judged<'v>(
        &'v self,
        attempt: &'v Attempt,
        visit: &'v mut Visit<'_>,
    ) -> impl FnMut(Option<Rolled<'_>>, &Ways) -> Result<ControlFlow<()>, DiceError> + 'v {
        |rolled, ways| {
            Ok(visit(
                rolled
                    .map(|(roll, opposing)| self.verdict(attempt, roll, opposing))
                    .as_ref(),
                ways,
            ))
        }
    }

    /// Walks all ways, or none where there are surely more than `most`.
    fn whole(
        &self,
        attempt: &Attempt,
        reads: &Reads,
        most: u64,
        look: &mut Look<'_>,
    ) -> Result<Walked, DiceError> {
        let mut work = Work::endless();
        match self.pools(attempt, reads, &mut work)? {
            Some(pools)
                if product(&pools) <= most
                    && product(&pools).saturating_mul(self.weight_of(&pools)) <= THROWN_MAX =>
            {
                self.by_classes(attempt, &pools, &mut work, look)
            }
            Some(_) => Ok(Walked::TooMany),
            None if sequences(attempt) > most => Ok(Walked::TooMany),
            None => self.by_rolls(attempt, &[], most, &mut work, look),
        }
    }

    /// The same for every sequence of faces.
    ///
    /// # Errors
    /// As [`Check::each_verdict`].
    pub fn each_roll(
        &self,
        attempt: &Attempt,
        most: u64,
        visit: &mut Visit<'_>,
    ) -> Result<Walked, DiceError> {
        self.by_rolls(
            attempt,
            &[],
            most,
            &mut Work::endless(),
            &mut self.judged(attempt, visit),
        )
    }

    /// Walks every sequence of faces. Those in `kept` are fixed, in the order of draws.
    fn by_rolls(
        &self,
        attempt: &Attempt,
        kept: &[Option<i64>],
        most: u64,
        work: &mut Work,
        look: &mut Look<'_>,
    ) -> Result<Walked, DiceError> {
        let mut dice = Walker::new();
        let weight = self.weight();
        for _ in 0..most {
            if work.is_done() {
                break;
            }
            let rolled = attempt.roll(&mut KeptRoller::new(kept.to_vec(), &mut dice));
            let thrown = rolled.as_ref().map_or(0, |(roll, _)| roll.dice().len());
            work.take(weight.saturating_add(u64::try_from(thrown).unwrap_or(u64::MAX)));
            let ways = Ways {
                times: BigUint::from(1_u8),
                of: dice.ways(),
            };
            let seen = match (dice.is_cut(), rolled) {
                (true, _) => look(None, &ways)?,
                (false, Ok((roll, opposing))) => look(Some((&roll, opposing.as_ref())), &ways)?,
                (false, Err(error)) => return Err(error),
            };
            if seen.is_break() {
                return Ok(Walked::Stopped);
            }
            if !dice.advance() {
                return Ok(Walked::Whole);
            }
        }
        Ok(Walked::TooMany)
    }

    /// The classes of the roll, for each pool or joined, then of the opposing dice. None where
    /// there are too many, or there are no classes.
    fn pools(
        &self,
        attempt: &Attempt,
        reads: &Reads,
        work: &mut Work,
    ) -> Result<Option<Vec<PoolClasses>>, DiceError> {
        let mut each_pool = |expression: &Expression, reads: &Reads, count| {
            let pools = expression.pools()?;
            let classes = pools
                .iter()
                .map(|pool| classes(pool, &[], reads, count, work))
                .collect::<Option<Vec<PoolClasses>>>();
            classes.map(|classes| (pools, classes))
        };
        let count = self.count_in(attempt);
        let Some((pools, classes)) = each_pool(&attempt.expression, reads, count.as_deref()) else {
            return Ok(None);
        };
        let against = Reads {
            highest: if reads.opposing { EACH } else { 0 },
            ..Reads::default()
        };
        let theirs = attempt
            .opposing
            .as_ref()
            .map(|opposing| each_pool(opposing, &against, None));
        if theirs == Some(None) {
            return Ok(None);
        }
        let mut pools = self.joined(attempt, reads, (&pools, classes), work)?;
        pools.extend(
            theirs
                .flatten()
                .into_iter()
                .flat_map(|(_, classes)| classes),
        );
        Ok(Some(pools))
    }

    /// The work of one way of these pools.
    fn weight_of(&self, pools: &[PoolClasses]) -> u64 {
        let longest = |pool: &PoolClasses| pool.classes.iter().map(|class| class.faces.len()).max();
        let dice = pools.iter().filter_map(longest).sum::<usize>();
        self.weight()
            .saturating_add(u64::try_from(dice).unwrap_or(u64::MAX))
    }

    fn by_classes(
        &self,
        attempt: &Attempt,
        pools: &[PoolClasses],
        work: &mut Work,
        look: &mut Look<'_>,
    ) -> Result<Walked, DiceError> {
        let weight = self.weight_of(pools);
        let of: BigUint = pools.iter().map(|pool| &pool.of).product();
        let followed = |pool: &PoolClasses| {
            pool.classes
                .iter()
                .map(|class| &class.ways)
                .sum::<BigUint>()
        };
        let cut = &of - pools.iter().map(followed).product::<BigUint>();
        if cut != BigUint::ZERO
            && look(
                None,
                &Ways {
                    times: cut,
                    of: of.clone(),
                },
            )?
            .is_break()
        {
            return Ok(Walked::Stopped);
        }
        let mut at = vec![0_usize; pools.len()];
        loop {
            if work.is_done() {
                return Ok(Walked::TooMany);
            }
            work.take(weight);
            let now: Vec<_> = pools
                .iter()
                .zip(&at)
                .filter_map(|(pool, at)| pool.classes.get(*at))
                .collect();
            let faces = now.iter().flat_map(|class| class.faces.iter().copied());
            let (roll, opposing) = attempt.roll(&mut ScriptedRoller::new(faces))?;
            let ways = Ways {
                times: now.iter().map(|class| &class.ways).product(),
                of: of.clone(),
            };
            if look(Some((&roll, opposing.as_ref())), &ways)?.is_break() {
                return Ok(Walked::Stopped);
            }
            if !next(&mut at, pools) {
                return Ok(Walked::Whole);
            }
        }
    }
}

/// A lower bound of sequences: without explosions, and without dice that are no pools.
fn sequences(attempt: &Attempt) -> u64 {
    let pools = std::iter::once(&attempt.expression)
        .chain(&attempt.opposing)
        .filter_map(Expression::pools)
        .flatten();
    let left = |nth: usize, faces: usize, distinct: bool| {
        if distinct {
            faces.saturating_sub(nth).max(1)
        } else {
            faces
        }
    };
    let each = pools.flat_map(|pool| {
        (0..pool.count).map(move |nth| left(nth, pool.faces.len(), pool.distinct))
    });
    each.fold(1, |all, faces| {
        all.saturating_mul(u64::try_from(faces).unwrap_or(u64::MAX))
    })
}

/// The number of combinations of classes.
fn product(pools: &[PoolClasses]) -> u64 {
    pools.iter().fold(1, |all, pool| {
        all.saturating_mul(u64::try_from(pool.classes.len()).unwrap_or(u64::MAX))
    })
}

/// The next combination, the last pool first; whether there is one.
fn next(at: &mut [usize], pools: &[PoolClasses]) -> bool {
    for (at, pool) in at.iter_mut().zip(pools).rev() {
        *at += 1;
        if *at < pool.classes.len() {
            return true;
        }
        *at = 0;
    }
    false
}
