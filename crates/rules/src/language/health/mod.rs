//! The Health section: tracks and marks, defences, and triggers.

pub mod damage;
pub mod defence;
pub mod read;
pub mod track;
pub mod trigger;
pub mod trigger_reader;

use crate::language::summary::Summary;
use crate::language::system::System;

pub use damage::DamageLine;
pub use defence::{Defence, EXCEPT, name_and_types};
pub use track::{Direction, GAME_TIME, Mark, Soak, Start, Track, constant};
pub use trigger::{Trigger, TriggerWhen};

/// Writes the summary's lines: tracks and marks, damage, defences, triggers.
pub fn describe(system: &System, summary: &mut Summary) {
    for track in &system.tracks {
        summary.line(&track.name, &track.describe(), Some(&track.place));
    }
    for soak in &system.soaks {
        summary.line(&soak.name, &soak.describe(), Some(&soak.place));
    }
    for line in &system.damage {
        let name = line
            .kind
            .as_ref()
            .map_or("damage takes".to_owned(), |kind| {
                format!("{kind} damage takes")
            });
        summary.line(&name, &line.describe(), Some(&line.place));
    }
    if let Some(out) = out_of_a_fight(system) {
        summary.line("out of a fight", &out, None);
    }
    for defence in &system.defences {
        summary.line(
            &defence.rule.name,
            &defence.rule.to_string(),
            Some(&defence.place),
        );
    }
    if system.halving_up {
        summary.line("halving", "rounded up", None);
    }
    let others = system
        .rests
        .iter()
        .chain(&system.passing)
        .filter(|trigger| !trigger.is_shared());
    for trigger in system.triggers.iter().chain(others) {
        summary.line(&trigger.label, &trigger.describe(), Some(&trigger.place));
    }
}

/// What puts characters out of a fight: the ends of tracks, and conditions.
fn out_of_a_fight(system: &System) -> Option<String> {
    let line = system.damage_line(None)?;
    let ends = line
        .members()
        .filter_map(|name| system.track(name).ok())
        .filter(|track| !track.is_temporary());
    let ends: Vec<String> = ends
        .map(|track| match track.counts {
            Direction::Up => format!("{} full", track.name),
            Direction::Down => format!(
                "{} at {}",
                track.name,
                constant(&track.min).map_or(0, |min| min.max(0))
            ),
        })
        .collect();
    let takes_marks = line.members().any(|name| system.soak(name).is_some());
    let ends = (!ends.is_empty() && !takes_marks).then(|| ends.join(" and "));
    let conditions = damage::OUT_OF_FIGHT
        .iter()
        .map(|condition| (*condition).to_owned());
    Some(
        ends.into_iter()
            .chain(conditions)
            .collect::<Vec<_>>()
            .join("; "),
    )
}
