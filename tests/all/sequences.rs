//! Sequences of calls by chance, spread over every kind of rules: what the laws of fights and of
//! harm are held to.
//!
//! A run plays 1,000 sequences, or as many as `ROLLBOOK_CASES` says. What fails prints its seed;
//! with the seed in `PROPTEST_RNG_SEED` the same sequences are played again.

use std::cell::RefCell;
use std::fmt::Debug;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use rand::TryRng;
use rand::rngs::SysRng;

use crate::shelf::Shelf;

/// Sequences for all rules together where `ROLLBOOK_CASES` does not say, and calls in each.
const SEQUENCES: usize = 1000;
const CALLS: usize = 50;

/// How many sequences are played for all rules together.
fn sequences() -> usize {
    match std::env::var("ROLLBOOK_CASES") {
        Ok(cases) => cases
            .parse()
            .unwrap_or_else(|_| panic!("ROLLBOOK_CASES is a whole number, not {cases:?}")),
        Err(_) => SEQUENCES,
    }
}

/// The seed of all sequences of this run: that of `PROPTEST_RNG_SEED`, or a new one.
fn seed(config: &Config) -> u64 {
    match config.rng_seed {
        RngSeed::Fixed(seed) => seed,
        RngSeed::Random => SysRng.try_next_u64().expect("the system has chance"),
    }
}

/// Which of so many rules one of two tests takes, so that they share the work.
pub enum Half {
    First,
    Second,
}

/// Plays sequences under half of the rules of these names: `play` gets the place of the rules among
/// them, what the dice begin with, a seed a call, and the shelf on which the sequences under these
/// rules are saved.
pub fn under<Seed: Arbitrary + Debug>(
    rules: &[String],
    half: Half,
    play: impl Fn(usize, u64, Vec<Seed>, &mut Shelf),
) {
    let first = match half {
        Half::First => 0,
        Half::Second => 1,
    };
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    let seed = seed(&config);
    for (which, name) in rules.iter().enumerate().skip(first).step_by(2) {
        let cases = u32::try_from(sequences().div_ceil(rules.len())).expect("a number");
        let shelf = RefCell::new(Shelf::new());
        let mut runner = runner(
            seed,
            Config {
                cases,
                ..config.clone()
            },
        );
        let seeds = (any::<u64>(), prop::collection::vec(any::<Seed>(), CALLS));
        let held = runner.run(&seeds, |(dice, seeds)| {
            play(which, dice, seeds, &mut shelf.borrow_mut());
            Ok::<(), TestCaseError>(())
        });
        held.unwrap_or_else(|broken| panic!("under {name}, PROPTEST_RNG_SEED={seed}: {broken}"));
    }
}

fn runner(seed: u64, config: Config) -> TestRunner {
    TestRunner::new(Config {
        rng_seed: RngSeed::Fixed(seed),
        ..config
    })
}

#[test]
fn the_same_seed_plays_the_same_sequences() {
    let drawn = |seed| {
        let all = RefCell::new(Vec::new());
        let config = Config {
            cases: 20,
            failure_persistence: None,
            ..Config::default()
        };
        let ran = runner(seed, config).run(&prop::collection::vec(any::<u64>(), CALLS), |calls| {
            all.borrow_mut().push(calls);
            Ok(())
        });
        ran.expect("nothing fails");
        all.into_inner()
    };
    assert_eq!(drawn(7), drawn(7));
    assert_ne!(drawn(7), drawn(8));
}
