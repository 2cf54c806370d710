//! Skills from the lines of the section, and from tables of numbers: `| Level | Death | Wands |`,
//! `| Wounds | Penalty |`. Each column of numbers is a skill whose base is looked up, and
//! `| Class | Level | Death |` has rows by class.

use std::collections::HashMap;

use super::skill::{DeclaredBy, Skill};
use crate::grammar::line::{Line, ScoreLine};
use crate::grammar::names::Thing;
use crate::grammar::table::{By, Table};
use crate::language::attributes::attribute::MODIFIER;
use crate::language::ledger::{Ledger, Scope};
use crate::language::lowering;
use crate::language::number_table::{Base, NumberTable};
use crate::language::outline::Outline;
use crate::language::system::System;
use crate::section::SectionKind;
use rollbook_text::diagnostic::Span;
use rollbook_text::names::{fold, same};

/// Reads the skills of the section with their attributes, ranges and bases, then those of the
/// tables in all sections.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    let mut of_all: Option<(i64, i64)> = None;
    for rule in outline.rules(SectionKind::Skills) {
        let declared = match &rule.line {
            Line::Scores(ScoreLine::Declared(declared)) => declared,
            Line::Scores(ScoreLine::Range(range)) if rule.depth == 0 => {
                of_all = Some(*range);
                continue;
            }
            _ => {
                let help = "one `- Range: 0 to 5` at the margin bounds all skills; what bounds one stands in its brackets";
                lowering::refuse(rule.span, "it stands below another bullet", help, ledger);
                continue;
            }
        };
        if !ledger.has_room(system.skills.len(), "skills", rule.span) {
            break;
        }
        let at = (rule.span, Scope::Sheet);
        let base = declared
            .base
            .as_ref()
            .map(|expr| lowering::formula_without_dice(expr, &system.named_dice, at, ledger));
        let base = base
            .and_then(|formula| lowering::report_refused(formula, rule.span, ledger))
            .map(Base::Formula);
        let attribute = declared
            .attribute
            .as_ref()
            .and_then(|name| Some(system.named_attribute(name)?.name.clone()));
        let skill = skill((&declared.name, rule.span), DeclaredBy::List, base, ledger);
        let (range, about) = (declared.range, rule.words().to_owned());
        system.skills.push(Skill {
            attribute,
            range,
            about,
            ..skill
        });
    }
    system
        .skills
        .iter_mut()
        .for_each(|skill| skill.range = skill.range.or(of_all));
    let mut places: HashMap<String, usize> = system
        .skills
        .iter()
        .zip(0..)
        .map(|(skill, place)| (fold(&skill.name), place))
        .collect();
    for rule in &outline.file.tables {
        let Table::Numbers(numbers) = &rule.table else {
            continue;
        };
        // Modifiers of scores are read with the attributes.
        let by_attribute =
            matches!(&numbers.by, By::Named(name) if system.named_attribute(name).is_some());
        let key = match &numbers.by {
            By::Score => continue,
            By::Level | By::ClassAndLevel => "{level}".to_owned(),
            By::Named(name) => match system.named_attribute(name) {
                Some(attribute) => format!("{{{} score}}", attribute.short()),
                None => format!("{{{name}}}"),
            },
        };
        for (column, name) in numbers.columns.iter().enumerate() {
            if by_attribute && same(name, MODIFIER) {
                continue;
            }
            let Some(table) = NumberTable::read((rule, numbers), column, &key, ledger) else {
                continue;
            };
            // A character is of a class if the sheet has its name, so a class without another
            // meaning is a skill.
            for class in table
                .parts
                .iter()
                .filter(|_| column == 0)
                .filter_map(|part| part.kind.as_deref())
            {
                declare((class, rule.span), None, system, &mut places, ledger);
            }
            if system.names.has(name, &[Thing::Track]) {
                let help = "give the column another name, and name it there: `- Hit points: max {Hit points most}`";
                lowering::refuse(rule.span, &format!("`{name}` is a track"), help, ledger);
                continue;
            }
            let at = rule
                .header
                .iter()
                .find(|(header, _)| header == name)
                .map_or(rule.span, |(_, span)| *span);
            declare((name, at), Some(table), system, &mut places, ledger);
        }
    }
}

/// Adds a column as a skill, or as the base of a declared skill; without a table, a class.
fn declare(
    (name, span): (&str, Span),
    table: Option<NumberTable>,
    system: &mut System,
    places: &mut HashMap<String, usize>,
    ledger: &mut Ledger<'_>,
) {
    let attribute = system
        .attributes
        .iter()
        .find(|attribute| attribute.is_called(&fold(name)))
        .map(|attribute| attribute.span);
    let known = places
        .get(&fold(name))
        .and_then(|at| system.skills.get_mut(*at));
    match (
        attribute.or(known.as_ref().map(|skill| skill.span)),
        known,
        table,
    ) {
        (Some(_), _, None) => {}
        (_, Some(skill), Some(table)) if attribute.is_none() && skill.base.is_none() => {
            skill.base = Some(Base::Table(table));
        }
        (Some(first), _, Some(_)) => ledger.report(lowering::given_twice(name, span, first)),
        (None, _, table) => {
            if ledger.has_room(system.skills.len(), "skills", span) {
                places.insert(fold(name), system.skills.len());
                let by = if table.is_some() {
                    DeclaredBy::Column
                } else {
                    DeclaredBy::Kind
                };
                system
                    .skills
                    .push(skill((name, span), by, table.map(Base::Table), ledger));
            }
        }
    }
}

fn skill(
    (name, span): (&str, Span),
    by: DeclaredBy,
    base: Option<Base>,
    ledger: &Ledger<'_>,
) -> Skill {
    let (name, about, place) = (name.to_owned(), String::new(), ledger.place(span));
    Skill {
        name,
        attribute: None,
        range: None,
        base,
        check: None,
        about,
        by,
        place,
        span,
    }
}
