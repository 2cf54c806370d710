//! Plain English.

use crate::{Code, ScriptedRoller, parse, read};

/// After a verb and before politeness the whole of the notation is read.
#[test]
fn notation_stays_notation() {
    assert_eq!(read("5").unwrap().constant(), Some(5));
    for (text, code, part) in [
        ("roll 4d6kh5, please", Code::InvalidKeep, "kh5"),
        ("roll me 2d6 + 1d1!", Code::NonTerminating, "!"),
        ("roll 8d10[cold] >= 8", Code::Ambiguous, ">= 8"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.code == code || part == "!", "{text}: {error:?}");
        assert!(text[error.span.clone()].contains(part), "{text}: {error:?}");
    }
}

/// What the grammar does not read as a whole is refused with its place and the near notation.
#[test]
fn what_is_left_over_is_refused_with_the_notation() {
    for (text, part, example) in [
        ("make it 20", "make it", "1d20 + 5"),
        ("roll 5", "5", "1d20 + 5"),
        (
            "roll for initiative",
            "for initiative",
            "1d20 + 5 # initiative",
        ),
        ("1d20+5 to hit", "to hit", "1d20 + 5 # to hit"),
        ("roll 2d6 twice", "twice", "repeat(2d6, 2)"),
        ("roll 4d6kh3 six times", "six times", "repeat(4d6kh3, 6)"),
        ("3d6 three times", "three times", "repeat(3d6, 3)"),
        ("2d6 fire damage", "fire damage", "2d6 # fire damage"),
        ("roll 2d6 and add 3", "add", "2d6 + 3"),
        ("six times 4d6kh3", "six times", "repeat(4d6kh3, 6)"),
        ("a d20 plus 6 versus 16", "versus", "1d20 + 6 vs 16"),
        ("d20 plus 3 against DC 15", "against DC", "1d20 + 3 vs 15"),
        ("roll under 45 on d100", "under", "1d100 under 45"),
        ("3 eight-sided dice", "3 eight-sided", "3d8"),
        ("an eight-sided die", "eight-sided", "3d8"),
        ("four fudge dice", "four fudge", "4dF"),
        ("roll fate dice", "fate", "4dF"),
        ("5d6 best 3", "best", "5d6kh3"),
        ("keep the highest 3 of 4d6", "keep the highest 3", "4d6kh3"),
        ("three exploding d6", "three", "1d20 + 5"),
        ("5d6 discard lowest", "discard", "5d6dl1"),
        ("6d6 exploding on 5s", "on", "6d6!>=5"),
        ("5d10 successes on 8+", "successes on", "5d10t8"),
        ("5d10 count 8", "count 8", "5d10t8"),
        ("half of 7d12", "half", "7d6 / 2"),
        ("2d6 times two", "times", "repeat(2d6, 2)"),
        ("5d6 keep 3", "keep 3", "5d6kh3"),
        ("2d6 + 3 exploding", "exploding", "6d6!>=5"),
        ("exploding 2d6", "exploding", "6d6!>=5"),
        ("d20 with a 3 modifier", "3", "1d20 + 3"),
        ("2d6 mod 4", "mod", "1d20 + 5"),
        ("7d12 if prone", "if prone", "1d20 + 5"),
        ("d20 no advantage", "no", "1d20 + 5"),
        ("d100 bonus", "bonus", "1d%b1"),
        ("percentile with two penalty dice", "two penalty", "1d%p1"),
        ("roll +3 d20 and a d4", "+ 3 d20", "1d20 + 5"),
        ("roll 2d6 with 5+ modifier", "5+", "2d6 + 5"),
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(
            error.message,
            format!("`{part}` is not understood."),
            "{text}: {error:?}"
        );
        assert_eq!(
            (error.code, error.example.as_str()),
            (Code::UnparseableInput, example),
            "{text}: {error:?}"
        );
        assert!(text.get(error.span.clone()).is_some(), "{text}");
        assert!(parse(&error.example).is_ok(), "{text}: {error:?}");
    }
}

/// A word that was not understood is never left out to make a text readable.
#[test]
fn a_refusal_offers_no_dice_of_a_text_that_it_did_not_read() {
    for text in [
        &[
            "roll a d12 not with advantage",
            "do not roll 7d12",
            "never 7d12",
            "7d12 but not the lowest",
        ][..],
        &[
            "7d12 percent",
            "d12 exceeding 15",
            "d12 double advantage",
            "d12 unadvantage",
            "d12 plus none",
        ],
        &[
            "7d12 without fire",
            "7d12 fire or 2d8 cold",
            "twenty thousand d12",
            "7d12 negative 3",
        ],
    ]
    .concat()
    {
        let error = read(text).unwrap_err();
        assert!(
            !error.example.contains("d12") && !error.hint.contains("d12"),
            "{text}: {error:?}"
        );
    }
}

#[test]
fn the_rules_of_notation_hold_in_english() {
    for (text, code, part) in [
        (
            "roll four d six keep the highest five",
            Code::InvalidKeep,
            "keep the highest five",
        ),
        ("roll 2000 d6 and a d4", Code::LimitExceeded, "2000 d6"),
        ("a d0 and a d6", Code::InvalidDie, "d0"),
        ("2d6 minimum 1 please", Code::NoEffect, "minimum 1"),
        (
            "5d10 count 8+ and a d6",
            Code::TypeMix,
            "5d10 count 8+ and a d6",
        ),
        ("", Code::Empty, ""),
    ] {
        let error = read(text).unwrap_err();
        assert_eq!(
            (error.code, &text[error.span.clone()]),
            (code, part),
            "{text}: {error:?}"
        );
        assert!(parse(&error.example).is_ok(), "{text}: {error:?}");
    }
}

