//! Counting hits in a pool that can glitch.

use rollbook_rules::Outcome::{CriticalFailure, Failure, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let pool = faces.dice((values[0] + values[1] + values[2]).max(1), 6);
    let hits = pool.iter().filter(|face| **face >= 5).count();
    let glitch = pool.iter().filter(|face| **face == 1).count() * 2 > pool.len();
    let margin = i64::try_from(hits).expect("a few") - values[3];
    let told = if glitch && hits == 0 {
        says(CriticalFailure, "Critical glitch", margin)
    } else if margin >= 0 {
        says(Success, "Success", margin)
    } else {
        says(Failure, "Failure", margin)
    };
    Says { flags: if glitch { vec!["glitch"] } else { Vec::new() }, ..told }
}

#[test]
fn a_test() {
    let varies = [("attribute", 1, 6), ("skill", 0, 6), ("modifier", -6, 3), ("threshold", 1, 5)];
    Game { rules: include_str!("hits.md"), check: "Test", varies: &varies, reference }.holds(&[
        ("- Flag glitch: `1s > dice / 2`", "- Flag glitch: `1s >= dice / 2`"),
        ("Count: 5+", "Count: 4+"),
        (" and successes 0", ""),
        ("With no dice: `1d6`", "With no dice: `2d6`"),
    ]);
}
