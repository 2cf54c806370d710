//! Fights of every kind, one random call after the other, on the pure core: no database, no protocol.
//!
//! What must hold whatever is called in whatever order stands in `laws` (turns and the order), `counted` (effects) and here
//! (refusals change nothing, the log alone rebuilds the state, players do not hear of the hidden).

mod calls;
mod counted;
mod laws;
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
            rig.rebuilds();
            shelf.borrow_mut().holds(&rig.log, &rig.state);
            // Each step reads the whole log, so some do for all.
            if dice % 16 == 0 {
                rig.unwinds();
                rig.rebuilds();
            }
            Ok::<(), TestCaseError>(())
        });
        held.unwrap_or_else(|broken| panic!("under rules {which}: {broken}"));
    }
}

#[test]
fn whatever_is_called_the_laws_of_a_fight_hold() {
    sequences((0..rules().len()).step_by(2));
}

#[test]
fn and_under_every_other_kind_of_initiative() {
    sequences((1..rules().len()).step_by(2));
}
