//! Segments against the entries that archived them, against what they hold, and against what stays of their entries in the database.

use sha2::{Digest as _, Sha256};

use crate::game::record::entry::Entry;
use crate::game::record::event::{ArchivedEvent, Event};
use crate::store::chain::SeenHead;
use crate::store::segment::{Segment, Stub};
use crate::store::{Head, LogRow, Reader, StoreError};

/// Rows of what stays of entries that are read at a time.
const ROWS: u32 = 5000;

/// The segments of a campaign's log, as they are read.
#[derive(Default)]
pub struct Segments {
    all: Vec<Read>,
    logged: Vec<(u64, ArchivedEvent)>,
    ended: Option<u64>,
    /// Rolls of entries that lie in segments.
    pub rolls: u64,
}

/// A segment, and what was read of it.
struct Read {
    own: Segment,
    /// Why its file is not the one, as far as that is known without reading it.
    problem: Option<String>,
    /// It could not be read.
    is_skipped: bool,
    /// Of what stays of its entries.
    hash: Sha256,
    sessions: Option<(i64, i64)>,
    /// At its last entry.
    end: Option<(Head, SeenHead, Option<u64>)>,
}

/// Something wrong: an entry's number (0 for none) and the words.
type Wrong = (u64, String);

impl Segments {
    /// Those that a database knows, with their files looked at.
    pub async fn of(reader: &mut Reader, campaign: i64) -> Result<Self, StoreError> {
        let mut all = Vec::new();
        for own in reader.segments(campaign).await? {
            let problem = reader.segment_problem(campaign, &own).await?;
            all.push(Read { own, problem, is_skipped: false, hash: Sha256::new(), sessions: None, end: None });
        }
        Ok(Segments { all, ..Segments::default() })
    }

    /// The last entry of a segment, where the database is one itself.
    pub fn sealed(&self) -> Option<u64> {
        self.all.last().filter(|read| read.own.seal.is_none()).map(|read| read.own.last)
    }

