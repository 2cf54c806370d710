//! Whether the file is sound, which neither a kill nor a stop in good order proves. It is looked at
//! whole when no other process has it open, which takes a third of a second for 100,000 entries: in
//! the background, so that reading does not wait; nothing is written before it is known.

use std::path::{Path, PathBuf};

use sqlx::sqlite::SqliteConnection;
use tokio::task::JoinHandle;

use super::connection::{close, read_only};
use crate::StoreError;
use crate::error::damaged;
use crate::sql::error::of_file;

pub(super) enum Soundness {
    /// It was looked at, or just made, here or by a process that has it open too.
    Sound,
    Looking(PathBuf, JoinHandle<Result<(), StoreError>>),
    /// It is not sound, for this reason.
    Damaged(PathBuf, String),
}

impl Soundness {
    pub fn look(path: &Path) -> Soundness {
        let file = path.to_owned();
        let looking = tokio::spawn(async move {
            let mut connection = read_only(&file).await?;
            let found = quick_check(&mut connection, &file).await;
            close(connection).await?;
            found
        });
        Soundness::Looking(path.to_owned(), looking)
    }

    pub fn is_known(&self) -> bool {
        match self {
            Soundness::Sound | Soundness::Damaged(..) => true,
            Soundness::Looking(_, looking) => looking.is_finished(),
        }
    }

    /// Waits until it is known. [`StoreError::Damaged`] ever after; after others it looks again.
    pub async fn known(&mut self) -> Result<(), StoreError> {
        let (path, found) = match self {
            Soundness::Sound => return Ok(()),
            Soundness::Damaged(path, reason) => return Err(damaged(path, reason.clone())),
            Soundness::Looking(path, looking) => (path.clone(), looking.await),
        };
        let found = found.unwrap_or_else(|error| {
            Err(StoreError::Io(format!("the check was broken off: {error}")))
        });
        *self = match &found {
            Ok(()) => Soundness::Sound,
            Err(StoreError::Damaged { reason, .. }) => Soundness::Damaged(path, reason.clone()),
            Err(_) => Soundness::look(&path),
        };
        found
    }
}

pub(super) async fn quick_check(
    connection: &mut SqliteConnection,
    path: &Path,
) -> Result<(), StoreError> {
    let found = sqlx::query_scalar::<_, String>("pragma quick_check(1)")
        .fetch_one(connection)
        .await;
    match found {
        Ok(text) if text == "ok" => Ok(()),
        Ok(text) => Err(damaged(path, text)),
        Err(error) => Err(of_file(path, error)),
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use crate::StoreError;
    use crate::sqlite::{Sqlite, damage, open};

    /// A database whose last process was killed: its files are taken over while it is open.
    async fn killed(folder: &Path) -> PathBuf {
        let alive = folder.join("alive.db");
        let store = open(&alive).await.unwrap();
        let fill = "create table filler (text text);
            insert into filler with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
            select hex(randomblob(100)) from n;
            pragma wal_checkpoint(truncate); create table last (text text)";
        sqlx::raw_sql(fill)
            .execute(&mut *store.raw().await)
            .await
            .unwrap();
        let path = folder.join("campaigns.db");
        for end in ["", "-wal"] {
            std::fs::copy(
                format!("{}{end}", alive.display()),
                format!("{}{end}", path.display()),
            )
            .unwrap();
        }
        path
    }

    async fn begins(store: &Sqlite) -> Result<(), StoreError> {
        let mut turn = store.turn().await?;
        turn.begin(1).await?;
        turn.rollback().await
    }

    #[tokio::test]
    async fn a_sound_file_is_read_at_once_and_a_damaged_one_is_never_written_also_after_a_stop_in_good_order()
     {
        for stops in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let path = killed(folder.path()).await;
            if stops {
                let store = open(&path).await.unwrap();
                store.read().await.unwrap().campaigns().await.unwrap();
                begins(&store).await.unwrap();
                assert!(store.turn().await.unwrap().is_known());
                store.close().await.unwrap();
                assert!(!crate::sqlite::file::has_wal(&path));
            }
            // A page that no opening reads, in the middle of the filler.
            damage(
                &path,
                std::fs::metadata(&path).unwrap().len() as usize - 204_096,
                4096,
            );
            let store = open(&path).await.unwrap();
            store.read().await.unwrap().campaigns().await.unwrap();
            for _ in 0..2 {
                assert!(matches!(
                    begins(&store).await,
                    Err(StoreError::Damaged { .. })
                ));
            }
        }
    }
}
