//! The connection of a process that writes to a file. SQLite syncs the disk at each commit, and
//! lets one write at a time: so calls that wait for their turn share a commit.
//!
//! What a call writes goes to SQLite's thread as one script, because each trip there costs more
//! than the statements. A call after which no other waits commits with it. Else it is written in a
//! savepoint, which alone is taken back where it fails, and a task waits for the turn after all
//! that wait at that moment: they make their calls in the same transaction. The task commits; only
//! then are the calls answered.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{Mutex, OwnedMappedMutexGuard, OwnedMutexGuard, watch};

use super::backups;
use super::connection::reading;
use super::file::{InPlace, RawFile};
use super::soundness::Soundness;
use crate::pool::{Lent, Pool};
use crate::sql::append::appending;
use crate::sql::connection::{Connection, Script, query};
use crate::{Head, Remembered, Sealed, StoreError};

/// Calls no longer join a commit that began so long ago: another process may wait for the file.
const BATCH_MAX: Duration = Duration::from_millis(100);

/// Ends of logs that are kept; each takes some 60 bytes.
const HEADS_MAX: usize = 10_000;

const READERS: usize = 4;

/// A file that is open to play in.
pub struct Sqlite {
    writer: Arc<Mutex<Option<Writer>>>,
    readers: Pool,
    in_place: InPlace,
    /// Nothing was in it when it was opened.
    is_new: bool,
    /// Those who wait for their turn.
    waiting: Arc<AtomicUsize>,
}

/// The one connection that writes, with the lock that says the process is alive.
pub struct Writer {
    pub connection: Connection,
    pub(super) soundness: Soundness,
    _alive: File,
    /// Open as long as the connection, which would else lose its locks: it is closed last.
    _file: RawFile,
    batch: Option<Batch>,
    /// A call began its savepoint and did not end it.
    has_savepoint: bool,
    /// A transaction begins, or has no savepoint: dropped meanwhile, it is taken back whole.
    is_unsure: bool,
    /// The ends of logs that this connection read or wrote, as long as no other wrote to the file.
    heads: HashMap<i64, Head>,
    /// The version of the file of which `heads` are.
    version: i64,
}

/// The calls of one commit.
struct Batch {
    since: Instant,
    calls: u32,
    /// A task waits for the turn to commit it.
    is_awaited: bool,
    /// What became of it, once it is known.
    done: watch::Sender<Option<Result<(), StoreError>>>,
}

impl Batch {
    /// Only the call that is made now is in it.
    fn is_of_one(&self) -> bool {
        self.calls == 0 && !self.is_awaited
    }
}

impl Writer {
    pub(super) fn new(
        connection: Connection,
        soundness: Soundness,
        alive: File,
        file: RawFile,
    ) -> Writer {
        Writer {
            connection,
            soundness,
            _alive: alive,
            _file: file,
            batch: None,
            has_savepoint: false,
            is_unsure: false,
            heads: HashMap::new(),
            version: 0,
        }
    }

    fn wrote(&mut self, campaign: i64, head: Head) {
        if self.heads.len() >= HEADS_MAX {
            self.heads.clear();
        }
        self.heads.insert(campaign, head);
    }

    /// Takes back a call that was dropped half-way, or failed.
    async fn end_call(&mut self) {
        if self.is_unsure {
            self.give_up(&broken_off()).await;
        }
        if self.has_savepoint {
            // A failed statement may have rolled the whole transaction back already.
            let ended = query("rollback to call; release call")
                .execute(&mut self.connection)
                .await;
            self.has_savepoint = false;
            if let Err(error) = ended {
                self.give_up(&error.into()).await;
            }
        }
    }

    /// Commits what the calls of a batch wrote, and answers them.
    async fn commit(&mut self) {
        self.end_call().await;
        if self.batch.is_none() {
            return;
        }
        match query("commit").execute(&mut self.connection).await {
            Ok(()) => self
                .batch
                .take()
                .into_iter()
                .for_each(|batch| drop(batch.done.send_replace(Some(Ok(()))))),
            Err(error) => self.give_up(&error.into()).await,
        }
    }

    /// Takes back all that was not committed, and answers its calls why.
    async fn give_up(&mut self, why: &StoreError) {
        let _ = query("rollback").execute(&mut self.connection).await;
        (self.has_savepoint, self.is_unsure) = (false, false);
        self.heads.clear();
        if let Some(batch) = self.batch.take() {
            batch.done.send_replace(Some(Err(why.clone())));
        }
    }
}

