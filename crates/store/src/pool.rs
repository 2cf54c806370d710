//! Connections that are lent for one reading or one write each, opened when all others are lent.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as Guarded, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

use super::StoreError;
use super::sql::connection::{BEGIN, Connection, query};

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

impl Drop for Lent {
    /// What was begun here is taken back at once: a server would keep its locks for it.
    fn drop(&mut self) {
        if self.own.is_open
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let home = OwnedMutexGuard::mutex(&self.own).clone();
            runtime.spawn(async move { home.lock().await.end().await });
        }
    }
}

impl Own {
    /// Ends what was begun; what was written is taken back.
    async fn end(&mut self) -> Result<(), StoreError> {
        if self.is_open {
            let ended = query("rollback").execute(&mut self.connection).await;
            self.is_open = false;
            ended?;
        }
        Ok(())
    }
}

impl Pool {
    /// At most so many connections.
    pub fn of(most: usize) -> Pool {
        Pool { places: Arc::new(Semaphore::new(most)), opened: Mutex::default() }
    }

    /// Adds a connection that was opened already.
    pub fn add(&self, connection: Connection) {
        self.opened().push(Arc::new(Guarded::new(Own { connection, is_open: false })));
    }

    /// A connection that nobody else has; `open` makes another where all that there are are lent.
    pub async fn lend(&self, open: impl AsyncFnOnce() -> Result<Connection, StoreError>) -> Result<Lent, StoreError> {
        let closed = |_| StoreError::Io("the database was closed".to_owned());
        let place = self.places.clone().acquire_owned().await.map_err(closed)?;
        let mut free = self.opened().iter().find_map(|home| home.clone().try_lock_owned().ok());
        let mut is_good = false;
        if let Some(own) = &mut free {
            // What was dropped half-way; where that fails, another connection takes its place.
            is_good = own.end().await.is_ok() && !own.connection.is_lost();
        }
        let own = match free {
            Some(own) if is_good => own,
            Some(mut own) => {
                *own = Own { connection: open().await?, is_open: false };
                own
            }
            None => {
                let home = Arc::new(Guarded::new(Own { connection: open().await?, is_open: false }));
                let own = home.clone().lock_owned().await;
                self.opened().push(home);
                own
            }
        };
        Ok(Lent { own, _place: place })
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

    /// Begins to write on a server, whatever its own settings say: each statement sees what was committed before it, so that those after a lock
    /// see all that was written until the lock was had.
    pub(super) async fn begin_write(&mut self) -> Result<(), StoreError> {
        self.own.is_open = true;
        Ok(query(BEGIN).execute(&mut self.own.connection).await?)
    }

    /// Commits what was begun.
    pub(super) async fn commit(&mut self) -> Result<(), StoreError> {
        query("commit").execute(&mut self.own.connection).await?;
        self.own.is_open = false;
        Ok(())
    }

    /// Ends what was begun; what was written is taken back.
    pub async fn end(&mut self) -> Result<(), StoreError> {
        self.own.end().await
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
