//! Which dice may be rolled, what advantage does, words for difficulties: from the lines of the section.

use super::assumed::assume_advantage;
use super::chain::DiceChain;
use super::difficulties::Difficulty;
use super::policy::DicePolicy;
use crate::document::{Block, Document, Section, Table, Text};
use crate::grammar::file::Rule;
use crate::grammar::line::{DiceLine, Line, ToReach};
use crate::grammar::table;
use crate::grammar::tree::Expr;
use crate::language::ledger::{Ledger, Scope};
use crate::language::lower;
use crate::language::outline::Outline;
use crate::language::system::System;
use crate::section::SectionKind;
use rollbook_dice::{Die, Formula, strict};
use rollbook_text::diagnostic::Span;
use rollbook_text::names::same;

/// Reads the section into the system, whose checks are already there.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    for rule in outline.rules(SectionKind::Dice) {
        let Line::Dice(own) = &rule.line else { continue };
        match own {
            DiceLine::Sizes(None) => system.dice = DicePolicy::any(ledger.place(rule.span)),
            DiceLine::Sizes(Some(sizes)) => {
                if let Some(dice) = dice(sizes, rule.span, ledger) {
                    system.dice = DicePolicy::only(dice, ledger.place(rule.span));
                }
            }
            DiceLine::Chain(sizes) => system.chain = chain(sizes, rule.span, ledger),
            DiceLine::Advantage(added) => system.advantage = added.map(|own| formula(own, rule, system, ledger)),
            DiceLine::Disadvantage(added) => system.disadvantage = added.map(|own| formula(own, rule, system, ledger)),
            DiceLine::Visibility(own) => system.showing = *own,
            // Read before all else, or behind the checks.
            DiceLine::Die { .. }
            | DiceLine::Deck { .. }
            | DiceLine::Symbol { .. }
            | DiceLine::Cancel(_)
            | DiceLine::Difficulty { .. } => {}
        }
    }
    for own in &system.own_dice.dice {
        system.dice.add_named(&own.die, &own.name);
    }
}

/// Without a `- Dice:` bullet the dice of every expression and of every table that is rolled on are allowed, too.
pub fn allow_written(document: &Document, system: &mut System, ledger: &Ledger<'_>) {
    if system.dice.place.is_some() {
        return;
    }
    let names_sides = |words: &&str| words.contains(|letter: char| letter.is_ascii_digit() || letter == '%');
    let header = |own: &Table| strict(own.header.first().map(Text::as_str).filter(names_sides)?).ok();
    let table = |block: &Block| if let Block::Table(own) = block { header(own) } else { None };
    let tables = document.sections.iter().flat_map(Section::all_blocks).filter_map(table).flat_map(|own| own.dice());
    let written = ledger.written.iter().flat_map(|own| fixed_dice(&own.formula));
    system.dice.add(tables.chain(written).take(ledger.limits.items));
}

/// The dice whose size is no variable: whatever the variables stand for they are the same.
pub fn fixed_dice(formula: &Formula) -> Vec<Die> {
    let all = formula.labelled_dice();
    if all.iter().all(|(_, die)| die.is_some()) {
        return all.into_iter().filter_map(|(_, die)| die).collect();
    }
    let with = |value: i64| formula.bind(&mut |_| Some(value)).map(|bound| bound.dice()).unwrap_or_default();
    let other = with(7);
    with(6).into_iter().filter(|die| other.contains(die)).collect()
}

/// What goes by the checks, which are there now.
pub fn resolve(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    for rule in outline.rules(SectionKind::Dice) {
        if let Line::Dice(DiceLine::Difficulty { name, is }) = &rule.line {
            difficulty(name, is, rule.span, system, ledger);
        }
    }
    for own in outline.file.tables.iter().filter(|own| own.section == SectionKind::Dice) {
        if let table::Table::Difficulties(rows) = &own.table {
            for ((name, is), span) in rows.iter().zip(&own.rows) {
                difficulty(name, is, *span, system, ledger);
            }
        }
    }
    if system.has_usual_advantage() {
        assume_advantage(system, ledger);
    }
}

/// The first of a name counts.
fn difficulty(name: &str, is: &ToReach, span: Span, system: &mut System, ledger: &mut Ledger<'_>) {
    if let ToReach::Row(label) = is
        && !system.checks.iter().any(|check| check.rank_of(label).is_some())
    {
        let why = format!("no check that is read has a row called `{label}`");
        return lower::refuse(span, &why, "name a row of an outcome table by its label, or write the number", ledger);
    }
    if system.difficulties.iter().any(|own| same(&own.name, name)) {
        return lower::refuse(span, &format!("`{name}` is given before"), "take one of the two away", ledger);
    }
    if ledger.has_room(system.difficulties.len(), "difficulties", span) {
        system.difficulties.push(Difficulty { name: name.to_owned(), is: is.clone(), place: ledger.place(span), span });
    }
}

fn formula(own: &Expr, rule: &Rule, system: &System, ledger: &mut Ledger<'_>) -> Option<Formula> {
    lower::formula(own, &system.own_dice, (rule.span, Scope::Check), ledger)
}

fn dice(sizes: &[i64], span: Span, ledger: &mut Ledger<'_>) -> Option<Vec<Die>> {
    let die = |size: &i64| u32::try_from(*size).ok().filter(|size| *size > 0).map(Die::Sides);
    let all: Option<Vec<Die>> = sizes.iter().map(die).collect();
    if all.is_none() {
        lower::refuse(span, "a die has one side or more", "write them by name: `d20, d6`", ledger);
    }
    all
}

/// At least two dice, the smallest first.
pub fn chain(sizes: &[i64], span: Span, ledger: &mut Ledger<'_>) -> Option<DiceChain> {
    let all = dice(sizes, span, ledger)?;
    if all.len() < 2 {
        lower::refuse(span, "a dice chain has two dice or more", "write `d4, d6, d8, d10, d12`", ledger);
        return None;
    }
    Some(DiceChain { dice: all, place: ledger.place(span) })
}
