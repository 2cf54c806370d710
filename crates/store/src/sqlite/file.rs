//! The database's file beside SQLite: its bytes, its place, and the files that SQLite keeps next to it.
//!
//! POSIX takes from a process all its locks on a file as soon as the process closes any handle to it, SQLite's among them. The next
//! process that closes the database then takes itself for the last, and removes the log file (WAL) of the one that still writes:
//! what that one commits is lost. So a process opens a file once, all that read its bytes share this [`RawFile`], and a
//! connection that writes keeps it open as long as itself.

use std::collections::BTreeMap;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::StoreError;

/// Device and inode; no other file gets them while this one is open.
type FileId = (u64, u64);

/// The files that this process has open.
static OPEN: Mutex<BTreeMap<FileId, Handles>> = Mutex::new(BTreeMap::new());

/// What is open of one file.
struct Handles {
    /// The first is read; there is another where it was opened to be read alone at first, and to be written later.
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
            if let Some(known) = open.get_mut(&id).filter(|known| known.writable || !to_write) {
                known.users += 1;
                return Ok(RawFile(id));
            }
        }
        let mut options = OpenOptions::new();
        options.read(true).append(to_write).create(to_write);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let handle = options.open(path)?;
        let id = id(&handle.metadata()?);
        let handles = open.entry(id).or_insert(Handles { all: Vec::new(), writable: false, users: 0 });
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
/// A file that was removed, renamed or cut stays open, and SQLite writes on into it: what is acknowledged then is under another
/// name, or is gone once the process ends. One look at the folder before a call, and one before it is acknowledged, shows that.
#[derive(Clone)]
pub struct InPlace {
    path: PathBuf,
    /// Not known where files have no such numbers: there only that something is at the path is seen.
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

/// Whether the log file has content as before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WalState {
    Unchanged,
    /// The log file is empty: another program may have written it into the database, and then SQLite knows.
    Emptied,
}

impl InPlace {
    /// What is there now.
    pub fn of(path: &Path) -> Result<Self, StoreError> {
        let about = path.symlink_metadata().map_err(|_| moved(path))?;
        let file = cfg!(unix).then(|| id(&about));
        let in_place = InPlace { path: path.to_path_buf(), file, seen: Arc::default() };
        in_place.check()?;
        Ok(in_place)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Refuses where another file, or none, is at either path, and where the database is shorter than its own pages.
    pub fn check(&self) -> Result<WalState, StoreError> {
        let about = self.path.symlink_metadata().map_err(|_| moved(&self.path))?;
        if cfg!(unix).then(|| id(&about)) != self.file {
            return Err(moved(&self.path));
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if about.len() < seen.length && !is_whole(&self.path, about.len()) {
            return Err(cut(&self.path, "it is shorter than its own pages: it was cut".to_owned()));
        }
        seen.length = about.len();
        self.check_wal(&mut seen)
    }

    fn check_wal(&self, seen: &mut Seen) -> Result<WalState, StoreError> {
        let path = beside(&self.path, "-wal");
        let found = path.symlink_metadata().ok().filter(|_| cfg!(unix)).map(|about| (id(&about), about.len()));
        match (seen.wal, found) {
            (Some((was, _)), found) if found.is_none_or(|(is, _)| is != was) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                Err(cut(&self.path, format!("its log file {name} was removed or replaced")))
            }
            (Some((was, length)), Some((_, 0))) if length > 0 => {
                seen.wal = Some((was, 0));
                Ok(WalState::Emptied)
            }
            (_, found) => {
                seen.wal = found.or(seen.wal);
                Ok(WalState::Unchanged)
            }
        }
    }

    /// The refusal of a log file whose content is gone, though SQLite knows of entries in it.
    pub fn wal_was_cut(&self) -> StoreError {
        cut(&self.path, "its log file was cut to nothing".to_owned())
    }
}

/// Whether a database that became shorter still has all of its pages, as its header counts them: another program may have packed it.
fn is_whole(path: &Path, length: u64) -> bool {
    let Ok((header, _)) = RawFile::of(path).and_then(|file| file.beginning(32)) else { return false };
    let pages = page_size(&header).zip(number(&header, 28));
    pages.is_some_and(|(page, pages)| page > 0 && pages > 0 && page * u64::from(pages) <= length)
}

/// The number of four bytes at that place of a header.
pub fn number(header: &[u8], at: usize) -> Option<u32> {
    header.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes)
}

/// Bytes of a page.
pub fn page_size(header: &[u8]) -> Option<u64> {
    let size = header.get(16..18)?.try_into().ok().map(u16::from_be_bytes)?;
    Some(if size == 1 { 65_536 } else { u64::from(size) })
}

fn cut(path: &Path, what: String) -> StoreError {
    StoreError::Cut { path: path.display().to_string(), what }
}

fn moved(path: &Path) -> StoreError {
    StoreError::Moved { path: path.display().to_string() }
}

/// The path with something after its file name.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(suffix);
    PathBuf::from(beside)
}

/// Whether a log file (WAL) with content is beside it.
pub fn has_wal(path: &Path) -> bool {
    std::fs::metadata(beside(path, "-wal")).is_ok_and(|wal| wal.len() > 0)
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Handles of the file, and how many share them.
    fn handles(path: &Path) -> Option<(usize, usize)> {
        let about = std::fs::metadata(path).unwrap();
        files().get(&id(&about)).map(|handles| (handles.all.len(), handles.users))
    }

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
        assert_eq!(RawFile::of(&path).unwrap().beginning(100).unwrap().0, b"abcdef");
    }
}
