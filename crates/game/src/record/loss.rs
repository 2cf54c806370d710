//! Lost history: the log lacks entries that it had: its database is an older copy, or was cut off.

use crate::record::instant::iso;
use serde::{Deserialize, Serialize};

/// What is known about the loss.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// The last entry of the log.
    pub log_ends: u64,
    /// An entry that the log had.
    pub reached: u64,
    pub known_by: KnownBy,
    /// The chain value that it had then, as hex, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<String>,
    /// When it was recorded, in microseconds since 1970-01-01T00:00:00Z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_since: Option<i64>,
}

/// Who knows of the missing entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KnownBy {
    /// A line of checkpoints.log.
    Checkpoint,
    /// The caller, who sent its number as `after`.
    Caller,
    /// This server, which had read it.
    Server,
}

impl Loss {
    /// What is lost, in a sentence.
    pub fn summary(&self) -> String {
        let Loss {
            log_ends, reached, ..
        } = self;
        let since = self
            .known_since
            .map_or(String::new(), |at| format!(" of {}", iso(at)));
        let who = match self.known_by {
            KnownBy::Checkpoint => format!("a checkpoint{since}"),
            KnownBy::Caller => format!("after={reached}"),
            KnownBy::Server => "this server".to_owned(),
        };
        let (what, how) = match log_ends < reached {
            true => (
                format!("The log ends at #{log_ends}, and {who} knows entry #{reached}"),
                ", or was cut off",
            ),
            false => (
                format!("Entry #{reached} is not the one that {who} knows"),
                " that was played on, or was rewritten",
            ),
        };
        format!("{what}: the database is an older copy{how}.")
    }

    /// What to do about it.
    pub fn advice(&self) -> String {
        let slip = match self.known_by {
            KnownBy::Caller => format!(" If the number is a slip, send after={}.", self.log_ends),
            KnownBy::Checkpoint | KnownBy::Server => String::new(),
        };
        format!(
            "Nothing is written until that is settled.{slip} Stop the server and put the newer database back in its place; or, to play on \
             without what is lost, send manage_session action=\"accept_loss\", which the log says for ever."
        )
    }
}
