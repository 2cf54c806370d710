//! Lines about harm that people write in words of their own: read as they are meant, or told with what to write.

use super::system_md;
use crate::diagnostic::Diagnostic;
use crate::names::same;
use crate::rules::{InitiativeKind, Reading, TieBreak};

const HEAD: &str = "## Attributes\n- Strength (STR)\n- Endurance (END)\n- Armour class (AC)\n\n## Checks\n### Strike\n\
                    - Roll: `1d20 + {modifier}`\n- Target: `{AC}`\n\n";

fn read(section: &str, bullet: &str) -> Reading {
    system_md(&format!("{HEAD}## {section}\n{bullet}\n"))
}

/// The findings with a help, or of a warning.
fn told(reading: &Reading) -> Vec<&Diagnostic> {
    reading.diagnostics.iter().collect()
}

fn helps(reading: &Reading) -> String {
    told(reading).iter().flat_map(|own| own.help.clone()).collect::<Vec<_>>().join(" | ")
}

fn steps(reading: &Reading) -> Vec<String> {
    reading.system.mitigations.iter().map(|own| format!("{}: {}", own.name, own.describe())).collect()
}

const TRACK: &str = "- Hit points: max `10`, from 0\n";

#[test]
fn what_takes_damage_off_is_read_as_it_is_written() {
    for (bullet, meant) in [
        ("Armour: subtract from damage", "subtracted from damage"),
        ("Armour: subtract its value from all damage", "subtracted from damage"),
        ("Armour: subtract armour from damage.", "subtracted from damage"),
        ("Armour: subtract {END}", "{END} subtracted from damage"),
        ("Armour: subtract `{END}` from damage", "{END} subtracted from damage"),
        ("Armour: subtract half of {END}", "floor({END} / 2) subtracted from damage"),
        ("Armour: subtract twice `{END}` from damage", "2 * {END} subtracted from damage"),
        ("Armour: subtract {END} / 2, rounded down", "{END} / 2 subtracted from damage"),
        ("Leather coat: subtract 2", "2 subtracted from damage of whoever has it on the sheet"),
        ("Armour: subtract from damage, except fire", "subtracted from damage; not fire damage"),
        (
            "Armour: subtract from damage but not fire or cold damage",
            "subtracted from damage; not fire and cold damage",
        ),
        ("Armour: subtract from damage (at least 1 gets through)", "subtracted from damage, at least 1 gets through"),
        ("Armour: subtract from damage, to a minimum of one", "subtracted from damage, at least 1 gets through"),
        ("Armour: subtract from damage, never below 1", "subtracted from damage, at least 1 gets through"),
        ("Resistance: half, rounded up, but at least 1", "half, rounded up, at least 1 gets through"),
        ("Immunity: none, except silver", "no damage; not silver damage"),
        ("Threshold: ignore damage of 5 or less", "less than 6 does nothing"),
        ("Threshold: ignore damage up to 5", "less than 6 does nothing"),
        ("Threshold: ignore damage under 5", "less than 5 does nothing"),
        ("Threshold: ignore damage of {END} or less", "less than {END} + 1 does nothing"),
        ("Armour: subtract from damage (the number on the sheet)", "subtracted from damage"),
        (
            "Armour: subtract from damage (except fire, at least 1)",
            "subtracted from damage, at least 1 gets through; not fire damage",
        ),
        ("Threshold: less than 3 does nothing", "less than 3 does nothing"),
    ] {
        let reading = read("Health", &format!("{TRACK}- {bullet}"));
        assert_eq!(helps(&reading), "", "{bullet}");
        assert!(told(&reading).is_empty(), "{bullet}: {:?}", told(&reading));
        assert_eq!(steps(&reading), [format!("{}: {meant}", bullet.split(':').next().unwrap())], "{bullet}");
    }
}

#[test]
fn what_would_take_off_something_else_is_told() {
    for bullet in [
        "Armour: subtract 1d6",
        "Armour: half of {END}",
        "Armour: twice {END}",
        "Armour: subtract from fire damage",
        "Armour: subtract from damage, except from critical hits",
        "Armour: subtract from damage (only once)",
        "Armour: subtract from damage, once per fight",
        "Threshold: ignore damage of 5",
        "Threshold: ignore the first 5",
        "Threshold: ignore damage under 5, twice",
        "Armour: subtract something",
    ] {
        let reading = read("Health", &format!("{TRACK}- {bullet}"));
        let codes: Vec<&str> = told(&reading).iter().map(|own| own.code).collect();
        assert_eq!(codes, ["health/unreadable-mitigation"], "{bullet}");
        assert!(steps(&reading).is_empty(), "{bullet}: {:?}", steps(&reading));
    }
}

