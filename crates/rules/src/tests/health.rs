//! Tracks, damage, defences, triggers and rests.

use super::{sound, system_md};
use crate::{Effect, System, TriggerWhen};

const HEAD: &str = "## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Constitution (CON)\n- Strength (STR)\n## Health\n";

fn health(bullets: &str) -> System {
    sound(&format!("{HEAD}{bullets}")).system
}

fn texts(effects: &[Effect]) -> Vec<&str> {
    effects.iter().map(|effect| effect.text.as_str()).collect()
}

#[test]
fn damage_is_taken_from_what_a_line_names_and_never_assumed() {
    assert_eq!(
        system_md(&format!("{HEAD}- Hit points: max 10\n"))
            .system
            .damage_line(None),
        None
    );
    let system = health(
        "- Nerve: max 4\n- Stun: 10 boxes\n- Damage types: stun\n- Damage: CON, STR or Nerve\n- Damage stun: Stun\n",
    );
    let line = |kind| system.damage_line(kind).expect("a line").describe();
    assert_eq!(line(None), "Constitution, then Strength or Nerve");
    assert_eq!(
        (line(Some("stun")), line(Some("fire"))),
        ("Stun".to_owned(), line(None))
    );
    assert!(system.damage_lowers("Constitution") && !system.damage_lowers("Nerve"));
    assert!(
        health("- Oil: max 4\n- Damage: none\n").damage[0]
            .stages
            .is_empty()
    );
}

#[test]
fn one_number_is_reached_or_passed_away_from_where_the_track_starts() {
    let system = health(
        "- Hit points: max 10, from -10\n- Stress: 9 boxes\n- Momentum: from -6 to 10, start 2\n- Damage: Hit points\n\
         - At 0 Hit points: gain Dying\n- At `{Hit points max} / 2` Hit points: *bloodied*\n- At 1+ Hit points: lose Dying\n\
         - At 5 Stress: gain Stable\n- At 10 Momentum: Stress -1\n- At -6 Momentum: Stress +1\n- At 3-4 Stress: Momentum to 2\n",
    );
    let mut facts = crate::Facts::default();
    facts.values.insert("hit points max".to_owned(), 11);
    // For each trigger numbers at which it holds, and numbers at which it does not.
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
        let TriggerWhen::At { range, .. } = &trigger.when else {
            panic!("{}", trigger.label)
        };
        assert_eq!(
            holds.map(|number| range.holds(number.into(), &facts)),
            [Some(true); 2],
            "{}",
            trigger.label
        );
        assert_eq!(
            fails.map(|number| range.holds(number.into(), &facts)),
            [Some(false); 2],
            "{}",
            trigger.label
        );
    }
}

#[test]
fn a_defence_is_against_its_types_and_on_who_has_it() {
    let head = "- Hit points: max 10\n- Damage: Hit points\n- Damage types: fire, cold, mind\n";
    let system = health(&format!("{head}- Hide: half from fire and cold\n"));
    let hide = &system.defences[0];
    assert!(
        hide.is_against(Some("Cold")) && !hide.is_against(Some("mind")) && !hide.is_against(None)
    );
    assert_eq!(
        (hide.on_sheet("Hide (cold)"), hide.on_sheet("Cold hide")),
        (Some(vec!["cold"]), None)
    );
    let but = |kind| hide.covers("Hide (except cold, acid)", kind);
    assert!(but(None) && but(Some("fire")) && !but(Some("Acid")) && !but(Some("cold")));
}

#[test]
fn two_lines_of_a_rest_are_one_in_order() {
    let system = health(
        "- Hit points: max 10\n- Stress: 9 boxes\n- Damage: Hit points\n- Short rest: 15 minutes pass, Hit points +1d6, *dry socks*\n\
         - Long rest: 1 day passes, Hit points to max, lose Dying\n- Long rest: Stress to 0\n",
    );
    assert_eq!(
        (system.rests[0].lasts(), system.rests[1].lasts()),
        (Some(900), Some(86_400))
    );
    assert_eq!(
        system.rests[0].text,
        "15 minutes pass, Hit points +1d6, dry socks"
    );
    let long = [
        "1 day passes",
        "Hit points to max",
        "lose Dying",
        "Stress to 0",
    ];
    assert_eq!(texts(&system.rests[1].effects), long);
}
