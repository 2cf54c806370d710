//! Lines about harm that people write in words of their own: read as they are meant, or told with what to write.

use super::{codes, system_md};
use crate::diagnostic::Diagnostic;
use crate::rules::Reading;

const HEAD: &str = "## Attributes\n- Strength (STR)\n- Endurance (END)\n- Armour class (AC)\n\n## Checks\n### Strike\n\
                    - Roll: `1d20 + {modifier}`\n- Target: {target AC}\n\n";

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
        ("1d4 per level", "with a number of the sheet it is `{level}d4`"),
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
fn none_deals_nothing_and_a_dash_is_no_rule() {
    let text = |cell: &str| {
        format!(
            "{HEAD}| Outcome | When | Damage |\n|---|---|---|\n| Success | margin 0+ | once |\n| Failure | otherwise | {cell} |\n"
        )
    };
    let reading = system_md(&text("none"));
    assert!(told(&reading).is_empty(), "{:?}", told(&reading));
    let check = &reading.system.checks[0];
    assert_eq!(check.deals(Some(2), crate::rules::Outcome::Failure), crate::rules::Deals::Nothing);
    for dash in ["-", "\u{2013}", "\u{2014}"] {
        assert_eq!(codes(&system_md(&text(dash))), ["document/not-understood"], "{dash}");
    }
}

#[test]
fn a_rest_gives_what_all_of_its_words_say_or_is_told() {
    for (words, gives) in [
        ("`{level}d8` hit points", Some("{level}d8")),
        ("{level}d8 + {END} hit points", Some("{level}d8 + {END}")),
        ("`({END})d4` hit points", Some("({END})d4")),
        ("`{END + 1}d8` hit points", None),
        ("2 hit points per level", Some("2 * {level}")),
        ("1d6 hit points for each level", Some("{level}d6")),
        ("2d6 hit points per level", Some("(2 * {level})d6")),
        ("tea and a chair give back 1d3 hit points", Some("1d3")),
        ("+2 hit points", Some("2")),
        ("1d6 hit points back", Some("1d6")),
        ("1d6 hit points, up to your maximum", Some("1d6")),
        ("1d6 per level hit points", None),
        ("one recovery: 1d8 hit points", None),
        ("-2 hit points", None),
        ("2 hit points if you ate", None),
        ("2 hit points times the moon", None),
        ("2 hit points an hour", None),
    ] {
        let reading = read("Health", &format!("{TRACK}- Long rest: {words}"));
        let expected: Vec<String> = gives.iter().map(|gives| format!("Hit points +{gives}")).collect();
        let told = told(&reading);
        if gives.is_some() || !told.iter().any(|own| own.code == "formula/undeclared-name") {
            assert_eq!(reading.system.rests[0].describe(), expected, "{words}");
        }
        assert_eq!(told.is_empty(), gives.is_some(), "{words}: {told:?}");
    }
    for limit in ["up to half the maximum", "at most 3", "no more than you lost"] {
        let reading = read("Health", &format!("{TRACK}- Long rest: 1d6 hit points, {limit}"));
        assert_eq!(told(&reading).len(), 1, "{limit}");
    }
}

#[test]
fn a_type_of_damage_is_multiplied_for_everybody_and_a_name_alone_is_told() {
    for (bullet, meant) in [
        ("Impaling damage: double", "double; only Impaling damage"),
        ("Superficial damage: half, rounded up", "half, rounded up; only Superficial damage"),
        ("Cutting damage: 1.5 times", "1.5 times as much, rounded down; only Cutting damage"),
        ("Cutting damage: one and a half times, rounded up", "1.5 times as much, rounded up; only Cutting damage"),
        ("Fire and acid damage: three times", "3 times as much; only Fire and acid damage"),
        ("Holy damage: triple damage", "3 times as much; only Holy damage"),
        ("Vulnerability: times 2", "double"),
    ] {
        let reading = read("Health", &format!("{TRACK}- {bullet}"));
        let name = bullet.split(':').next().expect("a name");
        assert_eq!(steps(&reading), [format!("{name}: {meant}")], "{:?}", told(&reading));
        assert!(told(&reading).is_empty(), "{bullet}: {:?}", told(&reading));
    }
    for bullet in ["Impaling: double", "Bludgeoning: half", "Cutting: triple"] {
        let reading = read("Health", &format!("{TRACK}- {bullet}"));
        assert!(steps(&reading).is_empty(), "{bullet}");
        let (name, value) = bullet.split_once(": ").expect("a name");
        assert!(helps(&reading).contains(&format!("`- {name} damage: {value}`")), "{:?}", told(&reading));
    }
}

#[test]
fn a_trigger_may_wait_for_a_part_of_the_maximum() {
    for (label, part) in [
        ("At half hit points", "half"),
        ("At half the maximum hit points", "half"),
        ("At a third of hit points", "a third of"),
        ("At one quarter of your hit points", "a quarter of"),
    ] {
        let reading = read("Health", &format!("{TRACK}- {label}: bloodied"));
        let whens: Vec<String> = reading.system.triggers.iter().map(|own| own.when.describe()).collect();
        assert_eq!(whens, [format!("Hit points at {part} the maximum")], "{label}");
        assert!(told(&reading).is_empty(), "{label}: {:?}", told(&reading));
    }
    for bullet in ["Staggered at half hit points: bloodied", "At half luck: sad", "At half doom: grim"] {
        let reading = read("Health", &format!("{TRACK}- Doom: from 0, start 0, counts up\n- {bullet}"));
        assert!(reading.system.triggers.is_empty() && !told(&reading).is_empty(), "{bullet}");
    }
}

#[test]
fn damage_names_what_a_sheet_has_and_no_value_of_a_check() {
    let rules =
        |damage: &str| system_md(&format!("{HEAD}- Value depth: `highest`\n\n## Attacks\n- Axe: STR, {damage}\n"));
    assert!(told(&rules("1d6 + {STR}")).is_empty());
    assert!(helps(&rules("1d6 + {depth}")).contains("column Damage of `Strike`: as points ``{damage} + {depth}``"));
    assert_eq!(rules("1d6 + {dpeth}").diagnostics[0].code, "formula/undeclared-name");
}
