//! The connection that plays: one a process and campaign.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::SqliteConnection;

use super::connection::close;
use super::file::{InPlace, RawFile};
use super::lock::Alive;
use super::soundness::Soundness;
use super::{append, backups, fold, load, read};
use crate::game::record::entry::Entry;
use crate::game::record::state::State;
use crate::game::view::recap::Told;
use crate::store::{Head, Identity, LogRow, Reader, Remembered, Sealed, Store, StoreError};

/// The one connection of a process that writes, with the lock that says the process is alive.
pub struct Sqlite {
    pub(super) connection: SqliteConnection,
    /// A write was begun and neither committed nor rolled back.
    pub(super) open: bool,
    /// How long a write may wait for another process's write. The connection itself waits only for [`super::open::ATTEMPT`], so that
    /// the caller can do something else meanwhile.
    pub patience: Duration,
    pub(super) _alive: Alive,
    pub(super) in_place: InPlace,
    pub(super) soundness: Soundness,
    /// Open as long as the connection, which would else lose its locks; behind it, so that it is closed after it.
    pub(super) _file: RawFile,
}

impl Reader for Sqlite {
    fn database(&self) -> &Path {
        self.in_place.path()
    }

    async fn begin_read(&mut self) -> Result<(), StoreError> {
        self.begin_with(async |connection| read::begin(connection).await).await
    }

    async fn campaigns(&mut self) -> Result<Vec<(String, Identity)>, StoreError> {
        let found = read::campaigns(&mut self.connection).await;
        backups::advised(self.in_place.path(), found).await
    }

    async fn book(&mut self) -> Result<Option<String>, StoreError> {
        read::book(&mut self.connection).await
    }

    async fn head(&mut self, campaign: i64) -> Result<Head, StoreError> {
        read::head(&mut self.connection, campaign).await
    }

    async fn chain(&mut self, campaign: i64, seq: u64) -> Result<Option<[u8; 32]>, StoreError> {
        read::chain(&mut self.connection, campaign, seq).await
    }

    async fn load(&mut self, campaign: i64) -> Result<State, StoreError> {
        let state = load::state(&mut self.connection, campaign).await;
        backups::advised(self.in_place.path(), state).await
    }

    async fn close(mut self) -> Result<(), StoreError> {
        // The last to close takes the log file (WAL) into the database, so the check must have ended.
        let _ = self.soundness.known().await;
        close(self.connection).await
    }
}

impl Store for Sqlite {
    fn is_in_place(&self) -> Result<(), StoreError> {
        self.in_place.check()
    }

    async fn begin(&mut self, campaign: i64) -> Result<Head, StoreError> {
        self.is_in_place()?;
        // The advice is added here: by now another backup may be the newest good one.
        backups::advised(self.in_place.path(), self.soundness.known().await).await?;
        self.begin_with(async |connection| read::head_under_lock(connection, campaign).await).await
    }

    async fn end_read(&mut self) -> Result<(), StoreError> {
        sqlx::query("commit").execute(&mut self.connection).await?;
        self.open = false;
        Ok(())
    }

    async fn commit(
        &mut self,
        campaign: i64,
        entries: &[Sealed],
        answer: Option<(&str, &Remembered)>,
    ) -> Result<(), StoreError> {
        let last = entries.len().saturating_sub(1);
        for (nth, sealed) in entries.iter().enumerate() {
            fold::changes(&mut self.connection, campaign, &sealed.entry.changes).await?;
            let and_commit = nth == last && answer.is_none();
            append::entry(&mut self.connection, campaign, sealed, and_commit).await?;
        }
        if let Some((request_id, answer)) = answer {
            append::remember_and_commit(&mut self.connection, campaign, request_id, answer).await?;
        }
        self.open = false;
        Ok(())
    }

    async fn rollback(&mut self) -> Result<(), StoreError> {
        // A failed statement may have rolled back already; then there is nothing left to do.
        let rolled_back = sqlx::query("rollback").execute(&mut self.connection).await;
        self.open = false;
        match rolled_back {
            Err(error) if !error.to_string().contains("no transaction is active") => Err(error.into()),
            _ => Ok(()),
        }
    }

    async fn next_key(&mut self) -> Result<i64, StoreError> {
        let key = sqlx::query_scalar("select coalesce(max(id), 0) + 1 from campaigns")
            .fetch_one(&mut self.connection)
            .await?;
        Ok(key)
    }

    async fn bytes_after(&mut self, campaign: i64, seq: u64) -> Result<u64, StoreError> {
        read::bytes_after(&mut self.connection, campaign, seq).await
    }

    async fn after(&mut self, campaign: i64, seq: u64, limit: u32) -> Result<Vec<(u64, Entry)>, StoreError> {
        read::after(&mut self.connection, campaign, seq, limit).await
    }

    async fn changed(&mut self, campaign: i64, seq: u64, limit: u32) -> Result<Vec<(u64, Entry)>, StoreError> {
        read::changed(&mut self.connection, campaign, seq, limit).await
    }

    async fn besides_dice(&mut self, campaign: i64, seq: u64, limit: u32) -> Result<Vec<(u64, Entry)>, StoreError> {
        read::besides_dice(&mut self.connection, campaign, seq, limit).await
    }

    async fn story(&mut self, campaign: i64, first: u64, last: u64, limit: u32) -> Result<Vec<Told>, StoreError> {
        read::story(&mut self.connection, campaign, first, last, limit).await
    }

    async fn told(&mut self, campaign: i64, seq: u64) -> Result<Option<Told>, StoreError> {
        read::told(&mut self.connection, campaign, seq).await
    }

    async fn session_of(&mut self, campaign: i64, seq: u64) -> Result<Option<u32>, StoreError> {
        read::session_of(&mut self.connection, campaign, seq).await
    }

    async fn recall(&mut self, campaign: i64, request_id: &str) -> Result<Option<(Remembered, LogRow)>, StoreError> {
        let Some(kept) = append::recall(&mut self.connection, campaign, request_id).await? else { return Ok(None) };
        let rows = read::rows(&mut self.connection, campaign, kept.seq.saturating_sub(1), 1).await?;
        match rows.into_iter().next().filter(|row| row.seq == kept.seq) {
            Some(row) => Ok(Some((kept, row))),
            None => Err(StoreError::Unreadable { seq: kept.seq, reason: "an answer was kept for it".to_owned() }),
        }
    }
}

impl Sqlite {
    /// Whether it is known by now if the file is sound; a write that begins earlier waits for it.
    pub fn is_known(&self) -> bool {
        self.soundness.is_known()
    }

    /// Begins by `statement`, behind the rollback of a write that was dropped half-way.
    async fn begin_with<T>(
        &mut self,
        statement: impl AsyncFnOnce(&mut SqliteConnection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.open {
            self.rollback().await?;
        }
        self.open = true;
        statement(&mut self.connection).await
    }
}
