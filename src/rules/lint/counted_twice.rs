use crate::diagnostic::{Diagnostic, Span};
use crate::dice::Formula;
use crate::names::same;
use crate::rules::codes;
use crate::rules::language::checks::Check;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::number_table::Base;
use crate::rules::language::system::System;

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

/// What a formula counts twice: beside `{modifier}` what that is made of, or the chosen attribute under two words.
fn twice(check: &Check, formula: &Formula, system: &System, ledger: &Ledger<'_>) -> Option<Diagnostic> {
    let names = formula.variables();
    let sums = formula.sums();
    let named = |wanted: &str| names.iter().any(|own| same(&own.name, wanted));
    let declared = |part: &str| {
        let asked = check.asks.iter().any(|own| same(&own.name, part));
        asked
            || system.named_attribute(part).is_some()
            || system.named_skill(part).is_some()
            || system.track(part).is_ok()
    };
    let in_one_sum = |one: &str, other: &str| {
        let has = |sum: &Vec<String>, part: &str| sum.iter().any(|own| same(own, part));
        sums.iter().any(|sum| has(sum, one) && has(sum, other))
    };
    // Of a pool only what stands in one sum with it: other dice may be others on purpose.
    let is_added =
        |part: &str| named("modifier") && formula.adds(&|own| same(own, part)) || in_one_sum("modifier", part);
    let report = |twice: &str, why: String, help: String| {
        let place = place(&formula.to_string(), ledger).unwrap_or(check.span);
        Diagnostic::warning(codes::COUNTED_TWICE, format!("`{}` counts {twice} twice", check.name))
            .at(place, why)
            .help(help)
    };
    // What the rules declare is looked for only where the formula has the word: they may declare a thousand names.
    let meant = |word: &&str| named(word) && !declared(word);
    // What `{modifier}` is made of. A declared attribute is not among it: a check may add a second one on purpose.
    let parts = ["skill", "attribute"].into_iter().filter(meant).filter(|part| is_added(part));
    let parts: Vec<String> = parts.map(|part| format!("{{{part}}}")).collect();
    if !parts.is_empty() {
        let all = parts.join(" and ");
        let ticked: Vec<String> = parts.iter().map(|part| format!("`{part}`")).collect();
        let help = format!(
            "leave `{{modifier}}` out: what calls and conditions add to {all} counts all the same; `{{modifier}}` alone is the attribute, the skill and all \
             that is added"
        );
        return Some(report(&all, format!("`{{modifier}}` already holds {}", ticked.join(" and ")), help));
    }
    let beside = names.iter().filter(|own| !same(&own.name, "modifier") && is_added(&own.name));
    if let Some((part, by)) = beside.filter_map(|own| declared_twice(&own.name, system)).next() {
        let help = format!("name `{{modifier}}` alone, or `{{{part}}}` alone");
        return Some(report(&format!("{{{part}}}"), format!("`{{modifier}}` already holds `{{{part}}}` {by}"), help));
    }
    None
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
