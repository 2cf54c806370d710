//! What `manage_session` answers.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::clock::ClockReply;
use crate::tools::schema::Object;

/// Where the game stands, the sittings, or the one that was changed.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reply {
    Status(Status),
    Sessions {
        /// number, title, from, to, entries [first, last]
        #[schemars(with = "Vec<Object>")]
        sessions: Vec<Sitting>,
    },
    Clock {
        #[schemars(with = "Object")]
        clock: ClockReply,
    },
    Time {
        /// now, passed, ended
        #[schemars(with = "Object")]
        time: TimeReply,
    },
    /// An entry of the log, as its call answered it; with kind, actor, timestamp, visibility.
    Entry(Map<String, Value>),
    Compared(Compared),
    Begun {
        /// The rules of the adventure that begins.
        untrusted_text: String,
    },
    Changed {
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<u32>,
    },
}

/// What a call let pass.
#[derive(Serialize, JsonSchema)]
pub struct TimeReply {
    /// "day 2, 06:30".
    pub now: String,
    /// "2 hours".
    pub passed: String,
    /// What had lasted its time: "blessed on Ana".
    pub ended: Vec<String>,
}

/// The roll, and what was applied of it.
#[derive(Serialize, JsonSchema)]
pub struct Compared {
    // One total for each roll of the entry.
    #[schemars(skip)]
    pub rolled: Vec<i64>,
    /// {entry, target, amount, moved, steps, undone}; `moved`: by how much tracks changed
    #[schemars(with = "Vec<Object>")]
    pub applied: Vec<Applied>,
}

#[derive(Serialize)]
pub struct Applied {
    pub entry: u64,
    pub target: String,
    pub amount: i64,
    pub moved: i64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
}

/// Where the game stands.
#[derive(Serialize, JsonSchema)]
pub struct Status {
    pub campaign: String,
    pub adventure: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<u32>,
    // ISO-8601, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_started: Option<String>,
    pub log_length: u64,
    /// The file the log lies in; nothing for players.
    pub database: String,
    pub party: Vec<String>,
    // Lines of clocks, shared tracks and decks that stay drawn; the game's time: "day 2, 06:30".
    #[serde(flatten)]
    #[schemars(skip)]
    pub more: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub combat: Option<String>,
    /// What the author should look at.
    pub problems: Vec<String>,
}

/// A sitting, as it is listed.
#[derive(Serialize, JsonSchema)]
pub struct Sitting {
    pub number: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    pub entries: [u64; 2],
}
