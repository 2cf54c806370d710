//! The Health section: tracks and what else is hit, what stands before them, what happens at their ends.

pub mod boxes;
mod chained;
pub mod damage_chain;
mod damage_type;
pub mod harm;
pub mod mitigation;
mod mitigation_words;
mod read;
pub mod tracks;
pub mod trigger;
pub mod triggers;
pub mod wounds;

use crate::rules::document::Bullet;
use crate::rules::language::entry::SectionEntry;
use crate::rules::language::labels::{Labelled, is_mechanical};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::names::Names;
use crate::rules::language::outline::Outline;
use crate::rules::language::range;
use crate::rules::language::rests::{self, RestEffect};
use crate::rules::language::shape::{Fit, Shape, has_number_or_name, mechanical_fit};
use crate::rules::language::summary::Summary;
use crate::rules::language::summary::clipped;
use crate::rules::language::system::System;
use crate::rules::language::time_words::span_words;
use crate::rules::section::SectionKind;

pub use boxes::{Boxes, Slot, Slots};
pub use damage_chain::DamageChain;
pub use damage_type::{by_type, ours as defence_in_ours};
pub use harm::{Harm, Marks};
pub use mitigation::{Layer, Mitigation, MitigationKind};
pub use tracks::{Direction, Start, Track};
pub use trigger::{AlsoWith, Part, Trigger, TriggerWhen};
pub use wounds::Wounds;

/// The section.
pub const SECTION: SectionEntry = SectionEntry {
    read: read_section,
    // Only with all conditions is known which of them a rest may end.
    resolve: |_, system, ledger| rests::read::resolve(system, ledger),
    describe,
    ..SectionEntry::of(Shape {
        bullet,
        has_value,
        prose: |words| words.to_ascii_lowercase().contains("hit points"),
        subjects: &[
            "hit points",
            "hitpoints",
            "hp",
            "health points",
            "life",
            "life points",
            "wounds",
            "wound",
            "injury",
            "injuries",
            "stress",
            "sanity",
            "vitality",
            "stamina",
            "mana",
            "death",
            "dying",
            "rests",
            "resting",
            "recovery",
            "healing",
            "tracks",
        ],
        ..Shape::of(SectionKind::Health, &["Health", "Harm", "Damage"], &read::LABELS)
    })
};

fn has_value(label: &Labelled) -> bool {
    matches!(label.folded.as_str(), "short rest" | "long rest" | "end of scene" | "at 0 hit points")
        || has_number_or_name(label)
}

/// `max 12`, `9 boxes`.
fn bullet(bullet: &Bullet, label: Option<&Labelled>, ledger: &Ledger<'_>) -> Fit {
    if label.is_some_and(is_track) { Fit::Well } else { mechanical_fit(bullet, label, ledger) }
}

fn is_track(label: &Labelled) -> bool {
    let words = label.value.as_str().to_ascii_lowercase();
    ["max ", "maximum "].iter().any(|opening| words.starts_with(opening)) && is_mechanical(&label.value)
        || range::number(&words).is_some_and(|(_, rest)| rest.trim_start().starts_with("boxes"))
}

fn read_section(outline: &Outline<'_>, names: &mut Names, system: &mut System, ledger: &mut Ledger<'_>) {
    system.tracks = tracks::read(outline, names, ledger);
    chained::read(outline, system, ledger);
    read::read(outline, names, system, ledger);
}

/// Tracks and the like, what stands before them, what happens to them, in this order.
fn describe(system: &System, summary: &mut Summary) {
    for own in &system.tracks {
        summary.line(&own.name, &describe_track(own), Some(&own.place));
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
    let main = system.harm().map(|harm| harm.name());
    for own in system.tracks.iter().filter(|own| Some(own.name.as_str()) != main && system.puts_out(&own.name)) {
        summary.line(
            &format!("{} damage", own.name.to_lowercase()),
            &format!("falls on {}", own.name),
            Some(&own.place),
        );
    }
    if let Some(out) = out_of_a_fight(system) {
        summary.line("out of a fight", &out, None);
    }
    for own in &system.mitigations {
        summary.line(&own.name, &own.describe(), Some(&own.place));
    }
    for own in &system.layers {
        let track = own.track.as_deref().unwrap_or("damage");
        let kept = if own.keeps_larger { "the larger is kept" } else { "added up" };
        summary.line(&own.name, &format!("soaks before {track}; {kept}"), Some(&own.place));
    }
    for own in &system.triggers {
        summary.line(&own.when.describe(), &describe_trigger(own), Some(&own.place));
    }
    for own in &system.rests {
        let ends = own.ends.iter().map(|condition| format!("{condition} ends"));
        let lasts = own.lasts.map(span_words);
        let effects: Vec<String> = lasts.into_iter().chain(own.describe()).chain(ends).collect();
        let what = match effects.is_empty() {
            true if own.name.to_lowercase().ends_with("scene") => "ends what lasts until then".to_owned(),
            true => "left to the GM".to_owned(),
            false => effects.join(", "),
        };
        summary.line(&own.name, &what, Some(&own.place));
    }
}

/// When somebody is out of a fight: by what hurts them, and by conditions.
fn out_of_a_fight(system: &System) -> Option<String> {
    let harm = match system.harm() {
        Some(Harm::Track(own)) if own.counts == Direction::Up => Some(format!("{} full", own.name)),
        Some(Harm::Track(own)) => Some(format!("{} at {}", own.name, own.min.max(0))),
        Some(Harm::Chain(chain)) => Some(format!("{} at 0", chain.members().collect::<Vec<&str>>().join(", "))),
        Some(Harm::Boxes(_) | Harm::Slots(_) | Harm::Wounds(_)) | None => None,
    };
    let ways: Vec<String> = harm.into_iter().chain(system.ways_out().map(str::to_lowercase)).collect();
    (!ways.is_empty()).then(|| ways.join("; "))
}

/// What a trigger brings, in a few words.
pub fn describe_trigger(own: &Trigger) -> String {
    let also = own.also.iter().map(|also| format!("with {}: {}", also.condition, also.conditions.join(", ")));
    let effects = own.effects.iter().map(RestEffect::describe);
    let parts: Vec<String> = own.conditions.iter().cloned().chain(effects).collect();
    let parts: Vec<String> = [parts.join(", ")].into_iter().filter(|part| !part.is_empty()).chain(also).collect();
    if parts.is_empty() { clipped(&own.text) } else { parts.join("; ") }
}

/// A track in a few words.
pub fn describe_track(track: &Track) -> String {
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
