//! Dice whose faces have symbols.

use crate::tests::roll;
use crate::{Code, Die, parse};

#[test]
fn they_are_drawn_by_their_faces_and_are_worth_nothing() {
    let rolled = roll("1d{-,S,SA}", &[3]);
    let die = rolled.dice()[0].die;
    assert_eq!(
        (die.value, die.natural(), die.shows.as_deref()),
        (0, 3, Some("SA"))
    );
    assert_eq!(die.symbols().collect::<String>(), "SA");
}

#[test]
fn numbers_alone_are_added_up_as_before() {
    assert_eq!(
        parse("1d{1, 2}").expect("dice").dice(),
        [Die::Faces(vec![1, 2])]
    );
    assert_eq!(
        parse("1d{-1..2, 7}").expect("numbers").dice(),
        [Die::Faces(vec![-1, 0, 1, 2, 7])]
    );
    let totals = parse("2d{1,2,S}")
        .expect("dice")
        .odds()
        .expect("odds")
        .totals;
    // Of nine ways one has no symbol on the first die and a two on both.
    assert_eq!(
        (totals.exactly(4).to_string(), totals.exactly(0).to_string()),
        ("1/9".to_owned(), "1/9".to_owned())
    );
    let none = parse("9d{-,S}").expect("dice").odds().expect("odds").totals;
    assert!(none.exactly(0).is_one());
}

#[test]
fn terms_of_one_deck_draw_what_the_others_left() {
    // The third card of each deck is named by what is left: no card falls twice.
    let text = "2d{1..4H,J}unique[mine] + 1d6 + 2d{1..4H,J}unique[yours]";
    let dealt = roll(text, &[1, 2, 6, 4, 3]);
    assert_eq!(dealt.total, 16);
    let expression = parse(text).expect("a deal");
    assert!(
        expression
            .roll(&mut crate::ScriptedRoller::new([1, 2, 6, 2, 3]))
            .is_err()
    );
    assert!(expression.pools().is_none());
    let message = |text: &str| parse(text).expect_err("too many").message;
    assert_eq!(
        message("2d1unique"),
        "There is 1 face, and it falls no more than once in one roll."
    );
    assert_eq!(
        message("3d2unique"),
        "There are 2 faces, and none of them falls twice in one roll."
    );
    // Together they are what one term of all of them is.
    for (apart, together) in [
        (
            "1d{1..4H,J}unique[a] + 2d{1..4H,J}unique[b]",
            "3d{1..4H,J}unique",
        ),
        (
            "1d{1..4H,J}unique + 2d{1..4H,J}unique + 1d6",
            "3d{1..4H,J}unique + 1d6",
        ),
        ("2d52unique + 1d52unique", "3d52unique"),
    ] {
        let [one, other] =
            [apart, together].map(|text| parse(text).expect("dice").odds().expect("odds").totals);
        assert!(one.outcomes().eq(other.outcomes()), "{apart}");
    }
    let higher = parse("1d5unique vs 1d5unique")
        .expect("two cards")
        .odds()
        .expect("odds")
        .success;
    assert_eq!(
        higher.map(|chance| chance.to_string()).as_deref(),
        Some("1/2"),
        "none of them is as high as the other"
    );
    assert_eq!(
        parse("3d52unique + 3d52unique")
            .expect("dice")
            .odds()
            .expect_err("too many")
            .code,
        Code::LimitExceeded
    );
}
