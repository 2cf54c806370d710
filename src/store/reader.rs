//! Reading a database of logs. Every store offers it: [`Reader`] is what a connection that plays and one that only reads have in
//! common, [`Auditor`] is what exports and verification read besides. They know no more of a store than this.

use std::future::Future;
use std::path::Path;

use super::checkpoint::{self, Checkpoint};
use super::error::StoreError;
use super::record::{Head, Identity, LogRow, Remembered, RollRow};
use crate::game::record::loss::{KnownBy, Loss};
use crate::game::record::state::State;
use crate::names::same;

/// What became of a campaign whose name no campaign has now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Former {
    /// It was removed, as this line says.
    Removed(Checkpoint),
    /// It has this name now.
    Renamed(String),
    /// It reached this entry, and the database does not hold it any more.
    Lost(u64),
}

impl Former {
    /// Of several that had the name, what matters most: a loss, the further the more.
    fn weight(&self) -> (u8, u64) {
        match self {
            Former::Removed(line) => (0, line.at.unsigned_abs()),
            Former::Renamed(_) => (1, 0),
            Former::Lost(reached) => (2, *reached),
        }
    }
}

/// One connection that reads.
pub trait Reader: Send + Sized + 'static {
    /// Where the database lies, and beside it its checkpoints.
    fn database(&self) -> &Path;

    /// Begins to read one consistent moment; ended by [`super::Store::end_read`] or by [`Reader::close`].
    fn begin_read(&mut self) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Every campaign, by name.
    fn campaigns(&mut self) -> impl Future<Output = Result<Vec<(String, Identity)>, StoreError>> + Send;

    /// What this database is called in checkpoints; `None` in one that is older than such names.
    fn book(&mut self) -> impl Future<Output = Result<Option<String>, StoreError>> + Send;

    /// The last entry of a campaign's log; [`Head::default`] for a key without entries.
    fn head(&mut self, campaign: i64) -> impl Future<Output = Result<Head, StoreError>> + Send;

    /// The chain value of an entry; `None` where there is no such entry.
    fn chain(&mut self, campaign: i64, seq: u64) -> impl Future<Output = Result<Option<[u8; 32]>, StoreError>> + Send;

    /// The state tables of a campaign.
    fn load(&mut self, campaign: i64) -> impl Future<Output = Result<State, StoreError>> + Send;

    /// Closes the connection in good order.
    fn close(self) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The campaign of that name, case and accents folded, so that no second one is made by a capital letter.
    fn find(&mut self, name: &str) -> impl Future<Output = Result<Option<Identity>, StoreError>> + Send {
        async move {
            let found = self.campaigns().await?.into_iter().find(|(own, _)| same(own, name));
            Ok(found.map(|(_, identity)| identity))
        }
    }

    /// The names of all campaigns.
    fn names(&mut self) -> impl Future<Output = Result<Vec<String>, StoreError>> + Send {
        async move { Ok(self.campaigns().await?.into_iter().map(|(name, _)| name).collect()) }
    }

    /// What became of the campaign that had a name, as checkpoints of this very book know; `None` where one has it now, or none had it.
    fn former(&mut self, name: &str) -> impl Future<Output = Result<Option<Former>, StoreError>> + Send {
        async move {
            let Some(book) = self.book().await? else { return Ok(None) };
            let held = self.campaigns().await?;
            if held.iter().any(|(own, _)| same(own, name)) {
                return Ok(None);
            }
            let (checkpoints, database) = (checkpoint::read(self.database()), self.database());
            let named = |line: &&Checkpoint| {
                line.book.as_ref() == Some(&book) && line.name.as_deref().is_some_and(|known| same(known, name))
            };
            let lines: Vec<&Checkpoint> = checkpoints.lines.iter().filter(named).collect();
            // A campaign that was begun under the name of a lost one accepted that.
            let since = lines.iter().rposition(|line| line.loss_accepted).unwrap_or(0);
            let became = lines.into_iter().skip(since).map(|line| {
                let renamed = held.iter().find(|(_, own)| own.uuid == line.campaign);
                let removed = checkpoints.removal(database, Some(&book), &line.campaign);
                match (renamed, removed) {
                    (Some((own, _)), _) => Former::Renamed(own.clone()),
                    (None, Some(line)) => Former::Removed(line.clone()),
                    (None, None) => Former::Lost(line.seq),
                }
            });
            Ok(became.max_by_key(Former::weight))
        }
    }

    /// What checkpoints know of a campaign's log and it does not hold.
    fn shortened(&mut self, identity: &Identity) -> impl Future<Output = Result<Option<Loss>, StoreError>> + Send {
        async move {
            let (book, lines) = (self.book().await?, checkpoint::read(self.database()));
            let database = self.database().to_path_buf();
            for line in lines.furthest(&database, book.as_deref(), &identity.uuid) {
                let there = self.chain(identity.key, line.seq).await?;
                if there.is_none_or(|chain| base16ct::lower::encode_string(&chain) != line.chain.to_lowercase()) {
                    return Ok(Some(Loss {
                        log_ends: self.head(identity.key).await?.seq,
                        reached: line.seq,
                        known_by: KnownBy::Checkpoint,
                        chain: Some(line.chain.clone()),
                        known_since: Some(line.at),
                    }));
                }
            }
            Ok(None)
        }
    }
}

