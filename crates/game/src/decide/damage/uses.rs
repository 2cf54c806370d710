//! Which rolls were used on which targets: one roll may hit several targets, and a second use on the same target is noted.

use std::collections::BTreeMap;

use super::amount::rolled_amounts;
use crate::record::entry::{Entry, Visibility};
use crate::record::event::{DamageEvent, Event, RollNote};

/// Uses and undos kept; of longer logs the last ones.
const KEPT_MAX: usize = 100_000;
/// Totals in a note.
const ROLLED_MAX: usize = 12;

/// Damage that names a roll, by entry.
#[derive(Debug, Default)]
pub struct RollUses {
    blows: BTreeMap<u64, RollUse>,
    /// The entries by roll and target.
    of: BTreeMap<(u64, i64), Vec<u64>>,
    /// The first and last entry of each undone call.
    undos: BTreeMap<u64, (u64, u64)>,
}

#[derive(Debug)]
struct RollUse {
    roll: u64,
    target: i64,
    amount: i64,
    undone: bool,
}

impl RollUses {
    /// The uses in these entries.
    pub fn among(entries: &[(u64, Entry)]) -> RollUses {
        let mut uses = RollUses::default();
        entries.iter().for_each(|(seq, entry)| uses.add(*seq, entry));
        uses
    }

    /// Adds the next entry of the log.
    pub fn add(&mut self, seq: u64, entry: &Entry) {
        match &entry.event {
            Event::Damage(DamageEvent { roll: Some(roll), subject, amount, .. }) => {
                self.blows.insert(seq, RollUse { roll: *roll, target: subject.id, amount: *amount, undone: false });
                self.of.entry((*roll, subject.id)).or_default().push(seq);
            }
            Event::Undone(event) if event.entry <= event.last && event.last < seq => {
                self.toggle_undone(event.entry, event.last);
                self.undos.insert(seq, (event.entry, event.last));
            }
            _ => {}
        }
        while self.blows.len() > KEPT_MAX {
            let Some((_, blow)) = self.blows.pop_first() else { break };
            self.of.remove(&(blow.roll, blow.target));
        }
        while self.undos.len() > KEPT_MAX {
            self.undos.pop_first();
        }
    }

    /// Marks the uses among these entries as undone, or, where an undo is among them, as redone.
    fn toggle_undone(&mut self, first: u64, last: u64) {
        let mut ranges = vec![(first, last)];
        while let Some((first, last)) = ranges.pop() {
            self.blows.range_mut(first..=last).for_each(|(_, blow)| blow.undone = !blow.undone);
            ranges.extend(self.undos.range(first..=last).map(|(_, range)| *range));
        }
    }

    /// How damage departs from the roll in `entry`; empty where it does not, or the entry is no roll.
    pub fn note(&self, seq: u64, entry: &Entry, blow: &DamageEvent) -> RollNote {
        let rolled = rolled_amounts(entry).unwrap_or_default();
        let instead = !rolled.is_empty() && differs(&rolled, blow.amount);
        let hidden = entry.visibility != Visibility::Public;
        RollNote {
            before: self.earlier_use(seq, &rolled, blow).filter(|_| !rolled.is_empty()),
            rolled: if instead { rolled.into_iter().take(ROLLED_MAX).collect() } else { Vec::new() },
            like_check: false,
            hidden,
            // Of a roll that is the GM's alone players do not even know that it fell.
            changed_unseen: instead && matches!(entry.visibility, Visibility::Blind | Visibility::OutcomeOnly),
        }
    }

    /// The last use of the roll on the same target, where it is used up. An entry of several rolls is used up when each of
    /// them is.
    pub fn earlier_use(&self, roll: u64, rolled: &[i64], blow: &DamageEvent) -> Option<u64> {
        let seqs = self.of.get(&(roll, blow.subject.id))?;
        let used: Vec<(u64, i64)> = seqs
            .iter()
            .filter_map(|seq| Some((*seq, self.blows.get(seq)?)))
            .filter(|(_, blow)| !blow.undone)
            .map(|(seq, blow)| (seq, blow.amount.saturating_abs()))
            .collect();
        let last = used.last()?.0;
        let amount = blow.amount.saturating_abs();
        let of_it = |amount: i64| rolled.iter().filter(|total| points(**total) == amount).count();
        let same = used.iter().filter(|(_, used)| *used == amount).count();
        let whole = sum(rolled);
        let spent = used.len() >= rolled.len()
            || (of_it(amount) > 0 && same >= of_it(amount))
            || used.iter().any(|(_, used)| *used == whole);
        spent.then_some(last)
    }
}

/// Whether an amount is neither one of the totals nor all of them together.
pub fn differs(rolled: &[i64], amount: i64) -> bool {
    let amount = amount.saturating_abs();
    amount != sum(rolled) && rolled.iter().all(|total| points(*total) != amount)
}

fn sum(rolled: &[i64]) -> i64 {
    rolled.iter().fold(0, |sum, total| sum.saturating_add(points(*total)))
}

/// A roll below 0 is a hit of 0.
fn points(total: i64) -> i64 {
    total.max(0)
}
