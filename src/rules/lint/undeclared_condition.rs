use super::conditions::inside;
use super::entry::lint;
use crate::diagnostic::{Diagnostic, Fix};
use crate::names::{misspellings, same};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

lint!("health/undeclared-condition", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let known = || system.conditions.iter().map(|own| own.name.as_str());
    for trigger in &system.triggers {
        let also = trigger.also.iter().flat_map(|also| also.conditions.iter().chain([&also.condition]));
        for name in trigger.conditions.iter().chain(also) {
            if known().any(|own| same(own, name)) {
                continue;
            }
            // A name that is like none is a condition of its own, which has no rules.
            let suggestions = misspellings(name, known());
            let Some(meant) = suggestions.first() else { continue };
            let at = inside(ledger, trigger.span, name);
            let fix = Fix { span: at, replacement: (*meant).to_owned(), message: format!("call it `{meant}`") };
            let diagnostic = Diagnostic::warning(LINT.code, format!("no condition is called `{name}`"))
                .at(at, "brings a condition without rules")
                .help(format!("did you mean `{meant}`?"));
            ledger.report(if suggestions.len() == 1 && at != trigger.span {
                diagnostic.fix(fix)
            } else {
                diagnostic.perhaps(fix)
            });
        }
    }
}
