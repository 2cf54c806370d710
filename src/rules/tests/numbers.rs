//! Tables that give numbers by a level, a score or a track.

use super::{codes, findings, sound, system_md};
use crate::rules::{Base, Reading, System, value_of};

const SAVE: &str = "## Checks\n### Save\n- Roll: `1d20`\n- Target: `{skill}`\n";

fn value(system: &System, skill: &str, number: i64) -> Option<i64> {
    match system.skill(skill).expect("a skill").base.as_ref().expect("a base") {
        Base::Table(table) => value_of(&table.rows, number),
        Base::Formula(_) => panic!("no table"),
    }
}

fn with(table: &str) -> Reading {
    system_md(&format!("{SAVE}\n{table}\n"))
}

#[test]
fn each_column_of_numbers_is_a_skill_by_level() {
    let table = "| Level | Title | Poison | Wands |\n|---|---|---|---|\n| 1-3 | Novice | 12 | 35 |\n| 4+ | Old hand | -1 | 1200 |\n";
    for section in [SAVE.to_owned(), "## Skills\n".to_owned(), "## Combat\n".to_owned()] {
        let checks = if section.starts_with("## Checks") { "" } else { SAVE };
        let system = sound(&format!("{checks}\n{section}\n{table}")).system;
        let names: Vec<&str> = system.skills.iter().map(|own| own.name.as_str()).collect();
        assert_eq!(names, ["Poison", "Wands"], "{section}");
        assert_eq!([1, 3, 4, 40].map(|level| value(&system, "Poison", level)), [12, 12, -1, -1].map(Some));
        assert_eq!([0, 1, 9].map(|level| value(&system, "Wands", level)), [None, Some(35), Some(1200)]);
    }
}

#[test]
fn a_table_may_go_by_a_score_a_skill_a_track_or_what_all_share() {
    let text = |by: &str| {
        format!(
            "## Attributes\n- Strength (STR, 1 to 9)\n\n## Skills\n- Lore\n\n| {by} | Edge |\n|---|---|\n| 0-3 | 1 |\n| 4+ | 2 |\n\n\
             ## Checks\n### Try\n- Roll: `1d6 + {{Edge}} + {{skill}}`\n- Target: `5`\n\n## Health\n- Wounds: 3 boxes\n- Damage: Wounds\n\n## Company\n- Alarm: 4 boxes\n"
        )
    };
    for (by, key) in [
        ("STR", "{STR score}"),
        ("Strength", "{STR score}"),
        ("Lore", "{Lore}"),
        ("Wounds", "{Wounds}"),
        ("Alarm", "{Alarm}"),
    ] {
        let system = sound(&text(by)).system;
        let Some(Base::Table(table)) = &system.skill("Edge").expect("a column").base else { panic!("{by}") };
        assert_eq!((table.key.to_string(), value(&system, "Edge", 4)), (key.to_owned(), Some(2)), "{by}");
    }
}

#[test]
fn a_column_is_the_base_of_a_declared_skill() {
    let text = "## Attributes\n- Grit (GRT, 1 to 6)\n\n## Skills\n- Poison (GRT): foul things\n\n| Level | Poison | Wands |\n|---|---|---|\n| 1+ | 12 | 13 |\n";
    let system = sound(&format!("{text}\n{SAVE}")).system;
    let told: Vec<(&str, Option<&str>)> =
        system.skills.iter().map(|own| (own.name.as_str(), own.attribute.as_deref())).collect();
    assert_eq!(told, [("Poison", Some("Grit")), ("Wands", None)]);
    assert_eq!(system.skills[0].about, "foul things");
    assert_eq!(value(&system, "Poison", 7), Some(12));
}

