//! Named dice: their reading, and the odds of their symbols.

use std::collections::BTreeMap;

use super::ways::chances;
use super::{codes, findings, sound, system_md};
use crate::{Means, Verdict, Visit, Walked, proofs};
use rollbook_dice::odds::Ratio;
use rollbook_dice::{Bound, parse_formula};

const DICE: &str = "## Dice\n- Symbol S: success\n- Symbol F: failure\n- Symbol A: edge\n- Symbol H: threat\n\
                    - Die Talent: blank, S, SS, SA\n- Die Luck: A, blank\n- Die Hazard: blank, F, FH\n- Die Red: 1, 2, 3, 4, 5, 6\n- Die Fuel: 0, 1, 1\n";

fn rules(dice: &str, roll: &str, rest: &str) -> String {
    format!("{DICE}{dice}\n## Checks\n### Any\n- Roll: `{roll}`\n{rest}")
}

fn table(when: &str) -> String {
    format!("\n| Outcome | When |\n|---|---|\n| Success | {when} |\n| Failure | otherwise |\n")
}

/// How likely each combination of row, values and flags is.
fn ends(walk: impl FnOnce(&mut Visit<'_>) -> Walked) -> (BTreeMap<String, Ratio>, u64) {
    let end = |verdict: &Verdict| {
        (
            verdict.judgement.as_ref().map(|judged| judged.rank),
            verdict.values.clone(),
            verdict.flags.clone(),
        )
    };
    let (found, looks) = chances(walk, end);
    (
        found
            .into_iter()
            .map(|(end, chance)| (format!("{end:?}"), chance))
            .collect(),
        looks,
    )
}

#[test]
fn the_odds_of_symbols_are_those_of_every_fall() {
    let table = "\n| Outcome | When |\n|---|---|\n| Critical success | success 2+ and threat 0 |\n| Success | success 1+ |\n| Failure | otherwise |\n";
    for (dice, roll, rest, most) in [
        (
            "- Cancel: S against F, A against H\n",
            "2 Talent + 1 Luck + 2 Hazard",
            "",
            60,
        ),
        ("", "2 Talent + 1 Luck + 2 Hazard", "", u64::MAX),
        (
            "- Cancel: S against F\n",
            "2 Talent + 1 Luck + 1 Hazard",
            "- Value own: `luck edge`\n",
            u64::MAX,
        ),
        (
            "- Cancel: S against F\n",
            "2 Talent!4 + 1 Hazard",
            "",
            u64::MAX,
        ),
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
            "- Deck Small: 1-3, K of cups, pikes, 2 joker\n",
            "4 Small + 1 Talent + 1 Hazard",
            "- Value sets: `10 * width + height`\n- Flag low: natural 2+ and small lowest 1+\n- Flag twos: 2s 2+\n- Flag least: small lowest 0\n",
            u64::MAX,
        ),
        (
            "- Deck Small: 1-3, K of cups, pikes, 2 joker\n",
            "1 Small[mine] + 1 Talent + 2 Small[yours] + 1 Hazard",
            "- Value lead: `yours highest - mine highest`\n- Flag pair: height 3+ and width 2+\n- Flag over: {lead} 1+\n- Flag rules: mine dominates\n- Flag bows: yours dominates\n",
            u64::MAX,
        ),
        (
            "- Deck Small: 1-3, K of cups, pikes, 2 joker\n",
            "3 Smallkh1 + 1 Talent + 1 Hazard",
            "- Value most: `total + joker`\n",
            u64::MAX,
        ),
    ] {
        // Calls may use modifiers with named dice, rules may not.
        let written = roll.replace("ro1", "").replace("kh1", "");
        let text = rules(dice, &written, &format!("{rest}{table}"));
        let mut system = sound(&text).system;
        let mut check = system.checks.remove(0);
        if written != roll {
            let called = system.named_dice.in_notation(roll).expect("named dice");
            check.roll = parse_formula(&called).expect("a roll");
        }
        let lookup = |_: &str, _| Some(Bound::Number(1));
        let attempt = check
            .attempt(&Means {
                lookup: &lookup,
                extra: 0,
                dice: 0,
                targeted: true,
            })
            .expect("an attempt");
        let (short, looks) = ends(|visit| {
            check
                .each_verdict(&attempt, u64::MAX, visit)
                .expect("a walk")
        });
        assert!(looks <= most, "{roll}: {looks}");
        if !roll.contains('!') {
            let (long, all) =
                ends(|visit| check.each_roll(&attempt, u64::MAX, visit).expect("a walk"));
            assert_eq!(short, long, "{text}");
            assert!(looks <= all);
        }
        assert!(
            short
                .values()
                .fold(Ratio::default(), |sum, chance| sum.plus(chance))
                .is_one(),
            "{text}"
        );
    }
}