impl Sqlite {
    pub(super) fn new(writer: Writer, in_place: InPlace, is_new: bool) -> Sqlite {
        let (writer, readers) = (Arc::new(Mutex::new(Some(writer))), Pool::of(READERS));
        Sqlite {
            writer,
            readers,
            in_place,
            is_new,
            waiting: Arc::default(),
        }
    }

    /// Whether it was made by opening it.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        self.in_place.path()
    }

    /// Whether what was opened still lies where it was opened; else [`StoreError::Moved`].
    pub fn is_in_place(&self) -> Result<(), StoreError> {
        self.in_place.check().map(drop)
    }

    /// A connection that reads what is committed.
    pub async fn read(&self) -> Result<Lent, StoreError> {
        self.is_in_place()?;
        self.readers
            .lend(async || Ok(Connection::Sqlite(reading(self.path()).await?)))
            .await
    }

    /// Waits for the turn to write; turns come in the order of asking.
    pub async fn turn(&self) -> Result<Turn, StoreError> {
        self.waiting.fetch_add(1, Ordering::AcqRel);
        let waits = Waits(&self.waiting);
        let guard = self.writer.clone().lock_owned().await;
        drop(waits);
        let closed = |_| StoreError::Io("the database was closed".to_owned());
        let writer = OwnedMutexGuard::try_map(guard, Option::as_mut).map_err(closed)?;
        let (line, waiting) = (self.writer.clone(), self.waiting.clone());
        Ok(Turn {
            writer,
            line,
            waiting,
            in_place: self.in_place.clone(),
        })
    }

    #[cfg(test)]
    pub(super) async fn raw(
        &self,
    ) -> OwnedMappedMutexGuard<Option<Writer>, sqlx::SqliteConnection> {
        OwnedMutexGuard::map(
            self.writer.clone().lock_owned().await,
            |writer| match &mut writer.as_mut().unwrap().connection {
                Connection::Sqlite(file) => file,
                Connection::Postgres(_) => unreachable!(),
            },
        )
    }

    /// Closes it in good order, the connection that writes last: it takes in the log file (WAL).
    pub async fn close(&self) -> Result<(), StoreError> {
        let writer = self.writer.lock().await.take();
        self.readers.close().await?;
        let Some(mut writer) = writer else {
            return Ok(());
        };
        writer.commit().await;
        // The last to close takes the log file (WAL) in, so the check must have ended.
        let _ = writer.soundness.known().await;
        writer.connection.close().await
    }
}

/// The turn to write: no other call of this process writes before it is dropped.
pub struct Turn {
    pub writer: OwnedMappedMutexGuard<Option<Writer>, Writer>,
    line: Arc<Mutex<Option<Writer>>>,
    waiting: Arc<AtomicUsize>,
    in_place: InPlace,
}

/// A call that waits for its turn is counted.
struct Waits<'a>(&'a AtomicUsize);

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Drop for Turn {
    /// What was begun and not committed is committed, or taken back, after all that wait now.
    fn drop(&mut self) {
        if let Some(batch) = self.writer.batch.as_mut().filter(|batch| !batch.is_awaited)
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            batch.is_awaited = true;
            let line = self.line.clone();
            runtime.spawn(async move {
                if let Some(writer) = line.lock().await.as_mut() {
                    writer.commit().await;
                }
            });
        }
    }
}

impl Turn {
    /// Whether it is known by now if the file is sound; a write that begins earlier waits for it.
    pub fn is_known(&self) -> bool {
        self.writer.soundness.is_known()
    }

    /// Begins a call, and answers a log's end. With the key 0 more than entries can be written.
    pub async fn begin(&mut self, campaign: i64) -> Result<Head, StoreError> {
        let wal_was_emptied = self.in_place.check()?;
        let writer = &mut *self.writer;
        if wal_was_emptied {
            // Of a log file that was written into the database SQLite knows no entry.
            let frames = query("pragma wal_checkpoint(passive)")
                .fetch_one(&mut writer.connection)
                .await;
            if !frames.is_ok_and(|row| row.try_get::<i64>("log").is_ok_and(|frames| frames <= 0)) {
                return Err(self.in_place.wal_was_cut());
            }
        }
        // The advice is added here: by now another backup may be the newest good one.
        backups::advised(self.in_place.path(), writer.soundness.known().await).await?;
        writer.end_call().await;
        if writer
            .batch
            .as_ref()
            .is_some_and(|batch| batch.since.elapsed() > BATCH_MAX)
        {
            writer.commit().await;
        }
        if writer.batch.is_none() {
            writer.is_unsure = true;
            let (version, head) = match soon(writer.connection.begin_immediate(campaign)).await {
                Ok(begun) => begun,
                Err(error) => {
                    writer.give_up(&error).await;
                    return Err(error);
                }
            };
            writer.is_unsure = false;
            if std::mem::replace(&mut writer.version, version) != version {
                writer.heads.clear();
            }
            writer.wrote(campaign, head);
            let (since, done) = (Instant::now(), watch::Sender::new(None));
            writer.batch = Some(Batch {
                since,
                calls: 0,
                is_awaited: false,
                done,
            });
        }
        if campaign == 0 {
            query("savepoint call")
                .execute(&mut writer.connection)
                .await?;
            writer.has_savepoint = true;
            return Ok(Head::default());
        }
        match writer.heads.get(&campaign) {
            Some(head) => Ok(*head),
            None => writer.connection.head(campaign).await,
        }
    }

