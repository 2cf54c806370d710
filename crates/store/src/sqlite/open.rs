//! Opening a file to play: private, sound, of a known schema; and one that no other process writes
//! to. Putting one back from a copy: what was in its place is kept in a folder beside.
//!
//! A new database is made whole in a draft beside its place, and put there in one step. The file of
//! a path never changes under a reader: one that opened it while it was empty would take the log
//! file (WAL) of another in its place for a left one and remove it, with what was written. So no
//! empty file is put there, and into one that is there SQLite makes the tables itself.
//!
//! The lock beside the database is shared by every living process, and exclusive to one that makes
//! the tables: sqlx's SQLite migrator takes no lock of its own, and two first starts at once would
//! both create them. Holding it alone also shows that no other process uses the database, so a WAL
//! that still has content was left by a process that died.

use std::fs::{File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteSynchronous};
use tokio::sync::OnceCell;

use super::connection::{self, close};
use super::file::{self, InPlace, RawFile, beside, has_wal};
use super::owner::connect_read_only;
use super::soundness::Soundness;
use super::writer::{Sqlite, Writer};
use super::{backups, copy, migrate, owner, schema};
use crate::StoreError;
use crate::draft::{self, Draft, free_name, give_to_owner_of, make_folder, private, sync_folder};
use crate::error::{damaged, not_opened};
use crate::sql::connection::Connection;
use crate::sql::error::of_file;

/// How long one attempt to write waits; the caller waits for the rest of [`file::BUSY`].
const ATTEMPT: Duration = Duration::from_millis(20);

/// Opens the database for writing, making it (0600) where there is none. The folder must exist.
pub async fn open(path: &Path) -> Result<Sqlite, StoreError> {
    open_as(path, SqliteSynchronous::Full).await
}

/// The same for a campaign that is thrown away: nothing is synced, and all begin as copies of one.
pub async fn open_throw_away(path: &Path) -> Result<Sqlite, StoreError> {
    open_as(path, SqliteSynchronous::Off).await
}

async fn open_as(path: &Path, synchronous: SqliteSynchronous) -> Result<Sqlite, StoreError> {
    backups::advised(path, open_sound(path, synchronous).await).await
}

async fn open_sound(path: &Path, synchronous: SqliteSynchronous) -> Result<Sqlite, StoreError> {
    owner::check(path).await?;
    owner::may_be_made_if_empty(path).await?;
    let locked = acquire(path).await?;
    let mut is_made = false;
    if matches!(locked, Locked::Alone(_)) {
        file::check_length(path)?;
        draft::remove_left_behind(path.parent().unwrap_or(Path::new(".")));
        draft::remove_left_behind(&backups::folder(path));
        if has_nothing(path) {
            owner::may_be_made(path).await?;
            is_made = put(path, synchronous).await?;
        }
    }
    // Held to the end: one closed in between would take another connection's locks with it.
    let file = make(path)?;

    let mut connection = connection::writing(path, synchronous).await?;
    let (alive, soundness) = match locked {
        Locked::Alone(lock) if is_made => (share(lock).await?, Soundness::Sound),
        locked => looked_at(path, &mut connection, locked).await?,
    };
    // Opening may wait as long as its caller; from now on the caller does the waiting.
    let attempt = ATTEMPT.as_millis();
    sqlx::query(sqlx::AssertSqlSafe(format!(
        "pragma busy_timeout = {attempt}"
    )))
    .execute(&mut connection)
    .await?;
    let writer = Writer::new(Connection::Sqlite(connection), soundness, alive, file);
    Ok(Sqlite::new(writer, InPlace::of(path)?, is_made))
}

/// Looks at what was there before this process, and makes the tables in an empty file.
async fn looked_at(
    path: &Path,
    connection: &mut SqliteConnection,
    mut locked: Locked,
) -> Result<(File, Soundness), StoreError> {
    schema::check_tables(connection, path).await?;
    let mut waited = Duration::ZERO;
    let looked = loop {
        let found = migrate::version(connection)
            .await
            .map_err(|error| of_file(path, error))?;
        if let Some(what) = migrate::contradiction(connection, found).await? {
            return Err(damaged(path, what));
        }
        let known = migrate::steps()?.current();
        if found > known {
            return Err(StoreError::Newer { found, known });
        }
        match locked {
            Locked::Alone(lock) => {
                let soundness = match found {
                    0 => {
                        owner::may_be_made(path).await?;
                        migrate::make(connection).await?;
                        Soundness::Sound
                    }
                    _ => Soundness::look(path),
                };
                break (share(lock).await?, soundness);
            }
            Locked::Shared(alive) if found > 0 => break (alive, Soundness::Sound),
            // The process that was making it is gone: wait for the lock.
            Locked::Shared(alive) => {
                drop(alive);
                pause(&mut waited).await?;
                locked = acquire(path).await?;
            }
        }
    };
    schema::check_triggers(connection, path).await?;
    Ok(looked)
}

