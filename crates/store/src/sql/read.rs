//! Reading the log: by position, never by OFFSET.

use sqlx::AssertSqlSafe;

use super::connection::{Column, Connection, Row, query};
use super::page::{Columns, number};
use crate::chain::SeenHead;
use crate::record::{CampaignSummary, read_entry, read_hash};
use crate::{Head, Identity, LogRow, StoreError};
use rollbook_game::decide::undo::BACK_MAX;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{Event, SessionEnded};
use rollbook_game::view::recap::LoggedEntry;

/// Openings that are read at a time.
const OPENED: u32 = 16;

const ENTRIES: Columns<1, 1> = Columns(["seq"], ["body"]);

impl Connection {
    /// Begins to read one consistent moment; closing the connection ends it.
    pub async fn begin_read(&mut self) -> Result<(), StoreError> {
        let begin = self.pick(
            "begin deferred",
            "begin isolation level repeatable read read only",
        );
        Ok(query(begin).execute(self).await?)
    }

    /// Ends it, for a connection that reads on.
    pub async fn end_read(&mut self) -> Result<(), StoreError> {
        Ok(query("commit").execute(self).await?)
    }

    /// Every campaign, by name.
    pub async fn campaigns(&mut self) -> Result<Vec<(String, Identity)>, StoreError> {
        let rows = query("select id, uuid, name from campaigns order by name")
            .fetch_all(self)
            .await?;
        let named = |row: &Row| {
            Ok((
                row.try_get("name")?,
                Identity {
                    key: row.try_get("id")?,
                    uuid: row.try_get("uuid")?,
                },
            ))
        };
        rows.iter().map(named).collect()
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
        let summary = |row: &Row| {
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
        };
        query(sql)
            .fetch_all(self)
            .await?
            .iter()
            .map(summary)
            .collect()
    }

    /// The UUID of the campaign with that key.
    pub async fn uuid(&mut self, campaign: i64) -> Result<Option<String>, StoreError> {
        let uuid = query("select uuid from campaigns where id = $1").bind(campaign);
        Ok(uuid.fetch_value(self, "uuid").await?)
    }

    /// Whether the log of the campaign with that key goes on in another.
    pub async fn is_continued(&mut self, campaign: i64) -> Result<bool, StoreError> {
        let by = query("select continued_by from campaigns where id = $1").bind(campaign);
        Ok(by
            .fetch_value::<Option<String>>(self, "continued_by")
            .await?
            .flatten()
            .is_some())
    }

