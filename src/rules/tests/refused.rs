//! Lines that are not read to their last word: each is reported at the word that is not understood, nothing of it is loaded, and the lines around it are.

use super::{codes, pointed, sound, system_md};
use crate::rules::System;

/// A sound game; a line comes in where its section is named.
const GAME: &str = "\
## Dice
@Dice
## Attributes
- Strength (STR, 3 to 18)
- Dexterity (DEX, 3 to 18)
@Attributes
## Skills
- Stealth (DEX)
@Skills
## Checks
### Test
- Roll: `1d20 + {modifier}`
- Target: `9`
- Value price: `6 - highest`
- Again Luck: add {points}; asks points 1 to 3
@Checks
## Health
- Hit points: max 10
- Stress: 9 boxes
- Damage: Hit points
@Health
- Breather: Hit points +1
## Company
@Company
- Coin: max 3
## Conditions
- Prone: -1 on checks
@Conditions
## Combat
@Combat
## Attacks

| Weapon | Skill | Damage | Bonus | Target effect |
|---|---|---|---|---|
| Club | Stealth | 1 | | |
@Attacks
## Advancement
@Advancement
";

fn game(section: &str, line: &str) -> String {
    let lines = GAME.lines().filter_map(|own| match own.strip_prefix('@') {
        Some(of) if of == section => Some(line),
        Some(_) => None,
        None => Some(own),
    });
    lines.map(|own| format!("{own}\n")).collect()
}

/// How many rules of each kind there are.
fn many(system: &System) -> [usize; 8] {
    let company = system.company.as_ref().map_or(0, |own| own.tracks.len() + own.triggers.len());
    [
        system.checks.len(),
        system.tracks.len() + system.damage.len() + system.defences.len(),
        system.triggers.len(),
        system.rests.len() + system.passing.len(),
        company,
        system.conditions.len(),
        system.attacks.len(),
        system.skills.len(),
    ]
}

/// Each line of a section with the words that are not understood.
const LINES: [(&str, &str, &str); 60] = [
    ("Dice", "- Dice chain: d6", "Dice chain: d6"),
    ("Dice", "- Dice chain: d8, d6", ""),
    ("Dice", "- Visibility: nobody", "nobody"),
    ("Dice", "- Advantage: `2d20kh1`", ""),
    ("Dice", "- Symbol SU: edges", "edges"),
    ("Dice", "- Deck Odd: sun, moon; once only!", "!"),
    ("Attributes", "- Modifier: `1d6 + {score}`", "Modifier: `1d6 + {score}"),
    ("Attributes", "- Range: three to five", "three"),
    ("Skills", "- Swimming (tides)", "tides"),
    ("Checks", "- Count: mostly sixes", "mostly"),
    ("Checks", "- On natural: +1 step", ""),
    ("Checks", "- Result: `margin + 1`", "Result: `margin + 1"),
    ("Checks", "- Flag odd: natural 1; after Posh", "Posh"),
    ("Checks", "- Again Push: reroll all; on Sundays only", "on"),
    ("Checks", "- Again Push: reroll all; not with Lukc", "Lukc"),
    ("Checks", "- Again Push: reroll all; costs Stres +1", "Stres"),
    ("Checks", "- Costs: Mana +1", "Mana"),
    ("Checks", "- Costs: Stress +`natural`", "Costs: Stress +`natural"),
    ("Checks", "- Opposed: by luck", "by"),
    ("When", "sixes 2+", "sixes"),
    ("When", "total at least 4", "at"),
    ("When", "total", ""),
    ("When", "blue width 2+", "blue"),
    ("When", "total 99999999999999999999", "99999999999999999999"),
    ("When", "`total >= floor()`", ")"),
    ("Stress", "1d4", ""),
    ("Stress", "+`total`", "+`total"),
    ("Stress", "{price}", ""),
    ("Stress", "+9999999999", "+9999999999"),
    ("Health", "- Luck: 12", ""),
    ("Health", "- Luck: max half of 9", "half"),
    ("Health", "- Luck: 9 boxes, full: gain Dead, hidden", "hidden"),
    ("Health", "- Luck: soak 0", "0"),
    ("Health", "- At 0 hit point: gain Dying", "hit"),
    ("Health", "- At 0 Hit points: unconscious", "unconscious"),
    ("Health", "- At 0 Hit points: gain Sleepy", "Sleepy"),
    ("Health", "- At 0 Hit points: 2d6 damage", "At 0 Hit points: 2d6 damage"),
    ("Health", "- When total 5+: gain Dying", "When total 5+: gain Dying"),
    ("Health", "- One hit 5+: Hit points -1d6", "One hit 5+: Hit points -1d6"),
    ("Health", "- Left over bananas+: gain Dead", "bananas"),
    ("Health", "- Fire: half from fire", "fire"),
    ("Health", "- Long rest: Hit points to max, eat a ration", "eat"),
    ("Health", "- Long rest: 0 hours pass", "pass"),
    ("Health", "- Short rest: Hit points -1 step", "Short rest: Hit points -1 step"),
    ("Company", "- Supplies: max {STR}", "Supplies: max {STR}"),
    ("Company", "- Supplies: from 0, keeps larger", "Supplies: from 0, keeps larger"),
    ("Company", "- Game time: 6 boxes", "Game time: 6 boxes"),
    ("Company", "- Each hour: Rations -1", "Rations"),
    ("Conditions", "- Dazed: -1 on STR until dawn", "until"),
    ("Conditions", "- Dazed: for 2 rounds, until end of scene", ""),
    ("Combat", "- Initiative: `1d20`, highest first, no roll", "no"),
    ("Combat", "- Round: -6 seconds", "-"),
    ("Combat", "- Held effects: ask Stealth against 1d20", "Held effects: ask Stealth against 1d20"),
    ("Combat", "- Held effects: ask Stealth, end with Elsewhere", "Elsewhere"),
    ("Attacks", "| Flail | Stealth +1 | 1d6 | | |", "+"),
    ("Attacks", "| Flail | Stealth | 1d6 | | prone |", "prone"),
    ("Attacks", "| club | Stealth | 1d6 | | |", "club | Stealth | 1d6 | | "),
    ("Advancement", "- Level up at: 1d6 XP", "Level up at: 1d6 XP"),
    ("Advancement", "- Each tick: {skill} +1d10", "Each tick: {skill} +1d10"),
    ("Advancement", "| Level | XP |\n|---|---|\n| 2 | 1,200 |", ","),
];

