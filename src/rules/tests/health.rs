//! Tracks, triggers and rests.

use super::{codes, system_md};
use crate::rules::{AlsoWith, Direction, MitigationKind, Part, RestEffect, Start, System, TriggerWhen};

const HEAD: &str = "## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Constitution (CON)\n## Health\n";

fn health(bullets: &str) -> (System, Vec<&'static str>) {
    let reading = system_md(&format!("{HEAD}{bullets}"));
    let codes = codes(&reading);
    (reading.system, codes)
}

#[test]
fn tracks_have_three_shapes() {
    let (system, codes) = health(
        "- Hit points: max `8 + {CON}`, from -10\n- Stress: 9 boxes; full: trauma\n- Momentum: from -6 to 10, start 2\n- Sanity: `{CON score} * 5`\n",
    );
    assert_eq!(codes, Vec::<&str>::new());
    let read: Vec<_> = system
        .tracks
        .iter()
        .map(|own| (own.max.as_ref().map(ToString::to_string).unwrap_or_default(), own.min, own.counts))
        .collect();
    assert_eq!(
        read,
        [
            ("8 + {CON}".into(), -10, Direction::Down),
            ("9".into(), 0, Direction::Up),
            ("10".into(), -6, Direction::Down),
            ("{CON score} * 5".into(), 0, Direction::Down),
        ]
    );
    assert_eq!((&system.tracks[0].start, &system.tracks[1].start), (&Start::Full, &Start::Empty));
    assert!(matches!(&system.tracks[2].start, Start::At(formula) if formula.to_string() == "2"));
    assert_eq!(system.triggers[0].when, TriggerWhen::Full { track: "Stress".into() });
    assert_eq!(system.triggers[0].conditions, ["trauma"]);
}

#[test]
fn triggers_name_their_track_and_conditions() {
    let (system, codes) = health(
        "- HP: 10\n- At 0 HP: unconscious, and dying\n- One hit of at least half the maximum: major wound\n- One hit of at least the maximum: dead\n",
    );
    assert_eq!(codes, Vec::<&str>::new());
    let track = || "HP".to_owned();
    let when: Vec<_> = system.triggers.iter().map(|own| own.when.clone()).collect();
    assert_eq!(
        when,
        [
            TriggerWhen::AtZero { track: track() },
            TriggerWhen::OneHitOfPart { track: track(), part: Part { of: 1, by: 2 }, more: false },
            TriggerWhen::OneHitOfMax { track: track() },
        ]
    );
    assert_eq!(system.triggers[0].conditions, ["unconscious", "dying"]);
}

#[test]
fn a_trigger_of_no_track_is_found() {
    let (system, codes) = health("- Hit points: 10\n- At 0 hit pints: unconscious\n- At 5 hit points: bloodied\n");
    assert_eq!(codes, ["health/unknown-track"]);
    assert_eq!(system.triggers.len(), 1, "the other one");
}

#[test]
fn rests_say_what_becomes_of_tracks() {
    let (system, codes) = health(
        "- Hit points: 10\n- Stress: 4 boxes\n- Short rest: `1d6 + {CON}` hit points\n- Long rest: HP to max; clear stress\n- End of scene: stress clears\n- Rest: a song\n",
    );
    assert_eq!(codes, ["document/left-to-the-gm"]);
    let (hp, stress) = (|| "Hit points".to_owned(), || "Stress".to_owned());
    assert!(
        matches!(&system.rests[0].effects[..], [RestEffect::Gives { amount, .. }] if amount.to_string() == "1d6 + {CON}")
    );
    assert_eq!(system.rests[1].effects, [RestEffect::ToMax { track: hp() }, RestEffect::Clears { track: stress() }]);
    assert_eq!(system.rests[2].effects, [RestEffect::Clears { track: stress() }]);
    assert!(system.rests[3].effects.is_empty());
}

