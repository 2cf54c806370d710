//! Verifying a campaign's log: it names each bad entry and goes on.
//!
//! Checked: links and contents, gaps and order, versions, the copies in the columns, the arithmetic of every roll, that
//! players' parts are what hiding makes of the bodies, references, the images against the state so far, the roll rows,
//! and at the end the replayed state against the tables and the tail against checkpoints and a given receipt.

use std::collections::BTreeMap;
use std::path::Path;

use sqlx::Connection;
use sqlx::sqlite::SqliteConnection;

use super::record::{Head, Identity, Sealed};
use super::sqlite::read::{self, LogRow};
use super::sqlite::{append, connect_read_only, load};
use super::{StoreError, canonical, chain, checkpoint};
use crate::dice::{self, ScriptedRoller};
use crate::game::entry::{BODY_VERSION, Entry, RollRecord};
use crate::game::event::Event;
use crate::game::state::State;
use crate::game::visibility::{Audience, project};

/// Entries read at a time.
const PAGE: u32 = 500;
/// Findings kept; the rest are counted.
const FINDINGS_MAX: usize = 200;

/// What verification found in one campaign.
#[derive(Debug, Default)]
pub struct Report {
    pub campaign: String,
    pub entries: u64,
    pub rolls: u64,
    pub head: Head,
    pub findings: Vec<Finding>,
    /// Findings beyond those kept.
    pub more: u64,
    pub checkpoints: usize,
}

/// One thing that is wrong; `seq` 0 where no single entry is to blame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub seq: u64,
    pub what: String,
}

/// Verifies a database. `receipt` is one that was kept outside: "#128 9f3c21d07a44".
///
/// # Errors
/// When the file cannot be read at all, or holds no such campaign.
pub async fn verify(database: &Path, campaign: Option<&str>, receipt: Option<&str>) -> Result<Vec<Report>, StoreError> {
    let mut connection = connect_read_only(database).await?;
    // One moment of the file, though others go on writing.
    read::begin(&mut connection).await?;
    let all = read::campaigns(&mut connection).await?;
    let wanted: Vec<(String, Identity)> = match campaign {
        Some(name) => {
            all.into_iter().filter(|(known, _)| crate::names::fold(known) == crate::names::fold(name)).collect()
        }
        None => all,
    };
    if wanted.is_empty() {
        let which = campaign.map_or("no campaign".to_owned(), |name| format!("no campaign \"{name}\""));
        return Err(StoreError::Io(format!("there is {which} in {}", database.display())));
    }
    let sound = read::integrity(&mut connection).await?;
    let mut reports = Vec::new();
    for (name, identity) in wanted {
        let checkpoints = checkpoint::read(database, &identity.uuid)?;
        let mut check = Check::new(name, &identity, checkpoints.len());
        for problem in sound.iter().filter(|line| *line != "ok") {
            check.find(0, format!("SQLite's own check: {problem}"));
        }
        check.run(&mut connection, &identity).await?;
        for line in checkpoints {
            check.reached(line.seq, &line.chain, "a checkpoint");
        }
        if let Some(receipt) = receipt {
            match parse_receipt(receipt) {
                Some((seq, hex)) => check.reached(seq, &hex, "the receipt"),
                None => {
                    return Err(StoreError::Io(format!(
                        "\"{receipt}\" is no receipt; one looks like \"#128 9f3c21d07a44\""
                    )));
                }
            }
        }
        reports.push(check.report);
    }
    connection.close().await?;
    Ok(reports)
}

/// The number and the hex digits of a receipt.
pub fn parse_receipt(text: &str) -> Option<(u64, String)> {
    let (seq, hex) = text.trim().trim_start_matches('#').split_once(' ')?;
    let hex = hex.trim().to_lowercase();
    let digits = hex.len() >= 6 && hex.chars().all(|digit| digit.is_ascii_hexdigit());
    digits.then_some(())?;
    Some((seq.parse().ok()?, hex))
}

struct Check {
    report: Report,
    uuid: uuid::Uuid,
    state: State,
    /// Chain values by number, for checkpoints and receipts.
    links: BTreeMap<u64, [u8; 32]>,
}

