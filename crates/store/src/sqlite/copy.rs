//! Copies of the database, whole or of one campaign. Each is written to a file that no other
//! process has open, and that the caller removes when it fails.

use std::path::{Path, PathBuf};

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions};

use super::backups::{self, Series};
use super::connection::{close, is_kept_from_writing};
use super::migrate;
use super::owner::connect_read_only;
use crate::draft::give_to_owner_of;
use crate::sql::connection::Connection;
use crate::{Head, StoreError};

/// Everything by `vacuum into` an empty file.
pub async fn all(connection: &mut SqliteConnection, out: &Path) -> Result<(), StoreError> {
    Ok(sqlx::query("vacuum into $1")
        .bind(utf8(out)?)
        .execute(connection)
        .await
        .map(drop)?)
}

fn utf8(path: &Path) -> Result<&str, StoreError> {
    path.to_str()
        .ok_or_else(|| StoreError::Io(format!("{} is no UTF-8 path", path.display())))
}

/// The same of a database that is opened for it.
pub async fn all_of(database: &Path, out: &Path) -> Result<(), StoreError> {
    let mut connection = connect_read_only(database).await?;
    let copied = all(&mut connection, out).await;
    close(connection).await?;
    copied
}

/// Makes a backup, unless one is not an hour old or nothing is to be kept; answers where it lies.
pub async fn back_up(database: &Path, now: i64) -> Result<Option<PathBuf>, StoreError> {
    let series = Series::of_file(database);
    let Some(out) = series.next(now) else {
        return Ok(None);
    };
    let mut connection = connect_read_only(database).await?;
    if migrate::count(&mut connection).await? == 0 {
        return close(connection).await.map(|()| None);
    }
    let copied = match backups::begun(&out) {
        Ok(draft) => all(&mut connection, draft.path()).await.map(|()| draft),
        Err(error) => Err(error),
    };
    close(connection).await?;
    series.keep(copied?).await?;
    [out.parent(), Some(&*out)]
        .into_iter()
        .flatten()
        .for_each(|made| give_to_owner_of(database, made));
    Ok(Some(out))
}

/// One campaign in an empty file, as a book of its own; the log's end there, and its entries.
pub async fn campaign(
    database: &Path,
    campaign: i64,
    out: &Path,
) -> Result<(Head, u64), StoreError> {
    let mut connection = empty(out).await?;
    migrate::make(&mut connection).await?;
    attach(&mut connection, database).await?;
    sqlx::query("begin").execute(&mut connection).await?;
    let tables: Vec<(String, String, String)> = sqlx::query_as(
        "select ours.name, group_concat(col.name), iif(ours.name = 'campaigns', 'id', 'campaign')
         from main.sqlite_schema as ours, pragma_table_info(ours.name, 'main') as col
         where ours.type = 'table' and (ours.name = 'campaigns' or exists
            (select 1 from pragma_table_info(ours.name, 'main') as key where key.name = 'campaign'))
         group by ours.name order by ours.name <> 'campaigns'",
    )
    .fetch_all(&mut connection)
    .await?;
    // Verifying compares each link; the trigger would look up the last for every entry.
    let trigger = "select sql from main.sqlite_schema where type = 'trigger' and name = 'log_grows_by_one_link'";
    let trigger: String = sqlx::query_scalar(trigger)
        .fetch_one(&mut connection)
        .await?;
    sqlx::query("drop trigger main.log_grows_by_one_link")
        .execute(&mut connection)
        .await?;
    for (table, columns, key) in tables {
        // Entries that follow each other lie beside each other.
        let order = if table == "log" { " order by seq" } else { "" };
        // Names of our own schema, not of the source's.
        let sql = format!(
            "insert into main.{table} ({columns}) select {columns} from source.{table} where {key} = $1{order}"
        );
        sqlx::query(AssertSqlSafe(sql))
            .bind(campaign)
            .execute(&mut connection)
            .await?;
    }
    sqlx::query(AssertSqlSafe(trigger))
        .execute(&mut connection)
        .await?;
    sqlx::query("commit").execute(&mut connection).await?;
    // The source's schema comes second, so this is the copy's own log.
    let many = "select count(*) from log where campaign = $1";
    let entries: i64 = sqlx::query_scalar(many)
        .bind(campaign)
        .fetch_one(&mut connection)
        .await?;
    let mut connection = Connection::Sqlite(connection);
    let head = connection.head(campaign).await?;
    connection.close().await?;
    Ok((head, u64::try_from(entries).unwrap_or(0)))
}

/// Attaches the database to be read; as unchanging where SQLite may not make files beside it.
async fn attach(connection: &mut SqliteConnection, database: &Path) -> Result<(), StoreError> {
    let uri = read_only_uri(database)?;
    match attached(connection, &uri).await {
        Err(error) if is_kept_from_writing(database, &error) => {
            // It may not be attached at all.
            let _ = sqlx::query("detach source").execute(&mut *connection).await;
            Ok(attached(connection, &(uri + "&immutable=1")).await?)
        }
        attached => Ok(attached?),
    }
}

async fn attached(connection: &mut SqliteConnection, uri: &str) -> Result<(), sqlx::Error> {
    sqlx::query("attach $1 as source")
        .bind(uri)
        .execute(&mut *connection)
        .await?;
    sqlx::query("select 1 from source.sqlite_schema limit 1")
        .execute(connection)
        .await
        .map(drop)
}

/// Opens an empty file to be filled in one go, with rows that belong together already.
pub async fn empty(out: &Path) -> Result<SqliteConnection, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(out)
        .foreign_keys(false);
    Ok(options
        .journal_mode(SqliteJournalMode::Memory)
        .synchronous(SqliteSynchronous::Off)
        .connect()
        .await?)
}

/// The database as SQLite attaches it without a right to change it.
pub fn read_only_uri(database: &Path) -> Result<String, StoreError> {
    let path = utf8(database)?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte);
    let uri = path.bytes().map(|byte| {
        if plain(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02x}")
        }
    });
    Ok(format!("file:{}?mode=ro", uri.collect::<String>()))
}
