//! What one hit comes to.

use rollbook::game::decide::damage::{DamageCall, DamageResult, Measure};
use rollbook::game::mechanics::health::direction;
use rollbook::game::record::entry::Entry;
use rollbook::game::record::event::{Event, Step};
use rollbook::game::record::state::{Condition, State};
use rollbook::names::same;
use rollbook::rules::{Direction, MitigationKind, System};

/// What was foretold is what was written down and what stands on the sheet; nothing else of anybody's moved.
pub fn as_foretold(wound: &DamageResult, before: &State, after: &State, entries: &[Entry]) {
    let written = entries.iter().find_map(|entry| match &entry.event {
        Event::Damage(event) => Some(event),
        _ => None,
    });
    assert_eq!(written, Some(&wound.event), "as it was foretold");
    let id = wound.event.subject.id;
    let mut tracks = before.tracks.clone();
    tracks.extend(wound.moved.iter().filter(|(was, is)| was != is).map(|(_, is)| ((id, is.name.clone()), is.clone())));
    assert_eq!(after.tracks, tracks, "these tracks and no other");
    let mut has: Vec<String> = after.conditions_of(id).map(Condition::label).collect();
    let mut told = wound.consequences.labels_after(before);
    has.sort();
    told.sort();
    assert_eq!(has, told, "these conditions");
}

/// Whether a step tells how a track moved, and not what a step of the arithmetic left.
fn is_of_track(system: &System, call: &DamageCall, wound: &DamageResult, step: &Step) -> bool {
    let named = call.track.as_ref().is_some_and(|track| same(track, &step.step));
    let layer = system.layers.iter().any(|own| same(&own.name, &step.step));
    let plain = !layer && !system.holds_marks(&step.step);
    wound.moved.iter().any(|(_, is)| is.name == step.step) && (named || plain)
}

/// The steps come to the amount, to the point; healing that nothing could use is told as what is past the end.
pub fn adds_up(system: &System, call: &DamageCall, wound: &DamageResult) {
    let sign = wound.event.amount.signum();
    let points = |step: &Step| match step.step.as_str() {
        "past the end of the track" | "the larger is kept" => sign * (step.before - step.after),
        _ if is_of_track(system, call, wound, step) => sign * (step.before - step.after).abs(),
        _ => step.before - step.after,
    };
    let taken: i64 = wound.event.steps.iter().map(points).sum();
    assert_eq!(taken, wound.event.amount, "{:?}", wound.event.steps);
    for step in wound.event.steps.iter().filter(|step| is_of_track(system, call, wound, step)) {
        let (was, _) = wound.moved.iter().find(|(was, _)| was.name == step.step).expect("a track");
        assert_eq!(was.value, step.before, "a track's step begins where the track stood");
    }
}

/// A hit makes nothing better and healing makes nothing worse, but for what a trigger of the rules does to a track.
pub fn goes_one_way(system: &System, call: &DamageCall, wound: &DamageResult) {
    if system.triggers.iter().any(|own| !own.effects.is_empty() && wound.event.triggers.contains(&own.text)) {
        return;
    }
    let heals = wound.event.amount < 0;
    for (was, is) in &wound.moved {
        let worse = match direction(system, is) {
            Direction::Down => was.value - is.value,
            Direction::Up => is.value - was.value,
        };
        assert!(if heals { worse <= 0 } else { worse >= 0 }, "{call:?} moved {was:?} to {}", is.value);
    }
}

/// What stands in the way of a hit of one kind takes what the rules say, in their order, said once more.
pub fn mitigated(system: &System, call: &DamageCall, wound: &DamageResult, before: &State) {
    let amount = wound.event.amount;
    if !call.parts.is_empty() || call.track.is_some() || amount < 1 {
        return;
    }
    let (step, whole) = match call.measure {
        Measure::Once => (None, amount),
        Measure::Half => (Some("half, rounded down"), amount / 2),
        Measure::Twice => (Some("twice"), amount * 2),
    };
    let measured = wound.event.steps.iter().find(|own| ["half, rounded down", "twice"].contains(&own.step.as_str()));
    assert_eq!(measured.map(|own| (own.step.as_str(), own.after)), step.map(|step| (step, whole)));
    let bypassed = |name: &str| call.bypass.iter().any(|own| same(own, name));
    let mut left = whole;
    for own in system.mitigations.iter().filter(|own| !bypassed(&own.name)) {
        let has = before.tracks_of(wound.event.subject.id).filter(|track| is_against(&track.name, &own.name, call));
        let value = has.map(|track| track.value).max().unwrap_or(0);
        let who = before.characters.get(&wound.event.subject.id);
        let tough = || who.and_then(|own| own.attributes.get("Toughness")).copied().unwrap_or(0);
        left = match &own.kind {
            MitigationKind::Subtract(Some(_)) => (left - tough() / 3).max(left.min(1)),
            MitigationKind::Threshold(Some(most)) if left < most.to_string().parse().expect("a number") => 0,
            _ if value < 1 => left,
            MitigationKind::Subtract(None) => left - value.min(left),
            MitigationKind::Halves { count: 1, up: true } => left - left / 2,
            MitigationKind::Halves { count: 1, up: false } => left / 2,
            MitigationKind::Halves { count, .. } => left * count / 2,
            MitigationKind::Nothing => 0,
            MitigationKind::Threshold(_) => left,
        };
    }
    let of_rules = |step: &&Step| system.mitigations.iter().any(|own| step.step.starts_with(&own.name));
    let taken: i64 = wound.event.steps.iter().filter(of_rules).map(|step| step.before - step.after).sum();
    assert_eq!(whole - taken, left, "{:?}", wound.event.steps);
}

fn is_against(track: &str, name: &str, call: &DamageCall) -> bool {
    let Some((own, types)) = track.split_once(" (") else { return same(track, name) };
    let of = |kind: &String| types.trim_end_matches(')').split(", ").any(|own| own == kind);
    own == name && call.damage_type.as_ref().is_some_and(of)
}
