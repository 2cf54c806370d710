//! The clock at a campaign's table: how far it is ahead of UTC, and since when. SQL knows no time
//! zones, so the offsets lie beside the log.

use super::connection::{Connection, query};
use crate::StoreError;
use rollbook_game::zone::Zone;

/// A time zone as far as a campaign needs it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeptZone {
    /// As the IANA spells it. Where the rows were changed so that they name several, all of them.
    pub name: String,
    /// From that moment, in microseconds since 1970, so many seconds ahead of UTC; in order.
    pub offsets: Vec<(i64, i64)>,
}

impl KeptZone {
    /// Takes the next row.
    pub fn add(&mut self, zone: &str, since: i64, seconds: i64) {
        match self.name.is_empty() {
            true => self.name = zone.to_owned(),
            false if self.name == zone => {}
            false => self.name.extend([", ", zone]),
        }
        self.offsets.push((since, seconds));
    }

    /// What is wrong with it for entries up to a moment; a sentence.
    pub fn wrong(&self, last: i64) -> Option<String> {
        let wrong = Zone::wrong_offsets(&self.name, &self.offsets, last)?;
        Some(format!("its table zone_offsets{wrong}"))
    }

    /// The same zone with all its changes up to some years after a moment.
    #[must_use]
    pub fn up_to(self, last: i64) -> Self {
        match Zone::named(&self.name)
            .ok()
            .filter(|_| self.wrong(last).is_some())
        {
            Some(zone) => KeptZone {
                offsets: zone.offsets(last),
                ..self
            },
            None => self,
        }
    }
}

impl Connection {
    /// The zone that is kept for a campaign, if any.
    pub async fn zone(&mut self, campaign: i64) -> Result<Option<KeptZone>, StoreError> {
        let rows = query(
            "select since, seconds, zone from zone_offsets where campaign = $1 order by since",
        )
        .bind(campaign);
        let rows = rows.fetch_all(self).await?;
        let mut kept = KeptZone::default();
        for row in &rows {
            kept.add(
                row.try_get("zone")?,
                row.try_get("since")?,
                row.try_get("seconds")?,
            );
        }
        Ok((!rows.is_empty()).then_some(kept))
    }

    /// The latest time that a campaign is known to have reached, in microseconds since 1970.
    pub async fn latest(&mut self, campaign: i64) -> Result<i64, StoreError> {
        let latest = query(
            "select coalesce(max(at), 0) as at from (
                select at from log where seq = (select max(seq) from log where campaign = $1) and campaign = $1
                union all select started_at from sessions where campaign = $1
                union all select ended_at from sessions where campaign = $1) as times",
        );
        Ok(latest.bind(campaign).fetch_one(self).await?.try_get("at")?)
    }

    /// Keeps a zone for a campaign in place of another; inside a write.
    pub async fn keep_zone(&mut self, campaign: i64, zone: &KeptZone) -> Result<(), StoreError> {
        query("delete from zone_offsets where campaign = $1")
            .bind(campaign)
            .execute(self)
            .await?;
        for (since, seconds) in &zone.offsets {
            let row = query(
                "insert into zone_offsets (campaign, since, seconds, zone) values ($1, $2, $3, $4)",
            );
            row.bind(campaign)
                .bind(*since)
                .bind(*seconds)
                .bind(&zone.name)
                .execute(self)
                .await?;
        }
        Ok(())
    }
}
