//! What `manage_session` can do, and which fields each action takes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tools::parameter::{NumberOrWord, ShownTo};
use crate::tools::reply::refuse_unread;
use rollbook_game::record::entry::Visibility;
use rollbook_game::record::state::NoteKind;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::view::Audience;
use rollbook_game::view::number::EntryNumber;

use Action::{
    AcceptLoss, Advance, Adventures, Begin, Clock, Compare, End, Entry, List, Note, Recap, Resume,
    Reveal, Shuffle, Start, Status, Undo,
};

/// What to do.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Params {
    pub action: Action,
    /// For start.
    pub title: Option<String>,
    /// undo: any entry of the call to take back, else the newest call. entry, compare, reveal:
    /// which. 8, or "P8" as players count.
    pub entry: Option<EntryNumber>,
    /// For note; of a clock or advance, why.
    pub text: Option<String>,
    /// A thread is open until a note closes it.
    pub kind: Option<NoteKind>,
    /// note: the open thread it closes, by entry number or words.
    pub closes: Option<NumberOrWord>,
    /// advance: "2 hours", "until 18:00".
    pub time: Option<String>,
    /// Of a note or clock: public (default), gm; of a note one player's name, too.
    pub visibility: Option<ShownTo>,
    /// The clock's; of begin the adventure's.
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
    /// status: waits so many seconds, at most 25, for something to happen; a player also for their
    /// turn.
    #[schemars(range(min = 0, max = 25))]
    pub wait_s: Option<u32>,
    /// recap: default player, from what players saw; entry: default gm.
    #[schemars(with = "Option<String>", extend("enum" = ["player", "gm"]))]
    pub audience: Option<Audience>,
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
    Adventures,
    Begin,
}

impl Action {
    pub fn reads(self) -> bool {
        match self {
            Status | Recap | List | Resume | Entry | Compare | Adventures => true,
            Start | End | Note | Clock | Advance | Shuffle | Undo | Reveal | AcceptLoss | Begin => {
                false
            }
        }
    }

    /// Refuses fields that the action does not read: the reply could not be true of them.
    pub fn refuse_unread(self, params: &Params) -> Result<(), Refusal> {
        let written =
            |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
        let fields: [(&str, bool, &[Action]); 17] = [
            ("title", written(&params.title), &[Start]),
            (
                "entry",
                params.entry.is_some(),
                &[Undo, Entry, Compare, Reveal],
            ),
            ("text", written(&params.text), &[Note, Clock, Advance]),
            ("time", written(&params.time), &[Advance]),
            ("kind", params.kind.is_some(), &[Note]),
            ("closes", params.closes.is_some(), &[Note]),
            ("visibility", params.visibility.is_some(), &[Note, Clock]),
            ("name", written(&params.name), &[Clock, Begin]),
            ("segments", params.segments.is_some(), &[Clock]),
            ("tick", params.tick.is_some(), &[Clock]),
            ("value", params.value.is_some(), &[Clock]),
            ("done", params.done == Some(true), &[Clock]),
            ("deck", written(&params.deck), &[Shuffle]),
            ("session", params.session.is_some(), &[Recap]),
            ("budget", params.budget.is_some(), &[Recap]),
            ("wait_s", params.wait_s.is_some(), &[Status]),
            (
                "audience",
                params.audience.is_some(),
                &[Recap, Entry, Resume],
            ),
        ];
        let instead = " Leave it out, or send it with the action that takes it.";
        refuse_unread(self, &fields, " and ", |_| instead.to_owned())
    }
}

/// Refuses what only rolls have: a note or a clock is seen as it is, or not at all.
pub fn whole_or_hidden(visibility: Option<Visibility>) -> Result<Option<Visibility>, Refusal> {
    match visibility {
        None | Some(Visibility::Public | Visibility::Gm) => Ok(visibility),
        Some(of_rolls @ (Visibility::OutcomeOnly | Visibility::Blind)) => {
            let summary = format!(
                "visibility=\"{}\" is for rolls. Send visibility=\"public\" or \"gm\".",
                of_rolls.as_str()
            );
            Err(Refusal::new(Code::InvalidParameters, summary))
        }
    }
}
