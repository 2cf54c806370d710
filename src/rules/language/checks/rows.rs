//! The rows of an outcome table.

use super::check::{Check, Row};
use super::dealt::{Deals, RowDamage};
use super::outcome::Outcome;
use super::read::Part;
use crate::diagnostic::Span;
use crate::names::{fold, same};
use crate::rules::document::{Table as Written, Text};
use crate::rules::grammar::file::TableRule;
use crate::rules::grammar::line::Dealt;
use crate::rules::grammar::table::{self, Table};
use crate::rules::grammar::tree::Expr;
use crate::rules::language::ledger::{self, Ledger, Scope};
use crate::rules::language::lower;
use crate::rules::language::system::System;
use crate::rules::when::Lower;

/// The rows; none where one of them cannot be carried out.
pub fn read(
    part: &Part<'_>,
    table: &TableRule,
    check: &Check,
    system: &System,
    ledger: &mut Ledger<'_>,
) -> Option<Vec<Row>> {
    let (Table::Outcomes(all), Some(written)) = (&table.table, part.written(table)) else { return None };
    let lower = Lower { values: &check.values, letter: &|name| system.own_dice.letter(name) };
    let mut rows = Vec::new();
    let mut is_whole = ledger.has_room(all.len().saturating_sub(1), "rows of an outcome table", table.span);
    for (nth, own) in all.iter().enumerate() {
        let cells = written.rows.get(nth).map(Vec::as_slice).unwrap_or_default();
        let cell = |name: &str| written.header.iter().position(|header| same(header.as_str(), name));
        let cell = |name: &str| cell(name).and_then(|at| cells.get(at));
        let (Some(outcome), Some(when_cell)) = (cell("Outcome"), cell("When")) else { continue };
        let when = match lower.when(&own.when) {
            Ok(when) => when,
            Err(why) => {
                let instead = "`rollbook explain language` has what a roll shows";
                lower::refuse(when_cell.span(), why, instead, ledger);
                is_whole = false;
                continue;
            }
        };
        let damage = match (&own.deals, cell("Damage")) {
            (Some(deals), Some(cell)) => match damage(deals, cell, check, ledger) {
                Some(damage) => Some(damage),
                None => {
                    is_whole = false;
                    continue;
                }
            },
            _ => None,
        };
        rows.push(Row {
            label: own.label.clone(),
            canonical: Outcome::named(&own.class)?,
            when,
            when_text: when_cell.as_str().replace('`', ""),
            text: text(written, cells),
            moves: Vec::new(),
            damage,
            effects: Vec::new(),
            place: ledger.place(outcome.span()),
            span: outcome.span().to(when_cell.span()),
        });
    }
    is_whole.then_some(rows)
}

fn damage(deals: &Dealt, cell: &Text, check: &Check, ledger: &mut Ledger<'_>) -> Option<RowDamage> {
    let deals = match deals {
        Dealt::None => Deals::Nothing,
        Dealt::Half => Deals::Half,
        Dealt::Once => Deals::Once,
        Dealt::Twice => Deals::Twice,
        Dealt::DiceTwice => Deals::DiceTwice,
        Dealt::Maximum => Deals::Maximum,
        Dealt::Amount(own) => formula(own, cell.span(), check, ledger)?,
    };
    Some(RowDamage { deals, text: cell.as_str().to_owned(), place: ledger.place(cell.span()) })
}

/// A formula with any dice in the place of the attack's own. Names of the actor's sheet alone: the damage is looked at before the check is rolled.
fn formula(own: &Expr, span: Span, check: &Check, ledger: &mut Ledger<'_>) -> Option<Deals> {
    let written = own.in_notation();
    let known = |name: &str| check.values.iter().any(|own| own.is(name)).then_some(1);
    match super::dealt::with_damage(&written, "1d6", known) {
        Ok(formula) => {
            let text = Text::invented(&written, span);
            ledger.written.push(ledger::Written { formula, text, scope: Scope::Sheet });
            Some(Deals::Formula(written))
        }
        Err(error) => {
            let instead =
                "what the roll shows has a name: ``- Value extra: `successes - 1` ``, and `` `{damage} + {extra}` ``";
            lower::refuse(span, error.message.trim_end_matches('.'), instead, ledger);
            None
        }
    }
}

/// What the columns for people say, and those that move tracks: the one cell, or each on a line of its own behind its header when several are filled.
fn text(table: &Written, cells: &[Text]) -> Option<String> {
    let is_used = |header: &Text| table::READ.iter().take(3).any(|own| fold(header.as_str()) == *own);
    let filled: Vec<(&Text, &Text)> =
        table.header.iter().zip(cells).filter(|(header, cell)| !is_used(header) && !cell.is_empty()).collect();
    match filled.as_slice() {
        [] => None,
        [(_, cell)] => Some(cell.as_str().to_owned()),
        several => {
            let parts = several.iter().map(|(header, cell)| format!("{}: {}", header.as_str(), cell.as_str()));
            Some(parts.collect::<Vec<_>>().join("\n"))
        }
    }
}
