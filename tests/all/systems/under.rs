//! Rolling under a number: percentiles and other dice of which low is good.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, contest, says};

// Percentile dice, low is good, with bonus and penalty dice, as in games of investigators and
// tentacles.

/// What comes of bonus dice, or of penalty dice below 0: the unit falls first.
pub fn percent(bonus: i64, faces: &Faces<'_>) -> i64 {
    if bonus == 0 {
        return faces.die(100);
    }
    let unit = faces.between(0, 9);
    let tens: Vec<i64> = (0..=bonus.abs()).map(|_| faces.between(0, 9)).collect();
    let totals = tens.into_iter().map(|tens| {
        if tens == 0 && unit == 0 {
            100
        } else {
            tens * 10 + unit
        }
    });
    if bonus > 0 {
        totals.min().expect("dice")
    } else {
        totals.max().expect("dice")
    }
}

fn percentile(values: &[i64], faces: &Faces<'_>) -> Says {
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
    Game {
        rules,
        check: "Skill roll",
        varies: &[("skill", 1, 99), ("bonus", -2, 2)],
        reference: percentile,
    }
    .holds(&[
        ("target 49 or less", "target 59 or less"),
        ("floor(target / 5)", "floor(target / 4)"),
        ("floor(target / 2)", "ceil(target / 2)"),
        ("total 1 |", "total 1-2 |"),
    ]);
}

