//! Step dice: a die for the trait and one for the skill, in which high faces count.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let dice = [(faces.die(values[0]), values[0]), (faces.die(values[1]), values[1])];
    let count = |face: i64| match face {
        10.. => 2,
        6.. => 1,
        _ => 0,
    };
    let margin = dice.iter().map(|(face, _)| count(*face)).sum::<i64>() - values[2];
    let told = match margin {
        2.. => says(CriticalSuccess, "Mastery", margin),
        0.. => says(Success, "Success", margin),
        _ => says(Failure, "Failure", margin),
    };
    let size = dice.iter().max().map(|(_, sides)| *sides).expect("dice");
    let flags = if dice.iter().any(|(face, _)| *face == 1) { vec!["hurt"] } else { Vec::new() };
    Says { flags, values: vec![("size", size)], ..told }
}

#[test]
fn two_step_dice() {
    let rules = include_str!("steps.md");
    let varies = [("trait", 6, 12), ("skill", 4, 12), ("difficulty", 1, 3)];
    Game { rules, check: "Strive", varies: &varies, reference }.holds(&[
        ("6-9 as 1", "5-9 as 1"),
        ("10+ as 2", "10+ as 1"),
        ("hurt: 1s 1+", "hurt: 1s 2+"),
        ("`size(highest 1)`", "`size(natural)`"),
        ("margin 2+", "margin 3+"),
    ]);
}
