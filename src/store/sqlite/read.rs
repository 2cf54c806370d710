//! Reading the log: by position, never by OFFSET.

use bytes::Bytes;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::page;
use crate::game::decide::undo::BACK_MAX;
use crate::game::record::entry::Entry;
use crate::game::view::recap::Told;
use crate::store::record::{read_entry, read_hash};
use crate::store::{Head, Identity, LogRow, StoreError};

/// Begins to read one consistent moment; closing the connection ends it.
pub async fn begin(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    sqlx::query("begin deferred").execute(connection).await.map(drop).map_err(StoreError::from)
}

/// Every campaign, by name.
pub async fn campaigns(connection: &mut SqliteConnection) -> Result<Vec<(String, Identity)>, StoreError> {
    let rows = sqlx::query("select id, uuid, name from campaigns order by name").fetch_all(connection).await?;
    rows.iter().map(|row| Ok((row.try_get("name")?, identity(row)?))).collect()
}

/// The last entry of a campaign's log.
pub async fn head(connection: &mut SqliteConnection, campaign: i64) -> Result<Head, StoreError> {
    let row = sqlx::query("select seq, chain from log where campaign = $1 order by seq desc limit 1")
        .bind(campaign)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map_or(Ok(Head::default()), head_row)
}

/// The chain value of an entry; `None` where there is no such entry.
pub async fn chain(connection: &mut SqliteConnection, campaign: i64, seq: u64) -> Result<Option<[u8; 32]>, StoreError> {
    let rows = rows(connection, campaign, seq.saturating_sub(1), 1).await?;
    Ok(rows.into_iter().find(|row| row.seq == seq).map(|row| row.head().chain))
}

fn head_row(row: &SqliteRow) -> Result<Head, StoreError> {
    let seq = u64::try_from(row.try_get::<i64, _>("seq")?).unwrap_or(0);
    Ok(Head { seq, chain: read_hash(row.try_get("chain")?, seq)? })
}

/// Takes the write lock and reads the end of the log in one trip to the connection's thread.
pub async fn head_under_lock(connection: &mut SqliteConnection, campaign: i64) -> Result<Head, StoreError> {
    let rows = sqlx::query("begin immediate; select seq, chain from log where campaign = $1 order by seq desc limit 1")
        .bind(campaign)
        .fetch_all(connection)
        .await?;
    rows.first().map_or(Ok(Head::default()), head_row)
}

/// Bytes of the bodies and public parts of entries after `seq`.
pub async fn bytes_after(connection: &mut SqliteConnection, campaign: i64, seq: u64) -> Result<u64, StoreError> {
    let sum = "select coalesce(sum(length(body) + length(public)), 0) from log where campaign = $1 and seq > $2";
    let sum = sqlx::query_scalar(sum).bind(campaign).bind(i64::try_from(seq).unwrap_or(i64::MAX));
    let sum: i64 = sum.fetch_one(connection).await?;
    Ok(u64::try_from(sum).unwrap_or(0))
}

/// Entries after `seq`, in order, at most `limit`.
pub async fn after(
    connection: &mut SqliteConnection,
    campaign: i64,
    seq: u64,
    limit: u32,
) -> Result<Vec<(u64, Entry)>, StoreError> {
    let sql = "select seq, body from log where campaign = $1 and seq > $2 order by seq limit $3";
    entries(connection, sql, campaign, seq, limit).await
}

/// Entries that are more than dice: plain rolls are passed over in the index.
macro_rules! besides_dice {
    ($rest:literal) => {
        concat!(
            "select seq, body from log indexed by log_by_entry
             where campaign = $1 and seq > $2 and kind not in ('roll', 'roll_set') ",
            $rest
        )
    };
}

/// The last entries behind `seq` that changed something, in order, at most `limit`. Plain rolls never do, and are passed over in
/// the index; of checks only those do that spent something.
pub async fn changed(
    connection: &mut SqliteConnection,
    campaign: i64,
    seq: u64,
    limit: u32,
) -> Result<Vec<(u64, Entry)>, StoreError> {
    // Inside a text of the body a quotation mark has a backslash before it, so these bytes are the field's name.
    let sql = besides_dice!(
        "and (kind <> 'check' or instr(body, cast('\"changes\":' as blob)) > 0) order by seq desc limit $3"
    );
    entries(connection, sql, campaign, seq, limit).await
}

/// Entries after `seq` that are more than dice, in order, at most `limit`.
pub async fn besides_dice(
    connection: &mut SqliteConnection,
    campaign: i64,
    seq: u64,
    limit: u32,
) -> Result<Vec<(u64, Entry)>, StoreError> {
    entries(connection, besides_dice!("order by seq limit $3"), campaign, seq, limit).await
}

/// Entries that `rows` selects, as `seq` and `body`, for a campaign, behind an entry, up to a limit.
async fn entries(
    connection: &mut SqliteConnection,
    rows: &'static str,
    campaign: i64,
    seq: u64,
    limit: u32,
) -> Result<Vec<(u64, Entry)>, StoreError> {
    let bodies = page::bodies(connection, rows, campaign, seq, limit).await?;
    bodies.into_iter().map(|(seq, body)| Ok((seq, read_entry(&body, seq)?))).collect()
}

