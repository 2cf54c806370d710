//! Putting a database back from a copy of it. What was in its place is kept in a folder beside.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::connection::close;
use super::lock::{self, Locked};
use super::owner::connect_read_only;
use super::{backup, file};
use crate::StoreError;
use crate::draft::{Draft, free_name, give_to_owner_of, make_folder, sync_folder};

/// A copy that is ready to be put in the place of a database which no other process has open, for
/// as long as this lives.
pub struct PutBack {
    database: PathBuf,
    draft: Draft,
    /// None while there is no database to play in: then a copy that is refused leaves nothing.
    lock: Option<File>,
}

impl PutBack {
    /// Copies `from` beside the database, which no other process may have open. The database may be
    /// damaged, or not be there.
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
        let copied = backup::copy_into(&mut source, draft.path()).await;
        close(source).await?;
        copied?;
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

    /// Puts it in its place; answers the folder that keeps what was there. Killed meanwhile, the
    /// same restore goes on.
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

async fn alone(database: &Path) -> Result<File, StoreError> {
    match lock::acquire(database).await? {
        Locked::Alone(lock) => Ok(lock),
        Locked::Shared(_) => Err(StoreError::Io(format!(
            "another process has {} open. Stop every server of it, then send the same command again. Nothing was changed",
            database.display()
        ))),
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
