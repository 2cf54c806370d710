//! The Health section: tracks and what else is hit, what stands before them, what happens at their ends.

pub mod damage;
pub mod defence;
pub mod happens;
pub mod read;
pub mod track;
pub mod trigger;

use crate::language::summary::Summary;
use crate::language::system::System;

pub use damage::DamageLine;
pub use defence::{Defence, by_type};
pub use track::{Direction, GAME_TIME, Mark, Soak, Start, Track, constant};
pub use trigger::{Trigger, TriggerWhen};

/// Tracks and the like, what stands before them, what happens to them, in this order.
/// Its lines of the summary.
pub fn describe(system: &System, summary: &mut Summary) {
    for own in &system.tracks {
        summary.line(&own.name, &own.describe(), Some(&own.place));
    }
    for own in &system.soaks {
        summary.line(&own.name, &own.describe(), Some(&own.place));
    }
    for own in &system.damage {
        let name = own.kind.as_ref().map_or("damage takes".to_owned(), |kind| format!("{kind} damage takes"));
        summary.line(&name, &own.describe(), Some(&own.place));
    }
    if let Some(out) = out_of_a_fight(system) {
        summary.line("out of a fight", &out, None);
    }
    for own in &system.defences {
        summary.line(&own.rule.name, &own.rule.to_string(), Some(&own.place));
    }
    if system.halving_up {
        summary.line("halving", "rounded up", None);
    }
    let others = system.rests.iter().chain(&system.passing).filter(|own| !own.is_shared());
    for own in system.triggers.iter().chain(others) {
        summary.line(&own.label, &own.describe(), Some(&own.place));
    }
}

/// When somebody is out of a fight: by what hurts them, and by conditions.
fn out_of_a_fight(system: &System) -> Option<String> {
    let line = system.damage_line(None)?;
    let ends = line.members().filter_map(|name| system.track(name).ok()).filter(|own| !own.is_given());
    let ends: Vec<String> = ends
        .map(|own| match own.counts {
            Direction::Up => format!("{} full", own.name),
            Direction::Down => format!("{} at {}", own.name, constant(&own.min).map_or(0, |min| min.max(0))),
        })
        .collect();
    let takes_marks = line.members().any(|name| system.soak(name).is_some());
    let ends = (!ends.is_empty() && !takes_marks).then(|| ends.join(" and "));
    let conditions = damage::OUT.iter().map(|own| (*own).to_owned());
    Some(ends.into_iter().chain(conditions).collect::<Vec<_>>().join("; "))
}
