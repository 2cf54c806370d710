//! Cards as a die without replacement: a rank and a suit each, and two jokers.

use rollbook::rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let drawn: Vec<i64> = (0..values[0]).map(|_| faces.any()).collect();
    let twice = drawn.iter().any(|card| drawn.iter().filter(|other| *other == card).count() > 1);
    assert!(!twice, "a card is drawn twice: {drawn:?}");
    let rank = |card: i64| if card > 52 { 0 } else { (card - 1) % 13 + 2 };
    let of = |suit: i64| {
        let own = drawn.iter().filter(|card| **card <= 52 && (**card - 1) / 13 == suit);
        i64::try_from(own.count()).expect("a few")
    };
    let jokers = i64::try_from(drawn.iter().filter(|card| **card > 52).count()).expect("a few");
    let result = drawn.iter().map(|card| rank(*card)).max().expect("a card") + of(0);
    let margin = result - values[1];
    let told = match margin {
        ..0 if jokers > 0 => says(CriticalFailure, "Turned over", margin),
        _ if jokers > 0 => says(CriticalSuccess, "Wild", margin),
        0.. => says(Success, "Success", margin),
        _ => says(Failure, "Failure", margin),
    };
    let flags = if [of(0), of(1)].contains(&values[0]) { vec!["flush"] } else { Vec::new() };
    let values = vec![
        ("heart", of(0)),
        ("spade", of(1)),
        ("club", of(2)),
        ("diamond", of(3)),
        ("joker", jokers),
        ("Result", result),
        ("reds", of(0) + of(3)),
    ];
    Says { flags, values, ..told }
}

#[test]
fn cards_are_drawn_and_none_of_them_twice() {
    let rules = include_str!("cards.md");
    let varies = [("Nerve", 1, 5), ("difficulty", 2, 17)];
    Game { rules, check: "Draw", varies: &varies, reference }.holds(&[
        ("2-10, J", "3-10, J"),
        ("hearts, spades", "spades, hearts"),
        ("`highest + heart`", "`highest`"),
        ("`hearts + diamonds`", "`hearts + spades`"),
        ("spades at least dice", "clubs at least dice"),
        ("joker 1+ and margin less than 0", "joker 2+ and margin less than 0"),
        ("| jokers 1+ |", "| jokers 2+ |"),
    ]);
}