    /// The campaign in which a closed log goes on, over all logs between; `None` if it is not here.
    pub async fn continuation(&mut self, continued_by: &str) -> Result<Option<String>, StoreError> {
        let rows = query("select uuid, name, continued_by from campaigns")
            .fetch_all(self)
            .await?;
        let mut later = std::collections::HashMap::new();
        for row in &rows {
            let after = (row.try_get("name")?, row.try_get("continued_by")?);
            later.insert(row.try_get::<String>("uuid")?, after);
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
        self.of_book("id").await
    }

    /// What a statement says of the table of that name: one row, where it was not changed.
    pub(crate) async fn of_book<T: for<'r> Column<'r>>(
        &mut self,
        what: &str,
    ) -> Result<Option<T>, StoreError> {
        let sql = AssertSqlSafe(format!("select {what} as what from book"));
        match query(sql).fetch_value(self, "what").await {
            Err(error) if error.to_string().contains("no such table") => Ok(None),
            found => Ok(found?),
        }
    }

    /// The last entry of a campaign's log; [`Head::default`] for a key without entries.
    pub async fn head(&mut self, campaign: i64) -> Result<Head, StoreError> {
        let head =
            query("select seq, chain from log where campaign = $1 order by seq desc limit 1")
                .bind(campaign);
        head.fetch_optional(self)
            .await?
            .as_ref()
            .map_or(Ok(Head::default()), head_row)
    }

    /// Begins to write to SQLite, and reads the last entry of a campaign's log and the version of
    /// the file, which another connection's write changes, in one trip to its thread.
    pub(crate) async fn begin_immediate(
        &mut self,
        campaign: i64,
    ) -> Result<(i64, Head), StoreError> {
        let sql = "begin immediate; select data_version, seq, chain from pragma_data_version
            left join (select seq, chain from log where campaign = $1 order by seq desc limit 1) on true";
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
        let sum = "select coalesce(sum(length(body) + length(public)), 0) as bytes from log where campaign = $1 and seq > $2";
        let sum = query(sum).bind(campaign).bind(seq);
        Ok(sum.fetch_one(self).await?.try_get("bytes")?)
    }

    /// Entries after `seq`, in order, at most `limit`.
    pub async fn after(
        &mut self,
        campaign: i64,
        seq: u64,
        limit: u32,
    ) -> Result<Vec<(u64, Entry)>, StoreError> {
        self.entries("log", "true order by seq", campaign, seq, limit)
            .await
    }

    /// The last entries after `seq` that changed something, in order, at most `limit`; no rolls.
    pub async fn changed(
        &mut self,
        campaign: i64,
        seq: u64,
        limit: u32,
    ) -> Result<Vec<(u64, Entry)>, StoreError> {
        // In a text of the body a quotation mark follows a backslash, so this is the field.
        let changes = self.body_holds("\"changes\":");
        let wanted = format!(
            "kind not in ('roll', 'roll_set') and (kind <> 'check' or {changes}) order by seq desc"
        );
        self.entries(self.log_by_entry(), &wanted, campaign, seq, limit)
            .await
    }

    /// Entries after `seq` that are more than plain rolls, in order, at most `limit`; by the index.
    pub async fn besides_dice(
        &mut self,
        campaign: i64,
        seq: u64,
        limit: u32,
    ) -> Result<Vec<(u64, Entry)>, StoreError> {
        let wanted = "kind not in ('roll', 'roll_set') order by seq";
        self.entries(self.log_by_entry(), wanted, campaign, seq, limit)
            .await
    }

    /// The entry that opened a hidden one; found in the index.
    pub async fn opened_by(
        &mut self,
        campaign: i64,
        entry: u64,
    ) -> Result<Option<u64>, StoreError> {
        let opens = |opening: &Entry| matches!(&opening.event, Event::Revealed(event) if event.entry == entry);
        let mut after = entry;
        loop {
            let wanted = "kind = 'revealed' order by seq";
            let page = self
                .entries(self.log_by_entry(), wanted, campaign, after, OPENED)
                .await?;
            let Some((last, _)) = page.last() else {
                return Ok(None);
            };
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
        Ok(query(sql)
            .bind(campaign)
            .bind(entry)
            .fetch_value::<i64>(self, "undone")
            .await?
            == Some(1))
    }

    /// The last entries that are each for one player alone, the latest first.
    pub async fn private(
        &mut self,
        campaign: i64,
        limit: u32,
    ) -> Result<Vec<LoggedEntry>, StoreError> {
        let is_private = self.pick(
            "json_extract(cast(body as text), '$.reader') is not null",
            "(entry_json(body) #>> '{reader}') is not null",
        );
        let sql = format!(
            "select seq, body, public from log where campaign = $1 and visibility = 'gm' and {is_private} order by seq desc limit +$2"
        );
        let rows = query(AssertSqlSafe(sql)).bind(campaign).bind(limit);
        rows.fetch_all(self)
            .await?
            .iter()
            .map(recap_entry)
            .collect()
    }

    /// The undos of a campaign's calls from the one on that begins with `first`, in the order of
    /// the log: all that can be of its entries, or of later ones.
    pub async fn undos(
        &mut self,
        campaign: i64,
        first: u64,
    ) -> Result<Vec<LoggedEntry>, StoreError> {
        let undone = self.pick(
            "json_extract(cast(body as text), '$.event.entry')",
            "(entry_json(body) #>> '{event,entry}')::bigint",
        );
        let sql = format!(
            "select seq, body, public from log where campaign = $1 and kind = 'undone' and {undone} >= $2 order by seq"
        );
        let undos = query(AssertSqlSafe(sql)).bind(campaign).bind(first);
        let rows = undos.fetch_all(self).await?;
        rows.iter().map(recap_entry).collect()
    }

    /// The last entry that says by which rules is played; since the session before a named one.
    pub async fn rules_loaded(
        &mut self,
        campaign: i64,
        session: Option<u32>,
    ) -> Result<Option<(u64, Entry)>, StoreError> {
        let log = if session.is_some() {
            self.pick("log indexed by log_by_session", "log")
        } else {
            self.log_by_entry()
        };
        let since = session.map_or(String::new(), |session| {
            format!("and session >= {session} - 1")
        });
        let wanted = format!("kind = 'rules_loaded' {since} order by seq desc");
        Ok(self.entries(log, &wanted, campaign, 0, 1).await?.pop())
    }

    /// The last end of a session: its entry, and what players had seen; `None` where none says so.
    pub async fn seen_before(
        &mut self,
        campaign: i64,
    ) -> Result<Option<(u64, SeenHead)>, StoreError> {
        let wanted = "kind = 'session_ended' order by seq desc";
        let ended = self
            .entries(self.log_by_entry(), wanted, campaign, 0, 1)
            .await?;
        Ok(ended.first().and_then(|(seq, entry)| match &entry.event {
            Event::SessionEnded(SessionEnded {
                seen: Some(seen), ..
            }) => Some((*seq, SeenHead::of(seen)?)),
            _ => None,
        }))
    }

    /// The wanted entries of a campaign after one of them, up to a limit, in order.
    async fn entries(
        &mut self,
        log: &str,
        wanted: &str,
        campaign: i64,
        after: u64,
        limit: u32,
    ) -> Result<Vec<(u64, Entry)>, StoreError> {
        let sql = format!(
            "select seq, body from {log} where campaign = $1 and seq > $2 and {wanted} limit +$3"
        );
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let rows = ENTRIES
            .read(self, &sql, [campaign, after, limit.into()])
            .await?;
        let read = |([seq], [body]): ([i64; 1], [Option<&[u8]>; 1])| {
            let seq = number(seq);
            Ok((seq, read_entry(body.unwrap_or_default(), seq)?))
        };
        let mut entries = rows
            .cells(&ENTRIES)?
            .into_iter()
            .map(read)
            .collect::<Result<Vec<_>, StoreError>>()?;
        entries.sort_by_key(|(seq, _)| *seq);
        Ok(entries)
    }

    /// The last entries from `first` to `last` that may tell a story
    /// ([`rollbook_game::view::recap`]), and what was undone of them since, in order, at most
    /// `limit`; what players see of each was frozen when it was written.
    pub async fn story(
        &mut self,
        campaign: i64,
        first: u64,
        last: u64,
        limit: u32,
    ) -> Result<Vec<LoggedEntry>, StoreError> {
        let log = self.log_by_entry();
        let [dead, down, end, defeated, awarded] = [
            "\"dead\"",
            "\"down\"",
            "\"end\":\"",
            "\"act\":\"defeated\"",
            "\"awarded\":true",
        ]
        .map(|what| self.body_holds(what));
        let sql = format!(
            "select seq, body, public from {log}
             where campaign = $1 and seq between $2 and $4 and kind in ('note', 'campaign_renamed', 'combat_started',
                'structure_changed', 'combat_ended', 'awarded', 'level_up', 'retired', 'damage', 'combatant', 'clock', 'time', 'revealed', 'undone',
                'items', 'effects', 'character_updated')
                and (seq <= $3 or kind = 'undone') and (kind <> 'damage' or {dead} or {down}) and (kind <> 'clock' or {end})
                and (kind not in ('effects', 'character_updated') or {dead}) and (kind <> 'combatant' or {defeated}) and (kind <> 'items' or {awarded})
             order by seq desc limit +$5"
        );
        let undone_until = last.saturating_add(BACK_MAX);
        let story = query(AssertSqlSafe(sql))
            .bind(campaign)
            .bind(first)
            .bind(last);
        let rows = story.bind(undone_until).bind(limit).fetch_all(self).await?;
        rows.iter().rev().map(recap_entry).collect()
    }

    /// An entry with its dice and what players see of it, as frozen; `None` where there is none.
    pub async fn logged(
        &mut self,
        campaign: i64,
        seq: u64,
    ) -> Result<Option<LoggedEntry>, StoreError> {
        let row = query("select seq, body, public from log where campaign = $1 and seq = $2")
            .bind(campaign)
            .bind(seq);
        row.fetch_optional(self)
            .await?
            .as_ref()
            .map(recap_entry)
            .transpose()
    }

    /// First and last entry of a session, since a moment (microseconds since 1970), or of both.
    pub async fn span(
        &mut self,
        campaign: i64,
        session: Option<u32>,
        since: Option<i64>,
    ) -> Result<Option<(u64, u64)>, StoreError> {
        let sql = "select min(case when at >= $3 then seq end) as first, max(seq) as last from log
             where campaign = $1 and (session = $2 or $2 < 0)";
        let row = query(sql)
            .bind(campaign)
            .bind(session.map_or(-1, i64::from))
            .bind(since.unwrap_or(i64::MIN));
        let row = row.fetch_one(self).await?;
        Ok(row
            .try_get::<Option<u64>>("first")?
            .zip(row.try_get("last")?))
    }

    /// The log with its index by number and kind, which SQLite would not choose by itself.
    fn log_by_entry(&self) -> &'static str {
        self.pick("log indexed by log_by_entry", "log")
    }

    /// Whether the body of an entry has these bytes in it.
    fn body_holds(&self, what: &'static str) -> String {
        let of_file = format!("instr(body, cast('{what}' as blob)) > 0");
        self.pick(
            of_file,
            format!("position(convert_to('{what}', 'UTF8') in body) > 0"),
        )
    }
}

fn head_row(row: &Row) -> Result<Head, StoreError> {
    let seq = row.try_get("seq")?;
    Ok(Head {
        seq,
        chain: read_hash(row.try_get("chain")?, seq)?,
    })
}

/// The columns `seq`, `body` and `public` as an entry and what players see of it.
pub(super) fn recap_entry(row: &Row) -> Result<LoggedEntry, StoreError> {
    let seq = row.try_get("seq")?;
    let entry = read_entry(row.try_get("body")?, seq)?;
    Ok(LoggedEntry {
        seq,
        entry,
        players: serde_json::from_slice(row.try_get("public")?).ok(),
    })
}
