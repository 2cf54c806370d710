//! Tables that give numbers by another one: `| Level | Death | Wands |`, `| Strength | To hit |`, `| Wounds | Penalty |`. Each column
//! of numbers is a skill whose base is looked up. `| Class | Level | Death |` has rows for each class.

use std::collections::HashMap;

use super::base::Base;
use super::read::is_attribute;
use super::skill::{DeclaredBy, Skill};
use crate::diagnostic::Span;
use crate::dice::parse_formula;
use crate::names::{fold, same};
use crate::rules::grammar::file::TableRule;
use crate::rules::grammar::names::Thing;
use crate::rules::grammar::table::{By, Numbers, Table};
use crate::rules::language::attributes::modifier::MODIFIER;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::lower;
use crate::rules::language::number_table::{KindRows, NumberRow, NumberTable, of_kinds};
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;

/// Adds what the tables of all sections declare.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    let mut places: HashMap<String, usize> =
        system.skills.iter().zip(0..).map(|(own, place)| (fold(&own.name), place)).collect();
    for own in &outline.file.tables {
        let Table::Numbers(numbers) = &own.table else { continue };
        // What a score is worth is read with the attributes.
        let of_attribute = |name: &str| is_attribute(name, system);
        let by_attribute = matches!(&numbers.by, By::Named(name) if of_attribute(name));
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
            let kinds = of_kinds(numbers, column, own, ledger);
            if column == 0 {
                kinds
                    .iter()
                    .flat_map(|(names, _)| names)
                    .for_each(|kind| class(kind, own.span, system, &mut places, ledger));
            }
            if outline.file.names.has(name, Thing::Track) {
                let help = "give the column another name, and name it there: `- Hit points: max {Hit points most}`";
                lower::refuse(own.span, &format!("`{name}` is a track"), help, ledger);
                continue;
            }
            let at = own.header.iter().find(|(header, _)| header == name).map_or(own.span, |(_, span)| *span);
            if let Some(table) = table(numbers, own, &key, kinds, ledger) {
                declare((name, at), table, system, &mut places, ledger);
            }
        }
    }
}

fn table(
    numbers: &Numbers,
    own: &TableRule,
    key: &str,
    kinds: Vec<(Vec<String>, Vec<NumberRow>)>,
    ledger: &Ledger<'_>,
) -> Option<NumberTable> {
    let decides = usize::from(numbers.by == By::ClassAndLevel);
    let (by, span) = own.header.get(decides)?;
    let (mut rows, mut of_classes) = (Vec::new(), Vec::new());
    for (names, own) in kinds {
        match names.is_empty() {
            true => rows.extend(own),
            false => of_classes.extend(names.into_iter().map(|kind| KindRows { kind, rows: own.clone() })),
        }
    }
    let key = parse_formula(key).ok()?;
    Some(NumberTable { by: by.clone(), key, rows, kinds: of_classes, place: ledger.place(*span), span: *span })
}

/// Somebody is of a class whose sheet has its name; a name that nothing has is a skill for that.
fn class(name: &str, span: Span, system: &mut System, places: &mut HashMap<String, usize>, ledger: &mut Ledger<'_>) {
    let known = is_attribute(name, system) || places.contains_key(&fold(name));
    if !known && ledger.has_room(system.skills.len(), "skills", span) {
        add(name, None, DeclaredBy::Kind, span, system, places, ledger);
    }
}

fn add(
    name: &str,
    base: Option<Base>,
    by: DeclaredBy,
    span: Span,
    system: &mut System,
    places: &mut HashMap<String, usize>,
    ledger: &Ledger<'_>,
) {
    places.insert(fold(name), system.skills.len());
    let place = ledger.place(span);
    let (name, about) = (name.to_owned(), String::new());
    system.skills.push(Skill { name, attribute: None, range: None, base, check: None, about, by, place, span });
}

/// A column as a skill, or as the base of one that a bullet declares.
fn declare(
    (name, span): (&str, Span),
    table: NumberTable,
    system: &mut System,
    places: &mut HashMap<String, usize>,
    ledger: &mut Ledger<'_>,
) {
    let first = system.attributes.iter().find(|own| own.is_called(&fold(name))).map(|own| own.span);
    if let Some(first) = first {
        return ledger.report(lower::twice(name, span, first));
    }
    let Some(at) = places.get(&fold(name)) else {
        if ledger.has_room(system.skills.len(), "skills", span) {
            add(name, Some(Base::Table(table)), DeclaredBy::Column, span, system, places, ledger);
        }
        return;
    };
    match system.skills.get_mut(*at) {
        Some(skill) if skill.base.is_none() => skill.base = Some(Base::Table(table)),
        Some(skill) => ledger.report(lower::twice(name, span, skill.span)),
        None => {}
    }
}
