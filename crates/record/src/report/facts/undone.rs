//! What was taken back, as far as it was read.

use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub struct Undone {
    all: Vec<Undo>,
    /// The calls that are taken back: the last entry of each, by its first. Calls do not overlap.
    calls: BTreeMap<u64, u64>,
}

#[derive(Debug, Clone, Copy)]
struct Undo {
    first: u64,
    last: u64,
    by: u64,
}

impl Undone {
    pub fn add(&mut self, first: u64, last: u64, by: u64) {
        let earlier = self.all.partition_point(|undo| undo.by < first);
        let undoes_an_undo = self.all.get(earlier).is_some_and(|undo| undo.by <= last);
        self.all.push(Undo { first, last, by });
        if !undoes_an_undo {
            self.calls.insert(first, last);
            return;
        }
        // An undo that was undone itself undoes nothing, so they are gone through from the last.
        self.calls.clear();
        for undo in self.all.iter().rev() {
            if !covers(&self.calls, undo.by) {
                self.calls.insert(undo.first, undo.last);
            }
        }
    }

    pub fn holds(&self, seq: u64) -> bool {
        covers(&self.calls, seq)
    }
}

fn covers(calls: &BTreeMap<u64, u64>, seq: u64) -> bool {
    calls
        .range(..=seq)
        .next_back()
        .is_some_and(|(_, last)| seq <= *last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undo_that_is_undone_undoes_nothing_until_that_is_undone_too() {
        let mut undone = Undone::default();
        let held = |undone: &Undone| [4, 5, 7, 8].map(|seq| undone.holds(seq));
        undone.add(4, 5, 7);
        assert_eq!(held(&undone), [true, true, false, false]);
        undone.add(7, 7, 8);
        assert_eq!(held(&undone), [false, false, true, false]);
        undone.add(8, 8, 9);
        assert_eq!(held(&undone), [true, true, false, true]);
        undone.add(2, 2, 10);
        assert_eq!(
            (undone.holds(2), undone.holds(3), undone.holds(6)),
            (true, false, false)
        );
    }
}
