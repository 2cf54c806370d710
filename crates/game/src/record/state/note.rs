//! What the GM wrote down for the story. A thread is open until another note closes it.

use serde::{Deserialize, Serialize};

/// A row of `notes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The number of the entry that wrote it.
    pub id: i64,
    pub session: u32,
    pub kind: NoteKind,
    pub text: String,
    /// Hidden from players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// The entry that closed it, where it is a thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_by: Option<i64>,
}

/// The kind of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    #[default]
    Note,
    /// Where the story is now.
    Scene,
    /// What was found out.
    Discovery,
    /// What is left open.
    Thread,
}

impl NoteKind {
    /// All kinds.
    pub const ALL: [NoteKind; 4] = [NoteKind::Note, NoteKind::Scene, NoteKind::Discovery, NoteKind::Thread];
}

words! { NoteKind: Note = "note", Scene = "scene", Discovery = "discovery", Thread = "thread"; }

impl Note {
    /// Whether it is a thread that nothing closed.
    pub fn is_open_thread(&self) -> bool {
        self.kind == NoteKind::Thread && self.closed_by.is_none()
    }
}
