//! What the company shares, and clocks.

use super::{codes, sound, system_md};
use crate::rules::{Direction, Start, System, TriggerWhen};

const HEAD: &str = "## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n";

fn company(text: &str) -> System {
    *sound(&format!("{HEAD}{text}")).system.company.expect("something is shared")
}

#[test]
fn a_clock_fills_up_and_supplies_are_used_up() {
    let read = company(
        "## Company\n- Supplies: 10\n- Stress: 9 boxes\n- Standing: from -3 to 3, start 0\n- Coin: start 20\n\n\
         ## Clocks\n- Flooding: 6 segments\n- The watch: 8, hidden\n- Doom: 4-segment clock (hidden)\n",
    );
    let shape = |name: &str| {
        let own = read.track(name).expect("a track");
        (own.max.as_ref().map(ToString::to_string), own.min, own.counts, own.hidden)
    };
    let of = |max: &str| Some(max.to_owned());
    assert_eq!(shape("Supplies"), (of("10"), 0, Direction::Down, false));
    assert_eq!(shape("Stress"), (of("9"), 0, Direction::Up, false));
    assert_eq!(shape("Standing"), (of("3"), -3, Direction::Down, false));
    assert_eq!(shape("Coin"), (None, 0, Direction::Down, false));
    assert_eq!(shape("Flooding"), (of("6"), 0, Direction::Up, false));
    assert_eq!(shape("The watch"), (of("8"), 0, Direction::Up, true));
    assert_eq!(shape("Doom"), (of("4"), 0, Direction::Up, true));
    assert!(matches!(read.track("Coin").expect("coin").start, Start::At(_)));
}

#[test]
fn what_happens_on_the_way_is_written_behind_it_below_it_or_anywhere() {
    let read = company(
        "## Clocks\n- Flooding: 6 segments; full: the hold is under water; alarm clears\n  - At 3: wet feet\n- Alarm: 4\n  - Full: the watch\n\n\
         ## Company\n- Supplies: 10\n  - Empty: hungry and tired\n- At 2 alarm: whispers\n\n## Conditions\n- Hungry: -1 on checks\n",
    );
    let whens: Vec<String> = read.triggers.iter().map(|own| own.when.describe()).collect();
    assert_eq!(whens, ["Supplies at 0", "Alarm at 2", "Flooding full", "Flooding at 3", "Alarm full"]);
    let of = |when: &str| read.triggers.iter().find(|own| own.when.describe() == when).expect("a trigger");
    assert_eq!(of("Supplies at 0").conditions, ["Hungry"], "only what the rules declare comes upon the party");
    assert!(of("Flooding full").moves("Alarm") && of("Flooding full").conditions.is_empty());
    assert_eq!(of("Flooding at 3").when, TriggerWhen::AtValue { track: "Flooding".to_owned(), value: 3 });
}

#[test]
fn a_table_of_clocks_is_read() {
    let read = company(
        "## Clocks\n\n| Clock | Segments | Visibility | Full |\n|---|---|---|---|\n| Flooding | 6 | public | the hold |\n| The watch | 8 | hidden | |\n",
    );
    let all: Vec<(&str, bool)> = read.tracks.iter().map(|own| (own.name.as_str(), own.hidden)).collect();
    assert_eq!(all, [("Flooding", false), ("The watch", true)]);
    assert_eq!(read.triggers.len(), 1);
}

#[test]
fn what_an_author_gets_wrong_is_told() {
    let told = |text: &str| codes(&system_md(&format!("{HEAD}{text}")));
    assert_eq!(told("## Clocks\n- Alarm: 4\n- alarm: 6\n"), ["health/duplicate"]);
    assert_eq!(told("## Clocks\n- Alarm: 4\n\n## Company\n- Alarm: 6\n"), ["health/duplicate"]);
    assert_eq!(told("## Clocks\n- Alarm: 4\n- At 6 alarm: the watch\n"), ["clocks/never-reached"]);
    assert_eq!(told("## Clocks\n- Alarm: 4\n- At 2 flood: wet feet\n"), ["health/unknown-track"]);
    assert_eq!(told("## Company\n- Standing: from -3 to 3, start 5\n"), ["health/start-out-of-range"]);
    assert_eq!(told("## Clcoks\n- Alarm: 4 segments\n"), ["document/misspelt-heading"]);
}

