//! Sets of equal dice: how wide and how tall each of them is.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let mut showing = [0_i64; 11];
    for face in faces.dice(values[0], 10) {
        showing[usize::try_from(face).expect("a face")] += 1;
    }
    // The widest first, and of those that are as wide the tallest.
    let mut left: Vec<(i64, i64)> = showing.into_iter().zip(0..).filter(|(many, _)| *many > 0).collect();
    left.sort_unstable();
    let sets: Vec<(i64, i64)> = left.into_iter().rev().collect();
    let set = |nth: usize| sets.get(nth).copied().unwrap_or((0, 0));
    let ((width, height), (second, second_height)) = (set(0), set(1));
    let tall = sets.iter().any(|(many, face)| *many > 1 && *face >= values[1]);
    let told = match width {
        4.. => says(CriticalSuccess, "Flawless", None),
        2.. if tall => says(Success, "Success", None),
        2.. => says(PartialSuccess, "Nearly", None),
        _ => says(Failure, "Failure", None),
    };
    let raised = [("none", width == 1), ("second act", second > 1 && second_height >= values[1])];
    let flags = raised.into_iter().filter(|(_, raised)| *raised).map(|(name, _)| name).collect();
    let values = vec![
        ("haste", width),
        ("grace", height),
        ("second haste", second),
        ("second grace", second_height),
        ("third haste", set(2).0),
    ];
    Says { flags, values, ..told }
}

#[test]
fn an_act_with_sets() {
    let varies = [("pool", 1, 10), ("difficulty", 1, 10)];
    Game { rules: include_str!("sets.md"), check: "Act", varies: &varies, reference }.holds(&[
        ("width 4+", "width 3+"),
        ("| Success | width({difficulty}+) 2+", "| Success | width 2+ and height {difficulty}+"),
        ("| Success | width({difficulty}+) 2+", "| Success | width 2+ and highest {difficulty}+"),
        ("| Success | width({difficulty}+) 2+", "| Success | width 2+ and width {difficulty}+"),
        ("| Success | width({difficulty}+) 2+", "| Success | width({difficulty}+) 3+"),
        (" haste: `width`", " haste: `dice - width`"),
        (" grace: `height`", " grace: `highest`"),
        ("second haste: `width(second)`", "second haste: `width - 1`"),
        ("second grace: `height(second)`", "second grace: `height(third)`"),
        ("third haste: `width(third)`", "third haste: `width(second)`"),
        ("none: width 1", "none: width 2"),
        ("second act: width(second) 2+", "second act: width(second) 1+"),
        ("and height(second) {difficulty}+", "and height {difficulty}+"),
        ("| width 2+ |", "| width 3+ |"),
    ]);
}

#[test]
fn the_odds_of_a_second_act() {
    let game = Game {
        rules: include_str!("sets.md"),
        check: "Act",
        varies: &[("pool", 1, 10), ("difficulty", 1, 10)],
        reference,
    };
    game.odds_are_those_of(&[5, 7], (5, 10));
}
