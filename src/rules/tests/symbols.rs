//! Dice with faces of their own: what is read of them, and how their symbols fall.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::{codes, findings, sound, system_md};
use crate::dice::Bound;
use crate::dice::odds::Ratio;
use crate::rules::{Means, Verdict, Visit, Walked, Ways};

const DICE: &str = "## Dice\n- Symbol S: success\n- Symbol F: failure\n- Symbol A: edge\n- Symbol H: threat\n\
                    - Die Talent: blank, S, SS, SA\n- Die Luck: A, blank\n- Die Hazard: blank, F, FH\n- Die Red: d6\n- Die Fuel: 0, 1, 1\n";

fn rules(dice: &str, roll: &str, rest: &str) -> String {
    format!("{DICE}{dice}\n## Checks\n### Any\n- Roll: `{roll}`\n{rest}")
}

/// How likely each row, each value and each flag is together.
fn ends(walk: impl FnOnce(&mut Visit<'_>) -> Walked) -> (BTreeMap<String, Ratio>, u64) {
    let mut found: BTreeMap<String, BTreeMap<BigUint, BigUint>> = BTreeMap::new();
    let mut looks = 0;
    let walked = walk(&mut |verdict: Option<&Verdict>, ways: &Ways| {
        let end = verdict.map(|own| (own.judged.as_ref().map(|own| own.rank), own.values.clone(), own.flags.clone()));
        *found.entry(format!("{end:?}")).or_default().entry(ways.of.clone()).or_default() += &ways.times;
        looks += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(walked, Walked::Whole);
    (found.into_iter().map(|(end, parts)| (end, Ratio::sum_of_ways(&parts))).collect(), looks)
}

#[test]
fn the_odds_of_symbols_are_those_of_every_fall() {
    let table = "\n| Outcome | When |\n|---|---|\n| Critical success | success 2+ and threat 0 |\n| Success | successes 1+ |\n| Failure | otherwise |\n";
    for (dice, roll, rest, most) in [
        ("- Cancel: S against F, A against H\n", "2 Talent + 1 Luck + 2 Hazard", "", 60),
        ("", "2 Talent + 1 Luck + 2 Hazard", "", u64::MAX),
        ("- Cancel: S against F\n- Cancel: S against H\n", "2 Talent + 2 Hazard", "", u64::MAX),
        ("- Cancel: success against failure\n", "2 Talent + 1 Luck + 1 Hazard", "- Value own: `luck edge`\n", u64::MAX),
        ("- Cancel: S against F\n", "2 Talent!4 + 1 Hazard", "", u64::MAX),
        (
            "- Cancel: S against F\n",
            "2 Talentro1 + 1 Hazard",
            "- Flag many: talent dice 2+ and talent success 2+\n",
            u64::MAX,
        ),
        (
            "- Cancel: S against F\n",
            "2 Talent + 1 Hazard + 1 Red + 1 Fuel",
            "- Flag high: red highest 5+ and total 5+\n",
            u64::MAX,
        ),
        (
            "- Deck Small: 1-3, K of cups, pikes, 2 jokers\n",
            "3 Small + 1 Talent + 1 Hazard",
            "- Value most: `highest + joker`\n",
            u64::MAX,
        ),
        (
            "- Deck Small: 1-3, K of cups, pikes, 2 jokers\n",
            "4 Small + 1 Talent + 1 Hazard",
            "- Value sets: `10 * width + height`\n- Flag low: natural 2+ and small lowest 1+\n- Flag twos: 2s 2+\n- Flag least: small lowest 0\n",
            u64::MAX,
        ),
        (
            "- Deck Small: 1-3, K of cups, pikes, 2 jokers\n",
            "1 Small[mine] + 1 Talent + 2 Small[yours] + 1 Hazard",
            "- Value lead: `yours highest - mine highest`\n- Flag pair: height 3+ and width 2+\n- Flag over: lead 1+\n- Flag rules: mine dominates\n- Flag bows: yours dominates\n",
            u64::MAX,
        ),
        (
            "- Deck Runes: sun, seal, 3 stones, moon\n",
            "3 Runes + 1 Talent + 1 Hazard",
            "- Flag many: stones 2+ and seal 1+\n",
            u64::MAX,
        ),
        (
            "- Deck Small: 1-3, K of cups, pikes, 2 jokers\n",
            "3 Smallkh1 + 1 Talent + 1 Hazard",
            "- Value most: `total`\n",
            u64::MAX,
        ),
    ] {
        let text = rules(dice, roll, &format!("{rest}{table}"));
        let check = sound(&text).system.checks.remove(0);
        let lookup = |_: &str, _| Some(Bound::Number(1));
        let attempt = check.attempt(&Means { lookup: &lookup, extra: 0, dice: 0, targeted: true }).expect("an attempt");
        let (short, looks) = ends(|visit| check.each_verdict(&attempt, u64::MAX, visit).expect("a walk"));
        assert!(looks <= most, "{roll}: {looks}");
        if !roll.contains('!') {
            let (long, all) = ends(|visit| check.each_roll(&attempt, u64::MAX, visit).expect("a walk"));
            assert_eq!(short, long, "{text}");
            assert!(looks <= all);
        }
        assert!(short.values().fold(Ratio::default(), |sum, chance| sum.plus(chance)).is_one(), "{text}");
    }
}

#[test]
fn of_two_hands_of_one_deck_one_dominates() {
    for (dice, roll) in
        [("- Deck Nums: 1-9\n", "2 Nums[mine] + 1 Nums[house]"), ("- Die Odd: 1, 3, 5\n", "2 Odd[mine] + 1 Odd[house]")]
    {
        let text = rules(dice, roll, "- Flag mine: mine dominates\n- Flag house: house dominates\n- Target: `9`\n");
        let check = sound(&text).system.checks.remove(0);
        let attempt =
            check.attempt(&Means { lookup: &|_, _| None, extra: 0, dice: 0, targeted: true }).expect("an attempt");
        let (found, _) = ends(|visit| check.each_verdict(&attempt, u64::MAX, visit).expect("a walk"));
        assert_eq!(found.len(), 2, "{found:?}");
        for name in ["mine", "house"] {
            assert!(found.keys().any(|end| end.contains(&format!("[\"{name}\"]"))), "{name} in {found:?}");
        }
    }
}

#[test]
fn a_large_handful_of_six_kinds_is_counted_exactly() {
    let dice = "- Cancel: S against F, A against H\n- Die Mastery: blank, S, S, SS, SS, A, SA, SA, SA, AA, AA, SS\n- Die Peril: blank, F, F, FF, FF, H, H, FH, FH, HH, HH, FF\n";
    let text = rules(
        dice,
        "4 Talent + 3 Mastery + 2 Luck + 4 Hazard + 3 Peril",
        "- Value lead: `success - failure`\n\n| Outcome | When |\n|---|---|\n| Success | success 1+ |\n| Failure | otherwise |\n",
    );
    let check = sound(&text).system.checks.remove(0);
    let means = Means { lookup: &|_, _| None, extra: 0, dice: 0, targeted: true };
    let attempt = check.attempt(&means).expect("an attempt");
    let (found, looks) = ends(|visit| check.each_verdict(&attempt, 300_000, visit).expect("a walk"));
    assert!(looks < 1000, "{looks}");
    assert!(found.values().fold(Ratio::default(), |sum, chance| sum.plus(chance)).is_one());
}

#[test]
fn slips_are_told() {
    let plain = "\n## Checks\n### Any\n- Roll: `2d6`\n- Target: `7`\n";
    for (bullet, told) in [
        ("- Symbol SU: success", "a symbol is one letter on a face"),
        ("- Symbol X: total", "this name means something else in conditions"),
        ("- Symbol X: success", "this name means something else in conditions"),
        ("- Die Odd: blank, S, X", "`X` is no symbol of these rules, as `- Symbol X: …` would make it"),
        ("- Die Odd: S", "a die has from 2 to 100 faces"),
        ("- Die d6: S, A", "dice cannot be called so in an expression"),
        ("- Die Two words: S, A", "dice cannot be called so in an expression"),
        ("- Die Floor: S, A", "dice cannot be called so in an expression"),
        ("- Cancel: S against X", "these are no two symbols that stand on dice"),
        ("- Cancel: S against S", "these are no two symbols that stand on dice"),
        ("- Cancel: S", "these are no two symbols that stand on dice"),
        ("- Deck Odd: 2-10, !", "`!` is no rank"),
        ("- Deck Odd: sun", "a deck has from 2 to 100 cards, and these are 1"),
        ("- Deck Odd: sun, total", "`total` is no name of a suit or a card"),
        ("- Deck Odd: sun, 0 moons", "`0 moons` is no number of cards"),
        ("- Deck Odd: 10-2 of cups", "`10-2` is no range of ranks"),
        ("- Deck Odd: 1-60 of cups, pikes", "a deck has from 2 to 100 cards, and these are 120"),
        ("- Deck Odd: sun, moon; once", "behind `;` stands whether drawn cards stay out"),
        ("- Deck Odd: sun, moon; drawn cards stay out until a comet", "that is no card, suit or rank of this deck"),
        ("- Deck Odd: 2-4 of cups; drawn cards stay out until a 7", "that is no card, suit or rank of this deck"),
        (
            "- Deck Odd: sun, moon; drawn cards stay out\n- Deck Even: sun, moon",
            "Odd has the same cards, and which of the two a draw is of could not be told",
        ),
    ] {
        let reading = system_md(&format!("{DICE}{bullet}\n{plain}"));
        let found = findings(&reading);
        assert_eq!(codes(&reading), ["dice/unreadable-faces"], "{bullet}: {found:?}");
        let label = reading.diagnostics[0].labels.first().map(|label| label.text.clone()).unwrap_or_default();
        assert_eq!(label, told, "{bullet}");
    }
    for (bullet, code) in [
        ("- Symbols X: spark", "document/misspelt-label"),
        ("- Cancels: S against F", "document/misspelt-label"),
        ("- Die Luck: A, A", "document/repeated-label"),
        ("- Symbol S: luck", "document/repeated-label"),
    ] {
        assert_eq!(codes(&system_md(&format!("{DICE}{bullet}\n{plain}"))), [code], "{bullet}");
    }
}

#[test]
fn a_condition_asks_for_symbols_by_name_alone_or_of_some_dice() {
    let table =
        |when: &str| format!("\n| Outcome | When |\n|---|---|\n| Success | {when} |\n| Failure | otherwise |\n");
    for when in [
        "success 1+",
        "successes 1+",
        "talent success 1+",
        "hazard dice 1 and threats 1+",
        "`edge - threat` 1+",
        "success at least failure",
    ] {
        sound(&rules("", "2 Talent + 1 Luck + 1 Hazard", &table(when)));
    }
    // It is on none of these dice, or nowhere.
    for when in ["success 1+", "spark 1+", "luck spark 1+"] {
        let reading = system_md(&rules("", "2 Luck", &table(when)));
        assert_eq!(codes(&reading), ["checks/unreadable-when"], "{when}");
    }
    let system =
        sound(&rules("- Cancel: S against F\n", "{n=2} Talents + (1 + {n=2}) Red - Fuel[own]", &table("success 1+")))
            .system;
    let roll = system.checks[0].roll.to_string();
    assert_eq!(roll, "{n=2}d{-,S,SS,SA}[Talent] + (1 + {n=2})d6[Red] - 1d{0,1,1}[Fuel][own]");
    assert!(system.dice.list().ends_with("d100, dF, Hazard, Talent, Fuel, Luck"), "{}", system.dice.list());
}

#[test]
fn numbers_are_asked_of_dice_that_show_some() {
    let table =
        |when: &str| format!("\n| Outcome | When |\n|---|---|\n| Success | {when} |\n| Failure | otherwise |\n");
    for when in ["highest 1+", "width 2+", "talent 2s 1+", "hazard natural 1+"] {
        let reading = system_md(&rules("", "2 Talent + 1 Hazard", &table(when)));
        assert_eq!(codes(&reading), ["checks/no-numbers"], "{when}");
    }
    let value = rules("", "2 Talent", &format!("- Value most: `highest + success`\n{}", table("success 1+")));
    assert_eq!(codes(&system_md(&value)), ["checks/no-numbers"]);
    for (roll, when) in
        [("2 Talent + 1 Red", "highest 5+"), ("2 Talent + 1 Red", "red 6s 1+"), ("2 Talent", "dice 2+ and total 0")]
    {
        sound(&rules("", roll, &table(when)));
    }
}

#[test]
fn a_card_is_called_as_its_author_calls_it() {
    for (deck, called, when) in [
        ("sun, moon, 2 lilies", "lilies", "lilies 1+"),
        ("sun, moon, 2 lilies", "lilies", "lily 1+"),
        ("sun, lily, 2 moons", "lily", "lilies 1+"),
        ("sun, lily, 2 moons", "lily", "lily 1+"),
        ("sun, moon, 2 zombies", "zombies", "zombies 1+"),
        ("sun, moon, 2 stars", "star", "stars 1+"),
    ] {
        let table = format!("\n| Outcome | When |\n|---|---|\n| Success | {when} |\n| Failure | otherwise |\n");
        let system = sound(&rules(&format!("- Deck Omens: {deck}\n"), "2 Omens", &table)).system;
        assert!(system.own_dice.symbols.iter().any(|own| own.name == called), "{:?}", system.own_dice.symbols);
    }
}

#[test]
fn decks_share_neither_letters_nor_cards() {
    let decks = "- Deck Cards: 2-10, J, Q, K, A of hearts, spades, clubs, diamonds, 2 jokers\n- Deck Blades: 1-7 of cups, swords, staves, coins\n\
                 - Deck Omens: sun, moon, 3 stars\n- Deck Tickets: 1-9\n";
    let system = sound(&rules(
        decks,
        "2 Talent",
        "\n| Outcome | When |\n|---|---|\n| Success | success 1+ |\n| Failure | otherwise |\n",
    ))
    .system;
    let die = |name: &str| system.own_dice.dice.iter().find(|own| own.name == name).map(|own| own.describe());
    assert_eq!(die("Cards").as_deref(), Some("54 cards: d{2..14E,2..14P,2..14C,2..14D,J,J}"));
    assert_eq!(die("Blades").as_deref(), Some("28 cards: d{1..7U,1..7W,1..7T,1..7O}"));
    assert_eq!(die("Omens").as_deref(), Some("5 cards: d{N,M,R,R,R}"));
    assert_eq!(die("Tickets").as_deref(), Some("9 cards: d{1,2,3,4,5,6,7,8,9}"));
    let mut letters: Vec<char> = system.own_dice.symbols.iter().map(|own| own.letter).collect();
    letters.sort_unstable();
    let all = letters.len();
    letters.dedup();
    assert_eq!((letters.len(), all), (16, 16), "{:?}", system.own_dice.symbols);
}

#[test]
fn a_deck_stays_drawn_until_a_card_a_suit_or_a_rank() {
    let of =
        |bullet: &str| sound(&rules(&format!("{bullet}\n"), "2d6", "- Target: `7`\n")).system.own_dice.dice.clone();
    for (behind, faces) in [
        ("; drawn cards stay out", vec![]),
        ("; drawn cards stay out until a joker.", vec![7, 8]),
        ("; Drawn cards stay out until cups", vec![1, 2, 3]),
        ("; drawn cards stay out until a K", vec![3, 6]),
        ("; the drawn cards stay out until a 2", vec![2, 5]),
    ] {
        let dice = of(&format!("- Deck Small: 1-2, K of cups, pikes, 2 jokers{behind}"));
        let own = dice.iter().find(|own| own.name == "Small").expect("the deck");
        assert_eq!(own.stays.as_ref().map(|stays| stays.faces.clone()), Some(faces), "{behind}");
        assert!(own.describe().contains("; drawn cards stay out"), "{}", own.describe());
    }
    let tickets = of("- Deck Tickets: 4-9; drawn cards stay out until a 9");
    assert_eq!(tickets.first().and_then(|own| own.stays.clone()).map(|stays| stays.faces), Some(vec![9]));
}
