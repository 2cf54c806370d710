//! Calls that are undone, and hidden entries that the GM opens.

use serde::{Deserialize, Serialize};

use super::{Describe, Description, Weight};
use crate::record::entry::{Audience, Entry};

/// A call that was undone, or redone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoneEvent {
    /// The first entry of the call.
    pub entry: u64,
    /// The last entry of the call.
    pub last: u64,
    /// The sentences of those entries, the first few.
    pub told: Vec<String>,
    /// The same as players saw them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<String>,
    /// All of it was public.
    pub open: bool,
    /// The undone call is an undo itself, so its call is redone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

/// How the sentence of an undo begins, and that of one that undoes an undo.
const BACK: &str = "Taken back";
const AGAIN: &str = "Done again";

impl Describe for UndoneEvent {
    fn description(&self) -> Description<'_> {
        Description { is_open: self.open, undoes: Some((self.entry, self.last)), ..Description::default() }
    }

    /// Players see no entry number: it would show how many hidden entries there are.
    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let what = if self.again { AGAIN } else { BACK };
        Some(match audience {
            Audience::Gm => format!("{what}, #{}: {}", self.entry, self.told.join(" ")),
            Audience::Player => format!("{what}: {}", self.seen.join(" ")),
        })
    }

    fn open(&mut self) {
        if self.seen.is_empty() {
            // Players know no entry by its number.
            let (known, rest): (Vec<_>, Vec<_>) = self.told.iter().cloned().partition(|text| !text.contains('#'));
            let more = (!rest.is_empty()).then(|| "Something that was the GM's.".to_owned());
            self.seen = known.into_iter().chain(more).collect();
        }
    }
}

/// Whether an undo did something again, and what players read of it.
pub fn read_undone(text: &str) -> Option<(bool, &str)> {
    let (what, sentences) = text.split_once(": ")?;
    match what {
        BACK => Some((false, sentences)),
        AGAIN => Some((true, sentences)),
        _ => None,
    }
}

/// What was hidden, as it was sealed: whoever has the commitment of that entry can see that nothing of it was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevealedEvent {
    /// Its number.
    pub entry: u64,
    /// 32 bytes as hex.
    pub salt: String,
    /// The body, as the bytes that were hashed.
    pub body: String,
    /// It had been taken back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
}

impl RevealedEvent {
    /// What was hidden; `None` where it cannot be read.
    pub fn opened(&self) -> Option<Entry> {
        serde_json::from_str(&self.body).ok()
    }

    /// The salt's bytes; `None` where they are none.
    pub fn salt(&self) -> Option<[u8; 32]> {
        base16ct::lower::decode_vec(&self.salt).ok()?.try_into().ok()
    }
}

impl Describe for RevealedEvent {
    fn description(&self) -> Description<'_> {
        Description { is_open: true, weight: Some(Weight::Discovery), is_weighty: true, ..Description::default() }
    }

    /// With the sentence that the entry would have had at once. Players see no entry number.
    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let opened = self.opened().map(Entry::opened);
        let session = opened.as_ref().map_or(0, |entry| entry.session);
        let sentence = opened.and_then(|entry| entry.sentence(audience, true)).unwrap_or_default();
        let undone = if self.undone { " It was taken back before it was opened." } else { "" };
        Some(match (audience, session) {
            (Audience::Gm, _) => format!("Opened to players, #{}: {sentence}{undone}", self.entry),
            (Audience::Player, 0) => format!("Opened, from before the first session: {sentence}{undone}"),
            (Audience::Player, _) => format!("Opened, from session {session}: {sentence}{undone}"),
        })
    }
}
