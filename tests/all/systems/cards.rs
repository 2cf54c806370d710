//! Cards: ranks, suits and jokers, from a deck that is shuffled again and one that is not.

use std::cell::RefCell;

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

// Cards that stay out from one draw to the next, a rank and a suit each, until one of two jokers
// turns the deck over.

thread_local! {
    /// The cards that are left in the deck on the table.
    static LEFT: RefCell<Vec<i64>> = const { RefCell::new(Vec::new()) };
}

/// How many of the cards are of that suit.
fn of_suit(cards: &[i64], suit: i64) -> i64 {
    i64::try_from(
        cards
            .iter()
            .filter(|card| **card <= 52 && (**card - 1) / 13 == suit)
            .count(),
    )
    .expect("a few")
}

/// So many cards of the deck; what the program draws from must begin and end with the same cards.
fn draw(left: &mut Vec<i64>, many: i64, faces: &Faces<'_>) -> Vec<i64> {
    let too_few = i64::try_from(left.len()).expect("a few") < many;
    if faces.begins() || too_few {
        *left = (1..=54).collect();
    }
    let mut drawn = Vec::new();
    for _ in 0..many {
        let (first, last) = (
            *left.first().expect("enough"),
            *left.last().expect("enough"),
        );
        let card = faces.between(first, last);
        // A card that is out fits no roll.
        match left.iter().position(|card_left| *card_left == card) {
            Some(at) => drawn.push(left.remove(at)),
            None => drawn.push(0),
        }
    }
    if drawn.iter().any(|card| *card > 52) {
        *left = (1..=54).collect();
    }
    drawn
}

fn cards(values: &[i64], faces: &Faces<'_>) -> Says {
    let drawn = LEFT.with_borrow_mut(|left| draw(left, values[0], faces));
    let rank = |card: i64| if card > 52 { 0 } else { (card - 1) % 13 + 2 };
    let of = |suit: i64| of_suit(&drawn, suit);
    let jokers = i64::try_from(drawn.iter().filter(|card| **card > 52).count()).expect("a few");
    let result = drawn.iter().map(|card| rank(*card)).max().expect("a card") + of(0);
    let margin = result - values[1];
    let verdict = match margin {
        ..0 if jokers > 0 => says(CriticalFailure, "Turned over", margin),
        _ if jokers > 0 => says(CriticalSuccess, "Wild", margin),
        0.. => says(Success, "Success", margin),
        _ => says(Failure, "Failure", margin),
    };
    let flags = if [of(0), of(1)].contains(&values[0]) {
        vec!["flush"]
    } else {
        Vec::new()
    };
    let values = vec![
        ("hearts", of(0)),
        ("spades", of(1)),
        ("clubs", of(2)),
        ("diamonds", of(3)),
        ("joker", jokers),
        ("reds", of(0) + of(3)),
    ];
    Says {
        flags,
        values,
        ..verdict
    }
}

#[test]
fn cards_are_drawn_and_stay_out_until_a_joker() {
    let rules = include_str!("cards.md");
    let varies = [("Nerve", 1, 5), ("difficulty", 2, 17)];
    Game {
        rules,
        check: "Draw",
        varies: &varies,
        reference: cards,
    }
    .holds(&[
        ("; drawn cards stay out until joker", ""),
        (" until joker", ""),
        (" until joker", " until A"),
        ("2-10, J", "3-10, J"),
        ("hearts, spades", "spades, hearts"),
        ("`highest + hearts`", "`highest`"),
        ("`hearts + diamonds`", "`hearts + spades`"),
        ("spades >= dice", "clubs >= dice"),
        (
            "joker 1+ and margin -1 or less",
            "joker 2+ and margin -1 or less",
        ),
        ("| joker 1+ |", "| joker 2+ |"),
    ]);
}

// Sets of ranks on cards, and a deck of names.

/// The rank of a card by its place; jokers have none.
fn rank(card: i64) -> Option<i64> {
    (card <= 52).then_some((card - 1) % 13 + 2)
}

fn hands(values: &[i64], faces: &Faces<'_>) -> Says {
    let draw = |many: i64| -> Vec<i64> { (0..many).map(|_| faces.any()).collect() };
    let (mine, omen) = (draw(values[0]), draw(1)[0]);
    assert!(
        mine.iter()
            .all(|card| mine.iter().filter(|other| *other == card).count() == 1),
        "drawn twice: {mine:?}"
    );
    let mut worth: Vec<i64> = mine.iter().map(|card| rank(*card).unwrap_or(0)).collect();
    let first = worth[0];
    worth.sort_unstable_by(|one, other| other.cmp(one));
    let (high, low) = (worth[0], *worth.last().expect("a card"));
    let ranks: Vec<i64> = mine.iter().filter_map(|card| rank(*card)).collect();
    let many = |rank: i64| {
        i64::try_from(ranks.iter().filter(|other| **other == rank).count()).expect("a few")
    };
    let (width, height) = ranks
        .iter()
        .map(|rank| (many(*rank), *rank))
        .max()
        .unwrap_or((0, 0));
    let verdict = match width {
        2.. if ranks.iter().any(|rank| many(*rank) > 1 && *rank >= 9) => {
            says(CriticalSuccess, "Triumph", None)
        }
        2.. => says(Success, "Success", None),
        _ if high >= 12 || omen == 1 => says(PartialSuccess, "Near", None),
        _ => says(Failure, "Failure", None),
    };
    let flags = [
        ("tens", many(10) > 0),
        ("rich", worth.iter().take(2).sum::<i64>() >= 20),
        ("omen", omen > 2),
    ];
    let flags = flags
        .into_iter()
        .filter(|(_, raised)| *raised)
        .map(|(name, _)| name)
        .collect();
    let of = |suit: i64| of_suit(&mine, suit);
    let jokers =
        i64::try_from(mine.iter().filter(|card| rank(**card).is_none()).count()).expect("a few");
    let is = |holds: bool| i64::from(holds);
    let values = vec![
        ("hearts", of(0)),
        ("spades", of(1)),
        ("clubs", of(2)),
        ("diamonds", of(3)),
        ("joker", jokers),
        ("sun", is(omen == 1)),
        ("moon", is(omen == 2)),
        ("star", is(omen > 2)),
        ("sets", 10 * width + height),
        ("first", first),
        ("low", low),
    ];
    Says {
        flags,
        values,
        ..verdict
    }
}

#[test]
fn sets_of_ranks_and_a_deck_of_names() {
    let rules = include_str!("hands.md");
    let varies = [("Nerve", 1, 5)];
    Game {
        rules,
        check: "Play",
        varies: &varies,
        reference: hands,
    }
    .holds(&[
        ("2-10, J", "3-10, J"),
        ("A of hearts, spades", "A of spades, hearts"),
        ("sun, moon, 3 star", "moon, sun, 3 star"),
        (
            "10 * cards width + cards height",
            "10 * cards width + cards highest",
        ),
        ("`natural`", "`highest`"),
        ("`cards lowest`", "`cards highest`"),
        ("10s 1+", "11s 1+"),
        ("sum(highest 2) 20+", "sum(highest 2) 21+"),
        ("star 1+", "moon 1+"),
        ("cards width(9+) 2+", "cards width(10+) 2+"),
        ("cards highest 12+ or", "cards highest 13+ or"),
        ("or sun 1+", "or moon 1+"),
    ]);
}
