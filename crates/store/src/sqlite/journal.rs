//! A rollback journal that a killed process left beside the database.
//!
//! A connection that writes puts the file back as the journal says; one that only reads is refused by SQLite (code 776). A first start writes through such a journal when it turns the empty file into one with a log file (WAL)
//! beside it, so a kill in that moment leaves a file with one page that will be empty again.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

use super::{connection, file};

/// How every rollback journal begins (SQLite's file format, 3.0).
const MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
/// Where its header has the number of pages that the database had before.
const PAGES_AT: std::ops::Range<usize> = 16..20;

/// Pages that the database had before the write which the journal is of; `None` where there is no journal.
pub fn pages_before(database: &Path) -> Option<u32> {
    let mut header = [0; PAGES_AT.end];
    File::open(file::beside(database, "-journal")).and_then(|mut file| file.read_exact(&mut header)).ok()?;
    let pages = header.get(PAGES_AT)?.try_into().ok()?;
    header.starts_with(&MAGIC).then(|| u32::from_be_bytes(pages))
}

/// Lets SQLite put the file back as its journal says; costs a look at the folder where there is none.
pub async fn recover(database: &Path) -> Result<(), sqlx::Error> {
    if pages_before(database).is_none() {
        return Ok(());
    }
    let options = SqliteConnectOptions::new().filename(database).busy_timeout(connection::BUSY);
    let mut connection = options.connect().await?;
    // The first read does it.
    let read = read(&mut connection).await;
    connection.close().await?;
    read
}

async fn read(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    sqlx::query("select count(*) from sqlite_schema").fetch_one(connection).await.map(drop)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{AssertSqlSafe, ConnectOptions};

    use super::pages_before;
    use crate::sqlite::{file, open};
    use crate::{Reader, StoreError};

    /// A database that was killed in the midst of `sql`: more than its cache holds is written, so pages lie in the file already.
    async fn killed(folder: &Path, before: &str, sql: &str) -> PathBuf {
        let alive = folder.join("alive.db");
        let mut connection =
            SqliteConnectOptions::new().filename(&alive).create_if_missing(true).connect().await.unwrap();
        let fill = "create table filler (text text); insert into filler with recursive n(i) as (select 1 union all select i + 1 from n \
                    where i < 500) select hex(randomblob(500)) from n";
        let all = format!("pragma journal_mode = delete; {before}; pragma cache_size = 2; begin; {sql}; {fill}");
        sqlx::raw_sql(AssertSqlSafe(all)).execute(&mut connection).await.unwrap();
        let path = folder.join("campaigns.db");
        for end in ["", "-journal"] {
            std::fs::copy(file::beside(&alive, end), file::beside(&path, end)).unwrap();
        }
        path
    }

    #[tokio::test]
    async fn a_first_start_killed_with_a_journal_beside_it_is_begun_again() {
        for reads_first in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let path = killed(folder.path(), "", "select 1").await;
            assert_eq!(pages_before(&path), Some(0));
            assert!(std::fs::metadata(&path).unwrap().len() > 0);
            if reads_first {
                let refusal = Reader::open(&path).await.map(drop).unwrap_err().to_string();
                assert!(refusal.contains("holds nothing yet"), "{refusal}");
            }
            let store = open(&path).await.unwrap();
            assert_eq!(pages_before(&path), None);
            assert!(store.read().await.unwrap().book().await.unwrap().is_some());
            store.close().await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_database_of_ours_killed_with_a_journal_is_read_and_opened() {
        let folder = tempfile::tempdir().unwrap();
        let made = folder.path().join("alive.db");
        open(&made).await.unwrap().close().await.unwrap();
        let path = killed(folder.path(), "", "select 1").await;
        assert!(pages_before(&path).is_some_and(|pages| pages > 0));
        Reader::open(&path).await.map(drop).unwrap();
        open(&path).await.unwrap().close().await.unwrap();
    }

    #[tokio::test]
    async fn somebody_elses_database_with_a_journal_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = killed(folder.path(), "create table shopping (what text)", "select 1").await;
        let files = || ["", "-journal"].map(|end| std::fs::read(file::beside(&path, end)).unwrap());
        let before = files();
        for refused in [open(&path).await.map(drop), Reader::open(&path).await.map(drop)] {
            let Err(error @ StoreError::NotOpened { .. }) = refused else { panic!("{refused:?}") };
            assert!(error.to_string().contains("-journal"), "{error}");
        }
        assert_eq!(files(), before);
    }
}
