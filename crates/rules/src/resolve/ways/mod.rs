//! Every way in which the dice of an attempt can fall, each with what it comes to: exact odds and the author's lints.
//!
//! Ways that look the same to the check are taken together ([`mod@classes`]) wherever it does not matter in which
//! order dice fall; else every sequence of faces is walked. The one is a shorter way to the other's answer, which a test
//! holds them to.

mod again;
mod chains;
mod classes;
mod joined;
mod reads;
mod seen;

use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::attempt::Attempt;
use super::verdict::Verdict;
use super::work::Work;
use crate::grammar::opposed::Opposition;
use crate::language::checks::Check;
pub use again::Followed;
use classes::{Falls, classes};
use reads::{EACH, Reads};
use rollbook_dice::odds::DeepWalker;
use rollbook_dice::{DiceError, Expression, KeptRoller, Roll, ScriptedRoller};

/// Dice that may be thrown to see all ways; a check that takes more is known before the first of them.
const THROWN_MAX: u64 = 12_000_000;

/// So many of so many equally likely ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ways {
    /// How many.
    pub times: BigUint,
    /// Of how many.
    pub of: BigUint,
}

/// How far a walk came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walked {
    /// To the end: the ways add up to one.
    Whole,
    /// To where a person stopped it.
    Stopped,
    /// To the bound; nothing is known of the rest.
    TooMany,
}

/// Looks at a verdict with its ways; none for what was left of endless explosions.
pub type Visit<'v> = dyn FnMut(Option<&Verdict>, &Ways) -> ControlFlow<()> + 'v;

/// A roll, with the opposing dice.
type Rolled<'r> = (&'r Roll, Option<&'r Roll>);

/// Looks at a roll with its ways; none for what was left of endless explosions.
type Look<'v> = dyn FnMut(Option<Rolled<'_>>, &Ways) -> Result<ControlFlow<()>, DiceError> + 'v;

impl Check {
    /// Shows every verdict that this attempt can come to, the more than one way to it taken together where that is possible.
    ///
    /// Outcome, row, values and flags are those of all these ways; the other facts are those of one of them. At most `most` verdicts
    /// are shown, and none where there are surely more.
    ///
    /// # Errors
    /// When a roll cannot be made: a total that does not fit, a division by zero.
    pub fn each_verdict(&self, attempt: &Attempt, most: u64, visit: &mut Visit<'_>) -> Result<Walked, DiceError> {
        self.whole(attempt, &Reads::of(self, attempt).and_values(self), most, &mut self.judged(attempt, visit))
    }