/// What a rest of these words does, in the words of the sheet, and the parts that are remarked on.
fn rested(words: &str) -> (String, Vec<String>) {
    let reading = system_md(&format!(
        "{HEAD}- Long rest: {words}\n- Hit points: 10\n- Strain: 6 boxes\n- Physical stress: boxes 1, 2\n- Mental stress: boxes 1, 2\n\
         - Harm: 2 lesser (level 1), 1 severe (level 2)\n- Wounds: 1 per 4 over 5, 3 then out\n- At 0 hit points: dying\n## Conditions\n- Poisoned: -1 on checks\n"
    ));
    let told = reading.system.rests[0].effects.iter().map(|effect| match effect {
        RestEffect::ToMax { track } => format!("{track} max"),
        RestEffect::Clears { track } => format!("{track} clear"),
        RestEffect::ToZero { track } => format!("{track} to 0"),
        RestEffect::Gives { track, amount } => format!("{track} {amount}"),
        RestEffect::Marks { track, count } => format!("{track} marked {count}"),
        RestEffect::Steps { track, steps, .. } => format!("{track} {steps} steps"),
    });
    let ends = reading.system.rests[0].ends.iter().map(|own| format!("no {own}"));
    let left = reading.diagnostics.iter().map(|found| {
        assert_eq!(found.code, "document/left-to-the-gm");
        reading.sources.text(found.span().expect("a place")).to_owned()
    });
    (told.chain(ends).collect::<Vec<_>>().join(", "), left.collect())
}

#[test]
fn a_rest_mends_what_is_marked_one_by_one_or_all() {
    for (words, does) in [
        ("wounds clear", "Wounds clear"),
        ("one wound heals", "Wounds 1"),
        ("heal 2 wounds", "Wounds 2"),
        ("harm clears", "Harm clear"),
        ("one harm clears", "Harm 1"),
        ("clear one box of physical stress", "Physical stress 1"),
        ("one physical stress box clears", "Physical stress 1"),
        ("clear a lesser harm and all wounds", "Harm (lesser) 1, Wounds clear"),
        ("lesser harm clears", "Harm (lesser) clear"),
        ("stress clears", "Physical stress clear, Mental stress clear"),
        ("two marks of strain", "Strain 2"),
        ("hit points and strain to max", "Hit points max, Strain max"),
        ("clear strain and wounds; 1d4 HP", "Strain clear, Wounds clear, Hit points 1d4"),
        ("recover all hit points, heal all harm", "Hit points max, Harm clear"),
        ("heal all hit points", "Hit points max"),
        ("eight hours of sleep, 8 hours at least; 1 hit point", "Hit points 1"),
        ("hit points to max, dying clears, poisoned ends", "Hit points max, no dying, no Poisoned"),
    ] {
        assert_eq!(rested(words), (does.to_owned(), Vec::new()), "{words}");
    }
}

#[test]
fn a_part_of_a_rest_that_cannot_be_read_is_said() {
    for (words, does, left) in [
        ("hit points to max; half of the wounds", "Hit points max", "half of the wounds"),
        ("hit points to max, harm steps down", "Hit points max", "harm steps down"),
        ("hit points to max; lose 1 memory", "Hit points max", "lose 1 memory"),
        ("a song", "", "a song"),
    ] {
        assert_eq!(rested(words), (does.to_owned(), vec![left.to_owned()]), "{words}");
    }
    let (does, left) = rested("hit points to max, bleeding ends");
    assert_eq!((does.as_str(), left.len()), ("Hit points max", 1), "nothing brings that condition");
    let (_, codes) = health("- Hit points: 10\n- Fatigue clears: end of scene\n- One hit point clears: short rest\n");
    assert_eq!(codes, ["document/left-to-the-gm"], "Fatigue alone");
}

#[test]
fn a_trigger_may_stand_at_any_value_and_change_tracks() {
    let (system, codes) = health(
        "- Hit points: 10\n- Stress: 9 boxes; full: trauma and out of the scene; stress clears\n\
         - At 5 hit points: bloodied\n- At 0 hit points: unconscious; with a major wound, dying\n- A hit you cannot soak: taken out\n",
    );
    assert_eq!(codes, Vec::<&str>::new());
    let [full, five, zero, unsoaked] = system.triggers.as_slice() else { panic!("four: {:#?}", system.triggers) };
    assert_eq!(full.conditions, ["trauma", "out of the scene"]);
    assert_eq!(full.effects, [RestEffect::Clears { track: "Stress".into() }]);
    assert_eq!(five.when, TriggerWhen::AtValue { track: "Hit points".into(), value: 5 });
    assert_eq!(zero.also, [AlsoWith { condition: "major wound".into(), conditions: vec!["dying".into()] }]);
    assert_eq!(
        (&unsoaked.when, unsoaked.conditions.as_slice()),
        (&TriggerWhen::Unsoaked, ["taken out".to_owned()].as_slice())
    );
}

