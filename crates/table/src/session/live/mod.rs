//! A campaign that is being played: its state, its connection, its dice, behind one lock.
//!
//! A write is always lock, transaction, head, others' entries, decision, append, commit.

mod answer;
mod campaign;
mod history;
mod kept_dice;
mod loss;
mod news;
mod player;
mod quota;
mod refresh;
mod request;
mod search;
mod story;
mod write;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use kept_dice::KeptDice;

pub use answer::{Answer, CallError, Common};
pub use campaign::{Campaign, Opening, View, WEIGHT};
pub(crate) use history::no_entry;
pub(crate) use player::{brief, roll, seen_fields};
pub use quota::Quota;
pub(crate) use request::Refers;
pub use request::{Caller, Commit, Readers, Request};
pub(crate) use search::{COUNTED_MAX, Found};
pub use search::{LogSearch, find};
pub use story::Wants;
pub(crate) use story::{Past, rolled_for};

use crate::session::meter::Meter;
use rollbook_game::record::event::{Event, SessionStarted};
use rollbook_game::record::loss::Loss;
use rollbook_game::record::state::State;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::{Setting, Written};
use rollbook_store::location::Location;
use rollbook_store::{Former, Head, Identity};

/// How long a call may take up to its commit, unless the host says otherwise.
pub const TIME_LIMIT: Duration = Duration::from_secs(30);

struct Live {
    database: Location,
    state: State,
    /// The last entry that `state` includes.
    head: Head,
    /// `None` until the campaign's first write, here or in another process.
    identity: Option<Identity>,
    loss: Option<Loss>,
    setting: Setting,
    asked: String,
    /// What became of the campaign of that name, where there is none.
    former: Option<Former>,
    quota: Quota,
    /// Bytes of its log, counted where they are bounded.
    bytes: u64,
    receipts: Receipts,
    named: bool,
    chance: KeptDice,
    /// A call is changing the state. Who finds this set reads it anew: another stopped half-way.
    deciding: bool,
    meter: Arc<Meter>,
}

impl Live {
    /// The key of the campaign in the database; 0, which none has, before its first write.
    fn key(&self) -> i64 {
        self.identity.as_ref().map_or(0, |identity| identity.key)
    }
}

fn too_late(limit: Duration) -> CallError {
    let seconds = limit.as_secs();
    let summary =
        format!("The call took longer than {seconds} seconds and was taken back. Send it again.");
    Refusal::new(Code::TimedOut, summary).into()
}

/// The refusal of a call whose client cancelled it or left while it waited.
fn given_up() -> CallError {
    let summary = "The call was cancelled, or its client left, before its turn to write came. Send it again if it is still wanted.";
    Refusal::new(Code::Cancelled, summary).into()
}

/// The refusal of a call that the server was lost with, for good: it may have been written.
fn not_known(refusal: Refusal) -> Refusal {
    let summary = format!(
        "{} Whether this one was written is not known: send it again with the same request_id, or look at the log \
         (manage_session action=\"status\") first.",
        refusal
            .summary
            .trim_end_matches(" Send the same call again.")
    );
    Refusal { summary, ..refusal }.not_known()
}

fn too_many() -> CallError {
    let summary = "So many calls wait to be written that this one would wait too long. Send the same call again in a second.";
    Refusal::new(Code::Busy, summary).into()
}

fn closed() -> CallError {
    Refusal::new(Code::Closed, "The server is shutting down. Connect again.").into()
}

const EVERY: u64 = 25;

/// Whose receipts they are: the GM's client's, or those of the player of a character.
type Reader = Option<String>;

/// What players know, since this process plays.
#[derive(Debug, Default)]
struct Receipts {
    /// The last entry of which each got the receipt.
    given: BTreeMap<Reader, u64>,
    /// The last entry that began or ended a session.
    marked: u64,
}

impl Receipts {
    /// Whether the words for this reader are to have one, after a call that wrote these entries.
    pub fn is_due(&self, reader: &Reader, written: &[Written]) -> bool {
        let Some(last) = written.last() else {
            return false;
        };
        let given = self.given.get(reader).copied().unwrap_or_default();
        let marked = marked(written).unwrap_or(self.marked);
        last.seq / EVERY > given / EVERY || marked > given
    }

    /// Notes what was written, and whether this reader got the receipt of its last entry.
    pub fn note(&mut self, reader: &Reader, marked: Option<u64>, last: u64, is_given: bool) {
        self.marked = marked.unwrap_or(self.marked);
        if is_given {
            self.given.insert(reader.clone(), last);
        }
    }
}

fn marked(written: &[Written]) -> Option<u64> {
    written
        .iter()
        .rev()
        .find(|written| marks(written))
        .map(|written| written.seq)
}

/// Before a campaign's first session that opens by itself there is nothing to prove.
fn marks(written: &Written) -> bool {
    match &written.entry.event {
        Event::SessionStarted(SessionStarted { number, .. }) => {
            *number > 1 || written.entry.actor != "system"
        }
        event => matches!(event, Event::SessionEnded(_)),
    }
}
