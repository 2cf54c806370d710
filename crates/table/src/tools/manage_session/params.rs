//! What `manage_session` can do, and which fields each action takes.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use rollbook_game::record::entry::Visibility;
use rollbook_game::record::state::NoteKind;
use rollbook_game::refusal::{Code, Detail, Refusal};
use rollbook_game::view::Audience;

/// What to do.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Params {
    pub action: Action,
    /// For start.
    pub title: Option<String>,
    /// undo: any entry of the call to take back, else the newest call. entry, compare, reveal: which.
    pub entry: Option<u64>,
    /// For note; of a clock or advance, why.
    pub text: Option<String>,
    /// A thread is open until a note closes it.
    pub kind: Option<NoteKind>,
    /// note: the open thread it closes, by entry number or words.
    pub closes: Option<ThreadName>,
    /// advance: "2 hours", "until 18:00".
    pub time: Option<String>,
    /// Of a note or clock; default public.
    pub visibility: Option<NoteVisibility>,
    /// The clock's.
    pub name: Option<String>,
    /// clock: makes it.
    pub segments: Option<i64>,
    /// clock: how many are marked, or cleared (-1).
    pub tick: Option<i64>,
    /// clock: sets it.
    pub value: Option<i64>,
    /// clock: it is over.
    pub done: Option<bool>,
    /// shuffle: where several stay drawn.
    pub deck: Option<String>,
    /// recap: else the last with something to tell.
    pub session: Option<u32>,
    /// recap: bytes of text, 500 to 20000; else 4000.
    pub budget: Option<usize>,
    /// status: waits so many seconds, at most 25, for something to happen; a player also for their turn.
    #[schemars(range(min = 0, max = 25))]
    pub wait_s: Option<u32>,
    /// recap: default player, from what players saw; entry: default gm.
    pub audience: Option<RecapAudience>,
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Start,
    End,
    Status,
    Note,
    Clock,
    Advance,
    Shuffle,
    Recap,
    List,
    Resume,
    Entry,
    Compare,
    Undo,
    Reveal,
    AcceptLoss,
}

/// Who reads a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoteVisibility {
    Public,
    Gm,
}

impl From<NoteVisibility> for Visibility {
    fn from(own: NoteVisibility) -> Visibility {
        match own {
            NoteVisibility::Public => Visibility::Public,
            NoteVisibility::Gm => Visibility::Gm,
        }
    }
}

/// Whom a recap is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecapAudience {
    Player,
    Gm,
}

impl From<RecapAudience> for Audience {
    fn from(own: RecapAudience) -> Audience {
        match own {
            RecapAudience::Player => Audience::Player,
            RecapAudience::Gm => Audience::Gm,
        }
    }
}

/// A thread by its entry's number, or by words of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum ThreadName {
    Number(i64),
    Words(String),
}

impl JsonSchema for ThreadName {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ThreadName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["integer", "string"]})
    }
}

impl fmt::Display for ThreadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ThreadName::Number(number) => write!(f, "{number}"),
            ThreadName::Words(words) => f.write_str(words),
        }
    }
}

/// As it is sent.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl Action {
    /// Whether it writes nothing.
    pub fn reads(self) -> bool {
        match self {
            Action::Status | Action::Recap | Action::List | Action::Resume | Action::Entry | Action::Compare => true,
            Action::Start
            | Action::End
            | Action::Note
            | Action::Clock
            | Action::Advance
            | Action::Shuffle
            | Action::Undo
            | Action::Reveal
            | Action::AcceptLoss => false,
        }
    }

    /// Refuses fields that the action does not read: the reply could not be true of them.
    pub fn refuse_unread(self, params: &Params) -> Result<(), Refusal> {
        let written = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
        const BOTH: &[Action] = &[Action::Note, Action::Clock];
        let fields: [(&str, bool, &[Action]); 17] = [
            ("title", written(&params.title), &[Action::Start]),
            ("entry", params.entry.is_some(), &[Action::Undo, Action::Entry, Action::Compare, Action::Reveal]),
            ("text", written(&params.text), &[Action::Note, Action::Clock, Action::Advance]),
            ("time", written(&params.time), &[Action::Advance]),
            ("kind", params.kind.is_some(), &[Action::Note]),
            ("closes", params.closes.is_some(), &[Action::Note]),
            ("visibility", params.visibility.is_some(), BOTH),
            ("name", written(&params.name), &[Action::Clock]),
            ("segments", params.segments.is_some(), &[Action::Clock]),
            ("tick", params.tick.is_some(), &[Action::Clock]),
            ("value", params.value.is_some(), &[Action::Clock]),
            ("done", params.done == Some(true), &[Action::Clock]),
            ("deck", written(&params.deck), &[Action::Shuffle]),
            ("session", params.session.is_some(), &[Action::Recap]),
            ("budget", params.budget.is_some(), &[Action::Recap]),
            ("wait_s", params.wait_s.is_some(), &[Action::Status]),
            ("audience", params.audience.is_some(), &[Action::Recap, Action::Entry, Action::Resume]),
        ];
        let named = |actions: &[Action]| actions.iter().map(Action::to_string).collect::<Vec<String>>().join(" and ");
        let unread: Vec<Detail> = fields
            .into_iter()
            .filter(|(_, sent, actions)| *sent && !actions.contains(&self))
            .map(|(parameter, _, actions)| Detail {
                parameter: parameter.to_owned(),
                issue: format!("{self} does not take it"),
                valid_range: format!("of {}", named(actions)),
            })
            .collect();
        if unread.is_empty() {
            return Ok(());
        }
        let belongs: Vec<String> =
            unread.iter().map(|detail| format!("{} is {}", detail.parameter, detail.valid_range)).collect();
        let summary = format!(
            "{self} does not take this: {}. Leave it out, or send it with the action that takes it.",
            belongs.join("; ")
        );
        Err(Refusal::new(Code::InvalidParameters, summary).details(unread))
    }
}
