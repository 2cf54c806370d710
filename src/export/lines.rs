//! The log as an audience reads it, entry by entry, with bounded memory.

use super::{Exported, Job};

use crate::game::state::State;
use crate::game::visibility::{Audience, Seen, project};
use crate::store::sqlite::read;
use crate::store::{Head, LogRow, StoreError, sqlite};

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

/// Reads the log in order and hands each entry on.
pub async fn each(job: &Job<'_>, mut take: impl FnMut(Line) -> Result<(), StoreError>) -> Result<Exported, StoreError> {
    let mut connection = sqlite::connect_read_only(job.database).await?;
    let mut state = State::default();
    let mut head = Head::default();
    let mut shown = 0;
    loop {
        let rows = read::rows(&mut connection, job.identity.key, head.seq, PAGE).await?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let entry = read::entry(&row.body, row.seq)?;
            state.apply(&entry.changes);
            head = Head { seq: row.seq, chain: read::hash(row.chain.clone(), row.seq)? };
            let whole = project(&entry, &state, Audience::Player).whole;
            let seen = match job.audience {
                Audience::Gm => project(&entry, &state, Audience::Gm).seen,
                // What was frozen when it was written, not what today's program would show.
                Audience::Player => serde_json::from_slice(&row.public).ok(),
            };
            let n = seen.is_some().then(|| {
                shown += 1;
                shown
            });
            take(Line { n, seen, whole, row })?;
        }
    }
    sqlite::close(connection).await?;
    Ok(Exported { campaign: job.campaign.clone(), shown, entries: head.seq, head, out: job.out.to_path_buf() })
}
