//! Percentile dice with criticals, specials and fumbles, as in games of runes and bronze.

use rollbook::rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let (skill, roll) = (values[0], faces.die(100));
    let margin = skill - roll;
    let twentieth = |of: i64| (of + 19) / 20;
    let special = (2 * skill + 5) / 10;
    let fumble = 100 - twentieth((100 - skill).max(0));
    match roll {
        96.. if roll > fumble || roll == 100 => says(CriticalFailure, "Fumble", margin),
        96.. => says(Failure, "Failure", margin),
        _ if roll <= twentieth(skill) => says(CriticalSuccess, "Critical", margin),
        _ if roll <= special => says(Success, "Special", margin),
        _ if roll <= skill || roll <= 5 => says(Success, "Success", margin),
        _ => says(Failure, "Failure", margin),
    }
}

#[test]
fn a_skill() {
    Game { rules: include_str!("specials.md"), check: "Skill", varies: &[("skill", 1, 120)], reference }.holds(&[
        ("ceil(target / 20)", "floor(target / 20)"),
        ("round(target / 5)", "floor(target / 5)"),
        (" or total 100 |", " |"),
        ("total 5 or less or ", ""),
    ]);
}
