//! Lines not read to their last word: each is reported where it fails, and only the rest is loaded.

use super::{pointed, sound, system_md};
use crate::System;

/// A sound game, with a mark in each section for one more line.
const GAME: &str = include_str!("refused/System.md");

fn game(section: &str, inserted: &str) -> String {
    let lines = GAME
        .lines()
        .filter_map(|line| match line.strip_prefix('@') {
            Some(name) if name == section => Some(inserted),
            Some(_) => None,
            None => Some(line),
        });
    lines.map(|line| format!("{line}\n")).collect()
}

/// How many rules of each kind there are.
fn many(system: &System) -> [usize; 8] {
    let company = system
        .company
        .as_ref()
        .map_or(0, |company| company.tracks.len() + company.triggers.len());
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

/// Section, line (`\\n` for its ends), and the word that is not understood.
const LINES: &str = include_str!("refused/lines.tsv");

#[test]
fn a_line_is_read_to_its_last_word_or_not_at_all() {
    let whole = many(&sound(&game("", "")).system);
    assert!(LINES.lines().count() >= 60);
    for case in LINES.lines() {
        let [section, line, word] = *case.split('\t').collect::<Vec<_>>() else {
            panic!("{case}")
        };
        let line = &line.replace("\\n", "\n");
        let table = |row: &str, column: &str| {
            let outcomes = "\n| Outcome | When | Stress |\n|---|---|---|\n";
            game(
                "Checks",
                &format!("{outcomes}{row}\n| Failure | otherwise | {column} |"),
            )
        };
        let text = match section {
            "When" => table(&format!("| Success | {line} | |"), ""),
            "Stress" => table("| Success | margin 0+ | |", line),
            "Roll" => game("", "").replace("`1d20 + {modifier}`", line),
            _ => game(section, line),
        };
        let reading = system_md(&text);
        assert_eq!(
            pointed(&reading),
            [("document/not-understood", word)],
            "{section}: {line}"
        );
        let mut left = whole;
        match section {
            "Checks" | "When" | "Stress" | "Roll" => left[0] = 0,
            "Attacks" => left[6] = 0,
            _ => {}
        }
        assert_eq!(many(&reading.system), left, "{section}: {line}");
        let lost: Vec<&str> = reading
            .system
            .lost_checks
            .iter()
            .map(|check| check.what.as_str())
            .collect();
        assert_eq!(lost.contains(&"Test"), left[0] == 0, "{section}: {line}");
    }
}

/// Neither a sentence nor the usual outcomes replace a check that is not understood.
#[test]
fn a_lost_check_is_not_replaced_by_an_assumed_one() {
    let reading = system_md("## Dice\nRoll 1d20 + modifiers.\n## Checks\n### Test\n- Roll: `1d`\n");
    assert_eq!(pointed(&reading).len(), 1);
    assert!(reading.system.checks.is_empty() && reading.system.assumptions.is_empty());
}
