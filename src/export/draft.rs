//! A file in the making: written beside its place under another name, and put there whole or not at all.

use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use super::failed;
use crate::store::StoreError;

/// The draft of `out`; dropped unfinished, it is removed. Only its owner reads it.
pub struct Draft<'a> {
    file: NamedTempFile,
    out: &'a Path,
}

impl<'a> Draft<'a> {
    /// An empty file beside `out`.
    ///
    /// # Errors
    /// When there is something at `out` already, or its folder cannot be written.
    pub fn of(out: &'a Path) -> Result<Self, StoreError> {
        if out.is_symlink() || out.exists() {
            return Err(there_already(out));
        }
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = tempfile::Builder::new().prefix(".rollbook-").suffix(".part").tempfile_in(folder);
        Ok(Draft { file: file.map_err(|error| failed(out, &error))?, out })
    }

    /// Where it is being written.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// To write it.
    pub fn file(&mut self) -> &mut std::fs::File {
        self.file.as_file_mut()
    }

    /// Puts it in its place; never over something.
    pub fn finish(self) -> Result<(), StoreError> {
        self.file.as_file().sync_all().map_err(|error| failed(self.out, &error))?;
        self.file.persist_noclobber(self.out).map(drop).map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => there_already(self.out),
            _ => failed(self.out, &error.error),
        })
    }
}

fn there_already(out: &Path) -> StoreError {
    StoreError::Io(format!("{} is there already; name another file with --out", out.display()))
}

#[cfg(test)]
mod tests {
    use super::Draft;

    #[test]
    fn what_came_between_is_not_overwritten_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.csv");
        let draft = Draft::of(&out).unwrap();
        std::fs::write(&out, "mine").unwrap();
        assert!(draft.finish().unwrap_err().to_string().contains("is there already"));
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "mine");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
