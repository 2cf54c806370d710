//! Dice of many sizes: two of them count, and one that is left over is the effect.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, Success};

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
    // The largest die that is no 1.
    let bold_effect = dice.iter().filter(|(face, _)| *face > 1).map(|(_, sides)| *sides).max().unwrap_or(0).max(4);
    let flags = if dice.iter().any(|(face, _)| *face == 1) { vec!["trouble"] } else { Vec::new() };
    let values = vec![("effect", effect), ("bold effect", bold_effect), ("stood", stood.expect("a die")), ("two", two)];
    Says { flags, values, ..told }
}

#[test]
fn a_scene_with_an_effect_die() {
    let varies = [("role", 4, 12), ("bond", 4, 12), ("place", 4, 8), ("thing", 2, 6), ("difficulty", 3, 14)];
    Game { rules: include_str!("mixed.md"), check: "Scene", varies: &varies, reference }.holds(&[
        ("kh2", "kh3"),
        ("total - max(0, 1s + 2 - dice)", "total"),
        ("- Result:", "- Value outcome:"),
        ("max(4, size(dropped 2+))", "size(dropped 2+)"),
        ("max(4, size(dropped 2+))", "max(4, size(highest 1))"),
        ("stood: `size(highest 1)`", "stood: `size(natural)`"),
        ("two: `sum(all highest 2)`", "two: `highest + lowest - 1`"),
        ("max(4, size(all 2+))", "max(4, size(highest 1))"),
        ("margin 5+", "margin 4+"),
    ]);
}
