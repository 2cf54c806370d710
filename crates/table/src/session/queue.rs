//! How many calls may wait to write: one a campaign, in order ([`rollbook_store::Store::turn`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls of all campaigns that may wait; one more is told to come back.
const WAITING_MAX: usize = 4096;
/// Calls of one campaign that may wait: one that is stuck leaves places for the others.
const OF_CAMPAIGN_MAX: usize = WAITING_MAX / 4;

/// Those who wait for one database; clones share it.
#[derive(Clone, Default)]
pub struct Queue {
    waiting: Arc<AtomicUsize>,
}

/// Those who wait for one campaign of it; clones share it.
#[derive(Clone)]
pub struct Line {
    all: Arc<AtomicUsize>,
    of_campaign: Arc<AtomicUsize>,
}

/// A place among those who wait; given up when it is dropped.
pub struct Place(Line);

impl Queue {
    pub fn line(&self) -> Line {
        Line {
            all: self.waiting.clone(),
            of_campaign: Arc::default(),
        }
    }
}

impl Line {
    /// A place; `None` where too many wait already.
    pub fn enter(&self) -> Option<Place> {
        let of_campaign = self.of_campaign.fetch_add(1, Ordering::AcqRel);
        let all = self.all.fetch_add(1, Ordering::AcqRel);
        let place = Place(self.clone());
        (of_campaign < OF_CAMPAIGN_MAX && all < WAITING_MAX).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.of_campaign.fetch_sub(1, Ordering::AcqRel);
        self.0.all.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, OF_CAMPAIGN_MAX, Queue, WAITING_MAX};

    #[test]
    fn places_are_bounded_and_one_campaign_leaves_some_to_the_others() {
        let queue = Queue::default();
        let lines: Vec<Line> = (0..=WAITING_MAX / OF_CAMPAIGN_MAX)
            .map(|_| queue.line())
            .collect();
        let (other, stuck) = lines.split_first().unwrap();
        let mut places: Vec<_> = (0..OF_CAMPAIGN_MAX).map(|_| stuck[0].enter()).collect();
        assert!(places.iter().all(Option::is_some) && stuck[0].enter().is_none());
        assert!(
            other.enter().is_some(),
            "another campaign's calls are taken"
        );
        places.extend(
            stuck[1..]
                .iter()
                .flat_map(|line| (0..OF_CAMPAIGN_MAX).map(|_| line.enter())),
        );
        assert!(
            places.iter().all(Option::is_some) && other.enter().is_none(),
            "but not without end"
        );
        drop(places);
        assert!(
            other.enter().is_some() && stuck[0].enter().is_some(),
            "a place that was left, or refused, is free again"
        );
    }
}
