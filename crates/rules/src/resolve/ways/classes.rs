//! How a pool of dice can fall, with everything that looks the same to a check taken together.
//!
//! Dice are added one after the other, and two beginnings that show the same ([`seen`](super::seen)) are one from then on. So
//! the work grows with what can be told apart and not with the number of sequences: twenty ten-sided dice of which successes
//! are counted have 21 classes, and `10^20` ways. Each class keeps one sequence of faces that belongs to it, which is then
//! rolled, so that no rule is worked out in a second way. For dice that explode see [`chains`].

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::chains;
use super::reads::Reads;
use super::seen::{Die, Seen, Shown};
use crate::language::checks::Count;
use crate::resolve::work::Work;
use rollbook_dice::odds::{Pool, PoolFace};

/// Steps that adding one die after the other may take; more is not tried.
const STEPS_MAX: usize = 2_000_000;

/// Faces that are copied while a die is thrown.
const COPIED_A_DIE: usize = 8;

/// How a pool can fall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Falls {
    /// Sequences of faces that look the same to a check: one of them, in the order of draws.
    pub classes: Vec<Handful<i64>>,
    /// All ways; more than those of the classes where explosions were cut off.
    pub of: BigUint,
}

/// Some of the dice, and in how many ways they show the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Handful<F> {
    /// Their faces in one of these ways, or the places of these in the pool.
    pub faces: Vec<F>,
    pub ways: BigUint,
}

/// Handfuls by what they show, with the places of their faces.
pub(super) type Handfuls = BTreeMap<Shown, Handful<usize>>;

impl<F> Handful<F> {
    /// No dice, in one way.
    pub fn none() -> Self {
        Self { faces: Vec::new(), ways: BigUint::from(1_u8) }
    }
}

/// The classes of a pool of which some dice stay as they lie, and the others are thrown. None when they depend on the order of draws
/// or on which of the dice stay, or are too many.
pub(super) fn classes(
    pool: &Pool,
    stay: &[i64],
    reads: &Reads,
    count: Option<&Count>,
    work: &mut Work,
) -> Option<Falls> {
    if !stay.is_empty() && (pool.chains.is_some() || pool.distinct || (reads.natural && pool.count > 1)) {
        return None;
    }
    let mut table = Throwing { pool, seen: Seen::of(pool, reads, count)?, left: STEPS_MAX, work };
    match &pool.chains {
        Some(chains) => chains::falls(&mut table, chains),
        None if pool.distinct => table.distinct(),
        None => {
            let faces = table.plain(0, |_| true);
            let (mut shown, mut start) = (table.seen.nothing(), Handful::none());
            for face in stay {
                let place = pool.faces.iter().position(|own| own.face == *face)?;
                shown = table.seen.with(&shown, &faces.get(place)?.0);
                start.faces.push(place);
            }
            let thrown = pool.count.checked_sub(stay.len())?;
            let all = table.thrown(BTreeMap::from([(shown, start)]), &faces, thrown)?;
            Some(Falls::of(pool, all, pool.each().pow(power(thrown))))
        }
    }
}

impl Falls {
    /// Handfuls of this pool, of so many ways.
    pub fn of(pool: &Pool, all: Handfuls, of: BigUint) -> Self {
        let draws = |places: Vec<usize>| places.into_iter().flat_map(|place| pool.draws(place)).collect();
        let classes = all.into_values().map(|own| Handful { faces: draws(own.faces), ways: own.ways });
        Self { classes: classes.collect(), of }
    }
}

/// A face that may come next: the die with it, its place in the pool, and its ways.
pub(super) type Next = (Die, Handful<usize>);

/// A pool that is thrown die by die, and what that may still cost.
pub(super) struct Throwing<'a> {
    pub pool: &'a Pool,
    pub seen: Seen<'a>,
    left: usize,
    work: &'a mut Work,
}

