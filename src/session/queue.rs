//! The line of those who want to write to a database: one at a time, in the order in which they came.
//!
//! SQLite lets one write at a time. Without a line, the campaigns of a server would ask for the file's lock again and again, and the
//! luckiest would get it. Of each campaign one call stands in the line, so a busy table does not keep the others waiting.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Mutex, OwnedMutexGuard};

/// Calls of all campaigns that may wait; one more is told to come back.
const WAITING_MAX: usize = 4096;

/// The line of one database; clones share it.
#[derive(Clone, Default)]
pub struct Queue {
    turn: Arc<Mutex<()>>,
    waiting: Arc<AtomicUsize>,
}

/// A place among those who wait; given up when it is dropped.
pub struct Place(Arc<AtomicUsize>);

impl Queue {
    /// A place; `None` where too many wait already.
    pub fn enter(&self) -> Option<Place> {
        let before = self.waiting.fetch_add(1, Ordering::AcqRel);
        let place = Place(self.waiting.clone());
        (before < WAITING_MAX).then_some(place)
    }

    /// Returns when it is this call's turn to write; the turn ends when the guard is dropped.
    pub async fn turn(&self) -> OwnedMutexGuard<()> {
        self.turn.clone().lock_owned().await
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::{Queue, WAITING_MAX};

    #[tokio::test]
    async fn turns_come_in_the_order_of_asking_and_places_are_bounded() {
        let queue = Queue::default();
        let places: Vec<_> = (0..WAITING_MAX).map(|_| queue.enter()).collect();
        assert!(places.iter().all(Option::is_some) && queue.enter().is_none());
        drop(places);
        assert!(queue.enter().is_some(), "a place that was left, or refused, is free again");

        let order = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let first = queue.turn().await;
        let mut all = Vec::new();
        for nth in 0..20 {
            let (queue, order) = (queue.clone(), order.clone());
            all.push(tokio::spawn(async move {
                let _turn = queue.turn().await;
                order.lock().unwrap().push(nth);
            }));
            tokio::task::yield_now().await;
        }
        drop(first);
        for one in all {
            one.await.unwrap();
        }
        assert_eq!(*order.lock().unwrap(), (0..20).collect::<Vec<_>>());
    }
}
