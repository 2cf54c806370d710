//! A SQLite file: the GM's is a whole copy of the database, the players' a new file with what they may see.

use super::lines;
use super::{Exported, Job, create};
use crate::game::visibility::Audience;
use crate::store::StoreError;
use crate::store::sqlite::copy;

pub(super) async fn write(job: &Job<'_>) -> Result<Exported, StoreError> {
    if job.audience == Audience::Gm {
        copy::whole(job.database, job.out).await?;
        return lines::each(job, |_| Ok(())).await;
    }
    drop(create(job.out)?);
    let mut rows = Vec::new();
    let exported = lines::each(job, |line| {
        let body = line.whole.then(|| line.row.body.clone());
        let salt = line.whole.then(|| line.row.salt.clone());
        rows.push(copy::PlayersRow { n: line.n, seen: line.seen, body, salt, row: line.row });
        Ok(())
    })
    .await?;
    copy::players(job.out, &job.campaign, &job.identity.uuid, &rows).await?;
    Ok(exported)
}
