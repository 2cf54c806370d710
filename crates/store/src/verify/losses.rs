//! Losses that the log itself records: a backup that was put back, a loss that was accepted. What
//! checkpoints knew of the lost entries then is no finding any more, and stays noted for ever;
//! whatever they know beyond it is one.
//!
//! A record counts where it is right after the entry at which it says that the log ended; anything
//! else would let a log that was rewritten excuse itself. It excuses checkpoints that were written
//! before it, of the entries it names:
//!
//! - of entries after the end of the log, which were cut off;
//! - of another history, which was played on from an older copy and given up again, where an older
//!   checkpoint shows that the log reached further already.

use super::receipt::{Links, Receipt};
use crate::checkpoint::Checkpoint;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{Event, Restored};
use rollbook_game::record::instant::iso;
use rollbook_game::record::loss::Loss;

/// Losses that are kept; further ones excuse nothing.
const RECORDED_MAX: usize = 1000;

/// A loss that the log records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// The entry that says so, and when it was written, in microseconds since 1970-01-01T00:00:00Z.
    pub by: u64,
    pub at: i64,
    pub log_ends: u64,
    /// An entry that is known to have been there.
    pub reached: u64,
}

impl Lost {
    fn is_cut(&self) -> bool {
        self.log_ends < self.reached
    }

    /// Whether that entry may be one of those that were lost.
    fn names(&self, seq: u64) -> bool {
        seq <= self.reached && (!self.is_cut() || seq > self.log_ends)
    }

    fn what(&self) -> String {
        match (self.is_cut(), self.log_ends + 1 == self.reached) {
            (true, true) => format!("entry #{} was lost", self.reached),
            (true, false) => format!(
                "entries #{} to #{} were lost",
                self.log_ends + 1,
                self.reached
            ),
            (false, _) => format!(
                "entries of another history up to #{} were given up",
                self.reached
            ),
        }
    }

    /// "entries #121 to #180 were lost, and the log says so since #121 of 2026-11-20T…".
    pub fn summary(&self) -> String {
        format!(
            "{}, and the log says so since #{} of {}",
            self.what(),
            self.by,
            iso(self.at)
        )
    }
}

#[derive(Debug, Default)]
pub struct Losses {
    pub recorded: Vec<Lost>,
    /// The last entry so far that is more than the opening of a campaign, its rules or a session.
    played: u64,
}

impl Losses {
    pub fn entry(&mut self, seq: u64, entry: &Entry) {
        let loss = match &entry.event {
            Event::LossAccepted(loss)
            | Event::Restored(Restored {
                loss: Some(loss), ..
            }) => Some(loss),
            Event::CampaignCreated(_) | Event::RulesLoaded(_) | Event::SessionStarted(_) => return,
            _ => None,
        };
        let loss = loss.filter(|loss| (self.played..seq).contains(&loss.log_ends));
        if let Some(Loss {
            log_ends, reached, ..
        }) = loss.filter(|_| self.recorded.len() < RECORDED_MAX)
        {
            self.recorded.push(Lost {
                by: seq,
                at: entry.at,
                log_ends: *log_ends,
                reached: *reached,
            });
        }
        self.played = seq;
    }

    /// Of each checkpoint of the campaign, in order, the loss by which the log need not hold it.
    pub fn excuses(&self, lines: &[&Checkpoint], links: &Links) -> Vec<Option<&Lost>> {
        let fits = |line: &Checkpoint| links.fits(&receipt(line));
        // Where in the file it is written that a loss was accepted.
        let accepted = |lost: &Lost| {
            let accepts =
                |line: &&Checkpoint| line.loss_accepted && line.seq >= lost.by && fits(line);
            lines.iter().position(accepts).unwrap_or(usize::MAX)
        };
        let recorded: Vec<(&Lost, usize)> = self
            .recorded
            .iter()
            .map(|lost| (lost, accepted(lost)))
            .collect();
        let mut furthest = 0;
        let excuse = |(nth, line): (usize, &&Checkpoint)| {
            if fits(line) {
                furthest = furthest.max(line.seq);
                return None;
            }
            let mut named = recorded.iter().filter(|(lost, accepted)| {
                lost.names(line.seq) && line.at <= lost.at && nth < *accepted
            });
            named
                .find(|(lost, _)| lost.is_cut() || line.seq <= furthest)
                .map(|(lost, _)| *lost)
        };
        lines.iter().enumerate().map(excuse).collect()
    }

    /// What the log says was lost at an entry of that number, in a sentence.
    pub fn summary(&self, seq: u64) -> Option<String> {
        self.recorded
            .iter()
            .find(|lost| lost.names(seq))
            .map(Lost::summary)
    }
}

/// What a checkpoint says, as a receipt.
pub fn receipt(line: &Checkpoint) -> Receipt {
    Receipt {
        seq: line.seq,
        hex: line.chain.to_lowercase(),
    }
}

/// What is noted where so many checkpoints know of a loss, and which of them vouches for the rest.
pub fn known(count: usize, lost: &Lost, lines: &[&Checkpoint], links: &Links) -> String {
    let before = lines
        .iter()
        .filter(|line| line.seq <= lost.log_ends && line.at <= lost.at);
    let vouches = match before
        .filter(|line| links.fits(&receipt(line)))
        .map(|line| line.seq)
        .max()
    {
        Some(seq) => format!("the last that the log holds before is of #{seq}"),
        None => "none is of an entry that the log holds before".to_owned(),
    };
    let know = if count == 1 {
        "1 checkpoint knows".to_owned()
    } else {
        format!("{count} checkpoints know")
    };
    format!(
        "{}, as this entry says: {know} of it, and {vouches}",
        lost.what()
    )
}
