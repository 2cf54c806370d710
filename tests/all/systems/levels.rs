//! A target of three times a level, and effects beside the outcome.

use rollbook::rules::Outcome::{Failure, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let die = faces.die(20);
    let margin = die - 3 * (values[0] - values[1]);
    let told = if margin >= 0 { says(Success, "Success", margin) } else { says(Failure, "Failure", margin) };
    let flags = match die {
        1 => vec!["intrusion"],
        19 if margin >= 0 => vec!["minor effect"],
        20 if margin >= 0 => vec!["major effect"],
        _ => Vec::new(),
    };
    Says { flags, ..told }
}

#[test]
fn a_task() {
    let varies = [("difficulty", 0, 10), ("ease", -1, 4)];
    Game { rules: include_str!("levels.md"), check: "Task", varies: &varies, reference }.holds(&[
        ("1d20", "1d30"),
        ("3 * ({difficulty} - {ease=0})", "3 * {difficulty} - {ease=0}"),
        ("natural 19 and margin 0+", "natural 19"),
        ("intrusion: natural 1", "intrusion: natural 1-2"),
    ]);
}
