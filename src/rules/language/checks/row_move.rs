//! What a check does to tracks, and who may make it.

use std::collections::BTreeMap;

use crate::diagnostic::Place;
use crate::dice::parse_formula;
use crate::rules::language::rests::RestEffect;

/// What a row of an outcome table does to a track that a column is named after: `+1` below `Death save failures`.
#[derive(Debug, Clone, PartialEq)]
pub struct RowMove {
    /// Which track, and how.
    pub effect: RestEffect,
    /// Whether all share the track: one of the sections Company and Clocks.
    pub shared: bool,
    /// How many points, where it makes the track better.
    pub amount: i64,
    /// The value of the check that says how many points it is, in the place of those above.
    pub value: Option<String>,
    /// Whether the track is better with less: one that counts up.
    pub fills: bool,
    /// The author's words, with the column: "Dying: +1".
    pub text: String,
    /// Where the cell stands.
    pub place: Place,
}

impl RowMove {
    /// The move with as many points as the roll's values say; none where they are none.
    pub fn counted(&self, results: &BTreeMap<String, i64>) -> Option<RowMove> {
        let Some(name) = &self.value else { return Some(self.clone()) };
        let points = results.get(name).filter(|points| **points > 0)?;
        let track = self.effect.track().to_owned();
        let (effect, amount) = match &self.effect {
            RestEffect::Gives { .. } => {
                (RestEffect::Gives { track, amount: parse_formula(&points.to_string()).ok()? }, *points)
            }
            _ => (RestEffect::Marks { track, count: u32::try_from(*points).unwrap_or(u32::MAX) }, 0),
        };
        Some(RowMove { effect, amount, ..self.clone() })
    }

    /// In a few words: "one mark of Dying", "Hit points +1", "Stress -1", "Stress: +{price}".
    pub fn describe(&self) -> String {
        match &self.effect {
            _ if self.value.is_some() => self.text.clone(),
            RestEffect::Gives { track, amount } if self.fills => format!("{track} -{amount}"),
            effect => effect.describe(),
        }
    }

    /// What the row says beside this cell.
    pub fn without(&self, row_text: Option<String>) -> Option<String> {
        without(row_text, &self.text)
    }
}

/// The text of a row without one of its columns, `Alarm: +1`. A column that stands alone is there without its header.
pub(super) fn without(row_text: Option<String>, column: &str) -> Option<String> {
    let cell = column.split_once(": ").map_or(column, |(_, cell)| cell);
    let text = row_text?;
    let left: Vec<&str> = text.lines().filter(|line| *line != column && *line != cell).collect();
    (!left.is_empty()).then(|| left.join("\n"))
}

/// `While: {Dying}`: a check that nobody else may make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct While {
    /// What must be so.
    pub of: Vec<Need>,
    /// Whether all of it must be so; else one is enough.
    pub all: bool,
    /// The author's words.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// Something that is so of somebody, or is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// A condition.
    Condition(String),
    /// A track, boxes or slots between these, both included.
    Track {
        /// Which.
        name: String,
        /// The least.
        low: i64,
        /// The most.
        high: i64,
    },
}
