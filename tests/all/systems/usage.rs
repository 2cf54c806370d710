//! Dice that are used up: on a 1 or 2 a die goes down its chain.

use rollbook_rules::Outcome::{CriticalFailure, PartialSuccess, Success};
use rollbook_rules::{Act, Move, stepped};

use super::table::{Faces, Game, Says, says, system};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let size = values[0];
    let face = faces.die(size);
    let told = match (face, size) {
        (3.., _) => says(Success, "Bright", None),
        (_, 4) => says(CriticalFailure, "Out", None),
        _ => says(PartialSuccess, "Lower", None),
    };
    let flags = if face == size { vec!["blaze"] } else { Vec::new() };
    Says { flags, values: vec![("size", size)], ..told }
}

#[test]
fn a_lamp_burns_down() {
    let rules = include_str!("usage.md");
    let varies = [("Oil", 4, 20)];
    Game { rules, check: "Burn", varies: &varies, reference }.holds(&[
        ("natural 3+", "natural 2+"),
        ("| {Oil} 4 |", "| {Oil} 6 |"),
        ("`natural = size(natural)`", "natural 4+"),
        ("`size(natural)`", "`natural`"),
    ]);
}

#[test]
fn the_die_goes_down_its_chain_and_below_the_smallest_there_is_none() {
    let rules = system(include_str!("usage.md"));
    let check = rules.check("Burn").expect("the check");
    let moved: Vec<&Act> = check.rows.iter().flat_map(|row| &row.moves).map(|own| &own.act).collect();
    let [Act::Move(_, Move::Steps(-1)), Act::Move(_, Move::Steps(_))] = moved.as_slice() else { panic!("{moved:?}") };
    let down: Vec<Option<i64>> = [20, 12, 10, 8, 6, 4].map(|size| stepped(&rules, size, -1)).to_vec();
    assert_eq!(down, [Some(12), Some(10), Some(8), Some(6), Some(4), None]);
    assert_eq!([stepped(&rules, 12, 1), stepped(&rules, 20, 2)], [Some(20), Some(20)]);
}
