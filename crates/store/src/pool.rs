//! Connections that are lent for one reading or one write each, opened when all others are lent.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as Guarded, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

use super::StoreError;
use super::sql::connection::{BEGIN, Connection, query};

pub struct Pool {
    /// As many as may be lent at once; those who wait come in the order of asking.
    places: Arc<Semaphore>,
    opened: Mutex<Vec<Arc<Guarded<Slot>>>>,
}

struct Slot {
    connection: Connection,
    is_open: bool,
}

/// A connection that is lent; it goes back when it is dropped.
pub struct Lent {
    slot: OwnedMutexGuard<Slot>,
    _place: OwnedSemaphorePermit,
}

impl Drop for Lent {
    /// What was begun here is taken back at once: a server would keep its locks for it.
    fn drop(&mut self) {
        if self.slot.is_open
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let home = OwnedMutexGuard::mutex(&self.slot).clone();
            runtime.spawn(async move { home.lock().await.end().await });
        }
    }
}

impl Slot {
    fn of(connection: Connection) -> Slot {
        Slot {
            connection,
            is_open: false,
        }
    }

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
    pub fn of(most: usize) -> Pool {
        Pool {
            places: Arc::new(Semaphore::new(most)),
            opened: Mutex::default(),
        }
    }

    pub fn add(&self, connection: Connection) {
        self.opened()
            .push(Arc::new(Guarded::new(Slot::of(connection))));
    }

    /// A free connection; `open` makes another where all are lent.
    pub async fn lend(
        &self,
        open: impl AsyncFnOnce() -> Result<Connection, StoreError>,
    ) -> Result<Lent, StoreError> {
        let closed = |_| StoreError::Io("the database was closed".to_owned());
        let place = self.places.clone().acquire_owned().await.map_err(closed)?;
        let free = self
            .opened()
            .iter()
            .find_map(|home| home.clone().try_lock_owned().ok());
        let slot = match free {
            Some(mut slot) => {
                // What was dropped half-way; where that fails, another connection takes its place.
                if slot.end().await.is_err() || slot.connection.is_lost() {
                    *slot = Slot::of(open().await?);
                }
                slot
            }
            None => {
                let home = Arc::new(Guarded::new(Slot::of(open().await?)));
                let slot = home.clone().lock_owned().await;
                self.opened().push(home);
                slot
            }
        };
        Ok(Lent {
            slot,
            _place: place,
        })
    }

    /// Closes all of them, once they are back.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.places.close();
        let all = std::mem::take(&mut *self.opened());
        for slot in all {
            drop(slot.lock().await);
            if let Some(slot) = Arc::into_inner(slot) {
                slot.into_inner().connection.close().await?;
            }
        }
        Ok(())
    }

    fn opened(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Guarded<Slot>>>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lent {
    /// Begins to read one consistent moment.
    pub async fn begin(&mut self) -> Result<(), StoreError> {
        self.slot.is_open = true;
        self.slot.connection.begin_read().await
    }

    /// Begins to write on a server. Each statement sees what was committed before it, so those
    /// after a lock see all that was written until then.
    pub(super) async fn begin_write(&mut self) -> Result<(), StoreError> {
        self.slot.is_open = true;
        Ok(query(BEGIN).execute(&mut self.slot.connection).await?)
    }

    pub(super) async fn commit(&mut self) -> Result<(), StoreError> {
        query("commit").execute(&mut self.slot.connection).await?;
        self.slot.is_open = false;
        Ok(())
    }

    /// Ends what was begun; what was written is taken back.
    pub async fn end(&mut self) -> Result<(), StoreError> {
        self.slot.end().await
    }
}

impl Deref for Lent {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.slot.connection
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.slot.connection
    }
}
