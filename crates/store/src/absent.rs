//! Campaigns that checkpoints know in a database and it does not hold: lost; or gone on purpose, as their last line says.

use std::collections::BTreeMap;

use super::Identity;
use super::checkpoint::{Checkpoint, Checkpoints, Subject};
use super::location::Location;
use super::record::RECEIPT_DIGITS;
use rollbook_game::record::instant::iso;
use rollbook_text::names::quoted;

impl Checkpoints {
    /// The line by which a campaign went from that database on purpose: the last of its lines there, and no line since the last loss
    /// that was accepted goes further.
    pub fn removal(&self, database: &Location, book: Option<&str>, campaign: &str) -> Option<&Checkpoint> {
        let of_this = |line: &&Checkpoint| line.subject(database, book) == Subject::ThisDatabase;
        let last = self.lines.iter().rfind(|line| line.campaign == campaign && of_this(line))?;
        let furthest = self.furthest(database, book, campaign);
        (last.is_removal() && furthest.iter().all(|line| line.seq <= last.seq)).then_some(last)
    }

    /// The campaigns that the database has to hold and that are none of these, each by the line that knows the most of it.
    pub fn lost(&self, database: &Location, book: Option<&str>, held: &[(String, Identity)]) -> Vec<&Checkpoint> {
        let mut lost: BTreeMap<&str, &Checkpoint> = BTreeMap::new();
        let is_of_this =
            |line: &&Checkpoint| line.subject(database, book) == Subject::ThisDatabase && line.applies(database, book);
        let is_held = |line: &&Checkpoint| held.iter().any(|(_, own)| own.uuid == line.campaign);
        for line in self.lines.iter().filter(|line| is_of_this(line) && !is_held(line)) {
            let most = lost.entry(&line.campaign).or_insert(line);
            if line.seq >= most.seq {
                *most = line;
            }
        }
        lost.into_values().filter(|line| self.removal(database, book, &line.campaign).is_none()).collect()
    }
}

impl Checkpoint {
    fn is_removal(&self) -> bool {
        self.removed_to.is_some() || self.given_up_for.is_some()
    }

    /// How a campaign went on purpose, in a sentence; `None` for a line that says something else.
    pub fn removal(&self) -> Option<String> {
        let receipt = self.chain.get(..RECEIPT_DIGITS).unwrap_or_default();
        let at = format!("on {} at #{} {receipt}", iso(self.at), self.seq);
        match (&self.removed_to, &self.given_up_for) {
            (Some(export), _) => Some(format!("was removed {at}; {} holds all of it", quoted(export))),
            (None, Some(copy)) => {
                Some(format!("was given up {at}; {}, which was put back then, did not hold it", quoted(copy)))
            }
            (None, None) => None,
        }
    }
}
