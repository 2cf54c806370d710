//! Roll and keep: dice that grow on a ten, of which some are kept.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let (kept, skill, free, difficulty) = (values[0], values[1], values[2], values[3]);
    let grown = || {
        let mut die = 0;
        loop {
            let face = faces.die(10);
            die += face;
            if face != 10 {
                return die;
            }
        }
    };
    let mut dice: Vec<i64> = (0..kept + skill).map(|_| grown()).collect();
    dice.sort_unstable();
    let total: i64 = dice.iter().rev().take(usize::try_from(kept).expect("dice")).sum::<i64>() + free;
    let margin = total - difficulty;
    let raises = margin.div_euclid(5);
    let told = match margin {
        5.. => says(CriticalSuccess, "With raises", margin),
        0.. => says(Success, "Success", margin),
        -2.. => says(PartialSuccess, "Close", margin),
        _ => says(Failure, "Failure", margin),
    };
    let flags = if raises >= 2 { vec!["splendid"] } else { Vec::new() };
    Says { flags, values: vec![("raises", raises)], ..told }
}

#[test]
fn a_roll_of_which_the_best_dice_are_kept() {
    let rules = include_str!("keep.md");
    let varies = [("trait", 1, 4), ("skill", 0, 4), ("free", 0, 5), ("difficulty", 5, 40)];
    Game { rules, check: "Roll and keep", varies: &varies, reference }.holds(&[
        ("d10!!kh", "d10!kh"),
        ("kh{trait}", "kl{trait}"),
        ("!!kh", "kh"),
        ("margin / 5", "margin / 6"),
        ("{raises} 2+", "{raises} 3+"),
        ("{raises} 1+", "{raises} 2+"),
        ("margin -2+", "margin -1+"),
        ("+ {free=0}", "- {free=0}"),
    ]);
}
