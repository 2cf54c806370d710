//! What the company shares, and clocks.

use super::{codes, findings, sound, system_md};
use crate::rules::{Direction, Start, System};

const HEAD: &str = "## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n";

fn company(text: &str) -> System {
    sound(&format!("{HEAD}{text}")).system
}

#[test]
fn a_clock_fills_up_and_supplies_are_used_up() {
    let system = company(
        "## Company\n- Supplies: max 10\n- Stress: 9 boxes\n- Standing: from -3 to 3, start 0\n- Coin: from 0, start 20\n\n\
         ## Clocks\n- Flooding: 6 boxes\n- The watch: 8 boxes, hidden\n",
    );
    let read = system.company.expect("something is shared");
    let shape = |name: &str| {
        let own = read.track(name).expect("a track");
        (own.max.as_ref().map(ToString::to_string), own.min.to_string(), own.counts, own.hidden, own.clock)
    };
    let of = |max: &str| Some(max.to_owned());
    assert_eq!(shape("Supplies"), (of("10"), "0".into(), Direction::Down, false, false));
    assert_eq!(shape("Stress"), (of("9"), "0".into(), Direction::Up, false, false));
    assert_eq!(shape("Standing"), (of("3"), "-3".into(), Direction::Down, false, false));
    assert_eq!(shape("Coin"), (None, "0".into(), Direction::Down, false, false));
    assert_eq!(shape("Flooding"), (of("6"), "0".into(), Direction::Up, false, true));
    assert_eq!(shape("The watch"), (of("8"), "0".into(), Direction::Up, true, true));
    assert!(matches!(read.track("Coin").expect("coin").start, Start::At(_)));
}

#[test]
fn what_happens_on_the_way_stands_behind_a_track_below_it_or_names_it() {
    let system = company(
        "## Health\n- Stress: 9 boxes\n- Damage: Stress\n- At 9 Stress: Alarm +1\n\n\
         ## Clocks\n- Flooding: 6 boxes, full: *the hold is under water*, Alarm to 0\n  - At 3: *wet feet*, Supplies -1\n  - Each hour: +1\n\
         - Alarm: 4 boxes, full: *the watch*\n\n\
         ## Company\n- Supplies: max 10\n  - At 0: gain Hungry\n  - End of fight: to max\n- At 2 Alarm: *whispers*\n\n\
         ## Conditions\n- Hungry: -1 on checks\n",
    );
    let company = system.company.as_ref().expect("something is shared");
    let of = |label: &str| company.triggers.iter().find(|own| own.label == label).expect(label);
    assert_eq!(of("At 0 Supplies").conditions().collect::<Vec<_>>(), ["Hungry"]);
    assert!(of("Flooding full").moves("Alarm") && of("Flooding full").conditions().next().is_none());
    assert!(of("At 3 Flooding").effects[0].is_shared());
    assert_eq!((of("Alarm full").text.as_str(), of("At 2 Alarm").text.as_str()), ("the watch", "whispers"));
    assert_eq!(system.triggers.len(), 1);
    assert!(system.triggers[0].effects[0].is_shared());
    assert_eq!(
        (system.passing[0].when(), system.passing[0].effects[0].text.as_str()),
        ("each hour".into(), "Flooding +1")
    );
    assert_eq!(
        (system.rests[0].name.as_str(), system.rests[0].effects[0].text.as_str()),
        ("End of fight", "Supplies to max")
    );
}

#[test]
fn what_all_share_has_one_number_for_all_and_no_dice() {
    for line in [
        "- Supplies: max {CON}",
        "- Supplies: max 2d6",
        "- Supplies: soak 1, 2",
        "- Supplies: from 0, keeps larger",
        "- Game time: 6 boxes",
        "- Torch: 6 boxes\n  - Each hour: +1d6",
        "- Torch: 6 boxes\n- Each hour: +1",
        "- Torch: 6 boxes\n- At 3: *dark*",
    ] {
        let reading =
            system_md(&format!("## Attributes\n- Constitution (CON)\n\n{HEAD}## Company\n{line}\n- Coin: max 3\n"));
        assert_eq!(codes(&reading), ["document/not-understood"], "{line}: {:?}", findings(&reading));
        assert!(reading.system.company.expect("coin").track("Coin").is_ok(), "{line}");
    }
}

#[test]
fn a_table_of_clocks_is_prose() {
    let reading = system_md(&format!("{HEAD}## Clocks\n\n| Clock | Segments |\n|---|---|\n| Flooding | 6 |\n"));
    assert_eq!((codes(&reading), reading.system.company), (vec![], None));
}
