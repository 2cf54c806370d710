//! The Health section beyond its tracks: triggers, rests, and what is not read.

use crate::names::fold;
use crate::rules::section::SectionKind;
use crate::rules::system::System;

use super::labels::{Labelled, labelled, report_misspelt};
use super::ledger::Ledger;
use super::names::Names;
use super::outline::Outline;
use super::{rests, tracks, triggers};

/// Labels that belong to the language and are not carried out.
const NOT_READ: [&str; 10] = [
    "armour",
    "armor",
    "resistance",
    "vulnerability",
    "immunity",
    "threshold",
    "harm",
    "wounds",
    "consequences",
    "soak",
];
/// What a misspelt label is compared with.
const LABELS: [&str; 10] = [
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

/// Reads triggers and rests into the system, whose tracks are already there.
pub fn read(outline: &Outline<'_>, names: &Names, system: &mut System, ledger: &mut Ledger<'_>) {
    for bullet in outline.bullets(SectionKind::Health) {
        let Some(label) = labelled(bullet, ledger) else {
            continue;
        };
        if tracks::is_track(&label, names) {
            let full = triggers::full(label.label.as_str(), &label, ledger);
            if let Some(trigger) = full.filter(|_| ledger.has_room(system.triggers.len(), "triggers", label.span)) {
                system.triggers.push(trigger);
            }
        } else if let Some(trigger) = triggers::read(&label, system, ledger) {
            if let Some(trigger) = trigger.filter(|_| ledger.has_room(system.triggers.len(), "triggers", label.span)) {
                system.triggers.push(trigger);
            }
        } else if let Some(rest) = rests::read(&label, &system.tracks, names, ledger) {
            if ledger.has_room(system.rests.len(), "rests", label.span) {
                system.rests.push(rest);
            }
        } else if is_known(&label) {
            let meanwhile = "the GM applies it and sends the amount that is left";
            ledger.not_read(label.label.as_str(), label.label.span(), meanwhile);
        } else {
            report_misspelt(&label, &LABELS, ledger);
        }
    }
}

/// Whether a bullet belongs to the language though it is not carried out.
fn is_known(label: &Labelled) -> bool {
    let value = fold(label.value.as_str());
    NOT_READ.contains(&label.folded.as_str())
        || label.folded.starts_with("temporary ")
        || value.starts_with("boxes ")
        || value.contains("(level ")
}
