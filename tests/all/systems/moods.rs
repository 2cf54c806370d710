//! Four colours of dice, of which one dominates: the highest die, then the next, then the order of the rules.

use rollbook_rules::Outcome::{Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let mut colours: Vec<Vec<i64>> = values.iter().map(|count| faces.dice(*count, 6)).collect();
    let low = |dice: &[i64]| i64::try_from(dice.iter().filter(|face| **face <= 3).count()).expect("a few");
    let mine: i64 = colours[..3].iter().map(|dice| low(dice)).sum();
    let lead = mine - low(&colours[3]);
    let mut leading = vec![0, 1, 2, 3];
    // Dice against dice, from the highest down; a colour that has none left gives way.
    for dice in &mut colours {
        dice.sort_unstable();
    }
    while leading.len() > 1 && leading.iter().any(|colour| !colours[*colour].is_empty()) {
        let shown: Vec<i64> = leading.iter().map(|colour| colours[*colour].pop().unwrap_or(0)).collect();
        let best = shown.iter().copied().max().unwrap_or(0);
        leading = leading.into_iter().zip(shown).filter(|(_, face)| *face == best).map(|(colour, _)| colour).collect();
    }
    let first = leading[0];
    let told = match (lead >= 0, first) {
        (true, 3) => says(PartialSuccess, "Grim", None),
        (true, _) => says(Success, "Success", None),
        (false, _) => says(Failure, "Failure", None),
    };
    let flags = vec![["clear", "afraid", "wild", "dark"][first]];
    Says { flags, values: vec![("mine", mine), ("lead", lead)], ..told }
}

#[test]
fn nightwork_in_four_colours() {
    let varies = [("calm", 1, 3), ("fear", 0, 5), ("rage", 0, 4), ("night", 1, 6)];
    Game { rules: include_str!("moods.md"), check: "Nightwork", varies: &varies, reference }.holds(&[
        ("Count: 1-3", "Count: 1-2"),
        ("afraid: fear dominates", "afraid: fear highest 6"),
        ("clear: calm dominates", "clear: `calm highest >= night highest`"),
        ("wild: rage dominates", "wild: fear dominates"),
        ("and night dominates", "and night dominates and night 6s 1+"),
        ("{mine} - night successes", "{mine} - fear successes"),
    ]);
}