    /// The same as long as there is work to be done; then [`Walked::TooMany`].
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
        match self.pools(attempt, &Reads::of(self, attempt), work)?.filter(|pools| product(pools) <= most) {
            Some(pools) => self.by_classes(attempt, &pools, work, &mut self.judged(attempt, visit)),
            None => self.by_rolls(attempt, &[], most, work, &mut self.judged(attempt, visit)),
        }
    }

    /// The same as [`Check::each_verdict`], but margin, result and what else decides between two who roll against each other are those of all these ways, too.
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
        let reads = Reads::of(self, attempt).and_values(self).and_result(self, decided);
        self.whole(attempt, &reads, most, &mut self.judged(attempt, visit))
    }

    /// Looks at what each roll of this attempt comes to.
    fn judged<'v>(
        &'v self,
        attempt: &'v Attempt,
        visit: &'v mut Visit<'_>,
    ) -> impl FnMut(Option<Rolled<'_>>, &Ways) -> Result<ControlFlow<()>, DiceError> + 'v {
        |rolled, ways| Ok(visit(rolled.map(|(roll, opposing)| self.verdict(attempt, roll, opposing)).as_ref(), ways))
    }

    /// Everything, or nothing where there is surely more than that.
    fn whole(&self, attempt: &Attempt, reads: &Reads, most: u64, look: &mut Look<'_>) -> Result<Walked, DiceError> {
        let mut work = Work::endless();
        match self.pools(attempt, reads, &mut work)? {
            Some(pools)
                if product(&pools) <= most && product(&pools).saturating_mul(self.weight_of(&pools)) <= THROWN_MAX =>
            {
                self.by_classes(attempt, &pools, &mut work, look)
            }
            Some(_) => Ok(Walked::TooMany),
            None if sequences(attempt) > most => Ok(Walked::TooMany),
            None => self.by_rolls(attempt, &[], most, &mut work, look),
        }
    }

    /// The same, one sequence of faces after the other.
    ///
    /// # Errors
    /// As [`Check::each_verdict`].
    pub fn each_roll(&self, attempt: &Attempt, most: u64, visit: &mut Visit<'_>) -> Result<Walked, DiceError> {
        self.by_rolls(attempt, &[], most, &mut Work::endless(), &mut self.judged(attempt, visit))
    }

    /// One sequence of faces after the other; those in `kept` stay, in the order of draws.
    fn by_rolls(
        &self,
        attempt: &Attempt,
        kept: &[Option<i64>],
        most: u64,
        work: &mut Work,
        look: &mut Look<'_>,
    ) -> Result<Walked, DiceError> {
        let mut dice = DeepWalker::new();
        let weight = self.weight();
        for _ in 0..most {
            if work.is_done() {
                break;
            }
            let rolled = attempt.roll(&mut KeptRoller::new(kept.to_vec(), &mut dice));
            let thrown = rolled.as_ref().map_or(0, |(roll, _)| roll.dice().len());
            work.take(weight.saturating_add(u64::try_from(thrown).unwrap_or(u64::MAX)));
            let ways = Ways { times: BigUint::from(1_u8), of: dice.ways() };
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

    /// The classes of the roll, of each pool by itself or of all together, then of the opposing dice. None where they are too many,
    /// or cannot be told.
    fn pools(&self, attempt: &Attempt, reads: &Reads, work: &mut Work) -> Result<Option<Vec<Falls>>, DiceError> {
        let mut each_pool = |expression: &Expression, reads: &Reads, count| {
            let pools = expression.pools()?;
            let falls = pools.iter().map(|pool| classes(pool, &[], reads, count, work)).collect::<Option<Vec<Falls>>>();
            falls.map(|falls| (pools, falls))
        };
        let count = self.count_in(attempt);
        let Some((own, falls)) = each_pool(&attempt.expression, reads, count.as_deref()) else { return Ok(None) };
        let against = Reads { highest: if reads.opposing { EACH } else { 0 }, ..Reads::default() };
        let theirs = attempt.opposing.as_ref().map(|opposing| each_pool(opposing, &against, None));
        if theirs == Some(None) {
            return Ok(None);
        }
        let mut pools = self.joined(attempt, reads, (&own, falls), work)?;
        pools.extend(theirs.flatten().into_iter().flat_map(|(_, falls)| falls));
        Ok(Some(pools))
    }

    /// What one way of these pools takes, in dice thrown.
    fn weight_of(&self, pools: &[Falls]) -> u64 {
        let longest = |pool: &Falls| pool.classes.iter().map(|class| class.faces.len()).max();
        let dice = pools.iter().filter_map(longest).sum::<usize>();
        self.weight().saturating_add(u64::try_from(dice).unwrap_or(u64::MAX))
    }

    fn by_classes(
        &self,
        attempt: &Attempt,
        pools: &[Falls],
        work: &mut Work,
        look: &mut Look<'_>,
    ) -> Result<Walked, DiceError> {
        let weight = self.weight_of(pools);
        let of: BigUint = pools.iter().map(|pool| &pool.of).product();
        let followed = |pool: &Falls| pool.classes.iter().map(|class| &class.ways).sum::<BigUint>();
        let cut = &of - pools.iter().map(followed).product::<BigUint>();
        if cut != BigUint::ZERO && look(None, &Ways { times: cut, of: of.clone() })?.is_break() {
            return Ok(Walked::Stopped);
        }
        let mut at = vec![0_usize; pools.len()];
        loop {
            if work.is_done() {
                return Ok(Walked::TooMany);
            }
            work.take(weight);
            let now: Vec<_> = pools.iter().zip(&at).filter_map(|(pool, at)| pool.classes.get(*at)).collect();
            let faces = now.iter().flat_map(|class| class.faces.iter().copied());
            let (roll, opposing) = attempt.roll(&mut ScriptedRoller::new(faces))?;
            let ways = Ways { times: now.iter().map(|class| &class.ways).product(), of: of.clone() };
            if look(Some((&roll, opposing.as_ref())), &ways)?.is_break() {
                return Ok(Walked::Stopped);
            }
            if !next(&mut at, pools) {
                return Ok(Walked::Whole);
            }
        }
    }
}

/// No more sequences of faces than a walk meets: explosions are left out, and dice that are not told apart as pools.
fn sequences(attempt: &Attempt) -> u64 {
    let pools = std::iter::once(&attempt.expression).chain(&attempt.opposing).filter_map(Expression::pools).flatten();
    let of = |nth: usize, faces: usize, distinct: bool| if distinct { faces.saturating_sub(nth).max(1) } else { faces };
    let each = pools.flat_map(|pool| (0..pool.count).map(move |nth| of(nth, pool.faces.len(), pool.distinct)));
    each.fold(1, |all, faces| all.saturating_mul(u64::try_from(faces).unwrap_or(u64::MAX)))
}

/// How many combinations of classes there are.
fn product(pools: &[Falls]) -> u64 {
    pools.iter().fold(1, |all, pool| all.saturating_mul(u64::try_from(pool.classes.len()).unwrap_or(u64::MAX)))
}

/// The next combination, the last pool first; whether there is one.
fn next(at: &mut [usize], pools: &[Falls]) -> bool {
    for (at, pool) in at.iter_mut().zip(pools).rev() {
        *at += 1;
        if *at < pool.classes.len() {
            return true;
        }
        *at = 0;
    }
    false
}
