//! Sessions of play, and what players had seen at the end of one.

use serde::{Deserialize, Serialize};

use super::{Describe, Description, optional};
use crate::record::entry::{Audience, Entry};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionStarted {
    pub number: u32,
    pub title: Option<String>,
}

impl Describe for SessionStarted {
    fn description(&self) -> Description<'_> {
        Description { is_open: true, texts: optional("title", &self.title), ..Description::default() }
    }

    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let title = self.title.as_ref().map_or(String::new(), |title| format!(": {title}"));
        Some(format!("Session {} begins{title}.", self.number))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionEnded {
    pub number: u32,
    /// What players saw before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Seen>,
}

impl Describe for SessionEnded {
    fn description(&self) -> Description<'_> {
        Description { is_open: true, ..Description::default() }
    }

    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        Some(format!("Session {} ends.", self.number))
    }
}

/// What players had seen at a moment: the head of the second chain, over what players see alone (`store::chain`), before the entry that
/// names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// How many entries players see.
    pub n: u64,
    /// 32 bytes as hex.
    pub chain: String,
}
