//! How a pool of dice can fall, in classes of ways that a check cannot distinguish.
//!
//! Dice are added one by one, and partial rolls that show the same ([`view`](super::view)) are
//! joined. So the work grows with the number of classes and not with the number of sequences:
//! twenty ten-sided dice of which successes are counted have 21 classes, and `10^20` ways. Each
//! class keeps one of its sequences of faces, which is then rolled, so that no rule is implemented
//! twice. For dice that explode see [`chains`].

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::chains;
use super::reads::Reads;
use super::view::{Die, PoolView, Shown};
use crate::language::checks::Count;
use crate::resolve::work::Work;
use rollbook_dice::odds::{Pool, PoolFace};

/// The most steps of adding dice.
const STEPS_MAX: usize = 2_000_000;

/// Copied faces that cost as much as a die.
const COPIED_A_DIE: usize = 8;

/// How a pool can fall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PoolClasses {
    /// One sequence of faces for each class, in the order of draws, with the ways of the class.
    pub classes: Vec<Handful<i64>>,
    /// The number of all ways; more than those of the classes where explosions are cut off.
    pub of: BigUint,
}

/// Some of the dice, and how many ways show the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Handful<F> {
    /// The faces of one of these ways, or their places in the pool.
    pub faces: Vec<F>,
    pub ways: BigUint,
}

/// Handfuls by what they show, with the places of their faces.
pub(super) type Handfuls = BTreeMap<Shown, Handful<usize>>;

impl<F> Handful<F> {
    /// No dice, in one way.
    pub fn none() -> Self {
        Self {
            faces: Vec::new(),
            ways: BigUint::from(1_u8),
        }
    }
}

/// The classes of a pool, of which these faces are kept and the other dice thrown. None when they
/// depend on the order of draws or on which dice are kept, or are too many.
pub(super) fn classes(
    pool: &Pool,
    stay: &[i64],
    reads: &Reads,
    count: Option<&Count>,
    work: &mut Work,
) -> Option<PoolClasses> {
    if !stay.is_empty()
        && (pool.chains.is_some() || pool.distinct || (reads.natural && pool.count > 1))
    {
        return None;
    }
    let mut table = Throwing {
        pool,
        seen: PoolView::new(pool, reads, count)?,
        left: STEPS_MAX,
        work,
    };
    match &pool.chains {
        Some(chains) => chains::chain_classes(&mut table, chains),
        None if pool.distinct => table.distinct(),
        None => {
            let faces = table.plain(0, |_| true);
            let (mut shown, mut start) = (table.seen.nothing(), Handful::none());
            for face in stay {
                let place = pool.faces.iter().position(|known| known.face == *face)?;
                shown = table.seen.with(&shown, &faces.get(place)?.0);
                start.faces.push(place);
            }
            let thrown = pool.count.checked_sub(stay.len())?;
            let all = table.thrown(BTreeMap::from([(shown, start)]), &faces, thrown)?;
            Some(PoolClasses::new(pool, all, pool.each().pow(power(thrown))))
        }
    }
}

impl PoolClasses {
    /// The handfuls of this pool, out of this many ways.
    pub fn new(pool: &Pool, all: Handfuls, of: BigUint) -> Self {
        let draws = |places: Vec<usize>| {
            places
                .into_iter()
                .flat_map(|place| pool.draws(place))
                .collect()
        };
        let classes = all.into_values().map(|handful| Handful {
            faces: draws(handful.faces),
            ways: handful.ways,
        });
        Self {
            classes: classes.collect(),
            of,
        }
    }
}

/// A face of the next die: the die with it, and its place in the pool with its ways.
pub(super) type Next = (Die, Handful<usize>);

/// A pool that is thrown die by die, and the work that is left.
pub(super) struct Throwing<'a> {
    pub pool: &'a Pool,
    pub seen: PoolView<'a>,
    left: usize,
    work: &'a mut Work,
}

