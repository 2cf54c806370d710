//! Parts of a log that lie in files of their own, and what stays of their entries here.

use super::connection::{Connection, Query, Row, query};
use crate::store::chain::SeenHead;
use crate::store::record::read_hash;
use crate::store::segment::{Segment, Stub};
use crate::store::{Head, StoreError};

/// Entries that are moved by one statement: a server gives no more than some seconds to each.
const MOVED: u64 = 10_000;

impl Connection {
    /// Whether the schema knows of segments; an older one is read as it lies.
    async fn knows_segments(&mut self) -> Result<bool, StoreError> {
        match self {
            Connection::Sqlite(_) => self.knows("segments").await,
            Connection::Postgres(_) => {
                let there = query("select to_regclass('segments') is not null as found").fetch_one(self).await?;
                Ok(there.try_get("found")?)
            }
        }
    }

    /// The segments of a campaign's log, in order. In a segment the last one is itself, without a seal.
    pub async fn segments(&mut self, campaign: i64) -> Result<Vec<Segment>, StoreError> {
        if !self.knows_segments().await? {
            return Ok(Vec::new());
        }
        let rows = query("select * from segments where campaign = $1 order by first").bind(campaign);
        rows.fetch_all(self).await?.iter().map(segment).collect()
    }

    /// The segment that holds an entry which is not here.
    pub async fn segment_of(&mut self, campaign: i64, seq: u64) -> Result<Option<Segment>, StoreError> {
        let all = self.segments(campaign).await?;
        Ok(all.into_iter().find(|own| own.seal.is_some() && own.holds(seq)))
    }

    /// What stays here of an archived entry.
    pub async fn stub(&mut self, campaign: i64, seq: u64) -> Result<Option<Stub>, StoreError> {
        if !self.knows_segments().await? {
            return Ok(None);
        }
        let own = query("select * from archived where campaign = $1 and seq = $2").bind(campaign).bind(seq);
        own.fetch_optional(self).await?.as_ref().map(stub).transpose()
    }

    /// What stays here of archived entries behind `seq`, in order, at most `limit`.
    pub async fn stubs(&mut self, campaign: i64, seq: u64, limit: u32) -> Result<Vec<Stub>, StoreError> {
        if !self.knows_segments().await? {
            return Ok(Vec::new());
        }
        let rows = query("select * from archived where campaign = $1 and seq > $2 order by seq limit $3");
        rows.bind(campaign).bind(seq).bind(limit).fetch_all(self).await?.iter().map(stub).collect()
    }

    /// The first and the last archived entry of a session, of those from a moment on, or of both; as [`Connection::span`] has them.
    pub(super) async fn archived_span(
        &mut self,
        campaign: i64,
        session: i64,
        since: i64,
    ) -> Result<(Option<u64>, Option<u64>), StoreError> {
        if !self.knows_segments().await? {
            return Ok((None, None));
        }
        let row = query(
            "select min(case when at >= $3 then seq end) as first, max(seq) as last from archived
             where campaign = $1 and (session = $2 or $2 < 0)",
        );
        let row = row.bind(campaign).bind(session).bind(since).fetch_one(self).await?;
        Ok((row.try_get("first")?, row.try_get("last")?))
    }

