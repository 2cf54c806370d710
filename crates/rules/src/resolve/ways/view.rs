//! What a check sees of some of a pool's dice. Handfuls that show the same are joined.

use super::reads::{EACH, Reads};
use crate::language::checks::Count;
use rollbook_dice::odds::{Extra, Kept, Pool};

/// What is seen of the dice so far. What a check does not read is at its default.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Shown {
    first: Option<i64>,
    /// The total, the number of dice, the successes, the dice that show each counted face (up to
    /// the number from which more make no difference), each count of symbols.
    sums: Vec<i64>,
    /// The highest dice that are read, in order.
    highest: Vec<i64>,
    lowest: Option<i64>,
    /// Value and number of the dice that would be kept, in order.
    kept: Vec<(i64, Option<i64>)>,
}

/// A thrown die.
#[derive(Debug, Clone)]
pub(super) struct Die {
    /// Its number, unless it shows symbols only.
    number: Option<i64>,
    value: i64,
    /// What it adds to each sum.
    adds: Vec<i64>,
}

/// What is seen of a pool.
pub(super) struct PoolView<'a> {
    pub reads: &'a Reads,
    pool: &'a Pool,
    count: Option<&'a Count>,
    total: bool,
    dice: bool,
    /// How many dice are seen singly because they may be kept, and whether they are the highest.
    pub kept: Option<(usize, bool)>,
    /// The number of each sum from which more make no difference.
    ends: Vec<i64>,
}

impl<'a> PoolView<'a> {
    /// None when the verdict depends, in a way not followed, on the order of draws or kept dice.
    pub fn new(pool: &'a Pool, reads: &'a Reads, count: Option<&'a Count>) -> Option<Self> {
        let has_symbols = !reads.symbols.is_empty()
            && pool
                .faces
                .iter()
                .any(|face| !pool.symbols(face.face).is_empty());
        if (reads.chains && pool.chains.is_some()) || (has_symbols && pool.kept != Kept::All) {
            return None;
        }
        let grows = pool
            .chains
            .is_some_and(|chains| chains.extra != Extra::Part);
        let each = reads.highest == EACH || reads.dominates;
        let of_kept = reads.natural || reads.highest > 0 || reads.lowest || reads.successes;
        let total = reads.total || (pool.grouped && (of_kept || each));
        let kept = match pool.kept {
            _ if each && grows => return None,
            _ if each => Some((pool.count, true)),
            _ if !total && !of_kept => None,
            Kept::All => None,
            Kept::Highest(many) => Some((many, true)),
            Kept::Lowest(many) => Some((many, false)),
            Kept::Somehow if grows => return None,
            Kept::Somehow => Some((pool.count, true)),
        };
        let exact = pool
            .faces
            .iter()
            .all(|face| pool.worth(face.face).0 == pool.number(face.face).unwrap_or(0));
        let exact = exact
            && pool
                .chains
                .is_none_or(|chains| chains.extra != Extra::Part && chains.less == 0);
        // Between dice of equal value and different numbers it is unknown which is kept.
        if reads.successes && pool.kept != Kept::All && !exact {
            return None;
        }
        let first_is_known = match kept {
            _ if pool.count <= 1 && !grows => true,
            _ if pool.distinct => false,
            None => !pool.sorted,
            // Equal dice have the same face, whichever is kept.
            Some((many, _)) => many == 1 && exact,
        };
        let faces = reads
            .faces
            .values()
            .map(|most| i64::try_from(*most).unwrap_or(i64::MAX));
        let ends = [i64::MAX; 3]
            .into_iter()
            .chain(faces)
            .chain(reads.symbols.iter().map(|_| i64::MAX))
            .collect();
        let dice = reads.dice && grows;
        (!reads.natural || first_is_known).then_some(Self {
            reads,
            pool,
            count,
            total,
            dice,
            kept,
            ends,
        })
    }

    /// A die that shows this face, with this sum of its faces.
    pub fn die(&self, face: i64, sum: i64) -> Die {
        let ((value, adds), number) = (self.pool.worth(sum), self.pool.number(face));
        let successes = self
            .count
            .filter(|_| self.reads.successes)
            .map_or(0, |count| count.successes(number.as_slice()));
        let total = if self.total && self.kept.is_none() {
            adds
        } else {
            0
        };
        let faces = self
            .reads
            .faces
            .keys()
            .map(|face| i64::from(number == Some(*face)));
        let shown = self.pool.symbols(face);
        let many = |letter: char| i64::try_from(shown.matches(letter).count()).unwrap_or(i64::MAX);
        let symbols = self.reads.symbols.iter().map(|count| {
            count
                .iter()
                .map(|(letter, each)| each * many(*letter))
                .sum()
        });
        let adds = [total, i64::from(self.dice), successes]
            .into_iter()
            .chain(faces)
            .chain(symbols)
            .collect();
        Die {
            number,
            value,
            adds,
        }
    }

    pub fn nothing(&self) -> Shown {
        Shown {
            sums: vec![0; self.ends.len()],
            ..Shown::default()
        }
    }

    /// One more die, after those so far.
    pub fn with(&self, before: &Shown, die: &Die) -> Shown {
        let mut shown = before.clone();
        self.add(&mut shown.sums, &die.adds);
        if let Some((many, highest)) = self.kept {
            insert(&mut shown.kept, (die.value, die.number), many, highest);
            return shown;
        }
        if self.reads.natural {
            shown.first = shown.first.or(Some(die.number.unwrap_or(0)));
        }
        insert(&mut shown.highest, die.value, self.reads.highest, true);
        if self.reads.lowest {
            shown.lowest = Some(
                shown
                    .lowest
                    .map_or(die.value, |lowest| lowest.min(die.value)),
            );
        }
        shown
    }

    /// Two handfuls, the one drawn before the other.
    pub fn both(&self, before: &Shown, after: &Shown) -> Shown {
        let mut shown = before.clone();
        self.add(&mut shown.sums, &after.sums);
        if let Some((many, highest)) = self.kept {
            after
                .kept
                .iter()
                .for_each(|die| insert(&mut shown.kept, *die, many, highest));
        }
        shown.first = shown.first.or(after.first);
        after
            .highest
            .iter()
            .for_each(|value| insert(&mut shown.highest, *value, self.reads.highest, true));
        shown.lowest = shown.lowest.into_iter().chain(after.lowest).min();
        shown
    }

    fn add(&self, sums: &mut [i64], adds: &[i64]) {
        for ((sum, more), end) in sums.iter_mut().zip(adds).zip(&self.ends) {
            *sum = sum.saturating_add(*more).min(*end);
        }
    }
}

/// Inserts one in order, and keeps at most `many`.
fn insert<T: Ord>(kept: &mut Vec<T>, one: T, many: usize, highest: bool) {
    let at = kept.partition_point(|other| {
        if highest {
            *other >= one
        } else {
            *other <= one
        }
    });
    kept.insert(at, one);
    kept.truncate(many);
}
