//! What a check sees of some of a pool's dice: two handfuls that show the same are one from then on.

use super::reads::{EACH, Reads};
use crate::language::checks::Count;
use rollbook_dice::odds::{Extra, Kept, Pool};

/// What can be seen of the dice so far; what a check does not look at stays at its default.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Shown {
    first: Option<i64>,
    /// What each die adds, added up: to the total, to the number of dice, to the successes, to the dice that show a face that is counted
    /// (up to the number from which that does not matter), to each count of symbols.
    sums: Vec<i64>,
    /// The highest dice that are looked at, in order.
    highest: Vec<i64>,
    lowest: Option<i64>,
    /// Value and number of the dice that would be kept, in order.
    kept: Vec<(i64, Option<i64>)>,
}

/// A die that has fallen.
#[derive(Debug, Clone)]
pub(super) struct Die {
    /// The number on it, which is what a check sees of it beside its symbols; none of symbols alone.
    number: Option<i64>,
    /// What it is worth.
    value: i64,
    /// What it adds to each sum.
    adds: Vec<i64>,
}

/// What of a pool is seen.
pub(super) struct Seen<'a> {
    /// What is looked at, as far as it can be told die by die.
    pub reads: &'a Reads,
    pool: &'a Pool,
    count: Option<&'a Count>,
    total: bool,
    dice: bool,
    /// How many dice are told apart because they may be kept, and whether the highest are.
    pub kept: Option<(usize, bool)>,
    /// How far each sum matters.
    ends: Vec<i64>,
}

impl<'a> Seen<'a> {
    /// None when it depends on the order of draws, or on which dice are kept, in a way that is not followed.
    pub fn of(pool: &'a Pool, reads: &'a Reads, count: Option<&'a Count>) -> Option<Self> {
        let has_symbols =
            !reads.symbols.is_empty() && pool.faces.iter().any(|face| !pool.symbols(face.face).is_empty());
        if (reads.chains && pool.chains.is_some()) || (has_symbols && pool.kept != Kept::All) {
            return None;
        }
        let grows = pool.chains.is_some_and(|chains| chains.extra != Extra::Part);
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
        let exact = pool.faces.iter().all(|face| pool.worth(face.face).0 == pool.number(face.face).unwrap_or(0));
        let exact = exact && pool.chains.is_none_or(|chains| chains.extra != Extra::Part && chains.less == 0);
        // Of dice that are worth the same and show other numbers it is not known which is kept.
        if reads.successes && pool.kept != Kept::All && !exact {
            return None;
        }
        let first_is_known = match kept {
            _ if pool.count <= 1 && !grows => true,
            _ if pool.distinct => false,
            None => !pool.sorted,
            // Of equal dice it is the same face whichever is kept.
            Some((many, _)) => many == 1 && exact,
        };
        let faces = reads.faces.values().map(|most| i64::try_from(*most).unwrap_or(i64::MAX));
        let ends = [i64::MAX; 3].into_iter().chain(faces).chain(reads.symbols.iter().map(|_| i64::MAX)).collect();
        let dice = reads.dice && grows;
        (!reads.natural || first_is_known).then_some(Self { reads, pool, count, total, dice, kept, ends })
    }

    /// A die that shows this face and comes to so much by its faces.
    pub fn die(&self, face: i64, sum: i64) -> Die {
        let ((value, adds), number) = (self.pool.worth(sum), self.pool.number(face));
        let successes = self.count.filter(|_| self.reads.successes).map_or(0, |own| own.successes(number.as_slice()));
        let total = if self.total && self.kept.is_none() { adds } else { 0 };
        let faces = self.reads.faces.keys().map(|own| i64::from(number == Some(*own)));
        let shown = self.pool.symbols(face);
        let many = |letter: char| i64::try_from(shown.matches(letter).count()).unwrap_or(i64::MAX);
        let symbols = self.reads.symbols.iter().map(|own| own.iter().map(|(own, each)| each * many(*own)).sum());
        let adds = [total, i64::from(self.dice), successes].into_iter().chain(faces).chain(symbols).collect();
        Die { number, value, adds }
    }

    pub fn nothing(&self) -> Shown {
        Shown { sums: vec![0; self.ends.len()], ..Shown::default() }
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
            shown.lowest = Some(shown.lowest.map_or(die.value, |lowest| lowest.min(die.value)));
        }
        shown
    }

    /// Two handfuls, the one drawn before the other.
    pub fn both(&self, before: &Shown, after: &Shown) -> Shown {
        let mut shown = before.clone();
        self.add(&mut shown.sums, &after.sums);
        if let Some((many, highest)) = self.kept {
            after.kept.iter().for_each(|die| insert(&mut shown.kept, *die, many, highest));
        }
        shown.first = shown.first.or(after.first);
        after.highest.iter().for_each(|value| insert(&mut shown.highest, *value, self.reads.highest, true));
        shown.lowest = shown.lowest.into_iter().chain(after.lowest).min();
        shown
    }

    fn add(&self, sums: &mut [i64], adds: &[i64]) {
        for ((sum, more), end) in sums.iter_mut().zip(adds).zip(&self.ends) {
            *sum = sum.saturating_add(*more).min(*end);
        }
    }
}

/// Puts one among those that are kept of it and the others, of which there are so many.
fn insert<T: Ord>(kept: &mut Vec<T>, one: T, many: usize, highest: bool) {
    let at = kept.partition_point(|own| if highest { *own >= one } else { *own <= one });
    kept.insert(at, one);
    kept.truncate(many);
}
