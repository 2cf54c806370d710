//! The higher roll wins, as long as it is not above the skill: by itself, and one against another.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, contest, says};

const RULES: &str = include_str!("blackjack.md");

fn trial(skill: i64, die: i64) -> (i64, Says) {
    let (total, target) = ((die + (skill - 20).max(0)).min(20), skill.min(20));
    let margin = target - total;
    let told = match margin {
        0 => says(CriticalSuccess, "Critical", margin),
        1.. => says(Success, "Success", margin),
        _ if die == 20 => says(CriticalFailure, "Fumble", margin),
        _ => says(Failure, "Failure", margin),
    };
    (total, told)
}

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    trial(values[0], faces.die(20)).1
}

#[test]
fn a_trial() {
    Game { rules: RULES, check: "Trial", varies: &[("skill", 1, 30)], reference }.holds(&[
        ("`total = target`", "margin 0-1"),
        ("natural 20", "total 19+"),
        ("max(0, {skill} - 20)", "max(0, {skill} - 21)"),
        ("`min(20, {skill})`", "`{skill}`"),
    ]);
}

/// How many of all pairs of faces the one wins, and how many are a tie.
fn pairs(sides: i64, wins: impl Fn(i64, i64) -> Option<bool>) -> [f64; 2] {
    let all = || (1..=sides).flat_map(|mine| (1..=sides).map(move |theirs| (mine, theirs)));
    let share = |wanted: Option<bool>| {
        all().filter(|(mine, theirs)| wins(*mine, *theirs) == wanted).count() as f64 / (sides * sides) as f64
    };
    [share(Some(true)), share(None)]
}

#[test]
fn one_against_another_is_all_pairs_of_faces() {
    let ordered = |mine, theirs| if mine == theirs { None } else { Some(mine > theirs) };
    for skills in [[12, 15], [15, 12], [1, 20], [24, 9], [18, 18]] {
        let of_trial = pairs(20, |mine, theirs| {
            let (mine, theirs) = (trial(skills[0], mine), trial(skills[1], theirs));
            let succeeds = |own: &Says| matches!(own.outcome, CriticalSuccess | Success);
            let rank = |own: &Says| i64::from(own.outcome == CriticalSuccess) + i64::from(succeeds(own));
            match (rank(&mine.1), rank(&theirs.1)) {
                (0, 0) => None,
                (own, other) if own == other => ordered(mine.0, theirs.0),
                (own, other) => Some(own > other),
            }
        });
        assert_eq!(contest(RULES, "Trial", "Sword", skills), of_trial, "{skills:?}");
    }
    for skills in [[52, 40], [40, 52], [99, 3], [70, 70]] {
        let of_measure = pairs(100, |mine, theirs| match (mine <= skills[0], theirs <= skills[1]) {
            (false, false) => None,
            (true, true) => ordered(mine, theirs),
            (own, _) => Some(own),
        });
        assert_eq!(contest(RULES, "Measure", "Riding", skills), of_measure, "{skills:?}");
    }
}
