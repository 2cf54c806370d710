//! How a database and its rollback journal begin (SQLite's file format, 1.3 and 3.0), for what SQLite itself does not look at.
//!
//! A connection that writes puts the file back as a journal says that a killed process left beside it; one that only reads is refused (code
//! 776). A first start writes through such a journal when it turns an empty file into one with a log file (WAL) beside it, so a kill in
//! that moment leaves a file with one page that will be empty again.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use super::connection::BUSY;
use super::file::{RawFile, beside, has_wal, number, page_size};
use crate::StoreError;
use crate::error::damaged;

/// Bytes of a database's header.
pub const BYTES: usize = 100;
/// How every rollback journal begins.
const JOURNAL: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// Refuses a file whose length is not what its header says. Only for one that no process has open: while it is written, the truth
/// lies in the files beside it, and where one of those was left, SQLite's own check goes by it.
pub fn check_length(path: &Path) -> Result<(), StoreError> {
    if has_wal(path) || pages_before(path).is_some() {
        return Ok(());
    }
    let Ok((header, length)) = RawFile::of(path).and_then(|file| file.beginning(BYTES as u64)) else { return Ok(()) };
    match contradiction(&header, length) {
        Some(what) if length > 0 => Err(damaged(path, what)),
        _ => Ok(()),
    }
}

fn contradiction(header: &[u8], length: u64) -> Option<String> {
    if header.len() < BYTES {
        return Some(format!("it is cut off after {length} bytes"));
    }
    let (page, pages) = (page_size(header)?, u64::from(number(header, 28)?));
    // Programs before SQLite 3.7.0 did not keep the number of pages; then the length alone counts.
    let is_kept = pages > 0 && number(header, 24) == number(header, 92);
    if is_kept && pages * page != length {
        return Some(format!("its header says {pages} pages of {page} bytes, and it is {length} bytes long"));
    }
    (page > 0 && !length.is_multiple_of(page))
        .then(|| format!("it has pages of {page} bytes, and is {length} bytes long"))
}

/// Pages that the database had before the write which the journal beside it is of; `None` where there is no journal.
pub fn pages_before(database: &Path) -> Option<u32> {
    let mut header = [0; 20];
    File::open(beside(database, "-journal")).and_then(|mut file| file.read_exact(&mut header)).ok()?;
    number(&header, 16).filter(|_| header.starts_with(&JOURNAL))
}

/// Lets SQLite put the file back as its journal says; costs a look at the folder where there is none.
pub async fn recover(database: &Path) -> Result<(), sqlx::Error> {
    if pages_before(database).is_none() {
        return Ok(());
    }
    let mut connection = SqliteConnectOptions::new().filename(database).busy_timeout(BUSY).connect().await?;
    // The first read does it.
    let read = sqlx::query("select count(*) from sqlite_schema").fetch_one(&mut connection).await;
    connection.close().await?;
    read.map(drop)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{AssertSqlSafe, ConnectOptions};

    use super::pages_before;
    use crate::sqlite::file::beside;
    use crate::sqlite::open;
    use crate::{Reader, StoreError};

    #[tokio::test]
    async fn a_file_longer_or_shorter_than_its_header_says_is_refused() {
        for vandal in [
            |bytes: &mut Vec<u8>| bytes.extend([0; 4096]),
            |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 4096),
            |bytes: &mut Vec<u8>| bytes.extend([0; 7]),
            |bytes: &mut Vec<u8>| bytes[31] -= 1,
            |bytes: &mut Vec<u8>| bytes[31] += 1,
            |bytes: &mut Vec<u8>| bytes.truncate(99),
            |bytes: &mut Vec<u8>| {
                bytes[27] ^= 1;
                bytes.extend([0; 7]);
            },
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("campaigns.db");
            open(&path).await.unwrap().close().await.unwrap();
            open(&path).await.unwrap().close().await.unwrap();
            let mut bytes = std::fs::read(&path).unwrap();
            vandal(&mut bytes);
            std::fs::write(&path, &bytes).unwrap();
            for refused in [open(&path).await.map(drop), Reader::open(&path).await.map(drop)] {
                assert!(matches!(refused, Err(StoreError::Damaged { .. })), "{refused:?}");
            }
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "nothing was changed");
        }
    }

    /// A database that was killed while it was written to: more than its cache holds is written, so pages lie in the file already.
    async fn killed(folder: &Path, before: &str) -> PathBuf {
        let alive = folder.join("alive.db");
        let mut connection =
            SqliteConnectOptions::new().filename(&alive).create_if_missing(true).connect().await.unwrap();
        let all = format!(
            "pragma journal_mode = delete; {before}; pragma cache_size = 2; begin; create table filler (text text);
             insert into filler with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
             select hex(randomblob(500)) from n"
        );
        sqlx::raw_sql(AssertSqlSafe(all)).execute(&mut connection).await.unwrap();
        let path = folder.join("campaigns.db");
        for end in ["", "-journal"] {
            std::fs::copy(beside(&alive, end), beside(&path, end)).unwrap();
        }
        path
    }

    #[tokio::test]
    async fn a_first_start_killed_with_a_journal_beside_it_is_begun_again() {
        for reads_first in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let path = killed(folder.path(), "").await;
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
        open(&folder.path().join("alive.db")).await.unwrap().close().await.unwrap();
        let path = killed(folder.path(), "").await;
        assert!(pages_before(&path).is_some_and(|pages| pages > 0));
        Reader::open(&path).await.map(drop).unwrap();
        open(&path).await.unwrap().close().await.unwrap();
    }

    #[tokio::test]
    async fn another_programs_database_with_a_journal_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = killed(folder.path(), "create table shopping (what text)").await;
        let files = || ["", "-journal"].map(|end| std::fs::read(beside(&path, end)).unwrap());
        let before = files();
        for refused in [open(&path).await.map(drop), Reader::open(&path).await.map(drop)] {
            let Err(error @ StoreError::NotOpened { .. }) = refused else { panic!("{refused:?}") };
            assert!(error.to_string().contains("-journal"), "{error}");
        }
        assert_eq!(files(), before);
    }
}
