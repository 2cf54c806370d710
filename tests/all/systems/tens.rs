//! Success levels: tens of the rating less tens of the roll, by which an opposed check is decided, too.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let (rating, load, die) = (values[0], values[1], faces.die(100));
    let (margin, levels) = (rating - die, rating / 10 - die / 10);
    let told = match (margin >= 0, levels) {
        (true, 6..) => says(CriticalSuccess, "Astounding", margin),
        (true, _) => says(Success, "Success", margin),
        (false, 0) => says(PartialSuccess, "By a hair", margin),
        (false, ..=-6) => says(CriticalFailure, "Disaster", margin),
        (false, _) => says(Failure, "Failure", margin),
    };
    let flags = if levels >= 4 && margin >= 0 { vec!["flawless"] } else { Vec::new() };
    Says { flags, values: vec![("SL", levels), ("strain", (-levels).max(0) + load)], ..told }
}

#[test]
fn a_test_with_levels() {
    let varies = [("rating", 1, 120), ("load", 0, 3)];
    Game { rules: include_str!("tens.md"), check: "Test", varies: &varies, reference }.holds(&[
        ("{SL} 6+", "{SL} 5+"),
        ("| {SL} 0 |", "| {SL} 1 |"),
        ("{SL} -6 or less", "{SL} -5 or less"),
        ("floor(total / 10)", "ceil(total / 10)"),
        ("floor(total / 10)", "total / 10"),
        ("max(0, 0 - {SL})", "max(0, {SL})"),
        ("flawless: {SL} 4+", "flawless: {SL} 3+"),
    ]);
}
