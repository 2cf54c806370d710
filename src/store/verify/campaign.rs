//! One campaign's log: each bad entry is named, and the check goes on.
//!
//! Checked: links and contents, gaps and order, versions, the copies in the columns, the arithmetic of every roll and the
//! numbers beside it, that
//! players' parts are what hiding makes of the bodies, references, undos, the images against the state so far, the roll rows, the
//! kept answers, and at the end the replayed state against the tables and the tail against checkpoints and a receipt.

use std::collections::BTreeMap;

use sqlx::sqlite::SqliteConnection;

use super::again;
use super::answers::Answers;
use super::cited::Cited;
use super::links::Links;
use super::numbers;
use super::receipt::Receipt;
use super::report::Report;
use super::undone::Recent;
use crate::game::entry::{BODY_VERSION, Entry};
use crate::game::event::Event;
use crate::game::state::State;
use crate::game::visibility::{Audience, project};
use crate::store::checkpoint::Checkpoint;
use crate::store::sqlite::{append, inspect, load, read};
use crate::store::{Identity, LogRow, Sealed, StoreError, canonical, chain};

/// Entries read at a time.
const PAGE: u32 = 500;

pub(super) struct Check<'a> {
    pub report: Report,
    uuid: uuid::Uuid,
    state: State,
    answers: Answers,
    recent: Recent,
    cited: Cited,
    checkpoints: Vec<&'a Checkpoint>,
    /// Of the entries that checkpoints and the receipt speak of.
    links: Links,
}

impl<'a> Check<'a> {
    pub fn new(
        campaign: String,
        identity: &Identity,
        checkpoints: Vec<&'a Checkpoint>,
        receipt: Option<&Receipt>,
    ) -> Self {
        let report = Report { campaign, checkpoints: checkpoints.len(), ..Report::default() };
        let uuid = identity.uuid.parse().unwrap_or_default();
        let spoken_of = checkpoints.iter().map(|line| line.seq).chain(receipt.map(|receipt| receipt.seq));
        let links = Links::of(spoken_of);
        Check {
            report,
            uuid,
            state: State::default(),
            answers: Answers::default(),
            recent: Recent::default(),
            cited: Cited::default(),
            checkpoints,
            links,
        }
    }

    pub async fn run(&mut self, connection: &mut SqliteConnection, identity: &Identity) -> Result<(), StoreError> {
        loop {
            let rows = read::rows(connection, identity.key, self.report.head.seq, PAGE).await?;
            let (Some(first), Some(last)) = (rows.first(), rows.last()) else { break };
            let stored = read::rolls(connection, identity.key, first.seq, last.seq).await?;
            let mut stored = stored.into_iter().fold(BTreeMap::<i64, Vec<_>>::new(), |mut by_seq, row| {
                by_seq.entry(row.seq).or_default().push(row);
                by_seq
            });
            for row in rows {
                let rolls = stored.remove(&i64::try_from(row.seq).unwrap_or(0)).unwrap_or_default();
                self.entry(row, &rolls);
            }
        }
        let tables = load::state(connection, identity.key).await?;
        self.compare(&tables);
        let strays = inspect::roll_count(connection, identity.key).await?.saturating_sub(self.report.rolls);
        if strays > 0 {
            self.find(0, format!("{strays} rows of rolls belong to no entry of the log"));
        }
        let (wrong, unbound) = std::mem::take(&mut self.answers).compare(connection, identity.key).await?;
        self.report.unbound_answers = unbound;
        wrong.into_iter().for_each(|(seq, what)| self.find(seq, what));
        Ok(())
    }

    fn entry(&mut self, row: LogRow, stored_rolls: &[append::RollRow]) {
        let seq = row.seq;
        let before = self.report.head;
        if seq != before.seq + 1 {
            self.find(seq, format!("entry #{} is missing before it", before.seq + 1));
        }
        if row.prev != before.chain {
            self.find(seq, "its link does not name the entry before it".to_owned());
        }
        self.hashes(&row);
        self.report.entries += 1;
        self.report.head = row.head();
        self.links.reach(seq, self.report.head.chain);
        let entry: Entry = match serde_json::from_slice(&row.body) {
            Ok(entry) => entry,
            Err(error) => return self.find(seq, format!("its body cannot be read: {error}")),
        };
        if entry.v > BODY_VERSION {
            self.find(seq, format!("its body has version {}, and this program knows {BODY_VERSION}", entry.v));
        }
        if canonical::bytes(&entry).ok().as_deref() != Some(&row.body[..]) {
            self.find(seq, "its body is not in canonical form".to_owned());
        }
        self.report.sessions_ended += u64::from(matches!(entry.event, Event::SessionEnded { .. }));
        self.copies(&row, &entry);
        self.images(seq, &entry);
        for record in &entry.rolls {
            self.report.rolls += 1;
            if let Some(what) = again::check(&record.roll, entry.v) {
                self.find(seq, what);
            }
        }
        if let Some(what) = numbers::check(&entry) {
            self.find(seq, what);
        }
        self.references(seq, &entry);
        if let Some(what) = self.recent.entry(seq, &entry) {
            self.find(seq, what);
        }
        for what in self.cited.entry(seq, &entry) {
            self.report.note(seq, what);
        }
        if let Some(what) = self.answers.entry(self.report.head, &entry) {
            self.find(seq, what);
        }
        self.players(&row, entry, stored_rolls);
    }

