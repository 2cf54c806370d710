//! The schema: brought up to date under the lock, behind a verified backup, and never run backwards.

use std::borrow::Cow;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow};
use sqlx::{ConnectOptions, Connection, Row, SqlSafeStr};

use crate::store::StoreError;

/// Every migration, oldest first. A file is never changed once it has been merged: its checksum is in the database.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "log and tables", include_str!("../../../migrations/sqlite/0001_log_and_tables.sql")),
    (2, "whose book", include_str!("../../../migrations/sqlite/0002_whose_book.sql")),
    (3, "whole fights", include_str!("../../../migrations/sqlite/0003_whole_fights.sql")),
    (4, "characters", include_str!("../../../migrations/sqlite/0004_characters.sql")),
    (5, "what ends a condition", include_str!("../../../migrations/sqlite/0005_until.sql")),
    (6, "entries in order", include_str!("../../../migrations/sqlite/0006_entries_in_order.sql")),
    (7, "attacks", include_str!("../../../migrations/sqlite/0007_attacks.sql")),
    (8, "notes", include_str!("../../../migrations/sqlite/0008_notes.sql")),
    (9, "one initiative a kind", include_str!("../../../migrations/sqlite/0009_by_kind.sql")),
    (10, "turns or none", include_str!("../../../migrations/sqlite/0010_structure.sql")),
    (11, "clocks", include_str!("../../../migrations/sqlite/0011_clocks.sql")),
    (12, "an interrupted turn", include_str!("../../../migrations/sqlite/0012_interrupted.sql")),
    (13, "keys", include_str!("../../../migrations/sqlite/0013_keys.sql")),
    (14, "for people", FOR_PEOPLE),
    (15, "dictionary", FIRST_DICTIONARY),
    (16, "search", include_str!("../../../migrations/sqlite/0016_search.sql")),
    (17, "archive", include_str!("../../../migrations/sqlite/0017_archive.sql")),
    (18, "time and hidden effects", TIME),
    (19, "story", STORY),
    (20, "dictionary", SECOND_DICTIONARY),
    (21, "what was rolled", ROLLED),
    (22, "dictionary", THIRD_DICTIONARY),
    (23, "what came of damage", CAME),
    (24, "dictionary", DICTIONARY),
    (25, "decks", include_str!("../../../migrations/sqlite/0025_decks.sql")),
];

const FOR_PEOPLE: &str = include_str!("../../../migrations/sqlite/0014_for_people.sql");
const TIME: &str = include_str!("../../../migrations/sqlite/0018_time_and_hidden_effects.sql");
const STORY: &str = include_str!("../../../migrations/sqlite/0019_story.sql");
const FIRST_DICTIONARY: &str = include_str!("../../../migrations/dictionary.sql");
const SECOND_DICTIONARY: &str = include_str!("../../../migrations/dictionary_2.sql");
const ROLLED: &str = include_str!("../../../migrations/sqlite/0021_what_was_rolled.sql");
const THIRD_DICTIONARY: &str = include_str!("../../../migrations/dictionary_3.sql");
const CAME: &str = include_str!("../../../migrations/sqlite/0023_what_came_of_damage.sql");
pub const DICTIONARY: &str = include_str!("../../../migrations/dictionary_4.sql");

/// The schema this program writes.
pub const CURRENT: i64 = MIGRATIONS.len() as i64;

/// The columns of the table of migrations.
const COLUMNS: &str = "version,description,installed_on,success,checksum,execution_time";

/// The views for people that a players' copy has, too: they read its `facts`.
pub fn shared_views() -> [&'static str; 7] {
    const SHARED: &str = "-- What follows is the same in a players' copy.";
    let shared = |sql: &'static str| sql.split_once(SHARED).map_or("", |(_, views)| views);
    [shared(FOR_PEOPLE), FIRST_DICTIONARY, shared(TIME), shared(STORY), shared(ROLLED), shared(CAME), DICTIONARY]
}

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

