//! Which bodies a players' copy has, with their salts, as proof: those of entries of which players read all that happened, but for these.
//!
//! - A body with a character's row can hold the GM's notes, so it is left out whether there are any or not.
//! - A body that changes a deck says all that is out of it, cards of hidden rolls among them, so it is left out.
//! - Damage and rolls name the entry that they follow from; where players do not see that one, the body is left out, whatever it says.
//! - An undo has the sentences of what it takes back, so it goes the way of those entries.
//! - Nobody who is hidden is named, though the fight be over.
//!
//! That a body is left out shows that something of it is the GM's, or may be, and never what.

use crate::record::change::Change;
use crate::record::entry::{Entry, Visibility};
use crate::record::state::{Condition, State};

/// The entries of a log from the first one on, as far as later ones refer to them.
#[derive(Debug, Default)]
pub struct Bodies {
    /// What players see of each in full.
    public: Marks,
    /// Those whose bodies they may have.
    open: Marks,
}

impl Bodies {
    /// Takes the next entry, in the state right after it; answers whether players may have its body. `is_read`: they read all that
    /// happened in it, as [`is_fully_public`](super::visibility::is_fully_public) says.
    pub fn take(&mut self, seq: u64, entry: &Entry, state: &State, is_read: bool) -> bool {
        let event = entry.event.description();
        let open = is_read
            && !entry.changes.iter().any(|change| may_hide(change, state))
            && event.follows.iter().all(|seq| self.public.has(*seq))
            && event.undoes.is_none_or(|(first, last)| self.open.has_all(first, last))
            && event.against.is_none_or(|target| !state.is_hidden(target.id));
        self.public.push(seq, entry.visibility == Visibility::Public);
        self.open.push(seq, open);
        open
    }
}

/// Whether a row can hold what players do not see, though it holds nothing that would change what they read.
fn may_hide(change: &Change, state: &State) -> bool {
    let caused_unseen = |row: &Condition| row.caused_by.is_some_and(|id| state.is_hidden(id));
    match change {
        Change::Character(_) | Change::Deck(_) => true,
        Change::Condition(images) => images.both().any(caused_unseen),
        _ => false,
    }
}

/// A mark for each entry from the first one on. After a gap nothing is marked.
#[derive(Debug, Default)]
struct Marks(Vec<bool>);

impl Marks {
    fn push(&mut self, seq: u64, marked: bool) {
        if seq == self.0.len() as u64 + 1 {
            self.0.push(marked);
        }
    }

    fn has(&self, seq: u64) -> bool {
        let at = seq.checked_sub(1).and_then(|at| usize::try_from(at).ok());
        at.and_then(|at| self.0.get(at)).is_some_and(|marked| *marked)
    }

    /// Whether each of them is marked; of a range that reaches beyond the last entry none is.
    fn has_all(&self, first: u64, last: u64) -> bool {
        last <= self.0.len() as u64 && (first..=last).all(|seq| self.has(seq))
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn each_entry_has_its_mark_and_nothing_is_marked_after_a_gap() {
        let mut marks = Marks::default();
        (1..=200).for_each(|seq| marks.push(seq, seq % 3 == 0));
        (1..=200).for_each(|seq| assert_eq!(marks.has(seq), seq % 3 == 0, "{seq}"));
        assert!(!marks.has(0) && !marks.has(201) && marks.has_all(3, 3) && !marks.has_all(3, 4));
        assert!(!marks.has_all(198, u64::MAX));
        let mut marks = Marks::default();
        marks.push(1, true);
        marks.push(u64::MAX, true);
        marks.push(3, true);
        assert!(marks.has(1) && !marks.has(3) && !marks.has(u64::MAX));
    }
}