/// Whether nothing at the path could be lost by a new database: no content, nothing left beside.
fn has_nothing(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |file| file.len() == 0)
        && !has_wal(path)
        && !beside(path, "-journal").exists()
}

/// Puts an up-to-date database in a free place, with the lock held alone; an empty file stays.
/// Whether it did.
async fn put(path: &Path, synchronous: SqliteSynchronous) -> Result<bool, StoreError> {
    let failed = |why: std::io::Error| {
        StoreError::Disk(format!(
            "the database {} could not be made: {why}",
            path.display()
        ))
    };
    match synchronous {
        SqliteSynchronous::Off => {
            let _file = RawFile::made(path).map_err(failed)?;
            std::fs::write(path, image().await?).map_err(failed)?;
            Ok(true)
        }
        _ if path.exists() => Ok(false),
        // SQLite syncs the folder with the first commit, because the log file (WAL) is new; until
        // then there is nothing to lose.
        _ => {
            let mut draft = Draft::beside(path)?;
            draft.file().write_all(&image().await?).map_err(failed)?;
            draft.sync().await?;
            match draft.place() {
                Err(error) if !path.exists() => Err(error),
                placed => Ok(placed.is_ok()),
            }
        }
    }
}

/// What every database that this process makes begins as.
struct Template {
    image: Vec<u8>,
    /// The name of its book, by which checkpoints go, and where it stands: 32 digits, once.
    book: u128,
    place: std::ops::Range<usize>,
}

static TEMPLATE: OnceCell<Template> = OnceCell::const_new();

/// Makes what the next new database begins as, if it is not there yet.
pub async fn prepare() -> Result<(), StoreError> {
    TEMPLATE.get_or_try_init(template).await.map(drop)
}

/// A database in which nothing is, with a book of its own.
async fn image() -> Result<Vec<u8>, StoreError> {
    static COPIES: AtomicU64 = AtomicU64::new(1);
    let Template { image, book, place } = TEMPLATE.get_or_try_init(template).await?;
    let mut image = image.clone();
    let nth = COPIES.fetch_add(1, Ordering::Relaxed);
    let name = format!("{:032x}", book.wrapping_add(nth.into()));
    if let Some(place) = image.get_mut(place.clone()) {
        place.copy_from_slice(name.as_bytes());
    }
    Ok(image)
}

/// Where a file says that it is written by a log file (WAL), to read and to write it: 2, for 1.
const MODE: std::ops::Range<usize> = 18..20;

async fn template() -> Result<Template, StoreError> {
    let memory = SqliteConnectOptions::new().in_memory(true);
    let mut connection = memory.foreign_keys(false).connect().await?;
    migrate::make(&mut connection).await?;
    let name: String = sqlx::query_scalar("select id from book")
        .fetch_one(&mut connection)
        .await?;
    let mut image = connection.serialize(None).await?.to_vec();
    close(connection).await?;
    let at = image
        .windows(name.len())
        .position(|bytes| bytes == name.as_bytes());
    let (Some(at), Ok(book), Some(mode)) =
        (at, u128::from_str_radix(&name, 16), image.get_mut(MODE))
    else {
        return Err(StoreError::Io("the schema makes no book".to_owned()));
    };
    mode.fill(2);
    Ok(Template {
        image,
        book,
        place: at..at + name.len(),
    })
}

/// Makes an empty file of the owner's alone where there is none.
fn make(path: &Path) -> Result<RawFile, StoreError> {
    let refused = |error| {
        not_opened(
            path,
            format!("it cannot be written: {error}"),
            "Name a file in a folder of your own with --db",
        )
    };
    RawFile::made(path).map_err(refused)
}

