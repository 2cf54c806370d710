use super::conditions::line;
use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::dice::Mode;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::resolve::Swapping;

lint!("dice/unused-advantage", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let Some(check) = system.checks.first() else { return };
    for (mode, label, rule) in
        [(Mode::Advantage, "Advantage", &system.advantage), (Mode::Disadvantage, "Disadvantage", &system.disadvantage)]
    {
        let Some(rule) = rule.as_ref().filter(|rule| !rule.assumed) else { continue };
        let none = system.checks.iter().all(|check| match system.swapping(mode, check) {
            Swapping::By(_) => check.never_rolls_one(),
            Swapping::Own(own) => !std::ptr::eq(own, rule),
            Swapping::Elsewhere(_) | Swapping::Nowhere => true,
        });
        let Some(place) = rule.place.as_ref().filter(|_| none) else { continue };
        let Some(span) = line(ledger.sources, place) else { continue };
        let message = format!("no check has this {}", mode.as_str());
        let mut found = Diagnostic::warning(LINT.code, message)
            .at(span, "these dice take the place of one die, and no check rolls one");
        if let Swapping::By(_) = system.swapping(mode, check) {
            let help =
                format!("below `### {}` it takes the place of all its dice: - {label}: `{}`", check.name, rule.roll);
            found = found.and(check.span, format!("rolls {}", check.roll)).help(help);
        }
        ledger.report(found);
    }
}
