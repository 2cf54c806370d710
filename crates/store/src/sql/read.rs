//! Reading the log: by position, never by OFFSET.

use bytes::Bytes;
use sqlx::AssertSqlSafe;

use super::batch;
use super::connection::{Connection, Row, query};
use crate::chain::SeenHead;
use crate::record::{CampaignSummary, read_entry, read_hash};
use crate::{Head, Identity, LogRow, StoreError};
use rollbook_game::decide::undo::BACK_MAX;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{Event, SessionEnded};
use rollbook_game::view::recap::LoggedEntry;

/// Openings that are read at a time.
const OPENED: u32 = 16;

/// The last entry of a campaign's log.
macro_rules! head {
    () => {
        "select seq, chain from log where campaign = $1 order by seq desc limit 1"
    };
}

impl Connection {
    /// Begins to read one consistent moment; closing the connection ends it.
    pub async fn begin_read(&mut self) -> Result<(), StoreError> {
        let begin = match self {
            Connection::Sqlite(_) => "begin deferred",
            Connection::Postgres(_) => "begin isolation level repeatable read read only",
        };
        Ok(query(begin).execute(self).await?)
    }

    /// Ends it, for a connection that reads on.
    pub async fn end_read(&mut self) -> Result<(), StoreError> {
        Ok(query("commit").execute(self).await?)
    }

    /// Every campaign, by name.
    pub async fn campaigns(&mut self) -> Result<Vec<(String, Identity)>, StoreError> {
        let rows = query("select id, uuid, name from campaigns order by name").fetch_all(self).await?;
        rows.iter().map(|row| Ok((row.try_get("name")?, identity(row)?))).collect()
    }

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

    /// The UUID of the campaign with that key.
    pub async fn uuid(&mut self, campaign: i64) -> Result<Option<String>, StoreError> {
        let row = query("select uuid from campaigns where id = $1").bind(campaign).fetch_optional(self).await?;
        Ok(row.map(|row| row.try_get("uuid")).transpose()?)
    }

    /// Whether the log of the campaign with that key goes on in another.
    pub async fn is_continued(&mut self, campaign: i64) -> Result<bool, StoreError> {
        let row = query("select continued_by from campaigns where id = $1").bind(campaign).fetch_optional(self).await?;
        let by: Option<Option<String>> = row.map(|row| row.try_get("continued_by")).transpose()?;
        Ok(by.flatten().is_some())
    }

    /// The campaign in which a log that was closed goes on, over as many logs as it takes; `None` where that one is not here.
    pub async fn continuation(&mut self, continued_by: &str) -> Result<Option<String>, StoreError> {
        let rows = query("select uuid, name, continued_by from campaigns").fetch_all(self).await?;
        let mut later = std::collections::HashMap::new();
        for row in &rows {
            let (name, by) = (row.try_get::<String>("name")?, row.try_get::<Option<String>>("continued_by")?);
            later.insert(row.try_get::<String>("uuid")?, (name, by));
        }
        let mut at = continued_by.to_owned();
        // Each is passed once: a row that was changed may name one before it.
        while let Some((name, by)) = later.remove(&at) {
            match by {
                Some(by) => at = by,
                None => return Ok(Some(name)),
            }
        }
        Ok(None)
    }

    /// What the database is called in checkpoints; `None` where its table was emptied or dropped.
    pub async fn book(&mut self) -> Result<Option<String>, StoreError> {
        match query("select id from book").fetch_optional(self).await {
            Err(error) if error.to_string().contains("no such table") => Ok(None),
            book => Ok(book?.map(|row| row.try_get("id")).transpose()?),
        }
    }

    /// The last entry of a campaign's log; [`Head::default`] for a key without entries.
    pub async fn head(&mut self, campaign: i64) -> Result<Head, StoreError> {
        let head = query(head!()).bind(campaign);
        head.fetch_optional(self).await?.as_ref().map_or(Ok(Head::default()), head_row)
    }

    /// The last entry of a campaign's log, and whether an answer is kept for a request, in one trip.
    pub async fn head_and_answered(&mut self, campaign: i64, request_id: &str) -> Result<(Head, bool), StoreError> {
        let sql = concat!(
            "select seq, chain, exists(select 1 from requests where campaign = $1 and request_id = $2) as answered from (",
            head!(),
            ") as last"
        );
        let row = query(sql).bind(campaign).bind(request_id).fetch_optional(self).await?;
        row.map_or(Ok((Head::default(), false)), |row| Ok((head_row(&row)?, row.try_get("answered")?)))
    }

