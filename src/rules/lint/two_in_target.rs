use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::dice::Formula;
use crate::names::same;
use crate::rules::language::checks::Check;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::names::ATTRIBUTE_WORDS;
use crate::rules::language::system::System;
use crate::rules::when::facts::Succeed;

lint!("checks/two-in-target", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in system.checks.iter().filter(|check| check.succeed == Succeed::AtMost) {
        let Some(target) = &check.target else { continue };
        let chosen = |name: &str| name == "skill" || ATTRIBUTE_WORDS.contains(&name);
        let Some(own) = target.variables().into_iter().find(|own| chosen(&own.name)) else { continue };
        let Some(name) = added(system, check, target) else { continue };
        let written = ledger.written.iter().find(|written| written.formula == *target);
        let place = written.map_or(check.span, |written| written.text.span());
        let message = format!("the Target of `{}` adds a number of the target's to one of the character's", check.name);
        let help = format!(
            "where `{{{name}}}` is the character's own, add it in a bullet of the check: `- Modifier:`, with `{{modifier}}` in its place in the \
             Target; where it is the target's, say what somebody without it has: `{{{name}=0}}`"
        );
        let why = format!(
            "`{{{}}}` is the character's; `{{{name}}}` is that of the call's `target`, where there is one",
            own.name
        );
        ledger.report(Diagnostic::warning(LINT.code, message).at(place, why).help(help));
    }
}

/// A score or track that this Target adds, and does not take away.
fn added(system: &System, check: &Check, target: &Formula) -> Option<String> {
    let worth = |name: &str, number: i64| {
        target.bind(&mut |variable| Some(if same(variable, name) { number } else { 10 })).ok()?.constant()
    };
    let names = target.variables().into_iter().filter(|own| own.default.is_none()).map(|own| own.name);
    names.into_iter().find(|name| {
        let on_sheet = system.attribute(name).is_ok()
            || system.track(name).is_ok()
            || system.skills.iter().any(|skill| same(&skill.name, name));
        let asked = check.asks.iter().any(|asked| same(&asked.name, name));
        let is_shared = system.company.as_ref().is_some_and(|company| company.track(name).is_ok());
        let rises = || worth(name, 40).zip(worth(name, 10)).is_some_and(|(more, less)| more > less);
        on_sheet && !asked && !is_shared && system.stated(name).is_none() && rises()
    })
}
