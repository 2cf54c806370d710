//! What is refused, with which code, where.

use crate::dice::tests::code;
use crate::dice::{Code, parse};

const REFUSED: [(&str, Code); 114] = [
    ("", Code::Empty),
    ("   ", Code::Empty),
    ("xyz", Code::UnparseableInput),
    ("1d20 5", Code::UnparseableInput),
    ("1d20 +", Code::UnparseableInput),
    ("(1d20", Code::UnparseableInput),
    ("1d20)", Code::UnparseableInput),
    ("1 0d6", Code::UnparseableInput),
    ("1d20 ★", Code::UnparseableInput),
    ("1d20[fire", Code::UnparseableInput),
    ("1d20[]", Code::UnparseableInput),
    ("1d20 # a\nb", Code::UnparseableInput),
    ("max(1d6)", Code::UnparseableInput),
    ("floor(1d6, 2)", Code::UnparseableInput),
    ("2d6 bands 10,7", Code::UnparseableInput),
    ("repeat(1d6,0)", Code::UnparseableInput),
    ("2d6r", Code::UnparseableInput),
    ("1.d6", Code::UnparseableInput),
    ("(1d20+5>=15)", Code::UnparseableInput),
    ("2d-6", Code::InvalidDie),
    ("d", Code::InvalidDie),
    ("d0", Code::InvalidDie),
    ("0d6", Code::InvalidDie),
    ("(2-2)d6", Code::InvalidDie),
    ("(1d4)d6", Code::InvalidDie),
    ("(5/2)d6", Code::InvalidDie),
    ("1.5d6", Code::InvalidDie),
    ("4d6kh5", Code::InvalidKeep),
    ("4d6kh0", Code::InvalidKeep),
    ("4d6kh1kl1", Code::InvalidKeep),
    ("4d6dl4", Code::InvalidKeep),
    ("4d6dl2dh2", Code::InvalidKeep),
    ("4d6kh3dl1", Code::InvalidKeep),
    ("{1d6,1d8}kh3", Code::InvalidKeep),
    ("2d20 adv", Code::InvalidAdvantageUsage),
    ("1d6 adv", Code::InvalidAdvantageUsage),
    ("1d20+1d20 adv", Code::InvalidAdvantageUsage),
    ("2d6 + 3 adv", Code::InvalidAdvantageUsage),
    ("2d20kh1 adv", Code::InvalidAdvantageUsage),
    ("1d20 adv dis", Code::InvalidAdvantageUsage),
    ("1d20 adv adv", Code::Duplicate),
    ("1d20 + {bonus}", Code::OutOfScopeSyntax),
    ("{bonus}d6", Code::OutOfScopeSyntax),
    ("2d6b1", Code::OutOfScopeSyntax),
    ("d%b1!", Code::OutOfScopeSyntax),
    ("{1d6,1d8}!", Code::OutOfScopeSyntax),
    ("{1d6,1d8}ro1", Code::OutOfScopeSyntax),
    ("5+1d20>=15", Code::Ambiguous),
    ("1d20>=15+5", Code::Ambiguous),
    ("5d10cs8", Code::Ambiguous),
    ("5d10cf1", Code::Ambiguous),
    ("4d6p1", Code::Ambiguous),
    ("{4d6}kh3", Code::Ambiguous),
    ("(4d6)kh3", Code::Ambiguous),
    ("{4d6}", Code::Ambiguous),
    ("{d6}", Code::Ambiguous),
    ("5d10t8 + 1d6", Code::TypeMix),
    ("5d10t8 * 1d6", Code::TypeMix),
    ("{5d10t8, 1d6}kh1", Code::TypeMix),
    ("max(5d10t8, 1d6)", Code::TypeMix),
    ("5d10t8 vs 1d6", Code::TypeMix),
    ("{5d10t8, 5d10t7}t2", Code::TypeMix),
    ("4d6kh3kh3", Code::Duplicate),
    ("5d10t8t8", Code::Duplicate),
    ("5d6!!!", Code::Duplicate),
    ("5d6!5!5", Code::Duplicate),
    ("d20min5min6", Code::Duplicate),
    ("4d6sasd", Code::Duplicate),
    ("2d6ro1ro1", Code::Duplicate),
    ("5d10evenodd", Code::Duplicate),
    ("d%b1b1", Code::Duplicate),
    ("5d10t11", Code::NoEffect),
    ("5d10t1", Code::NoEffect),
    ("5d10t>=1", Code::NoEffect),
    ("2d6ro7", Code::NoEffect),
    ("2d6ro<7", Code::NoEffect),
    ("2d6!7", Code::NoEffect),
    ("2d6!o<7", Code::NoEffect),
    ("1d1!o", Code::NoEffect),
    ("d6min1", Code::NoEffect),
    ("d6max6", Code::NoEffect),
    ("d6min6", Code::NoEffect),
    ("d20crit21", Code::NoEffect),
    ("4d6k=7", Code::NoEffect),
    ("d{2,4}even", Code::NoEffect),
    ("2d6rr6!", Code::NoEffect),
    ("d%b0", Code::NoEffect),
    ("{1d6,1d8}t1", Code::NoEffect),
    ("1d1!", Code::NonTerminating),
    ("d6rr<7", Code::NonTerminating),
    ("d6!<7", Code::NonTerminating),
    ("d6rr<4rr>=4", Code::NonTerminating),
    ("d6rr<6!", Code::NonTerminating),
    ("1000d3!>1", Code::NonTerminating),
    ("d100rr<99", Code::NonTerminating),
    ("1d6/0", Code::DivZero),
    ("1d6/(1d6-3)", Code::DivZero),
    ("5//0", Code::DivZero),
    ("1000000000*1000000000", Code::Overflow),
    ("1d1000*1d1000*1d1000*1d1000*1d1000*1d1000", Code::Overflow),
    ("1/1d1000+1/1d1000+1/1d1000+1/1d1000+1/1d1000", Code::Overflow),
    ("1000000000*9000000 vs -1000000000*9000000", Code::Overflow),
    ("1001d6", Code::LimitExceeded),
    ("501d6+500d6", Code::LimitExceeded),
    ("repeat(11d6,100)", Code::LimitExceeded),
    ("d1001", Code::LimitExceeded),
    ("1d20+1000000001", Code::LimitExceeded),
    ("1000000000000000000000000000000", Code::LimitExceeded),
    ("repeat(1d6,101)", Code::LimitExceeded),
    ("d%b10", Code::LimitExceeded),
    ("1d6rr1rr1", Code::Duplicate),
    ("2d6xx", Code::Duplicate),
    ("1d20 adv vs", Code::UnparseableInput),
    ("1d6 adv + 1d20", Code::InvalidAdvantageUsage),
];