    fn hashes(&mut self, row: &LogRow) {
        let commitment = chain::commitment(&row.salt, &row.body);
        let leaf = chain::leaf(&self.uuid, row.seq, &row.public, &commitment);
        let prev: [u8; 32] = row.prev.clone().try_into().unwrap_or_default();
        if row.commitment != commitment {
            self.find(row.seq, "its body is not the one that was committed to".to_owned());
        }
        if row.leaf != leaf {
            self.find(row.seq, "its content does not match its hash".to_owned());
        }
        if row.chain != chain::link(&prev, &leaf) {
            self.find(row.seq, "its chain value does not follow from its content".to_owned());
        }
    }

    fn copies(&mut self, row: &LogRow, entry: &Entry) {
        let same = row.at == entry.at
            && row.session == i64::from(entry.session)
            && row.kind == entry.event.kind()
            && row.visibility == entry.visibility.as_str()
            && row.actor == entry.actor;
        if !same {
            self.find(row.seq, "a column beside the body says something else than the body".to_owned());
        }
    }

    /// Every before-image is what the log so far adds up to; then its after-image is.
    fn images(&mut self, seq: u64, entry: &Entry) {
        for change in &entry.changes {
            if !self.state.agrees(change) {
                self.find(seq, "an image of what was before differs from what the log adds up to".to_owned());
            }
            self.state.apply(std::slice::from_ref(change));
        }
    }

    fn references(&mut self, seq: u64, entry: &Entry) {
        let refers = match &entry.event {
            Event::Damage(damage) => damage.roll,
            event => event.again().map(|again| again.entry),
        };
        if refers.is_some_and(|entry| entry == 0 || entry >= seq) {
            self.find(seq, "it refers to an entry that did not stand before it".to_owned());
        }
    }

    fn players(&mut self, row: &LogRow, entry: Entry, stored_rolls: &[append::RollRow]) {
        let seq = row.seq;
        let projection = project(&entry, &self.state, Audience::Player);
        let mut whole = projection.whole;
        if entry.v < BODY_VERSION {
            self.report.earlier += 1;
            whole = stored_rolls.iter().any(|row| row.visible);
        } else if chain::public(&projection, seq).ok().as_deref() != Some(&row.public[..]) {
            self.find(seq, "its public part is not what hiding makes of its body".to_owned());
        }
        let sealed = Sealed {
            entry,
            seq,
            prev: [0; 32],
            body: Vec::new(),
            public: Vec::new(),
            whole,
            salt: [0; 32],
            commitment: [0; 32],
            leaf: [0; 32],
            chain: [0; 32],
        };
        if append::roll_rows(&sealed).ok().as_deref() != Some(stored_rolls) {
            self.find(seq, "its rows in rolls differ from its body".to_owned());
        }
    }

    fn compare(&mut self, tables: &State) {
        let replayed = std::mem::take(&mut self.state);
        for table in replayed.differences(tables) {
            self.find(0, format!("the table {table} differs from what the log adds up to"));
        }
    }

    pub fn compare_checkpoints(&mut self) {
        for line in std::mem::take(&mut self.checkpoints) {
            let of = line.database.as_ref().map_or(String::new(), |database| format!(" of {database}"));
            let receipt = Receipt { seq: line.seq, hex: line.chain.to_lowercase() };
            self.reached(&receipt, &format!("a checkpoint{of}"));
        }
    }

    pub fn compare_receipt(&mut self, receipt: &Receipt) {
        self.reached(receipt, "the receipt");
    }

    /// Whether the log holds the entry of that receipt.
    pub fn fits(&self, receipt: &Receipt) -> bool {
        self.links.fits(receipt)
    }

    fn reached(&mut self, receipt: &Receipt, what: &str) {
        if let Some(lack) = self.links.lack(receipt, self.report.head.seq, what) {
            self.find(receipt.seq, lack);
        }
    }

    pub fn find(&mut self, seq: u64, what: String) {
        self.report.find(seq, what);
    }
}
