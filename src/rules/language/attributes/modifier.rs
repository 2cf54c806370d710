//! What a score is worth in an expression.

use thiserror::Error;

use crate::diagnostic::{Diagnostic, Place, Span};
use crate::dice::Formula;
use crate::names::{counted, fold};
use crate::rules::codes;
use crate::rules::document::{Table, Text};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::number_table::{NumberRow, overlap, value_of};
use crate::rules::language::range;

/// What a score is worth in an expression, and which line says so.
#[derive(Debug, Clone, PartialEq)]
pub struct Modifier {
    /// How it is computed.
    pub kind: ModifierKind,
    /// The line it comes from; for an assumed one the line that led to it.
    pub place: Option<Place>,
    /// Whether the file says it, or the plain d20 style implies it.
    pub assumed: bool,
}

/// How a modifier is computed from a score.
#[derive(Debug, Clone, PartialEq)]
pub enum ModifierKind {
    /// The score itself.
    Score,
    /// `floor((score - 10) / 2)`, the rule of the d20 family.
    HalfAboveTen,
    /// An expression over `{score}`, without dice.
    Formula(Formula),
    /// From the file's table.
    Table(Vec<NumberRow>),
}

/// Why a score has no modifier.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModifierError {
    /// No row of the table holds the score.
    #[error("no row of the modifier table{at} holds the score {score}", at = at(.place))]
    NoRow {
        /// The score asked for.
        score: i64,
        /// Where the table stands.
        place: Option<Place>,
    },
    /// The formula cannot be computed for the score.
    #[error("the modifier `{formula}`{at} cannot be computed for the score {score}: {why}", at = at(.place))]
    Formula {
        /// The author's formula.
        formula: String,
        /// The score asked for.
        score: i64,
        /// What the dice engine says.
        why: String,
        /// Where the formula stands.
        place: Option<Place>,
    },
}

fn at(place: &Option<Place>) -> String {
    place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default()
}

impl Modifier {
    /// The score itself, as long as nothing else is said.
    pub fn score() -> Self {
        Self { kind: ModifierKind::Score, place: None, assumed: true }
    }

    /// What this score is worth.
    ///
    /// # Errors
    /// When the formula cannot be computed for it or the table has no row for it.
    pub fn of(&self, score: i64) -> Result<i64, ModifierError> {
        match &self.kind {
            ModifierKind::Score => Ok(score),
            ModifierKind::HalfAboveTen => Ok(score.saturating_sub(10).div_euclid(2)),
            ModifierKind::Formula(formula) => self.compute(formula, score),
            ModifierKind::Table(rows) => {
                value_of(rows, score).ok_or_else(|| ModifierError::NoRow { score, place: self.place.clone() })
            }
        }
    }

    /// How it is computed, in a few words: "`floor(({score} - 10) / 2)`", "table", "the score itself".
    pub fn describe(&self) -> String {
        match &self.kind {
            ModifierKind::Score => "the score itself".into(),
            ModifierKind::HalfAboveTen => "floor((score - 10) / 2)".into(),
            ModifierKind::Formula(formula) => formula.to_string(),
            ModifierKind::Table(rows) => format!("table of {}", counted(rows.len(), "row", "rows")),
        }
    }

    fn compute(&self, formula: &Formula, score: i64) -> Result<i64, ModifierError> {
        let failed = |why: String| ModifierError::Formula {
            formula: formula.to_string(),
            score,
            why,
            place: self.place.clone(),
        };
        let mut lookup = |name: &str| crate::names::same(name, "score").then_some(score);
        let bound = formula.bind(&mut lookup).map_err(|error| failed(error.to_string()))?;
        bound.constant().ok_or_else(|| failed("it has dice in it".into()))
    }
}

/// What the second column may be called.
pub const MODIFIERS: [&str; 4] = ["modifier", "mod", "bonus", "modifiers"];

/// Reads a table that has a Score and a Modifier column, or that begins with the name of one attribute (`of_one`) and has a Modifier
/// column; none when it is another table.
pub fn read(table: &Table, of_one: bool, ledger: &mut Ledger<'_>) -> Option<Modifier> {
    let column = |name: &str| table.header.iter().position(|cell| fold(cell.as_str()) == name);
    let scores = column("score").or_else(|| column("scores")).or_else(|| of_one.then_some(0))?;
    let modifiers = MODIFIERS.iter().find_map(|name| column(name))?;
    let mut rows = Vec::new();
    let mut places: Vec<(NumberRow, Span)> = Vec::new();
    for row in table.rows.iter().take(ledger.limits.items) {
        let (Some(score), Some(modifier)) = (row.get(scores), row.get(modifiers)) else {
            continue;
        };
        let read = range::score(score.as_str()).zip(whole_number(modifier));
        let Some(((low, high), value)) = read else {
            ledger.report(
                Diagnostic::warning(codes::UNREADABLE_MODIFIER, "a row of the modifier table cannot be read")
                    .at(score.span().to(modifier.span()), "expected a score and a number")
                    .because("these scores have no modifier")
                    .help("write `8-9` or `10` or `20+` in the first cell, `-1` or `+3` in the second"),
            );
            continue;
        };
        let row = NumberRow { low, high, value };
        if let Some((above, first)) = places.iter().find(|(above, _)| row.is_cut_by(above)) {
            ledger.report(match row.is_within(above) {
                true => {
                    let message = format!("the row `{}` of the modifier table never counts", score.as_str());
                    Diagnostic::warning(codes::UNREACHABLE_MODIFIER, message)
                        .at(score.span(), "these scores have a modifier already")
                        .and(*first, "by this row, since the first that holds a score counts")
                        .help("put the highest scores first, or write where each row ends: `13-15`")
                }
                false => overlap(&row, score.span(), above, *first),
            });
        }
        places.push((row, score.span()));
        rows.push(row);
    }
    ledger.has_room(table.rows.len().saturating_sub(1), "rows of the modifier table", table.span);
    let place = Some(ledger.place(table.span));
    Some(Modifier { kind: ModifierKind::Table(rows), place, assumed: false })
}

fn whole_number(cell: &Text) -> Option<i64> {
    let (number, rest) = range::number(cell.as_str())?;
    rest.trim().is_empty().then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::parse_formula;

    fn modifier(kind: ModifierKind) -> Modifier {
        Modifier { kind, place: None, assumed: false }
    }

    #[test]
    fn halves_are_rounded_down() {
        let modifier = modifier(ModifierKind::HalfAboveTen);
        let of = [3, 8, 9, 10, 11, 12, 20].map(|score| modifier.of(score).expect("always"));
        assert_eq!(of, [-4, -1, -1, 0, 0, 1, 5]);
        assert!(modifier.of(i64::MIN).is_ok());
    }

    #[test]
    fn a_formula_over_the_score_is_computed() {
        let formula = parse_formula("floor(({score} - 10) / 2)").expect("a formula");
        let modifier = modifier(ModifierKind::Formula(formula));
        assert_eq!([3, 9, 20].map(|score| modifier.of(score).expect("a number")), [-4, -1, 5]);
    }

    #[test]
    fn a_score_outside_the_table_is_an_error_that_says_so() {
        let rows = vec![NumberRow { low: 3, high: 8, value: -1 }, NumberRow { low: 9, high: 12, value: 0 }];
        let modifier = modifier(ModifierKind::Table(rows));
        assert_eq!(modifier.of(8), Ok(-1));
        let error = modifier.of(13).expect_err("no row");
        assert_eq!(error.to_string(), "no row of the modifier table holds the score 13");
    }
}
