//! A SQLite file: the GM's is a database like the one it comes from, the players' a file of its own shape with what they may
//! see.

use super::lines::{self, Line, Lines};
use super::{Exported, Job};
use crate::game::view::Audience;
use crate::store::StoreError;
use crate::store::sqlite::copy::{self, Players, PlayersRow};

pub(super) async fn write(job: &Job<'_>, file: &std::path::Path) -> Result<Exported, StoreError> {
    if job.audience == Audience::Gm {
        // A body that cannot be read stops the export, as it does in every format.
        let (copied, read) =
            tokio::join!(copy::one(job.database, job.identity.key, file), lines::each(job, |_| Ok(()), Ok));
        return copied.and(read);
    }
    let mut lines = Lines::of(job).await?;
    let mut players = Players::make(file, &job.campaign, &job.identity.uuid).await?;
    loop {
        let page = lines.page(|line| Ok(row(line))).await?;
        if page.is_empty() {
            players.finish().await?;
            return lines.close().await;
        }
        players.add(&page).await?;
    }
}

fn row(mut line: Line) -> PlayersRow {
    let seen = line.n.and_then(|_| line.take_seen(Audience::Player));
    let Line { n, whole, row, .. } = line;
    PlayersRow { n, seen, whole, row }
}