impl Throwing<'_> {
    /// The wanted faces, each as a die that is worth this much less.
    pub fn plain(&self, less: i64, wanted: impl Fn(&PoolFace) -> bool) -> Vec<Next> {
        let faces = self
            .pool
            .faces
            .iter()
            .enumerate()
            .filter(|(_, face)| wanted(face));
        let next = |(place, face): (usize, &PoolFace)| {
            let one = Handful {
                faces: vec![place],
                ways: BigUint::from(face.weight),
            };
            (self.seen.die(face.face, face.face - less), one)
        };
        faces.map(next).collect()
    }

    /// No dice, in one way.
    pub fn none(&self) -> Handfuls {
        BTreeMap::from([(self.seen.nothing(), Handful::none())])
    }

    /// Adds this many dice.
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

    /// All dice of the pool, of which no two show the same face, in any order.
    fn distinct(&mut self) -> Option<PoolClasses> {
        // Handfuls by the number of their faces.
        let mut drawn = vec![Handfuls::new(); self.pool.count + 1];
        *drawn.first_mut()? = self.none();
        let cards = self.pool.faces.iter().zip(self.plain(0, |_| true));
        let cards = cards.flat_map(|(face, (die, one))| {
            (0..face.weight).map(move |_| (die.clone(), one.faces.clone()))
        });
        for (die, place) in cards {
            for many in (0..self.pool.count).rev() {
                let before = drawn.get(many)?.clone();
                self.pay(before.len(), 1, many)?;
                let next = drawn.get_mut(many + 1)?;
                for (shown, handful) in before {
                    add(
                        next,
                        self.seen.with(&shown, &die),
                        handful.ways,
                        handful.faces.iter().chain(&place),
                    );
                }
            }
        }
        let all = drawn.pop()?;
        let of = all.values().map(|handful| &handful.ways).sum();
        Some(PoolClasses::new(self.pool, all, of))
    }

    /// Every pair of handfuls.
    pub fn joined(&mut self, before: &Handfuls, after: &Handfuls) -> Option<Handfuls> {
        let copied = before
            .values()
            .chain(after.values())
            .map(|handful| handful.faces.len())
            .max()
            .unwrap_or(0);
        self.pay(before.len().saturating_mul(after.len()), 1, copied)?;
        Some(pairs(before, after.iter(), |one, other| {
            self.seen.both(one, other)
        }))
    }

    /// Takes steps; none when this many rounds, each at least as long as the last, are too many.
    pub fn pay(&mut self, steps: usize, rounds: usize, copied: usize) -> Option<()> {
        if steps.saturating_mul(rounds) > self.left {
            return None;
        }
        self.left -= steps;
        // Each step copies the faces so far, and compares those that are kept.
        let kept = self.seen.kept.map_or(0, |(many, _)| many.min(copied));
        let copied = steps.saturating_mul(1 + copied / COPIED_A_DIE + kept);
        self.work
            .take(u64::try_from(copied).unwrap_or(u64::MAX))
            .then_some(())
    }
}

/// Every pair of handfuls, by their joined key.
pub(super) fn pairs<'a, K, L, M: Ord, F: Copy + 'a>(
    before: &BTreeMap<K, Handful<F>>,
    after: impl Iterator<Item = (L, &'a Handful<F>)> + Clone,
    key: impl Fn(&K, &L) -> M,
) -> BTreeMap<M, Handful<F>> {
    let mut all = BTreeMap::new();
    for (known, handful) in before {
        for (other, more) in after.clone() {
            let faces = handful.faces.iter().chain(&more.faces);
            add(
                &mut all,
                key(known, &other),
                &handful.ways * &more.ways,
                faces,
            );
        }
    }
    all
}

/// Adds ways to a key.
pub(super) fn add<'f, K: Ord, F: Copy + 'f>(
    all: &mut BTreeMap<K, Handful<F>>,
    key: K,
    ways: BigUint,
    faces: impl Iterator<Item = &'f F>,
) {
    all.entry(key)
        .or_insert_with(|| Handful {
            faces: faces.copied().collect(),
            ways: BigUint::ZERO,
        })
        .ways += ways;
}

pub(super) fn power(exponent: usize) -> u32 {
    u32::try_from(exponent).unwrap_or(u32::MAX)
}
