//! Percentile dice, low is good, with bonus and penalty dice, as in games of investigators and tentacles.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

/// What comes of bonus dice, or of penalty dice below 0: the unit falls first.
pub fn percent(bonus: i64, faces: &Faces<'_>) -> i64 {
    if bonus == 0 {
        return faces.die(100);
    }
    let unit = faces.between(0, 9);
    let tens: Vec<i64> = (0..=bonus.abs()).map(|_| faces.between(0, 9)).collect();
    let totals = tens.into_iter().map(|tens| if tens == 0 && unit == 0 { 100 } else { tens * 10 + unit });
    if bonus > 0 { totals.min().expect("dice") } else { totals.max().expect("dice") }
}

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let (skill, roll) = (values[0], percent(values[1], faces));
    let margin = skill - roll;
    let fumble = if skill < 50 { 96 } else { 100 };
    if roll == 1 {
        says(CriticalSuccess, "Critical success", margin)
    } else if roll >= fumble {
        says(CriticalFailure, "Fumble", margin)
    } else if roll <= skill / 5 {
        says(Success, "Extreme success", margin)
    } else if roll <= skill / 2 {
        says(Success, "Hard success", margin)
    } else if roll <= skill {
        says(Success, "Regular success", margin)
    } else {
        says(Failure, "Failure", margin)
    }
}

#[test]
fn a_skill_roll() {
    let rules = include_str!("../../../crates/rules/src/tests/systems/coc.md");
    Game { rules, check: "Skill roll", varies: &[("skill", 1, 99), ("bonus", -2, 2)], reference }.holds(&[
        ("target 49 or less", "target 59 or less"),
        ("floor(target / 5)", "floor(target / 4)"),
        ("floor(target / 2)", "ceil(target / 2)"),
        ("total 1 |", "total 1-2 |"),
    ]);
}
