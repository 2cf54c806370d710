//! Time in the game: how long a round and a rest are, what lasts for how long, what moves by itself.

use super::{findings, sound, system_md};
use crate::rules::{Act, Duration, Move, System, Target, Unit, texts};

const HEAD: &str =
    "## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n## Health\n- Hit points: max 10\n- Damage: Hit points\n";

fn read(text: &str) -> System {
    sound(&format!("{HEAD}{text}")).system
}

#[test]
fn rounds_rests_and_conditions_have_a_length() {
    for words in ["6 seconds", "6 seconds.", "`2 * 3` seconds"] {
        assert_eq!(read(&format!("\n## Combat\n- Round: {words}\n")).round.map(|own| own.what), Some(6), "{words}");
    }
    for (words, seconds) in [("8 hours pass", 8 * 3600), ("1 day passes", 86_400), ("30 minutes pass", 1800)] {
        let rest = read(&format!("- Long rest: {words}, Hit points to max\n")).rests.remove(0);
        assert_eq!((rest.name.as_str(), rest.lasts()), ("Long rest", Some(seconds)), "{words}");
        let acts: Vec<Act> = rest.effects.into_iter().map(|own| own.act).collect();
        let target = Target { track: "Hit points".to_owned(), shared: false };
        assert_eq!(acts, [Act::Pass { seconds }, Act::Move(target, Move::ToMax)], "{words}");
    }
    let read = read("\n## Conditions\n- Blessed: +2 on checks, for 10 minutes\n- Warded: for 30 minutes\n");
    let lasts: Vec<&Option<Duration>> = read.conditions.iter().map(|own| &own.duration).collect();
    assert_eq!(lasts, [&Some(Duration::For(10, Unit::Minute)), &Some(Duration::For(30, Unit::Minute))]);
}

#[test]
fn what_time_moves_stands_below_it_or_names_it() {
    let read = read(
        "\n## Company\n- Supplies: max 10\n  - Each day: -2\n\n## Clocks\n- Torch: 6 boxes\n  - Each 10 minutes: +1, Flooding +1\n- Flooding: 6 boxes\n\
         - Each hour: Supplies -1, Torch to 0\n",
    );
    let all: Vec<String> = read.passing.iter().map(|own| format!("{}: {}", own.when(), texts(&own.effects))).collect();
    assert_eq!(
        all,
        ["each day: Supplies -2", "each 10 minutes: Torch +1, Flooding +1", "each hour: Supplies -1, Torch to 0"]
    );
}

/// Each slip with its code or a part of the help.
#[test]
fn every_slip_is_said_with_what_to_write() {
    for (text, told) in [
        ("\n## Combat\n- Round: a few moments\n", "document/not-understood"),
        ("\n## Combat\n- Rounds: 6 seconds\n", "document/not-a-rule"),
        ("\n## Combat\n- Round: 6 seconds\n- Round: 10 seconds\n", "document/not-understood"),
        ("\n## Clocks\n- Torch: 6 boxes\n- Each fortnight: Torch +1\n", "document/not-understood"),
        ("\n## Clocks\n- Torch: 6 boxes\n  - Each hour: many more\n", "document/not-understood"),
        ("\n## Clocks\n- Torch: 6 boxes\n- Each hour: Rations -1\n", "document/not-understood"),
        ("\n## Clocks\n- Torch: 6 boxes\n- Each 3 rounds: Torch +1\n", "write `Each round`"),
        ("\n## Clocks\n- Game time: 6 boxes\n", "give it another name"),
        ("- Long rest: some hours pass, Hit points to max\n", "document/not-understood"),
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
    for words in ["-8 hours pass", "0 hours pass"] {
        let reading = system_md(&format!("{HEAD}- Long rest: {words}, Hit points to max\n"));
        assert_eq!((reading.system.rests.len(), findings(&reading).len()), (0, 1), "{words}");
    }
}
