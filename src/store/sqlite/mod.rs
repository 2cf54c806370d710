//! The log in SQLite through sqlx: one file, WAL, `synchronous = FULL`.
//!
//! With NORMAL, power loss can lose acknowledged entries while the chain still verifies; FULL costs one sync a call
//! and loses none. `begin immediate` takes the write lock at once, because a lock taken at the first write fails
//! half of all calls with two processes.

pub mod append;
pub mod backup;
pub mod batch;
pub mod copy;
mod damage;
mod fold;
mod fresh;
mod guard;
mod header;
mod in_place;
pub mod inspect;
mod journal;
pub mod load;
mod lock;
pub mod migrate;
mod open;
mod owner;
mod raw_file;
pub mod read;
mod soundness;

use std::path::Path;
use std::time::Duration;

use sqlx::Connection;
use sqlx::sqlite::SqliteConnection;

pub use fresh::{Durability, Preparing};
pub use open::{close, connect_read_only, open, open_prepared, open_throw_away, open_waiting};

use super::{Head, Identity, LogRow, Remembered, Sealed, Store, StoreError, checkpoint};
use crate::game::record::entry::Entry;
use crate::game::record::loss::{KnownBy, Loss};
use crate::game::record::state::State;

/// The one connection of a process that writes, with the lock that says the process is alive.
pub struct Sqlite {
    connection: SqliteConnection,
    /// A write was begun and neither committed nor rolled back.
    open: bool,
    /// How long a write may wait for another process's write. The connection itself waits only for [`open::ATTEMPT`], so that
    /// whoever holds the store can do something else meanwhile.
    pub patience: Duration,
    _alive: lock::Alive,
    in_place: in_place::InPlace,
    soundness: soundness::Soundness,
    /// Open as long as the connection, which would else lose its locks; behind it, so that it is closed after it.
    _file: raw_file::RawFile,
}

impl Store for Sqlite {
    fn is_in_place(&self) -> Result<(), StoreError> {
        self.in_place.check()
    }

    async fn begin(&mut self, campaign: i64) -> Result<Head, StoreError> {
        self.is_in_place()?;
        self.soundness.known().await?;
        self.begin_with(async |connection| read::head_under_lock(connection, campaign).await).await
    }

    async fn begin_read(&mut self) -> Result<(), StoreError> {
        self.begin_with(async |connection| {
            sqlx::query("begin deferred").execute(connection).await.map(drop).map_err(StoreError::from)
        })
        .await
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

    async fn find(&mut self, name: &str) -> Result<Option<Identity>, StoreError> {
        let found = read::find(&mut self.connection, name).await;
        damage::told(self.in_place.path(), found).await
    }

    async fn names(&mut self) -> Result<Vec<String>, StoreError> {
        Ok(read::campaigns(&mut self.connection).await?.into_iter().map(|(name, _)| name).collect())
    }

    async fn lost(&mut self, name: &str) -> Result<Option<u64>, StoreError> {
        let Some(book) = self.book().await? else { return Ok(None) };
        let held = read::find(&mut self.connection, name).await?;
        let lines = checkpoint::read(self.in_place.path()).lines.into_iter();
        let of_this = lines.filter(|line| line.book.as_ref() == Some(&book));
        let named = of_this.filter(|line| line.name.as_deref().is_some_and(|known| crate::names::same(known, name)));
        Ok(named.map(|line| line.seq).max().filter(|_| held.is_none()))
    }

    async fn shortened(&mut self, identity: &Identity) -> Result<Option<Loss>, StoreError> {
        shortened(&mut self.connection, self.in_place.path(), identity).await
    }

    async fn chain(&mut self, campaign: i64, seq: u64) -> Result<Option<[u8; 32]>, StoreError> {
        read::chain(&mut self.connection, campaign, seq).await
    }

    async fn next_key(&mut self) -> Result<i64, StoreError> {
        let key = sqlx::query_scalar("select coalesce(max(id), 0) + 1 from campaigns")
            .fetch_one(&mut self.connection)
            .await?;
        Ok(key)
    }

    async fn head(&mut self, campaign: i64) -> Result<Head, StoreError> {
        read::head(&mut self.connection, campaign).await
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

    async fn load(&mut self, campaign: i64) -> Result<State, StoreError> {
        let state = load::state(&mut self.connection, campaign).await;
        damage::told(self.in_place.path(), state).await
    }

    async fn recall(&mut self, campaign: i64, request_id: &str) -> Result<Option<(Remembered, LogRow)>, StoreError> {
        let Some(kept) = append::recall(&mut self.connection, campaign, request_id).await? else { return Ok(None) };
        let rows = read::rows(&mut self.connection, campaign, kept.seq.saturating_sub(1), 1).await?;
        match rows.into_iter().next().filter(|row| row.seq == kept.seq) {
            Some(row) => Ok(Some((kept, row))),
            None => Err(StoreError::Unreadable { seq: kept.seq, reason: "an answer was kept for it".to_owned() }),
        }
    }

    async fn book(&mut self) -> Result<Option<String>, StoreError> {
        read::book(&mut self.connection).await
    }

    async fn close(mut self) -> Result<(), StoreError> {
        // Whoever closes last takes the log file into the database, so the check must have ended.
        let _ = self.soundness.known().await;
        self.connection.close().await.map_err(StoreError::from)
    }
}

/// What checkpoints beside a database know of a campaign's log and it does not hold.
pub async fn shortened(
    connection: &mut SqliteConnection,
    database: &Path,
    identity: &Identity,
) -> Result<Option<Loss>, StoreError> {
    let (book, lines) = (read::book(connection).await?, checkpoint::read(database));
    for line in lines.furthest(database, book.as_deref(), &identity.uuid) {
        let there = read::chain(connection, identity.key, line.seq).await?;
        if there.is_none_or(|chain| base16ct::lower::encode_string(&chain) != line.chain.to_lowercase()) {
            return Ok(Some(Loss {
                log_ends: read::head(connection, identity.key).await?.seq,
                reached: line.seq,
                known_by: KnownBy::Checkpoint,
                chain: Some(line.chain.clone()),
                known_since: Some(line.at),
            }));
        }
    }
    Ok(None)
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

/// A database error in the store's terms: for busy the caller can wait, for the disk somebody can make room.
impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match code(&error) {
            Some(5) => StoreError::Busy,
            // Read-only, input or output, full, cannot be opened.
            Some(8 | 10 | 13 | 14) => StoreError::Disk(error.to_string()),
            _ => StoreError::Database(error),
        }
    }
}

/// SQLite's primary result code; extended codes keep it in their low byte.
fn code(error: &sqlx::Error) -> Option<i64> {
    error.as_database_error()?.code()?.parse::<i64>().ok().map(|code| code & 0xff)
}
