//! What only verification reads: the schema, SQLite's own check, counts, kept answers.

use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::append;
use crate::store::{Remembered, StoreError};

/// Kept answers with their `request_id`, in its order after `request_id`, at most `limit`.
pub async fn answers(
    connection: &mut SqliteConnection,
    campaign: i64,
    request_id: &str,
    limit: u32,
) -> Result<Vec<(String, Remembered)>, StoreError> {
    let rows =
        sqlx::query("select * from requests where campaign = $1 and request_id > $2 order by request_id limit $3")
            .bind(campaign)
            .bind(request_id)
            .bind(limit)
            .fetch_all(connection)
            .await?;
    rows.iter().map(|row| Ok((row.try_get("request_id")?, append::remembered(row)?))).collect()
}

/// How many names the database has in checkpoints: one, where nobody touched it. `None` before schema 2.
pub async fn book_count(connection: &mut SqliteConnection) -> Result<Option<i64>, StoreError> {
    match sqlx::query_scalar("select count(*) from book").fetch_one(connection).await {
        Err(error) if error.to_string().contains("no such table") => Ok(None),
        count => Ok(Some(count?)),
    }
}

/// Rows of each table that belong to no campaign there is, as table and count.
pub async fn orphans(connection: &mut SqliteConnection) -> Result<Vec<(String, i64)>, StoreError> {
    // SQLite's check would read every body; the log's own key says as much.
    let sql = "select 'log' as name, count(*) as rows from log where campaign not in (select id from campaigns) having rows > 0
               union all
               select own.name, count(*) from sqlite_schema as own, pragma_foreign_key_check(own.name)
               where own.type = 'table' and own.name <> 'log' group by own.name order by 1";
    let rows = sqlx::query(sql).fetch_all(connection).await?;
    rows.iter().map(|row| Ok((row.try_get("name")?, row.try_get("rows")?))).collect()
}

/// A table, index, trigger or view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaObject {
    /// `table`, `index`, `trigger` or `view`.
    pub kind: String,
    pub name: String,
    /// The table or view it stands on; its own name for a table.
    pub table: String,
    /// `None` for the indexes SQLite makes by itself.
    pub sql: Option<String>,
}

/// The schema as it lies in the file.
pub async fn schema(connection: &mut SqliteConnection) -> Result<Vec<SchemaObject>, StoreError> {
    let rows = sqlx::query("select type, name, tbl_name, sql from sqlite_schema").fetch_all(connection).await?;
    let object = |row: &SqliteRow| {
        Ok(SchemaObject {
            kind: row.try_get("type")?,
            name: row.try_get("name")?,
            table: row.try_get("tbl_name")?,
            sql: row.try_get("sql")?,
        })
    };
    rows.iter().map(object).collect()
}

/// What SQLite's own check says, line by line; the single line `ok` when all is well.
pub async fn integrity(connection: &mut SqliteConnection) -> Result<Vec<String>, StoreError> {
    Ok(sqlx::query_scalar("pragma integrity_check(20)").fetch_all(connection).await?)
}

/// How many rows `rolls` has for a campaign.
pub async fn roll_count(connection: &mut SqliteConnection, campaign: i64) -> Result<u64, StoreError> {
    let count: i64 = sqlx::query_scalar("select count(*) from rolls where campaign = $1")
        .bind(campaign)
        .fetch_one(connection)
        .await?;
    Ok(u64::try_from(count).unwrap_or(0))
}