    /// What is wrong with their files.
    pub fn problems(&self) -> impl Iterator<Item = String> + '_ {
        self.all.iter().filter_map(|read| read.problem.clone())
    }

    /// Passes over the one that ends with an entry and cannot be read: what the table says of it, and why, unless that is known.
    pub fn skip(&mut self, last: u64, reason: &str) -> Option<(Segment, Option<String>)> {
        let read = self.all.iter_mut().find(|read| read.own.last == last)?;
        read.is_skipped = true;
        self.ended = read.own.ended;
        Some((read.own.clone(), read.problem.is_none().then(|| reason.to_owned())))
    }

    /// Takes the next entry of the log, and what players had seen behind it.
    pub fn entry(&mut self, row: &LogRow, entry: Option<&Entry>, seen: SeenHead) {
        match entry.map(|entry| &entry.event) {
            Some(Event::SessionEnded { seen: Some(_), .. }) => self.ended = Some(row.seq),
            Some(Event::Archived(event)) => self.logged.push((row.seq, event.clone())),
            _ => {}
        }
        let Some(read) = self.all.iter_mut().find(|read| read.own.holds(row.seq)) else { return };
        if read.own.seal.is_some() {
            self.rolls += entry.map_or(0, |entry| entry.rolls.len() as u64);
        }
        add(&mut read.hash, row.seq, row.session, row.at, &row.chain);
        read.sessions = Some((read.sessions.map_or(row.session, |(first, _)| first), row.session));
        if row.seq == read.own.last {
            read.end = Some((row.head(), seen, self.ended));
        }
    }

    /// The segments that the log names, for a reader.
    pub fn notes(&self) -> Vec<Wrong> {
        let note = |(by, event): &(u64, ArchivedEvent)| {
            let file = crate::names::quoted(&event.file);
            (*by, format!("entries #{} to #{} were archived in {file}", event.first, event.last))
        };
        self.logged.iter().map(note).collect()
    }

    /// Compares them with each other, once the log that ends at `head` was read.
    pub async fn compare(mut self, reader: &mut Reader, campaign: i64, head: Head) -> Result<Vec<Wrong>, StoreError> {
        let mut wrong = Vec::new();
        for read in &self.all {
            wrong.extend(self.logged_otherwise(&read.own, head));
            wrong.extend(held_otherwise(read));
        }
        let twice = if self.all.is_empty() { 0 } else { reader.entries_twice(campaign).await? };
        if twice > 0 {
            wrong.push((0, format!("{twice} entries lie in the log though a segment holds them")));
        }
        wrong.extend(self.stubs(reader, campaign).await?);
        Ok(wrong)
    }

    /// What contradicts the entry that archived a segment.
    fn logged_otherwise(&self, own: &Segment, head: Head) -> Option<Wrong> {
        let file = crate::names::quoted(&own.file);
        let Some((bytes, sha256)) = own.seal else {
            let goes_on = head != Head { seq: own.last, chain: own.chain };
            return goes_on.then(|| (0, format!("the table segments has no hash of {file}: it was taken away")));
        };
        // An older segment was archived by an entry that a later one need not hold.
        let is_segment = self.sealed().is_some();
        let hex = |hash: &[u8; 32]| base16ct::lower::encode_string(hash);
        let is_same = |event: &ArchivedEvent| {
            event.file == own.file
                && event.bytes == bytes
                && event.sha256 == hex(&sha256)
                && event.chain == hex(&own.chain)
        };
        // A log that came back from its segments may be archived again.
        let mut logged =
            self.logged.iter().filter(|(_, event)| (event.first, event.last) == (own.first, own.last)).rev();
        let last = logged.next();
        match last {
            None if is_segment => None,
            None => Some((0, format!("the table segments names {file}, and no entry of the log archived it"))),
            Some((by, event)) if !is_same(event) && !logged.any(|(_, event)| is_same(event)) => {
                Some((*by, "the table segments says something else of what it archived".to_owned()))
            }
            Some(_) => None,
        }
    }

    /// What stays of archived entries, beside what the segments hold.
    async fn stubs(&mut self, reader: &mut Reader, campaign: i64) -> Result<Vec<Wrong>, StoreError> {
        let mut kept: Vec<Sha256> = self.all.iter().map(|_| Sha256::new()).collect();
        let (mut behind, mut strays) = (0, 0u64);
        loop {
            let page = reader.stubs(campaign, behind, ROWS).await?;
            let Some(last) = page.last() else { break };
            behind = last.seq;
            for Stub { seq, session, at, chain } in page {
                let nth = self.all.iter().position(|read| read.own.seal.is_some() && read.own.holds(seq));
                match nth.and_then(|nth| kept.get_mut(nth)) {
                    Some(hash) => add(hash, seq, i64::from(session), at, &chain),
                    None => strays += 1,
                }
            }
        }
        let mut wrong = Vec::new();
        for (read, kept) in self.all.iter().zip(kept) {
            let is_known = read.own.seal.is_some() && !read.is_skipped;
            if is_known && read.hash.clone().finalize() != kept.finalize() {
                let entries = read.own.entries();
                wrong
                    .push((0, format!("the table archived says something else of {entries} than their segment holds")));
            }
        }
        if strays > 0 {
            wrong.push((0, format!("{strays} rows of archived are of entries that no segment holds")));
        }
        Ok(wrong)
    }
}

/// What the table says of a segment and it does not hold.
fn held_otherwise(read: &Read) -> Option<Wrong> {
    if read.is_skipped {
        return None;
    }
    let own = &read.own;
    let sessions = Some((i64::from(own.sessions.0), i64::from(own.sessions.1)));
    let end = Some((Head { seq: own.last, chain: own.chain }, own.seen, own.ended));
    (read.sessions != sessions || read.end != end).then(|| {
        (0, format!("the table segments says something else of {} than it holds", crate::names::quoted(&own.file)))
    })
}

fn add(hash: &mut Sha256, seq: u64, session: i64, at: i64, chain: &[u8]) {
    hash.update(seq.to_be_bytes());
    hash.update(session.to_be_bytes());
    hash.update(at.to_be_bytes());
    hash.update(chain);
}
