//! Pools of d6 against an obstacle, some of them open.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let plain = faces.dice(values[0], 6);
    let mut open = Vec::new();
    for _ in 0..values[1] {
        loop {
            open.push(faces.die(6));
            if open.last() != Some(&6) {
                break;
            }
        }
    }
    let count = |dice: &[i64], wanted: fn(i64) -> bool| {
        i64::try_from(dice.iter().filter(|face| wanted(**face)).count()).expect("a few")
    };
    let all = [plain.clone(), open.clone()].concat();
    let margin = count(&all, |face| face >= 4) - values[2];
    let told = match margin {
        3.. => says(CriticalSuccess, "Beyond hope", margin),
        0.. => says(Success, "Passed", margin),
        -1 if !all.contains(&1) => says(PartialSuccess, "Nearly", margin),
        _ => says(Failure, "Failed", margin),
    };
    let lesson = margin < 0 || i64::try_from(all.len()).expect("a few") <= values[2];
    let bleak = open.is_empty() && count(&plain, |face| face == 1) >= 2;
    let flags = [("lesson", lesson), ("bleak", bleak)];
    let flags = flags.into_iter().filter(|(_, raised)| *raised).map(|(name, _)| name).collect();
    Says { flags, values: vec![("spare", margin.max(0))], ..told }
}

#[test]
fn a_pool_against_an_obstacle() {
    let rules = include_str!("obstacle.md");
    let varies = [("ranks", 1, 6), ("open", 0, 3), ("obstacle", 1, 6)];
    Game { rules, check: "Obstacle", varies: &varies, reference }.holds(&[
        ("Count: 4+", "Count: 5+"),
        ("{open}d6!", "{open}d6"),
        ("{spare} 3+", "{spare} 2+"),
        ("max(0, margin)", "margin"),
        ("dice {obstacle} or less", "`dice < {obstacle}`"),
        ("margin -1 and 1s 0", "margin -1"),
        ("plain 1s 2+", "plain 1s 1+"),
        ("open dice 0", "open dice 1"),
    ]);
}
