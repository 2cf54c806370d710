//! A database that is open to play in, of either kind.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use super::location::Location;
use super::pool::Lent;
use super::postgres::server::{self, Postgres};
use super::sql::connection::Connection;
use super::sqlite::{self, Sqlite};
use super::{Head, Remembered, Sealed, StoreError};

/// A database that is open to play in.
pub enum Store {
    File(Box<Sqlite>),
    Server(Box<Postgres>),
}

/// Between two attempts to write what can wait.
const PAUSE: Duration = Duration::from_millis(50);

/// The turn to write, in a transaction of its own or in one that calls share.
pub enum Turn {
    File(sqlite::Turn),
    Server(Lent),
}

impl Store {
    /// Opens it; makes it or brings its schema up to date where needed.
    pub async fn open(location: &Location) -> Result<Store, StoreError> {
        match location {
            Location::File(file) => sqlite::open(file).await.map(Store::from),
            Location::Server(server) => Ok(Store::Server(Box::new(Postgres::open(server).await?))),
        }
    }

    /// Where it lies.
    pub fn location(&self) -> Location {
        match self {
            Store::File(file) => Location::File(file.path().to_path_buf()),
            Store::Server(server) => Location::Server(Box::new(server.server.clone())),
        }
    }

    /// Whether it was made by opening it, so that nobody has to look what is in it.
    pub fn is_new(&self) -> bool {
        match self {
            Store::File(file) => file.is_new(),
            Store::Server(_) => false,
        }
    }

    /// How long a write may wait for another process's.
    pub fn patience(&self) -> Duration {
        match self {
            Store::File(_) => sqlite::BUSY,
            Store::Server(_) => Duration::ZERO,
        }
    }

    /// Whether what was opened still lies where it was opened; else [`StoreError::Moved`].
    pub fn is_in_place(&self) -> Result<(), StoreError> {
        match self {
            Store::File(file) => file.is_in_place(),
            Store::Server(_) => Ok(()),
        }
    }

    /// Whether it can be written; else [`StoreError::ReadOnly`]. Of a file only a write shows it.
    pub async fn is_writable(&self) -> Result<(), StoreError> {
        match self {
            Store::File(_) => Ok(()),
            Store::Server(server) => server
                .only_reads()
                .await?
                .map_or(Ok(()), |why| Err(StoreError::ReadOnly(why))),
        }
    }

    /// A connection that reads what is committed.
    pub async fn read(&self) -> Result<Lent, StoreError> {
        match self {
            Store::File(file) => file.read().await,
            Store::Server(server) => server.read().await,
        }
    }

    /// Waits for the turn to write; turns come in the order of asking.
    pub async fn turn(&self) -> Result<Turn, StoreError> {
        match self {
            Store::File(file) => file.turn().await.map(Turn::File),
            Store::Server(server) => server.turn().await.map(Turn::Server),
        }
    }

    /// Brings the words by which a campaign is searched up to date; broken off, it goes on later.
    pub async fn index(&self, campaign: i64) -> Result<(), StoreError> {
        let mut left = self.patience();
        while self.read().await?.lacks_words(campaign).await? {
            let mut turn = self.turn().await?;
            match turn.begin(0).await {
                Err(StoreError::Busy) if left > PAUSE => {
                    drop(turn);
                    left -= PAUSE;
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
                begun => begun?,
            };
            turn.fill_words(campaign).await?;
            turn.commit().await?;
        }
        Ok(())
    }

    /// Closes its connections in good order.
    pub async fn close(&self) -> Result<(), StoreError> {
        match self {
            Store::File(file) => file.close().await,
            Store::Server(server) => server.close().await,
        }
    }
}

/// Looks, before anybody plays, whether a server's database can be used; a file's opening does.
pub async fn look(location: &Location) -> Result<(), StoreError> {
    match location {
        Location::File(_) => Ok(()),
        Location::Server(server) => server::look(server).await,
    }
}

/// What was done with a database; the refusal of a damaged file says which backup to put back.
pub async fn advised<T>(location: &Location, done: Result<T, StoreError>) -> Result<T, StoreError> {
    match location {
        Location::File(file) => sqlite::backups::advised(file, done).await,
        Location::Server(_) => done,
    }
}

impl From<Sqlite> for Store {
    fn from(file: Sqlite) -> Store {
        Store::File(Box::new(file))
    }
}

impl Turn {
    /// Whether a call can begin without waiting for the check of a file that was not closed.
    pub fn is_known(&self) -> bool {
        match self {
            Turn::File(file) => file.is_known(),
            Turn::Server(_) => true,
        }
    }

    /// Begins a call under the lock, and reads a log's end; [`Head::default`] without entries.
    pub async fn begin(&mut self, campaign: i64) -> Result<Head, StoreError> {
        match self {
            Turn::File(file) => file.begin(campaign).await,
            Turn::Server(lent) => server::begin(lent, campaign).await,
        }
    }

    /// The same for a campaign whose key is not known yet (0): one of that name is locked before it
    /// is read, and while there is none no other call makes one. Answers its key, too.
    pub async fn begin_named(
        &mut self,
        campaign: i64,
        name: &str,
    ) -> Result<(i64, Head), StoreError> {
        let head = self.begin(campaign).await?;
        // A file is locked whole.
        if campaign != 0 || matches!(self, Turn::File(_)) {
            return Ok((campaign, head));
        }
        while let Some(found) = self.find(name).await? {
            let head = self.begin(found.key).await?;
            if self.uuid(found.key).await?.as_ref() == Some(&found.uuid) {
                return Ok((found.key, head));
            }
            // It was removed in between.
            self.begin(0).await?;
        }
        Ok((0, Head::default()))
    }

    /// Writes a campaign's entries and the answer to a request, and ends the call; all or nothing.
    pub async fn append(
        &mut self,
        campaign: i64,
        entries: &[Sealed],
        answer: Option<(&str, &Remembered)>,
    ) -> Result<(), StoreError> {
        match self {
            Turn::File(file) => file.append(campaign, entries, answer).await,
            Turn::Server(lent) => lent.append(campaign, entries, answer).await,
        }
    }

    /// Ends the call; what it wrote is taken back.
    pub async fn rollback(self) -> Result<(), StoreError> {
        match self {
            Turn::File(file) => file.rollback().await,
            Turn::Server(mut lent) => lent.end().await,
        }
    }

    /// Ends the call, and returns once what it wrote is durable: which call of its commit it was,
    /// from 1. On [`StoreError::Lost`] it is not known whether it was written.
    pub async fn commit(self) -> Result<u32, StoreError> {
        match self {
            Turn::File(file) => file.commit().await,
            Turn::Server(mut lent) => lent.commit().await.map(|()| 1),
        }
    }
}

impl Deref for Turn {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        match self {
            Turn::File(file) => &file.writer.connection,
            Turn::Server(lent) => lent,
        }
    }
}

impl DerefMut for Turn {
    fn deref_mut(&mut self) -> &mut Connection {
        match self {
            Turn::File(file) => &mut file.writer.connection,
            Turn::Server(lent) => lent,
        }
    }
}