    /// Writes the entries of a campaign and ends the call, which writes no more;
    /// [`commit`](Self::commit) says when they are on the disk.
    pub async fn append(
        &mut self,
        campaign: i64,
        entries: &[Sealed],
        answer: Option<(&str, &Remembered)>,
    ) -> Result<(), StoreError> {
        let is_alone = self.waiting.load(Ordering::Acquire) == 0;
        let writer = &mut *self.writer;
        let Some(batch) = &writer.batch else {
            return Err(broken_off());
        };
        let commits = is_alone && batch.is_of_one();
        let mut script = Script::default();
        if !commits && !writer.has_savepoint {
            script.push(query("savepoint call"));
        }
        appending(&mut script, campaign, entries, answer)?;
        script.push(query(if commits { "commit" } else { "release call" }));
        (writer.has_savepoint, writer.is_unsure) = (writer.has_savepoint || !commits, commits);
        if let Err(error) = script
            .run(&mut writer.connection)
            .await
            .map_err(StoreError::from)
        {
            match commits {
                true => writer.give_up(&error).await,
                false => writer.end_call().await,
            }
            return Err(error);
        }
        (writer.has_savepoint, writer.is_unsure) = (false, false);
        if let Some(last) = entries.last() {
            writer.wrote(campaign, last.head());
        }
        if commits {
            writer.batch = None;
        }
        Ok(())
    }

    /// Ends the call; what it wrote is taken back.
    pub async fn rollback(mut self) -> Result<(), StoreError> {
        if self.writer.batch.as_ref().is_some_and(Batch::is_of_one) {
            self.writer.has_savepoint = false;
            self.writer.batch = None;
            self.writer.heads.clear();
            // A statement that failed may have rolled everything back already.
            let _ = query("rollback").execute(&mut self.writer.connection).await;
            return Ok(());
        }
        self.writer.end_call().await;
        Ok(())
    }

    /// Ends the call, and returns once it is on the disk: which call of its commit it was, from 1.
    pub async fn commit(mut self) -> Result<u32, StoreError> {
        if self.writer.has_savepoint {
            query("release call")
                .execute(&mut self.writer.connection)
                .await?;
            self.writer.has_savepoint = false;
        }
        // It was alone, and its last statement was the commit.
        let Some(batch) = &mut self.writer.batch else {
            return self.in_place.check().map(|_| 1);
        };
        let in_place = self.in_place.clone();
        batch.calls += 1;
        let (nth, mut done) = (batch.calls, batch.done.subscribe());
        drop(self);
        match done.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(Err(why))) => Err(why.clone()),
            Ok(Some(Ok(()))) => in_place.check().map(|_| nth),
            Ok(None) | Err(_) => Err(broken_off()),
        }
    }
}

/// How long a thread looks again and again for what takes some microseconds, before it gives way:
/// to wake it takes longer.
const SOON: Duration = Duration::from_micros(60);
/// Between two looks.
const GLANCE: usize = 40;

/// Waits without giving the thread away at once.
async fn soon<T>(what: impl Future<Output = T>) -> T {
    let (mut what, until) = (std::pin::pin!(what), Instant::now() + SOON);
    std::future::poll_fn(|context| {
        loop {
            let polled = what.as_mut().poll(context);
            if polled.is_ready() || Instant::now() > until {
                return polled;
            }
            (0..GLANCE).for_each(|_| std::hint::spin_loop());
        }
    })
    .await
}

fn broken_off() -> StoreError {
    StoreError::Io("the commit was broken off".to_owned())
}
