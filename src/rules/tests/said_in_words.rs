//! What authors say in words of their own in each section, and what it is read as: the listing of `rollbook check`.

use super::{codes, sound, system_md};

const CHECK: &str = "## Checks\n### Test\n- Roll: `2d6`\n- Target: `8`\n\n";

#[test]
fn a_track_stands_at_its_good_end_at_first() {
    for (bullet, meant) in [
        ("Wounds: 10 boxes", "max 10, starts empty, counts up"),
        ("Wounds: max 10, counts up", "max 10, starts full, counts up"),
        ("Strain: 12 boxes, counts down", "max 12, starts empty, counts down"),
        ("Hope: max 5", "max 5, starts full, counts down"),
        ("Hope: max 5, start 0", "max 5, starts at 0, counts down"),
        ("Luck: from 0", "no maximum, starts empty, counts down"),
    ] {
        let track = sound(&format!("{CHECK}## Health\n- {bullet}\n- Damage: none\n")).system.tracks.remove(0);
        assert_eq!(track.describe(), meant, "{bullet}");
    }
}

#[test]
fn a_table_of_other_things_is_told_where_it_holds_numbers() {
    let told = |table: &str| codes(&system_md(&format!("{CHECK}## Weapons\n\n{table}\n")));
    assert_eq!(told("| Thing | Hits for | Tags |\n|---|---|---|\n| Flail | 1d6 | heavy |"), ["document/not-a-rule"]);
    assert_eq!(told("| Weapon | Price |\n|---|---|\n| Flail | 4 |"), ["document/not-a-rule"]);
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
fn a_weapon_is_rolled_by_its_skill_or_attribute_with_its_bonus() {
    let head = "## Attributes\n- Might\n\n## Skills\n- Fight (Might)\n\n";
    let roll = CHECK.replace("`2d6`", "`2d6 + {modifier}`");
    for (header, row, meant) in [
        ("Weapon | Attribute | Damage | Properties", "Sword | Might | 1d8 | long", "Might, 1d8"),
        ("Weapon | Skill | Bonus | Damage", "Knife | Fight | +1 | 1", "Fight +1, 1"),
        ("Weapon | Skill | Damage | Bonus", "Knife | Fight | 1 |", "Fight, 1"),
    ] {
        let reading = sound(&format!("{head}{roll}## Weapons\n\n| {header} |\n|---|---|---|---|\n| {row} |\n"));
        assert_eq!(reading.system.attacks[0].describe(), meant, "{header}");
    }
    let told = system_md(&format!("{head}{roll}## Weapons\n- Revolver: Firearms, 1d10\n- Fist: Fight, 1d3, Bruised\n"));
    assert_eq!((codes(&told), told.system.attacks.len()), (vec!["document/not-a-rule"; 2], 0));
}

#[test]
fn what_an_outcome_does_stands_in_its_table_and_a_bullet_is_told() {
    for bullet in ["On failure: one more Hunger", "On a miss: mark Hunger", "Failure: gain a Hunger"] {
        let reading = system_md(&format!(
            "## Checks\n### Rouse\n- Roll: `1d10`\n- Target: 6\n- {bullet}\n\n## Health\n- Hunger: 5 boxes\n- Damage: none\n"
        ));
        assert_eq!(codes(&reading), ["document/not-a-rule"], "{bullet}");
    }
}
