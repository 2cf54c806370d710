//! Plain English.

use crate::dice::{Code, ScriptedRoller, parse, read};

/// Each of these texts is read as that expression.
#[track_caller]
fn read_as(sentences: &[(&str, &str)]) {
    for (text, wanted) in sentences {
        match read(text) {
            Ok(expression) => assert_eq!(expression.as_str(), *wanted, "{text}"),
            Err(error) => panic!("{text}: {error:?}"),
        }
    }
}

#[test]
fn sentences() {
    let sentences = [
        ("roll a d20 with advantage and a +3 modifier", "2d20kh1 + 3"),
        ("2d10 plus 2d4 plus four", "2d10 + 2d4 + 4"),
        ("percentile", "1d100"),
        ("Percentile dice, please.", "1d100"),
        ("four d six drop the lowest", "4d6dl1"),
        ("three d8s", "3d8"),
        ("3 eight-sided dice", "3d8"),
        ("3 8-sided dice", "3d8"),
        ("an eight sided die", "1d8"),
        ("2 d 6 +3", "2d6 + 3"),
        ("Roll a d20!", "1d20"),
        ("Roll a d20?", "1d20"),
        ("d20 with disadvantage", "2d20kl1"),
        ("d20 at advantage", "2d20kh1"),
        ("a d20 plus five with advantage", "2d20kh1 + 5"),
        ("d20 and a +5 bonus", "1d20 + 5"),
        ("d20 with a modifier of +5", "1d20 + 5"),
        ("roll 4d6 and keep the highest 3", "4d6kh3"),
        ("roll 4d6, take the three highest", "4d6kh3"),
        ("roll 4d6 keep highest three", "4d6kh3"),
        ("4d6 drop the lowest one", "4d6dl1"),
        ("2d6 reroll 1s and 2s", "2d6ro1ro2"),
        ("2d6 rerolling ones and twos plus 3", "2d6ro1ro2 + 3"),
        ("2d6 reroll 1s once plus 3", "2d6ro1 + 3"),
        ("three exploding d6", "3d6!"),
        ("exploding d6s", "1d6!"),
        ("3d6 exploding", "3d6!"),
        ("three exploding six-sided dice", "3d6!"),
        ("four d six exploding", "4d6!"),
        ("5d10 count 8+", "5d10t8"),
        ("5d10, 8 or higher", "5d10t8"),
        ("five d10 count successes on 8 or more", "5d10t8"),
        ("5d10 successes on 8+ plus 2", "5d10t8 + 2"),
        ("2d6 minimum 2", "2d6min2"),
        ("d20 with a minimum of ten", "1d20min10"),
        ("2d6 times two", "2d6 * 2"),
        ("2d6 divided by 2", "2d6 / 2"),
        ("2d6 minus a d4", "2d6 - 1d4"),
        ("roll 4d6kh3 please", "4d6kh3"),
        ("four fudge dice", "4dF"),
        ("a d20 plus 5 versus 15", "1d20 + 5 vs 15"),
        ("roll 2d6[cold iron] plus 3 # the blade", "2d6[cold iron] + 3 # the blade"),
        ("roll max(1d8, 1d6) please", "max(1d8, 1d6)"),
        ("d twenty", "1d20"),
        ("a d20", "1d20"),
        ("keep the highest 3 of 4d6", "4d6kh3"),
        ("take the highest 3 of 4d6", "4d6kh3"),
        ("the lowest of 2d20 plus 5", "2d20kl1 + 5"),
        ("best three of four d six", "4d6kh3"),
        ("4d6 keep 3", "4d6kh3"),
        ("roll 4d6, drop 1", "4d6dl1"),
        ("4d6 best 3", "4d6kh3"),
        ("2d20 take the higher", "2d20kh1"),
        ("2d20, keep the lower one", "2d20kl1"),
        ("d20+3 vs DC 15", "1d20 + 3 vs 15"),
        ("d20+3 against a DC of 15", "1d20 + 3 vs 15"),
        ("d20 + 7 against AC 15", "1d20 + 7 vs 15"),
        ("d20+7, DC15", "1d20 + 7 vs 15"),
        ("5d6 4+", "5d6t4"),
        ("8d10, 8+", "8d10t8"),
        ("advantage d20", "2d20kh1"),
        ("roll with advantage on a d20 plus 5", "2d20kh1 + 5"),
        ("percentile with a bonus die", "1d%b1"),
        ("d100 with two penalty dice", "1d%p2"),
    ];
    read_as(&sentences);
}

