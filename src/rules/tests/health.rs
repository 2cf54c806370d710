//! Tracks, damage, defences, triggers and rests.

use super::{codes, errors, findings, sound, system_md};
use crate::rules::{Act, DefenceKind, Direction, Effect, Move, RestKind, Start, System};

const HEAD: &str =
    "## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Constitution (CON)\n- Strength (STR)\n## Health\n";

fn health(bullets: &str) -> System {
    sound(&format!("{HEAD}{bullets}")).system
}

fn texts(effects: &[Effect]) -> Vec<&str> {
    effects.iter().map(|own| own.text.as_str()).collect()
}

#[test]
fn a_track_says_its_ends_and_its_beginning() {
    let system = health(
        "- Hit points: max `8 + {CON}`, from -10\n- Stress: 9 boxes, full: gain Dead\n- Momentum: from -6 to 10, start 2\n\
         - Ward: from 0, keeps larger\n- Debt: from -3 to 3, start 0, counts up\n- Damage: Ward, Hit points\n",
    );
    let read: Vec<_> = system
        .tracks
        .iter()
        .map(|own| (own.max.as_ref().map(ToString::to_string), own.min.to_string(), own.counts, own.is_given()))
        .collect();
    let max = |own: &str| Some(own.to_owned());
    let least = |own: &str| own.to_owned();
    assert_eq!(
        read,
        [
            (max("8 + {CON}"), least("-10"), Direction::Down, false),
            (max("9"), least("0"), Direction::Up, false),
            (max("10"), least("-6"), Direction::Down, false),
            (None, least("0"), Direction::Down, true),
            (max("3"), least("-3"), Direction::Up, false),
        ]
    );
    assert_eq!((&system.tracks[0].start, &system.tracks[1].start), (&Start::Full, &Start::Empty));
    assert!(matches!(&system.tracks[2].start, Start::At(formula) if formula.to_string() == "2"));
    assert_eq!(system.triggers[0].label, "Stress full");
    assert_eq!(texts(&system.triggers[0].effects), ["gain Dead"]);
    assert_eq!(system.health_track().map(|own| own.name.as_str()), Some("Hit points"));
}

#[test]
fn what_damage_is_taken_from_is_said_and_never_taken_for_granted() {
    let reading = system_md(&format!("{HEAD}- Hit points: max 10\n"));
    assert_eq!(codes(&reading), ["health/no-damage"]);
    assert_eq!(reading.system.damage_line(None), None);
    let system = health(
        "- Nerve: max 4\n- Stun: 10 boxes\n- Damage types: stun\n- Damage: CON, STR or Nerve\n- Damage stun: Stun\n",
    );
    let line = |kind| system.damage_line(kind).expect("a line").describe();
    assert_eq!(line(None), "Constitution, then Strength or Nerve");
    assert_eq!((line(Some("stun")), line(Some("fire"))), ("Stun".to_owned(), line(None)));
    assert!(system.takes_score("Constitution") && !system.takes_score("Nerve"));
    assert!(health("- Oil: max 4\n- Damage: none\n").damage[0].stages.is_empty());
}

#[test]
fn one_number_is_reached_or_passed_away_from_where_the_track_starts() {
    let system = health(
        "- Hit points: max 10, from -10\n- Stress: 9 boxes\n- Momentum: from -6 to 10, start 2\n- Damage: Hit points\n\
         - At 0 Hit points: gain Dying\n- At `{Hit points max} / 2` Hit points: *bloodied*\n- At 1+ Hit points: lose Dying\n\
         - At 5 Stress: gain Stable\n- At 10 Momentum: Stress -1\n- At -6 Momentum: Stress +1\n- At 3-4 Stress: Momentum to 2\n",
    );
    let reached = |nth: usize, number: i64| match &system.triggers[nth].when {
        crate::rules::TriggerWhen::At { range, .. } => {
            let mut facts = crate::rules::Facts::default();
            facts.values.insert("hit points max".to_owned(), 11);
            range.holds(number.into(), &facts)
        }
        _ => None,
    };
    for (nth, number, stands) in [
        (0, 0, true),
        (0, -4, true),
        (0, 1, false),
        (1, 5, true),
        (1, 6, false),
        (2, 1, true),
        (2, 0, false),
        (3, 6, true),
        (3, 4, false),
        (4, 10, true),
        (4, 9, false),
        (5, -6, true),
        (5, -5, false),
        (6, 3, true),
        (6, 5, false),
    ] {
        assert_eq!(reached(nth, number), Some(stands), "{} at {number}", system.triggers[nth].label);
    }
}

