//! Dice whose faces have symbols.

use crate::dice::tests::{code, roll};
use crate::dice::{Code, Die, parse};

#[test]
fn they_are_drawn_by_their_faces_and_added_up_symbol_by_symbol() {
    let lines: [(&str, &[i64], &str); 8] = [
        ("2d{-,S,SA}", &[3, 1], "2d{-,S,SA}: [SA, -] = 1 S, 1 A"),
        ("2d{-,S,SA}[Boost]", &[3, 2], "2 Boost: [SA, S] = 2 S, 1 A"),
        ("1d{-,S}[Boost][mine] + 1d{blank, f}[Bane]", &[2, 2], "1 Boost: [S] [mine]; + 1 Bane: [F] = 1 S, 1 F"),
        ("1d{-,S}", &[1], "1d{-,S}: [-] = nothing"),
        ("1d{1,2,S}[Fear] + 1d{1,2,S}[Fear] + 3", &[2, 3], "1 Fear: [2]; + 1 Fear: [S]; + 3 = 5, 1 S"),
        ("1d{-,S} + 1d6", &[2, 4], "1d{-,S}: [S]; + 1d6: [4] = 4, 1 S"),
        ("2d{-,S,SS}!3", &[3, 2, 1], "2d{-,S,SS}!=3: [SS!, S, -] = 3 S"),
        ("2d{-,S,SS}ro1", &[1, 2, 3], "2d{-,S,SS}ro1: [- -> S, SS] = 3 S"),
    ];
    for (text, faces, line) in lines {
        let rolled = roll(text, faces);
        assert_eq!(rolled.explanation.replace("!=3", "!3"), line.replace("!=3", "!3"), "{text}");
        assert_eq!(rolled.faces(), faces, "{text}");
        let again = parse(&rolled.expression).expect("the canonical text").to_string();
        assert_eq!(again, rolled.expression);
    }
    let rolled = roll("1d{-,S,SA}", &[3]);
    let die = rolled.dice()[0].die;
    assert_eq!((die.value, die.natural(), die.shows.as_deref()), (0, 3, Some("SA")));
    assert_eq!(die.symbols().collect::<String>(), "SA");
}

#[test]
fn numbers_alone_are_added_up_as_before() {
    assert_eq!(parse("1d{1, 2}").expect("dice").dice(), [Die::Faces(vec![1, 2])]);
    assert_eq!(parse("2d{0,-1}").expect("dice").to_string(), "2d{0,-1}");
    let totals = parse("2d{1,2,S}").expect("dice").odds().expect("odds").totals;
    // Of nine ways one has no symbol on the first die and a two on both.
    assert_eq!((totals.exactly(4).to_string(), totals.exactly(0).to_string()), ("1/9".to_owned(), "1/9".to_owned()));
    let none = parse("9d{-,S}").expect("dice").odds().expect("odds").totals;
    assert!(none.exactly(0).is_one());
}

#[test]
fn what_needs_numbers_is_refused() {
    assert_eq!(roll("2d{3H,1S,X}kh1", &[2, 1]).explanation, "2d{3H,1S,X}kh1: [1S, 3H] keep 3 = 3, 1 H");
    for text in ["2d{-,S}kh1", "2d{-,S}t2", "2d{-,S}min2", "2d{-,S}s", "2d{-,S}!!2", "2d{-,S}!p2", "2d{-,S}crit2"] {
        assert_eq!(code(text), Code::TypeMix, "{text}");
    }
    assert_eq!(code("1d{-,SSSSSSSSSS}"), Code::LimitExceeded);
    for text in ["1d{S,}", "1d{S T,A}", "1d{S,+}", "1d{S1,A}", "1d{1.5,A}"] {
        assert_eq!(code(text), Code::UnparseableInput, "{text}");
    }
}
