//! What the GM wrote down for the story.

use serde::{Deserialize, Serialize};

use super::text::as_sentence;
use super::{Describe, Description, Weight};
use crate::record::entry::{Audience, Entry};
use crate::record::state::NoteKind;

/// A note, and the thread that it closes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteEvent {
    pub note: NoteKind,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closes: Option<ClosedThread>,
}

/// A thread that a note closes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosedThread {
    /// The entry that opened it.
    pub entry: i64,
    pub text: String,
    /// Players do not know it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

impl Describe for NoteEvent {
    fn description(&self) -> Description<'_> {
        let weight = match self.note {
            NoteKind::Scene => Weight::Turn,
            NoteKind::Discovery => Weight::Discovery,
            NoteKind::Thread | NoteKind::Note => Weight::Note,
        };
        Description {
            is_open: self.closes.as_ref().is_none_or(|thread| !thread.hidden),
            texts: vec![("text", &self.text)],
            is_hideable: true,
            weight: Some(weight),
            ..Description::default()
        }
    }

    /// On one line. Players see no entry number, and nothing of a thread that they do not know.
    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let head = match self.note {
            NoteKind::Note => "Note",
            NoteKind::Scene => "Scene",
            NoteKind::Discovery => "Discovery",
            NoteKind::Thread => "Open thread",
        };
        let gm = audience == Audience::Gm;
        let closed = self.closes.as_ref().filter(|thread| gm || !thread.hidden).map(|thread| {
            let number = if gm { format!(" #{}", thread.entry) } else { String::new() };
            format!(" Closed{number}: {}", as_sentence(&thread.text))
        });
        Some(format!("{head}: {}{}", as_sentence(&self.text), closed.unwrap_or_default()))
    }

    fn open(&mut self) {
        self.closes.iter_mut().for_each(|thread| thread.hidden = false);
    }
}