/// `d20(adv)` holds for its die, wherever it is.
#[test]
fn advantage_in_parentheses_is_read_and_printed() {
    for (text, canonical, normalized) in [
        ("d20(disadv) + 5", "2d20kl1 + 5", "d20(disadv) + 5"),
        ("1d20 ( advantage )", "2d20kh1", "d20(adv)"),
        (
            "d20(adv) + d20(dis) + d20",
            "2d20kh1 + 2d20kl1 + 1d20",
            "d20(adv) + d20(disadv) + 1d20",
        ),
        (
            "d20(adv)[sword] - 2 vs 15 # 2d20kh1",
            "2d20kh1[sword] - 2 vs 15 # 2d20kh1",
            "d20(adv)[sword] - 2 vs 15 # 2d20kh1",
        ),
        (
            "repeat(2d20kh1 + 1d6[2d20kl1], 3)",
            "repeat(2d20kh1 + 1d6[2d20kl1], 3)",
            "repeat(d20(adv) + 1d6[2d20kl1], 3)",
        ),
        ("2d20kh1 under 15", "2d20kh1 under 15", "2d20kh1 under 15"),
        ("2d20ro1kh1", "2d20ro1kh1", "2d20ro1kh1"),
        (
            "{2d20kl1, 1d6}kh1 * 2",
            "{2d20kl1, 1d6}kh1 * 2",
            "{d20(disadv), 1d6}kh1 * 2",
        ),
        ("12d20kh1", "12d20kh1", "12d20kh1"),
    ] {
        let expression = read(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(
            (expression.as_str(), expression.normalized().as_str()),
            (canonical, normalized),
            "{text}"
        );
        assert_eq!(
            read(normalized).unwrap_or_else(|error| panic!("{normalized}: {error:?}")),
            expression
        );
    }
}

#[test]
fn a_roll_in_words() {
    for (text, words) in [
        ("4d6kh3", "Rolled 4d6, keeping highest 3"),
        ("5d10dl2 + 1", "Rolled 5d10, dropping lowest 2 plus 1"),
        ("3d6ro1", "Rolled 3d6, rerolling 1s once"),
        ("2d6!", "Rolled 2d6, exploding"),
        ("5d10t8", "Rolled 5d10, counting 8 or higher"),
        ("4d6min2", "Rolled 4d6, minimum 2"),
        ("1d20 - 2 + 1d4", "Rolled 1d20 minus 2 plus 1d4"),
        ("1d20+5 vs 15", "Rolled 1d20 plus 5 against 15"),
        ("(2d6) >= 7", "Rolled 2d6 >= 7"),
        (
            "repeat(4d6kh3, 6)",
            "Rolled 4d6, keeping highest 3, 6 times",
        ),
        ("6d6!>=5 * 2", "Rolled 6d6!>=5 * 2"),
        ("-1d6", "Rolled -1d6"),
    ] {
        assert_eq!(parse(text).unwrap().in_words(), words, "{text}");
    }
}

#[test]
fn a_loss_on_success_and_failure_is_refused_with_both() {
    for (text, success, failure, divided) in [
        ("1/1d6", "1", "1d6", "1/(1d6)"),
        ("0/1d4", "0", "1d4", "0/(1d4)"),
        ("1d3/1d20", "1d3", "1d20", "1d3/(1d20)"),
        ("1/1d6+1", "1", "1d6 + 1", "1/(1d6)+1"),
        (" 1d4+1 / 2d6kh1 ", "1d4 + 1", "2d6kh1", "1d4+1 / (2d6kh1)"),
        (
            "1/d6 # the well",
            "1 # the well",
            "1d6 # the well",
            "1/(d6) # the well",
        ),
        ("1/1d6.", "1", "1d6", "1/(1d6)"),
        (
            "1[pass]/1d6[fail]",
            "1[pass]",
            "1d6[fail]",
            "1[pass]/(1d6)[fail]",
        ),
        ("1d10/1d100", "1d10", "1d100", "1d10/(1d100)"),
        ("roll 1/1d6", "1", "1d6", "1/(1d6)"),
    ] {
        let error = read(text).expect_err(text);
        let hint = format!(
            "For the loss on a success, write `{success}`; for the loss on a failure, write `{failure}`."
        );
        assert_eq!(
            (error.code, error.hint.as_str()),
            (Code::Ambiguous, hint.as_str()),
            "{text}"
        );
        assert!(
            error.message.contains(&format!("`{divided}`")),
            "{text}: {}",
            error.message
        );
        for offered in [success, failure, divided] {
            assert!(read(offered).is_ok(), "{text}: {offered} is read");
        }
    }
}

#[test]
fn what_divides_goes_on_dividing() {
    for (text, total) in [
        ("10/2", 5),
        ("3d6/2", 4),
        ("3d6//2", 4),
        ("(1)/1d6", 0),
        ("12/(1d6)", 4),
        ("floor(9/1d6)", 3),
        ("2*9/1d6", 6),
        ("9//1d6", 3),
        ("roll 3d6 / 2", 4),
    ] {
        let expression = read(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let roll = expression
            .roll(&mut ScriptedRoller::new([3, 3, 3]))
            .expect(text);
        assert_eq!(roll.total, total, "{text}");
        assert!(
            parse(expression.as_str()).is_ok(),
            "the record's own text is read as before"
        );
    }
}
