//! What authors say in words of their own in each section, and what it is read as: the listing of `rollbook check`.

use super::{codes, sound, system_md};
use crate::rules::{Direction, Start, TriggerWhen};

const CHECK: &str = "## Checks\n### Test\n- Roll: `2d6`\n- Target: `8`\n\n";
const TRACKS: &str =
    "- Hit points: max `10`, from 0\n- Stress: 6 boxes\n- Harm: 6 segments; full: dying\n- Wear: 4 boxes\n";

/// The first of each rest's effects, and the code of its finding where there is one.
#[test]
fn a_part_of_what_clears_is_a_part_or_is_told() {
    for (words, does) in [
        ("stress clears", "Stress clears"),
        ("all stress clears completely", "Stress clears"),
        ("hit points to maximum", "Hit points to maximum"),
        ("one segment of harm clears", "Harm +1"),
        ("two segments of harm clear", "Harm +2"),
        ("a segment of harm heals", "Harm +1"),
        ("wear clears by 1", "Wear +1"),
        ("`floor({Stress} / 2)` stress clears", "Stress +floor({Stress} / 2)"),
        ("half of stress clears", ""),
        ("half your stress clears", ""),
        ("clear half your stress", ""),
        ("no stress clears", ""),
        ("superficial stress clears", ""),
        ("stress clears on a success", ""),
        ("hit points to max on a success", ""),
        ("clear stress if you sleep", ""),
    ] {
        let reading = system_md(&format!("{CHECK}## Health\n{TRACKS}- Rest: {words}\n"));
        let told = if does.is_empty() { vec!["document/left-to-the-gm"] } else { Vec::new() };
        assert_eq!(
            (reading.system.rests[0].describe().join("; "), codes(&reading)),
            (does.to_owned(), told),
            "{words}"
        );
    }
    // One that is told takes no verb of its neighbour.
    let reading = system_md(&format!("{CHECK}## Health\n{TRACKS}- Rest: half of stress clears and wear clears\n"));
    assert_eq!(reading.system.rests[0].describe(), ["Wear clears"]);
}

#[test]
fn a_rest_may_end_every_condition() {
    for words in ["lose every condition", "all conditions end", "remove all conditions"] {
        let rules = format!(
            "{CHECK}## Health\n{TRACKS}- Rest: {words}\n## Conditions\n- Wet: -1 on checks\n- Cold: -2 on checks\n"
        );
        assert_eq!(sound(&rules).system.rests[0].ends, ["Wet", "Cold"], "{words}");
    }
}

#[test]
fn a_track_stands_at_its_good_end_at_first() {
    for (bullet, start, counts) in [
        ("Wounds: max `10`, from 0, counts up", Start::Empty, Direction::Up),
        ("Strain: max 12, starts empty", Start::Empty, Direction::Up),
        ("Wounds: max 10, starts full, counts up", Start::Full, Direction::Up),
        ("Strain: max 12, starts empty, counts down", Start::Empty, Direction::Down),
        ("Hope: max 5, starts empty", Start::Empty, Direction::Down),
    ] {
        let track = sound(&format!("{CHECK}## Health\n- {bullet}\n")).system.tracks.remove(0);
        assert_eq!((track.start, track.counts), (start, counts), "{bullet}");
    }
}

#[test]
fn a_trigger_may_be_a_sentence() {
    let (harm, points) = (|| "Harm".to_owned(), || "Hit points".to_owned());
    for (label, when) in [
        ("When harm is full", TriggerWhen::Full { track: harm() }),
        ("Harm full", TriggerWhen::Full { track: harm() }),
        ("When harm reaches 3", TriggerWhen::AtValue { track: harm(), value: 3 }),
        ("When hit points reach 0", TriggerWhen::AtZero { track: points() }),
        ("Out of hit points", TriggerWhen::AtZero { track: points() }),
    ] {
        let rules = format!("{CHECK}## Health\n- Hit points: max `10`, from 0\n- Harm: 6 boxes\n- {label}: out\n");
        assert_eq!(sound(&rules).system.triggers[0].when, when, "{label}");
    }
}

#[test]
fn a_list_of_weapons_is_read_or_told_line_by_line() {
    for (words, meant) in [
        ("d8+d4, cleaving", "1d8 + 1d4, cleaving"),
        ("1d4 minus 1", "1d4 - 1"),
        ("Fists, 1d6", "Fists, 1d6"),
        ("1d6 per level", ""),
        ("half of 1d6", ""),
        ("two d6", ""),
    ] {
        let reading = system_md(&format!("{CHECK}## Weapons\n- Axe: {words}\n"));
        let read: Vec<String> = reading.system.attacks.iter().map(|own| own.describe()).collect();
        let expected: Vec<&str> = Some(meant).filter(|own| !own.is_empty()).into_iter().collect();
        assert_eq!(read, expected, "{words}");
        assert_eq!(codes(&reading).is_empty(), !meant.is_empty(), "{words}: {:?}", reading.diagnostics);
    }
    for words in ["Melee d6, 1d4", "Melee 1d6", "Test, 1d6", "Melee, a card / 3"] {
        let reading = system_md(&format!("## Skills\n- Melee\n\n{CHECK}## Weapons\n- Axe: {words}\n"));
        assert!(codes(&reading).contains(&"attacks/unreadable") && reading.system.attacks.is_empty(), "{words}");
    }
}

