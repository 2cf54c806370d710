//! The odds of one dice term.
//!
//! Explosions are counted by their number: `n` dice that show `x` explosions in all are `n` dice
//! that do not explode and `x` that do, in `C(n + x - 1, x)` orders. What is cut off is the chance
//! of more than so many explosions.

mod explode;

use crate::expression::tree::{Dice, Node, Sign};
use crate::modifiers::clamp::Clamps;
use crate::modifiers::count::successes;
use crate::modifiers::explode::{Explosion, explodes};
use crate::modifiers::{Stage, bonus, keep, reroll};
use crate::odds::budget::{Budget, OrNarrow, Stop};
use crate::odds::poly::{Poly, RECURRENCE_DICE, Run, Weighted};
use crate::odds::pool::{Pool, PoolFace, kept_of_mixed, middle};
use crate::odds::weight::Weight;
use std::collections::BTreeSet;
use std::ops::Range;

/// Kinds of dice that are added up by one recurrence, each of which doubles its steps.
const KINDS_MAX: usize = 3;

/// Ways to reach each sum, and how many there are in all.
pub(super) type Counted<W> = (Poly<W>, W);

struct Reading<'a, W> {
    dice: &'a Dice,
    count: usize,
    /// Settled faces with their ways.
    faces: Weighted<W>,
    /// The ways of one settled die.
    each: W,
    /// The chance that one settled die explodes.
    chance: f64,
}

/// How far explosions are followed, of all dice of a term and of one of them; what lies beyond has
/// a chance below 2^-64 for a hundred terms together.
pub(super) fn chain_ends(dice: &Dice) -> (usize, usize) {
    let reading = Reading::<u128>::new(dice);
    (reading.most_explosions(), reading.chain_length())
}

/// The faces of one die before explosions, each with its ways, and the ways of them all.
pub(super) fn drawn_faces(dice: &Dice) -> (Vec<(i64, u64)>, u64) {
    let bonus = dice.bonus();
    if bonus == 0 {
        reroll::odds(dice.each(), dice.die().faces())
    } else {
        bonus::odds(bonus)
    }
}

/// The terms that are dice only added or taken off, as runs of numbers, and the others. No runs
/// where there are not several such terms, too few dice, or too many kinds for one recurrence.
pub(super) fn runs(terms: &[(Sign, Node)]) -> (Vec<Run>, Vec<&(Sign, Node)>) {
    let (mut runs, mut rest) = (Vec::new(), Vec::new());
    for term in terms {
        match run(term.0, &term.1) {
            Some(run) => runs.push(run),
            None => rest.push(term),
        }
    }
    let dice = runs.iter().map(|run| run.count).sum::<usize>();
    let kinds: BTreeSet<usize> = runs.iter().map(|run| run.faces).collect();
    if runs.len() > 1 && dice >= RECURRENCE_DICE && kinds.len() <= KINDS_MAX {
        (runs, rest)
    } else {
        (Vec::new(), terms.iter().collect())
    }
}

fn run(sign: Sign, node: &Node) -> Option<Run> {
    let dice = match node {
        Node::Labelled(inner, _) => return run(sign, inner),
        Node::Dice(dice) if dice.modifiers.is_empty() && !dice.die().has_symbols() => dice,
        _ => return None,
    };
    let (mut faces, _) = drawn_faces(dice);
    faces.sort_unstable();
    let follow = |pair: &[(i64, u64)]| matches!(pair, [(a, 1), (b, 1)] if *b == *a + 1);
    let (low, high) = (faces.first()?.0, faces.last()?.0);
    let low = if sign == Sign::Minus { -high } else { low };
    let count = usize::try_from(dice.count()).ok()?;
    (faces.len() > 1 && faces.windows(2).all(follow)).then_some(Run {
        low,
        faces: faces.len(),
        count,
    })
}

pub(super) fn sum_of_runs<W: Weight>(
    runs: &[Run],
    budget: &mut Budget,
) -> Result<Counted<W>, Stop> {
    let ways = runs.iter().try_fold(W::small(1), |ways, run| {
        let each = W::small(u64::try_from(run.faces).unwrap_or(u64::MAX));
        ways.times(&power(&each, run.count)?).wide()
    })?;
    Ok((Poly::of_runs(runs, budget)?, ways))
}

pub(super) fn dice<W: Weight>(dice: &Dice, budget: &mut Budget) -> Result<Counted<W>, Stop> {
    let reading = Reading::<W>::new(dice);
    match explosion(dice) {
        None if dice.is_unique() => reading.distinct(budget),
        None => reading.plain(budget),
        Some((Explosion::Once, penetrating)) => reading.once(penetrating, budget),
        Some((Explosion::Compound, penetrating)) if !reading.is_sum() => {
            reading.compound(penetrating, budget)
        }
        // Without anything done to single dice, only the sum of faces matters.
        Some((_, penetrating)) if reading.is_sum() => reading.exploding_sum(penetrating, budget),
        Some((_, false)) if !reading.dice.has(Stage::Keep) => reading.exploding_sum(false, budget),
        Some((_, true)) if !reading.dice.has(Stage::Keep) => reading.chains(budget),
        Some((_, penetrating)) => reading.exploding_pool(penetrating, budget),
    }
}

fn explosion(dice: &Dice) -> Option<(Explosion, bool)> {
    dice.explosion()
        .map(|explode| (explode.explosion, explode.penetrating))
}