#[test]
fn hits_are_watched_by_what_gets_through_by_what_is_left_and_where_they_fall() {
    let system = health(
        "- Hit points: max 10\n- Physical stress: soak 1, 2, 2, one a hit\n- Consequences: soak mild 2, severe 6\n\
         - Damage: Physical stress, Consequences\n- One hit `{Hit points max} / 2`+: gain Major wound\n\
         - Left over {Hit points max}+: gain Dead\n- Damage at 0 Hit points: Hit points -1 if {Dying}\n- Not soaked: gain Dying\n\
         - When {CON} 0 and {STR} 0: gain Dead\n## Conditions\n- Major wound\n",
    );
    let labels: Vec<&str> = system.triggers.iter().map(|own| own.label.as_str()).collect();
    let wanted =
        ["One hit `{Hit points max} / 2`+", "Left over {Hit points max}+", "Damage at 0 Hit points", "Not soaked"];
    assert_eq!(labels[..4], wanted);
    assert_eq!(labels[4], "When {CON} 0 and {STR} 0");
    assert_eq!(texts(&system.triggers[2].effects), ["Hit points -1 if {Dying}"]);
    assert_eq!(system.triggers[3].conditions().collect::<Vec<_>>(), ["dying"], "the program's own are in lower case");
    let marks: Vec<_> =
        system.soaks.iter().flat_map(|own| &own.marks).map(|own| (own.track.as_str(), own.count)).collect();
    assert_eq!(
        marks,
        [
            ("Physical stress (1)", 1),
            ("Physical stress (2)", 2),
            ("Consequences (mild)", 1),
            ("Consequences (severe)", 1)
        ]
    );
    assert!(system.soaks[0].one_a_hit && !system.soaks[1].one_a_hit);
}

#[test]
fn defences_say_what_they_do_against_what_and_whose_they_are() {
    let system = health(
        "- Hit points: max 10\n- Damage: Hit points\n- Damage types: fire, cold, mind\n- Halving: rounded up\n\
         - Armour: subtract {CON} except mind, at least 1 gets through\n- Hide: half from fire and cold\n\
         - Ward: ignore under 5 for all\n- Weakness: times `3 / 2` from fire\n- Immunity: none\n",
    );
    let said: Vec<String> = system.defences.iter().map(crate::rules::Defence::describe).collect();
    assert_eq!(
        said,
        [
            "subtract {CON} except mind, at least 1 gets through",
            "half from fire and cold",
            "ignore under 5 for all",
            "times 3 / 2 from fire",
            "none"
        ]
    );
    assert!(system.halving_up);
    assert!(matches!(system.defences[4].does, DefenceKind::None));
    let hide = &system.defences[1];
    assert!(hide.is_against(Some("Cold")) && !hide.is_against(Some("mind")) && !hide.is_against(None));
    assert_eq!(hide.on_sheet("Hide (cold)"), Some(vec!["cold"]));
    assert_eq!(hide.on_sheet("Cold hide"), None);
}

#[test]
fn rests_ends_and_time_do_what_they_say_in_order() {
    let system = health(
        "- Hit points: max 10\n- Stress: 9 boxes\n- Damage: Hit points\n- Short rest: 15 minutes pass, Hit points +1d6, *dry socks*\n\
         - Long rest: 1 day passes, Hit points to max, Stress to 0, lose Dying\n- Breather: Stress -2\n\
         - End of scene: Stress to 0\n- Each 10 minutes: Stress +1\n- Each round: Hit points -1 if {Dying}\n",
    );
    let names: Vec<_> = system.rests.iter().map(|own| (own.name.as_str(), own.kind)).collect();
    assert_eq!(
        names,
        [
            ("Short rest", RestKind::Rest),
            ("Long rest", RestKind::Rest),
            ("Breather", RestKind::Rest),
            ("End of scene", RestKind::Scene),
            ("Each round", RestKind::Round),
        ]
    );
    assert_eq!((system.rests[0].lasts(), system.rests[1].lasts()), (Some(900), Some(86_400)));
    assert_eq!(texts(&system.rests[0].effects), ["15 minutes pass", "Hit points +1d6"]);
    assert!(matches!(&system.rests[2].effects[0].act, Act::Move(_, Move::By { down: true, .. })));
    assert_eq!(system.passing[0].every, 600);
    assert_eq!(system.rests[0].text, "15 minutes pass, Hit points +1d6, dry socks");
}

