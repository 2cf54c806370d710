//! The database's file beside SQLite: its bytes, its place, and the files SQLite keeps next to it.
//!
//! POSIX takes from a process all its locks on a file as soon as the process closes any handle to
//! it, SQLite's among them. The next process that closes the database then takes itself for the
//! last, and removes the log file (WAL) of the one that still writes: what that one commits is
//! lost. So a process opens a file once, all that read its bytes share this [`RawFile`], and a
//! connection that writes keeps it open as long as itself.
//!
//! A connection that writes puts the file back as a journal says that a killed process left beside
//! it; one that only reads is refused (code 776). A first start writes through such a journal when
//! it turns an empty file into one with a log file (WAL) beside it, so a kill in that moment leaves
//! a file with one page that will be empty again.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use crate::StoreError;
use crate::draft::private;
use crate::error::damaged;

/// How long a write waits for another process's write.
pub const BUSY: Duration = Duration::from_secs(5);

/// Bytes of a database's header (SQLite's file format, 1.3).
pub const HEADER: usize = 100;
/// How every rollback journal begins (3.0).
const JOURNAL: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// Device and inode; no other file gets them while this one is open.
type FileId = (u64, u64);

/// The files that this process has open.
static OPEN: Mutex<BTreeMap<FileId, Handles>> = Mutex::new(BTreeMap::new());

/// What is open of one file.
struct Handles {
    /// The first is read; another is there where it was opened to be read first and written later.
    all: Vec<File>,
    writable: bool,
    /// How many share them.
    users: usize,
}

/// A share in an open file; its handles are closed with the last one, before it can be opened anew.
pub struct RawFile(FileId);

impl RawFile {
    /// The file to be read.
    pub fn of(path: &Path) -> io::Result<RawFile> {
        RawFile::shared(path, false)
    }

    /// The file, which can be written; made, the owner's alone, where there is none.
    pub fn made(path: &Path) -> io::Result<RawFile> {
        RawFile::shared(path, true)
    }

    /// A share in what is open already, or in another handle.
    fn shared(path: &Path, to_write: bool) -> io::Result<RawFile> {
        let mut open = files();
        if let Ok(about) = std::fs::metadata(path) {
            let id = id(&about);
            if let Some(known) = open
                .get_mut(&id)
                .filter(|known| known.writable || !to_write)
            {
                known.users += 1;
                return Ok(RawFile(id));
            }
        }
        let handle = private().append(to_write).create(to_write).open(path)?;
        let id = id(&handle.metadata()?);
        let handles = open.entry(id).or_insert(Handles {
            all: Vec::new(),
            writable: false,
            users: 0,
        });
        handles.all.push(handle);
        handles.writable |= to_write;
        handles.users += 1;
        Ok(RawFile(id))
    }

    /// Its first bytes, at most so many, and its length.
    pub fn beginning(&self, most: u64) -> io::Result<(Vec<u8>, u64)> {
        let open = files();
        let handle = open.get(&self.0).and_then(|handles| handles.all.first());
        let mut file = handle.ok_or(io::ErrorKind::NotFound)?;
        file.seek(SeekFrom::Start(0))?;
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes)?;
        Ok((bytes, file.metadata()?.len()))
    }
}

impl Drop for RawFile {
    fn drop(&mut self) {
        let mut open = files();
        if let Some(handles) = open.get_mut(&self.0) {
            handles.users -= 1;
            if handles.users == 0 {
                open.remove(&self.0);
            }
        }
    }
}

fn files() -> MutexGuard<'static, BTreeMap<FileId, Handles>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A path and the files that were there when it was opened: the database, and its log file (WAL).
///
/// A file that was removed, renamed or cut stays open, and SQLite writes on into it: what is
/// acknowledged then is under another name, or is gone once the process ends. One look at the
/// folder before a call, and one before it is acknowledged, shows that.
#[derive(Clone)]
pub struct InPlace {
    path: PathBuf,
    /// Not known where files have no such numbers: there only that something is there is seen.
    file: Option<FileId>,
    seen: Arc<Mutex<Seen>>,
}

/// What was seen of the two so far.
#[derive(Default)]
struct Seen {
    /// Bytes of the database.
    length: u64,
    /// The log file, which SQLite makes with the first reading, and its bytes.
    wal: Option<(FileId, u64)>,
}