impl<'a, W: Weight> Reading<'a, W> {
    fn new(dice: &'a Dice) -> Self {
        let (faces, each) = drawn_faces(dice);
        let all = dice.die().faces();
        let exploding = faces
            .iter()
            .filter(|(face, _)| explodes(dice.each(), all, *face));
        let chance = exploding.map(|(_, ways)| *ways as f64).sum::<f64>() / each as f64;
        Reading {
            dice,
            count: usize::try_from(dice.count()).unwrap_or(0),
            faces: faces
                .into_iter()
                .map(|(face, ways)| (face, W::small(ways)))
                .collect(),
            each: W::small(each),
            chance,
        }
    }

    /// Whether the result is the plain sum of all faces.
    fn is_sum(&self) -> bool {
        let settled = self.dice.has(Stage::Clamp)
            || self.dice.has(Stage::Keep)
            || self.dice.has(Stage::Count);
        !settled && !self.dice.die().has_symbols()
    }

    /// A face of a pool from the value of a die before clamps.
    fn pool_face(&self, value: i64, ways: W) -> PoolFace<W> {
        let dice = self.dice;
        let value = Clamps::new(dice.each()).clamped(dice.die().worth(value));
        let is_wanted = keep::is_wanted(dice.each(), |point| point.matches(value));
        let worth = || {
            if dice.counts() {
                successes(dice.each(), value)
            } else {
                value
            }
        };
        PoolFace {
            value,
            worth: if is_wanted { worth() } else { 0 },
            ways,
        }
    }

    /// A pool of dice with these faces, each worth `less` less.
    fn pool(&self, faces: &[(i64, W)], less: i64, count: usize) -> Result<Pool<W>, Stop> {
        let faces = faces
            .iter()
            .map(|(face, ways)| self.pool_face(face - less, ways.clone()));
        Pool::new(faces.collect(), count)
    }

    /// The ranks that are kept of so many dice.
    fn ranks(&self, count: usize) -> Range<usize> {
        keep::ranks(self.dice.each(), count).unwrap_or(0..count)
    }

    fn split(&self) -> (Weighted<W>, Weighted<W>) {
        let faces = self.dice.die().faces();
        let all = self.faces.iter().cloned();
        all.partition(|(face, _)| !explodes(self.dice.each(), faces, *face))
    }

    fn plain(&self, budget: &mut Budget) -> Result<Counted<W>, Stop> {
        let pool = self.pool(&self.faces, 0, self.count)?;
        let poly = pool
            .kept(self.ranks(self.count), budget)?
            .unwrap_or_else(Poly::unit);
        Ok((poly, power(&self.each, self.count)?))
    }

    /// What is kept of several pools together; `None` when there is no way.
    fn joined(&self, pools: &[Pool<W>], budget: &mut Budget) -> Result<Option<Poly<W>>, Stop> {
        let count: usize = pools.iter().map(|pool| pool.count).sum();
        let ranks = self.ranks(count);
        let mut used: Vec<&Pool<W>> = pools.iter().filter(|pool| pool.count > 0).collect();
        if used.iter().any(|pool| pool.faces.is_empty()) {
            return Ok(None);
        }
        used.sort_by_key(|pool| std::cmp::Reverse(pool.lowest()));
        let apart = used
            .windows(2)
            .all(|pair| matches!(pair, [upper, lower] if upper.lowest() >= lower.highest()));
        if apart || ranks == (0..count) {
            // No die of one pool outranks one of a pool before it: each keeps its ranks.
            let mut sum = Poly::unit();
            let mut start = 0;
            for pool in used {
                let end = start + pool.count;
                let inside = ranks.start.max(start)..ranks.end.min(end);
                let inside = if inside.is_empty() {
                    0..0
                } else {
                    inside.start - start..inside.end - start
                };
                let Some(kept) = pool.kept(inside, budget)? else {
                    return Ok(None);
                };
                sum = sum.convolve(&kept, budget)?;
                start = end;
            }
            return Ok(Some(sum));
        }
        match ranks.start == 0 || ranks.end == count {
            true => kept_of_mixed(pools, ranks.len(), ranks.start > 0, budget),
            false => middle(&used, &ranks, budget),
        }
    }

    /// The sums of what is kept, in all choices of so many faces: each falls in as many orders.
    pub(super) fn distinct(&self, budget: &mut Budget) -> Result<Counted<W>, Stop> {
        let mut faces: Vec<_> = self
            .dice
            .die()
            .faces()
            .iter()
            .map(|face| self.pool_face(face, W::small(1)))
            .collect();
        faces.sort_by_key(|face| std::cmp::Reverse(face.value));
        let kept = self.ranks(self.count);
        let ends = Pool::bounds(&faces, kept.len());
        // By the number of faces drawn so far, in how many ways; and the sums of those kept.
        let one = W::small(1);
        let mut ways = [vec![one.clone()], vec![W::small(0); self.count]].concat();
        let mut sums = [vec![Some(Poly::unit())], vec![None; self.count]].concat();
        for (place, face) in faces.iter().enumerate() {
            for drawn in (0..self.count.min(place + 1)).rev() {
                let (before, after) = sums.split_at_mut(drawn + 1);
                let (Some(Some(sum)), Some(next)) = (before.last(), after.first_mut()) else {
                    continue;
                };
                let adds = if kept.contains(&drawn) { face.worth } else { 0 };
                Poly::or_zero(next, ends, budget, 0)?.add_scaled(sum, adds, &one, budget)?;
                if let [.., before, after] = ways.get_mut(..drawn + 2).unwrap_or_default() {
                    after.plus(before).wide()?;
                }
            }
        }
        Ok((
            sums.pop().flatten().unwrap_or_else(Poly::unit),
            ways.pop().unwrap_or(one),
        ))
    }
}

fn power<W: Weight>(base: &W, exponent: usize) -> Result<W, Stop> {
    (0..exponent).try_fold(W::small(1), |power, _| power.times(base).wide())
}
