//! What is said in an author's own words is read whole, or told: triggers, weapons, rests, conditions, sizes of dice, and advice about other
//! words.

use super::{codes, sound, system_md};

const CHECK: &str = "## Checks\n### Test\n- Roll: `2d6`\n- Target: `8`\n\n";
const TRACKS: &str =
    "- Hit points: max `10`, from 0\n- Stress: 6 boxes\n- Harm: 6 segments; full: dying\n- Wear: 4 boxes\n";

#[test]
fn a_trigger_in_a_sentence_is_read_or_told() {
    let read = |label: &str| system_md(&format!("{CHECK}## Health\n{TRACKS}- {label}: dark\n"));
    for (label, when) in [
        ("When stress is full", "Stress full"),
        ("When every box of stress is marked", "Stress full"),
        ("When hit points run out", "Hit points at 0"),
        ("If the hit points are gone", "Hit points at 0"),
        ("Out of hit points", "Hit points at 0"),
        ("Once harm reaches 3", "Harm at 3"),
    ] {
        let reading = read(label);
        let found: Vec<String> = reading.system.triggers.iter().skip(1).map(|own| own.when.describe()).collect();
        assert_eq!((found, codes(&reading)), (vec![when.to_owned()], Vec::new()), "{label}");
    }
    for (label, code) in [
        ("When luck is full", "health/unknown-track"),
        ("When the torch runs out", "health/unknown-track"),
        ("When stress is full of superficial", "document/left-to-the-gm"),
        ("When hit points are full", "document/left-to-the-gm"),
        ("When a hero has three boxes left", "document/left-to-the-gm"),
    ] {
        let reading = read(label);
        assert_eq!((reading.system.triggers.len(), codes(&reading)), (1, vec![code]), "{label}");
    }
}

#[test]
fn what_nobody_reads_is_listed() {
    let rules = format!(
        "{CHECK}## Health\n{TRACKS}- The dead are buried at sea\n\n| Colour | Mood |\n|---|---|\n| red | glad |\n\n## Conditions\n- Tired\n\n## Weapons\n- Rope, of hemp\n"
    );
    let reading = sound(&rules);
    let listed: Vec<&str> = reading.system.not_read.iter().map(|own| own.what.as_str()).collect();
    assert_eq!(listed, ["The dead are buried at sea", "| Colour | Mood |", "Rope, of hemp"]);
    let summary = crate::rules::understood(&reading);
    assert!(summary.contains("The dead are buried at sea") && summary.contains("out of a fight"), "{summary}");
}

#[test]
fn a_line_of_a_weapon_is_whole_or_told() {
    let rules = |words: &str| {
        let roll = CHECK.replace("`2d6`", "`2d6 + {modifier}`");
        system_md(&format!("## Skills\n- Fight\n\n{roll}## Weapons\n- Flail: {words}\n"))
    };
    for (words, meant) in [
        ("Fight +1, 1 damage blunt", "Fight +1, 1 (blunt)"),
        ("Fight, two damage", "Fight, 2"),
        ("Fight, 1d6 damage", "Fight, 1d6"),
    ] {
        let reading = rules(words);
        assert_eq!(reading.system.attacks[0].describe(), meant, "{words}: {:?}", codes(&reading));
    }
    for words in ["Fight +1 gear, 1 damage blunt", "Fight with 1 damage"] {
        let reading = rules(words);
        assert_eq!((codes(&reading), reading.system.attacks.len()), (vec!["attacks/unreadable"], 0), "{words}");
    }
    let table = "| Weapon | Damage | Gear | Cost |\n|---|---|---|---|\n| Axe | 1d8 | 2 | 5 |\n";
    let reading = system_md(&format!("{CHECK}## Weapons\n\n{table}"));
    assert_eq!(codes(&reading), ["document/left-to-the-gm"]);
    assert_eq!(reading.system.attacks[0].describe(), "1d8, Gear 2");
}