impl Throwing<'_> {
    /// The faces that are wanted, each of a die of its own that is worth so much less.
    pub fn plain(&self, less: i64, wanted: impl Fn(&PoolFace) -> bool) -> Vec<Next> {
        let faces = self.pool.faces.iter().enumerate().filter(|(_, face)| wanted(face));
        let next = |(place, face): (usize, &PoolFace)| {
            let one = Handful { faces: vec![place], ways: BigUint::from(face.weight) };
            (self.seen.die(face.face, face.face - less), one)
        };
        faces.map(next).collect()
    }

    /// No dice, in one way.
    pub fn none(&self) -> Handfuls {
        BTreeMap::from([(self.seen.nothing(), Handful::none())])
    }

    /// So many dice more.
    pub fn thrown(&mut self, before: Handfuls, faces: &[Next], dice: usize) -> Option<Handfuls> {
        let mut all = before;
        for die in 0..dice {
            let copied = all.values().next().map_or(0, |handful| handful.faces.len());
            self.pay(all.len().saturating_mul(faces.len()), dice - die, copied)?;
            let each = faces.iter().map(|(die, one)| (die, one));
            all = pairs(&all, each, |shown, die| self.seen.with(shown, die));
        }
        Some(all)
    }

    /// So many faces of which none falls twice, in whatever order.
    fn distinct(&mut self) -> Option<Falls> {
        // By the number of faces so far.
        let mut drawn = vec![Handfuls::new(); self.pool.count + 1];
        *drawn.first_mut()? = self.none();
        let cards = self.pool.faces.iter().zip(self.plain(0, |_| true));
        let cards =
            cards.flat_map(|(face, (die, one))| (0..face.weight).map(move |_| (die.clone(), one.faces.clone())));
        for (die, place) in cards {
            for many in (0..self.pool.count).rev() {
                let before = drawn.get(many)?.clone();
                self.pay(before.len(), 1, many)?;
                let next = drawn.get_mut(many + 1)?;
                for (shown, handful) in before {
                    add(next, self.seen.with(&shown, &die), handful.ways, handful.faces.iter().chain(&place));
                }
            }
        }
        let all = drawn.pop()?;
        let of = all.values().map(|handful| &handful.ways).sum();
        Some(Falls::of(self.pool, all, of))
    }

    /// Every two handfuls together.
    pub fn joined(&mut self, before: &Handfuls, after: &Handfuls) -> Option<Handfuls> {
        let copied = before.values().chain(after.values()).map(|handful| handful.faces.len()).max().unwrap_or(0);
        self.pay(before.len().saturating_mul(after.len()), 1, copied)?;
        Some(pairs(before, after.iter(), |one, other| self.seen.both(one, other)))
    }

    /// Takes off so many steps; none when so many rounds of them, of which none is shorter than the one before, are too many.
    pub fn pay(&mut self, steps: usize, rounds: usize, copied: usize) -> Option<()> {
        if steps.saturating_mul(rounds) > self.left {
            return None;
        }
        self.left -= steps;
        // Each step copies the faces so far, and compares those that are kept.
        let kept = self.seen.kept.map_or(0, |(many, _)| many.min(copied));
        let copied = steps.saturating_mul(1 + copied / COPIED_A_DIE + kept);
        self.work.take(u64::try_from(copied).unwrap_or(u64::MAX)).then_some(())
    }
}

/// Every two handfuls together, by what is then known.
pub(super) fn pairs<'a, K, L, M: Ord, F: Copy + 'a>(
    before: &BTreeMap<K, Handful<F>>,
    after: impl Iterator<Item = (L, &'a Handful<F>)> + Clone,
    key: impl Fn(&K, &L) -> M,
) -> BTreeMap<M, Handful<F>> {
    let mut all = BTreeMap::new();
    for (known, handful) in before {
        for (other, more) in after.clone() {
            let faces = handful.faces.iter().chain(&more.faces);
            add(&mut all, key(known, &other), &handful.ways * &more.ways, faces);
        }
    }
    all
}

/// Adds ways to show the same.
pub(super) fn add<'f, K: Ord, F: Copy + 'f>(
    all: &mut BTreeMap<K, Handful<F>>,
    key: K,
    ways: BigUint,
    faces: impl Iterator<Item = &'f F>,
) {
    all.entry(key).or_insert_with(|| Handful { faces: faces.copied().collect(), ways: BigUint::ZERO }).ways += ways;
}

pub(super) fn power(exponent: usize) -> u32 {
    u32::try_from(exponent).unwrap_or(u32::MAX)
}