#[test]
fn what_is_left_over_is_refused_with_its_place() {
    let refused = [
        ("make it 20", "make it"),
        ("roll for initiative", "initiative"),
        ("roll 2d6 twice", "twice"),
        ("roll a d20 for strength saving throw", "strength saving throw"),
        ("roll d20 with advantge", "advantge"),
        ("5d10 count 8", "count 8"),
        ("keep three", "keep three"),
        ("1d6 + keep 3", "keep 3"),
        ("d20 dc", "dc"),
        ("roll 2d6 with 5+ modifier", "5+"),
        ("exploding", "exploding"),
    ];
    for (text, part) in refused {
        let error = read(text).unwrap_err();
        assert_eq!(error.code, Code::UnparseableInput, "{text}");
        assert_eq!(&text[error.span.clone()], part, "{text}");
        assert_eq!(error.message, format!("`{part}` is not understood."), "{text}");
        assert!(parse(&error.example).is_ok());
    }
    assert_eq!(read("roll d20 with advantge").unwrap_err().hint, "Did you mean `roll d20 with advantage`?");
}

#[test]
fn english_without_a_die_is_never_rolled() {
    for text in ["five plus three", "roll 5", "a check", "please"] {
        assert!(matches!(read(text).unwrap_err().code, Code::UnparseableInput | Code::Empty), "{text}");
    }
    assert_eq!(read("5").unwrap().constant(), Some(5));
}

#[test]
fn the_rules_of_notation_hold_in_english() {
    let codes = [
        ("roll 2d20 with advantage", Code::InvalidAdvantageUsage),
        ("a d6 with advantage", Code::InvalidAdvantageUsage),
        ("d20 with advantage and disadvantage", Code::InvalidAdvantageUsage),
        ("roll 4d6 keep the highest 5", Code::InvalidKeep),
        ("roll 5d6!", Code::Ambiguous),
        ("roll 2000 d6", Code::LimitExceeded),
        ("roll 2d6 and 1d4", Code::UnparseableInput),
        ("d20 with a 3 modifier", Code::UnparseableInput),
        ("2d20 adv", Code::InvalidAdvantageUsage),
        ("2d-6", Code::InvalidDie),
        ("5+1d20>=15", Code::Ambiguous),
        ("", Code::Empty),
    ];
    for (text, code) in codes {
        let error = read(text).unwrap_err();
        assert_eq!(error.code, code, "{text}: {error:?}");
        assert!(parse(&error.example).is_ok(), "{text}: {error:?}");
        assert!(text.get(error.span).is_some(), "{text}");
    }
}

#[test]
fn a_place_in_the_notation_is_a_place_in_the_sentence() {
    let text = "roll four d six keep the highest five";
    let error = read(text).unwrap_err();
    assert_eq!(&text[error.span], "keep the highest five");
}

/// What looks like a refusal's stumbling block is read where it is clear.
#[test]
fn words_that_turn_a_meaning_round_are_read() {
    let sentences = [
        ("roll a d20 without advantage", "1d20"),
        ("d20 no advantage", "1d20"),
        ("d20 without advantage or disadvantage plus 2", "1d20 + 2"),
        ("4d6 discard lowest", "4d6dl1"),
        ("4d6 remove the lowest", "4d6dl1"),
        ("4d6 without the lowest", "4d6dl1"),
        ("4d6 without the two highest", "4d6dh2"),
        ("4d6 drop lowest and highest", "4d6dl1dh1"),
        ("d20 plus negative 3", "1d20 - 3"),
        ("d20 minus negative three", "1d20 + 3"),
        ("add 3 to d8", "1d8 + 3"),
        ("subtract 2 from d8", "1d8 - 2"),
        ("subtract 2 from 4d6 keep the highest 3", "4d6kh3 - 2"),
        ("8d10 count 3 or lower", "8d10t<=3"),
        ("4d6 reroll 2 or lower", "4d6ro<=2"),
        ("one hundred d six", "100d6"),
        ("a hundred d6", "100d6"),
        ("a dozen d6", "12d6"),
        ("2 dozen d6", "24d6"),
        ("d one hundred", "1d100"),
        ("d20 plus twenty-five", "1d20 + 25"),
        ("d20 plus one hundred and five", "1d20 + 105"),
    ];
    read_as(&sentences);
}

