//! A new database: made whole in a draft beside its place, and put there in one step.
//!
//! The file of a path never changes under a reader. One that opened a file while it was empty would take the log file (WAL) of
//! another in its place for a left one and remove it, and with it what was written. So no empty file is put in the place, and
//! into one that is there SQLite makes the tables itself.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};
use tokio::sync::OnceCell;

use super::file::{RawFile, beside, has_wal};
use super::migrate;
use crate::StoreError;
use crate::draft::Draft;

/// Whether commits outlive a loss of power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// A commit is on the disk before it returns.
    Full,
    /// Nothing is synced, and all databases of a process begin as copies of one: for campaigns that are thrown away.
    ThrowAway,
}

/// Whether there is nothing at the path that a new database could lose: no content, and nothing SQLite left beside.
pub fn is_free(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |file| file.len() == 0) && !has_wal(path) && !beside(path, "-journal").exists()
}

/// Puts a database of the current schema in a place that is free, with the lock held alone; an empty file there stays as it is.
pub async fn put(path: &Path, durability: Durability) -> Result<(), StoreError> {
    match durability {
        Durability::Full if path.exists() => Ok(()),
        // SQLite syncs the folder with the first commit, because the log file (WAL) is new; until then there is nothing to lose.
        Durability::Full => {
            let placed = make(path).await?.place();
            placed.or_else(|error| if path.exists() { Ok(()) } else { Err(error) })
        }
        Durability::ThrowAway => {
            let template = TEMPLATE.get_or_try_init(|| Template::make(path)).await?;
            let _file = RawFile::made(path).map_err(|error| not_made(path, &error))?;
            fs::write(path, template.copy()).map_err(|error| not_made(path, &error))
        }
    }
}

/// Makes a database for the place, on the disk and closed.
async fn make(place: &Path) -> Result<Draft, StoreError> {
    let draft = Draft::beside(place)?;
    build(draft.path()).await?;
    draft.sync().await?;
    Ok(draft)
}

/// Makes a closed database of the current schema in an empty file; the name of its book.
async fn build(path: &Path) -> Result<String, StoreError> {
    let options = SqliteConnectOptions::new().filename(path).foreign_keys(true);
    let options = options.journal_mode(SqliteJournalMode::Memory).synchronous(SqliteSynchronous::Off);
    let mut connection = options.connect().await?;
    migrate::make(&mut connection).await?;
    // Every later connection finds the mode in the file.
    sqlx::query("pragma journal_mode = wal").execute(&mut connection).await?;
    let book = sqlx::query_scalar("select id from book").fetch_one(&mut connection).await?;
    connection.close().await?;
    Ok(book)
}

fn not_made(path: &Path, error: &std::io::Error) -> StoreError {
    StoreError::Disk(format!("the database {} could not be made: {error}", path.display()))
}

static TEMPLATE: OnceCell<Template> = OnceCell::const_new();

/// What every throw-away database begins as.
struct Template {
    image: Vec<u8>,
    /// The name of its book. A database that shares a folder with another needs a name of its own, because checkpoints go by it.
    book: String,
}

impl Template {
    /// Makes it beside `path`.
    async fn make(path: &Path) -> Result<Template, StoreError> {
        let draft = Draft::beside(path)?;
        let book = build(draft.path()).await?;
        let image = fs::read(draft.path()).map_err(|error| not_made(path, &error))?;
        Ok(Template { image, book })
    }

    /// The same file with another name of the book, which is in it once and always has 32 hexadecimal digits.
    fn copy(&self) -> Vec<u8> {
        let mut image = self.image.clone();
        static COPIES: AtomicU64 = AtomicU64::new(1);
        let number = u128::from(COPIES.fetch_add(1, Ordering::Relaxed));
        let name = format!("{:032x}", u128::from_str_radix(&self.book, 16).unwrap_or(0).wrapping_add(number));
        let length = self.book.len().max(1);
        let at = image.windows(length).position(|bytes| bytes == self.book.as_bytes());
        let place = at.and_then(|at| image.get_mut(at..at + name.len()));
        if let Some(place) = place {
            place.copy_from_slice(name.as_bytes());
        }
        image
    }
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{ConnectOptions, Row};

    use super::Durability;
    use crate::Reader;
    use crate::sqlite::file::{beside, has_wal};
    use crate::sqlite::{migrate, open, open_throw_away};

    #[tokio::test]
    async fn a_new_file_has_the_schema_and_the_row_that_says_which() {
        let folder = tempfile::tempdir().unwrap();
        // As a first start leaves it that is killed.
        let left = folder.path().join(".rollbook-abc.part");
        std::fs::create_dir(&left).unwrap();
        std::fs::write(left.join("half-wal"), "half of a database").unwrap();
        let expected = migrate::expected().await.unwrap();
        let mut books = std::collections::BTreeSet::new();
        for (name, durability, synchronous) in [
            ("real", Durability::Full, "2"),
            ("thrown", Durability::ThrowAway, "0"),
            ("away", Durability::ThrowAway, "0"),
        ] {
            let path = folder.path().join(name);
            let store = match durability {
                Durability::Full => open(&path).await.unwrap(),
                Durability::ThrowAway => open_throw_away(&path).await.unwrap(),
            };
            let mut raw = store.raw().await;
            assert_eq!(migrate::schema(&mut raw).await.unwrap(), expected);
            let applied = "select version, success, execution_time > 0, length(checksum) from _sqlx_migrations";
            let applied: Vec<(i64, bool, bool, i64)> = sqlx::query_as(applied).fetch_all(&mut *raw).await.unwrap();
            assert_eq!(applied, [(1, true, true, 48)]);
            for (pragma, value) in [
                ("pragma application_id", "1383033964"),
                ("pragma journal_mode", "wal"),
                ("pragma integrity_check", "ok"),
                ("pragma synchronous", synchronous),
            ] {
                let row = sqlx::query(pragma).fetch_one(&mut *raw).await.unwrap();
                assert_eq!(row.get_unchecked::<String, _>(0), value, "{pragma}");
            }
            drop(raw);
            assert!(books.insert(store.read().await.unwrap().book().await.unwrap().unwrap()), "a book of its own");
            store.close().await.unwrap();
        }
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert!(left.iter().all(|name| !name.to_string_lossy().contains(".part")), "{left:?}");
    }

    #[tokio::test]
    async fn a_reader_that_opened_the_file_while_it_was_empty_leaves_the_writer_its_log_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaigns.db");
        std::fs::write(&path, "").unwrap();
        let mut early = SqliteConnectOptions::new().filename(&path).read_only(true).connect().await.unwrap();
        let store = open(&path).await.unwrap();
        sqlx::raw_sql(migrate::ONE_ENTRY).execute(&mut *store.raw().await).await.unwrap();
        let count = "select count(*) from log";
        let seen: Result<i64, sqlx::Error> = sqlx::query_scalar(count).fetch_one(&mut early).await;
        assert!(has_wal(&path), "{seen:?}");
        assert!(Reader::open(&path).await.is_ok(), "{seen:?}");
        assert_eq!(seen.unwrap(), 1);
    }

    #[tokio::test]
    async fn nothing_lies_in_the_place_until_the_new_database_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaigns.db");
        let lock = std::fs::File::create(beside(&path, ".lock")).unwrap();
        lock.lock().unwrap();
        let place = path.clone();
        let opening = tokio::spawn(async move { open(&place).await });
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        assert!(!path.exists(), "a reader could open it while it is empty");
        drop(lock);
        opening.await.unwrap().unwrap();
        assert!(path.exists());
    }
}
