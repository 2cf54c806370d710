//! What a check sees of some of a pool's dice: two handfuls that show the same are one from then on.

use std::collections::BTreeMap;

use super::reads::{EACH, Reads, SymbolCount};
use crate::dice::odds::{Extra, Kept, Pool};
use crate::rules::language::checks::Count;

/// What can be seen of the dice so far; what a check does not look at stays at its default.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Shown {
    pub first: Option<i64>,
    sum: i64,
    /// The highest dice that are looked at, in order.
    highest: Vec<i64>,
    lowest: Option<i64>,
    /// How many dice there are.
    dice: usize,
    /// How many show each of the faces that are counted, up to the number from which that does not matter.
    faces: Vec<usize>,
    successes: i64,
    /// Value and number of the dice that would be kept, in order.
    kept: Vec<(i64, Option<i64>)>,
    /// What the symbols of each count come to.
    symbols: Vec<i64>,
}

/// A die that has fallen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Die {
    /// The face that falls.
    pub face: i64,
    /// The number on it, which is what a check sees of it beside its symbols; none of symbols alone.
    pub number: Option<i64>,
    /// What it is worth.
    pub value: i64,
    /// What it adds to the total while it is kept.
    pub adds: i64,
}

impl Die {
    /// Of this pool, where it comes to so much by its faces.
    pub fn of(pool: &Pool, face: i64, sum: i64) -> Self {
        let (value, adds) = pool.worth(sum);
        Self { face, number: pool.number(face), value, adds }
    }
}

/// What of a pool is seen.
pub(super) struct Seen<'a> {
    /// What is looked at, as far as it can be told die by die.
    pub reads: &'a Reads,
    count: Option<&'a Count>,
    total: bool,
    dice: bool,
    /// How many dice are told apart because they may be kept, and whether the highest are.
    pub kept: Option<(usize, bool)>,
    /// What each face adds to each count of symbols; empty where no die has one.
    symbols: BTreeMap<i64, Vec<i64>>,
}

impl<'a> Seen<'a> {
    /// None when it depends on the order of draws, or on which dice are kept, in a way that is not followed.
    pub fn of(pool: &Pool, reads: &'a Reads, count: Option<&'a Count>) -> Option<Self> {
        let symbols = symbols(pool, reads);
        if (reads.chains && pool.chains.is_some()) || (!symbols.is_empty() && pool.kept != Kept::All) {
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
        (!reads.natural || first_is_known).then_some(Self {
            reads,
            count,
            total,
            dice: reads.dice && grows,
            kept,
            symbols,
        })
    }

    pub fn nothing(&self) -> Shown {
        let symbols = self.symbols.values().next().map_or_else(Vec::new, |counts| vec![0; counts.len()]);
        Shown { faces: vec![0; self.reads.faces.len()], symbols, ..Shown::default() }
    }

    /// One more die, after those so far.
    pub fn with(&self, before: &Shown, die: Die) -> Shown {
        let mut shown = before.clone();
        shown.dice += usize::from(self.dice);
        for ((wanted, most), many) in self.reads.faces.iter().zip(&mut shown.faces) {
            *many = (*many + usize::from(Some(*wanted) == die.number)).min(*most);
        }
        if self.reads.successes {
            let worth = self.count.map_or(0, |count| count.successes(die.number.as_slice()));
            shown.successes = shown.successes.saturating_add(worth);
        }
        for (sum, adds) in shown.symbols.iter_mut().zip(self.symbols.get(&die.face).into_iter().flatten()) {
            *sum += adds;
        }
        if let Some((many, highest)) = self.kept {
            insert(&mut shown.kept, (die.value, die.number), many, highest);
            return shown;
        }
        if self.reads.natural {
            shown.first = shown.first.or(Some(die.number.unwrap_or(0)));
        }
        if self.total {
            shown.sum = shown.sum.saturating_add(die.adds);
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
        shown.dice += after.dice;
        for ((most, many), more) in self.reads.faces.values().zip(&mut shown.faces).zip(&after.faces) {
            *many = (*many + more).min(*most);
        }
        shown.successes = shown.successes.saturating_add(after.successes);
        shown.symbols.iter_mut().zip(&after.symbols).for_each(|(sum, more)| *sum += more);
        if let Some((many, highest)) = self.kept {
            after.kept.iter().for_each(|die| insert(&mut shown.kept, *die, many, highest));
        }
        shown.first = shown.first.or(after.first);
        shown.sum = shown.sum.saturating_add(after.sum);
        after.highest.iter().for_each(|value| insert(&mut shown.highest, *value, self.reads.highest, true));
        shown.lowest = match (shown.lowest, after.lowest) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        shown
    }
}

/// Puts one among those that are kept of it and the others, of which there are so many.
fn insert<T: Ord>(kept: &mut Vec<T>, one: T, many: usize, highest: bool) {
    let at = kept.partition_point(|own| if highest { *own >= one } else { *own <= one });
    kept.insert(at, one);
    kept.truncate(many);
}

/// What each face of a pool adds to what is counted of symbols.
fn symbols(pool: &Pool, reads: &Reads) -> BTreeMap<i64, Vec<i64>> {
    if reads.symbols.is_empty() || pool.faces.iter().all(|face| pool.symbols(face.face).is_empty()) {
        return BTreeMap::new();
    }
    let on = |face: i64, letter: char| {
        i64::try_from(pool.symbols(face).chars().filter(|own| *own == letter).count()).unwrap_or(i64::MAX)
    };
    let adds = |face: i64| {
        let of = |count: &SymbolCount| count.iter().map(|(letter, each)| each * on(face, *letter)).sum();
        reads.symbols.iter().map(of).collect()
    };
    pool.faces.iter().map(|face| (face.face, adds(face.face))).collect()
}
