//! What somebody owns.

use serde::{Deserialize, Serialize};

/// The row of `items`: one a kind of thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// 0 in a [portrait](crate::game::view::snapshot::CharacterSnapshot), where it is nobody's.
    #[serde(default, skip_serializing_if = "super::character::is_nobody")]
    pub character: i64,
    /// Unique with its owner, case and accents folded.
    pub name: String,
    /// 1 or more: what is used up is gone.
    pub quantity: i64,
    /// Worn, held, at hand.
    pub equipped: bool,
    /// Charges, pages, sips; `None` where nothing is counted.
    pub uses: Option<i64>,
    pub notes: String,
    /// Players know nothing of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

impl Item {
    /// "2, equipped, 3 uses (of silver)".
    pub fn reading(&self) -> String {
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