#[test]
fn mitigation_is_applied_in_the_order_written() {
    let (system, codes) = health(
        "- Hit points: 10\n- Resistance: half, rounded down; vulnerability: double; immunity: none\n- Armour: subtract from damage\n\
         - Threshold: ignore damage under 5\n- Temporary hit points: soak damage first, keep the larger\n",
    );
    assert_eq!(codes, Vec::<&str>::new());
    let read: Vec<String> =
        system.mitigations.iter().map(|own| format!("{}: {}", own.name, own.kind.describe())).collect();
    assert_eq!(
        read,
        [
            "Resistance: half, rounded down",
            "Vulnerability: double",
            "Immunity: no damage",
            "Armour: subtracted from damage",
            "Threshold: less than 5 does nothing",
        ]
    );
    assert_eq!((system.layers[0].track.as_deref(), system.layers[0].keeps_larger), (Some("Hit points"), true));
    let (flat, _) = health(
        "- Hit points: 10\n- Resistance: half, rounded up; in that order after flat changes; armour: subtract\n",
    );
    assert_eq!(
        flat.mitigations[0].kind,
        MitigationKind::Subtract(None),
        "flat changes come first where the author says so"
    );
    assert_eq!(flat.mitigations[1].kind, MitigationKind::Halves { count: 1, up: true });
}

#[test]
fn a_hit_falls_on_hit_points_where_they_stand_first() {
    for (words, falls_on) in [
        ("- Hit points: max `10`, from 0\n- Wounds: 1 per 4 over Constitution, 3 then out\n", "Hit points"),
        ("- Wounds: 1 per 4 over Constitution, 3 then out\n- Hit points: max `10`, from 0\n", "Wounds"),
        ("- Luck: max `10`, from 0\n- Wounds: 1 per 4 over Constitution, 3 then out\n", "Wounds"),
        ("- HP: 10\n- Stress: 4 boxes; full: broken\n", "HP"),
    ] {
        let (system, _) = health(words);
        assert_eq!(system.harm().map(|own| own.name()), Some(falls_on), "{words}");
    }
}

#[test]
fn what_is_not_carried_out_is_told() {
    for (words, code) in [
        ("At -5 hit points: dead", "health/never-reached"),
        ("At 12 hit points: hale", "health/never-reached"),
        ("Long rest: hit points to max, except for the dying", "document/left-to-the-gm"),
        ("Long rest: hit points to max unless poisoned", "document/left-to-the-gm"),
    ] {
        let (_, codes) = health(&format!("- Hit points: max `10`, from 0\n- {words}\n"));
        assert_eq!(codes, [code], "{words}");
    }
    let (_, codes) =
        health("- Hit points: max `10`, from -5\n- At -5 hit points: dead\n- Long rest: hit points to max\n");
    assert_eq!(codes, Vec::<&str>::new());
}

#[test]
fn what_armour_does_is_read_as_it_is_written_or_told() {
    let read = |words: &str| {
        let (system, codes) = health(&format!("- Hit points: 10\n- {words}\n"));
        (system.mitigations.iter().map(crate::rules::Mitigation::describe).collect::<Vec<_>>(), codes)
    };
    for (words, shown) in [
        ("Armour: subtract {CON} from damage", "{CON} subtracted from damage"),
        ("Armour: subtract 2", "2 subtracted from damage of whoever has it on the sheet"),
        (
            "Soak: subtract `floor({CON} / 2)` from damage, at least 1 gets through",
            "floor({CON} / 2) subtracted from damage, at least 1 gets through",
        ),
        ("Armour: subtract from damage, to a minimum of 1", "subtracted from damage, at least 1 gets through"),
        ("Armour: subtract its rating from each hit", "subtracted from damage"),
        ("Resistance: half the damage, rounded up, at least 1", "half, rounded up, at least 1 gets through"),
        ("Resistance: half (rounded down)", "half, rounded down"),
        ("Threshold: ignore damage of 5 or less", "less than 6 does nothing"),
        ("Threshold: ignore damage less than {CON}", "less than {CON} does nothing"),
        ("Immunity: no damage", "no damage"),
    ] {
        assert_eq!(read(words), (vec![shown.to_owned()], Vec::new()), "{words}");
    }
    for words in [
        "Armour: half of {CON}",
        "Armour: twice {CON}",
        "Armour: subtract 1d6",
        "Armour: 1d6",
        "Resistance: half, but never against fire",
        "Immunity: none of the effects of poison",
    ] {
        let (read, codes) = read(words);
        assert_eq!(codes, ["health/unreadable-mitigation"], "{words}: {read:?}");
        assert!(read.is_empty(), "{words}: {read:?}");
    }
}