impl InPlace {
    /// What is there now.
    pub fn of(path: &Path) -> Result<Self, StoreError> {
        let about = path.symlink_metadata().map_err(|_| moved(path))?;
        let file = cfg!(unix).then(|| id(&about));
        let in_place = InPlace {
            path: path.to_path_buf(),
            file,
            seen: Arc::default(),
        };
        in_place.check()?;
        Ok(in_place)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Refuses where another file, or none, is at either path, and where the database is shorter
    /// than its own pages. Answers whether the log file was emptied since: another program may have
    /// written it into the database, and then SQLite knows.
    pub fn check(&self) -> Result<bool, StoreError> {
        let about = self
            .path
            .symlink_metadata()
            .map_err(|_| moved(&self.path))?;
        if cfg!(unix).then(|| id(&about)) != self.file {
            return Err(moved(&self.path));
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if about.len() < seen.length && !is_whole(&self.path, about.len()) {
            return Err(cut(
                &self.path,
                "it is shorter than its own pages: it was cut".to_owned(),
            ));
        }
        seen.length = about.len();
        self.check_wal(&mut seen)
    }

    fn check_wal(&self, seen: &mut Seen) -> Result<bool, StoreError> {
        let path = beside(&self.path, "-wal");
        let found = path
            .symlink_metadata()
            .ok()
            .filter(|_| cfg!(unix))
            .map(|about| (id(&about), about.len()));
        match (seen.wal, found) {
            (Some((was, _)), found) if found.is_none_or(|(is, _)| is != was) => {
                let name = path
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                Err(cut(
                    &self.path,
                    format!("its log file {name} was removed or replaced"),
                ))
            }
            (Some((was, length)), Some((_, 0))) if length > 0 => {
                seen.wal = Some((was, 0));
                Ok(true)
            }
            (_, found) => {
                seen.wal = found.or(seen.wal);
                Ok(false)
            }
        }
    }

    /// The refusal of a log file whose content is gone, though SQLite knows of entries in it.
    pub fn wal_was_cut(&self) -> StoreError {
        cut(&self.path, "its log file was cut to nothing".to_owned())
    }
}

/// Whether a shorter database has all pages that its header counts: it may have been packed.
fn is_whole(path: &Path, length: u64) -> bool {
    let Ok((header, _)) = RawFile::of(path).and_then(|file| file.beginning(32)) else {
        return false;
    };
    let pages = page_size(&header).zip(number(&header, 28));
    pages.is_some_and(|(page, pages)| page > 0 && pages > 0 && page * u64::from(pages) <= length)
}

/// Refuses a file whose length is not what its header says. Only where no process has it open:
/// while it is written, or after that, the files beside it count, and SQLite's check goes by them.
pub fn check_length(path: &Path) -> Result<(), StoreError> {
    if has_wal(path) || pages_before(path).is_some() {
        return Ok(());
    }
    let Ok((header, length)) = RawFile::of(path).and_then(|file| file.beginning(HEADER as u64))
    else {
        return Ok(());
    };
    match wrong_length(&header, length) {
        Some(what) if length > 0 => Err(damaged(path, what)),
        _ => Ok(()),
    }
}

fn wrong_length(header: &[u8], length: u64) -> Option<String> {
    if header.len() < HEADER {
        return Some(format!("it is cut off after {length} bytes"));
    }
    let (page, pages) = (page_size(header)?, u64::from(number(header, 28)?));
    // Programs before SQLite 3.7.0 did not keep the number of pages; then the length alone counts.
    let is_kept = pages > 0 && number(header, 24) == number(header, 92);
    if is_kept && pages * page != length {
        return Some(format!(
            "its header says {pages} pages of {page} bytes, and it is {length} bytes long"
        ));
    }
    (page > 0 && !length.is_multiple_of(page))
        .then(|| format!("it has pages of {page} bytes, and is {length} bytes long"))
}

/// The number of four bytes at that place of a header.
pub fn number(header: &[u8], at: usize) -> Option<u32> {
    header
        .get(at..at + 4)
        .and_then(|bytes| bytes.try_into().ok())
        .map(u32::from_be_bytes)
}

/// Bytes of a page.
fn page_size(header: &[u8]) -> Option<u64> {
    let size = header
        .get(16..18)?
        .try_into()
        .ok()
        .map(u16::from_be_bytes)?;
    Some(if size == 1 { 65_536 } else { u64::from(size) })
}

fn cut(path: &Path, what: String) -> StoreError {
    StoreError::Cut {
        path: path.display().to_string(),
        what,
    }
}

fn moved(path: &Path) -> StoreError {
    StoreError::Moved {
        path: path.display().to_string(),
    }
}

/// The path with something after its file name.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(suffix);
    PathBuf::from(beside)
}

/// Bytes of a log file (WAL) before its first entry. SQLite writes no more before it has synced the
/// folder, so after a loss of power they may be all there is of a first start.
const WAL_HEADER: u64 = 32;

/// Whether a log file (WAL) with entries is beside it.
pub fn has_wal(path: &Path) -> bool {
    std::fs::metadata(beside(path, "-wal")).is_ok_and(|wal| wal.len() > WAL_HEADER)
}

/// Pages of the database before the write that the journal beside it is of; `None` without one.
pub fn pages_before(database: &Path) -> Option<u32> {
    let mut header = [0; 20];
    File::open(beside(database, "-journal"))
        .and_then(|mut file| file.read_exact(&mut header))
        .ok()?;
    number(&header, 16).filter(|_| header.starts_with(&JOURNAL))
}

/// Lets SQLite put the file back as its journal says; without one it costs a look at the folder.
pub async fn recover(database: &Path) -> Result<(), sqlx::Error> {
    if pages_before(database).is_none() {
        return Ok(());
    }
    let mut connection = SqliteConnectOptions::new()
        .filename(database)
        .busy_timeout(BUSY)
        .connect()
        .await?;
    // The first read does it.
    let read = sqlx::query("select count(*) from sqlite_schema")
        .fetch_one(&mut connection)
        .await;
    connection.close().await?;
    read.map(drop)
}

#[cfg(unix)]
fn id(about: &Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    (about.dev(), about.ino())
}

/// Elsewhere a closed handle takes no locks with it, so nothing is shared.
#[cfg(not(unix))]
fn id(_: &Metadata) -> FileId {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    (0, NEXT.fetch_add(1, Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use sqlx::AssertSqlSafe;

    use super::*;
    use crate::Reader;
    use crate::sqlite::{Alone, made, open};

    /// Handles of the file, and how many share them.
    #[cfg(unix)]
    fn handles(path: &Path) -> Option<(usize, usize)> {
        let about = std::fs::metadata(path).unwrap();
        files()
            .get(&id(&about))
            .map(|handles| (handles.all.len(), handles.users))
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_open_until_nobody_shares_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        assert!(RawFile::of(&path).is_err());
        let made = RawFile::made(&path).unwrap();
        std::fs::write(&path, b"abcdef").unwrap();
        let read = RawFile::of(&path).unwrap();
        assert_eq!(handles(&path), Some((1, 2)));
        drop(made);
        for _ in 0..2 {
            assert_eq!(read.beginning(3).unwrap(), (b"abc".to_vec(), 6));
        }
        drop(RawFile::made(&path).unwrap());
        assert_eq!(handles(&path), Some((1, 1)));
        drop(read);
        let read = RawFile::of(&path).unwrap();
        for _ in 0..3 {
            drop(RawFile::made(&path).unwrap());
            assert_eq!(handles(&path), Some((2, 1)), "one to read, one to write");
        }
        drop(read);
        assert_eq!(handles(&path), None);
        assert_eq!(
            RawFile::of(&path).unwrap().beginning(100).unwrap().0,
            b"abcdef"
        );
    }

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
            let (_folder, path) = made().await;
            // Nobody has it open, also no program that a test beside this one is just starting.
            drop(Alone::take(&path).await.unwrap());
            let mut bytes = std::fs::read(&path).unwrap();
            vandal(&mut bytes);
            std::fs::write(&path, &bytes).unwrap();
            for refused in [
                open(&path).await.map(drop),
                Reader::open(&path).await.map(drop),
            ] {
                assert!(
                    matches!(refused, Err(StoreError::Damaged { .. })),
                    "{refused:?}"
                );
            }
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "nothing was changed");
        }
    }

