//! The log for readers, one format a file. Everything comes through `game::visibility::project`: a players' export holds
//! what players may see, and beside it, in a proof block, what lets them check that nothing was left out.

mod csv;
mod database;
mod jsonl;
mod lines;
mod proof;

use std::path::{Path, PathBuf};

pub use jsonl::check_copy;

use crate::game::visibility::Audience;
use crate::store::checkpoint::{self, Checkpoint};
use crate::store::{Head, Identity, StoreError, sqlite};

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One JSON object a line, with proofs.
    Jsonl,
    /// One row an entry, for spreadsheets.
    Csv,
    /// A SQLite file: the GM's is a whole copy, the players' holds what they may see.
    Db,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    pub campaign: String,
    /// Entries the audience sees.
    pub shown: u64,
    /// Entries of the log.
    pub entries: u64,
    pub head: Head,
    pub out: PathBuf,
}

/// A job for one format.
struct Job<'a> {
    database: &'a Path,
    campaign: String,
    identity: Identity,
    audience: Audience,
    out: &'a Path,
}

/// Writes the log of one campaign, behind a checkpoint. A file that is there already is refused.
///
/// # Errors
/// When the database cannot be read, holds several campaigns and none was named, or `out` cannot be written.
pub async fn export(
    database: &Path,
    campaign: Option<&str>,
    audience: Audience,
    format: Format,
    out: &Path,
    now: i64,
) -> Result<Exported, StoreError> {
    let mut connection = sqlite::connect_read_only(database).await?;
    let (campaign, identity) = sqlite::read::one(&mut connection, campaign).await?;
    let head = sqlite::read::head(&mut connection, identity.key).await?;
    let book = sqlite::read::book(&mut connection).await?;
    sqlite::close(connection).await?;
    if out.exists() {
        return Err(StoreError::Io(format!("{} is there already; name another file with --out", out.display())));
    }
    checkpoint::append(database, &Checkpoint::of(database, book, &identity.uuid, &campaign, head, now))?;
    let job = Job { database, campaign, identity, audience, out };
    match format {
        Format::Jsonl => jsonl::write(&job).await,
        Format::Csv => csv::write(&job).await,
        Format::Db => database::write(&job).await,
    }
}

/// A new file that only its owner reads; never an old one.
fn create(path: &Path) -> Result<std::fs::File, StoreError> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|error| io(path, &error))
}

fn io(path: &Path, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Io(format!("cannot write {}: {error}", path.display()))
}