#[test]
fn harm_may_be_marked_in_boxes_slots_and_wounds() {
    let (system, codes) = health(
        "- Physical stress: boxes 1, 2 (one box soaks one hit)\n- Consequences: mild -2, severe -6\n\
         - Harm: 2 lesser (level 1), 1 severe (level 3); no room: one level up; level 4: fatal\n\
         - Wounds: 1 per 4 over Constitution, 3 then incapacitated\n- Stress clears: end of scene\n- Long rest: harm clears\n",
    );
    assert_eq!(codes, Vec::<&str>::new());
    assert_eq!(
        (system.boxes[0].values.as_slice(), system.boxes[0].text.as_str()),
        ([1, 2].as_slice(), "one box soaks one hit")
    );
    assert_eq!(system.slots[0].describe(), "1 mild (soaks 2), 1 severe (soaks 6)");
    assert_eq!(
        system.slots[1].describe(),
        "2 lesser (level 1), 1 severe (level 3); no room: one level up; level 4: fatal"
    );
    let wounds = system.wounds.expect("wounds");
    assert_eq!(wounds.describe(), "1 for every 4 over {CON}, 3, then incapacitated");
    assert_eq!(system.rests[0].effects, [RestEffect::Clears { track: "Physical stress".into() }]);
    assert_eq!(system.rests[0].name, "End of scene");
    assert_eq!(system.rests[1].effects, [RestEffect::Clears { track: "Harm".into() }]);
}

const SCORES: &str = "## Dice\nRoll 2d6 + modifiers.\n## Attributes\n- Endurance (END)\n- Strength (STR)\n- Dexterity (DEX)\n## Health\n";

#[test]
fn damage_may_run_through_attributes() {
    let reading = system_md(&format!(
        "{SCORES}- Endurance, then Strength or Dexterity\n- At 0 END: winded\n- Two at 0: out\n- All of them at zero: dead\n"
    ));
    assert_eq!(codes(&reading), Vec::<&str>::new());
    let chain = reading.system.damage_chain.as_ref().expect("a chain");
    assert_eq!(chain.stages, [vec!["Endurance".to_owned()], vec!["Strength".into(), "Dexterity".into()]]);
    assert_eq!(chain.scores, ["Endurance", "Strength", "Dexterity"]);
    let max: Vec<String> =
        reading.system.tracks.iter().filter_map(|own| own.max.as_ref()).map(ToString::to_string).collect();
    assert_eq!(max, ["{Endurance score}", "{Strength score}", "{Dexterity score}"]);
    let when: Vec<TriggerWhen> = reading.system.triggers.iter().map(|own| own.when.clone()).collect();
    let of: Vec<String> = chain.members().map(str::to_owned).collect();
    let many = |many| TriggerWhen::ManyAtZero { many, of: of.clone() };
    assert_eq!(when, [TriggerWhen::AtZero { track: "Endurance".into() }, many(2), many(3)]);
    assert_eq!(reading.system.ways_out().collect::<Vec<_>>(), ["out", "dead"], "at the first a chain goes on");
}

#[test]
fn a_chain_is_health_wherever_it_stands() {
    let reading = system_md(&format!("{SCORES}- Calm: max `6`\n- At 0 calm: lost\n- Endurance, then Strength\n"));
    assert_eq!(codes(&reading), Vec::<&str>::new());
    assert_eq!(
        reading.system.harm().map(|harm| harm.name()),
        Some("Endurance"),
        "a track that is watched comes before it"
    );
}