#[test]
fn what_is_done_beside_a_rest_is_told() {
    for (words, told) in [
        ("1d4 hit points, roll Usage", "roll Usage"),
        ("hit points to max; eat a ration", "eat a ration"),
        ("hit points to max, reroll initiative", "reroll initiative"),
    ] {
        let reading = system_md(&format!("{CHECK}## Health\n{TRACKS}- Long rest: {words}\n"));
        let spans: Vec<&str> =
            reading.diagnostics.iter().filter_map(|own| Some(reading.sources.text(own.span()?))).collect();
        assert_eq!(spans, [told], "{words}");
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
fn parts_of_a_maximum_are_read_in_many_ways() {
    let when = |label: &str| {
        let reading = system_md(&format!("{CHECK}## Health\n{TRACKS}- {label}: hurt\n"));
        (reading.system.triggers.get(1).map(|own| own.when.describe()), codes(&reading))
    };
    for (label, meant) in [
        ("At half stress", "Stress at half the maximum"),
        ("At a third of the stress", "Stress at a third of the maximum"),
        ("At three quarters of stress", "Stress at 3/4 of the maximum"),
        ("At two fifths of stress", "Stress at 2/5 of the maximum"),
        ("At 40% of stress", "Stress at 40 % of the maximum"),
        ("At 1/5 of stress", "Stress at 1/5 of the maximum"),
        ("When stress reaches half", "Stress at half the maximum"),
        ("When stress reaches a quarter of its maximum", "Stress at a quarter of the maximum"),
        ("When stress reaches 4 or more", "Stress at 4"),
        ("At 3 stress or more", "Stress at 3"),
        ("At 3+ stress", "Stress at 3"),
        ("At 3 or more stress", "Stress at 3"),
        ("One hit of at least half the maximum", "Hit points, half the maximum in one hit"),
        ("One hit of more than half the maximum", "Hit points, more than half the maximum in one hit"),
        ("One hit of over a third of the maximum", "Hit points, more than a third of the maximum in one hit"),
        ("One hit of at least the maximum", "Hit points, the maximum in one hit"),
    ] {
        assert_eq!(when(label), (Some(meant.to_owned()), Vec::new()), "{label}");
    }
    for label in ["At half of it all", "One hit of a heap of the maximum", "At five quarters of stress"] {
        assert!(when(label).0.is_none() && !when(label).1.is_empty(), "{label}: {:?}", when(label));
    }
}

#[test]
fn half_of_a_sum_is_told_and_sums_are_read() {
    let max = |words: &str| {
        let rules = format!(
            "## Attributes\n- Frame (FRM)\n- Might (MGT)\n\n{CHECK}## Health\n- Hit points: max {words}, from 0\n"
        );
        let reading = sound(&rules);
        let told = reading.system.assumptions.iter().any(|own| own.text.contains("is half of the first alone"));
        (reading.system.tracks[0].max.as_ref().map(ToString::to_string).unwrap_or_default(), told)
    };
    assert_eq!(max("half of FRM + MGT"), ("floor({FRM} / 2) + {MGT}".to_owned(), true));
    assert_eq!(max("half the sum of FRM and MGT"), ("floor(({FRM} + {MGT}) / 2)".to_owned(), false));
    assert_eq!(max("the average of FRM and MGT"), ("floor(({FRM} + {MGT}) / 2)".to_owned(), false));
    assert_eq!(max("half of FRM"), ("floor({FRM} / 2)".to_owned(), false));
}

#[test]
fn a_mistake_in_one_roll_hides_nothing_else_and_claims_nothing_else() {
    let rules = "## Dice\n- Die Good: blank, S, SA, A\n- Symbol S: success\n- Symbol A: advantage\n\n## Checks\n### Check\n- Roll: `{max(2, 3} Good`\n\n\
                 | Outcome | When |\n|---|---|\n| Success | success 1+ |\n| Failure | otherwise |\n";
    assert_eq!(codes(&system_md(rules)), ["document/not-understood"]);
    let weapons = system_md(&format!("## Skills\n- Bow\n\n{CHECK}## Attacks\n- Bow: +0, 4k2\n"));
    let help: Vec<String> = weapons.diagnostics.iter().flat_map(|own| own.help.clone()).collect();
    assert!(help.join("\n").contains("`4d10kh2`"), "{help:?}");
}

#[test]
fn boxes_may_be_rounded_and_what_to_max_does_is_told() {
    let head = "## Attributes\n- Frame\n\n";
    let reading =
        sound(&format!("{head}{CHECK}## Health\n- Physical: 8 + half Frame boxes, rounded up; full: dying\n"));
    assert_eq!(
        reading.system.tracks[0].max.as_ref().map(ToString::to_string).as_deref(),
        Some("ceil(8 + {Frame} / 2)")
    );
    let assumed = |rules: &str, words: &str| sound(rules).system.assumptions.iter().any(|own| own.text.contains(words));
    let edge = |track: &str| {
        format!("{CHECK}## Health\n- Hit points: max `9`, from 0\n- Edge: {track}\n- Long rest: edge to max\n")
    };
    assert!(assumed(&edge("3 boxes"), "Long rest fills Edge, which counts up"));
    assert!(!assumed(&edge("max 3, from 0"), "fills Edge"));
    let pool = "## Attributes\n- Frame\n- Stun\n\n## Checks\n### Test\n- Roll: `({Frame} - floor({Stun} / 3))d6`\n- Count: 5+\n- Target: `1`\n";
    assert!(
        assumed(pool, "- With no dice: `0`") && !assumed(&format!("{pool}- With no dice: `0`\n"), "no dice are left")
    );
}
