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
use crate::dice::odds::{Pool, PoolFace};
use crate::rules::language::checks::Count;
use crate::rules::resolve::work::Work;

/// Steps that adding one die after the other may take; more is not tried.
const STEPS_MAX: usize = 2_000_000;

/// Faces that are copied while a die is thrown.
const COPIED_A_DIE: usize = 8;

/// How a pool can fall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Falls {
    pub classes: Vec<Class>,
    /// All ways; more than those of the classes where explosions were cut off.
    pub of: BigUint,
}

/// Sequences of faces that look the same to a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Class {
    /// One of them, in the order of draws.
    pub faces: Vec<i64>,
    /// How many there are.
    pub ways: BigUint,
}

/// Some of the dice: places of their faces in the pool, and in how many ways they show the same.
#[derive(Debug, Clone)]
pub(super) struct Handful {
    pub places: Vec<usize>,
    pub ways: BigUint,
}

/// Handfuls by what they show.
pub(super) type Handfuls = BTreeMap<Shown, Handful>;

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
            let mut start = Handful { places: Vec::new(), ways: BigUint::from(1_u8) };
            let mut shown = table.seen.nothing();
            for face in stay {
                let (place, die, _) =
                    faces.iter().find(|(place, ..)| pool.faces.get(*place).is_some_and(|own| own.face == *face))?;
                shown = table.seen.with(&shown, die);
                start.places.push(*place);
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
        let draws = |handful: &Handful| handful.places.iter().flat_map(|place| pool.draws(*place)).collect();
        let classes = all.into_values().map(|own| Class { faces: draws(&own), ways: own.ways });
        Self { classes: classes.collect(), of }
    }
}

/// A face that may come next: its place in the pool, the die with it, and its ways.
pub(super) type Next = (usize, Die, BigUint);

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
            (place, self.seen.die(face.face, face.face - less), BigUint::from(face.weight))
        };
        faces.map(next).collect()
    }

    /// No dice, in one way.
    pub fn none(&self) -> Handfuls {
        BTreeMap::from([(self.seen.nothing(), Handful { places: Vec::new(), ways: BigUint::from(1_u8) })])
    }

    /// So many dice more.
    pub fn thrown(&mut self, before: Handfuls, faces: &[Next], dice: usize) -> Option<Handfuls> {
        let mut all = before;
        for die in 0..dice {
            let copied = all.values().next().map_or(0, |handful| handful.places.len());
            self.pay(all.len().saturating_mul(faces.len()), dice - die, copied)?;
            let mut next = Handfuls::new();
            for (shown, handful) in &all {
                for (place, die, weight) in faces {
                    let places = handful.places.iter().copied().chain([*place]);
                    add(&mut next, self.seen.with(shown, die), &handful.ways * weight, places);
                }
            }
            all = next;
        }
        Some(all)
    }

    /// So many faces of which none falls twice, in whatever order.
    fn distinct(&mut self) -> Option<Falls> {
        // By the number of faces so far.
        let mut drawn = vec![Handfuls::new(); self.pool.count + 1];
        *drawn.first_mut()? = self.none();
        for (place, die, _) in self.plain(0, |_| true) {
            let copies = self.pool.faces.get(place).map_or(0, |face| face.weight);
            for (_, many) in (0..copies).flat_map(|copy| (0..self.pool.count).rev().map(move |many| (copy, many))) {
                let before = drawn.get(many)?.clone();
                self.pay(before.len(), 1, many)?;
                let next = drawn.get_mut(many + 1)?;
                for (shown, handful) in before {
                    add(next, self.seen.with(&shown, &die), handful.ways, handful.places.into_iter().chain([place]));
                }
            }
        }
        let all = drawn.pop()?;
        let of = all.values().map(|handful| &handful.ways).sum();
        Some(Falls::of(self.pool, all, of))
    }

    /// Every two handfuls together.
    pub fn joined(&mut self, before: &Handfuls, after: &Handfuls) -> Option<Handfuls> {
        let copied = before.values().chain(after.values()).map(|handful| handful.places.len()).max().unwrap_or(0);
        self.pay(before.len().saturating_mul(after.len()), 1, copied)?;
        let mut all = Handfuls::new();
        for (first, handful) in before {
            for (second, more) in after {
                let places = handful.places.iter().chain(&more.places).copied();
                add(&mut all, self.seen.both(first, second), &handful.ways * &more.ways, places);
            }
        }
        Some(all)
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

/// Adds ways to show the same.
pub(super) fn add(all: &mut Handfuls, shown: Shown, ways: BigUint, places: impl Iterator<Item = usize>) {
    match all.get_mut(&shown) {
        Some(known) => known.ways += ways,
        None => drop(all.insert(shown, Handful { places: places.collect(), ways })),
    }
}

pub(super) fn power(exponent: usize) -> u32 {
    u32::try_from(exponent).unwrap_or(u32::MAX)
}
