//! A hit's steps add up to its amount, whatever is in its way.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{DamageCall, Measure, preview};
use crate::decide::character::SheetCall;
use crate::decide::character::tracks::new_tracks;
use crate::record::event::{Part, Step};
use crate::record::state::{Character, Kind, State};
use rollbook_rules::System;
use rollbook_text::diagnostic::SourceFile;

const DEFENCES: &str = "- Damage types: cold, fire\n- Armour: subtract {Armour}\n- Resistance: half\n- Vulnerability: double\n- Immunity: none\n\
     - Threshold: ignore under 3 for all\n- Temporary hit points: from 0, keeps larger\n";
const HEALTH: [&str; 5] = [
    "- Hit points: max 12\n- Damage: Temporary hit points, Hit points\n- At 0 Hit points: gain Unconscious\n",
    "- Physical stress: soak 1, 2, 3, one a hit\n- Consequences: soak mild 2, severe 6\n\
     - Damage: Temporary hit points, Physical stress, Consequences\n- Not soaked: gain Incapacitated\n",
    "- Lesser harm: 2 boxes, over: Severe harm +1\n- Severe harm: 1 box, over: gain Dead\n- Damage: Temporary hit points, Lesser harm\n",
    "- Wounds: 3 boxes, over: gain Incapacitated\n- Damage: none\n- One hit {Toughness}+: Wounds +`floor(({hit} - {Toughness}) / 4)`\n",
    "- Hide: max 3\n- Hair: max 2\n- Teeth: 2 boxes\n- Damage: Temporary hit points, Toughness, Hide or Hair, Teeth\n\
     - When {Toughness} 0 and {Hide} 0 and {Hair} 0 and {Teeth} 2: gain Dead\n",
];

const TRACKS: [&str; 6] = ["Hit points", "Lesser harm", "Toughness", "Hide", "Hair", "Teeth"];

fn system(health: &str) -> System {
    let text = format!("# T\n\n## Attributes\n\n- Toughness: hard\n\n## Health\n\n{health}{DEFENCES}");
    rollbook_rules::read(vec![SourceFile::new("System.md", text)]).system
}

/// A character with what is in the way, and half of whatever can be marked.
fn somebody(system: &System, on_sheet: &BTreeMap<String, i64>) -> State {
    let mut state = State::default();
    let character = Character {
        id: 1,
        name: "Ann".to_owned(),
        kind: Kind::Player,
        level: 1,
        xp: 0,
        attributes: BTreeMap::from([("Toughness".to_owned(), 4)]),
        ..Character::default()
    };
    let sheet = SheetCall { tracks: on_sheet.clone(), ..SheetCall::default() };
    for track in new_tracks(&state, system, &character, &sheet).expect("tracks") {
        state.tracks.insert((1, track.name.clone()), track);
    }
    state.characters.insert(1, character);
    state
}

/// The points of a step: what it took of the hit, or how far it moved a track.
fn points(step: &Step, track: bool) -> i64 {
    if track { (step.before - step.after).abs() } else { step.before - step.after }
}

proptest! {
    #[test]
    fn the_steps_are_the_amount(
        shape in 0usize..5,
        amount in 0i64..60,
        fire in 0i64..30,
        bypassed: bool,
        measure in prop::sample::select(vec![Measure::Once, Measure::Half, Measure::Twice]),
        cold: bool,
        ward in prop::collection::btree_map(
            prop::sample::select(vec!["Armour", "Armour (cold)", "Resistance (cold)", "Vulnerability", "Immunity (cold)", "Temporary hit points"]),
            0i64..6,
            0..4,
        ),
        hits in 1usize..6,
    ) {
        let system = system(HEALTH[shape]);
        let on_sheet = ward.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let mut state = somebody(&system, &on_sheet);
        for _ in 0..hits {
            // Of one kind, or some of it fire.
            let kind = cold.then(|| "cold".to_owned());
            let parted = fire > 0 && amount > 0;
            let parts = match parted {
                true => vec![
                    Part { amount, damage_type: kind.clone() },
                    Part { amount: fire, damage_type: Some("fire".to_owned()) },
                ],
                false => Vec::new(),
            };
            let call = DamageCall {
                target: "Ann".to_owned(),
                amount: (!parted).then_some(amount),
                damage_type: kind.filter(|_| !parted),
                parts,
                bypass: if bypassed { vec!["armour".to_owned()] } else { Vec::new() },
                measure,
                track: (shape == 4).then(|| "Hair".to_owned()),
                apply_conditions: vec!["hit".to_owned()],
                ..DamageCall::default()
            };
            let result = match preview(&state, &system, &call, None) {
                // Nothing reaches the dead, not even when all that there was has been taken.
                Err(refused) if refused.code.as_str() == "target_dead" => break,
                result => result.expect("a wound"),
            };
            let steps = &result.event.steps;
            let taken: i64 = steps.iter().map(|step| points(step, TRACKS.contains(&step.step.as_str()))).sum();
            prop_assert_eq!(taken, if parted { amount + fire } else { amount }, "{:?}", steps);
            prop_assert!(!bypassed || !steps.iter().any(|step| step.step.starts_with("Armour")), "{:?}", steps);
            for (before, after) in result.moved {
                prop_assert!(after.min <= after.value && after.max.is_none_or(|max| after.value <= max), "{:?}", after);
                prop_assert_eq!(&state.tracks[&(1, before.name.clone())], &before);
                state.tracks.insert((1, after.name.clone()), after);
            }
        }
    }
}
