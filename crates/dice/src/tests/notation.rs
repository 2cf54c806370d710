//! What is written and what it is read as, line by line, in text files beside this one.
//!
//! `TEXT  =>  CANONICAL` is read so; `TEXT  =!  CODE` is refused with this code, and `CODE: OFFER`
//! says what is offered instead; `TEXT  =?  HINT` is refused with this hint. `dialects.txt` has
//! what people who know Roll20, Foundry VTT or Avrae type, from the documentation of the three.
//! `lines.txt` has rolls: `TEXT  <-  FACES  =>  LINE`.

use crate::tests::roll;
use crate::{DiceError, Expression, parse, read};

/// The lines of a file that are no comments.
fn lines(file: &str) -> impl Iterator<Item = &str> {
    file.lines()
        .filter(|line| !line.starts_with("# ") && !line.is_empty())
}

/// Checks the refusal of a text, in words and in place.
fn check(text: &str, error: &DiceError) {
    assert!(parse(&error.example).is_ok(), "{text}: {}", error.example);
    assert!(
        text.get(error.span.clone()).is_some(),
        "{text}: {:?}",
        error.span
    );
    assert!(
        error.message.ends_with('.') && error.hint.ends_with(['.', '?']),
        "{text}: {error:?}"
    );
}

/// Checks every line of a file; `read_text` reads what is not asked for its hint.
fn check_lines(file: &str, read_text: fn(&str) -> Result<Expression, DiceError>) {
    for line in lines(file) {
        if let Some((text, canonical)) = line.split_once("  =>  ") {
            let expression = read_text(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            assert_eq!(expression.as_str(), canonical, "{text}");
            assert_eq!(parse(canonical), Ok(expression), "{text}");
        } else if let Some((text, hint)) = line.split_once("  =?  ") {
            let error = read(text).expect_err(text);
            check(text, &error);
            assert_eq!(error.hint, hint, "{text}");
            let offers: Vec<&str> = hint.split('`').skip(1).step_by(2).collect();
            assert!(
                offers.iter().all(|offer| read(offer).is_ok()),
                "{text}: {offers:?}"
            );
            assert!(
                error.example == offers[0] || parse(&error.example) == read(offers[0]),
                "{text}: {error:?}"
            );
        } else {
            let (text, wanted) = line.split_once("  =!  ").expect(line);
            let (code, offer) = wanted.split_once(": ").unwrap_or((wanted, ""));
            let error = read_text(text).expect_err(text);
            check(text, &error);
            assert_eq!(error.code.as_str(), code, "{text}");
            assert!(
                offer.is_empty() || error.example == offer,
                "{text}: {error:?}"
            );
            assert!(error.hint.contains(offer), "{text}: {error:?}");
        }
    }
}

#[test]
fn what_is_written_is_read_or_answered() {
    check_lines(include_str!("notation.txt"), parse);
    check_lines(include_str!("english.txt"), read);
    check_lines(include_str!("dialects.txt"), read);
}

#[test]
fn a_roll_has_its_line_of_arithmetic() {
    for line in lines(include_str!("lines.txt")) {
        let (text, rest) = line.split_once("  <-  ").expect(line);
        let (faces, wanted) = rest.split_once("  =>  ").expect(line);
        let faces: Vec<i64> = faces
            .split(' ')
            .map(|face| face.parse().expect(line))
            .collect();
        let rolled = roll(text, &faces);
        assert_eq!(
            (rolled.explanation.as_str(), rolled.faces()),
            (wanted, faces),
            "{text}"
        );
        assert_eq!(
            parse(&rolled.expression).expect(text).as_str(),
            rolled.expression,
            "{text}"
        );
    }
}