#[test]
fn mistakes_are_reported() {
    let plain = "\n## Checks\n### Any\n- Roll: `2d6`\n- Target: `7`\n";
    for (bullet, message) in [
        (
            "- Symbol X: total",
            "its name means something else in conditions",
        ),
        (
            "- Die Odd: blank, S, X",
            "`X` is no symbol, as `- Symbol X: \u{2026}` would make it",
        ),
        (
            "- Die Odd: S",
            "a die has from 2 to 100 faces, and a deck as many cards",
        ),
        (
            "- Die Floor: S, A",
            "dice are called by one word of two letters or more that means nothing else",
        ),
        (
            "- Cancel: S against X",
            "these are no two symbols that stand on dice",
        ),
        (
            "- Deck Odd: sun, total",
            "`total` is no name of a suit or a card",
        ),
        (
            "- Deck Odd: sun, 0 moon",
            "there are from 1 to 100 of a card",
        ),
        (
            "- Deck Odd: 10-2 of cups",
            "ranks go from 0 to 100, the lower first",
        ),
        (
            "- Deck Odd: 1-60 of cups, pikes",
            "a die has from 2 to 100 faces, and a deck as many cards",
        ),
        (
            "- Deck Odd: sun, moon; drawn cards stay out\n- Deck Even: sun, moon",
            "Odd has the same cards, and which of the two a draw is of could not be told",
        ),
    ] {
        let reading = system_md(&format!("{DICE}{bullet}\n{plain}"));
        let found = findings(&reading);
        assert_eq!(
            codes(&reading),
            ["dice/unreadable-faces"],
            "{bullet}: {found:?}"
        );
        let label = reading.diagnostics[0]
            .labels
            .first()
            .map(|label| label.text.clone())
            .unwrap_or_default();
        assert_eq!(label, message, "{bullet}");
    }
}

#[test]
fn a_condition_asks_for_symbols_by_name_alone_or_of_some_dice() {
    for when in [
        "success 1+",
        "talent success 1+",
        "hazard dice 1 and threat 1+",
        "`edge - threat >= 1`",
        "`success >= failure`",
    ] {
        sound(&rules("", "2 Talent + 1 Luck + 1 Hazard", &table(when)));
    }
    // The symbol is on none of these dice, or on no dice.
    let reading = system_md(&rules("", "2 Luck", &table("success 1+")));
    assert!(
        proofs(&reading)
            .iter()
            .any(|found| found.code == "checks/never-succeeds"),
        "{:?}",
        findings(&reading)
    );
    for when in ["spark 1+", "luck spark 1+"] {
        let reading = system_md(&rules("", "2 Luck", &table(when)));
        assert_eq!(codes(&reading), ["document/not-understood"], "{when}");
    }
    let rest = format!("- Asks: n 0 to 5\n{}", table("success 1+"));
    let system = sound(&rules(
        "- Cancel: S against F\n",
        "{n=2} Talent + (1 + {n=2}) Red - Fuel[own]",
        &rest,
    ))
    .system;
    let roll = system.checks[0].roll.to_string();
    assert_eq!(
        roll,
        "{n=2}d{-,S,SS,SA}[Talent] + (1 + {n=2})d{1,2,3,4,5,6}[Red] - 1d{0,1,1}[Fuel][own]"
    );
    assert!(
        system
            .dice
            .list()
            .ends_with("d100, dF, Hazard, Talent, Fuel, Red, Luck"),
        "{}",
        system.dice.list()
    );
}

#[test]
fn decks_share_neither_letters_nor_cards() {
    let decks = "- Deck Cards: 2-10, J, Q, K, A of hearts, spades, clubs, diamonds, 2 joker\n- Deck Blades: 1-7 of cups, swords, staves, coins\n\
                 - Deck Omens: sun, moon, 3 star\n- Deck Tickets: 1-9\n";
    let system = sound(&rules(decks, "2 Talent", &table("success 1+"))).system;
    let die = |name: &str| {
        system
            .named_dice
            .dice
            .iter()
            .find(|die| die.name == name)
            .map(|die| die.die.to_string())
    };
    assert_eq!(
        die("Cards").as_deref(),
        Some("d{2..14E,2..14P,2..14C,2..14D,J,J}")
    );
    assert_eq!(die("Blades").as_deref(), Some("d{1..7U,1..7W,1..7T,1..7O}"));
    assert_eq!(die("Omens").as_deref(), Some("d{N,M,R,R,R}"));
    assert_eq!(die("Tickets").as_deref(), Some("d{1,2,3,4,5,6,7,8,9}"));
    let mut letters: Vec<char> = system
        .named_dice
        .symbols
        .iter()
        .map(|symbol| symbol.letter)
        .collect();
    letters.sort_unstable();
    let all = letters.len();
    letters.dedup();
    assert_eq!(
        (letters.len(), all),
        (16, 16),
        "{:?}",
        system.named_dice.symbols
    );
}
