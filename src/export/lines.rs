//! The log as an audience reads it, page by page, with bounded memory. What the lines of a page become is made on every core while
//! the next pages are read.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::game::record::entry::{Entry, Visibility};
use crate::game::record::state::State;
use crate::game::view::Audience;
use crate::game::view::narrate::narrate;
use crate::game::view::visibility::{self, VisibleEntry};
use crate::store::parallel::Pages;
use crate::store::record::{read_entry, read_entry_without_dice, read_hash};
use crate::store::{Head, LogRow, Position, Reader, StoreError};

/// One entry in a view.
pub struct Line {
    /// Its number in the view, from 1 without gaps; `None` where the audience sees nothing.
    pub n: Option<u64>,
    /// The audience sees the whole body.
    pub whole: bool,
    pub row: LogRow,
    /// For players without its dice, and with its secrets: what they see is [`Line::take_seen`].
    pub entry: Entry,
    audience: Audience,
}

impl Line {
    /// What the audience sees of it; the dice are taken out of the line.
    pub fn take_seen(&mut self, audience: Audience) -> Option<VisibleEntry> {
        match audience {
            Audience::Gm => {
                let seen = visibility::visible_without_dice(&self.entry, Audience::Gm, self.whole)?;
                Some(VisibleEntry { rolls: std::mem::take(&mut self.entry.rolls), ..seen })
            }
            // What was frozen when it was written, not what today's program would show.
            Audience::Player => serde_json::from_slice(&self.row.public).ok(),
        }
    }

    /// Whether players see something of it.
    pub fn is_open(&self) -> bool {
        match self.audience {
            Audience::Player => self.n.is_some(),
            Audience::Gm => is_seen(&self.row.public),
        }
    }

    /// The sentence that the GM reads.
    pub fn text(&self) -> String {
        narrate(&self.entry, Audience::Gm, true).unwrap_or_default()
    }
}

/// The log of one campaign, being read.
pub struct Lines<'a, P> {
    reader: &'a mut Reader,
    at: Position,
    audience: Audience,
    add: AddLine<P>,
    pages: Pages<View, Result<P, StoreError>>,
}

/// Adds a line, as its audience sees it, to what a page becomes.
pub type AddLine<P> = fn(&mut P, Line, Audience) -> Result<(), StoreError>;

/// What the lines so far add up to.
struct View {
    audience: Audience,
    state: State,
    head: Head,
    shown: u64,
}

impl<'a, P: Default + Send + 'static> Lines<'a, P> {
    /// The log from its first entry.
    pub fn of(reader: &'a mut Reader, campaign: i64, audience: Audience, add: AddLine<P>) -> Self {
        let view = View { audience, state: State::default(), head: Head::default(), shown: 0 };
        Lines { reader, at: Position::of(campaign), audience, add, pages: Pages::of(view) }
    }

    /// What the next page becomes, in order; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<P>, StoreError> {
        while !self.pages.is_full()
            && let Some(page) = self.reader.page(&mut self.at).await?
        {
            let (audience, add) = (self.audience, self.add);
            self.pages.begin(move |turn| {
                let read = page.rows().and_then(|rows| rows.into_iter().map(|row| Read::of(row, audience)).collect());
                let lines = turn.take(|view| read.and_then(|read: Vec<Read>| view.lines(read)))?;
                Some(lines.and_then(|lines| made(lines, audience, add)))
            });
        }
        self.pages.next().await.transpose()
    }

    /// Where the log ends and how many entries the audience sees, once there is no more.
    pub fn end(self) -> Result<(Head, u64), StoreError> {
        self.pages.sum().map(|view| (view.head, view.shown))
    }
}

fn made<P: Default>(lines: Vec<Line>, audience: Audience, add: AddLine<P>) -> Result<P, StoreError> {
    let mut page = P::default();
    lines.into_iter().try_for_each(|line| add(&mut page, line, audience))?;
    Ok(page)
}

/// An entry that was read by itself.
struct Read {
    row: LogRow,
    entry: Entry,
    /// The audience sees something of it.
    is_seen: bool,
}

impl Read {
    fn of(row: LogRow, audience: Audience) -> Result<Self, StoreError> {
        let (entry, is_seen) = match audience {
            Audience::Gm => (read_entry(&row.body, row.seq)?, true),
            // Of the body no more is needed than what says whether players may see the whole of it.
            Audience::Player => (read_entry_without_dice(&row.body, row.seq)?, is_seen(&row.public)),
        };
        Ok(Read { row, entry, is_seen })
    }
}

impl View {
    fn lines(&mut self, read: Vec<Read>) -> Result<Vec<Line>, StoreError> {
        read.into_iter().map(|read| self.line(read)).collect()
    }

    fn line(&mut self, Read { row, entry, is_seen }: Read) -> Result<Line, StoreError> {
        self.head = Head { seq: row.seq, chain: read_hash(&row.chain, row.seq)? };
        let whole = match self.audience {
            Audience::Gm => true,
            Audience::Player => {
                self.state.apply(&entry.changes);
                visibility::is_fully_public(&entry, &self.state)
            }
        };
        self.shown += u64::from(is_seen);
        Ok(Line { n: is_seen.then_some(self.shown), whole, row, entry, audience: self.audience })
    }
}

/// Whether players see something of an entry, by its public part: what every [`VisibleEntry`] has.
fn is_seen(public: &[u8]) -> bool {
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only whether they are there is asked")]
    struct AtAll {
        at: i64,
        session: u32,
        kind: IgnoredAny,
        visibility: Visibility,
        text: IgnoredAny,
    }
    serde_json::from_slice::<AtAll>(public).is_ok()
}