/// A connection that reads whole logs, changes nothing, and can say what is wrong with the database that holds them.
pub trait Auditor: Reader {
    type Page: Page;

    /// The next rows of a log, in order; `None` at the end.
    fn page(&mut self, at: &mut Position) -> impl Future<Output = Result<Option<Self::Page>, StoreError>> + Send;

    /// Kept answers with their `request_id`, in its order after `request_id`, at most `limit`.
    fn answers(
        &mut self,
        campaign: i64,
        request_id: &str,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<(String, Remembered)>, StoreError>> + Send;

    /// How many rows `rolls` has for a campaign.
    fn roll_count(&mut self, campaign: i64) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Compares the schema with the one that the migrations make. [`StoreError::Newer`] for one of a later program.
    fn check_schema(&mut self) -> impl Future<Output = Result<Remarks, StoreError>> + Send;

    /// What the database's own check of its pages and indexes finds. It takes long, and runs beside other reading.
    fn check_storage(&self) -> impl Future<Output = Result<Vec<String>, StoreError>> + Send + 'static;

    /// Rows of each table that belong to no campaign there is, as table and count.
    fn orphans(&mut self) -> impl Future<Output = Result<Vec<(String, i64)>, StoreError>> + Send;

    /// How many names the database has in checkpoints: one, where nobody changed it. `None` where [`Reader::book`] has none.
    fn book_count(&mut self) -> impl Future<Output = Result<Option<i64>, StoreError>> + Send;

    /// Writes one campaign into an empty file: a database in SQLite, with the same log and a book's name of its own. Answers where
    /// the log ends there, and how many entries it has: somebody may be playing.
    fn copy_campaign(
        &self,
        campaign: i64,
        out: &Path,
    ) -> impl Future<Output = Result<(Head, u64), StoreError>> + Send + 'static;

    /// The same of every campaign, with the same book's name.
    fn copy_all(&self, out: &Path) -> impl Future<Output = Result<(), StoreError>> + Send + 'static;
}

/// Rows of a log that were read at once. They are unpacked where they are worked on, which may be another thread.
pub trait Page: Send + 'static {
    /// The entries, in order.
    fn rows(&self) -> Result<Vec<LogRow>, StoreError>;

    /// Their rows in `rolls`, in order; none where [`Position::with_rolls`] did not ask for them.
    fn rolls(&self) -> Result<Vec<RollRow<'_>>, StoreError>;
}

/// What is to be said of a database as a whole, a sentence each.
#[derive(Debug, Default)]
pub struct Remarks {
    /// What is wrong.
    pub findings: Vec<String>,
    /// What a reader should know and is no fault.
    pub notes: Vec<String>,
}

/// Where the reading of a log stands, and how many rows its next page has. That follows from how long the rows before were, so that
/// the size of a page is bounded.
#[derive(Debug)]
pub struct Position {
    pub campaign: i64,
    /// The last entry that was read.
    pub after: i64,
    /// Rows of the next page.
    pub rows: u32,
    /// Whether the rows in `rolls` are read, too.
    pub rolls: bool,
}

impl Position {
    /// Bytes that a page is meant to have.
    const BYTES: usize = 4 * 1024 * 1024;
    const ROWS_FIRST: u32 = 64;
    pub const ROWS_MAX: u32 = 512;

    /// Before the first entry of a campaign's log.
    pub fn of(campaign: i64) -> Self {
        Position { campaign, after: 0, rows: Self::ROWS_FIRST, rolls: false }
    }

    /// The same, with the rows in `rolls`.
    pub fn with_rolls(self) -> Self {
        Position { rolls: true, ..self }
    }

    /// Goes on behind a page that ended with the entry `last`, and of which a row had so many bytes.
    pub fn advance(&mut self, last: i64, row_bytes: usize) {
        let fit = u32::try_from(Self::BYTES / row_bytes.max(1)).unwrap_or(Self::ROWS_MAX);
        self.rows = fit.clamp(1, Self::ROWS_MAX.min(self.rows * 8));
        self.after = last;
    }

    /// Asks for fewer rows, because a page was too big to be read; `false` where it was a single one.
    pub fn shrink(&mut self) -> bool {
        let several = self.rows > 1;
        self.rows = (self.rows / 8).max(1);
        several
    }
}
