//! Attributes, and what their scores are worth.

use thiserror::Error;

use crate::language::number_table::Base;
use rollbook_text::diagnostic::{Place, Span};
use rollbook_text::names::{fold, same};

/// Every character has a score in it: Strength, Notice, Hunger.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    pub name: String,
    /// The short form, if any: `STR`.
    pub abbr: Option<String>,
    /// The author's words about it; may be empty.
    pub about: String,
    /// The lowest and the highest score, if the file gives a range.
    pub range: Option<(i64, i64)>,
    /// What a score is worth in an expression.
    pub modifier: Modifier,
    pub place: Place,
    pub span: Span,
}

impl Attribute {
    /// What `{STR}` means for a character with this score.
    ///
    /// # Errors
    /// When the file's formula cannot be computed for this score or its table has no row for it.
    pub fn modifier(&self, score: i64) -> Result<i64, ModifierError> {
        let Modifier { from, place, .. } = &self.modifier;
        let Some(from) = from else {
            return Ok(score);
        };
        let number = from
            .formula()
            .bind(&mut |name| same(name, "score").then_some(score))
            .ok();
        let number = number
            .and_then(|expression| expression.constant())
            .and_then(|number| from.value_of(number));
        number.ok_or_else(|| ModifierError {
            by: self.modifier.describe(),
            score,
            place: place.clone(),
        })
    }

    /// The short form, else the name.
    pub fn short(&self) -> &str {
        self.abbr.as_deref().unwrap_or(&self.name)
    }

    /// Whether this folded name is its name or its short form.
    pub fn is_called(&self, folded: &str) -> bool {
        fold(&self.name) == folded || self.abbr.as_ref().is_some_and(|abbr| fold(abbr) == folded)
    }

    /// Whether a score is in the range, if any.
    pub fn allows(&self, score: i64) -> bool {
        self.range
            .is_none_or(|(low, high)| (low..=high).contains(&score))
    }
}

/// What a score is worth in an expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Modifier {
    /// How it is computed from `{score}`; none: the score itself.
    pub from: Option<Base>,
    /// Its line; where it is assumed, the line that led to it.
    pub place: Option<Place>,
    pub assumed: bool,
}

/// A score without a modifier: no row of a table holds it, or the formula cannot be computed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the modifier by {by}{at} has no number for the score {score}", at = at(.place))]
pub struct ModifierError {
    /// How it is computed.
    by: String,
    score: i64,
    place: Option<Place>,
}

fn at(place: &Option<Place>) -> String {
    place
        .as_ref()
        .map(|place| format!(" ({place})"))
        .unwrap_or_default()
}

impl Modifier {
    /// The score itself, where no rule says otherwise.
    pub fn score() -> Self {
        Self {
            from: None,
            place: None,
            assumed: true,
        }
    }

    /// The modifier of a line.
    pub fn stated(from: Base, place: Place) -> Self {
        Self {
            from: Some(from),
            place: Some(place),
            assumed: false,
        }
    }

    /// How it is computed: "`floor(({score} - 10) / 2)`", "table of 2 rows", "the score itself".
    pub fn describe(&self) -> String {
        match &self.from {
            None => "the score itself".into(),
            Some(Base::Formula(formula)) => formula.to_string(),
            Some(Base::Table(table)) => table.describe(),
        }
    }
}

/// The name of the rule and of the table's column.
pub const MODIFIER: &str = "Modifier";
