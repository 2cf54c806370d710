//! The log as an audience reads it, page by page, with bounded memory. What the lines become is made on every core while the next
//! pages are read.

use std::fs::File;
use std::io::Write as _;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Exported, Job, failed};

use crate::game::record::entry::{Entry, Visibility};
use crate::game::record::state::State;
use crate::game::view::Audience;
use crate::game::view::narrate::narrate;
use crate::game::view::visibility::{self, VisibleEntry};
use crate::store::parallel::Pages;
use crate::store::sqlite::read::{self, Reading};
use crate::store::{Head, LogRow, StoreError};

/// One entry in a view.
pub struct Line {
    /// Its number in the view, from 1 without gaps; `None` where the audience sees nothing.
    pub n: Option<u64>,
    /// The audience sees the whole body.
    pub whole: bool,
    pub row: LogRow,
    entry: Entry,
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

    /// The sentence that the GM reads.
    pub fn text(&self) -> String {
        narrate(&self.entry, Audience::Gm, true).unwrap_or_default()
    }
}

/// The log of one campaign, being read: what `make` makes of the lines of each page.
pub struct Lines<'a, M, R> {
    job: &'a Job<'a>,
    reading: Reading,
    make: M,
    pages: Pages<View, Result<R, StoreError>>,
}

/// What the lines so far add up to.
struct View {
    audience: Audience,
    state: State,
    head: Head,
    shown: u64,
}

impl<'a, M, R> Lines<'a, M, R>
where
    M: Fn(Vec<Line>) -> Result<R, StoreError> + Clone + Send + 'static,
    R: Send + 'static,
{
    /// The log from its first entry.
    pub async fn of(job: &'a Job<'a>, make: M) -> Result<Self, StoreError> {
        let reading = Reading::of(job.database, job.identity.key).await?;
        let view = View { audience: job.audience, state: State::default(), head: Head::default(), shown: 0 };
        Ok(Lines { job, reading, make, pages: Pages::of(view) })
    }

    /// What the next page becomes, in order; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<R>, StoreError> {
        while !self.pages.is_full()
            && let Some(batch) = self.reading.next().await?
        {
            let (make, audience) = (self.make.clone(), self.job.audience);
            self.pages.begin(move |turn| {
                let read = batch.rows().and_then(|rows| rows.into_iter().map(|row| Read::of(row, audience)).collect());
                let lines = turn.take(|view| read.and_then(|read: Vec<Read>| view.lines(read)))?;
                Some(lines.and_then(make))
            });
        }
        self.pages.next().await.transpose()
    }

    /// What was read, once there is no more.
    pub async fn close(self) -> Result<Exported, StoreError> {
        self.reading.close().await?;
        let (campaign, out) = (self.job.campaign.clone(), self.job.out.to_path_buf());
        let View { head, shown, .. } = self.pages.sum()?;
        let history_lost = self.job.history_lost.clone();
        Ok(Exported { campaign, shown, entries: head.seq, head, out, history_lost })
    }
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
            Audience::Gm => (read::entry(&row.body, row.seq)?, true),
            // Of the body no more is needed than what says whether players may see the whole of it.
            Audience::Player => (read::entry_without_dice(&row.body, row.seq)?, is_seen(&row.public)),
        };
        Ok(Read { row, entry, is_seen })
    }
}

impl View {
    fn lines(&mut self, read: Vec<Read>) -> Result<Vec<Line>, StoreError> {
        read.into_iter().map(|read| self.line(read)).collect()
    }

    fn line(&mut self, Read { row, entry, is_seen }: Read) -> Result<Line, StoreError> {
        self.head = Head { seq: row.seq, chain: read::hash(&row.chain, row.seq)? };
        let whole = match self.audience {
            Audience::Gm => true,
            Audience::Player => {
                self.state.apply(&entry.changes);
                visibility::is_fully_public(&entry, &self.state)
            }
        };
        self.shown += u64::from(is_seen);
        Ok(Line { n: is_seen.then_some(self.shown), whole, row, entry })
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

/// Writes the log to a file, as the text that `make` makes of the lines of each page.
pub async fn write(
    job: &Job<'_>,
    file: &mut File,
    make: impl Fn(Vec<Line>) -> Result<Vec<u8>, StoreError> + Clone + Send + 'static,
) -> Result<Exported, StoreError> {
    let mut lines = Lines::of(job, make).await?;
    while let Some(text) = lines.next().await? {
        file.write_all(&text).map_err(|error| failed(job.out, &error))?;
    }
    lines.close().await
}
