//! What is refused, with which code, where.

use crate::tests::code;
use crate::{Code, ScriptedRoller, parse, read};

#[test]
fn what_is_no_line_of_a_file_is_refused_too() {
    for (text, wanted) in [
        ("", Code::Empty),
        ("   ", Code::Empty),
        ("1d20 # a\nb", Code::UnparseableInput),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.code, wanted, "{text:?}");
        assert!(
            parse(&error.example).is_ok() && text.get(error.span.clone()).is_some(),
            "{text:?}: {error:?}"
        );
    }
}

#[test]
fn large_texts() {
    for (part, times) in [
        ("1+", 5000),
        ("1+", 101),
        ("(", 500),
        ("(", 33),
        ("-", 500),
        ("1", 513),
    ] {
        assert_eq!(
            code(&part.repeat(times)),
            Code::LimitExceeded,
            "{part} {times} times"
        );
    }
    assert_eq!(code(&format!("1{}", "+1".repeat(100))), Code::LimitExceeded);
    assert!(parse(&format!("1{}", "+1".repeat(99))).is_ok());
    assert_eq!(
        code(&format!("9d6{}", "ro1".repeat(33))),
        Code::LimitExceeded
    );
    // 300 bytes, but 597 when written out; the log's text must be readable again.
    assert_eq!(
        code(&format!("d6{}", "+d6".repeat(99))),
        Code::LimitExceeded
    );
    let open = |depth: usize| format!("{}1d20{}>=1d20", "(1+".repeat(depth), ")".repeat(depth));
    for depth in 25..40 {
        if let Ok(expression) = parse(&open(depth)) {
            assert_eq!(parse(expression.as_str()), Ok(expression));
        }
    }
    assert!(parse(&format!("{}1{}", "(".repeat(32), ")".repeat(32))).is_ok());
}

#[test]
fn spans() {
    let span = |text: &str| {
        let error = parse(text).unwrap_err();
        text[error.span].to_owned()
    };
    assert_eq!(span("1d20 + {bonus}"), "{bonus}");
    assert_eq!(span("2d6 + 4d6kh5"), "kh5");
    assert_eq!(span("2d6 + 5d10t11"), "t11");
    assert_eq!(span("1d6 / (1d6 - 3)"), "1d6 - 3");
    assert_eq!(span("2d-6"), "2d-");
    assert_eq!(span("1d20 foo"), "foo");
}

/// Characters that act on a terminal instead of being seen.
#[test]
fn labels_and_comments_hold_nothing_that_acts_on_a_terminal() {
    for bad in [
        "\u{1b}[31m",
        "\u{202e}",
        "\u{2066}",
        "\u{2028}",
        "\u{feff}",
        "\u{85}",
        "\u{e0041}",
    ] {
        for text in [format!("1d6[a{bad}b]"), format!("1d6 # a{bad}b")] {
            assert_eq!(code(&text), Code::UnparseableInput, "{text:?}");
        }
        let error = read(&format!("roll x{bad}y 1d6")).unwrap_err();
        assert!(!error.message.contains(crate::text::is_unsafe), "{error:?}");
        let error = parse(&format!("1d6 {bad}")).unwrap_err();
        assert!(!error.message.contains(crate::text::is_unsafe), "{error:?}");
    }
    for good in ["\u{1f469}\u{200d}\u{1f680}", "Käse", "\u{5e9}\u{5dc}"] {
        assert!(parse(&format!("1d6[{good}] # {good}")).is_ok(), "{good}");
    }
}

#[test]
fn an_example_has_the_words_that_were_written() {
    assert_eq!(parse("d6+2d12 dis").unwrap_err().example, "1d20 dis + 5");
    assert_eq!(
        read("1d20 adv vs 1d20 dis").unwrap_err().example,
        "2d20kh1 vs 2d20kl1"
    );
}

/// Dice that explode as long as they may come to more draws than a roll may take, and stop it.
#[test]
fn a_roll_stops_at_its_last_draw() {
    let expression = parse("100d6!").unwrap();
    let mut sixes = ScriptedRoller::new(vec![6; 20_000]);
    let error = expression.roll(&mut sixes).unwrap_err();
    assert_eq!(
        (error.code, sixes.left().len()),
        (Code::LimitExceeded, 10_000)
    );
    // A hundred dice of a hundred draws are just enough.
    let mut faces: Vec<i64> = std::iter::repeat_n([vec![6; 99], vec![1]].concat(), 100)
        .flatten()
        .collect();
    faces.push(6);
    let mut script = ScriptedRoller::new(faces);
    assert_eq!(
        expression.roll(&mut script).unwrap().total,
        100 * (99 * 6 + 1)
    );
    assert_eq!(script.left().len(), 1);
}
