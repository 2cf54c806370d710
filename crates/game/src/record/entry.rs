//! An entry of the log: what happened, who did it, rolls, and every changed row before and after.
//!
//! An entry is complete: it holds what each row was and what it is, never a difference such as
//! "subtract 5". So a reader of an old log needs no old rules.

use crate::record::change::Change;
use crate::record::event::{Event, Subject};
use rollbook_dice::Roll;
use serde::{Deserialize, Serialize};

/// The version of a body's shape, of its texts and of what players see of it. It counts from the
/// first release on: add 1 when one of these changes. `verify` renders the texts again and compares
/// them; a body of another version is reported.
pub const BODY_VERSION: u32 = 1;

/// A line of the log before it is sealed: integers and strings only, so its JSON has one form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The [`BODY_VERSION`] of the program that wrote it.
    pub v: u32,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub at: i64,
    /// The session it belongs to, from 1; 0 before the first.
    pub session: u32,
    pub visibility: Visibility,
    /// Of what is the GM's: the one player's character for whom it is, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reader: Option<Subject>,
    /// Who acted: `gm`, `system` or a character's name.
    pub actor: String,
    pub event: Event,
    /// Its rolls, in the order of the draws.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rolls: Vec<RollRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// The rule that decided, such as `System.md:31`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// On the later entries of a call: the number of its first entry. A call is undone as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<u64>,
    /// The caller's idempotency key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The id of the key whose seat the caller had, where callers have keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
    /// On the last entry of a call that was made again, because the database was lost on the way:
    /// the dice that fell at first and that it had no use for then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub discarded: Vec<Discarded>,
    /// On the last entry of a call with a `request_id`: the hash, as hex, of the stored answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

impl Entry {
    /// For whom it is, in a word: its visibility, or the name of the one player's character.
    pub fn shown_to(&self) -> &str {
        self.reader
            .as_ref()
            .map_or(self.visibility.as_str(), |reader| &reader.name)
    }

    /// Whether it is for this player's character, and for no other one.
    pub fn is_for(&self, character: i64) -> bool {
        self.reader
            .as_ref()
            .is_some_and(|reader| reader.id == character)
    }
}

/// A die that fell and was not used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discarded {
    /// Its faces: `1-20`, or a list of them.
    pub of: String,
    pub face: i64,
}

/// Who may see an entry; see [`crate::view::visibility::project`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(description = "")]
pub enum Visibility {
    /// Everybody sees everything.
    #[default]
    Public,
    /// Players see who, what and the outcome's label.
    OutcomeOnly,
    /// Players see that a roll was made.
    Blind,
    /// Players see nothing.
    Gm,
}

impl Visibility {
    pub const ALL: [Visibility; 4] = [
        Visibility::Public,
        Visibility::OutcomeOnly,
        Visibility::Blind,
        Visibility::Gm,
    ];
}

words! { Visibility: Public = "public", OutcomeOnly = "outcome_only", Blind = "blind", Gm = "gm"; }

/// Who reads; set by the server's or the command's configuration, never by a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    Gm,
    #[default]
    Player,
}

words! { Audience: Gm = "gm", Player = "player"; }

/// A roll and its source of randomness. The expression on the recorded faces gives `roll` again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollRecord {
    /// A UUID, version 7.
    pub roll_id: String,
    /// Whose roll it is: a character's name or `gm`.
    pub by: String,
    /// What it is for: `skill_check`, `initiative`, or empty for a plain roll.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub purpose: String,
    pub roll: Roll,
    /// The source of the faces: `os-chacha12`, `pinned` in tests, or `entered` by hand.
    pub source: String,
    /// 16 random bytes as hex, drawn with the roll.
    pub nonce: String,
    /// Cards of it come from a deck that stays drawn: its odds are those of what was left then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stays_drawn: bool,
}
