//! What every character has a score in, from the lines of the section.

use super::attribute::Attribute;
use super::modifier::{self, MODIFIER, Modifier, ModifierKind};
use crate::diagnostic::Span;
use crate::names::{fold, same};
use crate::rules::grammar::file::Rule;
use crate::rules::grammar::line::{Declared, Line, ScoreLine};
use crate::rules::grammar::table::{By, Table};
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::lower;
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// The attributes, with their ranges and what their scores are worth.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<Attribute> {
    let mut reader = Reader { attributes: Vec::new(), range: None, modifier: None };
    for rule in outline.rules(SectionKind::Attributes) {
        match &rule.line {
            Line::Scores(ScoreLine::Declared(own)) => reader.declare(own, rule, ledger),
            // What stands below one bullet is not of all.
            Line::Scores(_) if rule.depth > 0 => lower::refuse(
                rule.span,
                "it stands below another bullet",
                "what bounds one attribute stands in its brackets: `- Strength (STR, 3 to 18)`; a rule of all stands at the margin",
                ledger,
            ),
            Line::Scores(ScoreLine::Range(own)) => reader.range = Some(*own),
            Line::Scores(ScoreLine::Modifier(own)) => {
                let read = lower::formula(own, &system.own_dice, (rule.span, Scope::Score), ledger);
                match read {
                    Some(formula) if formula.labelled_dice().is_empty() => {
                        let (kind, place) = (ModifierKind::Formula(formula), Some(ledger.place(rule.span)));
                        reader.modifier = Some(Modifier { kind, place, assumed: false });
                    }
                    Some(_) => {
                        let why = "a modifier is worked out from the score again and again, so it has no dice";
                        lower::refuse(rule.span, why, "write dice into the Roll of a check", ledger);
                    }
                    None => {}
                }
            }
            _ => {}
        }
    }
    reader.tables(outline, ledger);
    reader.finish()
}

fn repeated(span: Span, ledger: &mut Ledger<'_>) {
    lower::refuse(span, "`Modifier` is given before, also as a table", "take one of the two away", ledger);
}

struct Reader {
    attributes: Vec<Attribute>,
    range: Option<(i64, i64)>,
    modifier: Option<Modifier>,
}

impl Reader {
    fn declare(&mut self, own: &Declared, rule: &Rule, ledger: &mut Ledger<'_>) {
        if own.base.is_some() {
            let help = format!("under Skills it may have one: `- {} (base 10)`", own.name);
            return lower::refuse(rule.span, "an attribute stands on each sheet and has no base", &help, ledger);
        }
        if !ledger.has_room(self.attributes.len(), "attributes", rule.span) {
            return;
        }
        self.attributes.push(Attribute {
            name: own.name.clone(),
            abbr: own.short.clone(),
            about: rule.words.clone(),
            range: own.range,
            modifier: Modifier::score(),
            place: ledger.place(rule.span),
            span: rule.span,
        });
    }

    /// `| Score | Modifier |` says it of all, `| STR | Modifier |` of one.
    fn tables(&mut self, outline: &Outline<'_>, ledger: &mut Ledger<'_>) {
        for own in &outline.file.tables {
            let Table::Numbers(numbers) = &own.table else { continue };
            let column = numbers.columns.iter().position(|name| same(name, MODIFIER));
            let one = match &numbers.by {
                By::Score => None,
                By::Named(name) => self.attributes.iter().position(|own| own.is_called(&fold(name))),
                By::Level | By::ClassAndLevel => continue,
            };
            let of_all = numbers.by == By::Score;
            let Some(column) = column.filter(|_| of_all || one.is_some()) else {
                if of_all {
                    let help = "a table by Score has the column Modifier; one by an attribute's name may have others";
                    lower::refuse(own.span, "there is no column Modifier in it", help, ledger);
                }
                continue;
            };
            let modifier = modifier::of_table(own, numbers, column, ledger);
            match one.and_then(|at| self.attributes.get_mut(at)) {
                Some(one) if one.modifier.assumed => one.modifier = modifier,
                Some(_) => repeated(own.span, ledger),
                None if self.modifier.is_some() => repeated(own.span, ledger),
                None => self.modifier = Some(modifier),
            }
        }
    }

    /// What was said for all goes to those that have nothing of their own.
    fn finish(self) -> Vec<Attribute> {
        let mut attributes = self.attributes;
        for attribute in &mut attributes {
            attribute.range = attribute.range.or(self.range);
            if let Some(modifier) = self.modifier.as_ref().filter(|_| attribute.modifier.assumed) {
                attribute.modifier = modifier.clone();
            }
        }
        attributes
    }
}
