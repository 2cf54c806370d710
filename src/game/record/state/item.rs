//! Items that characters own.

use serde::{Deserialize, Serialize};

/// A row of `items`, one for each kind of item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// 0 in a [snapshot](crate::game::view::snapshot::CharacterSnapshot).
    #[serde(default, skip_serializing_if = "super::character::is_nobody")]
    pub character: i64,
    /// Unique for its owner, case and accents folded.
    pub name: String,
    /// 1 or more.
    pub quantity: i64,
    /// Worn, held, at hand.
    pub equipped: bool,
    /// Charges; `None` where none are counted.
    pub uses: Option<i64>,
    pub notes: String,
    /// Hidden from players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

impl Item {
    /// "2, equipped, 3 uses (of silver)".
    pub fn render(&self) -> String {
        let mut parts = vec![self.quantity.to_string()];
        if self.equipped {
            parts.push("equipped".to_owned());
        }
        if let Some(uses) = self.uses {
            parts.push(format!("{uses} {}", if uses == 1 { "use" } else { "uses" }));
        }
        if self.hidden {
            parts.push("hidden".to_owned());
        }
        let notes = if self.notes.is_empty() { String::new() } else { format!(" ({})", self.notes) };
        format!("{}{notes}", parts.join(", "))
    }
}
