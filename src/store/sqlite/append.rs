//! Writing: log rows, roll rows, answers.

use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use crate::store::record::{RollRow, read_hash, roll_rows};
use crate::store::{Remembered, Sealed, StoreError};

macro_rules! log {
    () => {
        "insert into log
        (campaign, seq, prev, body, public, salt, commitment, leaf, chain, at, session, kind, visibility, actor)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);"
    };
}

/// The parameters follow those of the row of the log.
macro_rules! roll {
    () => {
        "insert into rolls
        (campaign, seq, nth, id, time, session, expression, individual_rolls, total, explanation, context, purpose,
        visible, requested_by, source)
        values ($15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29);"
    };
}

/// What one entry writes, as few trips to the connection's thread as possible: a roll or a check is one.
struct Statements {
    log: &'static str,
    log_and_roll: &'static str,
    /// For the second and later rolls of an entry, with the log's parameters left unused.
    roll: &'static str,
}

const PLAIN: Statements = Statements { log: log!(), log_and_roll: concat!(log!(), roll!()), roll: roll!() };
const AND_COMMIT: Statements = Statements {
    log: concat!(log!(), "commit"),
    log_and_roll: concat!(log!(), roll!(), "commit"),
    roll: concat!(roll!(), "commit"),
};

type Insert<'q> = sqlx::query::Query<'q, sqlx::Sqlite, sqlx::sqlite::SqliteArguments>;

/// One row of the log, and one row of `rolls` for each roll of the entry; and the commit behind the last of them.
pub async fn entry(
    connection: &mut SqliteConnection,
    campaign: i64,
    sealed: &Sealed,
    and_commit: bool,
) -> Result<(), StoreError> {
    let rolls = roll_rows(&sealed.entry, sealed.seq, sealed.whole)?;
    let ending = if and_commit { AND_COMMIT } else { PLAIN };
    let Some((first, others)) = rolls.split_first() else {
        return run(connection, log(sqlx::query(ending.log), campaign, sealed)).await;
    };
    let begins = if others.is_empty() { &ending } else { &PLAIN };
    run(connection, roll(log(sqlx::query(begins.log_and_roll), campaign, sealed), campaign, first)).await?;
    for (nth, row) in (1..).zip(others) {
        let statement = if nth == others.len() { ending.roll } else { PLAIN.roll };
        run(connection, roll(log(sqlx::query(statement), campaign, sealed), campaign, row)).await?;
    }
    Ok(())
}

async fn run(connection: &mut SqliteConnection, insert: Insert<'_>) -> Result<(), StoreError> {
    insert.execute(connection).await.map(drop).map_err(StoreError::from)
}

fn log<'q>(insert: Insert<'q>, campaign: i64, sealed: &'q Sealed) -> Insert<'q> {
    let entry = &sealed.entry;
    insert
        .bind(campaign)
        .bind(number(sealed.seq))
        .bind(&sealed.prev[..])
        .bind(&sealed.body[..])
        .bind(&sealed.public[..])
        .bind(&sealed.salt[..])
        .bind(&sealed.commitment[..])
        .bind(&sealed.leaf[..])
        .bind(&sealed.chain[..])
        .bind(entry.at)
        .bind(entry.session)
        .bind(entry.event.kind())
        .bind(entry.visibility.as_str())
        .bind(&entry.actor)
}

fn roll<'q>(insert: Insert<'q>, campaign: i64, row: &'q RollRow<'q>) -> Insert<'q> {
    insert
        .bind(campaign)
        .bind(row.seq)
        .bind(row.nth)
        .bind(row.id)
        .bind(&*row.time)
        .bind(row.session)
        .bind(row.expression)
        .bind(&*row.individual_rolls)
        .bind(row.total)
        .bind(row.explanation)
        .bind(row.context)
        .bind(row.purpose)
        .bind(row.visible)
        .bind(row.requested_by)
        .bind(row.source)
}

/// The answer given to a request.
pub async fn recall(
    connection: &mut SqliteConnection,
    campaign: i64,
    request_id: &str,
) -> Result<Option<Remembered>, StoreError> {
    let row = sqlx::query("select * from requests where campaign = $1 and request_id = $2")
        .bind(campaign)
        .bind(request_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(remembered).transpose()
}

/// A row of `requests`.
pub fn remembered(row: &SqliteRow) -> Result<Remembered, StoreError> {
    let seq = u64::try_from(row.try_get::<i64, _>("seq")?).unwrap_or(0);
    // Schema 1 has no such column.
    let salt: Option<Vec<u8>> = row.try_get("salt").unwrap_or_default();
    Ok(Remembered {
        tool: row.try_get("tool")?,
        arguments: read_hash(row.try_get("arguments")?, seq)?,
        seq,
        reply: row.try_get("reply")?,
        salt: salt.map(|salt| read_hash(&salt, seq)).transpose()?,
    })
}

/// Keeps the answer given to a request, and commits.
pub async fn remember_and_commit(
    connection: &mut SqliteConnection,
    campaign: i64,
    request_id: &str,
    answer: &Remembered,
) -> Result<(), StoreError> {
    sqlx::query(
        "insert into requests (campaign, request_id, tool, arguments, seq, reply, salt)
         values ($1, $2, $3, $4, $5, $6, $7); commit",
    )
    .bind(campaign)
    .bind(request_id)
    .bind(&answer.tool)
    .bind(&answer.arguments[..])
    .bind(number(answer.seq))
    .bind(&answer.reply)
    .bind(answer.salt.as_ref().map(|salt| &salt[..]))
    .execute(connection)
    .await?;
    Ok(())
}

fn number(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}
