//! Where the log lives. [`Store`] is what a database must offer to play with, [`Reader`] and [`Auditor`] what it must offer to be
//! read; `sqlite` is the one there is.
//!
//! The order of a write is the design's heart: the write lock first, then the head of the log, then what other
//! processes wrote, then the decision with its dice, then append and fold, then commit; and no answer before the
//! commit returned.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`error`]: what can go wrong below the table.
//! 2. [`canonical`]: one byte string for one value.
//! 3. [`record`]: the records a store keeps.
//! 4. [`keys`]: keys of seats.
//! 5. [`chain`]: the hashes of the log.
//! 6. [`special`]: what is no regular file.
//! 7. [`draft`]: a file in the making.
//! 8. [`checkpoint`]: receipts beside the database.
//! 9. [`reader`]: reading a database of logs.
//! 10. [`parallel`]: work on a log page by page, on every core.
//! 11. [`sqlite`]: the log in SQLite.
//! 12. [`postgres`]: the log in PostgreSQL.
//! 13. [`verify`]: whether a log is what was written.

pub mod canonical;
pub mod chain;
pub mod checkpoint;
pub mod draft;
pub mod error;
pub mod keys;
pub mod parallel;
pub mod postgres;
pub mod reader;
pub mod record;
pub mod special;
pub mod sqlite;
pub mod verify;

use std::future::Future;

pub use error::StoreError;
pub use reader::{Auditor, Former, Page, Position, Reader, Remarks};
pub use record::{Head, Identity, LogRow, Remembered, RollRow, Sealed};

use crate::game::record::entry::Entry;
use crate::game::view::recap::Told;

/// One connection that writes, owned by one campaign. A write that is dropped half-way is rolled back by the next
/// [`Store::begin`].
pub trait Store: Reader {
    /// Whether what was opened still lies where it was opened; else [`StoreError::Moved`].
    fn is_in_place(&self) -> Result<(), StoreError>;

    /// Takes the write lock and reads the end of a campaign's log under it; [`Head::default`] for a key without entries.
    /// [`StoreError::Moved`] where [`Store::is_in_place`] says so.
    /// [`StoreError::Busy`] while another process holds the lock; the caller tries again as long as it is patient.
    fn begin(&mut self, campaign: i64) -> impl Future<Output = Result<Head, StoreError>> + Send;

    /// Ends a reading begun by [`Reader::begin_read`].
    fn end_read(&mut self) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Appends sealed entries, folds them into the state tables, keeps the answer given to a request, and makes all of it
    /// durable. On an error nothing is, and the caller rolls back.
    fn commit(
        &mut self,
        campaign: i64,
        entries: &[Sealed],
        answer: Option<(&str, &Remembered)>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Takes everything since [`Store::begin`] back.
    fn rollback(&mut self) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The key a new campaign would get; only inside a write.
    fn next_key(&mut self) -> impl Future<Output = Result<i64, StoreError>> + Send;

    /// Bytes of the bodies and public parts of entries after `seq`.
    fn bytes_after(&mut self, campaign: i64, seq: u64) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Entries after `seq`, in order, at most `limit`.
    fn after(
        &mut self,
        campaign: i64,
        seq: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<(u64, Entry)>, StoreError>> + Send;

    /// The last entries behind `seq` that changed something, in order, at most `limit`.
    fn changed(
        &mut self,
        campaign: i64,
        seq: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<(u64, Entry)>, StoreError>> + Send;

    /// Entries after `seq` that are more than dice, in order, at most `limit`.
    fn besides_dice(
        &mut self,
        campaign: i64,
        seq: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<(u64, Entry)>, StoreError>> + Send;

    /// The last entries from `first` to `last` that may tell a story ([`crate::game::view::recap`]), and what was undone of them
    /// since, in order, each with what players see; at most `limit`.
    fn story(
        &mut self,
        campaign: i64,
        first: u64,
        last: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Told>, StoreError>> + Send;

    /// An entry with what players see of it; `None` where there is no such entry.
    fn told(&mut self, campaign: i64, seq: u64) -> impl Future<Output = Result<Option<Told>, StoreError>> + Send;

    /// The session that an entry belongs to; `None` where there is no such entry.
    fn session_of(&mut self, campaign: i64, seq: u64) -> impl Future<Output = Result<Option<u32>, StoreError>> + Send;

    /// The answer that was given to a request, with the entry it belongs to as it lies in the log.
    fn recall(
        &mut self,
        campaign: i64,
        request_id: &str,
    ) -> impl Future<Output = Result<Option<(Remembered, LogRow)>, StoreError>> + Send;
}
