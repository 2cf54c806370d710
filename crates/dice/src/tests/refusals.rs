//! What is refused, with which code, where.

use crate::tests::code;
use crate::{Code, ScriptedRoller, parse, read};

const REFUSED: [(Code, &[&str]); 26] = [
    (Code::Empty, &["", "   "]),
    (Code::UnparseableInput, &["xyz", "1d20 5", "1d20 +", "(1d20", "1d20)", "1 0d6", "1d20 ★", "1d20[fire"]),
    (Code::UnparseableInput, &["1d20[]", "1d20 # a\nb", "max(1d6)", "floor(1d6, 2)", "2d6 bands 10,7"]),
    (Code::UnparseableInput, &["repeat(1d6,0)", "2d6r", "1.d6", "1d20 adv vs", "2 0d6", "d6 é"]),
    (Code::InvalidDie, &["2d-6", "d", "d0", "0d6", "(2-2)d6", "(1d4)d6", "(5/2)d6", "1.5d6"]),
    (Code::InvalidKeep, &["4d6kh5", "4d6kh0", "4d6kh1kl1", "4d6dl4", "4d6dl2dh2", "4d6kh3dl1", "{1d6,1d8}kh3"]),
    (Code::InvalidKeep, &["4d6kh3kl1"]),
    (Code::InvalidAdvantageUsage, &["2d20 adv", "1d6 adv", "1d20+1d20 adv", "2d6 + 3 adv", "2d20kh1 adv"]),
    (Code::InvalidAdvantageUsage, &["1d20 adv dis", "1d6 adv + 1d20"]),
    (Code::Duplicate, &["1d20 adv adv", "4d6kh3kh3", "5d10t8t8", "5d6!!!", "5d6!5!5", "d20min5min6", "4d6sasd"]),
    (Code::Duplicate, &["2d6ro1ro1", "5d10evenodd", "d%b1b1", "1d6rr1rr1", "2d6xx"]),
    (Code::OutOfScopeSyntax, &["1d20 + {bonus}", "{bonus}d6", "2d6b1", "d%b1!", "{1d6,1d8}!", "{1d6,1d8}ro1"]),
    (Code::OutOfScopeSyntax, &["1d20+{bonus}"]),
    (Code::Ambiguous, &["5+1d20>=15", "1d20>=15+5", "5d10cs8", "5d10cf1", "4d6p1", "{4d6}kh3", "(4d6)kh3", "{4d6}"]),
    (Code::Ambiguous, &["{d6}"]),
    (Code::TypeMix, &["5d10t8 + 1d6", "5d10t8 * 1d6", "{5d10t8, 1d6}kh1", "max(5d10t8, 1d6)", "5d10t8 vs 1d6"]),
    (Code::TypeMix, &["{5d10t8, 5d10t7}t2", "5d10t8+1d6"]),
    (Code::NoEffect, &["5d10t11", "5d10t1", "5d10t>=1", "2d6ro7", "2d6ro<7", "2d6!7", "2d6!o<7", "1d1!o", "d6min1"]),
    (Code::NoEffect, &["d6max6", "d6min6", "d20crit21", "4d6k=7", "d{2,4}even", "2d6rr6!", "d%b0", "{1d6,1d8}t1"]),
    (Code::NonTerminating, &["1d1!", "d6rr<7", "d6!<7", "d6rr<4rr>=4", "d6rr<6!", "1000d3!>1", "d100rr<99"]),
    (Code::DivZero, &["1d6/0", "1d6/(1d6-3)", "5//0"]),
    (Code::Overflow, &["1000000000*1000000000", "1d1000*1d1000*1d1000*1d1000*1d1000*1d1000"]),
    (Code::Overflow, &["1/1d1000+1/1d1000+1/1d1000+1/1d1000+1/1d1000", "1000000000*9000000 vs -1000000000*9000000"]),
    (Code::LimitExceeded, &["1001d6", "501d6+500d6", "repeat(11d6,100)", "d1001", "1d20+1000000001"]),
    (Code::LimitExceeded, &["1000000000000000000000000000000", "repeat(1d6,101)", "d%b10", "1000000001"]),
    (Code::LimitExceeded, &["500d6+501d6"]),
];

fn refused() -> impl Iterator<Item = (&'static str, Code)> {
    REFUSED.into_iter().flat_map(|(code, texts)| texts.iter().map(move |text| (*text, code)))
}

#[test]
fn codes() {
    for (text, wanted) in refused() {
        assert_eq!(code(text), wanted, "{text}");
    }
}

