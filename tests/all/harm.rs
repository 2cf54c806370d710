//! Hurt, healed and rested under every shipped system and under rules that have everything in the way, one random call after
//! the other, on the pure core.
//!
//! What a hit comes to stands in `hits`, what its bounds bring in `bounds`, rests in `rests`; here and in `rig` stands what holds of
//! every call: it is undone and done again, a refusal changes nothing, what was foretold is what happens, and the log, saved and
//! read again, makes the state.

mod bounds;
mod calls;
mod hits;
mod rests;
mod rig;

use std::cell::RefCell;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use crate::shelf::Shelf;
use calls::Seed;
use rig::{Rig, rules};

/// Sequences for all rules together, and calls in each.
const SEQUENCES: usize = 5000;
const CALLS: usize = 50;

/// Every other kind of rules, so that two tests share the work.
fn sequences(of: impl Iterator<Item = usize>) {
    for which in of {
        let cases = u32::try_from(SEQUENCES.div_ceil(rules().len())).expect("a number");
        let shelf = RefCell::new(Shelf::new());
        let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
        let seeds = (any::<u64>(), prop::collection::vec(any::<Seed>(), CALLS));
        let held = runner.run(&seeds, |(dice, seeds)| {
            let mut rig = Rig::new(which, dice);
            rig.sit_down();
            for seed in seeds {
                if let Some(call) = calls::of(&rig, seed) {
                    rig.make(&call);
                }
            }
            rig.saved_and_read_again();
            // The laws of a fight save every sequence.
            if dice % 8 == 0 {
                shelf.borrow_mut().holds(&rig.log, &rig.state);
            }
            Ok::<(), TestCaseError>(())
        });
        held.unwrap_or_else(|broken| panic!("under {}: {broken}", rules()[which].adventure));
    }
}

#[test]
fn whatever_hurts_the_laws_of_harm_hold() {
    sequences((0..rules().len()).step_by(2));
}

#[test]
fn and_under_every_other_system() {
    sequences((1..rules().len()).step_by(2));
}
