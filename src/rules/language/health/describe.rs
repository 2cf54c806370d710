//! Everything of the Health section.

use super::tracks::{Direction, Start, Track};
use super::trigger::Trigger;
use crate::rules::language::rests::RestEffect;
use crate::rules::language::summary::{Summary, clipped};
use crate::rules::language::system::System;

/// Tracks and the like, what stands before them, what happens to them, in this order.
pub fn health(system: &System, summary: &mut Summary) {
    for own in &system.tracks {
        summary.line(&own.name, &track(own), Some(&own.place));
    }
    for own in &system.boxes {
        let values: Vec<String> = own.values.iter().map(i64::to_string).collect();
        summary.line(&own.name, &format!("boxes worth {}; one soaks one hit", values.join(", ")), Some(&own.place));
    }
    for own in &system.slots {
        summary.line(&own.name, &own.describe(), Some(&own.place));
    }
    if let Some(own) = &system.wounds {
        summary.line(&own.name, &own.describe(), Some(&own.place));
    }
    if let Some(own) = &system.damage_chain {
        summary.line("damage takes", &own.describe(), Some(&own.place));
    }
    for own in &system.mitigations {
        summary.line(&own.name, &own.kind.describe(), Some(&own.place));
    }
    for own in &system.layers {
        let track = own.track.as_deref().unwrap_or("damage");
        let kept = if own.keeps_larger { "the larger is kept" } else { "added up" };
        summary.line(&own.name, &format!("soaks before {track}; {kept}"), Some(&own.place));
    }
    for own in &system.triggers {
        summary.line(&own.when.describe(), &trigger(own), Some(&own.place));
    }
    for own in &system.rests {
        let ends = own.ends.iter().map(|condition| format!("{condition} ends"));
        let effects: Vec<String> = own.effects.iter().map(RestEffect::describe).chain(ends).collect();
        let what = if effects.is_empty() { "left to the GM".to_owned() } else { effects.join(", ") };
        summary.line(&own.name, &what, Some(&own.place));
    }
}

fn trigger(own: &Trigger) -> String {
    let also = own.also.iter().map(|also| format!("with {}: {}", also.condition, also.conditions.join(", ")));
    let effects = own.effects.iter().map(RestEffect::describe);
    let parts: Vec<String> = own.conditions.iter().cloned().chain(effects).collect();
    let parts: Vec<String> = [parts.join(", ")].into_iter().filter(|part| !part.is_empty()).chain(also).collect();
    if parts.is_empty() { clipped(&own.text) } else { parts.join("; ") }
}

fn track(track: &Track) -> String {
    let max = track.max.as_ref().map_or("no maximum".to_owned(), |max| format!("max {max}"));
    let start = match &track.start {
        Start::Full => "starts full".to_owned(),
        Start::Empty => "starts empty".to_owned(),
        Start::At(value) => format!("starts at {value}"),
    };
    let counts = match track.counts {
        Direction::Down => "counts down",
        Direction::Up => "counts up",
    };
    format!("{max}, min {}, {start}, {counts}", track.min)
}
