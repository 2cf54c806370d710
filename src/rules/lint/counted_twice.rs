use super::conditions::line;
use super::entry::lint;
use crate::diagnostic::{Diagnostic, Span};
use crate::names::same;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::names::ATTRIBUTE_WORDS;
use crate::rules::language::skills::Base;
use crate::rules::language::system::System;

lint!("checks/counted-twice", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    attacks(system, ledger);
    for check in system.checks.iter().filter(|check| check.modifier.is_none() && !check.assumed) {
        for formula in [Some(&check.roll), check.target.as_ref()].into_iter().flatten() {
            let names = formula.variables();
            let named = |wanted: &str| names.iter().any(|own| same(&own.name, wanted));
            if !named("modifier") {
                continue;
            }
            let declared = |part: &str| system.named_attribute(part).is_some() || system.named_skill(part).is_some();
            let written = formula.to_string();
            let is_added = |part: &str| formula.adds(&|own| same(own, part));
            // What `{modifier}` is made of. A declared attribute is not among it: a check may add a second one on purpose.
            let mut parts = ["skill", "attribute"].into_iter().chain(ATTRIBUTE_WORDS);
            let twice = parts.find(|part| named(part) && !declared(part) && is_added(part));
            let found = match twice {
                Some(part) => Some((part.to_owned(), String::new(), "the parts".to_owned())),
                None => names
                    .iter()
                    .filter(|own| !same(&own.name, "modifier") && is_added(&own.name))
                    .find_map(|own| declared_twice(&own.name, system))
                    .map(|(part, by)| (part.clone(), format!(" {by}"), format!("`{{{part}}}`"))),
            };
            let Some((part, by, other)) = found else { continue };
            let place = place(&written, ledger).unwrap_or(check.span);
            ledger.report(
                Diagnostic::warning(LINT.code, format!("`{}` counts {{{part}}} twice", check.name))
                    .at(place, format!("`{{modifier}}` already holds `{{{part}}}`{by}"))
                    .help(format!("name `{{modifier}}` alone, or {other} alone; or say with a Modifier bullet what `{{modifier}}` means")),
            );
        }
    }
}

/// Attacks whose bonus is all that they have, and whose roll adds a score by its name.
fn attacks(system: &System, ledger: &mut Ledger<'_>) {
    let Some(check) = system.check_at(None, true).or(system.checks.first()).filter(|own| !own.names("modifier")) else {
        return;
    };
    let is_score = |name: &str| system.named_attribute(name).is_some() || system.named_skill(name).is_some();
    let mut names = check.roll.variables().into_iter();
    let Some(score) = names.find(|own| is_score(&own.name) && check.roll.adds(&|name| same(name, &own.name))) else {
        return;
    };
    for attack in system.attacks.iter().filter(|own| own.skill.is_none()) {
        let Some(bonus) = attack.bonus else { continue };
        let (own, score) = (&attack.name, &score.name);
        ledger.report(
            Diagnostic::warning(LINT.code, format!("`{own}` adds {bonus:+}, and `{}` adds {{{score}}} to it", check.name))
                .at(line(ledger.sources, &attack.place).unwrap_or(check.span), "a bonus alone stands in the place of `{modifier}`")
                .help(format!("name `{{modifier}}` in the roll of {} in the place of `{{{score}}}`; or give {own} what it adds to {score} alone", check.name)),
        );
    }
}

/// The name as it is written when it is an attribute or a skill that `{modifier}` may hold, and when it does.
fn declared_twice(name: &str, system: &System) -> Option<(String, String)> {
    if let Some(skill) = system.named_skill(name) {
        // What a table gives by level is added on purpose.
        if matches!(skill.base, Some(Base::Table(_))) {
            return None;
        }
        return Some((name.to_owned(), format!("when the call names the skill {name}")));
    }
    let attribute = system.named_attribute(name)?;
    let mut linked = system.skills.iter().filter(|own| own.attribute.is_some()).peekable();
    // Without any link each call names its attribute, and it may be this one.
    let by = match linked.peek() {
        None => format!("when the call names {}", attribute.name),
        Some(_) => {
            let skill = linked.find(|own| own.attribute.as_deref() == Some(attribute.name.as_str()))?;
            format!("when the call names {} or one of its skills, such as {}", attribute.name, skill.name)
        }
    };
    Some((name.to_owned(), by))
}

/// Where an expression is written.
fn place(written: &str, ledger: &Ledger<'_>) -> Option<Span> {
    ledger.written.iter().find(|own| own.formula.to_string() == written).map(|own| own.text.span())
}
