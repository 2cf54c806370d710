//! Time in the game: how long a round and a rest are, what lasts for how long, what moves by itself.

use super::{findings, sound, system_md};
use crate::rules::{Duration, RestEffect, System, lasting};

const HEAD: &str =
    "## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n## Health\n- Hit points: max `10`, from 0\n";

fn read(text: &str) -> System {
    sound(&format!("{HEAD}{text}")).system
}

#[test]
fn rounds_rests_and_conditions_have_a_length() {
    for words in ["6 seconds", "6 seconds.", "`2 * 3` seconds"] {
        assert_eq!(read(&format!("\n## Combat\n- Round: {words}\n")).round.map(|own| own.what), Some(6), "{words}");
    }
    for bullet in [
        "Long rest: 8 hours, hit points to max",
        "Long rest (8 hours): hit points to max",
        "Long rest: takes at least 8 hours; hit points to max",
        "Long rest: hit points to max and 8 hours",
    ] {
        let rest = read(&format!("- {bullet}\n")).rests.remove(0);
        assert_eq!((rest.name.as_str(), rest.lasts), ("Long rest", Some(8 * 3600)), "{bullet}");
        assert_eq!(rest.effects, [RestEffect::ToMax { track: "Hit points".to_owned() }], "{bullet}");
    }
    let read = read("\n## Conditions\n- Blessed: +2 on checks, for 10 minutes\n- Warded: for 30 minutes\n");
    let lasts: Vec<&Option<Duration>> = read.conditions.iter().map(|own| &own.duration).collect();
    assert_eq!(lasts, [&Some(Duration::Time(600)), &Some(Duration::Time(1800))]);
}

#[test]
fn what_time_moves_stands_below_it_or_names_it() {
    let read = read(
        "\n## Company\n- Supplies: 10\n- Each day: 2 less\n\n## Clocks\n- Torch: 6 segments\n  - Each 10 minutes: 1 more, mark one Flooding\n- Flooding: 6 segments\n\
         - Every hour: 1 less supplies and torch clears\n",
    );
    let company = read.company.expect("something is shared");
    let all: Vec<String> = company.passing.iter().map(|own| format!("{}: {}", own.when(), own.describe())).collect();
    assert_eq!(
        all,
        [
            "each day: 2 marks of Supplies",
            "each 10 minutes: one mark of Torch, one mark of Flooding",
            "each hour: one mark of Supplies, Torch clears",
        ]
    );
}

/// Each slip with the code that it gets, the words that it is shown at, and a part of the help.
#[test]
fn every_slip_is_said_with_what_to_write() {
    for (text, told) in [
        ("\n## Combat\n- Round: a few moments\n", "document/not-understood"),
        ("\n## Combat\n- Rounds: 6 seconds\n", "document/not-a-rule"),
        ("\n## Combat\n- Round: 6 seconds\n- Round: 10 seconds\n", "document/not-understood"),
        ("\n## Clocks\n- Torch: 6\n- Each fortnight: 1 more\n", "time/unreadable-time"),
        ("\n## Clocks\n- Torch: 6\n- Each hour: many more\n", "checks/unreadable-move"),
        ("\n## Clocks\n- Torch: 6\n- Each hour: 1 less rations\n", "checks/unreadable-move"),
        ("\n## Clocks\n- Game time: 6 segments\n", "give it another name"),
        ("- Long rest (some hours): hit points to max\n", "document/left-to-the-gm"),
    ] {
        let found = findings(&system_md(&format!("{HEAD}{text}"))).join("\n");
        assert!(found.contains(told) && found.lines().count() == 1, "{text}{found}");
    }
}

#[test]
fn a_length_below_nothing_is_none() {
    for words in ["-6 seconds", "about -6 seconds", "\u{2212}6 seconds", "0 seconds"] {
        let reading = system_md(&format!("{HEAD}\n## Combat\n- Round: {words}\n"));
        assert_eq!((reading.system.round.is_none(), findings(&reading).len()), (true, 1), "{words}");
    }
    let reading = system_md(&format!("{HEAD}- Long rest: -8 hours, hit points to max\n"));
    assert_eq!(reading.system.rests[0].lasts, None, "{:?}", findings(&reading));
    assert_eq!(lasting("-3 rounds", &read("")), None);
}