#[test]
fn large_texts() {
    for (part, times) in [("1+", 5000), ("1+", 101), ("(", 500), ("(", 33), ("-", 500), ("1", 513)] {
        assert_eq!(code(&part.repeat(times)), Code::LimitExceeded, "{part} {times} times");
    }
    assert_eq!(code(&format!("1{}", "+1".repeat(100))), Code::LimitExceeded);
    assert!(parse(&format!("1{}", "+1".repeat(99))).is_ok());
    assert_eq!(code(&format!("9d6{}", "ro1".repeat(33))), Code::LimitExceeded);
    // 300 bytes, but 597 when written out; the log's text must be readable again.
    assert_eq!(code(&format!("d6{}", "+d6".repeat(99))), Code::LimitExceeded);
    let open = |depth: usize| format!("{}1d20{}>=1d20", "(1+".repeat(depth), ")".repeat(depth));
    for depth in 25..40 {
        if let Ok(expression) = parse(&open(depth)) {
            assert_eq!(parse(expression.as_str()), Ok(expression));
        }
    }
    assert!(parse(&format!("{}1{}", "(".repeat(32), ")".repeat(32))).is_ok());
}

#[test]
fn every_refusal_has_a_valid_example_and_words() {
    for (text, _) in refused() {
        let error = parse(text).unwrap_err();
        assert!(parse(&error.example).is_ok(), "{text}: {}", error.example);
        assert!(!error.message.is_empty() && !error.hint.is_empty(), "{text}");
        assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{text}: {error:?}");
        assert!(error.message.ends_with('.') && error.hint.ends_with(['.', '?']), "{text}: {error:?}");
    }
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

/// The hint, and every text between backticks in it, which must be read.
fn hint(text: &str) -> String {
    let error = read(text).expect_err(text);
    for offer in error.hint.split('`').skip(1).step_by(2) {
        assert!(read(offer).is_ok(), "{text}: {offer}");
    }
    assert!(parse(&error.example).is_ok(), "{text}: {}", error.example);
    error.hint
}

/// Each rewrite is of the whole text, and one that would be refused is not shown.
#[test]
fn an_ambiguous_comparison_names_the_rewrites_that_can_be_read() {
    for (text, wanted) in [
        ("5+1d20>=15", "To count dice, write `5 + 1d20t15`; to check the total, write `(5 + 1d20) >= 15`."),
        ("10d6>=5+2", "To count dice, write `10d6t5 + 2`; to check the total, write `(10d6) >= 5 + 2`."),
        ("1d20 >= 10 * 2", "To count dice, write `1d20t10 * 2`; to check the total, write `(1d20) >= 10 * 2`."),
        ("8d10>=8 + 1d4", "To check the total, write `(8d10) >= 8 + 1d4`."),
        ("2d6 + 8d10>7", "To check the total, write `(2d6 + 8d10) > 7`."),
        (
            "repeat(10d6>=5+2, 3)",
            "To count dice, write `repeat(10d6t5 + 2, 3)`; to check the total, write `repeat((10d6) >= 5 + 2, 3)`.",
        ),
    ] {
        assert_eq!(hint(text), wanted, "{text}");
    }
}

/// What is offered is what was written, changed no more than it must be.
#[test]
fn rewrites_keep_what_was_written() {
    let times = "to roll it so many times, write";
    for (text, wanted) in [
        ("8d10cs>=8", "To count successes, write `8d10t8`; to mark criticals, write `8d10crit>=8`.".to_owned()),
        (
            "5d10t8cf1+2",
            "To count failures, write `5d10t8f1 + 2`; to mark fumbles, write `5d10t8fumble1 + 2`.".to_owned(),
        ),
        ("3d6kh5", "To roll more and keep fewer, write `5d6kh3`; to keep them all, write `3d6`.".to_owned()),
        ("d100b1 + 2", "For a bonus die, write `1d%b1 + 2`.".to_owned()),
        ("d100p1", "To drop the face, write `1d100d=1`; for a penalty die, write `1d%p1`.".to_owned()),
        ("2d20p1 + 4", "To drop the face, write `2d20d=1 + 4`.".to_owned()),
        ("8d6ra6", "To explode once, write `8d6!o6`.".to_owned()),
        ("5d10t8df1", "To take one success off for each, write `5d10t8f1`.".to_owned()),
        ("1d20ms>=15", "For a check with its margin, write `1d20 vs 15`.".to_owned()),
        ("1d20 + @{dex} + 2", "If its value is 3, write `1d20 + 3 + 2`.".to_owned()),
        ("8d10t8>=3", "To check the number of successes, write `8d10t8 vs 3`.".to_owned()),
        ("8d10>=8>3", "To check the number of successes, write `(8d10t8) > 3`.".to_owned()),
        ("{4d6}kh3 + 1", "Without the brackets, write `4d6kh3 + 1`.".to_owned()),
        ("1d20+1d4 adv - 1", "To roll the d20 so, write `2d20kh1 + 1d4 - 1`.".to_owned()),
        ("2d6 >= 7", "For a check with its margin, write `2d6 vs 7`; to check the total, write `(2d6) >= 7`.".to_owned()),
        ("3d6>=10", "For a check with its margin, write `3d6 vs 10`; to check the total, write `(3d6) >= 10`.".to_owned()),
        (
            "3d6<=11 # sneak",
            "For a check with its margin, write `3d6 under 11 # sneak`; to check the total, write `(3d6) <= 11 # sneak`."
                .to_owned(),
        ),
        ("2d6=7", "To check the total, write `(2d6) = 7`.".to_owned()),
        ("3d6>17", "To check the total, write `(3d6) > 17`.".to_owned()),
        (
            "repeat(2d6>=7, 3)",
            "For a check with its margin, write `repeat(2d6 vs 7, 3)`; to check the total, write `repeat((2d6) >= 7, 3)`."
                .to_owned(),
        ),
        ("5d10t11 + 1", "To leave it out, write `5d10 + 1`.".to_owned()),
        (
            "6#4d6kh3",
            "To roll it so many times, write `repeat(4d6kh3, 6)`; to roll it once, write `4d6kh3`.".to_owned(),
        ),
        (
            "3 # d20+5",
            "To roll it so many times, write `repeat(1d20 + 5, 3)`; to roll it once, write `1d20 + 5`.".to_owned(),
        ),
        ("6[4d6kh3]", "To multiply, write `6 * 4d6kh3`; to add, write `6 + 4d6kh3`.".to_owned()),
        ("6(4d6kh3)", format!("To multiply, write `6 * 4d6kh3`; {times} `repeat(4d6kh3, 6)`.")),
        ("2(1d6)", format!("To multiply, write `2 * 1d6`; {times} `repeat(1d6, 2)`.")),
        ("1d6(2)", "To multiply, write `1d6 * 2`.".to_owned()),
        ("6x 4d6kh3", format!("To multiply, write `6 * 4d6kh3`; {times} `repeat(4d6kh3, 6)`.")),
        ("roll 5d6!", "For exploding dice, write `5d6!`; without exploding, write `5d6`.".to_owned()),
    ] {
        assert_eq!(hint(text), wanted, "{text}");
    }
}

/// Characters that act on a terminal instead of being seen.
#[test]
fn labels_and_comments_hold_nothing_that_acts_on_a_terminal() {
    for bad in ["\u{1b}[31m", "\u{202e}", "\u{2066}", "\u{2028}", "\u{feff}", "\u{85}", "\u{e0041}"] {
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
fn near_misses_name_what_was_meant() {
    let pairs = [
        ("2d20 adv", "2d20kh1"),
        ("2d20 dis + 5", "2d20kl1 + 5"),
        ("4d6k3h", "4d6kh3"),
        ("4d6d1l + 2", "4d6dl1 + 2"),
        ("4d6hk3", "4d6kh3"),
        ("1d20 disadvantge", "1d20 disadvantage"),
        ("1d20 5", "1d20 + 5"),
        ("/roll 2d6", "2d6"),
        ("[[2d6+3]]", "2d6+3"),
        ("!rr 6 4d6kh3", "repeat(4d6kh3, 6)"),
        ("/gmroll 1d20+2", "1d20+2"),
        ("1d20 => 15", "1d20 >= 15"),
        ("2d6 =< 5", "2d6 <= 5"),
        ("1d6 + 1 000", "1d6 + 1000"),
        ("1d6 + 1,000", "1d6 + 1000"),
        ("(2d6 + 1", "(2d6 + 1)"),
        ("2d6 + 1)", "2d6 + 1"),
        ("flor(2d6 / 2)", "floor(2d6 / 2)"),
    ];
    for (text, wanted) in pairs {
        let error = parse(text).unwrap_err();
        assert_eq!(error.example, wanted, "{text}");
        assert_eq!(error.hint, format!("Did you mean `{wanted}`?"), "{text}");
    }
}

#[test]
fn what_other_programs_do_is_out_of_scope() {
    for text in ["1d20 + @{dex}", "1d20 + ?{bonus}", "2d6^2", "5d10t8df1", "4d6ra1", "5d10ms8", "4d6mt"] {
        assert_eq!(code(text), Code::OutOfScopeSyntax, "{text}");
    }
}

/// Each of these once rolled something else than was meant, without a word.
#[test]
fn what_is_written_apart_is_never_taken_for_a_modifier() {
    for (text, code) in [("4d6 d2", Code::Ambiguous), ("3d6 x 2", Code::Ambiguous)] {
        let error = read(text).expect_err(text);
        assert_eq!(error.code, code, "{text}: {error}");
        assert!(read(&error.example).is_ok(), "{text}: {}", error.example);
    }
    for text in ["4d6d1", "4d6 dl1", "5d6x5", "d% b1", "four d six drop the lowest"] {
        assert!(read(text).is_ok(), "{text}");
    }
}

/// An example is the text itself, mended, wherever one slip explains it.
#[test]
fn an_example_is_the_text_mended() {
    for (text, wanted) in [
        ("4d6h3", "4d6kh3"),
        ("4d6l1 + 2", "4d6kl1 + 2"),
        ("2d6h", "2d6kh"),
        ("1d20+3 != 15", "1d20+3 <> 15"),
        ("2d6 bands 7 10", "2d6 bands 7, 10"),
        ("2d6[fire]kh1", "2d6kh1[fire]"),
        ("2d6[cold fire]kh1 + 3", "2d6kh1[cold fire] + 3"),
        (".5*2d6", "0.5*2d6"),
        ("d1oo", "d100"),
        ("1d2O + 5", "1d20 + 5"),
        ("3d6!>0", "3d6!"),
        ("3d6!!>0 + 1", "3d6!! + 1"),
        ("d6rr<7", "1d6"),
        ("1d20kh1 adv", "2d20kh1"),
        ("1d20kh1+3 dis", "2d20kl1 + 3"),
        ("1d20+1d20 adv", "2d20kh1 + 1d20"),
        ("d20+d20 dis", "2d20kl1 + 1d20"),
        ("1d20 adv dis", "1d20"),
        ("1d6/0", "1d6 / 2"),
        ("repeat(4d6kh3 # stats, 6)", "repeat(4d6kh3, 6) # stats"),
        ("d20 & d6", "1d20 + 1d6"),
        ("3d6!!!", "3d6!!"),
        ("d6!!!", "1d6!!"),
    ] {
        let error = crate::read(text).unwrap_err();
        assert_eq!(error.example, wanted, "{text}: {error:?}");
    }
    let several = parse("1d20+1d20 adv").unwrap_err().hint;
    assert_eq!(
        several,
        "For the first of them, write `2d20kh1 + 1d20`; for the last, write `1d20 + 2d20kh1`; for each of them, write \
         `2d20kh1 + 2d20kh1`."
    );
    // The example has the word that was written.
    assert_eq!(parse("d6+2d12 dis").unwrap_err().example, "1d20 dis + 5");
}

/// The bounds hold to the last number, written in whatever way.
#[test]
fn bounds_hold_to_the_last_number() {
    assert_eq!(code("1000000000.999999"), Code::LimitExceeded);
    assert_eq!(code("1000000000.000001"), Code::LimitExceeded);
    assert_eq!(parse("1000000000.000000").unwrap().constant(), Some(1_000_000_000));
    // 2^53 - 1, the largest whole number that every reader of JSON keeps.
    assert_eq!(parse("1000000000*9007199+254740991").unwrap().constant(), Some(9_007_199_254_740_991));
    assert_eq!(code("1000000000*9007199+254740992"), Code::Overflow);
    assert_eq!(parse("-1000000000*9007199-254740991").unwrap().constant(), Some(-9_007_199_254_740_991));
    assert_eq!(code("-1000000000*9007199-254740992"), Code::Overflow);
    // 829.77 dice that explode with a chance of 3/5 reach a hundred explosions with a chance of 2^-64.
    assert!(parse("829d5!>2").is_ok());
    assert_eq!(code("830d5!>2"), Code::NonTerminating);
}

/// Dice that explode as long as they may come to more draws than a roll may take, and stop it.
#[test]
fn a_roll_stops_at_its_last_draw() {
    let expression = parse("100d6!").unwrap();
    let mut sixes = ScriptedRoller::new(vec![6; 20_000]);
    let error = expression.roll(&mut sixes).unwrap_err();
    assert_eq!((error.code, sixes.left().len()), (Code::LimitExceeded, 10_000));
    // A hundred dice of a hundred draws are just enough.
    let mut faces: Vec<i64> = std::iter::repeat_n([vec![6; 99], vec![1]].concat(), 100).flatten().collect();
    faces.push(6);
    let mut script = ScriptedRoller::new(faces);
    assert_eq!(expression.roll(&mut script).unwrap().total, 100 * (99 * 6 + 1));
    assert_eq!(script.left().len(), 1);
}