/// The last entries from `first` to `last` that may tell a story, and what was undone since, in order; of damage only what names
/// a death or somebody who is down, of what combatants do only that they were defeated, of clocks only that they came to their end. What players see is what was frozen when the entry was written.
pub async fn story(
    connection: &mut SqliteConnection,
    campaign: i64,
    first: u64,
    last: u64,
    limit: u32,
) -> Result<Vec<Told>, StoreError> {
    let number = |seq: u64| i64::try_from(seq).unwrap_or(i64::MAX);
    let rows = sqlx::query(
        "select seq, body, public from log indexed by log_by_entry
         where campaign = $1 and seq between $2 and $4 and kind in ('note', 'campaign_renamed', 'combat_started', 'structure_changed', 'combat_ended', 'awarded', 'level_up',
            'retired', 'damage', 'combatant', 'clock', 'undone') and (seq <= $3 or kind = 'undone')
            and (kind <> 'damage' or instr(body, cast('\"dead\"' as blob)) > 0 or instr(body, cast('\"down\"' as blob)) > 0)
            and (kind <> 'clock' or instr(body, cast('\"end\":\"' as blob)) > 0)
            and (kind <> 'combatant' or instr(body, cast('\"act\":\"defeated\"' as blob)) > 0)
         order by seq desc limit $5",
    )
    .bind(campaign)
    .bind(number(first))
    .bind(number(last))
    .bind(number(last.saturating_add(BACK_MAX)))
    .bind(limit)
    .fetch_all(connection)
    .await?;
    let told = |row: &SqliteRow| {
        let seq = u64::try_from(row.try_get::<i64, _>("seq")?).unwrap_or(0);
        let entry = read_entry(row.try_get("body")?, seq)?;
        Ok(Told { seq, entry, players: serde_json::from_slice(row.try_get("public")?).ok() })
    };
    rows.iter().rev().map(told).collect()
}

/// An entry with its dice and what players see of it, as both were frozen; `None` where there is no such entry.
pub async fn told(connection: &mut SqliteConnection, campaign: i64, seq: u64) -> Result<Option<Told>, StoreError> {
    let rows = rows(connection, campaign, seq.saturating_sub(1), 1).await?;
    let Some(row) = rows.into_iter().find(|row| row.seq == seq) else { return Ok(None) };
    let players = serde_json::from_slice(&row.public).ok();
    Ok(Some(Told { seq, entry: read_entry(&row.body, seq)?, players }))
}

/// The session that an entry belongs to; `None` where there is no such entry.
pub async fn session_of(connection: &mut SqliteConnection, campaign: i64, seq: u64) -> Result<Option<u32>, StoreError> {
    let found = sqlx::query_scalar("select session from log where campaign = $1 and seq = $2")
        .bind(campaign)
        .bind(i64::try_from(seq).unwrap_or(i64::MAX));
    Ok(found.fetch_optional(connection).await?)
}

/// Rows of the log after `seq`, hashes and all, at most `limit`.
pub async fn rows(
    connection: &mut SqliteConnection,
    campaign: i64,
    seq: u64,
    limit: u32,
) -> Result<Vec<LogRow>, StoreError> {
    let rows = sqlx::query("select * from log where campaign = $1 and seq > $2 order by seq limit $3")
        .bind(campaign)
        .bind(i64::try_from(seq).unwrap_or(i64::MAX))
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(log_row).collect()
}

/// What the database is called in checkpoints; `None` before schema 2.
pub async fn book(connection: &mut SqliteConnection) -> Result<Option<String>, StoreError> {
    match sqlx::query_scalar("select id from book").fetch_optional(connection).await {
        Err(error) if error.to_string().contains("no such table") => Ok(None),
        book => Ok(book?),
    }
}

fn identity(row: &SqliteRow) -> Result<Identity, StoreError> {
    Ok(Identity { key: row.try_get("id")?, uuid: row.try_get("uuid")? })
}

fn blob(row: &SqliteRow, column: &str) -> Result<Bytes, StoreError> {
    Ok(row.try_get::<Vec<u8>, _>(column)?.into())
}

fn log_row(row: &SqliteRow) -> Result<LogRow, StoreError> {
    Ok(LogRow {
        seq: u64::try_from(row.try_get::<i64, _>("seq")?).unwrap_or(0),
        prev: blob(row, "prev")?,
        body: blob(row, "body")?,
        public: blob(row, "public")?,
        salt: blob(row, "salt")?,
        commitment: blob(row, "commitment")?,
        leaf: blob(row, "leaf")?,
        chain: blob(row, "chain")?,
        at: row.try_get("at")?,
        session: row.try_get("session")?,
        kind: blob(row, "kind")?,
        visibility: blob(row, "visibility")?,
        actor: blob(row, "actor")?,
    })
}
