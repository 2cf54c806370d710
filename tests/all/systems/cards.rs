//! Cards that stay out from one draw to the next, a rank and a suit each, until one of two jokers turns the deck over.

use std::cell::RefCell;

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

thread_local! {
    /// The cards that are left in the deck on the table.
    static LEFT: RefCell<Vec<i64>> = const { RefCell::new(Vec::new()) };
}

/// So many cards of the deck; what the program draws from must begin and end with the same cards.
fn draw(left: &mut Vec<i64>, many: i64, faces: &Faces<'_>) -> Vec<i64> {
    let too_few = i64::try_from(left.len()).expect("a few") < many;
    if faces.begins() || too_few {
        *left = (1..=54).collect();
    }
    let mut drawn = Vec::new();
    for _ in 0..many {
        let (first, last) = (*left.first().expect("enough"), *left.last().expect("enough"));
        let card = faces.between(first, last);
        // A card that is out fits no roll.
        match left.iter().position(|own| *own == card) {
            Some(at) => drawn.push(left.remove(at)),
            None => drawn.push(0),
        }
    }
    if drawn.iter().any(|card| *card > 52) {
        *left = (1..=54).collect();
    }
    drawn
}

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let drawn = LEFT.with_borrow_mut(|left| draw(left, values[0], faces));
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
        ("hearts", of(0)),
        ("spades", of(1)),
        ("clubs", of(2)),
        ("diamonds", of(3)),
        ("joker", jokers),
        ("reds", of(0) + of(3)),
    ];
    Says { flags, values, ..told }
}

#[test]
fn cards_are_drawn_and_stay_out_until_a_joker() {
    let rules = include_str!("cards.md");
    let varies = [("Nerve", 1, 5), ("difficulty", 2, 17)];
    Game { rules, check: "Draw", varies: &varies, reference }.holds(&[
        ("; drawn cards stay out until joker", ""),
        (" until joker", ""),
        (" until joker", " until A"),
        ("2-10, J", "3-10, J"),
        ("hearts, spades", "spades, hearts"),
        ("`highest + hearts`", "`highest`"),
        ("`hearts + diamonds`", "`hearts + spades`"),
        ("spades >= dice", "clubs >= dice"),
        ("joker 1+ and margin -1 or less", "joker 2+ and margin -1 or less"),
        ("| joker 1+ |", "| joker 2+ |"),
    ]);
}
