#![doc = include_str!("../explained/skills/unused.md")]

use crate::diagnostic::Diagnostic;
use crate::names::fold;
use crate::rules::codes;
use crate::rules::read::Ledger;
use crate::rules::system::System;

/// Names that may stand for whatever skill a call chooses.
const CHOSEN: [&str; 7] = ["modifier", "skill", "stat", "trait", "rating", "ability", "characteristic"];

pub(super) fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let (Some(first), Some(check)) = (system.skills.first(), system.checks.first()) else { return };
    let broken = system.checks.iter().any(|check| !check.unread.is_empty());
    let names: Vec<String> = system.skills.iter().map(|skill| fold(&skill.name)).collect();
    let used = ledger.written.iter().flat_map(|written| written.formula.variables()).any(|variable| {
        let name = fold(&variable.name);
        CHOSEN.contains(&name.as_str()) || names.contains(&name)
    });
    let in_conditions = CHOSEN.iter().any(|name| system.checks.iter().any(|check| check.names(name)))
        || names.iter().any(|name| system.checks.iter().any(|check| check.names(name)));
    if broken || used || in_conditions {
        return;
    }
    ledger.report(
        Diagnostic::warning(codes::UNUSED_SKILLS, "no check uses a skill")
            .at(first.span, "skills are declared here")
            .and(check.span, "this check adds none")
            .help("add what the chosen skill is worth: - Roll: `1d20 + {modifier}`"),
    );
}
