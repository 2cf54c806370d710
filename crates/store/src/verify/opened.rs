//! Hidden entries that were opened: what was shown must be what was sealed.

use crate::{Reader, StoreError, chain};
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::Event;
use rollbook_game::view::visibility::is_shown;

/// A hidden entry that was opened, as it was sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opened {
    pub entry: u64,
    /// The entry that opened it.
    pub by: u64,
    /// Players had seen a part of it: it is none of those that they see nothing of.
    pub in_part: bool,
}

/// An opening: by which entry, of which, and what the shown salt and body come to (`None` where the salt is none).
struct Opening {
    by: u64,
    entry: u64,
    commitment: Option<[u8; 32]>,
}

#[derive(Default)]
pub struct Openings(Vec<Opening>);

/// What is wrong with an opening: the entry that opens, and the words.
pub const OTHER: &str = "what it opens is not what was sealed";

impl Openings {
    pub fn entry(&mut self, by: u64, entry: &Entry) {
        if let Event::Revealed(event) = &entry.event {
            let commitment = event.salt().map(|salt| chain::commitment(&salt, event.body.as_bytes()));
            self.0.push(Opening { by, entry: event.entry, commitment });
        }
    }

    /// Compares each with the entry that it names: answers those that fit, and what is wrong with the others.
    pub async fn compare(
        self,
        reader: &mut Reader,
        campaign: i64,
    ) -> Result<(Vec<Opened>, Vec<(u64, String)>), StoreError> {
        let (mut fit, mut wrong) = (Vec::new(), Vec::new());
        for Opening { by, entry, commitment } in self.0 {
            let row = match entry < by {
                true => reader.row(campaign, entry).await?,
                false => None,
            };
            match row {
                None => wrong.push((by, format!("it opens #{entry}, and there is no such entry before it"))),
                Some(row) if commitment.is_some_and(|sealed| row.commitment[..] == sealed) => {
                    fit.push(Opened { entry, by, in_part: is_shown(&row.public) });
                }
                Some(_) => wrong.push((by, format!("{OTHER} in #{entry}"))),
            }
        }
        Ok((fit, wrong))
    }
}