/// Percentile dice with criticals, specials and fumbles, as in games of runes and bronze.
fn specials(values: &[i64], faces: &Faces<'_>) -> Says {
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
    Game {
        rules: include_str!("specials.md"),
        check: "Skill",
        varies: &[("skill", 1, 120)],
        reference: specials,
    }
    .holds(&[
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
            let at = rows
                .iter()
                .position(|row| *row == judged(skill, roll).label);
            (
                at.map_or(-1, |at| 9 - at as i64),
                if at.is_some() { skill - roll } else { 0 },
            )
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
        let by_rows =
            odds(&|skill, roll| standing(skill, roll, &["Critical", "Special", "Success"]));
        assert_eq!(
            contest(rules, "Skill", "Riding", skills),
            by_rows,
            "{skills:?}"
        );
    }
}

/// Success levels: tens of the rating less tens of the roll, by which an opposed check is decided,
/// too.
fn tens(values: &[i64], faces: &Faces<'_>) -> Says {
    let (rating, load, die) = (values[0], values[1], faces.die(100));
    let (margin, levels) = (rating - die, rating / 10 - die / 10);
    let verdict = match (margin >= 0, levels) {
        (true, 6..) => says(CriticalSuccess, "Astounding", margin),
        (true, _) => says(Success, "Success", margin),
        (false, 0) => says(PartialSuccess, "By a hair", margin),
        (false, ..=-6) => says(CriticalFailure, "Disaster", margin),
        (false, _) => says(Failure, "Failure", margin),
    };
    let flags = if levels >= 4 && margin >= 0 {
        vec!["flawless"]
    } else {
        Vec::new()
    };
    Says {
        flags,
        values: vec![("SL", levels), ("strain", (-levels).max(0) + load)],
        ..verdict
    }
}

#[test]
fn a_test_with_levels() {
    let varies = [("rating", 1, 120), ("load", 0, 3)];
    Game {
        rules: include_str!("tens.md"),
        check: "Test",
        varies: &varies,
        reference: tens,
    }
    .holds(&[
        ("{SL} 6+", "{SL} 5+"),
        ("| {SL} 0 |", "| {SL} 1 |"),
        ("{SL} -6 or less", "{SL} -5 or less"),
        ("floor(total / 10)", "ceil(total / 10)"),
        ("floor(total / 10)", "total / 10"),
        ("max(0, 0 - {SL})", "max(0, {SL})"),
        ("flawless: {SL} 4+", "flawless: {SL} 3+"),
    ]);
}

/// The higher roll wins, as long as it is not above the skill: by itself, and one against another.
const RULES: &str = include_str!("blackjack.md");

fn trial(skill: i64, die: i64) -> (i64, Says) {
    let (total, target) = ((die + (skill - 20).max(0)).min(20), skill.min(20));
    let margin = target - total;
    let verdict = match margin {
        0 => says(CriticalSuccess, "Critical", margin),
        1.. => says(Success, "Success", margin),
        _ if die == 20 => says(CriticalFailure, "Fumble", margin),
        _ => says(Failure, "Failure", margin),
    };
    (total, verdict)
}

fn blackjack(values: &[i64], faces: &Faces<'_>) -> Says {
    trial(values[0], faces.die(20)).1
}

#[test]
fn a_trial() {
    Game {
        rules: RULES,
        check: "Trial",
        varies: &[("skill", 1, 30)],
        reference: blackjack,
    }
    .holds(&[
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
        all()
            .filter(|(mine, theirs)| wins(*mine, *theirs) == wanted)
            .count() as f64
            / (sides * sides) as f64
    };
    [share(Some(true)), share(None)]
}

#[test]
fn one_against_another_is_all_pairs_of_faces() {
    let ordered = |mine, theirs| {
        if mine == theirs {
            None
        } else {
            Some(mine > theirs)
        }
    };
    for skills in [[12, 15], [15, 12], [1, 20], [24, 9], [18, 18]] {
        let of_trial = pairs(20, |mine, theirs| {
            let (mine, theirs) = (trial(skills[0], mine), trial(skills[1], theirs));
            let succeeds = |verdict: &Says| matches!(verdict.outcome, CriticalSuccess | Success);
            let rank = |verdict: &Says| {
                i64::from(verdict.outcome == CriticalSuccess) + i64::from(succeeds(verdict))
            };
            match (rank(&mine.1), rank(&theirs.1)) {
                (0, 0) => None,
                (first, other) if first == other => ordered(mine.0, theirs.0),
                (first, other) => Some(first > other),
            }
        });
        assert_eq!(
            contest(RULES, "Trial", "Sword", skills),
            of_trial,
            "{skills:?}"
        );
    }
    for skills in [[52, 40], [40, 52], [99, 3], [70, 70]] {
        let of_measure = pairs(100, |mine, theirs| {
            match (mine <= skills[0], theirs <= skills[1]) {
                (false, false) => None,
                (true, true) => ordered(mine, theirs),
                (first, _) => Some(first),
            }
        });
        assert_eq!(
            contest(RULES, "Measure", "Riding", skills),
            of_measure,
            "{skills:?}"
        );
    }
}

/// Three dice under a skill with bands of criticals, as in games that have a rule for everything.
fn three_d6(values: &[i64], faces: &Faces<'_>) -> Says {
    let skill = values[0] + values[1];
    let total: i64 = faces.dice(3, 6).iter().sum();
    let margin = skill - total;
    let critical = match skill {
        16.. => 6,
        15 => 5,
        _ => 4,
    };
    let fumble = total == 18 || (total == 17 && skill < 16) || total - skill >= 10;
    if total <= critical {
        says(CriticalSuccess, "Critical success", margin)
    } else if fumble {
        says(CriticalFailure, "Critical failure", margin)
    } else if margin >= 0 && total < 17 {
        says(Success, "Success", margin)
    } else {
        says(Failure, "Failure", margin)
    }
}

#[test]
fn a_success_roll() {
    let varies = [("skill", 3, 20), ("ease", -6, 4)];
    Game {
        rules: include_str!("three_d6.md"),
        check: "Success roll",
        varies: &varies,
        reference: three_d6,
    }
    .holds(&[
        ("total 6 and target 16+", "total 6 and target 15+"),
        ("target 15 or less", "target 14 or less"),
        ("margin -10 or less", "margin -11 or less"),
        ("| Failure | total 17 |\n", ""),
    ]);
}

/// Rolling under an attribute, as the oldest games do.
fn under(values: &[i64], faces: &Faces<'_>) -> Says {
    let die = faces.die(20);
    let margin = values[0] - (die + values[1]);
    match die {
        1 => says(CriticalSuccess, "Perfect", margin),
        20 => says(CriticalFailure, "Blunder", margin),
        _ if margin >= 0 => says(Success, "Done", margin),
        _ => says(Failure, "Not done", margin),
    }
}

#[test]
fn an_attribute_check() {
    let varies = [("attribute score", 3, 18), ("hardship", -4, 8)];
    Game {
        rules: include_str!("under.md"),
        check: "Attribute check",
        varies: &varies,
        reference: under,
    }
    .holds(&[
        ("1d20", "1d30"),
        ("{attribute score} or less", "{attribute score}"),
        ("natural 20", "natural 19"),
        ("margin 0+", "margin 1+"),
    ]);
}

/// Criticals by the size of the die, and the digits of a percentile.
fn sizes(values: &[i64], faces: &Faces<'_>) -> Says {
    let (die, bonus, difficulty) = (values[0], values[1], values[2]);
    let (face, luck) = (faces.die(die), faces.die(100));
    let margin = face + bonus - difficulty;
    let verdict = match face {
        _ if face == die => says(CriticalSuccess, "Critical hit", margin),
        1 => says(CriticalFailure, "Fumble", margin),
        _ if margin >= 0 => says(Success, "Hit", margin),
        _ => says(Failure, "Miss", margin),
    };
    // Written with two digits, of which 100 has two noughts.
    let digits: Vec<i64> = format!("{:02}", luck % 100)
        .bytes()
        .map(|digit| i64::from(digit - b'0'))
        .collect();
    let flags = if digits[0] == digits[1] {
        vec!["doubles"]
    } else {
        Vec::new()
    };
    Says {
        flags,
        values: vec![("high", digits[0]), ("low", digits[1])],
        ..verdict
    }
}

#[test]
fn an_attack_with_any_die() {
    let varies = [("die", 3, 30), ("bonus", 0, 5), ("difficulty", 5, 20)];
    Game {
        rules: include_str!("sizes.md"),
        check: "Attack",
        varies: &varies,
        reference: sizes,
    }
    .holds(&[
        ("`natural = size(natural)`", "natural 20"),
        (
            "`natural = size(natural)`",
            "`natural >= size(natural) - 1`",
        ),
        ("`luck digit(tens)`", "`luck digit(units)`"),
        ("`luck digit(units)`", "`digit(units)`"),
        ("= luck digit(units)", "> luck digit(units)"),
        ("| natural 1 |", "| natural 2 |"),
    ]);
}
