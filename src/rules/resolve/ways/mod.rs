//! Every way in which the dice of an attempt can fall, each with what it comes to: exact odds and the author's lints.
//!
//! Ways that look the same to the check are taken together ([`mod@classes`]) wherever it does not matter in which
//! order dice fall; else every sequence of faces is walked. The one is a shorter way to the other's answer, which a test
//! holds them to.

mod again;
mod chains;
mod classes;
mod dominates;
mod glance;
mod reads;
mod seen;
mod symbols;
mod totals;

use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::attempt::Attempt;
use super::verdict::Verdict;
use super::work::{Thrown, Work};
use crate::dice::odds::{DeepWalker, Pool};
use crate::dice::{DiceError, KeptRoller, Roll, ScriptedRoller};
use crate::rules::grammar::opposed::Opposition;
use crate::rules::language::checks::Check;
pub use again::Followed;
use classes::{Class, Falls, classes, each_die};
use reads::Reads;

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

/// One way the dice fall, with what it comes to.
struct Fallen<'f> {
    verdict: Verdict,
    roll: &'f Roll,
    opposing: Option<&'f Roll>,
}

/// Looks at it with its ways.
type Look<'v> = dyn FnMut(Option<Fallen<'_>>, &Ways) -> ControlFlow<()> + 'v;

/// What a roll comes to, with the opposing dice.
type Judge<'j> = dyn Fn(&Roll, Option<&Roll>) -> Verdict + 'j;

impl Check {
    /// Shows every verdict that this attempt can come to, the more than one way to it taken together where that is possible.
    ///
    /// Outcome, row, values and flags are those of all these ways; the other facts are those of one of them. At most `most` verdicts
    /// are shown, and none where there are surely more.
    ///
    /// # Errors
    /// When a roll cannot be made: a total that does not fit, a division by zero.
    pub fn each_verdict(&self, attempt: &Attempt, most: u64, visit: &mut Visit<'_>) -> Result<Walked, DiceError> {
        self.whole(attempt, &Reads::of(self, attempt).and_values(self), most, &mut only_verdict(visit))
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
            Some(pools) => self.by_classes(attempt, &pools, work, &self.judging(attempt), &mut only_verdict(visit)),
            None => self.by_rolls(attempt, &[], most, work, &self.judging(attempt), &mut only_verdict(visit)),
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
        self.whole(attempt, &reads, most, &mut only_verdict(visit))
    }

    /// What a roll of this attempt comes to.
    fn judging<'j>(&'j self, attempt: &'j Attempt) -> impl Fn(&Roll, Option<&Roll>) -> Verdict + 'j {
        |roll, opposing| self.verdict(attempt, roll, opposing)
    }

    /// Everything, or nothing where there is surely more than that.
    fn whole(&self, attempt: &Attempt, reads: &Reads, most: u64, look: &mut Look<'_>) -> Result<Walked, DiceError> {
        let (mut work, judge) = (Work::endless(), self.judging(attempt));
        match self.pools(attempt, reads, &mut work)? {
            Some(pools) if product(&pools) <= most && self.thrown(&pools) <= THROWN_MAX => {
                self.by_classes(attempt, &pools, &mut work, &judge, look)
            }
            Some(_) => Ok(Walked::TooMany),
            None if glance::sequences(attempt) > most as f64 => Ok(Walked::TooMany),
            None => self.by_rolls(attempt, &[], most, &mut work, &judge, look),
        }
    }

    /// The same, one sequence of faces after the other.
    ///
    /// # Errors
    /// As [`Check::each_verdict`].
    pub fn each_roll(&self, attempt: &Attempt, most: u64, visit: &mut Visit<'_>) -> Result<Walked, DiceError> {
        self.by_rolls(attempt, &[], most, &mut Work::endless(), &self.judging(attempt), &mut only_verdict(visit))
    }