impl Check {
    fn new(campaign: String, identity: &Identity, checkpoints: usize) -> Self {
        let report = Report { campaign, checkpoints, ..Report::default() };
        let uuid = identity.uuid.parse().unwrap_or_default();
        Check { report, uuid, state: State::default(), links: BTreeMap::new() }
    }

    async fn run(&mut self, connection: &mut SqliteConnection, identity: &Identity) -> Result<(), StoreError> {
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
        let strays = read::roll_count(connection, identity.key).await?.saturating_sub(self.report.rolls);
        if strays > 0 {
            self.find(0, format!("{strays} rows of rolls belong to no entry of the log"));
        }
        let answers = read::answers_after(connection, identity.key, self.report.head.seq).await?;
        if answers > 0 {
            self.find(0, format!("{answers} kept answers belong to entries that the log does not have"));
        }
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
        self.report.head = Head { seq, chain: row.chain.clone().try_into().unwrap_or_default() };
        self.links.insert(seq, self.report.head.chain);
        let entry: Entry = match serde_json::from_slice(&row.body) {
            Ok(entry) => entry,
            Err(error) => return self.find(seq, format!("its body cannot be read: {error}")),
        };
        if entry.v != BODY_VERSION {
            self.find(seq, format!("its body has version {}, and this program knows {BODY_VERSION}", entry.v));
        }
        if canonical::bytes(&entry).ok().as_deref() != Some(&row.body[..]) {
            self.find(seq, "its body is not in canonical form".to_owned());
        }
        self.copies(&row, &entry);
        self.images(seq, &entry);
        for record in &entry.rolls {
            self.arithmetic(seq, record);
        }
        self.references(seq, &entry);
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

    fn arithmetic(&mut self, seq: u64, record: &RollRecord) {
        self.report.rolls += 1;
        let mut roller = ScriptedRoller::new(record.roll.faces());
        let again = dice::parse(&record.roll.expression).and_then(|expression| expression.roll(&mut roller));
        match again {
            Ok(roll) if roll == record.roll && roller.left().is_empty() => {}
            Ok(roll) => {
                self.find(seq, format!("{} comes to {}, not {}", record.roll.expression, roll.total, record.roll.total))
            }
            Err(error) => {
                self.find(seq, format!("{} cannot be rolled again from its faces: {error}", record.roll.expression))
            }
        }
    }

    fn references(&mut self, seq: u64, entry: &Entry) {
        if let Event::Damage(damage) = &entry.event
            && damage.roll.is_some_and(|roll| roll == 0 || roll >= seq)
        {
            self.find(seq, "it refers to an entry that did not stand before it".to_owned());
        }
    }

    fn players(&mut self, row: &LogRow, entry: Entry, stored_rolls: &[append::RollRow]) {
        let seq = row.seq;
        let projection = project(&entry, &self.state, Audience::Player);
        if chain::public(&projection, seq).ok().as_deref() != Some(&row.public[..]) {
            self.find(seq, "its public part is not what hiding makes of its body".to_owned());
        }
        let sealed = Sealed {
            entry,
            seq,
            prev: [0; 32],
            body: Vec::new(),
            public: Vec::new(),
            whole: projection.whole,
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

    fn reached(&mut self, seq: u64, hex: &str, what: &str) {
        match self.links.get(&seq) {
            Some(link) if base16ct::lower::encode_string(link).starts_with(&hex.to_lowercase()) => {}
            Some(_) => {
                self.find(seq, format!("{what} names another chain value for it: the log was rewritten up to here"))
            }
            None => {
                let last = self.report.head.seq;
                self.find(
                    seq,
                    format!("{what} says the log reached #{seq}, and it ends at #{last}: its tail was cut off"),
                );
            }
        }
    }

    fn find(&mut self, seq: u64, what: String) {
        if self.report.findings.len() < FINDINGS_MAX {
            self.report.findings.push(Finding { seq, what });
        } else {
            self.report.more += 1;
        }
    }
}
