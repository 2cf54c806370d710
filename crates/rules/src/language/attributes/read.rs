//! Attributes from the lines of the section.

use super::attribute::{Attribute, MODIFIER, Modifier};
use crate::grammar::line::{Line, ScoreLine};
use crate::grammar::table::{By, Table};
use crate::language::checks::Check;
use crate::language::ledger::{Ledger, Scope};
use crate::language::lowering;
use crate::language::number_table::{Base, NumberTable};
use crate::language::outline::Outline;
use crate::language::system::System;
use crate::section::SectionKind;
use rollbook_dice::{Die, parse_formula};
use rollbook_text::names::{fold, same};

/// The attributes, with their ranges and what their scores are worth.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<Attribute> {
    let mut attributes: Vec<Attribute> = Vec::new();
    let (mut of_all, mut worth) = (None, None);
    for rule in outline.rules(SectionKind::Attributes) {
        let Line::Scores(line) = &rule.line else {
            continue;
        };
        let place = ledger.place(rule.span);
        let made = match line {
            ScoreLine::Declared(declared) if declared.base.is_some() => {
                let help = format!("under Skills it may have one: `- {} (base 10)`", declared.name);
                Err(("an attribute stands on each sheet and has no base", help).into())
            }
            ScoreLine::Declared(declared) => {
                if ledger.has_room(attributes.len(), "attributes", rule.span) {
                    let (name, abbr, about) = (declared.name.clone(), declared.short.clone(), rule.words().to_owned());
                    let (range, modifier, span) = (declared.range, Modifier::score(), rule.span);
                    attributes.push(Attribute { name, abbr, about, range, modifier, place, span });
                }
                Ok(())
            }
            // A range or modifier below a bullet is not for all attributes.
            ScoreLine::Range(_) | ScoreLine::Modifier(_) if rule.depth > 0 => Err((
                "it stands below another bullet",
                "what bounds one attribute stands in its brackets: `- Strength (STR, 3 to 18)`; a rule of all stands at the margin",
            )
                .into()),
            ScoreLine::Range(range) => {
                of_all = Some(*range);
                Ok(())
            }
            ScoreLine::Modifier(expr) => {
                let read = lowering::formula_without_dice(expr, &system.named_dice, (rule.span, Scope::Score), ledger);
                read.map(|formula| worth = Some(Modifier::stated(Base::Formula(formula), place)))
            }
        };
        lowering::report_refused(made, rule.span, ledger);
    }
    // `| Score | Modifier |` is for all attributes, `| STR | Modifier |` for one.
    for rule in &outline.file.tables {
        let Table::Numbers(numbers) = &rule.table else {
            continue;
        };
        let column = numbers.columns.iter().position(|name| same(name, MODIFIER));
        let one = match &numbers.by {
            By::Score => None,
            By::Named(name) => attributes
                .iter_mut()
                .find(|attribute| attribute.is_called(&fold(name))),
            By::Level | By::ClassAndLevel => continue,
        };
        let made = match (column, one) {
            (None, _) if numbers.by == By::Score => Err((
                "there is no column Modifier in it",
                "a table by Score has the column Modifier; one by an attribute's name may have others",
            )),
            (None, _) => Ok(()),
            (Some(_), None) if numbers.by != By::Score => Ok(()),
            (Some(column), one) => {
                let table = NumberTable::read((rule, numbers), column, "{score}", ledger);
                let place = ledger.place(rule.span);
                let modifier = table.map(|table| Modifier::stated(Base::Table(table), place));
                match one {
                    Some(one) if one.modifier.assumed => modifier
                        .into_iter()
                        .for_each(|modifier| one.modifier = modifier),
                    None if worth.is_none() => worth = modifier,
                    _ => lowering::refuse(
                        rule.span,
                        "`Modifier` is given before, also as a table",
                        "take one of the two away",
                        ledger,
                    ),
                }
                Ok(())
            }
        };
        lowering::report_refused(made.map_err(Into::into), rule.span, ledger);
    }
    // Range and modifier of all go to the attributes without any.
    for attribute in &mut attributes {
        attribute.range = attribute.range.or(of_all);
        if let Some(worth) = worth.as_ref().filter(|_| attribute.modifier.assumed) {
            attribute.modifier = worth.clone();
        }
    }
    attributes
}

/// Scores up to this are modifiers themselves.
const SCORE_MAX_OF_MODIFIERS: i64 = 10;

/// The modifier of the d20 family.
const HALF_ABOVE_TEN: &str = "floor(({score} - 10) / 2)";

/// Assumes the usual modifier for scores beyond ten where a sentence rolls a d20.
pub fn assume_modifiers(system: &mut System, ledger: &mut Ledger<'_>) {
    let rolls_d20 = |check: &&Check| check.assumed && check.main_die() == Some(Die::Sides(20));
    let Some(check) = system.checks.iter().find(rolls_d20) else {
        return;
    };
    let is_score =
        |range: Option<(i64, i64)>| range.is_some_and(|(_, high)| high > SCORE_MAX_OF_MODIFIERS);
    let open = system
        .attributes
        .iter_mut()
        .filter(|attribute| attribute.modifier.assumed && is_score(attribute.range));
    let mut open = open.peekable();
    if open.peek().is_none() {
        return;
    }
    for attribute in open {
        let Ok(formula) = parse_formula(HALF_ABOVE_TEN) else {
            return;
        };
        let stated = Modifier::stated(Base::Formula(formula), attribute.place.clone());
        attribute.modifier = Modifier {
            assumed: true,
            ..stated
        };
    }
    let otherwise =
        "to have it otherwise write a `- Modifier:` bullet or a | Score | Modifier | table";
    ledger.assume(
        format!("what an attribute is worth is {HALF_ABOVE_TEN}; {otherwise}"),
        Some(check.place.clone()),
    );
}