/// How long a start waits for another process that makes the tables.
const MAKING_PATIENCE: Duration = Duration::from_secs(10);
const MAKING_PAUSE: Duration = Duration::from_millis(5);

/// The lock, held for as long as the process uses the database.
enum Locked {
    /// No other process uses the database.
    Alone(File),
    /// Others do; the tables are theirs.
    Shared(File),
}

/// Takes the lock exclusively where no other process holds it, else shared.
async fn acquire(database: &Path) -> Result<Locked, StoreError> {
    let name = beside(database, ".lock");
    let is_new = !name.exists();
    let opened = private()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&name);
    if is_new && database.exists() {
        give_to_owner_of(database, &name);
    }
    let file = opened.map_err(|error| {
        let reason = format!("its lock {} cannot be written: {error}", name.display());
        not_opened(
            database,
            reason,
            "Name a file in a folder of your own with --db",
        )
    })?;
    let mut waited = Duration::ZERO;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Locked::Alone(file)),
            Err(TryLockError::Error(error)) => return Err(not_locked(&error)),
            Err(TryLockError::WouldBlock) if is_shared(&file)? => return Ok(Locked::Shared(file)),
            Err(TryLockError::WouldBlock) => pause(&mut waited).await?,
        }
    }
}

/// Lets others in when the tables are made.
async fn share(lock: File) -> Result<File, StoreError> {
    lock.unlock()
        .map_err(|error| StoreError::Io(error.to_string()))?;
    let mut waited = Duration::ZERO;
    while !is_shared(&lock)? {
        pause(&mut waited).await?;
    }
    Ok(lock)
}

/// Whether it could be locked shared.
fn is_shared(file: &File) -> Result<bool, StoreError> {
    match file.try_lock_shared() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(not_locked(&error)),
    }
}

fn not_locked(error: &std::io::Error) -> StoreError {
    StoreError::Io(format!("cannot lock the database: {error}"))
}

/// Waits a little for another process; [`StoreError::Busy`] when it has `waited` for long enough.
async fn pause(waited: &mut Duration) -> Result<(), StoreError> {
    if *waited >= MAKING_PATIENCE {
        return Err(StoreError::Busy);
    }
    tokio::time::sleep(MAKING_PAUSE).await;
    *waited += MAKING_PAUSE;
    Ok(())
}

/// How often, and how far apart, a database that another process has open is asked for.
const ENDING_TRIES: u32 = 20;
const ENDING_PAUSE: Duration = Duration::from_millis(50);

/// The lock of a database that no other process has open. A server that is just ending, or a
/// process that was just started beside one, keeps the file for a moment.
async fn alone(database: &Path) -> Result<File, StoreError> {
    for _ in 0..ENDING_TRIES {
        if let Locked::Alone(lock) = acquire(database).await? {
            return Ok(lock);
        }
        tokio::time::sleep(ENDING_PAUSE).await;
    }
    Err(StoreError::Io(format!(
        "another process has {} open, and this is done only while nobody plays. Stop every server of it, then \
         send the same command again. Nothing was changed",
        database.display()
    )))
}

/// A database that no other process writes to, for as long as this lives.
pub(crate) struct Alone {
    _lock: File,
    /// Open as long as the connections, which would else lose their locks.
    _file: RawFile,
}

impl Alone {
    /// Takes it; the database must be there.
    pub async fn take(database: &Path) -> Result<Alone, StoreError> {
        close(connect_read_only(database).await?).await?;
        // Looks whether the file is sound, and brings its schema up to date.
        open(database).await?.close().await?;
        Ok(Alone {
            _lock: alone(database).await?,
            _file: make(database)?,
        })
    }
}

/// A copy to be put in the place of a database that no other process has open while this lives.
pub struct PutBack {
    database: PathBuf,
    draft: Draft,
    /// None while there is no database to play in: then a copy that is refused leaves nothing.
    lock: Option<File>,
}

