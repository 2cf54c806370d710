use super::entry::lint;
use crate::diagnostic::{Diagnostic, Span};
use crate::names::same;
use crate::rules::grammar::line::For;
use crate::rules::language::checks::Check;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::language::skills::{Base, DeclaredBy, Skill};
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

lint!("skills/first-check", Sections(lint));

/// Tells which tables of skills stand below no check where several could roll them, so that the first one does.
fn lint(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) {
    let [first, others @ ..] = system.checks.as_slice() else { return };
    let Some(other) = others.iter().find(|check| check.names("skill")).or(others.first()) else { return };
    let in_checks: Vec<Span> = outline.tables(SectionKind::Checks).map(|table| table.span).collect();
    let mut reported: Vec<Span> = Vec::new();
    for skill in system.rolled_skills().filter(|own| own.by == DeclaredBy::Column && own.check.is_none()) {
        let Some(Base::Table(table)) = &skill.base else { continue };
        let within = in_checks.iter().any(|own| own.holds(table.span));
        // Elsewhere skills of all kinds stand; only one that the first check makes nothing of is surely another's.
        let lost = within || !takes(first) && takes(other);
        if !lost || is_aimed(system, skill) || reported.contains(&table.span) {
            continue;
        }
        reported.push(table.span);
        let name = &skill.name;
        ledger.report(
            Diagnostic::warning(LINT.code, format!("`skill={name}` is rolled by `{}`, the first check", first.name))
                .at(skill.span, "this table stands below no check")
                .and(first.span, "rolled where a call names no check")
                .help(format!("put the table below the check that rolls {name}: `### {}`", other.name)),
        );
    }
}

/// Whether it makes something of the skill that a call chooses.
fn takes(check: &Check) -> bool {
    ["modifier", "skill", "attribute"].into_iter().any(|word| check.names(word))
}

/// Whether something else than the order of checks says by which it is rolled.
fn is_aimed(system: &System, skill: &Skill) -> bool {
    let of_attack = |name: &Option<String>| name.as_ref().is_some_and(|own| same(own, &skill.name));
    let is_for = |own: &For| matches!(own, For::Named(name) if same(name, &skill.name));
    system.checks.iter().flat_map(|own| &own.for_whom).any(is_for)
        || system.attacks.iter().any(|own| of_attack(&own.skill))
}