#[test]
fn attacks_say_what_is_rolled_in_more_than_one_way() {
    for (bullet, meant) in [
        ("Sword: STR vs AC, 1d10", "Strength, 1d10"),
        ("Sword: STR vs. AC, 1d10 slashing", "Strength, 1d10 (slashing)"),
        ("Axe (Strength): 1d8", "Strength, 1d8"),
        ("Axe (STR +2): 1d8", "Strength +2, 1d8"),
        ("Axe (two hands): STR, 1d8", "Strength, 1d8"),
        ("Whip: STR, 1d6 minus 1", "Strength, 1d6 - 1"),
        ("Net: STR, 1, burns for 1d4 more", "Strength, 1, burns for 1d4 more"),
    ] {
        let reading = read("Attacks", &format!("- {bullet}"));
        let seen: Vec<String> = reading.system.attacks.iter().map(|own| own.describe()).collect();
        assert_eq!(seen, [meant], "{bullet}: {:?}", told(&reading));
        assert_eq!(helps(&reading), "", "{bullet}");
    }
    let name = |bullet: &str| read("Attacks", bullet).system.attacks[0].name.clone();
    assert_eq!(name("- Axe (Strength): 1d8"), "Axe");
    assert_eq!(name("- Axe (two hands): STR, 1d8"), "Axe (two hands)");
}

#[test]
fn words_behind_dice_that_make_another_number_are_no_type_of_damage() {
    for (damage, help) in [
        ("2d6 halved", "half of it is `2d6 / 2`"),
        ("2d6 fire halved", "half of it is `2d6 / 2`"),
        ("half of 2d6", "half of it is `2d6 / 2`"),
        ("2d6 twice", "twice as much is `2d6 * 2`"),
        ("1d6 doubled", "twice as much is `1d6 * 2`"),
        ("1d4 per level", "with a number of the sheet it is `1d4 * {level}`"),
        ("1d6 vs riders", "an attack of its own, with `1d6`"),
        ("1d6 each", "behind them a type: `1d6 fire`"),
    ] {
        let table = format!("| Weapon | Skill | Damage |\n|---|---|---|\n| Club | STR | {damage} |");
        for section in [format!("- Club: STR, {damage}"), table] {
            let reading = read("Attacks", &section);
            assert!(helps(&reading).contains(help), "{section}: {:?}", told(&reading));
            assert!(reading.system.attacks.is_empty(), "{section}: {:?}", reading.system.attacks);
        }
    }
    let weapons = read("Weapons", "- Flare: STR, 1d6 fire per round");
    assert!(!told(&weapons).is_empty() && weapons.system.attacks.is_empty(), "{:?}", told(&weapons));
    for damage in ["2d6 / 2", "2d6 * 2", "1d4 * {level}"] {
        let reading = read("Attacks", &format!("- Club: STR, {damage}"));
        assert!(told(&reading).is_empty() && reading.system.attacks.len() == 1, "{damage}: {:?}", told(&reading));
    }
}

#[test]
fn tracks_are_read_with_numbers_in_words() {
    for (bullet, max) in [
        ("Stress: twice {STR} boxes", "2 * {STR}"),
        ("Stress: `{STR}` boxes", "{STR}"),
        ("Stress: half `{STR}` boxes; full: broken", "floor({STR} / 2)"),
        ("Stress: max twice `{STR}`, from 0", "2 * {STR}"),
        ("Stress: max half of `{STR}`", "floor({STR} / 2)"),
    ] {
        let reading = read("Health", &format!("- {bullet}"));
        let track = &reading.system.tracks[0];
        assert_eq!(track.max.as_ref().map(ToString::to_string).as_deref(), Some(max), "{bullet}");
        assert!(told(&reading).is_empty(), "{bullet}: {:?}", told(&reading));
        assert_eq!(track.counts == crate::rules::Direction::Up, bullet.contains("boxes"), "{bullet}");
        assert!(reading.system.mitigations.is_empty(), "{bullet}");
    }
}

