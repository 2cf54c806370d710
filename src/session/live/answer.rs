//! What a call brings and what it gets.

use serde_json::{Map, Value};

use super::Caller;
use crate::game::refusal::{Code, Refusal};
use crate::store::StoreError;

/// What a call brings besides its own parameters.
#[derive(Debug, Clone, Default)]
pub struct Request {
    pub tool: &'static str,
    pub request_id: Option<String>,
    /// SHA-256 of the canonical arguments.
    pub arguments: [u8; 32],
    /// The last entry the caller knows.
    pub after: Option<u64>,
    /// The entry the call refers to.
    pub refers: Option<Refers>,
    /// Whether what came after that entry is wanted too; where it follows another, what came after the first of them.
    pub later: bool,
    /// Whether the entries of the running fight's last advance are wanted.
    pub last_turn: bool,
    /// Whether the answer is still waited for.
    pub caller: Caller,
    /// The call accepts that the log lacks entries which it had.
    pub accepts_loss: bool,
}

/// An entry that a call refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refers {
    /// By its number.
    Entry(u64),
    /// The roll that decides how hard a blow is, by its number, with everything since: where it was used before. Without a number
    /// the last entry with a roll, whatever was rolled for: an older one would be a guess.
    Blow(Option<u64>),
    /// The last check of a character; of the only player character where none is named.
    LastCheck(Option<String>),
    /// The call that this entry belongs to, with everything since: what an undo takes back; the last change where none is named.
    Undo(Option<u64>),
}

/// The reply to a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub reply: Map<String, Value>,
    /// The same call was answered before, and nothing was done now.
    pub replayed: bool,
    /// What was written since the entry the caller knows: number and sentence.
    pub since: Vec<(u64, String)>,
    /// What else the caller has to know and is no part of the reply that is kept.
    pub notes: Vec<String>,
    /// What the log is known to lack, and what to do about it.
    pub history_lost: Option<String>,
}

/// A call that was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The caller can act on it.
    #[error(transparent)]
    Refusal(#[from] Refusal),
    /// We broke; the words are for the log on stderr.
    #[error("{0}")]
    Failure(String),
}

impl From<StoreError> for CallError {
    fn from(error: StoreError) -> Self {
        let refusal = |code, what: &str| Refusal::new(code, format!("{error}.{what}")).into();
        match error {
            StoreError::Busy => refusal(Code::Busy, " Send the same call again."),
            StoreError::Damaged { .. } => refusal(Code::Damaged, ""),
            StoreError::Newer { .. } => refusal(Code::NewerSchema, ""),
            StoreError::NotOpened { .. } => refusal(Code::NotOpened, ""),
            StoreError::Moved { .. } => refusal(
                Code::Moved,
                " What is written into it now would be found by nobody. Put the file back in its place, with the -wal file beside \
                 it, and send the same call again; or restart the server to play with what lies there now.",
            ),
            StoreError::Disk(_) => {
                refusal(Code::Disk, " Make room, or see that the folder can be written; then send the same call again.")
            }
            other => CallError::Failure(other.to_string()),
        }
    }
}
