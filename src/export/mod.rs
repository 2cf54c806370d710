//! The log for readers, one format a file. Everything comes through `game::view::visibility::project`: a players' export holds
//! what players may see, and beside it, in a proof block, what lets them check that nothing was left out.

mod copy;
mod csv;
mod database;
mod jsonl;
mod lines;
mod proof;

use std::path::{Path, PathBuf};

pub use copy::{Checked, check_copy};

use crate::game::view::Audience;
use crate::store::checkpoint::{self, Checkpoint};
use crate::store::draft::Draft;
use crate::store::{Head, Identity, StoreError, sqlite};

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One JSON object a line, with proofs.
    Jsonl,
    /// One row an entry, for spreadsheets.
    Csv,
    /// A SQLite file: the GM's is a database with this one campaign, the players' holds what they may see.
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
    /// What checkpoints know of the log and it does not hold, in a sentence.
    pub history_lost: Option<String>,
}

/// A job for one format.
struct Job<'a> {
    database: &'a Path,
    campaign: String,
    identity: Identity,
    audience: Audience,
    out: &'a Path,
    history_lost: Option<String>,
}

/// Writes the log of one campaign, behind a checkpoint. A file that is there already is refused; one that could not be
/// written to its end is not there.
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
    let history_lost = sqlite::shortened(&mut connection, database, &identity).await?.map(|loss| loss.summary());
    sqlite::close(connection).await?;
    let mut draft = Draft::of(out)?;
    let line = Checkpoint::of(database, book, &identity.uuid, &campaign, head, now);
    if let Some(note) = checkpoint::append(database, &line)? {
        tracing::warn!("{note}");
    }
    let job = Job { database, campaign, identity, audience, out, history_lost };
    let exported = match format {
        Format::Jsonl => jsonl::write(&job, draft.file()).await?,
        Format::Csv => csv::write(&job, draft.file()).await?,
        Format::Db => database::write(&job, draft.path()).await?,
    };
    draft.finish()?;
    Ok(exported)
}

/// Copies the whole database with every campaign in it, the GM's secrets included, behind a checkpoint of each. Answers
/// their names, where each log ends, and what checkpoints know of it that it does not hold.
///
/// # Errors
/// When the database cannot be read, or `out` cannot be written or is there already.
pub async fn export_all(
    database: &Path,
    out: &Path,
    now: i64,
) -> Result<Vec<(String, Head, Option<String>)>, StoreError> {
    let mut connection = sqlite::connect_read_only(database).await?;
    let book = sqlite::read::book(&mut connection).await?;
    let draft = Draft::of(out)?;
    let mut heads = Vec::new();
    for (campaign, identity) in sqlite::read::campaigns(&mut connection).await? {
        let head = sqlite::read::head(&mut connection, identity.key).await?;
        let history_lost = sqlite::shortened(&mut connection, database, &identity).await?.map(|loss| loss.summary());
        let line = Checkpoint::of(database, book.clone(), &identity.uuid, &campaign, head, now);
        if let Some(note) = checkpoint::append(database, &line)? {
            tracing::warn!("{note}");
        }
        heads.push((campaign, head, history_lost));
    }
    sqlite::close(connection).await?;
    sqlite::copy::whole(database, draft.path()).await?;
    draft.finish()?;
    Ok(heads)
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Io(format!("cannot write {}: {error}", path.display()))
}