#[test]
fn what_is_lost_is_not_given() {
    let hard = read(
        "Health",
        &format!(
            "{TRACK}- Stress: 3 boxes\n- One hit of at least 5: 2 less hit points\n- At 0 hit points: gain 2 stress"
        ),
    );
    let described: Vec<String> =
        hard.system.triggers.iter().map(crate::rules::language::health::describe_trigger).collect();
    assert_eq!(described, ["2 marks of Hit points", "2 marks of Stress"], "{:?}", told(&hard));
    for rest in ["lose 1d6 hit points", "gain 1d6 stress"] {
        let lost = read("Health", &format!("{TRACK}- Stress: 3 boxes\n- Long rest: {rest}"));
        assert!(lost.system.rests[0].effects.is_empty() && !told(&lost).is_empty(), "{rest}");
    }
    let given = read("Health", &format!("{TRACK}- Stress: 3 boxes\n- Long rest: gain 1d6 hit points, lose 1 stress"));
    assert_eq!(given.system.rests[0].describe(), ["Hit points +1d6", "Stress +1"], "{:?}", told(&given));
}

#[test]
fn ties_may_stand_behind_the_initiative() {
    for (words, tie) in [
        ("players first on ties", Some(TieBreak::Players)),
        ("players win ties", Some(TieBreak::Players)),
        ("ties go to the higher STR", Some(TieBreak::HigherAttribute("Strength".to_owned()))),
        ("highest END first on a tie", Some(TieBreak::HigherAttribute("Endurance".to_owned()))),
        ("the moon decides on ties", None),
    ] {
        let reading = read("Combat", &format!("- Initiative: `1d20`, highest first, {words}"));
        let expected: Vec<TieBreak> = tie.iter().cloned().chain([TieBreak::Entered]).collect();
        assert_eq!(reading.system.initiative.ties, expected, "{words}");
        assert_eq!(helps(&reading).contains("`- Ties: players, then as entered`"), tie.is_none(), "{words}");
    }
    let both = read("Combat", "- Initiative: `1d20`, players first on ties\n- Ties: higher END");
    assert!(matches!(&both.system.initiative.ties[0], TieBreak::HigherAttribute(own) if same(own, "Endurance")));
}

#[test]
fn a_side_rolls_what_the_words_say() {
    for words in ["each side rolls 1d6, high goes first", "per side `1d6`, highest first"] {
        let reading = read("Combat", &format!("- Initiative: {words}"));
        let kind = &reading.system.initiative.kind;
        assert!(matches!(kind, InitiativeKind::PerSide(Some(own)) if own.to_string() == "1d6"), "{words}: {kind:?}");
        assert!(told(&reading).is_empty(), "{words}: {:?}", told(&reading));
    }
}

#[test]
fn a_bonus_for_somebody_else_is_nothing_of_the_bearers() {
    for (clause, effects) in [
        ("+2 for those who attack you in melee", 0),
        ("+1 for allies beside you", 0),
        ("+1 for 2 rounds", 1),
        ("-2 on checks for as long as foes see you", 1),
    ] {
        let reading = read("Conditions", &format!("- Shaken: {clause}"));
        assert_eq!(reading.system.conditions[0].effects.len(), effects, "{clause}");
        assert_eq!(told(&reading).is_empty(), clause.ends_with("rounds"), "{clause}: {:?}", told(&reading));
    }
}

#[test]
fn a_dash_deals_nothing() {
    for dash in ["-", "\u{2013}", "\u{2014}"] {
        let table = format!(
            "| Outcome | When | Damage |\n|---|---|---|\n| Success | margin 0+ | full |\n| Failure | otherwise | {dash} |"
        );
        let reading = system_md(&format!("{HEAD}{table}\n"));
        assert!(told(&reading).is_empty(), "{:?}", told(&reading));
        let check = &reading.system.checks[0];
        assert_eq!(check.deals(Some(2), crate::rules::Outcome::Failure), crate::rules::Deals::Nothing, "{dash}");
    }
}

#[test]
fn what_is_offered_for_a_track_without_from_or_colon_is_read() {
    let strength = read("Health", "- Strength, from 0");
    assert!(helps(&strength).contains("``- Strength left: max `{Strength score}`, from 0``"), "{:?}", told(&strength));
    let offered = read("Health", "- Strength left: max `{Strength score}`, from 0");
    assert!(offered.system.tracks.len() == 1 && told(&offered).is_empty(), "{:?}", told(&offered));
    let escalation = read("Company", "- Escalation: 0 to 6");
    assert!(helps(&escalation).contains("`- Escalation: from 0 to 6, start 0, counts up`"), "{:?}", told(&escalation));
    let offered = read("Company", "- Escalation: from 0 to 6, start 0, counts up\n  - Each round: 1 more");
    assert!(told(&offered).is_empty(), "{:?}", told(&offered));
}
