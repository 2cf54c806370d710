//! A file in the making: written in a folder beside its place, and put there whole or not at all.
//!
//! The folder is locked while its process lives; one of a killed process goes with the next draft.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};

use super::StoreError;

const PREFIX: &str = ".rollbook-";
const SUFFIX: &str = ".part";
/// Names of a folder that are looked at for drafts of killed processes.
const NAMES_MAX: usize = 10_000;
/// How often a folder is made anew that was removed before it was locked.
const ATTEMPTS: usize = 10;

/// Makes a folder that only its owner reads, and those above it, where they are not there.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// How a file is opened to be read, and made for its owner alone.
pub(crate) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// The first of the names with a number that nothing has; `None` where a thousand are taken.
pub fn free_name(named: impl Fn(usize) -> PathBuf) -> Option<PathBuf> {
    (1..1000)
        .map(named)
        .find(|path| path.symlink_metadata().is_err())
}

/// Gives what another user (root, by hand) made beside a database to its owner, if it can.
pub fn give_to_owner_of(database: &Path, made: &Path) {
    #[cfg(unix)]
    if let (Ok(owned), Ok(about)) = (database.metadata(), made.symlink_metadata()) {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        if about.is_symlink() {
            return;
        }
        if (owned.uid(), owned.gid()) != (about.uid(), about.gid()) {
            let _ = std::os::unix::fs::lchown(made, Some(owned.uid()), Some(owned.gid()));
        }
        let read = owned.mode() & 0o666;
        let mode = if about.is_dir() {
            read | (read & 0o444) >> 2
        } else {
            read
        };
        let _ = std::fs::set_permissions(made, std::fs::Permissions::from_mode(mode));
    }
}

/// Waits until the name of a file is on the disk.
pub fn sync_folder(file: &Path) -> Result<(), StoreError> {
    #[cfg(unix)]
    if let Some(folder) = file.parent() {
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        synced.map_err(|error| {
            StoreError::Io(format!("cannot sync {}: {error}", folder.display()))
        })?;
    }
    Ok(())
}

/// The draft of `out`; dropped unfinished, it is removed. Only its owner reads it.
pub struct Draft {
    file: NamedTempFile,
    // Dropped in this order: the folder goes while it is still locked.
    _folder: TempDir,
    _lock: Option<File>,
    out: PathBuf,
}

impl Draft {
    /// An empty file beside `out`.
    pub fn of(out: &Path) -> Result<Self, StoreError> {
        if out.is_symlink() || out.exists() {
            Err(there_already(out))
        } else {
            Draft::beside(out)
        }
    }

    /// An empty file beside `out`, whatever is there.
    pub fn beside(out: &Path) -> Result<Self, StoreError> {
        let beside = out
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        remove_left_behind(beside);
        let is_gone =
            |error: &io::Error| error.kind() == io::ErrorKind::NotFound && beside.is_dir();
        let mut attempts = (0..ATTEMPTS).map(|_| begin(beside));
        let begun = attempts.find(|begun| !begun.as_ref().is_err_and(is_gone));
        let begun = begun.unwrap_or_else(|| Err(io::ErrorKind::NotFound.into()));
        let (file, folder, lock) = begun.map_err(|error| not_written(out, &error))?;
        Ok(Draft {
            file,
            _folder: folder,
            _lock: lock,
            out: out.to_owned(),
        })
    }

    /// Where it is in the making.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// What it is written to.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Waits until what was written is on the disk.
    pub async fn sync(&self) -> Result<(), StoreError> {
        let file = self
            .file
            .as_file()
            .try_clone()
            .map_err(|error| not_written(&self.out, &error))?;
        let synced = tokio::task::spawn_blocking(move || file.sync_all()).await;
        synced
            .map_err(io::Error::other)
            .flatten()
            .map_err(|error| not_written(&self.out, &error))
    }

    /// Puts what was synced in its place; never over something. The folder is not synced: after a
    /// loss of power the place may hold nothing.
    pub fn place(self) -> Result<(), StoreError> {
        let Draft { file, out, .. } = self;
        file.persist_noclobber(&out)
            .map(drop)
            .map_err(|error| match error.error.kind() {
                io::ErrorKind::AlreadyExists => there_already(&out),
                _ => not_written(&out, &error.error),
            })
    }

    /// The same, synced first.
    pub fn finish(self) -> Result<(), StoreError> {
        self.file
            .as_file()
            .sync_all()
            .map_err(|error| not_written(&self.out, &error))?;
        self.place()
    }
}

fn begin(beside: &Path) -> io::Result<(NamedTempFile, TempDir, Option<File>)> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    let folder = builder.tempdir_in(beside)?;
    let lock = match lock(folder.path()) {
        Ok(lock) => Some(lock),
        // Another process takes it for one of a killed process, and removes it.
        Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::NotFound.into()),
        // Folders cannot be locked here; then no process removes them either.
        Err(TryLockError::Error(_)) => None,
    };
    let file = tempfile::Builder::new().tempfile_in(folder.path())?;
    Ok((file, folder, lock))
}

fn lock(folder: &Path) -> Result<File, TryLockError> {
    let file = File::open(folder).map_err(TryLockError::Error)?;
    file.try_lock().map(|()| file)
}

/// Removes the drafts that killed processes left in a folder.
pub fn remove_left_behind(folder: &Path) {
    let Ok(listing) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in listing.flatten().take(NAMES_MAX) {
        let name = entry.file_name();
        let Some(name) = name
            .to_str()
            .filter(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX))
        else {
            continue;
        };
        let path = folder.join(name);
        if entry.file_type().is_ok_and(|kind| kind.is_dir())
            && let Ok(lock) = lock(&path)
        {
            if let Err(error) = std::fs::remove_dir_all(&path) {
                tracing::warn!(
                    "{} was left behind and cannot be removed: {error}",
                    path.display()
                );
            }
            drop(lock);
        }
    }
}

fn there_already(out: &Path) -> StoreError {
    StoreError::Io(format!(
        "{} is there already; name another file with --out",
        out.display()
    ))
}

pub(super) fn not_written(path: &Path, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Io(format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::{Draft, remove_left_behind};

    #[test]
    fn what_came_between_is_not_overwritten_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.csv");
        let draft = Draft::of(&out).unwrap();
        std::fs::write(&out, "mine").unwrap();
        assert!(
            draft
                .finish()
                .unwrap_err()
                .to_string()
                .contains("is there already")
        );
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "mine");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_killed_draft_is_removed_by_the_next_one_and_a_living_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let killed = folder.path().join(".rollbook-abc.part");
        std::fs::create_dir(&killed).unwrap();
        std::fs::write(killed.join("half"), "half").unwrap();
        let mut first = Draft::of(&folder.path().join("first.csv")).unwrap();
        assert!(!killed.exists());
        let second = Draft::of(&folder.path().join("second.csv")).unwrap();
        remove_left_behind(folder.path());
        first.file().write_all(b"whole").unwrap();
        first.finish().unwrap();
        second.finish().unwrap();
        let mut names: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|one| one.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["first.csv", "second.csv"]);
        assert_eq!(
            std::fs::read_to_string(folder.path().join("first.csv")).unwrap(),
            "whole"
        );
    }
}
