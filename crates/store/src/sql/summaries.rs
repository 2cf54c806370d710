//! A list of the campaigns.

use super::connection::{Connection, Row, query};
use crate::StoreError;
use crate::record::CampaignSummary;

impl Connection {
    /// Every campaign with its counts, by name.
    pub async fn summaries(&mut self) -> Result<Vec<CampaignSummary>, StoreError> {
        let sql = "select name, adventure, (select count(*) from keys where table_of = campaigns.id) as keys,
                (select coalesce(max(seq), 0) from log where campaign = campaigns.id) as entries,
                (select at from log where campaign = campaigns.id order by seq desc limit 1) as written,
                (select coalesce(sum(length(body) + length(public)), 0) from log where campaign = campaigns.id) as bytes,
                (select count(*) from sessions where campaign = campaigns.id) as sessions,
                (select count(*) from characters where campaign = campaigns.id) as characters
             from campaigns order by name";
        query(sql).fetch_all(self).await?.iter().map(summary).collect()
    }
}

fn summary(row: &Row) -> Result<CampaignSummary, StoreError> {
    Ok(CampaignSummary {
        name: row.try_get("name")?,
        adventure: row.try_get("adventure")?,
        entries: row.try_get("entries")?,
        sessions: row.try_get("sessions")?,
        characters: row.try_get("characters")?,
        bytes: row.try_get("bytes")?,
        last_written: row.try_get("written")?,
        keys: row.try_get("keys")?,
    })
}