    /// Begins to write to SQLite, and reads the last entry of a campaign's log and the version of the file, which another connection's write
    /// changes, in one trip to its thread.
    pub(crate) async fn begin_immediate(&mut self, campaign: i64) -> Result<(i64, Head), StoreError> {
        let sql = concat!(
            "begin immediate; select data_version, seq, chain from pragma_data_version left join (",
            head!(),
            ") on true"
        );
        let row = query(sql).bind(campaign).fetch_one(self).await?;
        let head = match row.try_get::<Option<i64>>("seq")? {
            Some(_) => head_row(&row)?,
            None => Head::default(),
        };
        Ok((row.try_get("data_version")?, head))
    }

    /// The chain value of an entry; `None` where there is no such entry.
    pub async fn chain(&mut self, campaign: i64, seq: u64) -> Result<Option<[u8; 32]>, StoreError> {
        Ok(self.row(campaign, seq).await?.map(|row| row.head().chain))
    }

    /// An entry as it lies in the log; `None` where there is no such entry.
    pub async fn row(&mut self, campaign: i64, seq: u64) -> Result<Option<LogRow>, StoreError> {
        let rows = self.rows(campaign, seq.saturating_sub(1), 1).await?;
        Ok(rows.into_iter().find(|row| row.seq == seq))
    }

    /// Bytes of the bodies and public parts of entries after `seq`.
    pub async fn bytes_after(&mut self, campaign: i64, seq: u64) -> Result<u64, StoreError> {
        let sum =
            "select coalesce(sum(length(body) + length(public)), 0) as bytes from log where campaign = $1 and seq > $2";
        let row = query(sum).bind(campaign).bind(seq).fetch_one(self).await?;
        Ok(row.try_get("bytes")?)
    }

    /// Entries after `seq`, in order, at most `limit`.
    pub async fn after(&mut self, campaign: i64, seq: u64, limit: u32) -> Result<Vec<(u64, Entry)>, StoreError> {
        let sql = "select seq, body from log where campaign = $1 and seq > $2 order by seq limit $3";
        self.entries(sql.to_owned(), campaign, seq, limit).await
    }

    /// The last entries after `seq` that changed something, in order, at most `limit`. Plain rolls are passed over in the index.
    pub async fn changed(&mut self, campaign: i64, seq: u64, limit: u32) -> Result<Vec<(u64, Entry)>, StoreError> {
        // Inside a text of the body a quotation mark has a backslash before it, so these bytes are the field's name.
        let (log, changes) = (self.log_by_entry(), self.body_holds("\"changes\":"));
        let sql = format!(
            "select seq, body from {log} where campaign = $1 and seq > $2 and kind not in ('roll', 'roll_set')
             and (kind <> 'check' or {changes}) order by seq desc limit $3"
        );
        self.entries(sql, campaign, seq, limit).await
    }

    /// Entries after `seq` that are more than dice, in order, at most `limit`: plain rolls are passed over in the index.
    pub async fn besides_dice(&mut self, campaign: i64, seq: u64, limit: u32) -> Result<Vec<(u64, Entry)>, StoreError> {
        let log = self.log_by_entry();
        let sql = format!(
            "select seq, body from {log} where campaign = $1 and seq > $2 and kind not in ('roll', 'roll_set')
             order by seq limit $3"
        );
        self.entries(sql, campaign, seq, limit).await
    }

    /// The entry that opened a hidden one; found in the index.
    pub async fn opened_by(&mut self, campaign: i64, entry: u64) -> Result<Option<u64>, StoreError> {
        let log = self.log_by_entry();
        let sql = format!(
            "select seq, body from {log} where campaign = $1 and seq > $2 and kind = 'revealed' order by seq limit $3"
        );
        let opens = |opening: &Entry| matches!(&opening.event, Event::Revealed(event) if event.entry == entry);
        let mut after = entry;
        loop {
            let page = self.entries(sql.clone(), campaign, after, OPENED).await?;
            let Some((last, _)) = page.last() else { return Ok(None) };
            after = *last;
            if let Some((by, _)) = page.iter().find(|(_, opening)| opens(opening)) {
                return Ok(Some(*by));
            }
        }
    }

    /// Whether an entry was taken back, and not done again.
    pub async fn is_undone(&mut self, campaign: i64, entry: u64) -> Result<bool, StoreError> {
        // Each database has its own type for it.
        let sql = "select cast(case when undone then 1 else 0 end as bigint) as undone from facts where campaign = $1 and seq = $2";
        let row = query(sql).bind(campaign).bind(entry).fetch_optional(self).await?;
        Ok(row.map(|row| row.try_get::<i64>("undone")).transpose()? == Some(1))
    }