/// A word that was not understood is never left out to make a text readable: the example is then
/// no rewrite of the text, whose dice it does not have.
#[test]
fn a_rewrite_leaves_nothing_out() {
    let refused = [
        "roll a d12 not with advantage",
        "do not roll 7d12",
        "not 7d12",
        "never 7d12",
        "7d12 but not the lowest",
        "7d12 reroll 1, 2",
        "half of 7d12",
        "7d12 percent",
        "7 percent",
        "d12 exceeding 15",
        "7d12 mod 4",
        "7d12 if prone",
        "d12 double advantage",
        "d12 unadvantage",
        "d12 plus none",
        "7d12 at least",
        "7d12 discard 1",
        "subtract 2 from d12 vs 5",
        "subtract d4 from d12",
        "7d12 without fire",
        "7d12 no fire and 2d8 cold",
        "7d12 fire or 2d8 cold",
        "7d12 six times without the lowest",
        "roll 7d12 plus 3 with a bonus die",
        "twenty thousand d12",
        "7d12 negative 3",
        "7d12 unless stealth",
    ];
    for text in refused {
        let error = read(text).unwrap_err();
        assert!(!error.example.contains("d12") && !error.hint.contains("d12"), "{text}: {error:?}");
        assert!(!error.example.contains("5d100"), "{text}: {error:?}");
        assert!(parse(&error.example).is_ok(), "{text}: {error:?}");
    }
}

/// Where a rewrite is offered, it has every word.
#[test]
fn a_rewrite_has_every_word() {
    let offered = [
        ("1d20+5 to hit", "1d20 + 5 # to hit"),
        ("roll a d20 for strength saving throw", "1d20 # strength saving throw"),
        ("d6 fire and d8 cold", "1d6[fire] + 1d8[cold]"),
        ("2d6+1,5", "2d6 + 1.5"),
        ("4d6 six times", "repeat(4d6, 6)"),
    ];
    for (text, wanted) in offered {
        assert_eq!(read(text).unwrap_err().example, wanted, "{text}");
    }
}

/// Modifiers may stand in any order, before their dice or behind them, as words or as notation.
#[test]
fn what_dice_do_is_said_in_any_order() {
    let sentences = [
        ("6d6 reroll 1s exploding", "6d6ro1!"),
        ("4d6 keep highest 3 exploding", "4d6kh3!"),
        ("8d10 count 8+ exploding", "8d10t8!"),
        ("6d6 exploding on 5 or higher", "6d6!>=5"),
        ("6d6 exploding on 2 or lower", "6d6!<=2"),
        ("6d6 explode on 6", "6d6!6"),
        ("6d6 exploding on 5s", "6d6!5"),
        ("6d6 explodes on a six", "6d6!6"),
        ("three exploding d6 plus 2", "3d6! + 2"),
        ("count 8+ on 8d10", "8d10t8"),
        ("8 or higher on 5d10", "5d10t8"),
        ("count 3 or lower on 5d10 plus 1", "5d10t<=3 + 1"),
        ("4d6 reroll 5 or higher", "4d6ro>=5"),
        ("roll 2d6 min 2", "2d6min2"),
        ("2d20 kh 1 plus 3", "2d20kh1 + 3"),
        ("roll 4d6 dl 1 please", "4d6dl1"),
        ("roll under 45 on d100", "1d100 under 45"),
        ("d20+5 15 or higher", "1d20 + 5 vs 15"),
        ("d100 plus 10 45 or lower", "1d100 + 10 under 45"),
        ("d20+5 at least 15", "1d20 + 5 vs 15"),
        ("3d6 at most 11", "3d6 under 11"),
        ("2d6 target 8", "2d6 vs 8"),
        ("d20 difficulty 8", "1d20 vs 8"),
        ("2d10 DC 9", "2d10 vs 9"),
    ];
    read_as(&sentences);
    for text in ["2d6 + 3 exploding", "roll 4d6kh3 and 2d6+3 keep highest", "8 or higher", "under 45 on"] {
        let error = read(text).unwrap_err();
        assert_eq!(error.code, Code::UnparseableInput, "{text}");
        assert!(parse(&error.example).is_ok(), "{text}");
    }
}

