//! Tables that give numbers by a level, a class, a score or a track.

use super::{codes, findings, sound, system_md};
use crate::{Base, NumberTable, System, value_of};

const SAVE: &str = "## Checks\n### Save\n- Roll: `1d20`\n- Target: `{skill}`\n";

fn table<'s>(system: &'s System, skill: &str) -> &'s NumberTable {
    match system
        .skill(skill)
        .expect("a skill")
        .base
        .as_ref()
        .expect("a base")
    {
        Base::Table(table) => table,
        Base::Formula(_) => panic!("no table"),
    }
}

fn value(system: &System, skill: &str, number: i64) -> Option<i64> {
    value_of(&table(system, skill).rows_of(|_| false)?.rows, number)
}

#[test]
fn each_column_of_numbers_is_a_skill_by_level_or_the_base_of_one() {
    let rows = "| Level | Title | Poison | Wands |\n|---|---|---|---|\n| 1-3 | Novice | 12 | 35 |\n| 4+ | Old hand | -1 | 1200 |\n";
    for before in [
        "",
        "## Skills\n",
        "## Combat\n",
        "## Skills\n- Poison: foul things\n",
    ] {
        let system = sound(&format!("{SAVE}\n{before}\n{rows}")).system;
        let names: Vec<&str> = system
            .skills
            .iter()
            .map(|skill| skill.name.as_str())
            .collect();
        assert_eq!(names, ["Poison", "Wands"], "{before}");
        assert_eq!(
            [1, 3, 4, 40].map(|level| value(&system, "Poison", level)),
            [12, 12, -1, -1].map(Some)
        );
        assert_eq!(
            [0, 1, 9].map(|level| value(&system, "Wands", level)),
            [None, Some(35), Some(1200)]
        );
        assert_eq!(
            system.skills[0].about.is_empty(),
            !before.contains("foul"),
            "{before}"
        );
    }
}

#[test]
fn a_table_may_go_by_a_score_a_skill_a_track_or_what_all_share() {
    for (by, key) in [
        ("STR", "{STR score}"),
        ("Strength", "{STR score}"),
        ("Lore", "{Lore}"),
        ("Wounds", "{Wounds}"),
        ("Alarm", "{Alarm}"),
    ] {
        let rules = format!(
            "## Attributes\n- Strength (STR, 1 to 9)\n\n## Skills\n- Lore\n\n| {by} | Edge |\n|---|---|\n| 0-3 | 1 |\n| 4+ | 2 |\n\n\
             ## Checks\n### Try\n- Roll: `1d6 + {{Edge}} + {{skill}}`\n- Target: `5`\n\n## Health\n- Wounds: 3 boxes\n- Damage: Wounds\n\n## Company\n- Alarm: 4 boxes\n"
        );
        let system = sound(&rules).system;
        assert_eq!(
            (
                table(&system, "Edge").key.to_string().as_str(),
                value(&system, "Edge", 4)
            ),
            (key, Some(2)),
            "{by}"
        );
    }
}

#[test]
fn one_attribute_or_all_may_have_a_modifier_table() {
    let worth = |system: &System, name: &str, score: i64| {
        system.attribute(name).expect("one").modifier(score)
    };
    let one = |below: &str| {
        let table =
            "| MIG | Modifier | Load |\n|---|---|---|\n| 5+ | +1 | 9 |\n| 4 or less | 0 | 3 |\n";
        let check = "## Checks\n### Try\n- Roll: `1d6 + {modifier} + {Load}`\n- Target: `5`\n";
        format!("## Attributes\n- Might (MIG, 1 to 9)\n{below}- Wits (1 to 9)\n\n{table}\n{check}")
    };
    let system = sound(&one("")).system;
    let both =
        [("MIG", 5), ("MIG", 4), ("Wits", 5)].map(|(name, score)| worth(&system, name, score));
    assert_eq!(
        (both, value(&system, "Load", 9)),
        ([Ok(1), Ok(0), Ok(5)], Some(9))
    );
    assert_eq!(
        codes(&system_md(&one("  - Modifier: `{score} - 3`\n"))),
        ["document/not-understood"]
    );
    let all = |row: &str| {
        let table = format!(
            "| Score | Modifier |\n|---|---|\n| 3 or less | -2 |\n| 4-8 | \u{2212}1 |\n{row}| 9+ | 0 |\n"
        );
        system_md(&format!(
            "## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Might\n\n{table}"
        ))
    };
    let system = all("").system;
    assert_eq!(
        [2, 8, 99].map(|score| worth(&system, "Might", score)),
        [Ok(-2), Ok(-1), Ok(0)]
    );
    for (wrong, code) in [
        ("| many | +9 |\n", "document/not-understood"),
        ("| 9 | |\n", "document/not-understood"),
        ("| 5-8 | 3 |\n", "numbers/overlap"),
    ] {
        assert_eq!(codes(&all(wrong)), [code], "{wrong}");
    }
}

