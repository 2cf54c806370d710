//! Tracks, triggers and rests.

use super::{codes, system_md};
use crate::rules::{Direction, RestEffect, Start, System, TriggerWhen};

const HEAD: &str = "## Dice\nRoll 1d20.\n## Attributes\n- Constitution (CON)\n## Health\n";

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
            TriggerWhen::OneHitOfHalfMax { track: track() },
            TriggerWhen::OneHitOfMax { track: track() },
        ]
    );
    assert_eq!(system.triggers[0].conditions, ["unconscious", "dying"]);
}

#[test]
fn a_trigger_of_no_track_is_found() {
    let (system, codes) = health("- Hit points: 10\n- At 0 hit pints: unconscious\n- At 5 hit points: bloodied\n");
    assert_eq!(codes, ["health/unknown-track", "document/not-read-yet"]);
    assert!(system.triggers.is_empty());
}

#[test]
fn rests_say_what_becomes_of_tracks() {
    let (system, codes) = health(
        "- Hit points: 10\n- Stress: 4 boxes\n- Short rest: `1d6 + {CON}` hit points\n- Long rest: HP to max; clear stress\n- End of scene: stress clears\n- Rest: a song\n",
    );
    assert_eq!(codes, ["health/left-to-the-gm"]);
    let (hp, stress) = (|| "Hit points".to_owned(), || "Stress".to_owned());
    assert!(
        matches!(&system.rests[0].effects[..], [RestEffect::Gives { amount, .. }] if amount.to_string() == "1d6 + {CON}")
    );
    assert_eq!(system.rests[1].effects, [RestEffect::ToMax { track: hp() }, RestEffect::Clears { track: stress() }]);
    assert_eq!(system.rests[2].effects, [RestEffect::Clears { track: stress() }]);
    assert!(system.rests[3].effects.is_empty());
}

#[test]
fn what_belongs_to_the_language_and_is_not_carried_out_is_said() {
    let (_, codes) = health(
        "- Hit points: 10\n- Armour: subtract from damage\n- Physical stress: boxes 1, 2\n- Motto: never give up\n",
    );
    assert_eq!(codes, ["document/not-read-yet"; 2]);
}
