//! What a score is worth in an expression.

use thiserror::Error;

use crate::diagnostic::Place;
use crate::dice::Formula;
use crate::names::counted;
use crate::rules::grammar::file::TableRule;
use crate::rules::grammar::table::Numbers;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::number_table::{NumberRow, rows, value_of};

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

/// What the rule, and the column of the table, is called.
pub const MODIFIER: &str = "Modifier";

/// What this column of a table gives.
pub fn of_table(own: &TableRule, numbers: &Numbers, column: usize, ledger: &mut Ledger<'_>) -> Modifier {
    let rows = rows(numbers, column, own, ledger);
    Modifier { kind: ModifierKind::Table(rows), place: Some(ledger.place(own.span)), assumed: false }
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
        let formula = parse_formula("floor(({score} - 10) / 2)").expect("a formula");
        let modifier = modifier(ModifierKind::Formula(formula));
        let of = [3, 8, 9, 10, 11, 12, 20].map(|score| modifier.of(score).expect("a number"));
        assert_eq!(of, [-4, -1, -1, 0, 0, 1, 5]);
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
