//! Rolling under an attribute, as the oldest games do.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
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
    Game { rules: include_str!("under.md"), check: "Attribute check", varies: &varies, reference }.holds(&[
        ("1d20", "1d30"),
        ("{attribute score} or less", "{attribute score}"),
        ("natural 20", "natural 19"),
        ("margin 0+", "margin 1+"),
    ]);
}