    /// Entries that lie here though a segment holds them; none, where nobody put them there.
    pub async fn entries_twice(&mut self, campaign: i64) -> Result<u64, StoreError> {
        let count = query(
            "select count(*) as rows from log where campaign = $1 and exists (select 1 from segments as own
                where own.campaign = $1 and log.seq between own.first and own.last and own.sha256 is not null)",
        );
        Ok(count.bind(campaign).fetch_one(self).await?.try_get("rows")?)
    }

    /// Keeps a segment; inside a write.
    pub async fn keep_segment(&mut self, campaign: i64, own: &Segment) -> Result<(), StoreError> {
        let insert = query(
            "insert into segments (campaign, first, last, first_session, last_session, chain, seen_n, seen, ended, file, folder, bytes,
             sha256) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        );
        let insert = insert.bind(campaign).bind(own.first).bind(own.last).bind(own.sessions.0).bind(own.sessions.1);
        let insert = insert.bind(&own.chain[..]).bind(own.seen.n).bind(&own.seen.chain[..]).bind(number(own.ended));
        let insert = insert.bind(&own.file).bind(&own.folder).bind(number(own.seal.map(|(bytes, _)| bytes)));
        let sha256 = own.seal.as_ref().map(|(_, hash)| &hash[..]);
        Ok(insert.bind(sha256).execute(self).await?)
    }

    /// Keeps what stays of an archived entry, for a segment that names those before it.
    pub(in crate::store) fn keep_stub<'q>(campaign: i64, own: &'q Stub) -> Query<'q> {
        let insert = query("insert into archived (campaign, seq, session, at, chain) values ($1, $2, $3, $4, $5)");
        insert.bind(campaign).bind(own.seq).bind(own.session).bind(own.at).bind(&own.chain[..])
    }

    /// Takes the entries of a segment out of the log, with their rolls and words, and keeps what stays of them; inside a write that keeps the
    /// segment. What numbers they have for players stays.
    pub async fn move_out(&mut self, campaign: i64, own: &Segment) -> Result<(), StoreError> {
        let words = match self {
            Connection::Sqlite(_) => {
                "delete from words where rowid in (select id from log where campaign = $1 and seq between $2 and $3)"
            }
            // Their rows hold the numbers that the entries have for players.
            Connection::Postgres(_) => {
                "update words set gm = ''::tsvector, players = case when players is not null then ''::tsvector end
                 where campaign = $1 and seq between $2 and $3"
            }
        };
        let mut first = own.first;
        while first <= own.last {
            let last = own.last.min(first + MOVED - 1);
            for sql in [
                "insert into archived (campaign, seq, session, at, chain)
                 select campaign, seq, session, at, chain from log where campaign = $1 and seq between $2 and $3 order by seq",
                words,
                "delete from roll_rows where campaign = $1 and seq between $2 and $3",
                "delete from log where campaign = $1 and seq between $2 and $3",
            ] {
                query(sql).bind(campaign).bind(first).bind(last).execute(self).await?;
            }
            first = last + 1;
        }
        Ok(())
    }

    /// The last entry before a session; `None` where the log has no entry before it, or none of it or a later one.
    pub async fn end_before(&mut self, campaign: i64, session: u32) -> Result<Option<Head>, StoreError> {
        let sql = "select seq, chain from log where campaign = $1 and seq < (
                select min(seq) from log where campaign = $1 and session >= $2) order by seq desc limit 1";
        let row = query(sql).bind(campaign).bind(session).fetch_optional(self).await?;
        row.map(|row| {
            let seq = row.try_get("seq")?;
            Ok(Head { seq, chain: read_hash(row.try_get("chain")?, seq)? })
        })
        .transpose()
    }
}

fn number(number: Option<u64>) -> Option<i64> {
    number.and_then(|number| i64::try_from(number).ok())
}

fn segment(row: &Row) -> Result<Segment, StoreError> {
    let last = row.try_get("last")?;
    let (bytes, sha256): (Option<u64>, Option<Vec<u8>>) = (row.try_get("bytes")?, row.try_get("sha256")?);
    let seal = match (bytes, sha256) {
        (Some(bytes), Some(sha256)) => Some((bytes, read_hash(&sha256, last)?)),
        _ => None,
    };
    Ok(Segment {
        first: row.try_get("first")?,
        last,
        sessions: (row.try_get("first_session")?, row.try_get("last_session")?),
        chain: read_hash(row.try_get("chain")?, last)?,
        seen: SeenHead { n: row.try_get("seen_n")?, chain: read_hash(row.try_get("seen")?, last)? },
        ended: row.try_get("ended")?,
        file: row.try_get("file")?,
        folder: row.try_get("folder")?,
        seal,
    })
}

fn stub(row: &Row) -> Result<Stub, StoreError> {
    let seq = row.try_get("seq")?;
    let (session, at) = (row.try_get("session")?, row.try_get("at")?);
    Ok(Stub { seq, session, at, chain: read_hash(row.try_get("chain")?, seq)? })
}
