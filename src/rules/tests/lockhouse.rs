//! The shipped adventure, read whole: every item with its line.

use super::sound;
use crate::rules::{Direction, Effect, Facts, Outcome, Reading, Start, Succeed, understood};

const TEXT: &str = include_str!("../../../adventures/lockhouse/System.md");

fn lockhouse() -> Reading {
    sound(TEXT)
}

#[test]
fn attributes_have_ranges_lines_and_the_modifier() {
    let system = lockhouse().system;
    assert_eq!(system.title.as_deref(), Some("The Lockhouse: rules of play"));
    assert!(!system.narrative);
    let read: Vec<String> = system
        .attributes
        .iter()
        .map(|own| format!("{} {} {:?} {}", own.name, own.short(), own.range, own.place))
        .collect();
    assert_eq!(
        read,
        [
            "Strength STR Some((3, 20)) System.md:28",
            "Dexterity DEX Some((3, 20)) System.md:29",
            "Constitution CON Some((3, 20)) System.md:30",
            "Intelligence INT Some((3, 20)) System.md:31",
            "Wisdom WIS Some((3, 20)) System.md:32",
            "Charisma CHA Some((3, 20)) System.md:33",
        ]
    );
    for attribute in &system.attributes {
        assert!(!attribute.modifier.assumed);
        assert_eq!([3, 9, 10, 14, 20].map(|score| attribute.modifier(score)), [Ok(-4), Ok(-1), Ok(0), Ok(2), Ok(5)]);
    }
    assert_eq!(system.attributes[1].about, "balance, aim, quiet feet, quick fingers");
}

#[test]
fn skills_are_linked_by_the_attributes_name() {
    let system = lockhouse().system;
    let read: Vec<String> = system
        .skills
        .iter()
        .map(|own| format!("{} {} {}", own.name, own.attribute.as_deref().unwrap_or("-"), own.place))
        .collect();
    assert_eq!(
        read,
        [
            "Athletics Strength System.md:42",
            "Melee Strength System.md:43",
            "Stealth Dexterity System.md:44",
            "Lockpicking Dexterity System.md:45",
            "Aim Dexterity System.md:46",
            "Endurance Constitution System.md:47",
            "Engineering Intelligence System.md:48",
            "Lore Intelligence System.md:49",
            "Perception Wisdom System.md:50",
            "Insight Wisdom System.md:51",
            "Medicine Wisdom System.md:52",
            "Persuasion Charisma System.md:53",
            "Deception Charisma System.md:54",
            "Armour - System.md:55",
        ]
    );
    assert_eq!(system.skill("lock-picking").map(|own| &own.name).ok(), None);
    let unknown = system.skill("Lockpick").expect_err("no such skill");
    assert_eq!(unknown.suggestions, ["Lockpicking"]);
    assert_eq!(unknown.to_string(), "no skill \"Lockpick\" in System.md:42-55; near: Lockpicking");
}

#[test]
fn the_checks_are_read() {
    let system = lockhouse().system;
    let check = system.default_check().expect("a check");
    assert_eq!(check.roll.to_string(), "1d20 + {modifier}");
    assert_eq!(check.target.as_ref().map(ToString::to_string).as_deref(), Some("{difficulty}"));
    assert_eq!(
        (check.succeed, check.assumed, check.place.full().as_str()),
        (Succeed::AtLeast, false, "System.md:59:1")
    );
    let judged = |margin: i64| check.judge(&Facts { margin: Some(margin), ..Facts::default() }).expect("a judgement");
    assert_eq!(judged(0).outcome, Outcome::Success);
    assert_eq!((judged(-1).outcome, judged(-1).rank), (Outcome::Failure, None));
    assert_eq!(judged(3).place.to_string(), "System.md:59");
    let strike = system.check_of_attacks().expect("a check");
    assert_eq!((strike.name.as_str(), strike.target_names()), ("Strike", vec!["Armour".to_owned()]));
    assert_eq!(system.check_of_saves().map(|own| own.name.as_str()), Some("Check"));
    assert_eq!(system.check_at(Some("Aim"), false).map(|own| own.name.as_str()), Some("Strike"));
    let swaps = [&system.advantage, &system.disadvantage].map(|swap| {
        let swap = swap.as_ref().expect("a d20 system has it");
        format!("{} {} {}", swap.roll, swap.assumed, swap.place.as_ref().expect("a place"))
    });
    assert_eq!(swaps, ["2d20kh1 true System.md:59", "2d20kl1 true System.md:59"]);
    assert_eq!(system.dice.list(), "d4, d6, d8, d10, d12, d20, d100, dF");
}

