//! Dice that each count against numbers of one's own: within the focus twice, within the number once.

use rollbook_rules::Outcome::{Failure, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let [pool, number, focus, difficulty] = values else { panic!("four numbers") };
    let dice = faces.dice(*pool, 20);
    let mut successes = 0;
    for face in &dice {
        if face <= focus {
            successes += 2;
        } else if face <= number {
            successes += 1;
        }
    }
    let margin = successes - difficulty;
    let told = if margin >= 0 { says(Success, "Success", margin) } else { says(Failure, "Failure", margin) };
    let flags = if dice.contains(&20) { vec!["trouble"] } else { Vec::new() };
    Says { flags, values: vec![("momentum", margin.max(0))], ..told }
}

#[test]
fn dice_that_count_against_ones_own_numbers() {
    let rules = include_str!("own_numbers.md");
    let varies = [("pool", 1, 5), ("number", 7, 16), ("focus", 1, 5), ("difficulty", 0, 5)];
    Game { rules, check: "Task", varies: &varies, reference }.holds(&[
        ("{focus} or less as 2", "{focus} or less as 3"),
        ("{number} or less as 1", "`{number} - 1` or less as 1"),
        ("{focus} or less as 2, {number} or less as 1", "{number} or less as 1, {focus} or less as 2"),
        ("max(0, margin)", "margin"),
        ("20s 1+", "20s 2+"),
        ("margin 0+", "margin 1+"),
    ]);
}
