//! What is said in an author's own words is read whole, or told: weapons, rests, conditions, sizes of dice, and advice about other words.

use super::{codes, sound, system_md};

const CHECK: &str = "## Checks\n### Test\n- Roll: `2d6`\n- Target: `8`\n\n";
const TRACKS: &str = "- Hit points: max 10\n- Damage: Hit points\n- Stress: 6 boxes\n- Harm: 6 boxes, full: gain Dying\n- Wear: 4 boxes\n";

/// Each line with the first word that is not understood; the line is not loaded.
#[test]
fn a_line_of_health_is_read_to_its_last_word_or_told() {
    for (line, at) in [
        ("When stress is full: gain Dying", "stress"),
        ("At half stress: gain Dying", "half"),
        ("At 3 or more stress: gain Dying", "or"),
        ("One hit of at least 5: gain Dying", "of"),
        ("At 0 Hit points: unconscious", "unconscious"),
        ("At 0 Hit points: gain Sleepy", "Sleepy"),
        ("When {Luck} 0: gain Dying", "Luck"),
        ("Luck: max half of 9", "half"),
        ("Edge: 3 boxes, full: dying", "dying"),
        ("Hope: max 5, starts at 3", "starts"),
        ("Long rest: Stress clears", "clears"),
        ("Long rest: half of stress clears", "half"),
        ("Long rest: Stress to 0 on a success", "on"),
        ("Long rest: Hit points to max, eat a ration", "eat"),
        ("Long rest: all conditions end", "all"),
    ] {
        let reading = system_md(&format!("{CHECK}## Health\n{TRACKS}- {line}\n"));
        let told: Vec<(&str, &str)> =
            reading.diagnostics.iter().filter_map(|own| Some((own.code, reading.sources.text(own.span()?)))).collect();
        assert_eq!(told, [("document/not-understood", at)], "{line}");
        let system = &reading.system;
        assert_eq!((system.tracks.len(), system.triggers.len(), system.rests.len()), (4, 1, 0), "{line}");
    }
}

#[test]
fn a_row_of_a_weapon_is_read_whole_or_its_table_is_lost() {
    let head = CHECK.replace("`2d6`", "`2d6 + {modifier}`");
    let head = format!("## Skills\n- Fight\n\n{head}## Conditions\n- Prone: -1 on checks\n\n");
    let rules = |row: &str| {
        let header = "| Weapon | Skill | Damage | Bonus | Target effect | Gear |\n|---|---|---|---|---|---|";
        system_md(&format!("{head}## Weapons\n{header}\n| Club | | 1 | | | |\n| {row} |\n"))
    };
    for (row, meant) in [
        ("Flail | Fight | 1d6 | +1 | gain Prone | 2", "Fight +1, 1d6, prone"),
        ("Flail | Fight | 2 | | *they stagger* | heavy", "Fight, 2"),
    ] {
        let reading = rules(row);
        assert_eq!(codes(&reading), Vec::<&str>::new(), "{row}");
        assert_eq!(reading.system.attacks[1].describe(), meant, "{row}");
    }
    for row in [
        "Flail | Fight +1 | 1d6 | | |",
        "Flail | Firearms | 1d6 | | |",
        "Flail | Fight | two d6 | | |",
        "Flail | Fight | 1d6 per level | | |",
        "Flail | Fight | 1d6 blunt | | |",
        "Flail | Fight | 1d8/1d10 | | |",
        "Flail | Fight | | | |",
        "Flail | Fight | 1d6 | 1d4 | |",
        "Flail | Fight | 1d6 | | prone |",
        "club | Fight | 1d6 | | |",
    ] {
        let reading = rules(row);
        assert_eq!((codes(&reading), reading.system.attacks.len()), (vec!["document/not-understood"], 0), "{row}");
    }
}

#[test]
fn a_target_effect_brings_its_conditions_and_other_words_are_told() {
    let brought = |cell: &str| {
        let rules = format!(
            "## Checks\n### Test\n- Roll: `2d6`\n\n| Outcome | When | Target effect |\n|---|---|---|\n| Success | total 8+ | {cell} |\n| Failure | otherwise | |\n\n\
             ## Conditions\n- Helped: +1 on checks\n- Prone: -1 on checks\n"
        );
        let reading = system_md(&rules);
        let effects = reading.system.checks.first().map(|own| &own.rows[0].effects);
        let effects: Vec<String> = effects.into_iter().flatten().map(|own| own.condition.clone()).collect();
        (effects.join(", "), codes(&reading))
    };
    assert_eq!(brought("gain Helped, gain Prone"), ("Helped, Prone".to_owned(), Vec::new()));
    assert_eq!(brought("gain Helped, *knocked flat*"), ("Helped".to_owned(), Vec::new()));
    for cell in ["gain Helped, knocked flat", "gain Prone, unless braced", "gain Helped and Prone", "they fall"] {
        assert_eq!(brought(cell), (String::new(), vec!["document/not-understood"]), "{cell}");
    }
}

#[test]
fn a_number_that_may_be_meant_of_dice_is_told() {
    let assumed = |rules: &str, words: &str| {
        let reading = system_md(rules);
        reading.system.assumptions.iter().any(|own| own.text.contains(words))
    };
    let pool = "## Checks\n### Test\n- Roll: `3d6`\n- Count: 6\n\n## Conditions\n- Helped: +1 on checks\n";
    assert!(assumed(pool, "are successes, and no dice"));
    assert!(!assumed(&pool.replace("+1 on", "+1 die on"), "are successes"));
    assert!(!assumed(&pool.replace("- Count: 6\n", ""), "are successes"));
}

#[test]
fn a_mistake_in_one_roll_claims_nothing_else() {
    let rules = "## Dice\n- Die Good: blank, S, SA, A\n- Symbol S: success\n- Symbol A: advantage\n\n## Checks\n### Check\n- Roll: `{max(2, 3} Good`\n\n\
                 | Outcome | When |\n|---|---|\n| Success | success 1+ |\n| Failure | otherwise |\n";
    assert_eq!(codes(&system_md(rules)), ["document/not-understood"]);
}

#[test]
fn what_is_rolled_where_no_dice_are_left_is_said() {
    let assumed = |rules: &str, words: &str| sound(rules).system.assumptions.iter().any(|own| own.text.contains(words));
    let pool = "## Attributes\n- Frame\n- Stun\n\n## Checks\n### Test\n- Roll: `({Frame} - floor({Stun} / 3))d6`\n- Count: 5+\n- Target: `1`\n";
    assert!(
        assumed(pool, "- With no dice: `0`") && !assumed(&format!("{pool}- With no dice: `0`\n"), "no dice are left")
    );
}
