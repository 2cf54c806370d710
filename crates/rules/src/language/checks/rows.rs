//! The rows of an outcome table.

use super::bullets::Reader;
use super::check::{Row, row_formula};
use crate::document::Text;
use crate::grammar::dealt::Dealt;
use crate::grammar::effect::{self, Act, Move, Moved};
use crate::grammar::file::TableRule;
use crate::grammar::table::{self, Table};
use crate::grammar::tree::Expr;
use crate::language::effects::{Effect, Spot, gains};
use crate::language::ledger::{self, Scope};
use crate::language::lowering::{self, Refused};
use rollbook_dice::parse;
use rollbook_text::diagnostic::Span;
use rollbook_text::names::{fold, same};

/// A cell with its header.
type Cell<'t> = (&'t Text, &'t Text);
/// A refusal with its place.
type Wrong = (Span, Refused);

/// The cell below this header.
fn cell<'t>(cells: &[Cell<'t>], header: &str) -> Option<&'t Text> {
    cells
        .iter()
        .find(|(known, _)| same(known.as_str(), header))
        .map(|(_, cell)| *cell)
}

/// The text of a row without one column, `Alarm: +1`. A single column is there without its header.
pub fn without_column(row_text: Option<String>, column: &str) -> Option<String> {
    let cell = column.split_once(": ").map_or(column, |(_, cell)| cell);
    let text = row_text?;
    let left: Vec<&str> = text
        .lines()
        .filter(|line| *line != column && *line != cell)
        .collect();
    (!left.is_empty()).then(|| left.join("\n"))
}

impl Reader<'_, '_, '_> {
    /// Reads the rows, after all bullets.
    pub fn rows(&mut self, table: &TableRule) {
        let Table::Outcomes(all) = &table.table else {
            return;
        };
        self.is_whole &= self.ledger.has_room(
            all.len().saturating_sub(1),
            "rows of an outcome table",
            table.span,
        );
        for (read, cells) in all.iter().zip(&table.written.rows) {
            let cells: Vec<Cell<'_>> = table.written.header.iter().zip(cells).collect();
            match self.row(read, &cells) {
                Ok(row) => self.check.rows.push(row),
                Err((span, refused)) => self.refuse(span, &refused),
            }
        }
    }

    fn row(&mut self, read: &table::Row, cells: &[Cell<'_>]) -> Result<Row, Wrong> {
        let span = |header: &str| cell(cells, header).map_or(Span::default(), Text::span);
        let (outcome, when_span) = (span("Outcome"), span("When"));
        let mut row = Row {
            label: read.label.clone(),
            canonical: read.outcome,
            when: self
                .lower(|lower| lower.when(&read.when))
                .map_err(|why| (when_span, why))?,
            when_text: cell(cells, "When")
                .map_or("", Text::as_str)
                .replace('`', ""),
            text: text(cells),
            moves: Vec::new(),
            damage: read.deals.clone(),
            effects: Vec::new(),
            place: self.ledger.place(outcome),
            span: outcome.to(when_span),
        };
        if let Some(Dealt::Amount(amount)) = &read.deals {
            let span = span("Damage");
            self.dealt(amount, span)
                .map_err(|refused| (span, refused))?;
        }
        for (column, items) in &read.effects {
            let span = span(column);
            if same(column, "Target effect") {
                row.effects = gains(items, self.system).map_err(|refused| (span, refused))?;
                continue;
            }
            for item in items {
                self.moves(column, item, span, &mut row)
                    .map_err(|refused| (span, refused))?;
            }
        }
        Ok(row)
    }

    /// Checks an amount of damage with some dice for the attack's.
    fn dealt(&mut self, amount: &Expr, span: Span) -> Result<(), Refused> {
        let formula = parse("1d6").and_then(|damage| row_formula(amount, &damage)).map_err(|error| {
            let instead =
                "what the roll shows has a name: ``- Value extra: `successes - 1` ``, and `` `{damage} + {extra}` ``";
            Refused::new(error.message.trim_end_matches('.'), instead)
        })?;
        let text = Text::invented(&amount.in_notation(), span);
        self.ledger.written.push(ledger::Written {
            formula,
            text,
            scope: Scope::Sheet,
        });
        Ok(())
    }

    /// Reads a cell of Effect or of a track's column.
    fn moves(
        &mut self,
        column: &str,
        effect: &effect::Effect,
        span: Span,
        row: &mut Row,
    ) -> Result<(), Refused> {
        let here = match fold(column).as_str() {
            "effect" if matches!(&effect.act, Act::Pass { .. } | Act::Damage { .. }) => {
                let instead = "write `Stress +1` or `gain Shaken`; what a hit brings stands below `Target effect`";
                return Err(Refused::new(
                    "a row moves tracks of who rolls, and brings conditions",
                    instead,
                ));
            }
            "effect" => None,
            _ if !matches!(&effect.act, Act::Move(Moved::Here, _)) => {
                let instead = "write `+1`, `-2`, `-1 step`, `to 0` or `to max`";
                return Err(Refused::new(
                    format!("this column is about {column}"),
                    instead,
                ));
            }
            _ => Some(self.tracks.track(column, self.system)?.0.to_owned()),
        };
        if let Act::Move(_, Move::By(_, many) | Move::To(many)) = &effect.act
            && lowering::number(many).is_none()
        {
            self.named_amount(many, span)?;
        }
        let spot = Spot {
            here: here.as_deref(),
            span,
            scope: Scope::Check,
        };
        let made = self.tracks.effect(effect, spot, self.system, self.ledger)?;
        let text = format!("{column}: {}", self.ledger.sources.text(span).trim());
        let is_hidden = made.track().filter(|_| made.shared).is_some_and(|name| {
            let mut company = self
                .system
                .company
                .iter()
                .flat_map(|company| &company.tracks);
            company.any(|track| track.hidden && track.name == name)
        });
        if is_hidden {
            // Players may read the row, but not that there is such a clock.
            row.text = without_column(row.text.take(), &text);
        }
        row.moves.push(Effect { text, ..made });
        Ok(())
    }

    /// How far a track moves: by dice, a value of the check, or a name, which becomes a value.
    fn named_amount(&mut self, amount: &Expr, span: Span) -> Result<(), Refused> {
        let reference = match amount {
            Expr::Ref(reference) => reference,
            Expr::Dice(_) => return Ok(()),
            _ => {
                let instead = "give it a name: ``- Value price: `6 - highest` ``, and `+{price}`";
                return Err(Refused::new(
                    "a row moves a track by a number, by dice, or by a name",
                    instead,
                ));
            }
        };
        if !self
            .check
            .values
            .iter()
            .any(|value| value.is(&reference.name))
        {
            let named = self.named(&reference.name, amount, span)?;
            self.check.values.push(named);
        }
        Ok(())
    }
}

/// The text of columns for people or moving tracks: one cell as is, several as lines with headers.
fn text(cells: &[Cell<'_>]) -> Option<String> {
    let is_used = |header: &Text| {
        table::READ
            .iter()
            .take(3)
            .any(|name| same(header.as_str(), name))
    };
    let filled: Vec<_> = cells
        .iter()
        .filter(|(header, cell)| !is_used(header) && !cell.is_empty())
        .collect();
    match filled.as_slice() {
        [] => None,
        [(_, cell)] => Some(cell.as_str().to_owned()),
        several => {
            let parts = several
                .iter()
                .map(|(header, cell)| format!("{}: {}", header.as_str(), cell.as_str()));
            Some(parts.collect::<Vec<_>>().join("\n"))
        }
    }
}
