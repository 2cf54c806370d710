//! Tracks, damage, defences, triggers and rests.

use super::{sound, system_md};
use crate::rules::grammar::effect::Rest;
use crate::rules::{Act, Effect, End, Move, Moved, System, TriggerWhen};

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
    for (bullet, meant) in [
        ("Hit points: max `8 + {CON}`, from -10", "max 8 + {CON}, min -10, starts full, counts down"),
        ("Hit points: max {Constitution}", "max {Constitution}, starts full, counts down"),
        ("Momentum: from -6 to 10, start 2", "max 10, min -6, starts at 2, counts down"),
        ("Ward: from 0, keeps larger", "no maximum, starts empty, counts down, keeps the larger"),
        ("Debt: from -3 to 3, start 0, counts up", "max 3, min -3, starts at 0, counts up"),
        ("Wounds: 10 boxes", "max 10, starts empty, counts up"),
        ("Wounds: max 10, counts up", "max 10, starts full, counts up"),
        ("Strain: 12 boxes, counts down", "max 12, starts empty, counts down"),
        ("Hope: max 5", "max 5, starts full, counts down"),
        ("Luck: from 0", "no maximum, starts empty, counts down"),
    ] {
        let track = health(&format!("- {bullet}\n- Damage: none\n")).tracks.remove(0);
        assert_eq!(track.describe(), meant, "{bullet}");
    }
}

#[test]
fn what_damage_is_taken_from_is_said_and_never_taken_for_granted() {
    assert_eq!(system_md(&format!("{HEAD}- Hit points: max 10\n")).system.damage_line(None), None);
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
    let mut facts = crate::rules::Facts::default();
    facts.values.insert("hit points max".to_owned(), 11);
    // Of each trigger numbers at which it holds, and numbers at which it does not.
    let numbers: [([i64; 2], [i64; 2]); 7] = [
        ([0, -4], [1, 9]),
        ([5, 1], [6, 9]),
        ([1, 9], [0, -4]),
        ([5, 6], [4, 0]),
        ([10, 10], [9, 0]),
        ([-6, -6], [-5, 2]),
        ([3, 4], [2, 5]),
    ];
    for (trigger, (holds, fails)) in system.triggers.iter().zip(numbers) {
        let TriggerWhen::At { range, .. } = &trigger.when else { panic!("{}", trigger.label) };
        assert_eq!(holds.map(|number| range.holds(number.into(), &facts)), [Some(true); 2], "{}", trigger.label);
        assert_eq!(fails.map(|number| range.holds(number.into(), &facts)), [Some(false); 2], "{}", trigger.label);
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
    assert_eq!(
        labels,
        [
            "One hit `{Hit points max} / 2`+",
            "Left over {Hit points max}+",
            "Damage at 0 Hit points",
            "Not soaked",
            "When {CON} 0 and {STR} 0",
        ]
    );
    assert_eq!(texts(&system.triggers[2].effects), ["Hit points -1 if {Dying}"]);
    let marks = system.soaks.iter().flat_map(|own| &own.marks).map(|own| format!("{} {}", own.track, own.count));
    let all = ["Physical stress (1) 1", "Physical stress (2) 2", "Consequences (mild) 1", "Consequences (severe) 1"];
    assert_eq!(marks.collect::<Vec<_>>(), all);
    assert!(system.soaks[0].one_a_hit && !system.soaks[1].one_a_hit);
}

#[test]
fn defences_say_what_they_do_against_what_and_whose_they_are() {
    let defences = [
        "subtract {CON} except mind, at least 1 gets through",
        "half from fire and cold",
        "ignore under 5 for all",
        "times 3 / 2 from fire",
        "none",
    ];
    let bullets: String = ["Armour", "Hide", "Ward", "Weakness", "Immunity"]
        .iter()
        .zip(defences)
        .map(|(name, does)| format!("- {name}: {}\n", does.replace("3 / 2", "`3 / 2`")))
        .collect();
    let head = "- Hit points: max 10\n- Damage: Hit points\n- Damage types: fire, cold, mind\n- Halving: rounded up\n";
    let system = health(&format!("{head}{bullets}"));
    assert_eq!(system.defences.iter().map(|own| own.rule.to_string()).collect::<Vec<_>>(), defences);
    assert!(system.halving_up);
    let hide = &system.defences[1];
    assert!(hide.is_against(Some("Cold")) && !hide.is_against(Some("mind")) && !hide.is_against(None));
    assert_eq!((hide.on_sheet("Hide (cold)"), hide.on_sheet("Cold hide")), (Some(vec!["cold"]), None));
}

#[test]
fn rests_ends_and_time_do_what_they_say_in_order() {
    let system = health(
        "- Hit points: max 10\n- Stress: 9 boxes\n- Damage: Hit points\n- Short rest: 15 minutes pass, Hit points +1d6, *dry socks*\n\
         - Long rest: 1 day passes, Hit points to max, lose Dying\n- Long rest: Stress to 0\n- Breather: Stress -2\n\
         - End of scene: Stress to 0\n- Each 10 minutes: Stress +1\n- Each round: Hit points -1 if {Dying}\n",
    );
    let names: Vec<_> = system.rests.iter().map(|own| (own.label.as_str(), own.when.clone())).collect();
    assert_eq!(
        names,
        [
            ("Short rest", TriggerWhen::Rest(Rest::Short)),
            ("Long rest", TriggerWhen::Rest(Rest::Long)),
            ("Breather", TriggerWhen::Rest(Rest::Breather)),
            ("End of scene", TriggerWhen::EndOf(End::Scene)),
            ("Each round", TriggerWhen::Round),
        ]
    );
    assert_eq!((system.rests[0].lasts(), system.rests[1].lasts()), (Some(900), Some(86_400)));
    assert_eq!(system.rests[0].text, "15 minutes pass, Hit points +1d6, dry socks");
    let long = ["1 day passes", "Hit points to max", "lose Dying", "Stress to 0"];
    assert_eq!(texts(&system.rests[1].effects), long, "two lines are one rest");
    let to_max = Act::Move(Moved::Named("Hit points".to_owned()), Move::ToMax);
    assert_eq!(system.rests[1].effects[1].act, to_max);
    assert_eq!(system.passing[0].when, TriggerWhen::Each(600));
}
