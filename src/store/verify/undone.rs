//! Whether an undo put back exactly what the entries it names had changed.

use std::collections::VecDeque;

use crate::game::entry::{Change, Entry};
use crate::game::event::Event;
use crate::game::undo::BACK_MAX;

/// Entries of one call that an undo may reach further back than [`BACK_MAX`].
const CALL_MAX: u64 = 2000;

/// The changes of the last entries, as far back as an undo reaches.
#[derive(Default)]
pub struct Recent {
    changes: VecDeque<(u64, Vec<Change>)>,
}

impl Recent {
    /// Takes the next entry, and says what is wrong with it if it is an undo.
    pub fn entry(&mut self, seq: u64, entry: &Entry) -> Option<String> {
        let wrong = match &entry.event {
            Event::Undone(event) if event.entry > event.last || event.last >= seq => {
                Some("it undoes entries that did not stand before it".to_owned())
            }
            Event::Undone(event)
                if self.reaches(event.entry) && self.back(event.entry, event.last) != entry.changes =>
            {
                Some(format!("it does not put back what #{} changed", event.entry))
            }
            _ => None,
        };
        self.changes.push_back((seq, entry.changes.clone()));
        while self.changes.front().is_some_and(|(first, _)| first + BACK_MAX + CALL_MAX < seq) {
            self.changes.pop_front();
        }
        wrong
    }

    fn reaches(&self, seq: u64) -> bool {
        self.changes.front().is_some_and(|(first, _)| *first <= seq)
    }

    fn back(&self, first: u64, last: u64) -> Vec<Change> {
        let named = self.changes.iter().rev().filter(|(seq, _)| (first..=last).contains(seq));
        named.flat_map(|(_, changes)| changes.iter().rev().cloned().map(Change::reversed)).collect()
    }
}
