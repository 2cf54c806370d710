//! Copies of the database: for the GM whole or one campaign of it, and for players a file of its own shape. Each is written
//! to a file nobody else has open, which the caller throws away when it fails.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use super::migrate;
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

/// A whole copy by `vacuum into` an empty file.
pub async fn whole(database: &Path, out: &Path) -> Result<(), StoreError> {
    let mut connection = super::connect_read_only(database).await?;
    let path = out.to_str().ok_or_else(|| StoreError::Io(format!("{} is no UTF-8 path", out.display())))?;
    sqlx::query("vacuum into $1").bind(path).execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}

/// A database with one campaign only, in an empty file: a book of its own, with the same log.
pub async fn one(database: &Path, campaign: i64, out: &Path) -> Result<(), StoreError> {
    let mut connection = empty(out).await?;
    migrate::make(&mut connection).await?;
    sqlx::query("attach $1 as source").bind(read_only_uri(database)?).execute(&mut connection).await?;
    sqlx::query("begin").execute(&mut connection).await?;
    // Of every table of ours the columns that the source has too: it may be of an older schema.
    let tables: Vec<(String, String, String)> = sqlx::query_as(
        "select ours.name, group_concat(col.name), iif(ours.name = 'campaigns', 'id', 'campaign')
         from main.sqlite_schema as ours, pragma_table_info(ours.name, 'main') as col
         where ours.type = 'table' and (ours.name = 'campaigns' or exists
                (select 1 from pragma_table_info(ours.name, 'main') as key where key.name = 'campaign'))
            and col.name in (select name from pragma_table_info(ours.name, 'source'))
         group by ours.name order by ours.name <> 'campaigns'",
    )
    .fetch_all(&mut connection)
    .await?;
    for (table, columns, key) in tables {
        // The log's trigger takes its entries in their order only.
        let order = if table == "log" { " order by seq" } else { "" };
        // Names of our own schema, not of the source's.
        let sql = format!(
            "insert into main.{table} ({columns}) select {columns} from source.{table} where {key} = $1{order}"
        );
        sqlx::query(AssertSqlSafe(sql)).bind(campaign).execute(&mut connection).await?;
    }
    sqlx::query("commit").execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}

/// Opens an empty file to be filled in one go.
async fn empty(out: &Path) -> Result<SqliteConnection, StoreError> {
    let options = SqliteConnectOptions::new().filename(out).foreign_keys(true);
    Ok(options.journal_mode(SqliteJournalMode::Memory).synchronous(SqliteSynchronous::Off).connect().await?)
}

/// The database as SQLite attaches it without a right to change it.
fn read_only_uri(database: &Path) -> Result<String, StoreError> {
    let path = database.to_str().ok_or_else(|| StoreError::Io(format!("{} is no UTF-8 path", database.display())))?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte);
    let encoded =
        path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02x}") });
    Ok(format!("file:{}?mode=ro", encoded.collect::<String>()))
}

/// The players' file, being written.
pub struct Players {
    connection: SqliteConnection,
}

impl Players {
    /// Begins it in an empty file.
    pub async fn make(out: &Path, campaign: &str, uuid: &str) -> Result<Self, StoreError> {
        let mut connection = empty(out).await?;
        sqlx::raw_sql(PLAYERS_SCHEMA).execute(&mut connection).await?;
        sqlx::query("begin").execute(&mut connection).await?;
        sqlx::query("insert into campaign (name, uuid) values ($1, $2)")
            .bind(campaign)
            .bind(uuid)
            .execute(&mut connection)
            .await?;
        Ok(Players { connection })
    }

    /// Adds the next entry.
    pub async fn add(&mut self, row: &PlayersRow) -> Result<(), StoreError> {
        entry(&mut self.connection, row).await?;
        proof(&mut self.connection, row).await
    }

    /// Makes it whole.
    pub async fn finish(mut self) -> Result<(), StoreError> {
        sqlx::query("commit").execute(&mut self.connection).await?;
        self.connection.close().await?;
        Ok(())
    }
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
