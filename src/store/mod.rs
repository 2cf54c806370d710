//! Where the log lives. [`Store`] is what a database must offer; `sqlite` is the one there is.
//!
//! The order of a write is the design's heart: the write lock first, then the head of the log, then what other
//! processes wrote, then the decision with its dice, then append and fold, then commit; and no answer before the
//! commit returned.

pub mod canonical;
pub mod chain;
pub mod checkpoint;
pub mod draft;
pub mod error;
pub mod parallel;
pub mod record;
pub mod special;
pub mod sqlite;
pub mod verify;

use std::future::Future;

pub use error::StoreError;
pub use record::{Head, Identity, LogRow, Remembered, Sealed};

use crate::game::record::entry::Entry;
use crate::game::record::loss::Loss;
use crate::game::record::state::State;

/// One connection that writes, owned by one campaign. A write that is dropped half-way is rolled back by the next
/// [`Store::begin`].
pub trait Store: Send + 'static {
    /// Whether what was opened still lies where it was opened; else [`StoreError::Moved`].
    fn is_in_place(&self) -> Result<(), StoreError>;

    /// Takes the write lock and reads the end of a campaign's log under it; [`Head::default`] for a key without entries.
    /// [`StoreError::Moved`] where [`Store::is_in_place`] says so.
    /// [`StoreError::Busy`] while another process holds the lock; the caller tries again as long as it is patient.
    fn begin(&mut self, campaign: i64) -> impl Future<Output = Result<Head, StoreError>> + Send;

    /// Begins to read one consistent moment; ended by [`Store::end_read`].
    fn begin_read(&mut self) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Ends a reading begun by [`Store::begin_read`].
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

    /// The campaign of that name.
    fn find(&mut self, name: &str) -> impl Future<Output = Result<Option<Identity>, StoreError>> + Send;

    /// The names of all campaigns.
    fn names(&mut self) -> impl Future<Output = Result<Vec<String>, StoreError>> + Send;

    /// The last entry that a campaign of that name once had, where checkpoints of this very book know one and the database
    /// does not hold it.
    fn lost(&mut self, name: &str) -> impl Future<Output = Result<Option<u64>, StoreError>> + Send;

    /// What checkpoints know of a campaign's log and it does not hold.
    fn shortened(&mut self, identity: &Identity) -> impl Future<Output = Result<Option<Loss>, StoreError>> + Send;

    /// The chain value of an entry; `None` where there is no such entry.
    fn chain(&mut self, campaign: i64, seq: u64) -> impl Future<Output = Result<Option<[u8; 32]>, StoreError>> + Send;

    /// The key a new campaign would get; only inside a write.
    fn next_key(&mut self) -> impl Future<Output = Result<i64, StoreError>> + Send;

    /// The last entry of a campaign's log.
    fn head(&mut self, campaign: i64) -> impl Future<Output = Result<Head, StoreError>> + Send;

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

    /// The state tables of a campaign.
    fn load(&mut self, campaign: i64) -> impl Future<Output = Result<State, StoreError>> + Send;

    /// The answer that was given to a request, with the entry it belongs to as it lies in the log.
    fn recall(
        &mut self,
        campaign: i64,
        request_id: &str,
    ) -> impl Future<Output = Result<Option<(Remembered, LogRow)>, StoreError>> + Send;

    /// What this database is called in checkpoints; `None` before schema 2.
    fn book(&mut self) -> impl Future<Output = Result<Option<String>, StoreError>> + Send;

    /// Closes the connection in good order.
    fn close(self) -> impl Future<Output = Result<(), StoreError>> + Send;
}
