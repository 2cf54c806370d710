//! What the company shares: clocks that fill up, and tracks such as supplies that run down.

use serde::{Deserialize, Serialize};

/// A row of `clocks`: `min <= value`, and `value <= max` where there is a maximum. A clock that System.md declares and that
/// nothing has changed yet has no row.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// Unique in the campaign, case and accents folded.
    pub name: String,
    pub value: i64,
    pub min: i64,
    pub max: Option<i64>,
    /// It runs down, like supplies: its bad end is its lowest value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub down: bool,
    /// Hidden from players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Done with: off the lists, and kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
}

impl Clock {
    /// "Flooding 3/6".
    pub fn render(&self) -> String {
        format!("{} {}", self.name, self.render_value())
    }

    /// "3/6", or "3" without a maximum.
    pub fn render_value(&self) -> String {
        of_max(self.value, self.max)
    }

    /// "full" or "empty", where it is at its bad end.
    pub fn end(&self) -> Option<&'static str> {
        let is_empty = self.down && self.value <= self.min.max(0);
        let is_full = !self.down && self.max == Some(self.value);
        is_empty.then_some("empty").or(is_full.then_some("full"))
    }

    /// The value that is this much worse, or better where it is below 0.
    pub fn worse_by(&self, amount: i64) -> i64 {
        if self.down { self.value.saturating_sub(amount) } else { self.value.saturating_add(amount) }
    }

    /// The nearest value that it can have.
    pub fn clamp(&self, value: i64) -> i64 {
        value.min(self.max.unwrap_or(i64::MAX)).max(self.min)
    }
}

/// "3/6", or "3" without a maximum.
pub fn of_max(value: i64, max: Option<i64>) -> String {
    max.map_or_else(|| value.to_string(), |max| format!("{value}/{max}"))
}

/// A row of `decks`: what is out of one. A deck that is whole has none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deck {
    /// As the rules call it.
    pub name: String,
    /// The cards that are out, in the order in which they were drawn: `10H`, `J`, `7`.
    pub drawn: Vec<String>,
}