#[test]
fn what_an_author_gets_wrong_in_a_table_is_reported() {
    let of_level = |rows: &str| format!("| Level | Poison | Wands |\n|---|---|---|\n{rows}\n");
    let of_class = |rows: &str| format!("| Class | Level | Death |\n|---|---|---|\n{rows}\n");
    let below = |section: &str, name: &str, row: &str| {
        format!("## {section}\n\n| {name} | Load |\n|---|---|\n{row}\n")
    };
    for (table, code, words) in [
        (
            of_level("| 1-3 | 12 | 13 |\n| 5+ | 10 | 11 |"),
            "numbers/gap",
            "no row of the table is for 4",
        ),
        (
            of_level("| 2-3 | 12 | 13 |\n| 4+ | 10 | 11 |"),
            "numbers/gap",
            "no row of the table is for 1",
        ),
        (
            of_level("| 1-4 | 12 | 13 |\n| 4+ | 10 | 11 |"),
            "numbers/overlap",
            "are for 4",
        ),
        (
            of_level("| 3-1 | 12 | 13 |\n| 4+ | 10 | 11 |"),
            "document/not-understood",
            "the lower number first",
        ),
        (
            of_level("| 1+ | 12 | 13 |").replace("Wands", "poison"),
            "document/given-twice",
            "`poison`",
        ),
        (
            of_level("| 1+ | 12 | 13 |").replace("Wands", "Skill"),
            "document/ambiguous-name",
            "`{Skill}`",
        ),
        (
            of_class("| Fighter | 1-3 | 12 |\n| | 5+ | 10 |\n| Dwarf | 1+ | 8 |"),
            "numbers/gap",
            "for 4 of Fighter",
        ),
        (
            of_class("| Fighter | 1-3 | 12 |\n| | 3+ | 10 |\n| Dwarf | 1+ | 8 |"),
            "numbers/overlap",
            "are for 3",
        ),
        (
            below("Attributes\n- Might (1 to 9)", "Might", "| 2+ | 3 |"),
            "numbers/gap",
            "for 1",
        ),
        (
            below("Attributes\n- Load (1 to 9)", "Level", "| 1+ | 3 |"),
            "document/given-twice",
            "Load",
        ),
        (
            below(
                "Health\n- Load: max 9\n- Damage: Load",
                "Level",
                "| 1+ | 9 |",
            ),
            "document/not-understood",
            "another name",
        ),
        (
            below(
                "Health\n- Harm: 3 boxes\n- Damage: Harm",
                "Harm",
                "| 0-1 | 0 |\n| 2 | -2 |",
            ),
            "numbers/gap",
            "for 3",
        ),
    ] {
        let reading = system_md(&format!("{SAVE}\n{table}"));
        assert_eq!(codes(&reading), [code], "{table}: {:?}", findings(&reading));
        let found = format!("{:?} {:?}", findings(&reading), reading.diagnostics[0].help);
        assert!(found.contains(words), "{words}: {found}");
    }
}

#[test]
fn other_tables_stay_what_they_are() {
    for table in [
        "| Level | What you learn |\n|---|---|\n| 1 | a trade |\n| 2 | a secret |",
        "| Points | Cost |\n|---|---|\n| 1 | 2 |\n| 2 | 4 |",
        "| d6 | Poison | Wands |\n|---|---|---|\n| 1-3 | 2 | 3 |\n| 4-6 | 1 | 2 |",
    ] {
        let reading = system_md(&format!("{SAVE}\n{table}\n"));
        assert!(reading.system.skills.is_empty(), "{table}");
        assert!(
            !codes(&reading)
                .iter()
                .any(|code| code.starts_with("numbers/")),
            "{table}: {:?}",
            findings(&reading)
        );
    }
}

#[test]
fn rows_by_class_and_level_are_for_characters_of_the_class() {
    let rows = "| Fighter | 1-3 | 12 | 13 |\n| | 4+ | 10 | 11 |\n| Dwarf, Halfling | 1-3 | 8 | 9 |\n| | 4-6 | 6 | 7 |\n";
    let rules = format!("{SAVE}\n| Class | Level | Death | Wands |\n|---|---|---|---|\n{rows}");
    let system = sound(&rules).system;
    let names = |system: &System| {
        system
            .skills
            .iter()
            .map(|skill| skill.name.clone())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(names(&system), "Fighter Dwarf Halfling Death Wands");
    let death = table(&system, "Death");
    assert_eq!(
        death.to_string(),
        "by Level: Fighter 1-3 is 12, 4+ is 10; Dwarf 1-3 is 8, 4-6 is 6; Halfling 1-3 is 8, 4-6 is 6"
    );
    assert_eq!(death.values(), Some((6, 12)));
    // The first class that a character has counts; without a class there is no number.
    let first = |all: &[&str]| {
        death
            .rows_of(|kind| all.contains(&kind))
            .map(|part| (part.kind.clone(), value_of(&part.rows, 4)))
    };
    assert_eq!(
        first(&["Halfling", "Fighter"]),
        Some((Some("Fighter".to_owned()), Some(10)))
    );
    assert_eq!(first(&["Thief"]), None);
    // A class that is declared otherwise is no skill.
    let declared = "## Attributes\n- Fighter (0 to 1)\n- Halfling (0 to 1)\n- Dwarf (0 to 1)\n\n";
    assert_eq!(
        names(&sound(&format!("{declared}{rules}")).system),
        "Death Wands"
    );
}
