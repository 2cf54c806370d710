//! Sets of ranks on cards, and a deck of names.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

/// The rank of a card by its place; jokers have none.
fn rank(card: i64) -> Option<i64> {
    (card <= 52).then_some((card - 1) % 13 + 2)
}

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let draw = |many: i64| -> Vec<i64> { (0..many).map(|_| faces.any()).collect() };
    let (mine, omen) = (draw(values[0]), draw(1)[0]);
    assert!(mine.iter().all(|card| mine.iter().filter(|other| *other == card).count() == 1), "drawn twice: {mine:?}");
    let mut worth: Vec<i64> = mine.iter().map(|card| rank(*card).unwrap_or(0)).collect();
    let first = worth[0];
    worth.sort_unstable_by(|one, other| other.cmp(one));
    let (high, low) = (worth[0], *worth.last().expect("a card"));
    let ranks: Vec<i64> = mine.iter().filter_map(|card| rank(*card)).collect();
    let many = |rank: i64| i64::try_from(ranks.iter().filter(|own| **own == rank).count()).expect("a few");
    let (width, height) = ranks.iter().map(|rank| (many(*rank), *rank)).max().unwrap_or((0, 0));
    let told = match width {
        2.. if ranks.iter().any(|rank| many(*rank) > 1 && *rank >= 9) => says(CriticalSuccess, "Triumph", None),
        2.. => says(Success, "Success", None),
        _ if high >= 12 || omen == 1 => says(PartialSuccess, "Near", None),
        _ => says(Failure, "Failure", None),
    };
    let flags = [("tens", many(10) > 0), ("rich", worth.iter().take(2).sum::<i64>() >= 20), ("omen", omen > 2)];
    let flags = flags.into_iter().filter(|(_, raised)| *raised).map(|(name, _)| name).collect();
    let of = |suit: i64| {
        let own = mine.iter().filter(|card| **card <= 52 && (**card - 1) / 13 == suit);
        i64::try_from(own.count()).expect("a few")
    };
    let jokers = i64::try_from(mine.iter().filter(|card| rank(**card).is_none()).count()).expect("a few");
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
    Says { flags, values, ..told }
}

#[test]
fn sets_of_ranks_and_a_deck_of_names() {
    let rules = include_str!("hands.md");
    let varies = [("Nerve", 1, 5)];
    Game { rules, check: "Play", varies: &varies, reference }.holds(&[
        ("2-10, J", "3-10, J"),
        ("A of hearts, spades", "A of spades, hearts"),
        ("sun, moon, 3 star", "moon, sun, 3 star"),
        ("10 * cards width + cards height", "10 * cards width + cards highest"),
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
