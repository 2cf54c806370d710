//! Whether an undo put back exactly what the entries it names had changed.

use std::collections::VecDeque;

use crate::game::decide::undo::BACK_MAX;
use crate::game::record::change::Change;
use crate::game::record::entry::Entry;
use crate::game::record::event::Event;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::record::change::Images;
    use crate::game::record::entry::{BODY_VERSION, Visibility};
    use crate::game::record::event::UndoneEvent;
    use crate::game::record::state::Track;

    fn entry(event: Event, changes: Vec<Change>) -> Entry {
        Entry {
            v: BODY_VERSION,
            at: 0,
            session: 1,
            visibility: Visibility::Gm,
            actor: "gm".to_owned(),
            event,
            rolls: Vec::new(),
            changes,
            rule: None,
            call: None,
            request_id: None,
            answer: None,
        }
    }

    fn undo(entry_seq: u64, last: u64, changes: Vec<Change>) -> Entry {
        let event =
            UndoneEvent { entry: entry_seq, last, told: Vec::new(), seen: Vec::new(), open: false, again: false };
        entry(Event::Undone(Box::new(event)), changes)
    }

    #[test]
    fn an_undo_that_puts_something_else_back_is_found() {
        let track =
            |value| Track { character: 1, name: "Hit points".to_owned(), value, min: 0, max: None, fixed: true };
        let moved = |from, to| Change::Track(Images::changed(track(from), track(to)));
        let ended = || Event::SessionEnded { number: 1 };
        let mut recent = Recent::default();
        assert_eq!(recent.entry(1, &entry(ended(), vec![moved(9, 7)])), None);
        assert_eq!(recent.entry(2, &entry(ended(), vec![moved(7, 4)])), None);
        let whole = undo(1, 2, vec![moved(4, 7), moved(7, 9)]);
        assert_eq!(recent.entry(3, &whole), None);
        let again = undo(3, 3, vec![moved(9, 7), moved(7, 4)]);
        assert_eq!(recent.entry(4, &again), None);
        let too_well = undo(2, 2, vec![moved(4, 8)]);
        assert_eq!(recent.entry(5, &too_well).as_deref(), Some("it does not put back what #2 changed"));
        let later = undo(7, 7, Vec::new());
        assert_eq!(recent.entry(6, &later).as_deref(), Some("it undoes entries that did not stand before it"));
    }
}
