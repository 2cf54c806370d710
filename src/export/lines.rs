//! The log as an audience reads it, page by page, with bounded memory.

use super::{Exported, Job};

use crate::game::state::State;
use crate::game::visibility::{Audience, Seen, project};
use crate::store::sqlite::read::{self, Reading};
use crate::store::{Head, LogRow, StoreError};

const PAGE: u32 = 500;

/// One entry in a view.
pub struct Line {
    /// Its number in the view, from 1 without gaps; `None` where the audience sees nothing.
    pub n: Option<u64>,
    pub seen: Option<Seen>,
    /// Players see the whole body.
    pub whole: bool,
    pub row: LogRow,
}

/// The log of one campaign, being read.
pub struct Lines<'a> {
    job: &'a Job<'a>,
    reading: Reading,
    state: State,
    head: Head,
    shown: u64,
}

impl<'a> Lines<'a> {
    /// The log from its first entry.
    pub async fn of(job: &'a Job<'a>) -> Result<Self, StoreError> {
        let reading = Reading::of(job.database).await?;
        Ok(Lines { job, reading, state: State::default(), head: Head::default(), shown: 0 })
    }

    /// The next entries, in order; none at the end.
    pub async fn page(&mut self) -> Result<Vec<Line>, StoreError> {
        let rows = self.reading.rows(self.job.identity.key, self.head.seq, PAGE).await?;
        rows.into_iter().map(|row| self.line(row)).collect()
    }

    fn line(&mut self, row: LogRow) -> Result<Line, StoreError> {
        let entry = read::entry(&row.body, row.seq)?;
        self.state.apply(&entry.changes);
        self.head = Head { seq: row.seq, chain: read::hash(row.chain.clone(), row.seq)? };
        let whole = project(&entry, &self.state, Audience::Player).whole;
        let seen = match self.job.audience {
            Audience::Gm => project(&entry, &self.state, Audience::Gm).seen,
            // What was frozen when it was written, not what today's program would show.
            Audience::Player => serde_json::from_slice(&row.public).ok(),
        };
        self.shown += u64::from(seen.is_some());
        Ok(Line { n: seen.is_some().then_some(self.shown), seen, whole, row })
    }

    /// What was read, once there are no more.
    pub async fn close(self) -> Result<Exported, StoreError> {
        self.reading.close().await?;
        let (campaign, out) = (self.job.campaign.clone(), self.job.out.to_path_buf());
        Ok(Exported { campaign, shown: self.shown, entries: self.head.seq, head: self.head, out })
    }
}

/// Reads the log in order and hands each entry on.
pub async fn each(job: &Job<'_>, mut take: impl FnMut(Line) -> Result<(), StoreError>) -> Result<Exported, StoreError> {
    let mut lines = Lines::of(job).await?;
    loop {
        let page = lines.page().await?;
        if page.is_empty() {
            return lines.close().await;
        }
        page.into_iter().try_for_each(&mut take)?;
    }
}