/// What contradicts that the file has this schema: its table of migrations is not as the program writes it, or its tables are
/// not those of that schema. Of the current one only the table of migrations is compared, which costs two short queries.
pub async fn contradiction(connection: &mut SqliteConnection, found: i64) -> Result<Option<String>, StoreError> {
    const CHANGED: &str = "its table of migrations is not as Rollbook wrote it";
    if found == 0 {
        let others =
            "select count(*) from sqlite_schema where tbl_name <> '_sqlx_migrations' and name not like 'sqlite_%'";
        let others: i64 = sqlx::query_scalar(others).fetch_one(connection).await?;
        return Ok((others > 0).then(|| format!("{CHANGED}: it names no migration, and there are tables")));
    }
    let columns = "select group_concat(name) from pragma_table_info('_sqlx_migrations')";
    let columns: Option<String> = sqlx::query_scalar(columns).fetch_one(&mut *connection).await?;
    if columns.as_deref() != Some(COLUMNS) {
        return Ok(Some(CHANGED.to_owned()));
    }
    // When a migration was run and how long it took differs from file to file, so of that only the form is known.
    let rows = "select version, description, success, checksum,
            installed_on is strftime('%Y-%m-%d %H:%M:%S', installed_on)
                and typeof(execution_time) = 'integer' and execution_time >= -1
        from _sqlx_migrations order by version";
    let rows: Vec<(i64, String, bool, Vec<u8>, bool)> = match sqlx::query_as(rows).fetch_all(&mut *connection).await {
        Ok(rows) => rows,
        Err(error @ (sqlx::Error::ColumnDecode { .. } | sqlx::Error::ColumnNotFound(_))) => {
            return Ok(Some(format!("{CHANGED}: {error}")));
        }
        Err(error) => return Err(error.into()),
    };
    let written =
        migrations(found).map(|own| (own.version, own.description.into_owned(), true, own.checksum.into_owned(), true));
    if !written.eq(rows) {
        return Ok(Some(CHANGED.to_owned()));
    }
    if found == CURRENT {
        return Ok(None);
    }
    let (there, then, now) = (schema(connection).await?, expected(found).await?, expected(CURRENT).await?);
    let lacks = then.iter().find(|own| own.table != "_sqlx_migrations" && !there.contains(own));
    let later = there.iter().find(|own| now.contains(own) && !then.contains(own));
    Ok(lacks
        .or(later)
        .map(|own| format!("{CHANGED}: it says schema {found}, and the {} {} is of another", own.kind, own.name)))
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

/// The schema that an empty file gets up to `version`.
pub async fn expected(version: i64) -> Result<Vec<SchemaObject>, StoreError> {
    let mut connection = SqliteConnectOptions::new().in_memory(true).connect().await?;
    run(&mut connection, version).await?;
    let made = schema(&mut connection).await;
    connection.close().await?;
    made
}

/// Makes every table in a file that has none, in one transaction.
pub async fn make(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut whole = connection.begin().await?;
    run(&mut whole, CURRENT).await?;
    whole.commit().await.map_err(StoreError::from)
}

/// Brings a file of an older schema to [`CURRENT`]; its backup is made before. Call only with the lock held alone.
pub async fn migrate(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    run(connection, CURRENT).await
}

async fn run(connection: &mut SqliteConnection, up_to: i64) -> Result<(), StoreError> {
    let migrator = Migrator::with_migrations(migrations(up_to).collect());
    migrator
        .run_direct(None, connection, false)
        .await
        .map_err(|error| StoreError::Io(format!("the schema could not be brought up to date: {error}")))
}

fn migrations(up_to: i64) -> impl Iterator<Item = Migration> {
    MIGRATIONS.iter().filter(move |(version, ..)| *version <= up_to).map(|(version, description, sql)| {
        let sql: &'static str = sql;
        Migration::new(*version, Cow::Borrowed(description), MigrationType::Simple, sql.into_sql_str(), false)
    })
}

/// Entries of every log in the file.
pub async fn count(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar("select count(*) from log").fetch_one(connection).await?)
}

