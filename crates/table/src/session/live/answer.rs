//! The answer to a call: its reply, or why it was not carried out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::view::number::EntryNumber;
use rollbook_store::{Head, StoreError};

/// The reply to a call: what all replies have, and the fields of its tool.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer<T> {
    #[serde(flatten)]
    pub common: Common,
    #[serde(flatten)]
    pub fields: Option<Fields<T>>,
    /// Notes that are no part of the answer that is kept.
    #[serde(skip)]
    pub notes: Vec<String>,
    /// All of it is what was asked for, so it is never shortened.
    #[serde(skip)]
    pub is_whole: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Fields<T> {
    Fresh(T),
    /// The call was answered before: as it was kept then.
    Kept(Map<String, Value>),
}

/// The fields of any reply. Most are in no schema: a client reads every schema at its start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Common {
    /// What happened, in words, for the GM.
    pub summary: String,
    /// What may be said to the players; absent when nothing may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player_text: Option<String>,
    /// The one player's character for whom it is, beside the GM.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub reader: Option<String>,
    /// The number of the call's first entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<u64>,
    /// The number that players know it by, where a person reads the reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub players_log: Option<EntryNumber>,
    /// The numbers of its first and last entry, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub entries: Option<[u64; 2]>,
    /// Proof of the log so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    /// The same for the players, where it is time for one; `player_text` has it, too. Empty until
    /// the entry is sealed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub receipt_for_players: Option<String>,
    /// The obvious next call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The place of the rule that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub rule: Option<String>,
    /// Arguments that were read otherwise than written or had no effect; rules that changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub noted: Vec<String>,
    /// The campaign, when it is not the server's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub campaign: Option<String>,
    /// The same call was answered before, and nothing was done now.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(skip)]
    pub replayed: bool,
    /// What the log is known to lack, and what to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub history_lost: Option<String>,
    /// What was written since the entry that the caller knows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub since: Vec<String>,
}

impl Common {
    pub(crate) const FIELDS: [&str; 15] = [
        "summary",
        "player_text",
        "reader",
        "log",
        "players_log",
        "entries",
        "receipt",
        "receipt_for_players",
        "next",
        "rule",
        "noted",
        "campaign",
        "replayed",
        "history_lost",
        "since",
    ];

    /// Fills in the receipt, once the last entry is sealed. Answers whether players get it too.
    pub(super) fn seal(&mut self, head: Head) -> bool {
        let receipt = head.receipt();
        self.receipt = Some(receipt.clone());
        let Some(due) = &mut self.receipt_for_players else {
            return false;
        };
        if let Some(text) = &mut self.player_text {
            text.push_str(&format!(" Receipt: {receipt}."));
        }
        *due = receipt;
        true
    }

    pub(crate) fn of(summary: impl Into<String>) -> Common {
        Common {
            summary: summary.into(),
            ..Common::default()
        }
    }
}

impl<T> Answer<T> {
    /// The answer of a call that is made now; without fields where there is nothing to show.
    pub fn new(common: Common, fields: impl Into<Option<T>>) -> Answer<T> {
        Answer {
            common,
            fields: fields.into().map(Fields::Fresh),
            notes: Vec::new(),
            is_whole: false,
        }
    }

    pub(super) fn from_kept(text: &str) -> serde_json::Result<Answer<T>> {
        #[derive(Deserialize)]
        struct Kept {
            #[serde(flatten)]
            common: Common,
            #[serde(flatten)]
            fields: Map<String, Value>,
        }
        let Kept { common, fields } = serde_json::from_str(text)?;
        let fields = Some(Fields::Kept(fields));
        let common = Common {
            replayed: true,
            ..common
        };
        Ok(Answer {
            fields,
            ..Answer::new(common, None)
        })
    }

    /// Without the receipt, which counts the entries.
    pub fn without_proof(mut self) -> Answer<T> {
        self.common.receipt = None;
        self
    }

    /// Says first that the log lacks entries, where it does.
    pub fn with_history_lost(mut self, lost: Option<String>) -> Answer<T> {
        if let Some(lost) = lost {
            self.common.summary = format!("{lost} {}", self.common.summary)
                .trim_end()
                .to_owned();
            self.common.history_lost = Some(lost);
        }
        self
    }
}