#[test]
fn codes() {
    for (text, wanted) in REFUSED {
        assert_eq!(code(text), wanted, "{text}");
    }
}

#[test]
fn large_texts() {
    assert_eq!(code(&"1+".repeat(5000)), Code::LimitExceeded);
    assert_eq!(code(&"(".repeat(500)), Code::LimitExceeded);
    assert_eq!(code(&"-".repeat(500)), Code::LimitExceeded);
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
    for (text, _) in REFUSED {
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

#[test]
fn an_ambiguous_comparison_names_both_rewrites() {
    let error = parse("5+1d20>=15").unwrap_err();
    assert_eq!(error.hint, "To count dice, write `5+1d20t>=15`; to check the total, write `(5+1d20) >=15`.");
    assert!(parse("5+1d20t>=15").is_ok() && parse("(5+1d20) >=15").is_ok());
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
    use crate::dice::{Code, read};
    for (text, code) in [
        ("4d6 d2", Code::Ambiguous),
        ("10d6 and d8", Code::Ambiguous),
        ("8d6 with d4", Code::Ambiguous),
        ("3d6 x 2", Code::Ambiguous),
        ("percentile with a bonus die", Code::OutOfScopeSyntax),
        ("d20 bonus die", Code::OutOfScopeSyntax),
        ("percentile with two penalty dice", Code::OutOfScopeSyntax),
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(error.code, code, "{text}: {error}");
        assert!(read(&error.example).is_ok(), "{text}: {}", error.example);
    }
    for text in ["4d6d1", "4d6 dl1", "5d6x5", "d% b1", "four d six drop the lowest"] {
        assert!(read(text).is_ok(), "{text}");
    }
}