/// A campaign with an entry, in any schema.
#[cfg(test)]
pub const ONE_ENTRY: &str = "
    insert into campaigns (id, uuid, name, adventure, rules_hash, created_at)
    values (1, '019aa0b2-0000-7000-8000-000000000009', 'a', 'a', '', 0);
    insert into log (campaign, seq, prev, body, public, salt, commitment, leaf, chain, at, session, kind, visibility, actor)
    values (1, 1, zeroblob(32), x'7b7d', x'7b7d', zeroblob(32), zeroblob(32), zeroblob(32), zeroblob(32), 0, 0, 'roll', 'public', 'gm')";

#[cfg(test)]
mod tests {
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{ConnectOptions, Connection};

    use super::{CURRENT, run, version};
    use crate::store::StoreError;
    use crate::store::sqlite::{backups, connection, open};

    #[tokio::test]
    async fn a_file_with_content_is_backed_up_before_it_is_migrated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaigns.db");
        let options = SqliteConnectOptions::new().filename(&path).create_if_missing(true);
        let mut first = options.connect().await.unwrap();
        run(&mut first, 1).await.unwrap();
        sqlx::raw_sql(super::ONE_ENTRY).execute(&mut first).await.unwrap();
        first.close().await.unwrap();
        let store = open(&path).await.unwrap();
        assert_eq!(version(&mut *store.own().await).await.unwrap(), CURRENT);
        assert!(store.read().await.unwrap().book().await.unwrap().is_some());
        store.close().await.unwrap();
        let backup = backups::newest_good(&path).await.unwrap();
        let mut copy = connection::read_only(&backup).await.unwrap();
        assert_eq!(version(&mut copy).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn a_half_made_file_without_an_entry_is_brought_up_to_date_and_not_backed_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = half_made(folder.path()).await;
        open(&path).await.unwrap().close().await.unwrap();
        assert!(backups::all(&path).is_empty());
    }

    async fn half_made(folder: &std::path::Path) -> std::path::PathBuf {
        let path = folder.join("campaigns.db");
        let options = SqliteConnectOptions::new().filename(&path).create_if_missing(true);
        let mut first = options.connect().await.unwrap();
        run(&mut first, 3).await.unwrap();
        first.close().await.unwrap();
        path
    }

    #[tokio::test]
    async fn a_file_whose_table_of_migrations_or_application_id_was_changed_is_refused() {
        for change in [
            "delete from _sqlx_migrations where version = (select max(version) from _sqlx_migrations)",
            "delete from _sqlx_migrations where version = 3",
            "delete from _sqlx_migrations",
            "drop table _sqlx_migrations",
            "update _sqlx_migrations set checksum = x'00' where version = 2",
            "update _sqlx_migrations set success = false where version = 5",
            "update _sqlx_migrations set version = 0 where version = 1",
            "update _sqlx_migrations set description = 'another' where version = 4",
            "update _sqlx_migrations set description = x'00' where version = 4",
            "update _sqlx_migrations set installed_on = 'yesterday' where version = 1",
            "update _sqlx_migrations set execution_time = 'long' where version = 6",
            "update _sqlx_migrations set execution_time = -7 where version = 6",
            "alter table _sqlx_migrations add column note text",
            "alter table _sqlx_migrations drop column description",
            "pragma application_id = 0",
            "pragma application_id = 42",
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("campaigns.db");
            open(&path).await.unwrap().close().await.unwrap();
            let mut vandal = SqliteConnectOptions::new().filename(&path).connect().await.unwrap();
            sqlx::raw_sql(change).execute(&mut vandal).await.unwrap();
            vandal.close().await.unwrap();
            let before = std::fs::read(&path).unwrap();
            let refused = open(&path).await.map(drop);
            let Err(error @ StoreError::Damaged { .. }) = refused else { panic!("{change}: {refused:?}") };
            let refusal = error.to_string();
            assert!(
                refusal.contains("table of migrations is not as") || refusal.contains("application id"),
                "{change}: {refusal}"
            );
            assert_eq!(std::fs::read(&path).unwrap(), before, "{change}");
        }
    }
}