#[test]
fn an_attribute_may_have_a_modifier_table_of_its_own() {
    let text = |below: &str| {
        format!(
            "## Attributes\n- Might (MIG, 1 to 9)\n{below}- Wits (1 to 9)\n\n| MIG | Modifier | Load |\n|---|---|---|\n| 5+ | +1 | 9 |\n| 4 or less | 0 | 3 |\n\n\
             ## Checks\n### Try\n- Roll: `1d6 + {{modifier}} + {{Load}}`\n- Target: `5`\n"
        )
    };
    let system = sound(&text("")).system;
    let worth = |name: &str, score: i64| system.attribute(name).expect("one").modifier(score).expect("a number");
    assert_eq!((worth("MIG", 5), worth("MIG", 4), worth("Wits", 5)), (1, 0, 5));
    assert_eq!(system.skills.len(), 1, "{:?}", system.skills);
    assert_eq!(value(&system, "Load", 9), Some(9));
    assert_eq!(codes(&system_md(&text("  - Modifier: `{score} - 3`\n"))), ["document/not-understood"]);
}

#[test]
fn what_an_author_gets_wrong_is_told() {
    let head = "| Level | Poison | Wands |\n|---|---|---|\n";
    for (table, code, words) in [
        (format!("{head}| 1-3 | 12 | 13 |\n| 5+ | 10 | 11 |"), "numbers/gap", "no row of the table is for 4"),
        (format!("{head}| 2-3 | 12 | 13 |\n| 4+ | 10 | 11 |"), "numbers/gap", "no row of the table is for 1"),
        (format!("{head}| 1-4 | 12 | 13 |\n| 4+ | 10 | 11 |"), "numbers/overlap", "are for 4"),
        (format!("{head}| 1+ | 12 | 13 |\n| 4+ | 10 | 11 |"), "numbers/overlap", "are for 4"),
        (format!("{head}| 1-3 | 12 | none |\n| 4+ | 10 | 11 |"), "document/not-understood", "`none`"),
        (format!("{head}| 3-1 | 12 | 13 |\n| 4+ | 10 | 11 |"), "document/not-understood", "the lower number first"),
        (format!("{head}| low | 12 | 13 |\n| 4+ | 10 | 11 |"), "document/not-understood", "`low`"),
        (format!("{head}| 1-3 | 12 | 13 |\n| 4-6 | x | 10 |\n| 7+ | 8 | 9 |"), "document/not-understood", "`x`"),
        ("| Level | Poison | poison |\n|---|---|---|\n| 1+ | 2 | 3 |".to_owned(), "document/given-twice", "`poison`"),
        ("| Level | Skill |\n|---|---|\n| 1+ | 2 |".to_owned(), "attributes/reserved-name", "`{Skill}`"),
    ] {
        let reading = with(&table);
        assert_eq!(codes(&reading).join(" "), code, "{table}: {:?}", findings(&reading));
        let first = &reading.diagnostics[0];
        let told = format!("{:?} {:?}", findings(&reading), first.help);
        assert!(told.contains(words), "{words}: {told}");
    }
    let pool = "## Skills\n\n| Level | Hit points |\n|---|---|\n| 1+ | 9 |\n\n## Health\n- Hit points: max 10\n- Damage: Hit points\n";
    assert_eq!(codes(&system_md(&format!("{SAVE}\n{pool}"))), ["document/not-understood"]);
    let renamed =
        pool.replace("Level | Hit points", "Level | Hit points most").replace("max 10", "max {Hit points most}");
    sound(&format!("{SAVE}\n{renamed}"));
    let twice = "## Attributes\n- Might (1 to 9)\n\n| Level | Might |\n|---|---|\n| 1+ | 3 |\n";
    assert_eq!(codes(&system_md(&format!("{twice}\n{SAVE}"))), ["document/given-twice"]);
    let short = "## Attributes\n- Might (1 to 9)\n\n| Might | Load |\n|---|---|\n| 2+ | 3 |\n";
    assert_eq!(codes(&system_md(&format!("{short}\n{SAVE}"))), ["numbers/gap"]);
    let wounds =
        "## Health\n- Wounds: 3 boxes\n- Damage: Wounds\n\n| Wounds | Loss |\n|---|---|\n| 0-1 | 0 |\n| 2 | -2 |\n";
    assert_eq!(codes(&system_md(&format!("{wounds}\n{SAVE}"))), ["numbers/gap"]);
}

