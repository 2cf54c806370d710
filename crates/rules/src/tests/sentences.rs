//! Files without a check: sentences that are read, their checks, what is assumed about scores.

use super::{codes, sound, system_md};
use crate::{Facts, InitiativeKind, Reading, Succeed, reading_summary};
use rollbook_dice::{Expression, Formula, Mode, parse};
use rollbook_text::names::fold;

/// The outcomes of these totals, each with the same margin.
fn outcomes(reading: &Reading, totals: &[i64]) -> Vec<String> {
    let facts = |total: i64| Facts {
        total,
        margin: Some(total),
        ..Facts::default()
    };
    let judged = totals.iter().map(|total| {
        reading.system.checks[0]
            .judge(&facts(*total))
            .expect("a judgement")
    });
    judged.map(|judged| judged.outcome.to_string()).collect()
}

#[test]
fn a_sentence_states_the_dice_and_its_family_the_outcomes() {
    for (sentence, roll, target, totals, expected) in [
        (
            "Roll 1d20 + modifiers against difficulty.",
            "1d20 + {modifier}",
            "{difficulty}",
            vec![0, -1],
            "success failure",
        ),
        (
            "You act. Roll 1d20 against a difficulty. Look up.",
            "1d20",
            "{difficulty}",
            vec![0, -1],
            "success failure",
        ),
        (
            "Roll 2d6 + stat.",
            "2d6 + {attribute}",
            "",
            vec![10, 9, 6],
            "success partial success failure",
        ),
        (
            "Roll 2d6 + skill against a difficulty.",
            "2d6 + {skill}",
            "{difficulty}",
            vec![0, -1],
            "success failure",
        ),
        (
            "Roll 4dF + modifiers.",
            "4dF + {modifier}",
            "{difficulty}",
            vec![3, 1, 0, -1],
            "critical success success partial success failure",
        ),
        ("Roll d%.", "1d%", "{skill}", vec![0, -1], "success failure"),
    ] {
        let reading = sound(&format!("## Dice\n{sentence}\n"));
        let check = &reading.system.checks[0];
        let shown = (
            check.roll.to_string(),
            check
                .target
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
        );
        assert_eq!(shown, (roll.to_owned(), target.to_owned()), "{sentence}");
        assert_eq!(
            outcomes(&reading, &totals).join(" "),
            expected,
            "{sentence}"
        );
    }
    let system = sound("## Dice\nRoll 2d6 + stat.\n").system;
    let swapping = system.swap(Mode::Advantage, &system.checks[0]);
    assert_eq!(swapping, None, "only a d20 system has it unasked");
}

/// What a sentence of the list is read as: the roll, and the numbers to reach.
fn read_as(section: &str, reading: &Reading) -> Option<(Expression, String)> {
    let system = &reading.system;
    let value = |name: &str| match fold(name).as_str() {
        "wits" | "attribute" => Some(3),
        "stealth" | "skill" => Some(2),
        "luck" => Some(4),
        "modifier" => Some(5),
        "difficulty" => Some(12),
        "level" => Some(1),
        _ => None,
    };
    let bound = |formula: &Formula| {
        formula
            .bind(&mut |name| value(name))
            .expect("names that have a number")
    };
    if section == "Combat" {
        let InitiativeKind::Each(expr) = &system.initiative.kind else {
            return None;
        };
        return Some((bound(expr), String::new()));
    }
    let check = system.checks.first()?;
    let target = check
        .target
        .as_ref()
        .and_then(|target| bound(target).constant());
    let wanted = target.map(|number| match check.succeed {
        Succeed::AtLeast => format!("{number}+"),
        Succeed::AtMost => format!("{number} or less"),
    });
    Some((bound(&check.roll), wanted.unwrap_or_default()))
}

/// Each sentence is read with exactly the odds that are meant, or not at all; one that begins with
/// Roll is then reported.
#[test]
fn no_sentence_is_read_wrongly() {
    let (mut section, mut read, mut all) = ("", 0, 0);
    for line in include_str!("sentences.md").lines() {
        section = line.strip_prefix("## ").unwrap_or(section);
        let cells: Vec<&str> = line
            .split(" |")
            .map(|cell| cell.trim_start_matches('|').trim())
            .collect();
        let [sentence, rolled, wanted, ..] = cells.as_slice() else {
            continue;
        };
        if *sentence == "sentence" || sentence.starts_with("--") {
            continue;
        }
        all += 1;
        let names = "## Attributes\n- Wits\n- Luck\n\n## Skills\n- Stealth\n";
        let reading = system_md(&format!("## {section}\n{sentence}\n\n{names}"));
        let system = &reading.system;
        assert!(
            system.tracks.is_empty() && system.rests.is_empty() && system.triggers.is_empty(),
            "{sentence}"
        );
        match read_as(section, &reading) {
            Some((dice, target)) => {
                let meant = parse(rolled).unwrap_or_else(|why| panic!("{sentence}: {why}"));
                assert_eq!(
                    (dice.odds().map(|odds| odds.totals), target.as_str()),
                    (meant.odds().map(|odds| odds.totals), *wanted),
                    "{sentence}"
                );
                read += 1;
            }
            None if section == "Dice" && sentence.starts_with("Roll ") => {
                assert!(
                    codes(&reading).contains(&"document/looks-like-a-rule"),
                    "{sentence}"
                )
            }
            None => {}
        }
    }
    assert!(all >= 300 && read >= 40, "{read} of {all} are read");
}

