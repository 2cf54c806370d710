//! The Health section beyond its tracks: triggers, rests, and what is not read.

use super::{boxes, mitigation, tracks, triggers, wounds};
use crate::names::same;
use crate::rules::language::labels::{Labelled, labelled, report_misspelt};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::names::Names;
use crate::rules::language::outline::Outline;
use crate::rules::language::rests;
use crate::rules::language::rests::{Rest, RestEffect};
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// What a misspelt label is compared with.
pub const LABELS: [&str; 10] = [
    "Hit points",
    "Short rest",
    "Long rest",
    "End of scene",
    "Armour",
    "Resistance",
    "Vulnerability",
    "Immunity",
    "Threshold",
    "At 0 hit points",
];

/// Reads everything but the tracks and the chain of damage, which are there already. What holds marks comes first, since
/// triggers and rests speak of it wherever it stands.
pub fn read(outline: &Outline<'_>, names: &Names, system: &mut System, ledger: &mut Ledger<'_>) {
    let labels: Vec<Labelled> =
        outline.bullets(SectionKind::Health).filter_map(|bullet| labelled(bullet, ledger)).collect();
    let is_marked: Vec<bool> = labels
        .iter()
        .map(|label| {
            !tracks::is_track(label, names) && !triggers::is_like(label) && marked(label, names, system, ledger)
        })
        .collect();
    for (label, is_marked) in labels.iter().zip(is_marked) {
        if is_marked || one(label, names, system, ledger) {
            ledger.take(label.span);
        }
    }
}

/// Takes boxes, slots and wounds; whether it was one of these.
fn marked(label: &Labelled, names: &Names, system: &mut System, ledger: &mut Ledger<'_>) -> bool {
    if let Some(wounds) = wounds::wounds(label, names, ledger) {
        system.wounds.get_or_insert(wounds);
    } else if let Some(own) = boxes::boxes(label, ledger) {
        if ledger.has_room(system.boxes.len(), "boxes", label.span) {
            system.boxes.push(own);
        }
    } else if let Some(own) = boxes::slots(label, ledger) {
        if ledger.has_room(system.slots.len(), "slots", label.span) {
            system.slots.push(own);
        }
    } else {
        return false;
    }
    true
}

/// Puts one bullet where it belongs; whether it has a known shape. One that has none is prose, or a misspelling.
fn one(label: &Labelled, names: &Names, system: &mut System, ledger: &mut Ledger<'_>) -> bool {
    if tracks::is_track(label, names) {
        let full = triggers::full(label.label.as_str(), label, system, ledger);
        if let Some(trigger) = full.filter(|_| ledger.has_room(system.triggers.len(), "triggers", label.span)) {
            system.triggers.push(trigger);
        }
    } else if let Some(trigger) = triggers::read(label, names, system, ledger) {
        if let Some(trigger) = trigger.filter(|_| ledger.has_room(system.triggers.len(), "triggers", label.span)) {
            system.triggers.push(trigger);
        }
    } else if let Some(rest) =
        rests::read::read(label, system, names, ledger).or_else(|| rests::read::turned(label, system, names, ledger))
    {
        if ledger.has_room(system.rests.len(), "rests", label.span) {
            add_rest(rest, &mut system.rests);
        }
    } else if let Some(found) = mitigation::read(label, names, ledger) {
        if ledger.has_room(system.mitigations.len(), "kinds of mitigation", label.span) {
            system.mitigations.extend(found);
        }
    } else if let Some(layer) = mitigation::layer(label, &system.tracks, ledger) {
        if ledger.has_room(system.layers.len(), "layers", label.span) {
            system.layers.push(layer);
        }
    } else {
        if !report_misspelt(label, &LABELS, ledger) && triggers::is_like(label) {
            ledger.left_to_gm(label.span, "it looks like a rule, and has none of the shapes that are read here");
        }
        return false;
    }
    true
}

/// Two bullets about one rest are one rest.
fn add_rest(rest: Rest, rests: &mut Vec<Rest>) {
    match rests.iter_mut().find(|known| same(&known.name, &rest.name)) {
        Some(known) => {
            let new: Vec<RestEffect> =
                rest.effects.into_iter().filter(|effect| !known.effects.contains(effect)).collect();
            let shared: Vec<RestEffect> =
                rest.shared.into_iter().filter(|effect| !known.shared.contains(effect)).collect();
            let ends: Vec<String> = rest.ends.into_iter().filter(|end| !known.ends.contains(end)).collect();
            if !new.is_empty() || !shared.is_empty() || !ends.is_empty() {
                known.text.push_str("; ");
                known.text.push_str(&rest.text);
                known.effects.extend(new);
                known.shared.extend(shared);
                known.ends.extend(ends);
            }
        }
        None => rests.push(rest),
    }
}
