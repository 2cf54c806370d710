//! The specification of the notation, line by line: its choices, meanings, limits and examples.

use crate::tests::{code, roll};
use crate::{Code, ScriptedRoller, parse, read};

/// What is written, and the canonical text that says what it means.
const CHOICES: [(&str, &str); 48] = [
    // The longest keyword wins; case and spaces do not matter; typographic signs are read.
    ("2d6khmin3", "2d6kh1min3"),
    ("2D20KH1", "2d20kh1"),
    ("2 d 6 + 3", "2d6 + 3"),
    ("2d6\u{2212}1", "2d6 - 1"),
    ("2d6\u{2013}1", "2d6 - 1"),
    ("2d6\u{d7}2", "2d6 * 2"),
    ("2d6\u{f7}2", "2d6 / 2"),
    ("2d20kh-1", "2d20kh1 - 1"),
    // `>` and `<` are strict.
    ("5d10t>8", "5d10t>8"),
    // `r1` is once, `rr` until.
    ("2d6r1", "2d6ro1"),
    ("2d6ro1", "2d6ro1"),
    ("2d6rr1", "2d6rr1"),
    // `k3` keeps the highest, `d1` drops the lowest; `k=3` and `d=1` are literal.
    ("4d6k3", "4d6kh3"),
    ("4d6d1", "4d6dl1"),
    ("4d6k=3", "4d6k=3"),
    ("4d6d=1", "4d6d=1"),
    ("4d6ph", "4d6dh1"),
    ("4d6pl", "4d6dl1"),
    // `!`, `x` and `e` explode; `!=5` on 5.
    ("3d6x", "3d6!"),
    ("3d6e6", "3d6!6"),
    ("3d6!o", "3d6!o"),
    ("3d6xo", "3d6!o"),
    ("3d6!!", "3d6!!"),
    ("3d6!p", "3d6!p"),
    ("3d6!!p", "3d6!!p"),
    ("3d6!=5", "3d6!5"),
    ("3d6!o<>6", "3d6!o<>6"),
    // `t8` is at least 8; a bare comparison counts when the dice are all there is.
    ("8d10t8", "8d10t8"),
    ("8d10>=8", "8d10t8"),
    ("1d20+5>=15", "1d20 + 5 >= 15"),
    // Percentile dice; a negative number of bonus dice are penalty dice.
    ("d%b2", "1d%b2"),
    ("d%p1", "1d%p1"),
    ("d%b-2", "1d%p2"),
    // Advantage in the place of one d20; other dice may stand beside it.
    ("1d20 adv", "2d20kh1"),
    ("1d20+5 dis", "2d20kl1 + 5"),
    ("1d20+1d4 adv", "2d20kh1 + 1d4"),
    ("1d20 disadv + 1d4", "2d20kl1 + 1d4"),
    // Groups, also in parentheses; variants of Fate dice; faces; a bare constant.
    ("{4d6,3d8}kh1", "{4d6, 3d8}kh1"),
    ("(1d6+1,3,2d6kl1)kh1", "{1d6 + 1, 3, 2d6kl1}kh1"),
    ("dF.1", "1dF.1"),
    ("dF.2", "1dF"),
    ("d{1,1,2}", "1d{1,1,2}"),
    ("5", "5"),
    // Checks, bands, repeats, comments, labels, functions.
    ("d% under 45", "1d% under 45"),
    ("2d6+1 bands 7,10", "2d6 + 1 bands 7, 10"),
    ("repeat(4d6kh3,6) # abilities", "repeat(4d6kh3, 6) # abilities"),
    ("2d6[fire]+max(1d4,1d6)", "2d6[fire] + max(1d4, 1d6)"),
    (
        "floor(1d6/2)+ceil(1d6/2)+round(1d6/2)+abs(1d6-3)",
        "floor(1d6 / 2) + ceil(1d6 / 2) + round(1d6 / 2) + abs(1d6 - 3)",
    ),
];

/// What the specification refuses.
const REFUSED: [(&str, Code); 31] = [
    ("", Code::Empty),
    ("2 0d6", Code::UnparseableInput),
    ("d6 é", Code::UnparseableInput),
    ("5+1d20>=15", Code::Ambiguous),
    ("5d10cs8", Code::Ambiguous),
    ("5d10cf1", Code::Ambiguous),
    ("4d6p1", Code::Ambiguous),
    ("{4d6}kh3", Code::Ambiguous),
    ("2d20 adv", Code::InvalidAdvantageUsage),
    ("1d6 adv", Code::InvalidAdvantageUsage),
    ("1d20+1d20 adv", Code::InvalidAdvantageUsage),
    ("4d6kh3kl1", Code::InvalidKeep),
    ("4d6kh5", Code::InvalidKeep),
    ("5d10t8+1d6", Code::TypeMix),
    ("4d6kh3kh3", Code::Duplicate),
    ("1d1!", Code::NonTerminating),
    ("d6rr<7", Code::NonTerminating),
    ("d100rr<99", Code::NonTerminating),
    ("5d10t11", Code::NoEffect),
    ("5d10t1", Code::NoEffect),
    ("1d6/(1d6-3)", Code::DivZero),
    ("1000000000*1000000000", Code::Overflow),
    ("(2-2)d6", Code::InvalidDie),
    ("1d20+{bonus}", Code::OutOfScopeSyntax),
    // Limits: dice, sides, literals, repeats, nesting, terms, bytes.
    ("1001d6", Code::LimitExceeded),
    ("d1001", Code::LimitExceeded),
    ("1000000001", Code::LimitExceeded),
    ("repeat(1d6,101)", Code::LimitExceeded),
    ("500d6+501d6", Code::LimitExceeded),
    ("repeat(11d6,100)", Code::LimitExceeded),
    ("d0", Code::InvalidDie),
];