impl PutBack {
    /// Copies `from` beside the database, which no other process has open, be it damaged or gone.
    pub async fn begin(database: &Path, from: &Path) -> Result<PutBack, StoreError> {
        let mut source = connect_read_only(from).await?;
        if let Some(folder) = database.parent() {
            make_folder(folder).map_err(|error| {
                StoreError::Io(format!("cannot make {}: {error}", folder.display()))
            })?;
        }
        let is_there = ["", "-wal", ".lock"]
            .iter()
            .any(|end| file::beside(database, end).symlink_metadata().is_ok());
        let lock = if is_there {
            Some(alone(database).await?)
        } else {
            None
        };
        let draft = Draft::beside(database)?;
        let copied = copy::all(&mut source, draft.path()).await;
        close(source).await?;
        copied?;
        backups::check(draft.path()).await?;
        draft.sync().await?;
        Ok(PutBack {
            database: database.to_path_buf(),
            draft,
            lock,
        })
    }

    /// Where the copy is until it is put in its place.
    pub fn copy(&self) -> &Path {
        self.draft.path()
    }

    /// Puts it in its place; answers the folder of what was there. Killed meanwhile, it goes on.
    pub async fn place(self) -> Result<Option<PathBuf>, StoreError> {
        let PutBack {
            database,
            draft,
            lock,
        } = self;
        let _lock = match lock {
            Some(lock) => lock,
            None => alone(&database).await?,
        };
        give_to_owner_of(&database, draft.path());
        let aside = set_aside(&database)?;
        draft.place()?;
        sync_folder(&database)?;
        Ok(aside)
    }
}

