//! The schema of a file: made whole in an empty one, and never run backwards.

use std::collections::BTreeMap;

use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

use crate::StoreError;
use crate::migrations::{Migrations, Steps};

pub fn steps() -> Result<Steps, StoreError> {
    Ok(Migrations::handed_down()?.sqlite)
}

/// The columns of the table of migrations.
const COLUMNS: &str = "version,description,installed_on,success,checksum,execution_time";

/// The views for people that a players' copy has, too: they read its `facts`.
pub fn shared_views() -> Result<&'static str, StoreError> {
    const SHARED: &str = "-- What follows is the same in a players' copy.";
    Ok(steps()?
        .texts()
        .find_map(|text| text.split_once(SHARED))
        .map_or("", |(_, views)| views))
}

/// The schema of the file: 0 for an empty one.
pub async fn version(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    let migrated: i64 =
        sqlx::query_scalar("select count(*) from sqlite_schema where name = '_sqlx_migrations'")
            .fetch_one(&mut *connection)
            .await?;
    if migrated == 0 {
        return Ok(0);
    }
    Ok(
        sqlx::query_scalar("select coalesce(max(version), 0) from _sqlx_migrations")
            .fetch_one(connection)
            .await?,
    )
}

/// What contradicts the file's schema: tables without a migration, or others than the program's.
pub async fn contradiction(
    connection: &mut SqliteConnection,
    found: i64,
) -> Result<Option<String>, StoreError> {
    const CHANGED: &str = "its table of migrations is not as Rollbook wrote it";
    let steps = steps()?;
    if found == 0 {
        let others = "select count(*) from sqlite_schema where tbl_name <> '_sqlx_migrations' and name not like 'sqlite_%'";
        let others: i64 = sqlx::query_scalar(others).fetch_one(connection).await?;
        return Ok(
            (others > 0).then(|| format!("{CHANGED}: it names no migration, and there are tables"))
        );
    }
    let columns = "select group_concat(name) from pragma_table_info('_sqlx_migrations')";
    let columns: Option<String> = sqlx::query_scalar(columns)
        .fetch_one(&mut *connection)
        .await?;
    if columns.as_deref() != Some(COLUMNS) {
        return Ok(Some(CHANGED.to_owned()));
    }
    // When a migration was run, and for how long, differs: only the form is known.
    let rows = "select version, description, success, checksum,
            installed_on is strftime('%Y-%m-%d %H:%M:%S', installed_on)
                and typeof(execution_time) = 'integer' and execution_time >= -1
        from _sqlx_migrations where version <= $1 order by version";
    let rows = sqlx::query_as(rows)
        .bind(steps.current())
        .fetch_all(connection)
        .await;
    let rows: Vec<(i64, String, bool, Vec<u8>, bool)> = match rows {
        Ok(rows) => rows,
        Err(error @ (sqlx::Error::ColumnDecode { .. } | sqlx::Error::ColumnNotFound(_))) => {
            return Ok(Some(format!("{CHANGED}: {error}")));
        }
        Err(error) => return Err(error.into()),
    };
    let written = steps.each().map(|known| {
        (
            known.version,
            known.description.into_owned(),
            true,
            known.checksum.into_owned(),
            true,
        )
    });
    Ok((!written.eq(rows))
        .then(|| format!("{CHANGED}, or it is the schema of an unreleased version")))
}

/// A table, index, trigger or view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaObject {
    /// `table`, `index`, `trigger` or `view`.
    pub kind: String,
    /// The table or view it belongs to; for a table itself.
    pub table: String,
    /// `None` for the indexes SQLite makes by itself.
    pub sql: Option<String>,
}

/// What a schema holds, by name.
pub type Schema = BTreeMap<String, SchemaObject>;

/// The schema as it is in the file.
pub async fn schema(connection: &mut SqliteConnection) -> Result<Schema, StoreError> {
    let rows: Vec<(String, String, String, Option<String>)> =
        sqlx::query_as("select name, type, tbl_name, sql from sqlite_schema")
            .fetch_all(connection)
            .await?;
    Ok(rows
        .into_iter()
        .map(|(name, kind, table, sql)| (name, SchemaObject { kind, table, sql }))
        .collect())
}

/// The schema that an empty file gets.
pub async fn expected() -> Result<Schema, StoreError> {
    let mut connection = SqliteConnectOptions::new()
        .in_memory(true)
        .connect()
        .await?;
    make(&mut connection).await?;
    let made = schema(&mut connection).await;
    connection.close().await?;
    made
}

/// Makes every table in a file that has none, in one transaction.
pub async fn make(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut whole = connection.begin().await?;
    let made = Migrator::with_migrations(steps()?.each().collect())
        .run_direct(None, &mut *whole, false)
        .await;
    made.map_err(|error| StoreError::Io(format!("the schema could not be made: {error}")))?;
    whole.commit().await.map_err(StoreError::from)
}

pub async fn count(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar("select count(*) from log")
        .fetch_one(connection)
        .await?)
}

/// A campaign with an entry.
#[cfg(test)]
pub const ONE_ENTRY: &str = "
    insert into campaigns (id, uuid, name, adventure, rules_hash, created_at)
    values (1, '019aa0b2-0000-7000-8000-000000000009', 'a', 'a', '', 0);
    insert into log (campaign, seq, prev, body, public, salt, commitment, leaf, chain, at, session, kind, visibility, actor)
    values (1, 1, zeroblob(32), x'7b7d', x'7b7d', zeroblob(32), zeroblob(32), zeroblob(32), zeroblob(32), 0, 0, 'roll', 'public', 'gm')";
