//! What a rest mends, for whom, and what it leaves alone.

use std::collections::BTreeSet;

use rollbook::game::mechanics::health::{DEAD, direction};
use rollbook::game::record::entry::Entry;
use rollbook::game::record::event::Event;
use rollbook::game::record::state::{Character, State, Track};
use rollbook::names::same;
use rollbook::rules::{Direction, Duration, RestEffect, System};

/// Whoever is named, or everybody of the party, rests if they live; nobody else changes.
pub fn mended(system: &System, who: Option<&str>, kind: &str, before: &State, after: &State, entries: &[Entry]) {
    let rest = system.rest(kind).expect("a rest of the rules");
    let is_dead = |own: &&Character| before.conditions_of(own.id).any(|condition| same(&condition.name, DEAD));
    let meant = |own: &&Character| who.map_or(own.is_in_party(), |who| own.name == who);
    let resting: BTreeSet<i64> =
        before.characters.values().filter(meant).filter(|own| !is_dead(own)).map(|own| own.id).collect();
    let rested: BTreeSet<i64> = entries
        .iter()
        .filter_map(|entry| match &entry.event {
            Event::Rested { subject, .. } => Some(subject.id),
            _ => None,
        })
        .collect();
    assert_eq!(rested, resting, "who rests");
    for (key, track) in after.tracks.iter().filter(|(key, _)| !resting.contains(&key.0)) {
        assert_eq!(before.tracks.get(key), Some(track), "nobody else mends");
    }
    for id in resting {
        for track in before.tracks_of(id) {
            let now = after.tracks.get(&(id, track.name.clone())).expect("tracks stay");
            let of = |effect: &&RestEffect| names(system, effect).iter().any(|own| same(own, &track.name));
            // What is mended may fire a trigger that moves it on.
            let moves_on = system.triggers.iter().any(|own| own.moves(&track.name));
            match rest.effects.iter().filter(of).collect::<Vec<_>>().as_slice() {
                _ if moves_on => {}
                [] => assert_eq!(now, track, "a rest leaves alone what it does not name"),
                [RestEffect::ToMax { .. }] => assert_eq!(Some(now.value), track.max.or(Some(track.value))),
                [RestEffect::Clears { .. }] => assert_eq!(now.value, track.min),
                _ => assert!(better(system, track, now) >= 0, "{track:?} to {now:?}"),
            }
        }
        for own in after.conditions_of(id) {
            let until = system.condition(&own.name).and_then(|rule| rule.duration.as_ref());
            let over = matches!(until, Some(Duration::Rest(until)) if same(until, &rest.name));
            assert!(!over && !rest.ends.iter().any(|name| same(name, &own.name)), "{} is over", own.name);
        }
    }
}

/// No rest and no end of a scene or a sitting mends the dead.
pub fn the_dead_stay(before: &State, after: &State) {
    let dead = |id: i64| before.conditions_of(id).any(|own| same(&own.name, DEAD));
    for (key, track) in before.tracks.iter().filter(|(key, _)| dead(key.0)) {
        assert_eq!(after.tracks.get(key), Some(track), "nothing mends the dead");
    }
}

/// How much better it stands.
fn better(system: &System, was: &Track, is: &Track) -> i64 {
    match direction(system, is) {
        Direction::Down => is.value - was.value,
        Direction::Up => was.value - is.value,
    }
}

/// The tracks that an effect is about.
fn names(system: &System, effect: &RestEffect) -> Vec<String> {
    let track = effect.track();
    let marks = system.marked_named(track).map_or_else(Vec::new, |harm| harm.marks());
    marks.into_iter().map(|own| own.name).chain([track.to_owned()]).collect()
}