/// What each die must show, or what they must come to: games do not agree, so nobody guesses.
#[test]
fn a_number_that_dice_and_their_total_can_reach_is_refused() {
    for (text, count, total) in [
        ("8d10 difficulty 7", "8d10t7", "8d10 vs 7"),
        ("5d10 tn 8", "5d10t8", "5d10 vs 8"),
        ("5d10 target 8", "5d10t8", "5d10 vs 8"),
        ("5d10 at least 8", "5d10t8", "5d10 vs 8"),
        ("five d10 at most 3", "5d10t<=3", "5d10 under 3"),
        ("8d10[cold] >= 8", "8d10t8[cold]", "8d10[cold] vs 8"),
        ("8d10[cold]<=3 # ice", "8d10t<=3[cold] # ice", "8d10[cold] under 3 # ice"),
    ] {
        let error = read(text).unwrap_err();
        assert_eq!((error.code, error.example.as_str()), (Code::Ambiguous, count), "{text}: {error:?}");
        let hint = format!("To count dice, write `{count}`; to check the total, write `{total}`.");
        assert_eq!(error.hint, hint, "{text}");
    }
    // A log holds this, and it has one meaning there.
    assert_eq!(parse("8d10[cold] >= 8").unwrap().as_str(), "8d10[cold] >= 8");
    assert_eq!(read("(8d10[cold]) >= 8").unwrap().as_str(), "8d10[cold] >= 8");
    assert_eq!(read("8d10t8[cold] >= 2").unwrap().as_str(), "8d10t8[cold] >= 2");
}

/// Once the notation that a sentence became was quoted, which nobody had typed.
#[test]
fn a_message_quotes_what_was_typed() {
    for (text, quoted) in [
        ("reroll 1s", "`reroll 1s`"),
        ("8 or greater", "`8 or greater`"),
        ("d20please", "`please`"),
        ("2d6 + 3 exploding", "`exploding`"),
        ("roll 2d6 reroll 1s plus", "plus"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.message.contains(quoted) || !error.message.contains('`'), "{text}: {}", error.message);
    }
}

