//! A SQLite file: the GM's is a database like the one it comes from, the players' a file of its own shape with what they may
//! see.

use super::lines::{Line, Lines};
use super::{Exported, Job};
use crate::game::view::Audience;
use crate::store::StoreError;
use crate::store::sqlite::copy::{self, Players, PlayersPage, PlayersRow};

pub(super) async fn write(job: &Job<'_>, file: &std::path::Path) -> Result<Exported, StoreError> {
    if job.audience == Audience::Gm {
        // A body that cannot be read stops the export, as it does in every format.
        let (copied, read) = tokio::join!(copy::one(job.database, job.identity.key, file), read(job));
        return copied.and(read);
    }
    let mut players = Players::make(file, &job.campaign, &job.identity.uuid).await?;
    let mut lines = Lines::of(job, page).await?;
    let mut next = lines.next().await?;
    while let Some(page) = next {
        let (added, read) = tokio::join!(players.add(page), lines.next());
        next = added.and(read)?;
    }
    players.finish().await?;
    lines.close().await
}

async fn read(job: &Job<'_>) -> Result<Exported, StoreError> {
    let mut lines = Lines::of(job, |_| Ok(())).await?;
    while lines.next().await?.is_some() {}
    lines.close().await
}

fn page(lines: Vec<Line>) -> Result<PlayersPage, StoreError> {
    let rows: Vec<PlayersRow> = lines.into_iter().map(row).collect();
    PlayersPage::of(&rows)
}

fn row(mut line: Line) -> PlayersRow {
    let seen = line.n.and_then(|_| line.take_seen(Audience::Player));
    let Line { n, whole, row, .. } = line;
    PlayersRow { n, seen, whole, row }
}
