//! Percentile dice with criticals, specials and fumbles, as in games of runes and bronze.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, contest, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    judged(values[0], faces.die(100))
}

fn judged(skill: i64, roll: i64) -> Says {
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

#[test]
fn of_two_who_succeed_a_special_wins_against_a_success() {
    let rules = include_str!("specials.md");
    for skills in [[60, 45], [30, 90], [85, 70]] {
        // The rows from the best to the worst; who fails wins against nobody.
        let standing = |skill: i64, roll: i64, rows: &[&str]| {
            let at = rows.iter().position(|row| *row == judged(skill, roll).label);
            (at.map_or(-1, |at| 9 - at as i64), if at.is_some() { skill - roll } else { 0 })
        };
        let odds = |standing: &dyn Fn(i64, i64) -> (i64, i64)| {
            let pairs = (1..=100).flat_map(|one| (1..=100).map(move |other| (one, other)));
            let (mut won, mut tied) = (0, 0);
            for (one, other) in pairs {
                let (mine, theirs) = (standing(skills[0], one), standing(skills[1], other));
                won += i32::from(mine > theirs);
                tied += i32::from(mine == theirs);
            }
            [won, tied].map(|many| f64::from(many) / 10_000.0)
        };
        let by_rows = odds(&|skill, roll| standing(skill, roll, &["Critical", "Special", "Success"]));
        assert_eq!(contest(rules, "Skill", "Riding", skills), by_rows, "{skills:?}");
    }
}
