//! Dice of many sizes: two of them count, and one that is left over is the effect.

use rollbook::rules::Outcome::{CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let dice: Vec<(i64, i64)> = values[..4].iter().map(|sides| (faces.die(*sides), *sides)).collect();
    // Of equal dice the first one counts.
    let mut order: Vec<usize> = (0..4).collect();
    order.sort_by_key(|at| std::cmp::Reverse(dice[*at].0));
    let (counted, left) = order.split_at(2);
    let two: i64 = counted.iter().map(|at| dice[*at].0).sum();
    let result: i64 = counted.iter().map(|at| dice[*at].0).filter(|face| *face > 1).sum();
    let effect = left.iter().filter(|at| dice[**at].0 > 1).map(|at| dice[*at].1).max().unwrap_or(0).max(4);
    let best = dice[counted[0]].0;
    let stood = counted.iter().map(|at| dice[*at]).filter(|(face, _)| *face == best).map(|(_, sides)| sides).max();
    let margin = result - values[4];
    let told = match margin {
        5.. => says(CriticalSuccess, "Heroic", margin),
        0.. => says(Success, "Success", margin),
        _ => says(Failure, "Failure", margin),
    };
    // The largest die that is no 1 is kept for the effect; of several the lowest.
    let mut rest = dice.clone();
    let whole = dice.iter().enumerate().filter(|(_, (face, _))| *face > 1);
    let largest = whole.max_by_key(|(_, (face, sides))| (*sides, -face)).map(|(at, _)| at);
    let bold_effect = largest.map_or(4, |at| rest.remove(at).1).max(4);
    rest.sort_by_key(|(face, _)| -face);
    let bold: i64 = rest.iter().take(2).map(|(face, _)| face).filter(|face| **face > 1).sum();
    let mut flags = if bold >= values[4] { vec!["bold does"] } else { Vec::new() };
    flags.extend(dice.iter().any(|(face, _)| *face == 1).then_some("trouble"));
    let bold = [("bold", bold), ("bold effect", bold_effect)];
    let values =
        vec![("Result", result), ("effect", effect), bold[0], bold[1], ("stood", stood.expect("a die")), ("two", two)];
    Says { flags, values, ..told }
}

#[test]
fn a_scene_with_an_effect_die() {
    let varies = [("role", 4, 12), ("bond", 4, 12), ("place", 4, 8), ("thing", 2, 6), ("difficulty", 3, 14)];
    Game { rules: include_str!("mixed.md"), check: "Scene", varies: &varies, reference }.holds(&[
        ("kh2", "kh3"),
        ("total - max(0, ones + 2 - dice)", "total"),
        ("Value Result:", "Value Outcome:"),
        ("max(4, leftover size)", "leftover size"),
        ("max(4, leftover size)", "max(4, highest size)"),
        ("stood: `highest size`", "stood: `natural size`"),
        ("two: `highest two`", "two: `highest + lowest - 1`"),
        ("`other two`", "`highest two`"),
        ("max(4, largest size)", "max(4, highest size)"),
        ("bold at least", "bold more than"),
        ("margin 5+", "margin 4+"),
    ]);
}