#[test]
fn several_tracks_may_be_watched_at_zero() {
    let (system, codes) = health(
        "- Grit: max `5`\n- Hope: max `5`\n- Salt: max `5`\n- Stress: 4 boxes\n- At 0 grit or hope: shaken\n- At 0 grit, hope and salt: lost\n",
    );
    assert_eq!(codes, Vec::<&str>::new());
    let when: Vec<String> = system.triggers.iter().map(|own| own.when.describe()).collect();
    assert_eq!(when, ["Grit or Hope at 0", "Grit and Hope and Salt at 0"]);
    for (bullet, code) in [
        ("At 0 grit or hops", "health/unknown-track"),
        ("At 0 grit and stress", "health/unknown-track"),
        ("At 2 grit or hope", "document/left-to-the-gm"),
    ] {
        let (system, codes) =
            health(&format!("- Grit: max `5`\n- Hope: max `5`\n- Stress: 4 boxes\n- {bullet}: lost\n"));
        assert_eq!((codes.as_slice(), system.triggers.len()), ([code].as_slice(), 0), "{bullet}");
    }
}

#[test]
fn a_blow_may_be_measured_and_a_rise_from_zero_watched() {
    let reading = system_md(&format!(
        "{SCORES}- Hit points: max `10`, from 0\n- Marks: 3 boxes\n- Above 0 hit points: marks clear\n- One hit of at least END: winded\n\
         - A hit of at least 5: shaken\n"
    ));
    assert_eq!(codes(&reading), Vec::<&str>::new());
    let when: Vec<String> = reading.system.triggers.iter().map(|own| own.when.describe()).collect();
    assert_eq!(when, ["Hit points above 0", "{END} in one hit", "5 in one hit"]);
    assert_eq!(codes(&system_md(&format!("{SCORES}- Hit points: 4\n- Above 0 hope: up\n"))), ["health/unknown-track"]);
}

#[test]
fn a_value_below_zero_keeps_its_sign() {
    for (bullet, value) in [("At -5 hit points", -5), ("At \u{2212}5 hit points", -5), ("at 5 Hit Points", 5)] {
        let (system, codes) = health(&format!("- Hit points: max `10`, from -5\n- {bullet}: dead\n"));
        assert_eq!(codes, Vec::<&str>::new());
        assert_eq!(system.triggers[0].when, TriggerWhen::AtValue { track: "Hit points".into(), value }, "{bullet}");
    }
}

#[test]
fn a_chain_that_cannot_be_is_said() {
    for bullets in [
        "- Endurance, then Strength or Endurance\n",
        "- Endurance, then Strength\n- Strength, then Dexterity\n",
        "- Two at 0: unconscious\n",
        "- Endurance, then Strength\n- Three at 0: dead\n",
    ] {
        assert_eq!(codes(&system_md(&format!("{SCORES}{bullets}"))), ["document/left-to-the-gm"], "{bullets}");
    }
}

#[test]
fn a_chain_needs_modifiers_down_to_nothing() {
    let text = "## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Brawn\n- Wits\n- Range: 1 to 3\n\n| Score | Modifier |\n|---|---|\n| 1-3 | +1 |\n\n## Health\n";
    assert_eq!(codes(&system_md(text)), Vec::<&str>::new());
    assert_eq!(codes(&system_md(&format!("{text}- Brawn, then Wits\n"))), ["attributes/modifier-gap"]);
}

#[test]
fn damage_goes_through_what_is_declared() {
    let rules = |chain: &str| {
        format!("## Dice\nRoll d20\n## Attributes\n- Strength\n- Wits\n## Health\n- Hits: max `6`\n- {chain}\n")
    };
    let tracks = system_md(&rules("Hits, then Strength")).system.damage_chain.expect("a track and an attribute");
    assert_eq!((tracks.describe().as_str(), tracks.scores), ("Hits, then Strength", vec!["Strength".to_owned()]));
    let reading = system_md(&rules("Hide, then Strength"));
    assert_eq!(codes(&reading), ["document/left-to-the-gm"]);
    assert_eq!(reading.sources.text(reading.diagnostics[0].span().expect("a place")), "Hide");
    assert!(reading.system.damage_chain.is_none());
    for silent in ["Strength, then Wits", "Rest a while by the fire, then ask for Strength"] {
        assert_eq!(codes(&system_md(&rules(silent))), Vec::<&str>::new(), "{silent}");
    }
}
