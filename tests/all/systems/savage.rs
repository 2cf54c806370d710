//! A trait die and a wild die, both of which may ace; the better one counts.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

/// The first face and the sum with its aces.
pub fn aced(sides: i64, faces: &Faces<'_>) -> (i64, i64) {
    let first = faces.die(sides);
    let (mut face, mut sum) = (first, first);
    while face == sides {
        face = faces.die(sides);
        sum += face;
    }
    (first, sum)
}

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let (trait_face, trait_sum) = aced(values[0], faces);
    let (wild_face, wild_sum) = aced(6, faces);
    let margin = trait_sum.max(wild_sum) + values[1] - 4;
    if margin >= 4 {
        says(CriticalSuccess, "Raise", margin)
    } else if margin >= 0 {
        says(Success, "Success", margin)
    } else if trait_face == 1 && wild_face == 1 {
        says(CriticalFailure, "Critical failure", margin)
    } else {
        says(Failure, "Failure", margin)
    }
}

#[test]
fn a_trait_roll() {
    let rules = include_str!("../../../crates/rules/src/tests/systems/savage.md");
    Game { rules, check: "Savage trait", varies: &[("trait", 4, 12), ("modifier", -4, 4)], reference }.holds(&[
        ("margin 4+", "margin 5+"),
        ("1s 2", "1s 1+"),
        ("1d6!!) ", "1d6) "),
        ("Target: `4`", "Target: `5`"),
    ]);
}
