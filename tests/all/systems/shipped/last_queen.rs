//! The Queen in the Box: an effort against two dice, each beaten or not.

use rollbook_rules::Outcome::{Failure, PartialSuccess, Success};

use super::Shipped;
use crate::systems::table::{Faces, Says, says};

/// Two are not one.
const HARMLESS: &[&str] = &["rows 1 and 2 swapped"];
const PERSON: &str = "S: Foot 1, Back 2, Heart 3, Tongue 1, Eye 2, Stand by +1, Momentum -2";

fn beats(effort: i64, road: [i64; 2]) -> Says {
    match road.iter().filter(|die| effort > **die).count() {
        2 => says(Success, "Strong hit", None),
        1 => says(PartialSuccess, "Weak hit", None),
        _ => says(Failure, "Miss", None),
    }
}

fn boxes(values: &[i64], faces: &Faces<'_>) -> Says {
    beats(values[0] / 4, [faces.die(10), faces.die(10)])
}

#[test]
fn a_move_of_each_kind() {
    for check in ["Move", "Travel", "Fight it out", "Onto black wax"] {
        Shipped {
            adventure: "last-queen",
            check,
            varies: &[("modifier", 0, 6), ("Momentum", -6, 10)],
            reference: |values, faces| {
                let die = faces.die(6);
                let road = [faces.die(10), faces.die(10)];
                let mut flags = Vec::new();
                if road[0] == road[1] {
                    flags.push("sign");
                }
                if die == -values[1] {
                    flags.push("stumble");
                }
                Says {
                    flags,
                    ..beats((die + values[0]).min(10), road)
                }
            },
            harmless: HARMLESS,
            odds: &[
                (&[4, -2], &["--character", PERSON, "--skill", "Stand by"]),
                (&[1, -2], &["--character", PERSON, "--skill", "Go on"]),
            ],
        }
        .holds();
    }
}

#[test]
fn an_arrival() {
    Shipped {
        adventure: "last-queen",
        check: "Arrive",
        varies: &[("Road", 0, 40)],
        reference: |values, faces| Says {
            values: vec![("half", values[0] / 2)],
            ..boxes(values, faces)
        },
        harmless: HARMLESS,
        odds: &[(&[24], &["--character", PERSON, "--value", "Road=24"])],
    }
    .holds();
}

#[test]
fn an_oath() {
    Shipped {
        adventure: "last-queen",
        check: "Keep the oath",
        varies: &[("Oath", 0, 40)],
        reference: boxes,
        harmless: HARMLESS,
        odds: &[(&[13], &["--character", PERSON, "--value", "Oath=13"])],
    }
    .holds();
}