/// Moves the database's files to a folder beside it, if there are any.
fn set_aside(database: &Path) -> Result<Option<PathBuf>, StoreError> {
    let files = ["-wal", "-shm", "-journal", ""].map(|end| file::beside(database, end));
    let there: Vec<&PathBuf> = files
        .iter()
        .filter(|file| file.symlink_metadata().is_ok())
        .collect();
    if there.is_empty() {
        return Ok(None);
    }
    let aside = free_name(|nth| file::beside(database, &format!(".replaced-{nth}")));
    let aside = aside.ok_or_else(|| {
        StoreError::Io("there are too many replaced databases; remove some".to_owned())
    })?;
    let failed = |error| {
        StoreError::Io(format!(
            "cannot keep what is replaced in {}: {error}",
            aside.display()
        ))
    };
    make_folder(&aside).map_err(failed)?;
    for file in there {
        std::fs::rename(file, aside.join(file.file_name().unwrap_or_default())).map_err(failed)?;
    }
    Ok(Some(aside))
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{ConnectOptions, Row};

    use super::{SqliteSynchronous, backups, beside, has_wal, migrate, open, open_as};
    use crate::sqlite::{execute, made};
    use crate::{Reader, StoreError};

    fn place() -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaigns.db");
        (folder, path)
    }

    #[tokio::test]
    async fn what_is_no_database_is_refused_and_left_alone_and_damaged_where_it_was_one() {
        let (_folder, path) = place();
        assert!(
            Reader::open(&path).await.is_err() && !path.exists(),
            "a reader makes none"
        );
        std::fs::write(&path, "a shopping list").unwrap();
        assert!(matches!(
            open(&path).await,
            Err(StoreError::NotOpened { .. })
        ));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a shopping list");
        std::fs::create_dir(backups::folder(&path)).unwrap();
        std::fs::write(
            backups::folder(&path).join("000001-2026-11-20T19-30-00Z.db"),
            "",
        )
        .unwrap();
        let refused = open(&path).await.map(drop).unwrap_err();
        assert!(
            matches!(&refused, StoreError::Damaged { advice, .. } if advice.starts_with("There is no good backup beside it."))
        );
    }

    #[tokio::test]
    async fn a_file_whose_migrations_id_or_triggers_were_changed_is_refused_and_left_as_it_is() {
        const MIGRATIONS: &str = "table of migrations is not as";
        const ID: &str = "another application id than Rollbook's";
        let weak = "drop trigger log_grows_by_one_link;
            create trigger log_grows_by_one_link before insert on log begin select 1; end";
        let later = "insert into _sqlx_migrations values (99, 'x', current_timestamp, 1, x'00', 0)";
        for (change, words) in [
            (later, "has schema 99"),
            ("delete from _sqlx_migrations", MIGRATIONS),
            ("drop table _sqlx_migrations", MIGRATIONS),
            ("update _sqlx_migrations set checksum = x'00'", MIGRATIONS),
            ("update _sqlx_migrations set success = false", MIGRATIONS),
            (
                "update _sqlx_migrations set version = 0 where version = 1",
                MIGRATIONS,
            ),
            (
                "update _sqlx_migrations set description = 'another'",
                MIGRATIONS,
            ),
            (
                "update _sqlx_migrations set description = x'00'",
                MIGRATIONS,
            ),
            (
                "update _sqlx_migrations set installed_on = 'yesterday'",
                MIGRATIONS,
            ),
            (
                "update _sqlx_migrations set execution_time = 'long'",
                MIGRATIONS,
            ),
            (
                "update _sqlx_migrations set execution_time = -7",
                MIGRATIONS,
            ),
            (
                "alter table _sqlx_migrations add column note text",
                MIGRATIONS,
            ),
            (
                "alter table _sqlx_migrations drop column description",
                MIGRATIONS,
            ),
            ("pragma application_id = 0", ID),
            ("pragma application_id = 42", ID),
            (
                "drop trigger log_is_never_updated",
                "its trigger log_is_never_updated is gone",
            ),
            (weak, "its trigger log_grows_by_one_link is not the one"),
            (
                "create trigger more after insert on log begin delete from roll_rows; end",
                "a trigger more was added",
            ),
        ] {
            let (_folder, path) = made().await;
            execute(&path, change).await;
            let before = std::fs::read(&path).unwrap();
            let refused = open(&path).await.map(drop).unwrap_err();
            let is_kind = match refused {
                StoreError::Damaged { .. } => words == MIGRATIONS || words == ID,
                StoreError::Newer { found, .. } => (change, found) == (later, 99),
                StoreError::NotOpened { .. } => words.contains("trigger"),
                _ => false,
            };
            assert!(
                is_kind && refused.to_string().contains(words),
                "{change}: {refused:?}"
            );
            assert_eq!(std::fs::read(&path).unwrap(), before, "{change}");
        }
    }

    #[tokio::test]
    async fn a_database_that_another_process_keeps_empty_is_busy() {
        let (_folder, path) = place();
        std::fs::write(&path, "").unwrap();
        let lock = std::fs::File::create(beside(&path, ".lock")).unwrap();
        lock.lock_shared().unwrap();
        let opened = tokio::time::timeout(std::time::Duration::from_secs(60), open(&path)).await;
        assert!(matches!(
            opened.expect("gives up").map(drop),
            Err(StoreError::Busy)
        ));
    }

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
            ("real", SqliteSynchronous::Full, "2"),
            ("thrown", SqliteSynchronous::Off, "0"),
            ("away", SqliteSynchronous::Off, "0"),
        ] {
            let path = folder.path().join(name);
            let store = open_as(&path, durability).await.unwrap();
            let mut raw = store.raw().await;
            assert_eq!(migrate::schema(&mut raw).await.unwrap(), expected);
            let applied = "select version, success, execution_time > 0, length(checksum) from _sqlx_migrations";
            let applied: Vec<(i64, bool, bool, i64)> =
                sqlx::query_as(applied).fetch_all(&mut *raw).await.unwrap();
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
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
            }
            assert!(
                books.insert(store.read().await.unwrap().book().await.unwrap().unwrap()),
                "a book of its own"
            );
            store.close().await.unwrap();
            open(&path).await.unwrap().close().await.unwrap();
        }
        let left: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|file| file.unwrap().file_name())
            .collect();
        assert!(
            left.iter()
                .all(|name| !name.to_string_lossy().contains(".part")),
            "{left:?}"
        );
    }

    #[tokio::test]
    async fn a_reader_that_opened_the_file_while_it_was_empty_leaves_the_writer_its_log_file() {
        let (_folder, path) = place();
        std::fs::write(&path, "").unwrap();
        let mut early = SqliteConnectOptions::new()
            .filename(&path)
            .read_only(true)
            .connect()
            .await
            .unwrap();
        let store = open(&path).await.unwrap();
        sqlx::raw_sql(migrate::ONE_ENTRY)
            .execute(&mut *store.raw().await)
            .await
            .unwrap();
        let count = "select count(*) from log";
        let seen: Result<i64, sqlx::Error> = sqlx::query_scalar(count).fetch_one(&mut early).await;
        assert!(has_wal(&path), "{seen:?}");
        assert!(Reader::open(&path).await.is_ok(), "{seen:?}");
        assert_eq!(seen.unwrap(), 1);
    }

    #[tokio::test]
    async fn nothing_lies_in_the_place_until_the_new_database_is_whole() {
        let (_folder, path) = place();
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
