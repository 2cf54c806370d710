//! What became of the campaign, its sessions and its log: notes, undone calls, opened entries.

use super::{Describe, Description, Weight, as_sentence};
use crate::record::entry::{Audience, Entry};
use crate::record::{loss::Loss, state::NoteKind};
use serde::{Deserialize, Serialize};

/// The beginning of a campaign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignCreated {
    pub campaign: String,
    pub name: String,
    pub adventure: String,
}

impl Describe for CampaignCreated {
    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let adventure = if self.adventure.is_empty() {
            String::new()
        } else {
            format!(" ({})", self.adventure)
        };
        Some(format!("The campaign {} begins{adventure}.", self.name))
    }
}

/// A campaign that got another name, or whose log goes on elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignRenamed {
    pub from: String,
    pub to: String,
    /// The UUID of the campaign whose log goes on where this one ends for good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continued_by: Option<String>,
}

impl Describe for CampaignRenamed {
    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        Some(format!(
            "The campaign {} is called {} from now on.",
            self.from, self.to
        ))
    }
}

impl Describe for Loss {
    /// Players see no entry number.
    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        Some(match audience {
            Audience::Gm => format!(
                "The loss of history is accepted, and play goes on. {}",
                self.summary()
            ),
            Audience::Player => {
                "A part of the log is lost, and play goes on without it.".to_owned()
            }
        })
    }
}

/// A log that goes on from a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restored {
    /// The copy's file name.
    pub from: String,
    /// What checkpoints know that the copy did not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Loss>,
}

impl Describe for Restored {
    /// Players see no entry number and no file.
    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let from = &self.from;
        Some(match (audience, &self.loss) {
            (Audience::Gm, Some(loss)) => {
                let (kept, lost) = (loss.log_ends, loss.summary());
                format!("The database was put back from {from}, up to #{kept}; what came after is lost. {lost}")
            }
            (Audience::Gm, None) => format!("The database was put back from {from}; nothing is known to be lost."),
            (Audience::Player, Some(_)) => {
                "The log was put back from a backup. A part of it is lost, and play goes on without it.".to_owned()
            }
            (Audience::Player, None) => "The log was put back from a backup.".to_owned(),
        })
    }
}

/// The earlier log, of which this one goes on. Its last state is what the entry changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContinuedEvent {
    /// The UUID of its campaign.
    pub campaign: String,
    /// The name that it has from then on.
    pub name: String,
    /// Its last entry before the one that closed it, …
    pub entries: u64,
    /// … and the chain value of that, as hex.
    pub chain: String,
    /// The name of the file with the whole of it.
    pub export: String,
}

impl Describe for ContinuedEvent {
    /// For the GM alone: the entry holds the whole state.
    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let ContinuedEvent {
            name,
            entries,
            export,
            ..
        } = self;
        Some(format!(
            "The log goes on from #{entries} of {name}, with everything as it was then; the whole of that log is in {export}."
        ))
    }
}

/// A session that began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionStarted {
    pub number: u32,
    pub title: Option<String>,
}

impl Describe for SessionStarted {
    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let title = self
            .title
            .as_ref()
            .map_or(String::new(), |title| format!(": {title}"));
        Some(format!("Session {} begins{title}.", self.number))
    }
}

/// A session that ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionEnded {
    pub number: u32,
    /// What players saw before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Seen>,
}

impl Describe for SessionEnded {
    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        Some(format!("Session {} ends.", self.number))
    }
}

/// What players had seen at a moment: the head of the second chain, over what players see alone
/// (`store::chain`), before the entry that names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// How many entries players see.
    pub n: u64,
    /// 32 bytes as hex.
    pub chain: String,
}

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
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        let weight = match self.note {
            NoteKind::Scene => Weight::Turn,
            NoteKind::Discovery => Weight::Discovery,
            NoteKind::Thread | NoteKind::Note => Weight::Note,
        };
        let is_open = self.closes.as_ref().is_none_or(|thread| !thread.hidden);
        Description {
            is_open,
            texts: vec![("text", &self.text)],
            weight: Some(weight),
            ..base
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
        let closed = self
            .closes
            .as_ref()
            .filter(|thread| gm || !thread.hidden)
            .map(|thread| {
                let number = if gm {
                    format!(" #{}", thread.entry)
                } else {
                    String::new()
                };
                format!(" Closed{number}: {}", as_sentence(&thread.text))
            });
        Some(format!(
            "{head}: {}{}",
            as_sentence(&self.text),
            closed.unwrap_or_default()
        ))
    }

    fn open(&mut self) {
        self.closes
            .iter_mut()
            .for_each(|thread| thread.hidden = false);
    }
}

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
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        Description {
            is_open: self.open,
            undoes: Some((self.entry, self.last)),
            ..base
        }
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
            let (known, rest): (Vec<_>, Vec<_>) = self
                .told
                .iter()
                .cloned()
                .partition(|text| !text.contains('#'));
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

/// What was hidden, as it was sealed: by the entry's commitment one can see that it is unchanged.
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
        base16ct::lower::decode_vec(&self.salt)
            .ok()?
            .try_into()
            .ok()
    }
}

impl Describe for RevealedEvent {
    /// With the sentence that the entry would have had at once. Players see no entry number.
    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let opened = self.opened().map(Entry::opened);
        let session = opened.as_ref().map_or(0, |entry| entry.session);
        let sentence = opened
            .and_then(|entry| entry.sentence(audience, true))
            .unwrap_or_default();
        let undone = if self.undone {
            " It was taken back before it was opened."
        } else {
            ""
        };
        Some(match (audience, session) {
            (Audience::Gm, _) => format!("Opened to players, #{}: {sentence}{undone}", self.entry),
            (Audience::Player, 0) => {
                format!("Opened, from before the first session: {sentence}{undone}")
            }
            (Audience::Player, _) => format!("Opened, from session {session}: {sentence}{undone}"),
        })
    }
}
