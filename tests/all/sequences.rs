//! Sequences of calls by chance, spread over every kind of rules: what the laws of fights and of harm are held to.

use std::cell::RefCell;
use std::fmt::Debug;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use crate::shelf::Shelf;

/// Sequences for all rules together, and calls in each.
const SEQUENCES: usize = 5000;
const CALLS: usize = 50;

/// Which of so many rules one of two tests takes, so that they share the work.
pub enum Half {
    First,
    Second,
}

/// Plays sequences under half of the rules of these names: `play` gets the place of the rules among them, what the dice begin
/// with, a seed a call, and the shelf on which the sequences under these rules are saved.
pub fn under<Seed: Arbitrary + Debug>(rules: &[String], half: Half, play: impl Fn(usize, u64, Vec<Seed>, &mut Shelf)) {
    let first = match half {
        Half::First => 0,
        Half::Second => 1,
    };
    for (which, name) in rules.iter().enumerate().skip(first).step_by(2) {
        let cases = u32::try_from(SEQUENCES.div_ceil(rules.len())).expect("a number");
        let shelf = RefCell::new(Shelf::new());
        let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
        let seeds = (any::<u64>(), prop::collection::vec(any::<Seed>(), CALLS));
        let held = runner.run(&seeds, |(dice, seeds)| {
            play(which, dice, seeds, &mut shelf.borrow_mut());
            Ok::<(), TestCaseError>(())
        });
        held.unwrap_or_else(|broken| panic!("under {name}: {broken}"));
    }
}
