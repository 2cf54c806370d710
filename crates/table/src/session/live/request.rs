//! What a call brings besides its own parameters, and whether it is still wanted.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

use super::{CallError, Wants};
use crate::session::keyring::Seat;
use rollbook_game::view::number::EntryNumber;

/// What a call asks of a campaign, beside what its tool decides.
#[derive(Debug, Clone, Default)]
pub struct Request {
    pub tool: &'static str,
    pub request_id: Option<String>,
    /// `request_id` is the client's id of the call: used for another call, it is no mistake.
    pub implied: bool,
    pub arguments: [u8; 32],
    pub after: Option<u64>,
    pub refers: Option<Refers>,
    /// Also the entries after that one; where it follows another, those after the first of them.
    pub later: bool,
    /// Whether the entries of the running fight's last advance are wanted.
    pub last_turn: bool,
    pub wants: Option<Wants>,
    pub caller: Caller,
    /// The call accepts that the log lacks entries which it had.
    pub accepts_loss: bool,
    /// The call ends the session, which goes on in a campaign that is full.
    pub ends_session: bool,
    pub new_name: Option<String>,
    /// Where it is there, the answer comes as soon as it is certain what it says, and says nothing
    /// to anybody before this is done.
    pub commit: Option<Commit>,
}

/// The commit of a call whose reply is being put into words meanwhile.
#[derive(Clone, Default)]
pub struct Commit(Arc<Mutex<Option<Committing>>>);

type Committing = Pin<Box<dyn Future<Output = Result<(), CallError>> + Send>>;

impl Commit {
    pub(super) fn waits_for(
        &self,
        commit: impl Future<Output = Result<(), CallError>> + Send + 'static,
    ) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::pin(commit));
    }

    /// Returns once what the call wrote is durable, or is nothing. Errors: it was not written.
    pub(crate) async fn done(&self) -> Result<(), CallError> {
        let commit = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        match commit {
            Some(commit) => commit.await,
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Commit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Commit")
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refers {
    Entry(u64),
    /// The roll that decides how hard a hit is, by its number, with everything since. Without one
    /// the last entry with a roll, whatever it was for: an older one would be a guess.
    Hit(Option<u64>),
    /// The last check of a character; of the only player character where none is named.
    LastCheck(Option<String>),
    /// The call that this entry belongs to, or the last change, with everything since, for an undo.
    Undo(Option<EntryNumber>),
    /// A hidden entry that is opened, as it was sealed.
    Sealed(EntryNumber),
}

/// Who calls, and who reads the answer.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    /// Cancelled once nobody waits: what waits is given up, what was decided is finished.
    pub gone: CancellationToken,
    /// The client's own id of the call, which it sends again with a retry.
    pub call_id: Option<String>,
    pub seat: Option<Arc<Seat>>,
    pub readers: Readers,
    /// The reply names the players' number beside the log's.
    pub counts: bool,
}

/// Who reads the answer of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Readers {
    #[default]
    Gm,
    /// Players, who ask for what they know: it is tried and looked up on the table as they know it.
    Players,
    /// Players, before whom the GM asks: done on the real table, and refused as players know it.
    PlayersOfGm,
}

impl Readers {
    pub(crate) fn are_players(self) -> bool {
        match self {
            Readers::Gm => false,
            Readers::Players | Readers::PlayersOfGm => true,
        }
    }
}

impl Request {
    /// Whether the players' numbers of entries are needed.
    pub(super) fn counts_for_players(&self) -> bool {
        let by_theirs = matches!(
            self.refers,
            Some(Refers::Undo(Some(EntryNumber::Players(_))))
                | Some(Refers::Sealed(EntryNumber::Players(_)))
        );
        let wants = matches!(self.wants, Some(Wants::Entry(_) | Wants::Uses(_)));
        self.caller.counts
            || by_theirs
            || wants
            || (self.undoes() && self.caller.is_read_by_players())
    }

    pub(super) fn undoes(&self) -> bool {
        matches!(self.refers, Some(Refers::Undo(_)))
    }
}

impl Caller {
    /// The caller in a seat, or on a server without keys.
    pub fn of(seat: Option<Arc<Seat>>) -> Caller {
        Caller {
            seat,
            ..Caller::default()
        }
    }

    /// A caller in no seat, whose answer these read, with the players' numbers.
    pub fn before(readers: Readers) -> Caller {
        Caller {
            readers,
            counts: true,
            ..Caller::default()
        }
    }

    pub(crate) fn player(&self) -> Option<&str> {
        self.seat.as_ref().and_then(|seat| seat.player())
    }

    /// Whether a player reads the answer, in a seat or before the GM's screen.
    pub(crate) fn is_read_by_players(&self) -> bool {
        self.player().is_some() || self.readers.are_players()
    }
}
