//! Whether the path still leads to the file that was opened.
//!
//! A file that was removed or renamed stays open, and SQLite writes on into it: what is acknowledged then lies where nobody
//! looks for it, or nowhere once the process ends. One look at the folder before a call tells.

use std::path::{Path, PathBuf};

use crate::store::StoreError;

/// A path and the file that was there when it was opened.
pub struct InPlace {
    path: PathBuf,
    file: FileId,
}

/// Device and inode; no other file gets them while this one is open.
#[cfg(unix)]
type FileId = (u64, u64);
/// Elsewhere only that it is there.
#[cfg(not(unix))]
type FileId = ();

impl InPlace {
    /// What lies there now.
    pub fn of(path: &Path) -> Result<Self, StoreError> {
        let file = identify(path).map_err(|_| moved(path))?;
        Ok(InPlace { path: path.to_path_buf(), file })
    }

    /// Where it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Refuses where another file, or none, lies at the path.
    pub fn check(&self) -> Result<(), StoreError> {
        match identify(&self.path) {
            Ok(file) if file == self.file => Ok(()),
            _ => Err(moved(&self.path)),
        }
    }
}

#[cfg(unix)]
fn identify(path: &Path) -> std::io::Result<FileId> {
    use std::os::unix::fs::MetadataExt;
    path.symlink_metadata().map(|about| (about.dev(), about.ino()))
}

#[cfg(not(unix))]
fn identify(path: &Path) -> std::io::Result<FileId> {
    path.symlink_metadata().map(drop)
}

fn moved(path: &Path) -> StoreError {
    StoreError::Moved { path: path.display().to_string() }
}
