//! The log as an audience reads it, page by page, with bounded memory. What each line becomes is made on every core while the next
//! page is read.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Exported, Job};

use crate::game::record::entry::{Entry, Visibility};
use crate::game::record::state::State;
use crate::game::view::Audience;
use crate::game::view::narrate::narrate;
use crate::game::view::visibility::{self, Seen};
use crate::store::sqlite::read::{self, Reading};
use crate::store::{Head, LogRow, StoreError, parallel};

/// Bytes that are written to a file at once.
pub const BUFFER: usize = 256 * 1024;

/// One entry in a view.
pub struct Line {
    /// Its number in the view, from 1 without gaps; `None` where the audience sees nothing.
    pub n: Option<u64>,
    /// Players see the whole body.
    pub whole: bool,
    pub row: LogRow,
    entry: Entry,
}

impl Line {
    /// What the audience sees of it; the dice are taken out of the line.
    pub fn take_seen(&mut self, audience: Audience) -> Option<Seen> {
        match audience {
            Audience::Gm => {
                let seen = visibility::seen_without_dice(&self.entry, Audience::Gm, self.whole)?;
                Some(Seen { rolls: std::mem::take(&mut self.entry.rolls), ..seen })
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

/// The log of one campaign, being read.
pub struct Lines<'a> {
    job: &'a Job<'a>,
    reading: Reading,
    /// The rows that were read while those before them were worked on.
    ahead: Vec<LogRow>,
    view: View,
}

/// What the lines so far add up to.
struct View {
    audience: Audience,
    state: State,
    head: Head,
    shown: u64,
}

impl<'a> Lines<'a> {
    /// The log from its first entry.
    pub async fn of(job: &'a Job<'a>) -> Result<Self, StoreError> {
        let mut reading = Reading::of(job.database, job.identity.key).await?;
        let ahead = reading.next().await?;
        let view = View { audience: job.audience, state: State::default(), head: Head::default(), shown: 0 };
        Ok(Lines { job, reading, ahead, view })
    }

    /// What the next lines become, in order; nothing at the end.
    pub async fn page<R: Send>(
        &mut self,
        make: impl Fn(Line) -> Result<R, StoreError> + Sync,
    ) -> Result<Vec<R>, StoreError> {
        let rows = std::mem::take(&mut self.ahead);
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let view = &mut self.view;
        let (next, made) = parallel::meanwhile(self.reading.next(), || {
            let lines = view.lines(rows)?;
            parallel::each(lines, make).into_iter().collect::<Result<Vec<R>, StoreError>>()
        })
        .await;
        let made = made?;
        self.ahead = next?;
        Ok(made)
    }

    /// What was read, once there are no more.
    pub async fn close(self) -> Result<Exported, StoreError> {
        self.reading.close().await?;
        let (campaign, out) = (self.job.campaign.clone(), self.job.out.to_path_buf());
        let View { head, shown, .. } = self.view;
        let history_lost = self.job.history_lost.clone();
        Ok(Exported { campaign, shown, entries: head.seq, head, out, history_lost })
    }
}

impl View {
    fn lines(&mut self, rows: Vec<LogRow>) -> Result<Vec<Line>, StoreError> {
        let audience = self.audience;
        let read = parallel::each(rows, |row| {
            let (entry, is_seen) = match audience {
                Audience::Gm => (read::entry(&row.body, row.seq)?, true),
                // Of the body no more is needed than what says whether players may see the whole of it.
                Audience::Player => (read::entry_without_dice(&row.body, row.seq)?, is_seen(&row.public)),
            };
            Ok((row, entry, is_seen))
        });
        read.into_iter().map(|read| read.and_then(|(row, entry, is_seen)| self.line(row, entry, is_seen))).collect()
    }

    fn line(&mut self, row: LogRow, entry: Entry, is_seen: bool) -> Result<Line, StoreError> {
        self.state.apply(&entry.changes);
        self.head = Head { seq: row.seq, chain: read::hash(&row.chain, row.seq)? };
        let whole = visibility::is_whole(&entry, &self.state);
        self.shown += u64::from(is_seen);
        Ok(Line { n: is_seen.then_some(self.shown), whole, row, entry })
    }
}

/// Whether players see something of an entry, by its public part: what every [`Seen`] has.
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

/// Reads the log in order, makes something of each line and hands it on.
pub async fn each<R: Send>(
    job: &Job<'_>,
    make: impl Fn(Line) -> Result<R, StoreError> + Sync,
    mut take: impl FnMut(R) -> Result<(), StoreError>,
) -> Result<Exported, StoreError> {
    let mut lines = Lines::of(job).await?;
    loop {
        let page = lines.page(&make).await?;
        if page.is_empty() {
            return lines.close().await;
        }
        page.into_iter().try_for_each(&mut take)?;
    }
}
