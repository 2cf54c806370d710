//! Hurt, healed and rested under every shipped system and under rules that have everything in the
//! way, one random call after the other, on the pure core.
//!
//! What a hit comes to is in `hits`, what its bounds bring in `bounds`, rests in `rests`; here and
//! in `rig` stands what holds of every call: it is undone and done again, a refusal changes
//! nothing, what was foretold is what happens, and the log, saved and read again, makes the state.

mod bounds;
mod calls;
mod hits;
mod rests;
mod rig;

use calls::Seed;
use rig::{Rig, rules};

use crate::sequences::{Half, under};

/// Half of the sequences, under every other kind of rules.
fn sequences(half: Half) {
    let names: Vec<String> = rules()
        .iter()
        .map(|rules| rules.adventure.clone())
        .collect();
    under(&names, half, |which, dice, seeds: Vec<Seed>, shelf| {
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
            shelf.holds(&rig.log, &rig.state);
        }
    });
}

#[test]
fn whatever_hurts_the_laws_of_harm_hold() {
    sequences(Half::First);
}

#[test]
fn and_under_every_other_system() {
    sequences(Half::Second);
}
