//! Symbols of several kinds of dice: where a check looks at nothing else, all that come to the same are one.
//!
//! What cancels is counted as one number ([`Reads::symbols`]), so that it can be added up pool by pool.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::classes::{Class, Falls};
use super::reads::Reads;
use super::seen::symbols;
use crate::dice::odds::{Kept, Pool};
use crate::rules::language::checks::Check;
use crate::rules::resolve::work::Work;

/// Pairs of what fell so far and how the next pool falls.
const PAIRS_MAX: usize = 2_000_000;
/// Pairs that take as much as a die that is thrown.
const PAIRS_A_DIE: usize = 4;

impl Check {
    /// The pools as one, where only their symbols are looked at; as they are where something else is, too.
    pub(super) fn symbols_together(
        &self,
        reads: &Reads,
        (own, falls): (&[Pool], Vec<Falls>),
        work: &mut Work,
    ) -> Vec<Falls> {
        let only = Reads { symbols: reads.symbols.clone(), total: reads.total, ..Reads::default() };
        let plain = |pool: &Pool| {
            let worthless = !reads.total || pool.faces.iter().all(|face| pool.worth(face.face).1 == 0);
            worthless && pool.kept == Kept::All && pool.chains.is_none() && pool.is_drawn_once()
        };
        if reads.symbols.is_empty() || *reads != only || own.len() < 2 || !own.iter().all(plain) {
            return falls;
        }
        let nothing = vec![0_i64; reads.symbols.len()];
        let mut sums: BTreeMap<Vec<i64>, (BigUint, Vec<i64>)> =
            BTreeMap::from([(nothing, (BigUint::from(1_u8), Vec::new()))]);
        let mut pairs = 0_usize;
        for (pool, falls_of_it) in own.iter().zip(&falls) {
            let step = sums.len().saturating_mul(falls_of_it.classes.len());
            pairs = pairs.saturating_add(step);
            if pairs > PAIRS_MAX || !work.take(u64::try_from(step / PAIRS_A_DIE).unwrap_or(u64::MAX)) {
                return falls;
            }
            let adds = symbols(pool, reads);
            let mut next: BTreeMap<Vec<i64>, (BigUint, Vec<i64>)> = BTreeMap::new();
            for (sum, (ways, faces)) in &sums {
                for class in &falls_of_it.classes {
                    let mut sum = sum.clone();
                    for more in class.faces.iter().filter_map(|face| adds.get(face)) {
                        sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
                    }
                    let first = || (BigUint::ZERO, faces.iter().chain(&class.faces).copied().collect());
                    next.entry(sum).or_insert_with(first).0 += ways * &class.ways;
                }
            }
            sums = next;
        }
        let of = falls.iter().map(|pool| &pool.of).product();
        let classes = sums.into_values().map(|(ways, faces)| Class { faces, ways }).collect();
        vec![Falls { classes, of }]
    }
}
