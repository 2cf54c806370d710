//! One campaign's log: each bad entry is named, and the check goes on.
//!
//! Checked: links and contents, gaps and order, versions, the copies in the columns, the arithmetic of every roll and the
//! numbers beside it, that
//! players' parts are what hiding makes of the bodies, references, undos, the images against the state so far, the roll rows, the
//! kept answers, and at the end the replayed state against the tables and the tail against checkpoints and a receipt.

use std::collections::BTreeMap;

use sqlx::sqlite::SqliteConnection;

use super::alone::{Alone, Placed};
use super::answers::Answers;
use super::cited::Cited;
use super::links::Links;
use super::receipt::Receipt;
use super::report::{Report, missing};
use super::scene::{self, Scene};
use super::undone::Recent;
use crate::game::record::entry::{BODY_VERSION, Entry};
use crate::game::record::event::Event;
use crate::game::record::state::State;
use crate::game::view::visibility::is_whole;
use crate::store::checkpoint::Checkpoint;
use crate::store::sqlite::append::RollRow;
use crate::store::sqlite::batch::{self, Batches};
use crate::store::sqlite::{inspect, load};
use crate::store::{Identity, LogRow, StoreError, parallel};

pub(super) struct Check<'a> {
    pub report: Report,
    uuid: uuid::Uuid,
    state: State,
    answers: Answers,
    recent: Recent,
    cited: Cited,
    scene: Scene,
    /// From the first to the last of the entries that are not there; behind them nobody can tell what the log adds up to.
    missing: Vec<(u64, u64)>,
    /// The chain value of the entry before, worked out from its content.
    computed: [u8; 32],
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
            scene: Scene::default(),
            missing: Vec::new(),
            computed: [0; 32],
            checkpoints,
            links,
        }
    }

    pub async fn run(&mut self, connection: &mut SqliteConnection, identity: &Identity) -> Result<(), StoreError> {
        let mut batches = Batches::of(identity.key);
        let mut page = Page::read(&mut batches, connection, identity.key).await?;
        while !page.rows.is_empty() {
            let next = Page::read(&mut batches, connection, identity.key);
            let (next, ()) = parallel::meanwhile(next, || self.page(page)).await;
            page = next?;
        }
        let tables = load::state(connection, identity.key).await?;
        self.compare(&tables);
        let strays = inspect::roll_count(connection, identity.key).await?.saturating_sub(self.report.rolls);
        self.report.left_out += u64::from(strays > 0 && !self.missing.is_empty());
        if strays > 0 && self.missing.is_empty() {
            self.find(0, format!("{strays} rows of rolls belong to no entry of the log"));
        }
        let (wrong, unbound) = std::mem::take(&mut self.answers).compare(connection, identity.key).await?;
        self.report.unbound_answers = unbound;
        let (lost, wrong): (Vec<_>, Vec<_>) = wrong.into_iter().partition(|(seq, _)| self.is_missing(*seq));
        self.report.left_out += lost.len() as u64;
        wrong.into_iter().for_each(|(seq, what)| self.find(seq, what));
        Ok(())
    }

    /// What needs no other entry is looked at on every core; in between, one after the other, what does.
    fn page(&mut self, page: Page) {
        let uuid = self.uuid;
        let alone = parallel::each(page.with_rolls(), |(row, rolls)| Alone::of(&uuid, row, rolls));
        let in_order: Vec<Placed> = alone.into_iter().map(|alone| self.entry(alone)).collect();
        for (seq, found) in parallel::each(in_order, Placed::finish) {
            found.into_iter().for_each(|what| self.find(seq, what));
        }
    }

    /// What an entry says beside those before it.
    fn entry(&mut self, alone: Alone) -> Placed {
        let Alone { row, rolls, entry, computed, mut found } = alone;
        let (seq, before) = (row.seq, self.report.head);
        let mut placed = Vec::new();
        match seq.checked_sub(before.seq + 1) {
            Some(0) if row.prev[..] != before.chain && !self.follows_by_content(&row.prev) => {
                placed.push("its link does not name the entry before it".to_owned());
            }
            Some(0) => {}
            _ => {
                placed.push(missing(before.seq + 1, seq));
                self.missing.push((before.seq + 1, seq.saturating_sub(1)));
            }
        }
        placed.append(&mut found);
        let mut found = placed;
        self.computed = computed;
        self.report.entries += 1;
        self.report.head = row.head();
        self.links.reach(seq, self.report.head.chain);
        let Some(entry) = entry else { return Placed { row, rolls, entry: None, whole: false, unsure: true, found } };
        self.report.sessions_ended += u64::from(matches!(entry.event, Event::SessionEnded { .. }));
        if let Event::LossAccepted(loss) = &entry.event {
            self.report.note(seq, format!("it accepts a loss. {}", loss.told()));
        }
        self.report.rolls += entry.rolls.len() as u64;
        self.report.earlier += u64::from(entry.v < BODY_VERSION);
        found.extend(self.images(&entry));
        found.extend(references(seq, &entry));
        let unsure = !self.missing.is_empty();
        let out_of_scene = self.scene.entry(seq, &entry, &self.state);
        self.report.left_out += if unsure { out_of_scene.len() as u64 } else { 0 };
        found.extend(out_of_scene.into_iter().filter(|_| !unsure));
        if self.scene.is_behind(&entry) {
            self.report.note(seq, scene::BEHIND.to_owned());
        }
        if self.scene.is_bare(&entry) {
            self.report.note(seq, scene::BARE.to_owned());
        }
        if self.scene.is_beyond(&entry) {
            self.report.note(seq, scene::BEYOND.to_owned());
        }
        let undone = self.recent.entry(seq, &entry);
        self.report.left_out += u64::from(unsure && undone.is_some());
        found.extend(undone.filter(|_| !unsure));
        found.extend(self.cited.rollless(&entry).filter(|_| !unsure));
        for what in self.cited.entry(seq, &entry) {
            self.report.note(seq, what);
        }
        if is_unrolled(&entry) {
            self.report.note(seq, UNROLLED.to_owned());
        }
        found.extend(self.answers.entry(self.report.head, &entry));
        let whole = is_whole(&entry, &self.state);
        Placed { row, rolls, entry: Some(entry), whole, unsure, found }
    }

    /// Every before-image is what the log so far adds up to; then its after-image is.
    fn images(&mut self, entry: &Entry) -> Vec<String> {
        let mut found = Vec::new();
        for change in &entry.changes {
            let agrees = self.state.agrees(change);
            self.report.left_out += u64::from(!agrees && !self.missing.is_empty());
            if !agrees && self.missing.is_empty() {
                found.push("an image of what was before differs from what the log adds up to".to_owned());
            }
            self.state.apply(std::slice::from_ref(change));
        }
        found
    }

    /// Whether the link names what the entry before it should be hashed to: then it is that one's hash which was changed.
    fn follows_by_content(&self, prev: &[u8]) -> bool {
        self.computed.as_slice() == prev
    }

    fn is_missing(&self, seq: u64) -> bool {
        self.missing.iter().any(|(first, last)| (*first..=*last).contains(&seq))
    }

    fn compare(&mut self, tables: &State) {
        let replayed = std::mem::take(&mut self.state);
        for table in replayed.differences(tables) {
            if !self.missing.is_empty() {
                self.report.left_out += 1;
                continue;
            }
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

/// What is noted of damage whose amount no roll decided.
const UNROLLED: &str = "damage of an amount that was said: it names no roll";

fn is_unrolled(entry: &Entry) -> bool {
    matches!(&entry.event, Event::Damage(damage) if damage.roll.is_none() && damage.amount > 0 && damage.told.is_none())
}

fn references(seq: u64, entry: &Entry) -> Option<String> {
    let refers = match &entry.event {
        Event::Damage(damage) => damage.roll,
        event => event.again().map(|again| again.entry),
    };
    let stood = refers.is_none_or(|entry| entry != 0 && entry < seq);
    (!stood).then(|| "it refers to an entry that did not stand before it".to_owned())
}

/// Entries that were read at once, and the roll rows beside them.
struct Page {
    rows: Vec<LogRow>,
    rolls: Vec<RollRow>,
}

impl Page {
    async fn read(batches: &mut Batches, connection: &mut SqliteConnection, key: i64) -> Result<Page, StoreError> {
        let rows = batches.next(connection).await?;
        let rolls = match (rows.first(), rows.last()) {
            (Some(first), Some(last)) => batch::rolls(connection, key, first.seq, last.seq).await?,
            _ => Vec::new(),
        };
        Ok(Page { rows, rolls })
    }

    fn with_rolls(self) -> Vec<(LogRow, Vec<RollRow>)> {
        let mut rolls = self.rolls.into_iter().fold(BTreeMap::<i64, Vec<_>>::new(), |mut by_seq, row| {
            by_seq.entry(row.seq).or_default().push(row);
            by_seq
        });
        let own = |row: LogRow| {
            let rolls = rolls.remove(&i64::try_from(row.seq).unwrap_or(0)).unwrap_or_default();
            (row, rolls)
        };
        self.rows.into_iter().map(own).collect()
    }
}
