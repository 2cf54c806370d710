use crate::codes;
use crate::language::checks::Check;
use crate::language::ledger::Ledger;
use crate::language::number_table::Base;
use crate::language::system::System;
use rollbook_dice::Formula;
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::{fold, same};

pub fn lint(system: &System, ledger: &mut Ledger<'_>) {
    // A `modifier` that the check asks for is not the program's.
    let is_plain = |check: &&Check| !check.assumed && check.asked("modifier").is_none();
    for check in system.checks.iter().filter(is_plain) {
        for formula in [Some(&check.roll), check.target.as_ref()]
            .into_iter()
            .flatten()
        {
            ledger
                .diagnostics
                .extend(part_twice(check, formula, system, ledger));
        }
    }
}

/// What a formula counts twice: `{modifier}` and a part of it.
fn part_twice(
    check: &Check,
    formula: &Formula,
    system: &System,
    ledger: &Ledger<'_>,
) -> Option<Diagnostic> {
    let (names, sums) = (formula.variables(), formula.sums());
    if !names
        .iter()
        .any(|variable| same(&variable.name, "modifier"))
    {
        return None;
    }
    // In a pool only a part in one sum with it: other dice may add the part on purpose.
    let has = |sum: &[String], part: &str| sum.iter().any(|name| same(name, part));
    let is_added = |part: &str| {
        let is_in_whole = sums.first().is_some_and(|whole| has(whole, part));
        is_in_whole
            || sums
                .iter()
                .any(|sum| has(sum, "modifier") && has(sum, part))
    };
    let parts = names
        .iter()
        .filter(|variable| !same(&variable.name, "modifier") && is_added(&variable.name));
    let (parts, whys): (Vec<String>, Vec<String>) = parts
        .filter_map(|variable| {
            Some((
                format!("{{{}}}", variable.name),
                when_held(&variable.name, check, system)?,
            ))
        })
        .unzip();
    let why = whys.first()?;
    let all = parts.join(" and ");
    let place = place(&formula.to_string(), ledger).unwrap_or(check.span);
    let found = Diagnostic::warning(
        codes::COUNTED_TWICE,
        format!("`{}` counts {all} twice", check.name),
    );
    let found = found.at(place, format!("`{{modifier}}` already holds {why}"));
    Some(found.help(format!(
        "name {all} without `{{modifier}}`, or `{{modifier}}` alone: it is all that is added"
    )))
}

/// When `{modifier}` may hold this name, in words.
fn when_held(name: &str, check: &Check, system: &System) -> Option<String> {
    // An asked value or a track is no part of it.
    if check.asked(&fold(name)).is_some() || system.track(name).is_ok() {
        return None;
    }
    if let Some(skill) = system.named_skill(name) {
        // A number that a table gives by level is added on purpose.
        let is_of_table = matches!(skill.base, Some(Base::Table(_)));
        return (!is_of_table).then(|| format!("`{name}` when the call names this skill"));
    }
    let Some(attribute) = system.named_attribute(name) else {
        return ["skill", "attribute"]
            .iter()
            .any(|word| same(word, name))
            .then(|| format!("`{name}`"));
    };
    // If no skill has an attribute, the call may name this one; else a second may be on purpose.
    let mut linked = system
        .skills
        .iter()
        .filter_map(|skill| skill.attribute.as_ref())
        .peekable();
    let is_named = linked.peek().is_none() || linked.any(|linked| *linked == attribute.name);
    is_named.then(|| {
        format!(
            "`{name}` when the call names {} or one of its skills",
            attribute.name
        )
    })
}

/// Where an expression is written.
fn place(written: &str, ledger: &Ledger<'_>) -> Option<Span> {
    let found = ledger
        .written
        .iter()
        .find(|expression| expression.formula.to_string() == written);
    found.map(|expression| expression.text.span())
}