#[test]
fn what_is_shared_is_in_the_summary_and_in_the_model() {
    let reading =
        sound(&format!("{HEAD}## Company\n- Supplies: 10\n\n## Clocks\n- The watch: 8, hidden; full: it wakes\n"));
    let told = crate::rules::understood(&reading);
    for part in [
        "Company\n",
        "Supplies",
        "max 10, min 0, starts full, counts down",
        "Clocks\n",
        "8 segments, hidden from players",
        "The watch full",
        "it wakes",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    let model = crate::rules::model(&reading);
    assert_eq!(model["company"]["tracks"][1]["hidden"], true, "{model}");
}

#[test]
fn a_column_named_like_a_clock_moves_it_and_somebodys_own_track_comes_first() {
    let text = |column: &str, cell: &str| {
        format!(
            "# T\n\n## Checks\n\n### Try\n- Roll: `1d6`\n\n| Outcome | When | {column} |\n|---|---|---|\n| Success | total 4+ | |\n\
             | Failure | otherwise | {cell} |\n\n## Health\n- Stress: 4 boxes\n\n## Company\n- Stress: 9 boxes\n- Supplies: 10\n\n\
             ## Clocks\n- Alarm: 6 segments\n"
        )
    };
    let moves = |column: &str, cell: &str| {
        let reading = system_md(&text(column, cell));
        assert_eq!(codes(&reading), ["clocks/taken-name"]);
        let row = reading.system.checks[0].rows[1].clone();
        row.moves.iter().map(|own| (own.describe(), own.shared)).collect::<Vec<_>>()
    };
    assert_eq!(moves("Alarm", "+1"), [("one mark of Alarm".to_owned(), true)]);
    assert_eq!(moves("Supplies", "+2"), [("Supplies +2".to_owned(), true)]);
    assert_eq!(moves("Stress", "+1"), [("one mark of Stress".to_owned(), false)]);
    assert_eq!(codes(&system_md(&text("Alrm", "+1"))), ["document/reads-as-a-rule", "clocks/taken-name"]);
    assert_eq!(codes(&system_md(&text("Alarm", "soon"))), ["document/not-understood", "clocks/taken-name"]);
}

#[test]
fn a_rest_under_health_moves_what_all_share_and_nothing_of_it_is_dropped() {
    let text = |rest: &str| {
        format!(
            "{HEAD}## Health\n- Hit points: max 10\n- Medical supplies: 4 boxes\n{rest}\n\n## Company\n- Supplies: 10\n\n\
             ## Clocks\n- Alarm: 6 segments\n"
        )
    };
    let read = |rest: &str| {
        let rest = sound(&text(rest)).system.rests.remove(0);
        let words = |effects: &[crate::rules::RestEffect]| effects.iter().map(|own| own.describe()).collect::<Vec<_>>();
        (words(&rest.effects), words(&rest.shared))
    };
    let (hp, shared) = read("- Long rest: hit points and supplies to max, alarm clears");
    assert_eq!(
        (hp, shared),
        (vec!["Hit points to maximum".into()], vec!["Supplies to maximum".into(), "Alarm clears".into()])
    );
    assert_eq!(read("- Alarm clears: end of session").1, ["Alarm clears"]);
    assert_eq!(read("- Short rest: 2 supplies").1, ["Supplies +2"]);
    assert_eq!(read("- Short rest: medical supplies clear").0, ["Medical supplies clears"]);
    for left in ["1d6 supplies", "hit points to max, mana to max", "hit points to max, alrm clears"] {
        let reading = system_md(&text(&format!("- Long rest: {left}")));
        assert_eq!(codes(&reading), ["document/left-to-the-gm"], "{left}");
    }
}

#[test]
fn a_shared_name_that_somebody_else_has_is_a_finding() {
    for (section, name) in [("Company", "Stress"), ("Clocks", "Luck"), ("Clocks", "LCK"), ("Company", "stealth")] {
        let reading = system_md(&format!(
            "{HEAD}## Attributes\n- Luck (LCK): 1 to 6\n\n## Skills\n- Stealth (LCK)\n\n## Health\n- Stress: 9 boxes\n\n\
             ## {section}\n- {name}: 6 segments\n"
        ));
        assert!(codes(&reading).contains(&"clocks/taken-name"), "{name}: {:?}", codes(&reading));
    }
}

#[test]
fn what_time_does_to_a_shared_track_stands_below_it() {
    let text = |lines: &str| format!("{HEAD}## Company\n- Escalation: 6 boxes\n{lines}\n- Supplies: 10\n");
    let moments = |lines: &str| {
        let company = sound(&text(lines)).system.company.expect("something is shared");
        let of = |rest: &crate::rules::Rest| (rest.name.clone(), rest.describe());
        company.rests.iter().map(of).collect::<Vec<_>>()
    };
    let round = |effect: &str| vec![("Each round".to_owned(), vec![effect.to_owned()])];
    for lines in [
        "  - Each round: 1 more",
        "  - Every round: +1",
        "- End of the round: mark one",
        "- Each round: escalation 1 more",
    ] {
        assert_eq!(moments(lines), round("one mark of Escalation"), "{lines}");
    }
    assert_eq!(moments("  - Each round: the escalation clears"), round("Escalation clears"));
    assert_eq!(moments("- Each round: 2 less supplies"), round("2 marks of Supplies"));
    assert_eq!(
        moments("  - Each round: 1 more, supplies 1 less\n  - End of the fight: clears\n  - End of session: none"),
        [
            ("Each round".to_owned(), vec!["one mark of Escalation".to_owned(), "one mark of Supplies".to_owned()]),
            ("End of the fight".to_owned(), vec!["Escalation clears".to_owned()]),
            ("End of session".to_owned(), Vec::new()),
        ]
    );
    for (lines, code) in [
        ("  - Each round: soon", "checks/unreadable-move"),
        ("  - Each round: 1d4 more", "checks/unreadable-move"),
        ("  - Eahc round: 1 more", "document/misspelt-label"),
        ("  - Each rounds: 1 more", "document/misspelt-label"),
    ] {
        assert_eq!(codes(&system_md(&text(lines))), [code], "{lines}");
    }
    let told = crate::rules::understood(&sound(&text("  - Each round: 1 more")));
    assert!(told.contains("Each round  one mark of Escalation"), "{told}");
}

#[test]
fn the_end_of_a_fight_is_a_rest_under_health_too() {
    let health = "## Health\n- Hit points: max 10\n- Fury: 3 boxes\n- End of the fight: fury clears\n";
    assert_eq!(sound(&format!("{HEAD}{health}")).system.rests[0].describe(), ["Fury clears"]);
}

#[test]
fn a_hidden_clock_that_a_roll_names_is_told() {
    let text = |roll: &str, when: &str| {
        format!(
            "## Checks\n### Try\n- Roll: `1d6{roll}`\n- Target: `4`\n\n| Outcome | When |\n|---|---|\n| Success | margin 0+{when} |\n\
             | Failure | otherwise |\n\n## Clocks\n- Doom: 6, hidden\n- Smoke: 4\n"
        )
    };
    for (roll, when) in
        [(" + {doom}", ""), (" - {Doom=1}", ""), ("", " and {doom} 2+"), (" + {doom}", " and {doom} 2+")]
    {
        let reading = system_md(&text(roll, when));
        assert_eq!(codes(&reading), ["clocks/hidden-number"], "{roll}{when}");
    }
    sound(&text(" + {smoke}", " and {smoke} 0-3"));
}