    /// Every undo of a campaign, in the order of the log.
    pub async fn undos(&mut self, campaign: i64) -> Result<Vec<LoggedEntry>, StoreError> {
        let sql = "select seq, body, public from log where campaign = $1 and kind = 'undone' order by seq";
        let rows = query(sql).bind(campaign).fetch_all(self).await?;
        rows.iter().map(recap_entry).collect()
    }

    /// The last entry that says by which rules is played; of those since the session before that one, where one is named.
    pub async fn rules_loaded(
        &mut self,
        campaign: i64,
        session: Option<u32>,
    ) -> Result<Option<(u64, Entry)>, StoreError> {
        let (log, within) = match (&*self, session) {
            (_, None) => (self.log_by_entry(), ""),
            (Connection::Sqlite(_), Some(_)) => ("log indexed by log_by_session", "and session >= $2 - 1"),
            (Connection::Postgres(_), Some(_)) => ("log", "and session >= $2 - 1"),
        };
        let sql = format!(
            "select seq, body from {log} where campaign = $1 and kind = 'rules_loaded' {within} order by seq desc limit 1"
        );
        let asked = query(AssertSqlSafe(sql)).bind(campaign);
        let asked = match session {
            Some(session) => asked.bind(session),
            None => asked,
        };
        let row = asked.fetch_optional(self).await?;
        row.as_ref().map(entry).transpose()
    }

    /// The last end of a session: its entry, and what players had seen before it; `None` where there is none that says so.
    pub async fn seen_before(&mut self, campaign: i64) -> Result<Option<(u64, SeenHead)>, StoreError> {
        let log = self.log_by_entry();
        let sql = format!(
            "select seq, body from {log} where campaign = $1 and seq > $2 and kind = 'session_ended' order by seq desc limit $3"
        );
        let ended = self.entries(sql, campaign, 0, 1).await?;
        Ok(ended.first().and_then(|(seq, entry)| match &entry.event {
            Event::SessionEnded(SessionEnded { seen: Some(seen), .. }) => Some((*seq, SeenHead::of(seen)?)),
            _ => None,
        }))
    }

    /// Entries that `sql` selects, as `seq` and `body`, for a campaign, after an entry, up to a limit.
    async fn entries(
        &mut self,
        sql: String,
        campaign: i64,
        after: u64,
        limit: u32,
    ) -> Result<Vec<(u64, Entry)>, StoreError> {
        let mut entries = match self {
            Connection::Sqlite(file) => {
                let bodies = batch::bodies(file, &sql, campaign, after, limit).await?;
                bodies.into_iter().map(|(seq, body)| Ok((seq, read_entry(&body, seq)?))).collect()
            }
            Connection::Postgres(_) => {
                let rows = query(AssertSqlSafe(sql)).bind(campaign).bind(after).bind(limit);
                rows.fetch_all(self).await?.iter().map(entry).collect::<Result<Vec<_>, StoreError>>()
            }
        }?;
        entries.sort_by_key(|(seq, _)| *seq);
        Ok(entries)
    }

    /// The last entries from `first` to `last` that may tell a story ([`rollbook_game::view::recap`]), and what was undone of them
    /// since, in order, at most `limit`; what players see of each was frozen when it was written.
    pub async fn story(
        &mut self,
        campaign: i64,
        first: u64,
        last: u64,
        limit: u32,
    ) -> Result<Vec<LoggedEntry>, StoreError> {
        let log = self.log_by_entry();
        let [dead, down, end, defeated, awarded] =
            ["\"dead\"", "\"down\"", "\"end\":\"", "\"act\":\"defeated\"", "\"awarded\":true"]
                .map(|what| self.body_holds(what));
        let sql = format!(
            "select seq, body, public from {log}
             where campaign = $1 and seq between $2 and $4 and kind in ('note', 'campaign_renamed', 'combat_started',
                'structure_changed', 'combat_ended', 'awarded', 'level_up', 'retired', 'damage', 'combatant', 'clock', 'time', 'revealed', 'undone',
                'items')
                and (seq <= $3 or kind = 'undone') and (kind <> 'damage' or {dead} or {down}) and (kind <> 'clock' or {end})
                and (kind <> 'combatant' or {defeated}) and (kind <> 'items' or {awarded})
             order by seq desc limit $5"
        );
        let undone_until = last.saturating_add(BACK_MAX);
        let story = query(AssertSqlSafe(sql)).bind(campaign).bind(first).bind(last);
        let rows = story.bind(undone_until).bind(limit).fetch_all(self).await?;
        rows.iter().rev().map(recap_entry).collect()
    }