#[test]
fn other_tables_stay_what_they_are() {
    for table in [
        "| Level | What you learn |\n|---|---|\n| 1 | a trade |\n| 2 | a secret |",
        "| Points | Cost |\n|---|---|\n| 1 | 2 |\n| 2 | 4 |",
        "| d6 | Poison | Wands |\n|---|---|---|\n| 1-3 | 2 | 3 |\n| 4-6 | 1 | 2 |",
    ] {
        let reading = with(table);
        assert!(reading.system.skills.is_empty(), "{table}");
        assert!(!codes(&reading).iter().any(|code| code.starts_with("numbers/")), "{table}: {:?}", findings(&reading));
    }
    let advancement = "## Advancement\n\n| Level | XP |\n|---|---|\n| 2 | 300 |\n| 3 | 900 |\n";
    assert!(sound(&format!("## Dice\nRoll 2d6 + modifiers.\n\n{advancement}")).system.skills.is_empty());
}

#[test]
fn rows_by_class_and_level_are_for_whoever_is_of_the_class() {
    let table = |rows: &str| with(&format!("| Class | Level | Death | Wands |\n|---|---|---|---|\n{rows}"));
    let rows =
        "| Fighter | 1-3 | 12 | 13 |\n| | 4+ | 10 | 11 |\n| Dwarf, Halfling | 1-3 | 8 | 9 |\n| | 4-6 | 6 | 7 |\n";
    let reading = table(rows);
    assert_eq!(codes(&reading), Vec::<&str>::new());
    let system = reading.system;
    let names: Vec<&str> = system.skills.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(names, ["Fighter", "Dwarf", "Halfling", "Death", "Wands"]);
    let Some(Base::Table(death)) = &system.skill("Death").expect("a column").base else { panic!("no table") };
    assert_eq!(
        death.to_string(),
        "by Level: Fighter 1-3 is 12, 4+ is 10; Dwarf 1-3 is 8, 4-6 is 6; Halfling 1-3 is 8, 4-6 is 6"
    );
    assert_eq!(death.values(), Some((6, 12)));
    // The first of them that somebody is counts, and whoever is none has none.
    let first = |all: &[&str]| {
        death.rows_of(|kind| all.contains(&kind)).map(|(kind, rows)| (kind.map(str::to_owned), value_of(rows, 4)))
    };
    assert_eq!(first(&["Halfling", "Fighter"]), Some((Some("Fighter".to_owned()), Some(10))));
    assert_eq!(first(&["Halfling"]), Some((Some("Halfling".to_owned()), Some(6))));
    assert_eq!(first(&["Thief"]), None);
    // What is declared otherwise is no skill.
    let declared = format!("## Attributes\n- Fighter (0 to 1)\n- Halfling (0 to 1)\n- Dwarf (0 to 1)\n\n{SAVE}\n");
    let system = sound(&format!(
        "{declared}| Class | Level | Death |\n|---|---|---|\n| Fighter | 1+ | 12 |\n| Dwarf | 1+ | 8 |\n"
    ))
    .system;
    assert_eq!(system.skills.iter().map(|own| own.name.as_str()).collect::<Vec<_>>(), ["Death"]);
}

#[test]
fn slips_in_a_table_by_class_are_of_that_class() {
    let told = |rows: &str| findings(&with(&format!("| Class | Level | Death |\n|---|---|---|\n{rows}"))).join("\n");
    let gap = told("| Fighter | 1-3 | 12 |\n| | 5+ | 10 |\n| Dwarf | 1+ | 8 |\n");
    assert!(gap.contains("no row of the table is for 4 of Fighter"), "{gap}");
    let twice = told("| Fighter | 1-3 | 12 |\n| | 3+ | 10 |\n| Dwarf | 1+ | 8 |\n");
    assert!(twice.contains("two rows of the table are for 3"), "{twice}");
}
