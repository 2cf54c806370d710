//! Six Covers: two dice and a stat, in bands.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, PartialSuccess, Success};

use super::Shipped;
use crate::systems::table::{Faces, Says, says};

/// Ten or more and seven to nine have no total in common; and a ten that the second row takes as
/// well, the first has.
const HARMLESS: &[&str] = &["rows 1 and 2 swapped", "9 as 10 in row 2"];
const PERSON: &str = "P: POI 2, HAN -1, NOS 1, CHE 0, HEA 1, Standing 3";

fn bands(labels: [&'static str; 3], stat: i64, faces: &Faces<'_>) -> Says {
    match faces.die(6) + faces.die(6) + stat {
        10.. => says(Success, labels[0], None),
        7..=9 => says(PartialSuccess, labels[1], None),
        _ => says(Failure, labels[2], None),
    }
}

#[test]
fn step_in() {
    Shipped {
        adventure: "six-covers",
        check: "Step In",
        varies: &[("attribute", -1, 3)],
        reference: |values, faces| bands(["You do it", "You do it, but", "Miss"], values[0], faces),
        harmless: HARMLESS,
        odds: &[
            (&[2], &["--character", PERSON, "--attribute", "Poise"]),
            (&[-1], &["--character", PERSON, "--attribute", "Hands"]),
        ],
    }
    .holds();
}

#[test]
fn keep_your_countenance() {
    Shipped {
        adventure: "six-covers",
        check: "Keep Your Countenance",
        varies: &[("Poise", -1, 3)],
        reference: |values, faces| match faces.die(6) + faces.die(6) + values[0] {
            12.. => says(CriticalSuccess, "As if painted", None),
            10 | 11 => says(Success, "Not a flicker", None),
            7..=9 => says(PartialSuccess, "A flicker", None),
            _ => says(Failure, "You crack", None),
        },
        // As above, with a band more.
        harmless: &[
            "rows 1 and 2 swapped",
            "rows 2 and 3 swapped",
            "11 as 12 in row 2",
            "9 as 10 in row 3",
        ],
        odds: &[(&[2], &["--character", PERSON])],
    }
    .holds();
}

/// A move of one stat that the check itself names.
fn of_one(
    check: &'static str,
    varies: &'static [(&'static str, i64, i64)],
    reference: fn(&[i64], &Faces<'_>) -> Says,
    odds: &'static [(&'static [i64], &'static [&'static str])],
) {
    Shipped {
        adventure: "six-covers",
        check,
        varies,
        reference,
        harmless: HARMLESS,
        odds,
    }
    .holds();
}

#[test]
fn make_do() {
    of_one(
        "Make Do",
        &[("Hands", -1, 3)],
        |values, faces| {
            bands(
                ["One would never know", "It holds", "It is worse now"],
                values[0],
                faces,
            )
        },
        &[(&[-1], &["--character", PERSON])],
    );
}

#[test]
fn nose_about() {
    of_one(
        "Nose About",
        &[("Nose", -1, 3)],
        |values, faces| {
            bands(
                ["Three questions", "One question", "Found out"],
                values[0],
                faces,
            )
        },
        &[(&[1], &["--character", PERSON])],
    );
}

#[test]
fn a_little_lie() {
    of_one(
        "A Little Lie",
        &[("Cheek", -1, 3)],
        |values, faces| bands(["Swallowed", "Chewed", "Spat out"], values[0], faces),
        &[(&[0], &["--character", PERSON])],
    );
}

#[test]
fn smooth_it_over() {
    of_one(
        "Smooth It Over",
        &[("Heart", -1, 3)],
        |values, faces| bands(["Heard", "Heard, partly", "Not now"], values[0], faces),
        &[(&[1], &["--character", PERSON])],
    );
}

#[test]
fn cover_for_a_colleague() {
    of_one(
        "Cover for a Colleague",
        &[("standing", 0, 3)],
        |values, faces| {
            bands(
                ["Covered", "Covered, at a price", "In the way"],
                values[0],
                faces,
            )
        },
        &[(&[3], &["--character", PERSON])],
    );
}

#[test]
fn the_last_straw() {
    Shipped {
        adventure: "six-covers",
        check: "The Last Straw",
        varies: &[],
        reference: |_, faces| bands(["Oddly calm", "A minute, please", "The truth"], 0, faces),
        harmless: HARMLESS,
        odds: &[(&[], &["--character", PERSON])],
    }
    .holds();
}