    /// An entry with its dice and what players see of it, as both were frozen; `None` where there is no such entry.
    pub async fn told(&mut self, campaign: i64, seq: u64) -> Result<Option<LoggedEntry>, StoreError> {
        let Some(row) = self.row(campaign, seq).await? else { return Ok(None) };
        let players = serde_json::from_slice(&row.public).ok();
        Ok(Some(LoggedEntry { seq, entry: read_entry(&row.body, seq)?, players }))
    }

    /// The first and the last entry of a session, of those from a moment on (microseconds since 1970), or of both; `None` where there is none.
    pub async fn span(
        &mut self,
        campaign: i64,
        session: Option<u32>,
        since: Option<i64>,
    ) -> Result<Option<(u64, u64)>, StoreError> {
        let sql = "select min(case when at >= $3 then seq end) as first, max(seq) as last from log
             where campaign = $1 and (session = $2 or $2 < 0)";
        let session = session.map_or(-1, i64::from);
        let since = since.unwrap_or(i64::MIN);
        let row = query(sql).bind(campaign).bind(session).bind(since).fetch_one(self).await?;
        let (first, last): (Option<u64>, Option<u64>) = (row.try_get("first")?, row.try_get("last")?);
        Ok(first.zip(last))
    }

    /// The session that an entry belongs to; `None` where there is no such entry.
    pub async fn session_of(&mut self, campaign: i64, seq: u64) -> Result<Option<u32>, StoreError> {
        let found = query("select session from log where campaign = $1 and seq = $2").bind(campaign).bind(seq);
        Ok(found.fetch_optional(self).await?.map(|row| row.try_get("session")).transpose()?)
    }

    /// Rows of the log after `seq`, hashes and all, at most `limit`.
    pub async fn rows(&mut self, campaign: i64, seq: u64, limit: u32) -> Result<Vec<LogRow>, StoreError> {
        let rows = query("select * from log where campaign = $1 and seq > $2 order by seq limit $3");
        let rows = rows.bind(campaign).bind(seq).bind(limit).fetch_all(self).await?;
        rows.iter().map(log_row).collect()
    }

    /// The log with its index by number and kind, which SQLite would not choose by itself.
    fn log_by_entry(&self) -> &'static str {
        match self {
            Connection::Sqlite(_) => "log indexed by log_by_entry",
            Connection::Postgres(_) => "log",
        }
    }

    /// Whether the body of an entry has these bytes in it.
    fn body_holds(&self, what: &'static str) -> String {
        match self {
            Connection::Sqlite(_) => format!("instr(body, cast('{what}' as blob)) > 0"),
            Connection::Postgres(_) => format!("position(convert_to('{what}', 'UTF8') in body) > 0"),
        }
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

fn head_row(row: &Row) -> Result<Head, StoreError> {
    let seq = row.try_get("seq")?;
    Ok(Head { seq, chain: read_hash(row.try_get("chain")?, seq)? })
}

fn identity(row: &Row) -> Result<Identity, StoreError> {
    Ok(Identity { key: row.try_get("id")?, uuid: row.try_get("uuid")? })
}

/// The columns `seq` and `body` as an entry.
fn entry(row: &Row) -> Result<(u64, Entry), StoreError> {
    let seq = row.try_get("seq")?;
    Ok((seq, read_entry(row.try_get("body")?, seq)?))
}

/// The same, with what players see of it, from the column `public`.
pub(super) fn recap_entry(row: &Row) -> Result<LoggedEntry, StoreError> {
    let (seq, entry) = entry(row)?;
    Ok(LoggedEntry { seq, entry, players: serde_json::from_slice(row.try_get("public")?).ok() })
}

fn blob(row: &Row, column: &str) -> Result<Bytes, StoreError> {
    Ok(row.try_get::<Vec<u8>>(column)?.into())
}

/// The bytes of a text; SQLite holds any there.
fn text(row: &Row, column: &str) -> Result<Bytes, StoreError> {
    match row {
        Row::Sqlite(_) => blob(row, column),
        Row::Postgres(_) => Ok(row.try_get::<String>(column)?.into()),
    }
}

pub(super) fn log_row(row: &Row) -> Result<LogRow, StoreError> {
    Ok(LogRow {
        seq: row.try_get("seq")?,
        prev: blob(row, "prev")?,
        body: blob(row, "body")?,
        public: blob(row, "public")?,
        salt: blob(row, "salt")?,
        commitment: blob(row, "commitment")?,
        leaf: blob(row, "leaf")?,
        chain: blob(row, "chain")?,
        at: row.try_get("at")?,
        session: row.try_get("session")?,
        kind: text(row, "kind")?,
        visibility: text(row, "visibility")?,
        actor: text(row, "actor")?,
    })
}