    /// A database killed while more than its cache holds was written: pages lie in it already.
    async fn killed(folder: &Path, before: &str) -> PathBuf {
        let alive = folder.join("alive.db");
        let mut connection = SqliteConnectOptions::new()
            .filename(&alive)
            .create_if_missing(true)
            .connect()
            .await
            .unwrap();
        let all = format!(
            "pragma journal_mode = delete; {before}; pragma cache_size = 2; begin; create table filler (text text);
             insert into filler with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
             select hex(randomblob(500)) from n"
        );
        sqlx::raw_sql(AssertSqlSafe(all))
            .execute(&mut connection)
            .await
            .unwrap();
        let path = folder.join("campaigns.db");
        for end in ["", "-journal"] {
            std::fs::copy(beside(&alive, end), beside(&path, end)).unwrap();
        }
        path
    }

    #[tokio::test]
    async fn a_first_start_or_a_write_killed_with_a_journal_beside_it_is_taken_up_again() {
        for (is_ours, reads_first) in [(false, false), (false, true), (true, true), (true, false)] {
            let folder = tempfile::tempdir().unwrap();
            if is_ours {
                let alive = folder.path().join("alive.db");
                open(&alive).await.unwrap().close().await.unwrap();
            }
            let path = killed(folder.path(), "").await;
            assert_eq!(pages_before(&path).map(|pages| pages > 0), Some(is_ours));
            assert!(std::fs::metadata(&path).unwrap().len() > 0);
            if reads_first {
                let refusal = Reader::open(&path).await.map(drop).err();
                let is_empty =
                    |refusal: StoreError| refusal.to_string().contains("holds nothing yet");
                assert_eq!(refusal.map(is_empty), (!is_ours).then_some(true));
            }
            let store = open(&path).await.unwrap();
            assert_eq!(pages_before(&path), None);
            assert!(store.read().await.unwrap().book().await.unwrap().is_some());
            store.close().await.unwrap();
        }
    }

    #[tokio::test]
    async fn another_programs_database_with_a_journal_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = killed(folder.path(), "create table shopping (what text)").await;
        let files = || ["", "-journal"].map(|end| std::fs::read(beside(&path, end)).unwrap());
        let before = files();
        for refused in [
            open(&path).await.map(drop),
            Reader::open(&path).await.map(drop),
        ] {
            let Err(error @ StoreError::NotOpened { .. }) = refused else {
                panic!("{refused:?}")
            };
            assert!(error.to_string().contains("-journal"), "{error}");
        }
        assert_eq!(files(), before);
    }
}