/// Why a call has no answer.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The caller can act on it.
    #[error(transparent)]
    Refusal(#[from] Refusal),
    /// We broke; the words are for the log on stderr.
    #[error("{0}")]
    Failure(String),
}

impl CallError {
    /// In words for the person at a keyboard, without the code that a program reads.
    pub fn for_a_person(self) -> String {
        match self {
            CallError::Refusal(refusal) => refusal.summary,
            CallError::Failure(why) => why,
        }
    }
}

impl From<StoreError> for CallError {
    fn from(error: StoreError) -> Self {
        let refusal = |code, what: &str| Refusal::new(code, format!("{error}.{what}")).into();
        match error {
            StoreError::Busy => refusal(Code::Busy, " Send the same call again."),
            StoreError::Lost(_) => refusal(Code::Unreachable, " Send the same call again."),
            StoreError::Damaged { .. } => refusal(Code::Damaged, ""),
            StoreError::Newer { .. } => refusal(Code::NewerSchema, ""),
            StoreError::NotOpened { .. } | StoreError::Copy { .. } => refusal(Code::NotOpened, ""),
            StoreError::Moved { .. } => refusal(
                Code::Moved,
                " What is written into it now would be found by nobody. Put the file back in its place, with the -wal file beside \
                 it, and send the same call again; or restart the server to play with what lies there now.",
            ),
            StoreError::ReadOnly(_) => refusal(
                Code::Disk,
                " Everything can be read. Its operator makes it writable again, or names the server that writes; then send the same call again.",
            ),
            StoreError::Cut { .. } => refusal(
                Code::Moved,
                " Nothing more is written. Stop this server in good order (close the client, or SIGTERM; not kill): it then writes what it still holds into \
                 the database. `rollbook verify` says what is there, and a backup can be put back with `rollbook restore`.",
            ),
            StoreError::NotKnown(_) => {
                let words = " Whether this call is written is not known: send it again with the same request_id, and it acts once; without one, look first \
                             (manage_session action=\"status\").";
                Refusal::new(Code::Disk, format!("{error}.{words}"))
                    .not_known()
                    .into()
            }
            StoreError::Disk(_) => refusal(
                Code::Disk,
                " Make room, or see that the folder can be written; then send the same call again.",
            ),
            other => CallError::Failure(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Answer, Common};

    #[test]
    fn a_kept_answer_is_given_again_field_by_field() {
        let mut kept = json!({
            "summary": "Aria rolls 7.", "player_text": "A die falls.", "log": 3, "entries": [3, 5], "rule": "System.md:4",
            "noted": ["amount: \"3\" read as 3"], "campaign": "north", "next": "next_turn", "receipt": "#5 ab",
            "total": 7, "undo": null, "rng": {"source": "os"}, "a field of another version": [1.5, -2],
        });
        let again = Answer::<()>::from_kept(&kept.to_string()).unwrap();
        kept["replayed"] = Value::Bool(true);
        assert_eq!(serde_json::to_value(again).unwrap(), kept);
    }

    #[test]
    fn every_common_field_is_named() {
        let whole = Common {
            summary: "x".to_owned(),
            player_text: Some("x".to_owned()),
            reader: Some("x".to_owned()),
            log: Some(1),
            players_log: Some(super::EntryNumber::Players(2)),
            entries: Some([1, 2]),
            receipt: Some("x".to_owned()),
            receipt_for_players: Some("x".to_owned()),
            next: Some("x".to_owned()),
            rule: Some("x".to_owned()),
            noted: vec!["x".to_owned()],
            campaign: Some("x".to_owned()),
            replayed: true,
            history_lost: Some("x".to_owned()),
            since: vec!["x".to_owned()],
        };
        let Ok(Value::Object(whole)) = serde_json::to_value(whole) else {
            panic!("an object")
        };
        let names: Vec<&str> = whole.keys().map(String::as_str).collect();
        let mut listed = Common::FIELDS.to_vec();
        listed.sort_unstable();
        assert_eq!(names, listed);
    }
}
