//! The log as an audience reads it, page by page, with bounded memory, on every core.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;

use rollbook_game::record::change::Change;
use rollbook_game::record::entry::{Entry, Visibility};
use rollbook_game::record::event::{Event, Subject};
use rollbook_game::record::state::State;
use rollbook_game::view::Audience;
use rollbook_game::view::visibility::{self, Bodies, VisibleEntry, is_shown};
use rollbook_store::chain::{self, SeenHead};
use rollbook_store::parallel::Pages;
use rollbook_store::record::{read_entry, read_hash};
use rollbook_store::sql::zone::KeptZone;
use rollbook_store::{Head, Identity, LogRow, Position, Reader, StoreError};

#[derive(Clone, Default)]
pub struct Job {
    pub campaign: String,
    pub identity: Identity,
    pub audience: Audience,
    /// See [`super::Wanted::bom`].
    pub bom: bool,
    /// The entries that are wanted; all of them where there is none.
    pub span: Option<Span>,
    /// Only how many are hidden is told; inside: the last session's end that says what was seen.
    pub total: Option<Option<u64>>,
    /// Where it is put once it is whole.
    pub out: PathBuf,
    /// What checkpoints know of the log and it does not hold, in a sentence.
    pub history_lost: Option<String>,
    pub zone: Option<KeptZone>,
}

impl Job {
    /// To read a whole log, and write nothing.
    pub fn reading(campaign: &str, identity: &Identity, audience: Audience) -> Self {
        let (campaign, identity) = (campaign.to_owned(), identity.clone());
        Job {
            campaign,
            identity,
            audience,
            ..Job::default()
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub first: u64,
    pub last: u64,
    pub after: Option<Head>,
}

pub struct Line {
    /// Its number in the view, from 1 without gaps; `None` where the audience sees nothing.
    pub n: Option<u64>,
    /// The number that it has for players; `None` where they see nothing.
    pub players_n: Option<u64>,
    /// The audience reads all that happened in it.
    pub complete: bool,
    /// The audience may have the body.
    pub whole: bool,
    /// Where it ends the chain over what players see, if that is wanted.
    pub seen: Option<SeenHead>,
    pub row: LogRow,
    /// For players without its dice, and with its secrets: what they see is [`Line::take_seen`].
    pub entry: Entry,
}

impl Line {
    /// As it is without those before it: all that happened in it, for the GM.
    fn of(row: LogRow, audience: Audience) -> Result<Self, StoreError> {
        let entry = match audience {
            Audience::Gm => read_entry(&row.body, row.seq)?,
            Audience::Player => without_dice(&row.body, row.seq)?,
        };
        Ok(Line {
            n: None,
            players_n: None,
            complete: true,
            whole: true,
            seen: None,
            row,
            entry,
        })
    }

    /// Its number in the view, and what the audience sees, with the dice taken out of the line.
    pub fn numbered(
        &mut self,
        audience: Audience,
    ) -> Result<Option<(u64, VisibleEntry)>, StoreError> {
        let Some(n) = self.n else { return Ok(None) };
        let seq = self.row.seq;
        let unread = || StoreError::Unreadable {
            seq,
            reason: "what players see of it is not readable".to_owned(),
        };
        self.take_seen(audience)
            .map(|seen| Some((n, seen)))
            .ok_or_else(unread)
    }

    /// What the audience sees of it; the dice are taken out of the line.
    pub fn take_seen(&mut self, audience: Audience) -> Option<VisibleEntry> {
        match audience {
            Audience::Gm => {
                let seen = visibility::visible_without_dice(&self.entry, Audience::Gm, self.whole)?;
                Some(VisibleEntry {
                    rolls: std::mem::take(&mut self.entry.rolls),
                    ..seen
                })
            }
            // What was frozen when it was written, not what today's program would show.
            Audience::Player => serde_json::from_slice(&self.row.public).ok(),
        }
    }

    pub fn is_open(&self) -> bool {
        self.players_n.is_some()
    }

    pub fn text(&self) -> String {
        self.entry.sentence(Audience::Gm, true).unwrap_or_default()
    }
}

pub struct Lines<'a, P> {
    reader: &'a mut Reader,
    at: Position,
    job: Arc<Job>,
    add: AddLine<P>,
    pages: Pages<View, Result<P, StoreError>>,
}

/// Adds a line, as its audience sees it, to what a page becomes.
pub type AddLine<P> = fn(&mut P, Line, &Job) -> Result<(), StoreError>;

/// What the lines so far add up to.
#[derive(Default)]
struct View {
    audience: Audience,
    state: State,
    bodies: Bodies,
    head: Head,
    /// Entries that the audience sees, …
    numbered: u64,
    /// … those of them that are wanted, …
    shown: u64,
    /// … and entries that players see.
    open: u64,
    span: Option<Span>,
    /// Of the chain over what players see, where it is wanted.
    seen: Option<(uuid::Uuid, SeenHead)>,
}

impl<'a, P: Default + Send + 'static> Lines<'a, P> {
    pub fn of(reader: &'a mut Reader, job: Arc<Job>, add: AddLine<P>) -> Self {
        let (audience, span) = (job.audience, job.span);
        let uuid = job.identity.uuid.parse().unwrap_or_default();
        let seen = job.total.map(|_| (uuid, SeenHead::default()));
        let view = View {
            audience,
            span,
            seen,
            ..View::default()
        };
        Lines {
            reader,
            at: Position::of(job.identity.key),
            job,
            add,
            pages: Pages::of(view),
        }
    }