#[test]
fn what_is_not_read_to_its_last_word_is_an_error_and_the_rest_stays() {
    for line in [
        "- At 0 hit point: gain Dying",
        "- At 0 Hit points: unconscious and dying",
        "- At 0 Hit points: gain Sleepy",
        "- Long rest: hit points to max, temporary hit points to 0",
        "- Long rest: all hit points return",
        "- Short rest: 1d6 hit points",
        "- Resistance: half, rounded down",
        "- Fire: half from fire",
        "- Stress: 9 boxes; full: trauma",
        "- Stress: 9 boxes, full: gain Dead, hidden",
        "- Stress: 9 boxes, hidden",
        "- Stress: 9 boxes, one a hit",
        "- Oil: from 0, full: gain Dead",
        "- Damage: Hit points",
        "- Damage types: fire and cold, 3 or more",
        "- One hit of at least 5: gain Dying",
        "- One hit 5+: Hit points -1d6",
        "- Left over max+: gain Dead",
        "- At 0 Hit points: 2d6 damage",
        "- At 0 Hit points: 8 hours pass",
        "- When total 5+: gain Dying",
        "- Each hour pass: Hit points -1",
        "- Each turn: Hit points -1",
        "- Marks: soak 0",
        "- Ends: soak 1, full: gain Dead",
        "- Short rest: Hit points -1 step",
        "- Short rest: Strength +1",
        "- Short rest: gain Dying 2",
    ] {
        let reading = system_md(&format!(
            "{HEAD}- Hit points: max 10\n- Damage: Hit points\n{line}\n- Breather: Hit points +1\n"
        ));
        assert_eq!(
            (codes(&reading), errors(&reading)),
            (vec!["document/not-understood"], 1),
            "{line}: {:?}",
            findings(&reading)
        );
        assert_eq!(reading.system.rests.last().map(|own| own.name.as_str()), Some("Breather"), "{line}");
        assert!(reading.system.triggers.is_empty() && reading.system.defences.is_empty(), "{line}");
    }
}

#[test]
fn what_has_no_label_of_the_language_is_told_and_is_no_rule() {
    for line in ["- Night's rest: Hit points to max", "- Heal up: Hit points to max", "- Rest: Hit points +1"] {
        let reading = system_md(&format!("{HEAD}- Hit points: max 10\n- Damage: Hit points\n{line}\n"));
        assert_eq!(codes(&reading), ["document/not-a-rule"], "{line}");
        assert!(reading.system.rests.is_empty());
    }
    let twice = system_md(&format!("{HEAD}- Hit points: max 10\n- Hit points: max 12\n- Damage: Hit points\n"));
    assert_eq!((codes(&twice), twice.system.tracks.len()), (vec!["document/given-twice"], 1));
}

#[test]
fn what_never_happens_is_told() {
    for (line, why) in
        [("- At -5 Hit points: gain Dead", "never comes there"), ("- At 0+ Hit points: gain Dying", "is always there")]
    {
        let reading = system_md(&format!("{HEAD}- Hit points: max 10\n- Damage: Hit points\n{line}\n"));
        assert_eq!(codes(&reading), ["health/never-reached"], "{line}");
        assert!(reading.diagnostics[0].message.contains(why), "{:?}", findings(&reading));
    }
}

#[test]
fn two_lines_about_one_rest_are_one_rest() {
    let system = health(
        "- Hit points: max 10\n- Stress: 3 boxes\n- Damage: Hit points\n- Long rest: Hit points to max\n- Long rest: Stress to 0\n",
    );
    assert_eq!(system.rests.len(), 1);
    assert_eq!(texts(&system.rests[0].effects), ["Hit points to max", "Stress to 0"]);
}