#[test]
fn a_line_is_read_to_its_last_word_or_not_at_all() {
    let whole = many(&sound(&game("", "")).system);
    for (section, line, word) in LINES {
        let table = |row: &str, column: &str| {
            let outcomes = "\n| Outcome | When | Stress |\n|---|---|---|\n";
            game("Checks", &format!("{outcomes}{row}\n| Failure | otherwise | {column} |"))
        };
        let text = match section {
            "When" => table(&format!("| Success | {line} | |"), ""),
            "Stress" => table("| Success | margin 0+ | |", line),
            _ => game(section, line),
        };
        let reading = system_md(&text);
        assert_eq!(pointed(&reading), [("document/not-understood", word)], "{section}: {line}");
        let mut left = whole;
        match section {
            "Checks" | "When" | "Stress" => left[0] = 0,
            "Attacks" => left[6] = 0,
            _ => {}
        }
        assert_eq!(many(&reading.system), left, "{section}: {line}");
    }
}

#[test]
fn what_is_rolled_is_one_expression_in_backticks() {
    for roll in [
        "1d20 + {STR}",
        "`1d20` + {STR}",
        "`1d20` or `2d10`",
        "`1d20 + {STR}` (minimum 3)",
        "`1d20` with advantage",
        "the best of `3d6`",
        "`1d20 + STR`",
        "`1d20 + + {STR`",
        "`5000d6`",
        "`2d2000000`",
    ] {
        let text = game("", "").replace("`1d20 + {modifier}`", roll);
        let reading = system_md(&text);
        assert_eq!(codes(&reading), ["document/not-understood"], "{roll}");
        assert!(reading.system.checks.is_empty() && reading.system.lost_checks[0].what == "Test", "{roll}");
    }
}

/// Neither a sentence nor the usual outcomes stand in for a check that is not understood.
#[test]
fn a_lost_check_is_not_replaced_by_an_assumed_one() {
    let reading = system_md("## Dice\nRoll 1d20 + modifiers.\n## Checks\n### Test\n- Roll: `1d`\n");
    assert_eq!(pointed(&reading).len(), 1);
    assert!(reading.system.checks.is_empty() && reading.system.assumptions.is_empty());
}