/// Where a sentence rolls a d20 and scores exceed 10, a score is assumed to be worth half of what
/// it has over 10.
#[test]
fn a_d20_sentence_alone_assumes_what_scores_are_worth() {
    let d20 = "## Dice\nRoll 1d20 + modifiers against a difficulty.\n";
    let written = "## Checks\n### Check\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`\n";
    let half = "floor(({score} - 10) / 2)";
    for (range, checks, worth) in [
        ("- Range: 3 to 18\n", d20, 2),
        ("- Range: 3 to 18\n", written, 15),
        ("- Range: 3 to 18\n", "## Dice\nRoll 2d6 + stat.\n", 15),
        ("- Range: -3 to 3\n", d20, 15),
        ("- Range: 3 to 18\n- Modifier: `{score}`\n", d20, 15),
        ("", d20, 15),
    ] {
        let reading = system_md(&format!("## Attributes\n- Might (MIG)\n{range}{checks}"));
        assert_eq!(
            reading.system.attributes[0].modifier(15),
            Ok(worth),
            "{range}{checks}"
        );
        let noted = reading
            .system
            .assumptions
            .iter()
            .find(|assumption| assumption.text.contains("worth"));
        assert_eq!(
            noted.is_some_and(
                |assumption| assumption.text.contains(half) && assumption.place.is_some()
            ),
            worth == 2,
            "{range}{checks}"
        );
        assert_eq!(
            reading_summary(&reading).contains(&format!("worth {half} (assumed)")),
            worth == 2,
            "{checks}"
        );
    }
}

#[test]
fn a_range_is_in_the_brackets_in_its_bullet_or_among_starting_values() {
    let text = "## Dice\nRoll 2d6 + stat.\n## Attributes\n- Might (MIG, 3-18): lifting\n- Luck (LUC, 0-10)\n- Nerve\n- Range: 1 to 4\n";
    let reading = sound(text);
    let ranges: Vec<_> = reading
        .system
        .attributes
        .iter()
        .map(|attribute| attribute.range)
        .collect();
    assert_eq!(ranges, [Some((3, 18)), Some((0, 10)), Some((1, 4))]);
    assert_eq!(reading.system.attributes[1].abbr.as_deref(), Some("LUC"));
    let starting = "## Dice\nRoll 2d6 + stat.\n## Attributes\n- Might (MIG)\n\nStarting values: 8-18 range, point buy.\n";
    for (text, range, found) in [
        (starting.to_owned(), Some((8, 18)), vec![]),
        (
            starting.replace("(MIG)\n", "(MIG)\n- Range: 3 to 20\n"),
            Some((3, 20)),
            vec!["document/given-twice"],
        ),
        (
            starting.replace("8-18 range", "8-18 about"),
            None,
            vec!["document/not-understood"],
        ),
    ] {
        let reading = system_md(&text);
        assert_eq!(
            (reading.system.attributes[0].range, codes(&reading)),
            (range, found),
            "{text}"
        );
    }
}

#[test]
fn dice_of_rules_may_be_rolled() {
    for (dice, list) in [
        (
            "A dagger does d3, magic 2d7.\n",
            "d4, d6, d8, d10, d12, d20, d100, dF",
        ),
        (
            "\n\n| 1d3 | Weather |\n|---|---|\n| 1-3 | rain |\n\n## Health\n- Luck: max 9\n- Damage: Luck\n- Long rest: Luck +2d7\n",
            "d3, d4, d6, d7, d8, d10, d12, d20, d100, dF",
        ),
        ("\n- Dice: d20, d6, d3\n", "d3, d6, d20"),
        ("\n- Dice: d20, d6, d%\n", "d6, d20, d100"),
    ] {
        assert_eq!(
            sound(&format!("## Dice\nRoll 1d20 + modifiers. {dice}"))
                .system
                .dice
                .list(),
            list
        );
    }
    assert!(
        sound("## Dice\nRoll 1d20 + modifiers.\n- Dice: any\n")
            .system
            .dice
            .is_any()
    );
}