    /// One sequence of faces after the other; those in `kept` stay, in the order of draws.
    fn by_rolls(
        &self,
        attempt: &Attempt,
        kept: &[Option<i64>],
        most: u64,
        work: &mut Work,
        judge: &Judge<'_>,
        look: &mut Look<'_>,
    ) -> Result<Walked, DiceError> {
        let mut dice = DeepWalker::new();
        let weight = self.weight();
        for _ in 0..most {
            if work.is_done() {
                break;
            }
            let mut thrown = Thrown { dice: &mut dice, times: 0 };
            let rolled = attempt.roll(&mut KeptRoller::new(kept.to_vec(), &mut thrown));
            work.take(thrown.times.saturating_add(weight));
            let ways = Ways { times: BigUint::from(1_u8), of: dice.ways() };
            let seen = match (dice.is_cut(), rolled) {
                (true, _) => look(None, &ways),
                (false, Ok((roll, opposing))) => look(Some(fallen(judge, &roll, opposing.as_ref())), &ways),
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

    /// The classes of the roll, of each pool by itself or of all that are added up, then of the opposing dice. None where they are
    /// too many, or cannot be told.
    fn pools(&self, attempt: &Attempt, reads: &Reads, work: &mut Work) -> Result<Option<Vec<Falls>>, DiceError> {
        let Some((own, falls, theirs)) = self.each_pool(attempt, reads, work) else { return Ok(None) };
        let falls = self.symbols_together(reads, (&own, falls), work);
        let mut pools = match falls.len() == own.len() {
            true => self.compared(attempt, reads, (&own, falls), work)?,
            false => falls,
        };
        pools.extend(theirs);
        self.added_up(attempt, reads, pools, work).map(Some)
    }

    /// The dice of the roll, how each pool of them can fall, and how each of the opposing ones can.
    fn each_pool(
        &self,
        attempt: &Attempt,
        reads: &Reads,
        work: &mut Work,
    ) -> Option<(Vec<Pool>, Vec<Falls>, Vec<Falls>)> {
        let own = attempt.expression.pools()?;
        let theirs = attempt.opposing.as_ref().map_or(Some(Vec::new()), |opposing| opposing.pools())?;
        let count = self.count_in(attempt);
        let mut falls = Vec::new();
        for pool in &own {
            falls.push(classes(pool, reads, count.as_deref(), work)?);
        }
        let mut against = Vec::new();
        for pool in &theirs {
            against.push(match reads.opposing {
                true => each_die(pool, work)?,
                false => classes(pool, &Reads::default(), None, work)?,
            });
        }
        Some((own, falls, against))
    }

    /// What one way of these pools takes, in dice thrown.
    fn weight_of(&self, pools: &[Falls]) -> u64 {
        let longest = |pool: &Falls| pool.classes.iter().map(|class| class.faces.len()).max();
        let dice = pools.iter().filter_map(longest).sum::<usize>();
        self.weight().saturating_add(u64::try_from(dice).unwrap_or(u64::MAX))
    }

    /// What all their ways take.
    fn thrown(&self, pools: &[Falls]) -> u64 {
        product(pools).saturating_mul(self.weight_of(pools))
    }

    fn by_classes(
        &self,
        attempt: &Attempt,
        pools: &[Falls],
        work: &mut Work,
        judge: &Judge<'_>,
        look: &mut Look<'_>,
    ) -> Result<Walked, DiceError> {
        let weight = self.weight_of(pools);
        let of: BigUint = pools.iter().map(|pool| &pool.of).product();
        let followed = |pool: &Falls| pool.classes.iter().map(|class| &class.ways).sum::<BigUint>();
        let cut = &of - pools.iter().map(followed).product::<BigUint>();
        if cut != BigUint::ZERO && look(None, &Ways { times: cut, of: of.clone() }).is_break() {
            return Ok(Walked::Stopped);
        }
        let mut at = vec![0_usize; pools.len()];
        loop {
            if work.is_done() {
                return Ok(Walked::TooMany);
            }
            work.take(weight);
            let now: Vec<&Class> = pools.iter().zip(&at).filter_map(|(pool, at)| pool.classes.get(*at)).collect();
            let faces = now.iter().flat_map(|class| class.faces.iter().copied());
            let (roll, opposing) = attempt.roll(&mut ScriptedRoller::new(faces))?;
            let ways = Ways { times: now.iter().map(|class| &class.ways).product(), of: of.clone() };
            if look(Some(fallen(judge, &roll, opposing.as_ref())), &ways).is_break() {
                return Ok(Walked::Stopped);
            }
            if !next(&mut at, pools) {
                return Ok(Walked::Whole);
            }
        }
    }
}

fn only_verdict(visit: &mut Visit<'_>) -> impl FnMut(Option<Fallen<'_>>, &Ways) -> ControlFlow<()> {
    |fallen, ways| visit(fallen.as_ref().map(|fallen| &fallen.verdict), ways)
}

fn fallen<'f>(judge: &Judge<'_>, roll: &'f Roll, opposing: Option<&'f Roll>) -> Fallen<'f> {
    Fallen { verdict: judge(roll, opposing), roll, opposing }
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