/// A percentile die with a bonus is what another game's players mean by it; a bonus behind a number is a modifier.
#[test]
fn bonus_dice_are_no_fillers() {
    for (text, wanted) in [
        ("d% bonus", "1d%b1"),
        ("d100 with bonus", "1d%b1"),
        ("d% penalty", "1d%p1"),
        ("d100 plus 5 bonus", "1d100 + 5"),
        ("d100 with a +10 bonus", "1d100 + 10"),
    ] {
        assert_eq!(read(text).map(|read| read.to_string()).as_deref(), Ok(wanted), "{text}");
    }
    for text in ["d100 under 45 bonus", "d100 bonus 2", "percentile with two bonus dice and a penalty die"] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn an_exclamation_mark_at_a_die_is_never_lost() {
    for (text, explodes, stays) in [
        ("roll d8!", "1d8!", "1d8"),
        ("roll a d8!", "1d8!", "1d8"),
        ("roll d6!!", "1d6!!", "1d6"),
        ("roll 4d6!!", "4d6!!", "4d6"),
    ] {
        let error = read(text).unwrap_err();
        let hint = format!("For exploding dice, write `{explodes}`; without exploding, write `{stays}`.");
        assert_eq!((error.code, error.hint), (Code::Ambiguous, hint), "{text}");
    }
    assert_eq!(read("Roll d20!").unwrap().as_str(), "1d20");
}

#[test]
fn what_a_table_says_is_read_or_mended() {
    for (text, wanted) in [
        ("8d10 exploding on 9 and 10", "8d10!>=9"),
        ("3d6 explode on 5 or 6", "3d6!>=5"),
        ("8d10 exploding 10s count 8+", "8d10!10t8"),
        ("3d6 reroll 1-2", "3d6ro1ro2"),
        ("3d6 reroll below 3", "3d6ro<3"),
        ("1d20+5 DC: 15", "1d20 + 5 vs 15"),
        ("d20?", "1d20"),
        ("1d20+5.", "1d20 + 5"),
        ("12d6 hits on 5+", "12d6t5"),
        ("can you roll 2d6 please", "2d6"),
        ("roll me a d20", "1d20"),
    ] {
        assert_eq!(read(text).map(|read| read.to_string()).as_deref(), Ok(wanted), "{text}");
    }
    for (text, wanted) in [
        ("1d20+5 \u{2265} 15", "1d20+5 >= 15"),
        ("\u{ff12}d\u{ff16}", "2d6"),
        ("1d20\u{2014}2", "1d20-2"),
        ("attack: 1d20+5", "1d20 + 5 # attack"),
        ("[attack] 1d20+5", "1d20 + 5 # attack"),
        ("1d20+5 (attack)", "1d20 + 5 # attack"),
        ("1d8 + 3, three times", "repeat(1d8 + 3, 3)"),
        ("2d6 7 or more", "2d6 vs 7"),
        ("3d6 12 or less", "3d6 under 12"),
        ("repeat(1d20+5,3) adv", "repeat(2d20kh1 + 5, 3)"),
    ] {
        assert_eq!(read(text).unwrap_err().example, wanted, "{text}");
    }
    // Two rolls are no sum: it is offered as one, and said to be.
    assert_eq!(read("1d20+5, 1d6+3").unwrap_err().hint, "To add them, write `1d20 + 5 + 1d6 + 3`.");
    assert!(read("8d10 exploding on 8 and 9").is_err());
    assert!(!read("1d20\\u202e+5").unwrap_err().hint.contains('#'));
    assert!(read("1d6mod2").unwrap_err().message.contains("Remainders"));
}

/// The word stands at one d20 of both sides; where low is good, games differ in what it keeps.
#[test]
fn advantage_is_never_given_to_the_wrong_die() {
    let several = read("1d20+5 vs 1d20+3 adv").unwrap_err();
    assert_eq!(several.code, Code::InvalidAdvantageUsage);
    assert_eq!(
        several.hint,
        "For the first of them, write `2d20kh1 + 5 vs 1d20 + 3`; for the last, write `1d20 + 5 vs 2d20kh1 + 3`; \
         for each of them, write `2d20kh1 + 5 vs 2d20kh1 + 3`."
    );
    assert_eq!(read("1d20 adv vs 1d20 dis").unwrap_err().example, "2d20kh1 vs 2d20kl1");
    assert_eq!(read("1d20 adv vs 1d20 adv").unwrap_err().code, Code::InvalidAdvantageUsage);
    assert_eq!(read("10 vs 1d20 adv").unwrap().as_str(), "10 vs 2d20kh1");
    assert_eq!(read("1d20 vs 15 adv").unwrap().as_str(), "2d20kh1 vs 15");
    for text in ["d20 adv under 15", "d20 under 15 with advantage", "1d20 + 0 adv <= 15"] {
        let error = read(text).unwrap_err();
        assert_eq!(error.code, Code::Ambiguous, "{text}");
        assert!(error.hint.contains("2d20kl1") && error.hint.contains("2d20kh1"), "{text}: {error:?}");
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
        ("1/d6 # the well", "1 # the well", "1d6 # the well", "1/(d6) # the well"),
        ("1/1d6.", "1", "1d6", "1/(1d6)"),
        ("1[pass]/1d6[fail]", "1[pass]", "1d6[fail]", "1[pass]/(1d6)[fail]"),
        ("1d10/1d100", "1d10", "1d100", "1d10/(1d100)"),
        ("roll 1/1d6", "1", "1d6", "1/(1d6)"),
    ] {
        let error = read(text).expect_err(text);
        let hint =
            format!("For the loss on a success, write `{success}`; for the loss on a failure, write `{failure}`.");
        assert_eq!((error.code, error.hint.as_str()), (Code::Ambiguous, hint.as_str()), "{text}");
        assert!(error.message.contains(&format!("`{divided}`")), "{text}: {}", error.message);
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
        ("9 divided by d6", 3),
        ("roll 3d6 / 2", 4),
    ] {
        let expression = read(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let roll = expression.roll(&mut ScriptedRoller::new([3, 3, 3])).expect(text);
        assert_eq!(roll.total, total, "{text}");
        assert!(parse(expression.as_str()).is_ok(), "the record's own text is read as before");
    }
}