    pub async fn next(&mut self) -> Result<Option<P>, StoreError> {
        while !self.pages.is_full()
            && let Some(page) = self.reader.page(&mut self.at).await?
        {
            let (job, add) = (self.job.clone(), self.add);
            self.pages.begin(move |turn| {
                let read = page.rows().and_then(|rows| {
                    rows.into_iter()
                        .map(|row| Line::of(row, job.audience))
                        .collect()
                });
                let lines = turn.take(|view| read.and_then(|read: Vec<Line>| view.lines(read)))?;
                let mut made = P::default();
                let add = |lines: Vec<Line>| {
                    lines
                        .into_iter()
                        .try_for_each(|line| add(&mut made, line, &job))
                };
                Some(lines.and_then(add).map(|()| made))
            });
        }
        self.pages.next().await.transpose()
    }

    /// Where the log ends and how many entries the audience sees, once there is no more.
    pub fn end(self) -> Result<(Head, u64), StoreError> {
        self.pages.sum().map(|view| (view.head, view.shown))
    }
}

/// An entry with what says whether players may see the whole of it. What they may know of the rest
/// is in its public part, and to read the dice takes longest: dice that cannot be read are
/// `verify`'s to find.
fn without_dice(body: &[u8], seq: u64) -> Result<Entry, StoreError> {
    #[derive(Deserialize)]
    struct Sketch {
        v: u32,
        at: i64,
        session: u32,
        visibility: Visibility,
        #[serde(default)]
        reader: Option<Subject>,
        actor: String,
        event: Event,
        #[serde(default)]
        changes: Vec<Change>,
    }
    let unread = |error: serde_json::Error| StoreError::Unreadable {
        seq,
        reason: error.to_string(),
    };
    let Sketch {
        v,
        at,
        session,
        visibility,
        reader,
        actor,
        event,
        changes,
    } = serde_json::from_slice(body).map_err(unread)?;
    let ([rule, request_id, seat, answer], call, rolls, discarded) = Default::default();
    Ok(Entry {
        v,
        at,
        session,
        visibility,
        reader,
        actor,
        event,
        rolls,
        changes,
        rule,
        call,
        request_id,
        seat,
        discarded,
        answer,
    })
}

impl View {
    fn lines(&mut self, read: Vec<Line>) -> Result<Vec<Line>, StoreError> {
        read.into_iter()
            .filter_map(|line| self.line(line).transpose())
            .collect()
    }

    fn line(&mut self, mut line: Line) -> Result<Option<Line>, StoreError> {
        let (row, entry) = (&line.row, &line.entry);
        if self.span.is_some_and(|span| row.seq > span.last) {
            return Ok(None);
        }
        self.head = Head {
            seq: row.seq,
            chain: read_hash(&row.chain, row.seq)?,
        };
        let is_open = is_shown(&row.public);
        let is_seen = is_open || self.audience == Audience::Gm;
        self.numbered += u64::from(is_seen);
        self.open += u64::from(is_open);
        if let Some((uuid, seen)) = self.seen.as_mut().filter(|_| is_open) {
            seen.add(&chain::shown(uuid, &row.public));
        }
        if self.audience == Audience::Player {
            self.state.apply(&entry.changes);
            let complete = visibility::is_fully_public(entry, &self.state);
            line.whole = self.bodies.take(row.seq, entry, &self.state, complete);
            line.complete = complete;
        }
        if self.span.is_some_and(|span| row.seq < span.first) {
            return Ok(None);
        }
        self.shown += u64::from(is_seen);
        line.n = is_seen.then_some(self.numbered);
        line.players_n = is_open.then_some(self.open);
        line.seen = self.seen.map(|(_, seen)| seen);
        Ok(Some(line))
    }
}
