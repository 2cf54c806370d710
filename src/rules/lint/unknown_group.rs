use super::conditions::{asking, inside};
use super::entry::lint;
use crate::diagnostic::{Diagnostic, Fix};
use crate::names::misspellings;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::when::facts::group_names;

lint!("checks/unknown-group", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in &system.checks {
        let groups = check.groups();
        let conditions = check.conditions();
        let mut unknown: Vec<String> = conditions
            .flat_map(|when| when.measures())
            .filter_map(|measure| measure.label.clone())
            .filter(|label| !groups.iter().any(|group| group_names(group).any(|own| own == *label)))
            .collect();
        unknown.sort();
        unknown.dedup();
        for label in unknown {
            let Some(place) = asking(check, ledger, |measure| measure.label.as_ref() == Some(&label)) else { continue };
            let at = inside(ledger, place, &label);
            let message = format!("no dice of `{}` are called `{label}`", check.name);
            let mut diagnostic = Diagnostic::error(LINT.code, message).at(at, "never holds");
            diagnostic = match misspellings(&label, groups.iter().map(String::as_str)).as_slice() {
                [] if groups.is_empty() => diagnostic.help(format!("name the dice in the Roll: `2d10[{label}]`")),
                [] => diagnostic.help(format!("the dice are called {}", groups.join(", "))),
                suggestions => {
                    let known = suggestions.first().copied().unwrap_or_default();
                    let fix = Fix { span: at, replacement: known.to_owned(), message: format!("call it `{known}`") };
                    let asked = diagnostic.help(format!("did you mean `{known}`?"));
                    if suggestions.len() == 1 && at != place { asked.fix(fix) } else { asked.perhaps(fix) }
                }
            };
            ledger.report(diagnostic);
        }
    }
}
