//! A new database: made whole in a file beside its place, and put there in one step.
//!
//! Every migration runs in one transaction that waits for no disk, and the finished file is synced once. A start that is killed
//! leaves an empty file in the place, and the next start begins again.

use std::fs::{self, File};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};
use tokio::sync::OnceCell;

use super::{migrate, open, owner, read};
use crate::store::StoreError;

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
    fs::metadata(path).is_ok_and(|file| file.len() == 0)
        && !open::has_wal(path)
        && !owner::beside_it(path, "-journal").exists()
}

/// Puts a database of the current schema in the place of an empty file. Call only with the lock held alone.
pub async fn put(path: &Path, durability: Durability) -> Result<(), StoreError> {
    match durability {
        Durability::Full => put_durably(path).await,
        Durability::ThrowAway => {
            let template = TEMPLATE.get_or_try_init(|| Template::make(path)).await?;
            fs::write(path, template.copy()).map_err(|error| not_made(path, &error))
        }
    }
}

async fn put_durably(path: &Path) -> Result<(), StoreError> {
    let beside = owner::beside_it(path, "-new");
    build(&beside).await?;
    let put = || {
        File::open(&beside)?.sync_all()?;
        fs::rename(&beside, path)?;
        sync_folder(path)
    };
    put().map_err(|error| not_made(path, &error))
}

/// Makes a closed database of the current schema; the name of its book. What a killed start left under this name is removed.
async fn build(path: &Path) -> Result<String, StoreError> {
    for end in ["", "-wal", "-shm", "-journal"] {
        match fs::remove_file(owner::beside_it(path, end)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(not_made(path, &error)),
            Ok(()) | Err(_) => {}
        }
    }
    open::make(path)?;
    let options = SqliteConnectOptions::new().filename(path).foreign_keys(true);
    let options = options.journal_mode(SqliteJournalMode::Memory).synchronous(SqliteSynchronous::Off);
    let mut connection = options.connect().await?;
    migrate::make(&mut connection).await?;
    // Every later connection finds the mode in the file.
    sqlx::query("pragma journal_mode = wal").execute(&mut connection).await?;
    let book = read::book(&mut connection).await?.unwrap_or_default();
    connection.close().await?;
    Ok(book)
}

/// A renamed file can be lost with its folder's old content until the folder is synced.
#[cfg(unix)]
fn sync_folder(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
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
        let beside = owner::beside_it(path, "-new");
        let book = build(&beside).await?;
        let image = fs::read(&beside).and_then(|image| fs::remove_file(&beside).map(|()| image));
        Ok(Template { image: image.map_err(|error| not_made(path, &error))?, book })
    }

    /// The same file with another name of the book, which stands in it once and always has 32 hexadecimal digits.
    fn copy(&self) -> Vec<u8> {
        let mut image = self.image.clone();
        static COPIES: AtomicU64 = AtomicU64::new(1);
        let number = u128::from(COPIES.fetch_add(1, Ordering::Relaxed));
        let own = format!("{:032x}", u128::from_str_radix(&self.book, 16).unwrap_or(0).wrapping_add(number));
        let length = self.book.len().max(1);
        let at = image.windows(length).position(|bytes| bytes == self.book.as_bytes());
        let place = at.and_then(|at| image.get_mut(at..at + own.len()));
        if let Some(place) = place {
            place.copy_from_slice(own.as_bytes());
        }
        image
    }
}

#[cfg(test)]
mod tests {
    use super::Durability;
    use crate::store::sqlite::{inspect, migrate, open, open_throw_away};
    use crate::store::{Store, StoreError};

    #[tokio::test]
    async fn a_new_file_has_the_schema_and_the_list_of_migrations_that_one_after_the_other_make() {
        let folder = tempfile::tempdir().unwrap();
        let expected = migrate::expected(migrate::CURRENT).await.unwrap();
        let texts = migrate::texts().count();
        for durability in [Durability::Full, Durability::ThrowAway] {
            let path = folder.path().join(format!("{durability:?}.db"));
            let mut store = match durability {
                Durability::Full => open(&path).await.unwrap(),
                Durability::ThrowAway => open_throw_away(&path).await.unwrap(),
            };
            assert_eq!(inspect::schema(&mut store.connection).await.unwrap(), expected);
            let applied: Vec<(i64, bool, bool, i64)> = sqlx::query_as(
                "select version, success, execution_time > 0, length(checksum) from _sqlx_migrations order by version",
            )
            .fetch_all(&mut store.connection)
            .await
            .unwrap();
            assert_eq!(applied, (1..).take(texts).map(|version| (version, true, true, 48)).collect::<Vec<_>>());
            let id: i64 = sqlx::query_scalar("pragma application_id").fetch_one(&mut store.connection).await.unwrap();
            assert_eq!(id, 1_383_033_964);
            let mode: String =
                sqlx::query_scalar("pragma journal_mode").fetch_one(&mut store.connection).await.unwrap();
            assert_eq!(mode, "wal");
            assert_eq!(inspect::integrity(&mut store.connection).await.unwrap(), ["ok"]);
            store.close().await.unwrap();
        }
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert!(left.iter().all(|name| !name.to_string_lossy().contains("-new")), "{left:?}");
    }

    #[tokio::test]
    async fn commits_are_synced_except_where_the_campaign_is_thrown_away() {
        let folder = tempfile::tempdir().unwrap();
        let mut real = open(&folder.path().join("real.db")).await.unwrap();
        let mut thrown = open_throw_away(&folder.path().join("thrown.db")).await.unwrap();
        for (store, synchronous) in [(&mut real, 2i64), (&mut thrown, 0)] {
            let found: i64 = sqlx::query_scalar("pragma synchronous").fetch_one(&mut store.connection).await.unwrap();
            assert_eq!(found, synchronous);
        }
    }

    #[tokio::test]
    async fn throw_away_databases_are_books_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let mut books = std::collections::BTreeSet::new();
        for n in 0..3 {
            let mut store = open_throw_away(&folder.path().join(format!("{n}.db"))).await.unwrap();
            assert!(books.insert(store.book().await.unwrap().unwrap()));
        }
    }

    #[tokio::test]
    async fn what_a_killed_first_start_left_beside_its_place_is_in_nobodys_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaigns.db");
        for end in ["-new", "-new-wal", "-new-shm", "-new-journal"] {
            std::fs::write(folder.path().join(format!("campaigns.db{end}")), "half of a database").unwrap();
        }
        let mut store = open(&path).await.unwrap();
        assert!(store.book().await.unwrap().is_some());
        store.close().await.unwrap();
        assert!(!folder.path().join("campaigns.db-new").exists());
    }

    #[tokio::test]
    async fn a_folder_in_the_way_of_a_new_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaigns.db");
        std::fs::create_dir(folder.path().join("campaigns.db-new")).unwrap();
        let Err(refused @ StoreError::Disk(_)) = open(&path).await.map(drop) else { panic!("is refused") };
        assert!(refused.to_string().contains("campaigns.db-new"), "{refused}");
    }
}
