//! How a pool of dice can fall, with everything that looks the same to a check taken together.
//!
//! Dice are added one after the other, and two beginnings that show the same are one from then on. So the work grows with
//! what can be told apart and not with the number of sequences: twenty ten-sided dice of which successes are counted have
//! 21 classes, and `10^20` ways. Each class keeps one sequence of faces that belongs to it, which is then rolled, so that no
//! rule is worked out in a second way.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::reads::Reads;
use super::work::Work;
use crate::dice::odds::{Kept, Pool, PoolFace};
use crate::rules::count::Count;

/// Steps that adding one die after the other may take; more is not tried.
const STEPS_MAX: usize = 2_000_000;

/// Faces that are copied while a die is thrown.
const COPIED_A_DIE: usize = 8;

/// Sequences of faces that look the same to a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Class {
    /// One of them, in the order of draws.
    pub faces: Vec<i64>,
    /// How many there are.
    pub ways: BigUint,
}

/// What can be seen of the dice so far; what a check does not look at stays at its default.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Shown {
    first: Option<i64>,
    sum: i64,
    highest: Option<i64>,
    lowest: Option<i64>,
    /// How many show each of the faces that are counted.
    faces: Vec<usize>,
    successes: i64,
    /// Value and face of the dice that would be kept, in order.
    kept: Vec<(i64, i64)>,
}

/// The classes of a pool; none when they depend on the order of draws in a way that is not followed, or are too many.
pub(super) fn classes(pool: &Pool, reads: &Reads, count: Option<&Count>, work: &mut Work) -> Option<Vec<Class>> {
    let seen = Seen::of(pool, reads, count)?;
    let mut all = BTreeMap::from([(seen.nothing(), Class { faces: Vec::new(), ways: BigUint::from(1_u8) })]);
    let mut steps = 0_usize;
    for die in 0..pool.count {
        let now = all.len().saturating_mul(pool.faces.len());
        steps = steps.saturating_add(now);
        // Each step copies the faces so far, and compares those that are kept.
        let kept = seen.kept.map_or(0, |(many, _)| many.min(die));
        let copied = now.saturating_mul(1 + die / COPIED_A_DIE + kept);
        if steps > STEPS_MAX || !work.take(u64::try_from(copied).unwrap_or(u64::MAX)) {
            return None;
        }
        let mut next: BTreeMap<Shown, Class> = BTreeMap::new();
        for (shown, class) in &all {
            for face in &pool.faces {
                let ways = &class.ways * face.weight;
                next.entry(seen.with(shown, face)).and_modify(|known| known.ways += &ways).or_insert_with(|| {
                    let faces = class.faces.iter().copied().chain([face.face]).collect();
                    Class { faces, ways }
                });
            }
        }
        all = next;
    }
    Some(all.into_values().collect())
}

/// What of a pool is seen.
struct Seen<'a> {
    /// What is looked at, as far as it can be told die by die.
    reads: &'a Reads,
    count: Option<&'a Count>,
    total: bool,
    /// How many dice are told apart because they may be kept, and whether the highest are.
    kept: Option<(usize, bool)>,
}

impl<'a> Seen<'a> {
    fn of(pool: &Pool, reads: &'a Reads, count: Option<&'a Count>) -> Option<Self> {
        let total = reads.total || (pool.grouped && (reads.natural || reads.highest || reads.lowest));
        let of_kept = total || reads.natural || reads.highest || reads.lowest;
        let kept = match pool.kept {
            _ if !of_kept => None,
            Kept::All => None,
            Kept::Highest(many) => Some((many, true)),
            Kept::Lowest(many) => Some((many, false)),
            Kept::Somehow => Some((pool.count, true)),
        };
        let exact = pool.faces.iter().all(|face| face.face == face.value);
        let first_is_known = match kept {
            _ if pool.count <= 1 => true,
            None => !pool.sorted,
            // Of equal dice it is the same face whichever is kept.
            Some((many, _)) => many == 1 && exact,
        };
        (!reads.natural || first_is_known).then_some(Self { reads, count, total, kept })
    }

    fn nothing(&self) -> Shown {
        Shown { faces: vec![0; self.reads.faces.len()], ..Shown::default() }
    }

    fn with(&self, before: &Shown, face: &PoolFace) -> Shown {
        let mut shown = before.clone();
        for (wanted, many) in self.reads.faces.iter().zip(&mut shown.faces) {
            *many += usize::from(*wanted == face.face);
        }
        if self.reads.successes {
            let worth = self.count.map_or(0, |count| count.successes(&[], &[face.face]));
            shown.successes = shown.successes.saturating_add(worth);
        }
        if let Some((many, highest)) = self.kept {
            let die = (face.value, face.face);
            let at = shown.kept.partition_point(|own| if highest { *own >= die } else { *own <= die });
            shown.kept.insert(at, die);
            shown.kept.truncate(many);
            return shown;
        }
        if self.reads.natural {
            shown.first = shown.first.or(Some(face.face));
        }
        if self.total {
            shown.sum = shown.sum.saturating_add(face.adds);
        }
        if self.reads.highest {
            shown.highest = shown.highest.max(Some(face.value));
        }
        if self.reads.lowest {
            shown.lowest = Some(shown.lowest.map_or(face.value, |lowest| lowest.min(face.value)));
        }
        shown
    }
}

/// The classes of dice of which each by itself is looked at, in whatever order.
pub(super) fn each_die(pool: &Pool, work: &mut Work) -> Option<Vec<Class>> {
    let faces = pool.faces.iter().map(|face| face.face).collect();
    classes(pool, &Reads { faces, ..Reads::default() }, None, work)
}
