//! Skills and difficulties that no check uses, and rules without a check.

use crate::codes;
use crate::language::checks::Check;
use crate::language::ledger::Ledger;
use crate::language::system::System;
use rollbook_text::diagnostic::{Diagnostic, Severity, Span};
use rollbook_text::names::fold;

pub fn skills(system: &System, ledger: &mut Ledger<'_>) {
    let (Some(first), Some(check)) = (system.skills.first(), system.checks.first()) else {
        return;
    };
    let mut names: Vec<String> = system
        .skills
        .iter()
        .map(|skill| fold(&skill.name))
        .collect();
    // Names that may mean the skill of a call.
    names.extend(["modifier", "skill", "attribute"].map(str::to_owned));
    let mut written = ledger
        .written
        .iter()
        .flat_map(|written| written.formula.variables());
    let is_written = written.any(|variable| names.contains(&fold(&variable.name)));
    let is_used = is_written
        || names
            .iter()
            .any(|name| system.checks.iter().any(|check| check.names(name)));
    if is_used || !system.lost_checks.is_empty() {
        return;
    }
    ledger.report(
        Diagnostic::warning(codes::UNUSED_SKILLS, "no check uses a skill")
            .at(first.span, "skills are declared here")
            .and(check.span, "this check adds none")
            .help("add what the chosen skill is worth: - Roll: `1d20 + {modifier}`"),
    );
}

/// A word for a number, and no check takes one. Words for rows are checked where declared.
pub fn difficulties(system: &System, ledger: &mut Ledger<'_>) {
    let takes = |check: &Check| check.names("difficulty") || !check.target_names().is_empty();
    if system.checks.is_empty() || !system.lost_checks.is_empty() || system.checks.iter().any(takes)
    {
        return;
    }
    let Some(word) = system
        .difficulties
        .iter()
        .find(|difficulty| difficulty.number().is_some())
    else {
        return;
    };
    ledger.report(
        Diagnostic::warning(codes::UNUSED_DIFFICULTY, format!("no check takes a difficulty such as `{}`", word.name))
            .at(word.span, "a call that sends it is refused")
            .help(
                "let a check take it: `- Target: {difficulty}`; or name the row of an outcome table that it asks for",
            ),
    );
}

/// There is no check. Not reported where a check is lost to a mistake, or may be.
pub fn no_check(system: &System, ledger: &mut Ledger<'_>) {
    let is_about_a_check = |finding: &Diagnostic| {
        finding.severity >= Severity::Error
            || [
                codes::LOOKS_LIKE_A_RULE,
                codes::MISSPELT_HEADING,
                codes::HEADING_LEVEL,
            ]
            .contains(&finding.code)
    };
    let is_lost = !system.lost_checks.is_empty() || ledger.diagnostics.iter().any(is_about_a_check);
    let Some((first, _)) = ledger.limits.within(ledger.sources).next() else {
        return;
    };
    if is_lost || !system.checks.is_empty() {
        return;
    }
    ledger.report(
        Diagnostic::note(codes::NO_CHECK, "there is no check")
            .at(Span::new(first, 0..0), "")
            .because("`skill_check` resolves what its call states: `roll` with `difficulty` or `rows`")
            .help("say what is rolled below a heading `## Dice`: Roll 1d20 + modifiers against a difficulty."),
    );
}
