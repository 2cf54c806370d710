//! How many calls may wait to write to a database. Of each campaign one call stands in the line, so a busy table does not keep the others
//! waiting; turns come in the order of asking ([`crate::store::Store::turn`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls of all campaigns that may wait; one more is told to come back.
const WAITING_MAX: usize = 4096;

/// Those who wait for one database; clones share it.
#[derive(Clone, Default)]
pub struct Queue {
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
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::{Queue, WAITING_MAX};

    #[test]
    fn places_are_bounded() {
        let queue = Queue::default();
        let places: Vec<_> = (0..WAITING_MAX).map(|_| queue.enter()).collect();
        assert!(places.iter().all(Option::is_some) && queue.enter().is_none());
        drop(places);
        assert!(queue.enter().is_some(), "a place that was left, or refused, is free again");
    }
}
