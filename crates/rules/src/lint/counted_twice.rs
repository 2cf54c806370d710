use crate::codes;
use crate::language::checks::Check;
use crate::language::ledger::Ledger;
use crate::language::number_table::Base;
use crate::language::system::System;
use rollbook_dice::Formula;
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::{fold, same};

pub fn lint(system: &System, ledger: &mut Ledger<'_>) {
    // What a call gives by itself is none of the program's own.
    let is_plain = |check: &&Check| !check.assumed && check.asked("modifier").is_none();
    for check in system.checks.iter().filter(is_plain) {
        for formula in [Some(&check.roll), check.target.as_ref()].into_iter().flatten() {
            if let Some(found) = twice(check, formula, system, ledger) {
                ledger.report(found);
            }
        }
    }
}

/// What a formula counts twice: beside `{modifier}` what that is made of.
fn twice(check: &Check, formula: &Formula, system: &System, ledger: &Ledger<'_>) -> Option<Diagnostic> {
    let (names, sums) = (formula.variables(), formula.sums());
    if !names.iter().any(|own| same(&own.name, "modifier")) {
        return None;
    }
    // Of a pool only what stands in one sum with it: other dice may be others on purpose.
    let has = |sum: &[String], part: &str| sum.iter().any(|own| same(own, part));
    let is_added = |part: &str| {
        formula.adds(&|own| same(own, part)) || sums.iter().any(|sum| has(sum, "modifier") && has(sum, part))
    };
    let parts = names.iter().filter(|own| !same(&own.name, "modifier") && is_added(&own.name));
    let (parts, whys): (Vec<String>, Vec<String>) =
        parts.filter_map(|own| Some((format!("{{{}}}", own.name), held(&own.name, check, system)?))).unzip();
    let why = whys.first()?;
    let all = parts.join(" and ");
    let place = place(&formula.to_string(), ledger).unwrap_or(check.span);
    let found = Diagnostic::warning(codes::COUNTED_TWICE, format!("`{}` counts {all} twice", check.name));
    let found = found.at(place, format!("`{{modifier}}` already holds {why}"));
    Some(found.help(format!("name {all} without `{{modifier}}`, or `{{modifier}}` alone: it is all that is added")))
}

/// What of this name `{modifier}` may hold, and when.
fn held(name: &str, check: &Check, system: &System) -> Option<String> {
    // What the check asks for, and a track, are none of it.
    if check.asked(&fold(name)).is_some() || system.track(name).is_ok() {
        return None;
    }
    if let Some(skill) = system.named_skill(name) {
        // What a table gives by level is added on purpose.
        let is_of_table = matches!(skill.base, Some(Base::Table(_)));
        return (!is_of_table).then(|| format!("`{name}` when the call names this skill"));
    }
    let Some(attribute) = system.named_attribute(name) else {
        return ["skill", "attribute"].iter().any(|own| same(own, name)).then(|| format!("`{name}`"));
    };
    // Without any link each call names its attribute, and it may be this one; else a check may add a second one on purpose.
    let mut linked = system.skills.iter().filter_map(|own| own.attribute.as_ref()).peekable();
    let is_named = linked.peek().is_none() || linked.any(|own| *own == attribute.name);
    is_named.then(|| format!("`{name}` when the call names {} or one of its skills", attribute.name))
}

/// Where an expression is written.
fn place(written: &str, ledger: &Ledger<'_>) -> Option<Span> {
    ledger.written.iter().find(|own| own.formula.to_string() == written).map(|own| own.text.span())
}
