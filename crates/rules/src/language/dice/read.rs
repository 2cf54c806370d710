//! Allowed dice, advantage and difficulties from the lines of the section.

use super::model::{DiceChain, DicePolicy, Difficulty};
use crate::document::{Block, Document, Section, Table, Text};
use crate::grammar::file::Rule;
use crate::grammar::line::{DiceLine, DifficultyValue, Line};
use crate::grammar::table;
use crate::grammar::tree::Expr;
use crate::language::checks::Check;
use crate::language::ledger::{Ledger, Scope};
use crate::language::lowering;
use crate::language::outline::Outline;
use crate::language::system::System;
use crate::section::SectionKind;
use crate::when::facts::Succeed;
use rollbook_dice::{Die, Formula, Mode, strict};
use rollbook_text::diagnostic::Span;
use rollbook_text::names::same;

/// Reads the section into the system, without what needs the checks.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    for rule in outline.rules(SectionKind::Dice) {
        let Line::Dice(line) = &rule.line else {
            continue;
        };
        match line {
            DiceLine::Sizes(None) => system.dice = DicePolicy::any(ledger.place(rule.span)),
            DiceLine::Sizes(Some(sizes)) => {
                if let Some(dice) = dice(sizes, rule.span, ledger) {
                    system.dice = DicePolicy::only(dice, ledger.place(rule.span));
                }
            }
            DiceLine::Chain(sizes) => system.chain = chain(sizes, rule.span, ledger),
            DiceLine::Advantage(added) => {
                system.advantage = added.map(|expr| formula(expr, rule, system, ledger))
            }
            DiceLine::Disadvantage(added) => {
                system.disadvantage = added.map(|expr| formula(expr, rule, system, ledger))
            }
            DiceLine::Visibility(showing) => system.showing = *showing,
            // Read before all else, or after the checks.
            DiceLine::Die { .. }
            | DiceLine::Deck { .. }
            | DiceLine::Symbol { .. }
            | DiceLine::Cancel(_)
            | DiceLine::Difficulty { .. } => {}
        }
    }
    for die in &system.named_dice.dice {
        system.dice.add_named(&die.die, &die.name);
    }
}

/// Without a `- Dice:` bullet, also allows the dice of every expression and every random table.
pub fn allow_written(document: &Document, system: &mut System, ledger: &Ledger<'_>) {
    if system.dice.place.is_some() {
        return;
    }
    let names_sides =
        |words: &&str| words.contains(|letter: char| letter.is_ascii_digit() || letter == '%');
    let header =
        |table: &Table| strict(table.header.first().map(Text::as_str).filter(names_sides)?).ok();
    let table = |block: &Block| {
        if let Block::Table(table) = block {
            header(table)
        } else {
            None
        }
    };
    let tables = document
        .sections
        .iter()
        .flat_map(Section::all_blocks)
        .filter_map(table)
        .flat_map(|header| header.dice());
    let written = ledger
        .written
        .iter()
        .flat_map(|written| fixed_dice(&written.formula));
    system
        .dice
        .add(tables.chain(written).take(ledger.limits.items));
}

/// The dice whose size does not depend on variables.
pub fn fixed_dice(formula: &Formula) -> Vec<Die> {
    let all = formula.labelled_dice();
    if all.iter().all(|(_, die)| die.is_some()) {
        return all.into_iter().filter_map(|(_, die)| die).collect();
    }
    let with = |value: i64| {
        formula
            .bind(&mut |_| Some(value))
            .map(|bound| bound.dice())
            .unwrap_or_default()
    };
    let other = with(7);
    with(6)
        .into_iter()
        .filter(|die| other.contains(die))
        .collect()
}