/// What is rolled, the faces in the order of draws, and the total.
const MEANINGS: [(&str, &[i64], i64); 18] = [
    // Terms left to right; die by die: the draw, its rerolls, its explosions.
    ("2d6ro1!+1d4", &[1, 6, 2, 3, 4], 15),
    // Stages are fixed: kept after explosions, counted after clamps.
    ("2d6kh1!", &[6, 5, 3], 6),
    ("2d6!kh1", &[6, 5, 3], 6),
    ("3d6t=3min3", &[1, 2, 6], 2),
    // Triggers look at the natural face; a clamp changes only the value.
    ("2d6min3!", &[6, 2, 4], 13),
    ("2d6ro1min4", &[1, 2, 5], 9),
    // A die made by an explosion is settled by the same rules.
    ("1d6ro1!", &[6, 1, 5], 11),
    ("1d6ro1", &[1, 1], 1),
    // On ties the earliest die is kept: the sum is the same, the record says which.
    ("3d6kh2", &[4, 4, 4], 8),
    // A number beside a count adds successes.
    ("3d10t8+2", &[8, 9, 1], 4),
    // Exact until the root is floored toward minus infinity; `//` floors on its way.
    ("1d6/2+1d6/2", &[1, 1], 1),
    ("1d6//2+1d6//2", &[1, 1], 0),
    ("0-1d6/2", &[1], -1),
    ("round(0-1d6/2)", &[1], 0),
    ("round(1d6/2)", &[1], 1),
    // Percentile dice draw the unit first, and 00+0 is 100; dF faces are -1, 0 and 1.
    ("d%b1", &[0, 0, 9], 90),
    ("d%p1", &[0, 0, 9], 100),
    ("4dF", &[-1, 0, 1, 1], 1),
];

#[test]
fn choices() {
    for (text, wanted) in CHOICES {
        assert_eq!(parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}")).as_str(), wanted, "{text}");
    }
}

#[test]
fn refusals() {
    for (text, wanted) in REFUSED {
        assert_eq!(code(text), wanted, "{text}");
    }
    assert_eq!(code(&"(".repeat(33)), Code::LimitExceeded);
    assert_eq!(code(&"1+".repeat(101)), Code::LimitExceeded);
    assert_eq!(code(&"1".repeat(513)), Code::LimitExceeded);
}

#[test]
fn meanings() {
    for (text, faces, total) in MEANINGS {
        assert_eq!(roll(text, faces).total, total, "{text}");
    }
    let kept: Vec<bool> = roll("3d6kh2", &[4, 4, 4]).dice().iter().map(|view| view.kept).collect();
    assert_eq!(kept, [true, true, false]);
    assert!(roll("3d10t8+2", &[8, 9, 1]).explanation.contains("+ 2 automatic"));
    assert!(roll("2d6kh1!", &[6, 5, 3]).explanation.contains("whatever the written order"));
    assert!(roll("5d10t8", &[8, 9, 1, 2, 3]).explanation.contains("success on 8-10"));
    assert!(roll("1d6/4", &[5]).explanation.contains("rounded down"));
}

/// The examples of plain English.
#[test]
fn english() {
    for (text, wanted) in [
        ("percentile", "1d100"),
        ("three d8s", "3d8"),
        ("2 d 6 +3", "2d6 + 3"),
        ("2d10 plus 2d4 plus four", "2d10 + 2d4 + 4"),
        ("d20 at advantage", "2d20kh1"),
        ("roll a d20 with advantage and a +3 modifier", "2d20kh1 + 3"),
        ("4d6 keep the highest 3", "4d6kh3"),
        ("four d six drop the lowest", "4d6dl1"),
        ("2d6 reroll 1s and 2s", "2d6ro1ro2"),
        ("3d6 exploding", "3d6!"),
        ("5d10 count 8+", "5d10t8"),
        ("2d6 minimum 2", "2d6min2"),
    ] {
        assert_eq!(read(text).unwrap_or_else(|error| panic!("{text}: {error:?}")).as_str(), wanted, "{text}");
    }
    for text in ["make it 20", "roll for initiative"] {
        assert_eq!(read(text).unwrap_err().code, Code::UnparseableInput, "{text}");
    }
}

/// The odds that are known beforehand.
#[test]
fn known_odds() {
    let totals = |text: &str| parse(text).unwrap().odds().unwrap().totals;
    assert_eq!(totals("4d6kh3").mean().to_string(), "15869/1296");
    assert_eq!(totals("4d6kh3").exactly(18).to_string(), "7/432");
    assert_eq!(totals("2d20kh1").at_least(11).to_string(), "3/4");
    assert_eq!(totals("4dF").at_least(1).to_string(), "31/81");
}

/// Where `rr` and `ro` both match, `rr` rerolls, and the one reroll of `ro` is left for a face that only it matches.
#[test]
fn rerolls_of_both_kinds_each_have_their_say() {
    let expression = parse("1d6ro<4rr<3").unwrap();
    for (faces, total) in [(vec![1, 3, 3], 3), (vec![3, 2, 1, 3], 3), (vec![2, 1, 5], 5), (vec![3, 6], 6), (vec![4], 4)]
    {
        let mut script = ScriptedRoller::new(faces.clone());
        let roll = expression.roll(&mut script).unwrap();
        assert_eq!((roll.total, script.left().len()), (total, 0), "{faces:?}");
    }
    // 3 to 6 are left; a 3 has one chance more.
    let odds = expression.odds().unwrap().totals;
    assert_eq!([3, 4].map(|total| odds.exactly(total).to_string()), ["1/16", "5/16"]);
}
