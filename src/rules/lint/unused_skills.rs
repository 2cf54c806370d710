use crate::diagnostic::Diagnostic;
use crate::names::fold;
use crate::rules::codes;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

pub fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let (Some(first), Some(check)) = (system.skills.first(), system.checks.first()) else { return };
    let broken = !system.lost_checks.is_empty();
    let names: Vec<String> = system.skills.iter().map(|skill| fold(&skill.name)).collect();
    // Names that may stand for whatever skill a call chooses.
    let chosen = || ["modifier", "skill", "attribute"].into_iter();
    let used = ledger.written.iter().flat_map(|written| written.formula.variables()).any(|variable| {
        let name = fold(&variable.name);
        chosen().any(|word| word == name) || names.contains(&name)
    });
    let in_conditions = chosen().any(|name| system.checks.iter().any(|check| check.names(name)))
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