/// Reads what needs the checks: difficulties and advantage.
pub fn resolve(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    for rule in outline.rules(SectionKind::Dice) {
        if let Line::Dice(DiceLine::Difficulty { name, is }) = &rule.line {
            difficulty(name, is, rule.span, system, ledger);
        }
    }
    for table in outline
        .file
        .tables
        .iter()
        .filter(|table| table.section == SectionKind::Dice)
    {
        if let table::Table::Difficulties(rows) = &table.table {
            for ((name, is), span) in rows.iter().zip(&table.rows) {
                difficulty(name, is, *span, system, ledger);
            }
        }
    }
    if system.has_usual_advantage() {
        assume_advantage(system, ledger);
    }
}

/// Adds a difficulty. The first of a name counts.
fn difficulty(
    name: &str,
    is: &DifficultyValue,
    span: Span,
    system: &mut System,
    ledger: &mut Ledger<'_>,
) {
    if let DifficultyValue::Row(label) = is
        && !system
            .checks
            .iter()
            .any(|check| check.rank_of(label).is_some())
    {
        let why = format!("no check that is read has a row called `{label}`");
        return lowering::refuse(
            span,
            &why,
            "name a row of an outcome table by its label, or write the number",
            ledger,
        );
    }
    if system
        .difficulties
        .iter()
        .any(|known| same(&known.name, name))
    {
        return lowering::refuse(
            span,
            &format!("`{name}` is given before"),
            "take one of the two away",
            ledger,
        );
    }
    if ledger.has_room(system.difficulties.len(), "difficulties", span) {
        system.difficulties.push(Difficulty {
            name: name.to_owned(),
            is: is.clone(),
            place: ledger.place(span),
            span,
        });
    }
}

fn formula(expr: &Expr, rule: &Rule, system: &System, ledger: &mut Ledger<'_>) -> Option<Formula> {
    lowering::formula(expr, &system.named_dice, (rule.span, Scope::Check), ledger)
}

fn dice(sizes: &[i64], span: Span, ledger: &mut Ledger<'_>) -> Option<Vec<Die>> {
    let die = |size: &i64| {
        u32::try_from(*size)
            .ok()
            .filter(|size| *size > 0)
            .map(Die::Sides)
    };
    let all: Option<Vec<Die>> = sizes.iter().map(die).collect();
    if all.is_none() {
        lowering::refuse(
            span,
            "a die has one side or more",
            "write them by name: `d20, d6`",
            ledger,
        );
    }
    all
}

/// At least two dice, the smallest first.
pub fn chain(sizes: &[i64], span: Span, ledger: &mut Ledger<'_>) -> Option<DiceChain> {
    let all = dice(sizes, span, ledger)?;
    if all.len() < 2 {
        lowering::refuse(
            span,
            "a dice chain has two dice or more",
            "write `d4, d6, d8, d10, d12`",
            ledger,
        );
        return None;
    }
    Some(DiceChain {
        dice: all,
        place: ledger.place(span),
    })
}

/// Notes that checks on one d20 have the usual advantage: the better die, which is the lower one
/// where low is good. [`System::swap`] gives each check its dice.
pub fn assume_advantage(system: &System, ledger: &mut Ledger<'_>) {
    let is_open = |check: &&Check| check.advantage.is_none() && check.disadvantage.is_none();
    let Some(first) = system
        .checks
        .iter()
        .filter(is_open)
        .find(|check| check.rolls_one_die(20))
    else {
        return;
    };
    let dice = [Mode::Advantage, Mode::Disadvantage].map(|mode| two_d20(mode, Succeed::AtLeast));
    let text = format!(
        "advantage of a single d20 is {} and disadvantage {}, the other way round where low is good",
        dice[0], dice[1]
    );
    ledger.assume(text, Some(first.place.clone()));
}

/// Two d20 of which the better or the worse is kept.
pub fn two_d20(mode: Mode, succeed: Succeed) -> &'static str {
    match (mode, succeed) {
        (Mode::Advantage, Succeed::AtLeast) | (Mode::Disadvantage, Succeed::AtMost) => "2d20kh1",
        (Mode::Advantage, Succeed::AtMost) | (Mode::Disadvantage, Succeed::AtLeast) => "2d20kl1",
    }
}
