//! What a save did to the rules: whether they are played by, and what is told of it.

use crate::diagnostic::{Diagnostic, Severity, render};
use crate::names::{fold, quoted};
use crate::rules::System;

use super::adventure::Adventure;

/// Things that a note names one by one.
const NAMES_MAX: usize = 3;

/// Rules that were saved, beside those that are played by.
pub struct Save {
    /// Why the new rules are not played by.
    pub broken: Option<String>,
    /// What they lost and the first thing that is newly wrong; empty when there is nothing to tell.
    pub told: String,
}

impl Save {
    /// Compares what was saved with the last good rules.
    ///
    /// Not played by: rules with an error that the others do not have, and rules that lost every check, most likely by a
    /// misspelt heading or in a file half written. What stands in for a check then is a default that nobody wrote.
    pub fn of(old: &Adventure, new: &Adventure) -> Save {
        if is_blank(new) && !is_blank(old) {
            let broken = Some("The rules were saved empty, or System.md is gone.".to_owned());
            return Save { broken, told: String::new() };
        }
        let fresh = fresh(old, new);
        let has_error = fresh.iter().any(|found| found.severity == Severity::Error);
        let lost = lost(&old.reading.system, &new.reading.system);
        // Checks written out that gave way to the plain style, and nothing else that went or is newly wrong: so it is meant.
        let is_meant = !new.reading.system.checks.is_empty() && lost.len() == 1 && fresh.is_empty();
        let broken = match (has_error, lost_checks(&old.reading.system, &new.reading.system) && !is_meant) {
            (true, _) => Some("The rules were saved with a mistake.".to_owned()),
            (false, true) => Some("The rules were saved without any of their checks.".to_owned()),
            (false, false) => None,
        };
        let mut told = String::new();
        if !lost.is_empty() {
            told.push_str(&format!(" No longer there: {}.", lost.join(", ")));
        }
        if let Some(first) = fresh.first() {
            let first = render::plain(std::slice::from_ref(first), &new.reading.sources);
            let more = if fresh.len() > 1 { format!(" (and {} more)", fresh.len() - 1) } else { String::new() };
            told.push_str(&format!(" Newly found: {}{more}.", first.trim_end()));
        }
        Save { broken, told }
    }
}

fn is_blank(adventure: &Adventure) -> bool {
    adventure.reading.sources.iter().all(|(_, file)| file.text.trim().is_empty())
}

/// Whether nothing is left of the checks; a default in the place of the author's own is nothing.
fn lost_checks(old: &System, new: &System) -> bool {
    let own = |system: &System| system.checks.iter().any(|check| !check.assumed);
    (own(old) && !own(new)) || (!old.checks.is_empty() && new.checks.is_empty())
}

/// Errors and warnings that the old rules did not have, the worst first.
fn fresh(old: &Adventure, new: &Adventure) -> Vec<Diagnostic> {
    let all = |adventure: &Adventure| -> Vec<Diagnostic> {
        adventure.problems.iter().chain(&adventure.reading.diagnostics).cloned().collect()
    };
    let mut before = all(old);
    let mut fresh = all(new);
    fresh.retain(|found| {
        let known = before.iter().position(|own| own.code == found.code && own.message == found.message);
        // Each of the old ones accounts for one of the new.
        known.map(|at| before.swap_remove(at)).is_none() && found.severity >= Severity::Warning
    });
    fresh.sort_by_key(|found| std::cmp::Reverse(found.severity));
    fresh
}

/// What was there and is not: "check Attack", "skills Climbing, Noticing and 2 more".
fn lost(old: &System, new: &System) -> Vec<String> {
    let checks = |system: &System| names(system.checks.iter().map(|own| &own.name));
    let attributes = |system: &System| names(system.attributes.iter().map(|own| &own.name));
    let skills = |system: &System| names(system.skills.iter().map(|own| &own.name));
    let tracks = |system: &System| names(system.tracks.iter().map(|own| &own.name));
    let conditions = |system: &System| names(system.conditions.iter().map(|own| &own.name));
    [
        gone("check", checks(old), checks(new)),
        gone("attribute", attributes(old), attributes(new)),
        gone("skill", skills(old), skills(new)),
        gone("track", tracks(old), tracks(new)),
        gone("condition", conditions(old), conditions(new)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn names<'s>(names: impl Iterator<Item = &'s String>) -> Vec<String> {
    names.cloned().collect()
}

fn gone(kind: &str, old: Vec<String>, new: Vec<String>) -> Option<String> {
    let there: std::collections::HashSet<String> = new.iter().map(|name| fold(name)).collect();
    let gone: Vec<String> = old.iter().filter(|name| !there.contains(&fold(name))).map(|name| quoted(name)).collect();
    let shown = gone.iter().take(NAMES_MAX).cloned().collect::<Vec<_>>().join(", ");
    match gone.len() {
        0 => None,
        1 => Some(format!("{kind} {shown}")),
        many if many <= NAMES_MAX => Some(format!("{kind}s {shown}")),
        many => Some(format!("{kind}s {shown} and {} more", many - NAMES_MAX)),
    }
}
