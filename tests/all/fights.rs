//! Fights of every kind, one random call after the other, on the pure core: no database, no
//! protocol.
//!
//! What must hold whatever is called in whatever order is in `laws` (turns and the order),
//! `counted` (effects) and here (refusals change nothing, the log alone rebuilds the state, players
//! do not hear of the hidden).

mod calls;
mod counted;
mod laws;
mod rig;

use calls::Seed;
use rig::{Rig, rules};

use crate::sequences::{Half, under};

/// Half of the sequences, under every other kind of rules.
fn sequences(half: Half) {
    let names: Vec<String> = (0..rules().len())
        .map(|which| format!("rules {which}"))
        .collect();
    under(&names, half, |which, dice, seeds: Vec<Seed>, shelf| {
        let mut rig = Rig::new(which, dice);
        rig.sit_down();
        for seed in seeds {
            if let Some(call) = calls::of(&rig, seed) {
                rig.make(&call);
            }
        }
        rig.rebuilds();
        shelf.holds(&rig.log, &rig.state);
        // Each step reads the whole log, so some do for all.
        if dice % 16 == 0 {
            rig.unwinds();
            rig.rebuilds();
        }
    });
}

#[test]
fn whatever_is_called_the_laws_of_a_fight_hold() {
    sequences(Half::First);
}

#[test]
fn and_under_every_other_kind_of_initiative() {
    sequences(Half::Second);
}
