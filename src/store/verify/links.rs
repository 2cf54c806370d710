//! The chain values that outsiders speak of: those of the entries that checkpoints and a receipt name.
//!
//! Apart from the walk over the log, which only writes them down: whether the log still says what was once told of it is
//! asked at the end, and of one campaign by another's receipt, too.

use std::collections::BTreeMap;

use super::receipt::Receipt;

/// Chain values by entry; none until the walk has reached it.
pub(super) struct Links(BTreeMap<u64, Option<[u8; 32]>>);

impl Links {
    /// Nothing is known yet of these entries.
    pub(super) fn of(entries: impl Iterator<Item = u64>) -> Self {
        Self(entries.map(|seq| (seq, None)).collect())
    }

    /// Notes the chain value of an entry, where anybody speaks of it.
    pub(super) fn reach(&mut self, seq: u64, chain: [u8; 32]) {
        if let Some(link) = self.0.get_mut(&seq) {
            *link = Some(chain);
        }
    }

    /// Whether the log holds the entry of that receipt.
    pub(super) fn fits(&self, receipt: &Receipt) -> bool {
        let link = self.0.get(&receipt.seq).copied().flatten();
        link.is_some_and(|link| receipt.fits(&link))
    }

    /// What is wrong when the log, which ends at `last`, does not hold it; `what` says who speaks of it.
    pub(super) fn lack(&self, receipt: &Receipt, last: u64, what: &str) -> Option<String> {
        if self.fits(receipt) {
            return None;
        }
        let seq = receipt.seq;
        Some(match self.0.get(&seq) {
            Some(Some(_)) => format!("{what} names another chain value for it: the log was rewritten up to here"),
            _ => format!("{what} says the log reached #{seq}, and it ends at #{last}: its tail was cut off"),
        })
    }
}