#[test]
fn health_is_read_whole() {
    let system = lockhouse().system;
    let [track] = system.tracks.as_slice() else { panic!("one track: {:?}", system.tracks) };
    assert_eq!(track.name, "Hit points");
    assert_eq!(track.max.as_ref().map(ToString::to_string).as_deref(), Some("8 + {CON} + 4 * {level}"));
    assert_eq!((track.min.to_string(), &track.start, track.counts), ("0".to_owned(), &Start::Full, Direction::Down));
    assert_eq!(track.place.to_string(), "System.md:85");
    assert!(system.track("HP").is_ok() && system.track("hit-points").is_ok());
    assert_eq!(system.damage_line(None).map(|own| own.describe()).as_deref(), Some("Hit points"));

    let texts = |effects: &[Effect]| effects.iter().map(|own| own.text.clone()).collect::<Vec<_>>().join(", ");
    let triggers: Vec<_> =
        system.triggers.iter().map(|own| (own.label.as_str(), texts(&own.effects), own.place.to_string())).collect();
    assert_eq!(
        triggers,
        [
            ("At 0 Hit points", "gain Unconscious".into(), "System.md:87".into()),
            ("Left over {Hit points max}+", "gain Dead".into(), "System.md:88".into()),
        ]
    );

    let [short, long] = system.rests.as_slice() else { panic!("two rests: {:?}", system.rests) };
    assert_eq!((short.name.as_str(), short.place.to_string().as_str()), ("Short rest", "System.md:89"));
    assert_eq!((long.name.as_str(), long.place.to_string().as_str()), ("Long rest", "System.md:90"));
    assert_eq!(texts(&short.effects), "Hit points +1d6");
    assert_eq!(texts(&long.effects), "Hit points to max");
}

#[test]
fn sections_are_kept_word_for_word() {
    let reading = lockhouse();
    let read: Vec<String> =
        reading.system.sections.iter().map(|own| format!("{} {}", own.heading, own.place)).collect();
    assert_eq!(
        read,
        [
            "The Lockhouse: rules of play System.md:1",
            "Dice System.md:6",
            "Attributes System.md:23",
            "Skills System.md:40",
            "Checks System.md:57",
            "Combat System.md:71",
            "Health System.md:83",
            "Clocks System.md:92",
        ]
    );
    let dice = &reading.system.sections[1];
    assert!(dice.text.starts_with("## Dice\n\nRoll 1d20") && dice.text.ends_with("swung in both hands."));
}

#[test]
fn what_was_assumed_is_said() {
    let system = lockhouse().system;
    let read: Vec<String> =
        system.assumptions.iter().map(|own| own.place.as_ref().map(ToString::to_string).unwrap_or_default()).collect();
    assert_eq!(read, ["System.md:59"]);
}

#[test]
fn the_summary_is_made_to_be_read() {
    insta::assert_snapshot!(understood(&lockhouse()));
}

#[test]
fn the_hash_is_of_names_and_texts() {
    let hash = lockhouse().hash;
    assert_eq!(hash.len(), 64);
    assert_eq!(hash, lockhouse().hash);
    assert_ne!(hash, sound(&format!("{TEXT}\n")).hash);
}
