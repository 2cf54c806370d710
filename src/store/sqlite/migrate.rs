//! The schema: brought up to date under the lock, behind a verified backup, and never run backwards.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection, SqlSafeStr};

use super::inspect::{self, SchemaObject};
use crate::store::StoreError;

/// Every migration, oldest first. A file is never changed once it has been merged: its checksum is in the database.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "log and tables", include_str!("../../../migrations/sqlite/0001_log_and_tables.sql")),
    (2, "whose book", include_str!("../../../migrations/sqlite/0002_whose_book.sql")),
    (3, "whole fights", include_str!("../../../migrations/sqlite/0003_whole_fights.sql")),
    (4, "characters", include_str!("../../../migrations/sqlite/0004_characters.sql")),
    (5, "what ends a condition", include_str!("../../../migrations/sqlite/0005_until.sql")),
    (6, "entries in order", include_str!("../../../migrations/sqlite/0006_entries_in_order.sql")),
];

/// The schema this program writes.
pub const CURRENT: i64 = MIGRATIONS.len() as i64;

/// The texts of all migrations.
pub fn texts() -> impl Iterator<Item = &'static str> {
    MIGRATIONS.iter().map(|(.., sql)| *sql)
}

/// The schema of the file: 0 for an empty one.
pub async fn version(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    let migrated: i64 = sqlx::query_scalar("select count(*) from sqlite_schema where name = '_sqlx_migrations'")
        .fetch_one(&mut *connection)
        .await?;
    if migrated == 0 {
        return Ok(0);
    }
    let version =
        sqlx::query_scalar("select coalesce(max(version), 0) from _sqlx_migrations").fetch_one(connection).await?;
    Ok(version)
}

/// Brings the file to [`CURRENT`]; a file with content is backed up first. Call only with the lock held alone.
pub async fn migrate(connection: &mut SqliteConnection, path: &Path, found: i64) -> Result<(), StoreError> {
    if found == 0 {
        return make(connection).await;
    }
    back_up(connection, path, found).await?;
    run(connection, CURRENT).await
}

/// The schema that an empty file gets up to `version`.
pub async fn expected(version: i64) -> Result<Vec<SchemaObject>, StoreError> {
    let mut connection = SqliteConnectOptions::new().in_memory(true).connect().await?;
    run(&mut connection, version).await?;
    let schema = inspect::schema(&mut connection).await;
    connection.close().await?;
    schema
}

/// Makes every table in a file that has none, in one transaction.
pub async fn make(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut whole = connection.begin().await?;
    run(&mut whole, CURRENT).await?;
    whole.commit().await.map_err(StoreError::from)
}

async fn run(connection: &mut SqliteConnection, up_to: i64) -> Result<(), StoreError> {
    let migrations = MIGRATIONS.iter().filter(|(version, ..)| *version <= up_to).map(|(version, description, sql)| {
        let sql: &'static str = sql;
        Migration::new(*version, Cow::Borrowed(description), MigrationType::Simple, sql.into_sql_str(), false)
    });
    let migrator = Migrator::with_migrations(migrations.collect());
    migrator
        .run_direct(None, connection, false)
        .await
        .map_err(|error| StoreError::Io(format!("the schema could not be brought up to date: {error}")))
}

/// The newest backup beside the database, for a refusal to name.
pub fn newest_backup(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    let prefix = format!("{}.backup-", path.file_name()?.to_string_lossy());
    let files = std::fs::read_dir(folder).ok()?.flatten().map(|file| file.path());
    files.filter(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix))).max()
}

/// Copies the database with `vacuum into`, then opens the copy and checks it.
async fn back_up(connection: &mut SqliteConnection, path: &Path, found: i64) -> Result<(), StoreError> {
    let entries: i64 = sqlx::query_scalar("select count(*) from log").fetch_one(&mut *connection).await?;
    let backup = super::owner::beside_it(path, &format!(".backup-schema{found:04}-entries{entries:012}"));
    if !backup.exists() {
        sqlx::query("vacuum into $1").bind(backup.to_string_lossy().into_owned()).execute(&mut *connection).await?;
        super::open::private(&backup)?;
    }
    let mut copy = super::open::connect_read_only(&backup).await?;
    let copied: i64 = sqlx::query_scalar("select count(*) from log").fetch_one(&mut copy).await?;
    let sound: String = sqlx::query_scalar("pragma quick_check(1)").fetch_one(&mut copy).await?;
    copy.close().await?;
    if sound != "ok" || copied != entries {
        return Err(StoreError::Io(format!(
            "the backup {} is not sound ({sound}); nothing was migrated",
            backup.display()
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{ConnectOptions, Connection};

    use super::{CURRENT, newest_backup, run, version};
    use crate::store::Store;
    use crate::store::sqlite::open;

    #[tokio::test]
    async fn a_file_with_content_is_backed_up_before_it_is_migrated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaigns.db");
        let options = SqliteConnectOptions::new().filename(&path).create_if_missing(true);
        let mut first = options.connect().await.unwrap();
        run(&mut first, 1).await.unwrap();
        first.close().await.unwrap();
        let mut store = open(&path).await.unwrap();
        assert_eq!(version(&mut store.connection).await.unwrap(), CURRENT);
        assert!(store.book().await.unwrap().is_some());
        store.close().await.unwrap();
        let backup = newest_backup(&path).unwrap();
        let mut copy = super::super::connect_read_only(&backup).await.unwrap();
        assert_eq!(version(&mut copy).await.unwrap(), 1);
    }
}
