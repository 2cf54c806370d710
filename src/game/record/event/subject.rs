//! The character an entry is about, and its changed fields.

use serde::{Deserialize, Serialize};

use crate::game::record::state::{Character, Kind};

/// A character as an entry names it, with its name at that time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub id: i64,
    pub name: String,
    pub kind: Kind,
}

impl Character {
    /// The character as an entry names it.
    pub fn subject(&self) -> Subject {
        Subject { id: self.id, name: self.name.clone(), kind: self.kind }
    }
}

/// One field of a character, before and after, as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    pub field: String,
    pub before: Option<String>,
    pub after: Option<String>,
}
