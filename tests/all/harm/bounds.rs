//! What the bounds of tracks bring, once a crossing, and take away again.

use rollbook::game::mechanics::health::{DEAD, bottom, direction};
use rollbook::game::record::change::Change;
use rollbook::game::record::entry::Entry;
use rollbook::game::record::event::Event;
use rollbook::game::record::state::{State, Track};
use rollbook::names::same;
use rollbook::rules::{Direction, System, Trigger, TriggerWhen};

/// Every track lies within its bounds.
pub fn tracks_hold(state: &State) {
    for track in state.tracks.values() {
        assert!(track.min <= track.value && track.max.is_none_or(|max| track.value <= max), "{track:?}");
    }
    for clock in state.clocks.values() {
        assert_eq!(clock.clamp(clock.value), clock.value, "{clock:?}");
    }
}

/// Whether the track is where the trigger waits for it; `None` for one that waits for something else.
fn reached(system: &System, trigger: &Trigger, track: &Track) -> Option<bool> {
    Some(match &trigger.when {
        TriggerWhen::AtZero { .. } => track.value <= bottom(track),
        TriggerWhen::Full { .. } => track.max == Some(track.value),
        TriggerWhen::AtValue { value, .. } => match direction(system, track) {
            Direction::Down => track.value <= *value,
            Direction::Up => track.value >= *value,
        },
        TriggerWhen::AtPart { part, .. } => match direction(system, track) {
            Direction::Down => track.value <= track.max? * part.of / part.by,
            Direction::Up => track.value * part.by >= track.max? * part.of,
        },
        _ => return None,
    })
}

/// Whether some trigger moves this track, so that where it stood in between cannot be seen from outside.
fn is_moved_by_triggers(system: &System, track: &str) -> bool {
    system.triggers.iter().any(|own| own.moves(track))
}

/// Each trigger fired in an entry exactly once if its bound was crossed in it, and else not; what it names is there.
pub fn brought(system: &System, before: &State, after: &State, entries: &[Entry]) {
    for entry in entries {
        let (id, fired, lost): (i64, &[String], &[String]) = match &entry.event {
            Event::Damage(event) => (event.subject.id, &event.triggers, &event.lost),
            Event::Rested { subject, triggers, .. } => (subject.id, triggers, &[]),
            _ => continue,
        };
        for trigger in &system.triggers {
            let count = fired.iter().filter(|text| **text == trigger.text).count();
            let alike = system.triggers.iter().filter(|own| own.text == trigger.text).count();
            let Some(now) = after.tracks_of(id).find(|own| same(&own.name, trigger.when.track())) else { continue };
            let Some(is) = reached(system, trigger, now) else { continue };
            if is_moved_by_triggers(system, &now.name) || alike > 1 {
                continue;
            }
            let stood = entry.changes.iter().find_map(|change| match change {
                Change::Track(images) => {
                    images.before.as_ref().filter(|own| own.name == now.name && own.character == id)
                }
                _ => None,
            });
            let was = reached(system, trigger, stood.unwrap_or(now)).expect("the same kind");
            assert_eq!(count, usize::from(is && !was), "{:?} of {}: {stood:?} to {now:?}", trigger.when, trigger.text);
            for name in trigger.conditions.iter().filter(|_| is && !was) {
                let has = after.conditions_of(id).any(|own| same(&own.name, name));
                let ended = || lost.iter().any(|own| same(own, name));
                assert!(has || ended(), "{name} came; before: {:?}", before.conditions_of(id).collect::<Vec<_>>());
            }
        }
    }
}

/// Nobody has what a bound brought and whose track has left it, but the dead.
pub fn ended(system: &System, state: &State) {
    for trigger in system.triggers.iter().filter(|own| !own.moves(own.when.track())) {
        let place = trigger.place.to_string();
        for row in state.conditions.values().filter(|own| own.source == place && !same(&own.name, DEAD)) {
            let own = state.tracks_of(row.character).find(|own| same(&own.name, trigger.when.track()));
            let Some(track) = own else { continue };
            assert_ne!(
                reached(system, trigger, track),
                Some(false),
                "{} goes when {track:?} is no longer there",
                row.name
            );
        }
    }
}