#[test]
fn a_table_of_weapons_is_read_or_told() {
    for (header, row, meant) in [
        ("Weapon | Harm | Tags", "Spear | 2 | reach", "2, reach"),
        ("Name | Damage | Range", "Pike | 1d8 | reach", "1d8, reach"),
        ("Weapon | Dice | Hurt", "Sling | light | 1d4", "1d4, Dice light"),
        ("Attack | Damage dice | Range", "Bite | 1d4 | close", "1d4, close"),
        ("Weapon | Dice | Price", "Club | 1d6 | 2", "1d6"),
    ] {
        let reading = sound(&format!("{CHECK}## Weapons\n\n| {header} |\n|---|---|---|\n| {row} |\n"));
        assert_eq!(reading.system.attacks[0].describe(), meant, "{header}");
    }
    let told = |table: &str| codes(&system_md(&format!("{CHECK}## Weapons\n\n{table}\n")));
    assert_eq!(
        told("| Thing | Hits for | Tags |\n|---|---|---|\n| Flail | 1d6 | heavy |"),
        ["document/looks-like-a-rule"]
    );
    assert_eq!(told("| Weapon | Price |\n|---|---|\n| Flail | 4 |"), Vec::<&str>::new());
    assert_eq!(told("| d6 | Mishap |\n|---|---|\n| 1-3 | It jams |\n| 4-6 | It breaks |"), Vec::<&str>::new());
}

#[test]
fn a_table_that_is_rolled_on_is_no_section_of_rules() {
    sound(&format!(
        "{CHECK}## Critical injuries\n\n| d6 | Injury |\n|---|---|\n| 1-3 | A scar |\n| 4-6 | A limp, 2 days |\n"
    ));
}

#[test]
fn moves_with_a_roll_are_checks() {
    let rows = "| Outcome | When |\n|---|---|\n| Success | total 10+ |\n| Failure | otherwise |\n";
    for heading in ["Moves", "Actions"] {
        let rules = format!(
            "## Stats\n- Cool\n- Range: -2 to 3\n\n## {heading}\n### Act under fire\n- Roll: `2d6 + {{Cool}}`\n\n{rows}"
        );
        let reading = system_md(&rules);
        let read: Vec<&str> = reading.system.checks.iter().map(|own| own.name.as_str()).collect();
        assert_eq!((read, codes(&reading)), (vec!["Act under fire"], Vec::new()), "{heading}");
    }
}

#[test]
fn a_weapon_is_rolled_by_its_ability_with_its_bonus() {
    let head = "## Attributes\n- Might\n\n## Skills\n- Fight (Might)\n\n";
    let roll = CHECK.replace("`2d6`", "`2d6 + {modifier}`");
    for (header, row, meant) in [
        ("Weapon | Ability | Damage | Properties", "Sword | Might | 1d8 | long", "Might, 1d8, long"),
        ("Weapon | Skill | Bonus | Damage", "Knife | Fight | +1 | 1", "Fight +1, 1"),
        ("Weapon | Skill | Damage | Bonus", "Knife | Fight | 1 | -", "Fight, 1"),
    ] {
        let reading = sound(&format!("{head}{roll}## Weapons\n\n| {header} |\n|---|---|---|---|\n| {row} |\n"));
        assert_eq!(reading.system.attacks[0].describe(), meant, "{header}");
    }
    let told = system_md(&format!("{head}{roll}## Weapons\n- Revolver: Firearms, 1d10\n- Fist: Fight, 1d3, Bruised\n"));
    assert_eq!(codes(&told), ["document/left-to-the-gm"]);
}

#[test]
fn what_an_outcome_does_stands_in_its_table_and_a_bullet_is_told() {
    for bullet in ["On failure: one more Hunger", "On a miss: mark Hunger", "Failure: gain a Hunger"] {
        let reading = system_md(&format!(
            "## Checks\n### Rouse\n- Roll: `1d10`\n- Target: 6\n- {bullet}\n\n## Health\n- Hunger: 5 boxes\n"
        ));
        assert_eq!(codes(&reading), ["document/not-a-rule"], "{bullet}");
    }
}
