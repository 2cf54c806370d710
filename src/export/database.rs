//! A SQLite file: the GM's is a database like the one it comes from, the players' a file of its own shape with what they may
//! see.

use super::lines::{self, Lines};
use super::{Exported, Job};
use crate::game::visibility::Audience;
use crate::store::StoreError;
use crate::store::sqlite::copy::{self, Players, PlayersRow};

pub(super) async fn write(job: &Job<'_>, file: &std::path::Path) -> Result<Exported, StoreError> {
    if job.audience == Audience::Gm {
        copy::one(job.database, job.identity.key, file).await?;
        return lines::each(job, |_| Ok(())).await;
    }
    let mut lines = Lines::of(job).await?;
    let mut players = Players::make(file, &job.campaign, &job.identity.uuid).await?;
    loop {
        let page = lines.page().await?;
        if page.is_empty() {
            players.finish().await?;
            return lines.close().await;
        }
        for line in page {
            let body = line.whole.then(|| line.row.body.clone());
            let salt = line.whole.then(|| line.row.salt.clone());
            players.add(&PlayersRow { n: line.n, seen: line.seen, body, salt, row: line.row }).await?;
        }
    }
}
