//! The clock at a campaign's table: how far it is ahead of UTC, and since when. SQL knows no time zones, so the offsets lie beside the log.

use super::connection::{Connection, query};
use crate::store::StoreError;

/// A time zone as far as a campaign needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptZone {
    /// As the IANA spells it.
    pub name: String,
    /// From that moment on, in microseconds since 1970, the clock is so many seconds ahead of UTC; in order.
    pub offsets: Vec<(i64, i64)>,
}

impl Connection {
    /// The zone that is kept for a campaign, if any.
    pub async fn zone(&mut self, campaign: i64) -> Result<Option<KeptZone>, StoreError> {
        if !self.knows("zone_offsets").await? {
            return Ok(None);
        }
        let rows =
            query("select since, seconds, zone from zone_offsets where campaign = $1 order by since").bind(campaign);
        let rows = rows.fetch_all(self).await?;
        let Some(first) = rows.first() else { return Ok(None) };
        let mut kept = KeptZone { name: first.try_get("zone")?, offsets: Vec::new() };
        for row in &rows {
            kept.offsets.push((row.try_get("since")?, row.try_get("seconds")?));
        }
        Ok(Some(kept))
    }

    /// Keeps a zone for a campaign in place of another; inside a write.
    pub async fn keep_zone(&mut self, campaign: i64, zone: &KeptZone) -> Result<(), StoreError> {
        query("delete from zone_offsets where campaign = $1").bind(campaign).execute(self).await?;
        for (since, seconds) in &zone.offsets {
            let row = query("insert into zone_offsets (campaign, since, seconds, zone) values ($1, $2, $3, $4)");
            row.bind(campaign).bind(*since).bind(*seconds).bind(&zone.name).execute(self).await?;
        }
        Ok(())
    }
}
