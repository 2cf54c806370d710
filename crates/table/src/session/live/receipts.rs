//! When players are told a receipt: as a session begins or ends, and once in so many entries; each seat by itself.

use std::collections::BTreeMap;

use rollbook_game::record::event::Event;
use rollbook_game::table::Written;

/// Entries after which players get a receipt.
const EVERY: u64 = 25;

/// Whose receipts they are: those that the GM's client reads out, or those of the player of a character.
pub type Reader = Option<String>;

/// What players were told, since this process plays.
#[derive(Debug, Default)]
pub struct Receipts {
    /// The last entry of which each got the receipt.
    told: BTreeMap<Reader, u64>,
    /// The last entry that began or ended a session.
    marked: u64,
}

impl Receipts {
    /// Whether the words for this reader are to have one, behind a call that wrote these entries.
    pub fn is_due(&self, reader: &Reader, written: &[Written]) -> bool {
        let Some(last) = written.last() else { return false };
        let told = self.told.get(reader).copied().unwrap_or_default();
        let marked = marked(written).unwrap_or(self.marked);
        last.seq / EVERY > told / EVERY || marked > told
    }

    /// Notes what was written, and whether this reader was told the receipt of its last entry.
    pub fn note(&mut self, reader: &Reader, marked: Option<u64>, last: u64, told: bool) {
        self.marked = marked.unwrap_or(self.marked);
        if told {
            self.told.insert(reader.clone(), last);
        }
    }
}

/// The last of these entries that begins or ends a session.
pub fn marked(written: &[Written]) -> Option<u64> {
    written.iter().rev().find(|own| marks(own)).map(|own| own.seq)
}

/// Before a campaign's first session that opens by itself there is nothing to prove.
fn marks(written: &Written) -> bool {
    match &written.entry.event {
        Event::SessionStarted { number, .. } => *number > 1 || written.entry.actor != "system",
        event => matches!(event, Event::SessionEnded { .. }),
    }
}
