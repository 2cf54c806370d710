//! Connections that are lent for one reading or one write each, opened when all others are lent.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as Guarded, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

use super::StoreError;
use super::sql::connection::{Connection, query};

/// Connections to one database.
pub struct Pool {
    /// As many as may be lent at once; those who wait come in the order of asking.
    places: Arc<Semaphore>,
    opened: Mutex<Vec<Arc<Guarded<Own>>>>,
}

struct Own {
    connection: Connection,
    /// A transaction was begun and not ended.
    is_open: bool,
}

/// A connection that is lent; it goes back when it is dropped.
pub struct Lent {
    own: OwnedMutexGuard<Own>,
    _place: OwnedSemaphorePermit,
}

impl Pool {
    /// At most so many connections.
    pub fn of(most: usize) -> Pool {
        Pool { places: Arc::new(Semaphore::new(most)), opened: Mutex::default() }
    }

    /// A connection that nobody else has; `open` makes another where all that there are are lent.
    pub async fn lend(&self, open: impl AsyncFnOnce() -> Result<Connection, StoreError>) -> Result<Lent, StoreError> {
        let closed = |_| StoreError::Io("the database was closed".to_owned());
        let place = self.places.clone().acquire_owned().await.map_err(closed)?;
        let free = self.opened().iter().find_map(|own| own.clone().try_lock_owned().ok());
        let own = match free {
            Some(mut own) if own.connection.is_lost() => {
                *own = Own { connection: open().await?, is_open: false };
                own
            }
            Some(own) => own,
            None => {
                let own = Arc::new(Guarded::new(Own { connection: open().await?, is_open: false }));
                let lent = own.clone().lock_owned().await;
                self.opened().push(own);
                lent
            }
        };
        let mut lent = Lent { own, _place: place };
        // What was dropped half-way.
        lent.end().await?;
        Ok(lent)
    }

    /// Closes all of them, once they are back.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.places.close();
        let all = std::mem::take(&mut *self.opened());
        for own in all {
            drop(own.lock().await);
            if let Some(own) = Arc::into_inner(own) {
                own.into_inner().connection.close().await?;
            }
        }
        Ok(())
    }

    fn opened(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Guarded<Own>>>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lent {
    /// Begins to read one consistent moment.
    pub async fn begin(&mut self) -> Result<(), StoreError> {
        self.own.is_open = true;
        self.own.connection.begin_read().await
    }

    /// Begins to write on a server.
    pub(super) async fn begin_write(&mut self) -> Result<(), StoreError> {
        self.own.is_open = true;
        Ok(query("begin").execute(&mut self.own.connection).await?)
    }

    /// Commits what was begun.
    pub(super) async fn commit(&mut self) -> Result<(), StoreError> {
        query("commit").execute(&mut self.own.connection).await?;
        self.own.is_open = false;
        Ok(())
    }

    /// Ends what was begun; what was written is taken back.
    pub async fn end(&mut self) -> Result<(), StoreError> {
        if self.own.is_open {
            query("rollback").execute(&mut self.own.connection).await?;
            self.own.is_open = false;
        }
        Ok(())
    }
}

impl Deref for Lent {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.own.connection
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.own.connection
    }
}
