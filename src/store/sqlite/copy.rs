//! Copies of the database: whole for the GM, and for players a file of its own shape.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

use crate::game::instant::iso;
use crate::game::visibility::Seen;
use crate::store::{LogRow, StoreError};

/// The players' file. `proof` holds what re-computes the chain; everything else numbers only what players see.
const PLAYERS_SCHEMA: &str = "
create table campaign (name text not null, uuid text not null) strict;
create table entries (
    n integer primary key, time text not null, session integer not null, kind text not null, actor text, text text not null,
    outcome text, label text, visibility text not null, rule text
) strict;
create table rolls (
    n integer not null references entries (n), id text not null, expression text not null, individual_rolls text not null,
    total integer not null, explanation text not null, requested_by text not null, source text not null
) strict;
create table proof (
    seq integer primary key, public blob not null, commitment blob not null, chain blob not null, salt blob, body blob
) strict;
";

/// One entry of the players' file.
pub struct PlayersRow {
    pub n: Option<u64>,
    pub seen: Option<Seen>,
    pub salt: Option<Vec<u8>>,
    pub body: Option<Vec<u8>>,
    pub row: LogRow,
}

/// A whole copy by `vacuum into`, private to its owner.
pub async fn whole(database: &Path, out: &Path) -> Result<(), StoreError> {
    let mut connection = super::connect_read_only(database).await?;
    let path = out.to_str().ok_or_else(|| StoreError::Io(format!("{} is no UTF-8 path", out.display())))?;
    sqlx::query("vacuum into $1").bind(path).execute(&mut connection).await?;
    connection.close().await?;
    super::open::private(out)
}

/// The players' file; `out` is an empty file that was just made.
pub async fn players(out: &Path, campaign: &str, uuid: &str, rows: &[PlayersRow]) -> Result<(), StoreError> {
    let mut connection = SqliteConnectOptions::new().filename(out).foreign_keys(true).connect().await?;
    sqlx::raw_sql(PLAYERS_SCHEMA).execute(&mut connection).await?;
    sqlx::query("begin").execute(&mut connection).await?;
    sqlx::query("insert into campaign (name, uuid) values ($1, $2)")
        .bind(campaign)
        .bind(uuid)
        .execute(&mut connection)
        .await?;
    for row in rows {
        entry(&mut connection, row).await?;
        proof(&mut connection, row).await?;
    }
    sqlx::query("commit").execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}

async fn entry(connection: &mut SqliteConnection, row: &PlayersRow) -> Result<(), StoreError> {
    let (Some(n), Some(seen)) = (row.n, &row.seen) else { return Ok(()) };
    let n = i64::try_from(n).unwrap_or(i64::MAX);
    sqlx::query(
        "insert into entries (n, time, session, kind, actor, text, outcome, label, visibility, rule)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(n)
    .bind(iso(seen.at))
    .bind(seen.session)
    .bind(&seen.kind)
    .bind(&seen.actor)
    .bind(&seen.text)
    .bind(seen.outcome.map(|outcome| outcome.as_str()))
    .bind(&seen.label)
    .bind(seen.visibility.as_str())
    .bind(&seen.rule)
    .execute(&mut *connection)
    .await?;
    for record in &seen.rolls {
        let faces = serde_json::to_string(&record.roll.faces()).unwrap_or_default();
        sqlx::query(
            "insert into rolls (n, id, expression, individual_rolls, total, explanation, requested_by, source)
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(n)
        .bind(&record.roll_id)
        .bind(&record.roll.expression)
        .bind(faces)
        .bind(record.roll.total)
        .bind(&record.roll.explanation)
        .bind(&record.by)
        .bind(&record.source)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

async fn proof(connection: &mut SqliteConnection, row: &PlayersRow) -> Result<(), StoreError> {
    sqlx::query("insert into proof (seq, public, commitment, chain, salt, body) values ($1, $2, $3, $4, $5, $6)")
        .bind(i64::try_from(row.row.seq).unwrap_or(i64::MAX))
        .bind(&row.row.public)
        .bind(&row.row.commitment)
        .bind(&row.row.chain)
        .bind(&row.salt)
        .bind(&row.body)
        .execute(connection)
        .await?;
    Ok(())
}
