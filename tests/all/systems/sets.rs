//! Sets of equal dice: how wide and how tall the widest is.

use rollbook::rules::Outcome::{CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let mut showing = [0_i64; 11];
    for face in faces.dice(values[0], 10) {
        showing[usize::try_from(face).expect("a face")] += 1;
    }
    let (mut width, mut height) = (0, 0);
    for (face, many) in (0..).zip(showing) {
        if many > 0 && many >= width {
            (width, height) = (many, face);
        }
    }
    let told = match width {
        4.. => says(CriticalSuccess, "Flawless", None),
        2.. if height >= values[1] => says(Success, "Success", None),
        2.. => says(PartialSuccess, "Nearly", None),
        _ => says(Failure, "Failure", None),
    };
    let flags = if width == 1 { vec!["none"] } else { Vec::new() };
    Says { flags, values: vec![("haste", width), ("grace", height)], ..told }
}

#[test]
fn an_act_with_sets() {
    let varies = [("pool", 1, 10), ("difficulty", 1, 10)];
    Game { rules: include_str!("sets.md"), check: "Act", varies: &varies, reference }.holds(&[
        ("width 4+", "width 3+"),
        ("and height at least", "and highest at least"),
        ("and height at least", "and width at least"),
        ("haste: `width`", "haste: `dice - width`"),
        ("grace: `height`", "grace: `highest`"),
        ("none: width 1", "none: width 2"),
        ("| width 2+ |", "| width 3+ |"),
    ]);
}
