//! The log for readers, one format a file. Everything comes through `game::view::visibility::project`: a players' export holds
//! what players may see, and beside it, in a proof block, what lets them check that nothing was left out.
//!
//! A new format is a file with a [`Writer`], its `mod` line and its line in the table below. Each module uses only what stands
//! before it:
//!
//! 1. [`lines`]: the log as an audience reads it.
//! 2. [`writer`]: what a format is.
//! 3. [`jsonl`], [`csv`], [`db`]: the formats.
//! 4. [`copy`]: verifying what was exported.
//! 5. [`removal`]: removing a campaign once a whole export of it is there.

mod copy;
mod csv;
mod db;
mod jsonl;
pub(crate) mod lines;
mod removal;
mod writer;

use std::path::Path;

use crate::game::view::Audience;
use crate::names::same;
use crate::store::checkpoint::{self, Checkpoint};
use crate::store::draft::Draft;
use crate::store::location::Location;
use crate::store::{Head, Identity, Reader, StoreError};
use writer::{Job, Writer};

pub use copy::{Checked, check_copy};
pub use removal::remove;
pub use writer::Exported;

/// Makes the enum of all formats from the table, and every match over it.
macro_rules! formats {
    ($($format:ident in $module:ident,)+) => {
        /// How the log is written.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Format {
            $($format,)+
        }

        impl Format {
            pub const ALL: &[Format] = &[$(Format::$format,)+];

            /// As `--format` names it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Format::$format => <$module::$format as Writer>::NAME,)+
                }
            }

            /// What it is, in the words of `export --help`.
            pub fn about(self) -> &'static str {
                match self {
                    $(Format::$format => <$module::$format as Writer>::ABOUT,)+
                }
            }

            async fn write(
                self,
                job: Job,
                reader: &mut Reader,
                draft: &mut Draft,
            ) -> Result<Exported, StoreError> {
                match self {
                    $(Format::$format => writer::write::<$module::$format>(job, reader, draft).await,)+
                }
            }
        }
    };
}

formats! {
    Jsonl in jsonl,
    Csv in csv,
    Db in db,
}

/// Writes the log of one campaign, behind a checkpoint. A file that is there already is refused; one that
/// could not be written to its end is not there.
///
/// # Errors
/// When the database cannot be read, holds several campaigns and none was named, or `out` cannot be written.
pub async fn export(
    database: impl Into<Location>,
    campaign: Option<&str>,
    audience: Audience,
    format: Format,
    out: &Path,
    now: i64,
) -> Result<Exported, StoreError> {
    export_from(Reader::open(database).await?, campaign, audience, format, out, now).await
}

/// The same of any database that can be read.
pub async fn export_from(
    mut reader: Reader,
    campaign: Option<&str>,
    audience: Audience,
    format: Format,
    out: &Path,
    now: i64,
) -> Result<Exported, StoreError> {
    let (campaign, identity) = only(reader.campaigns().await?, campaign)?;
    let mut draft = Draft::of(out)?;
    let (_, history_lost) = leave_checkpoint(&mut reader, &campaign, &identity, now).await?;
    let job = Job { campaign, identity, audience, out: out.to_path_buf(), history_lost };
    let exported = format.write(job, &mut reader, &mut draft).await?;
    reader.close().await?;
    draft.finish()?;
    Ok(exported)
}

/// Copies the whole database with every campaign in it, the GM's secrets included, behind a checkpoint of each. Answers
/// their names, where each log ends, and what checkpoints know of it that it does not hold.
///
/// # Errors
/// When the database cannot be read, or `out` cannot be written or is there already.
pub async fn export_all(
    database: impl Into<Location>,
    out: &Path,
    now: i64,
) -> Result<Vec<(String, Head, Option<String>)>, StoreError> {
    export_all_from(Reader::open(database).await?, out, now).await
}

/// The same of any database that can be read.
pub async fn export_all_from(
    mut reader: Reader,
    out: &Path,
    now: i64,
) -> Result<Vec<(String, Head, Option<String>)>, StoreError> {
    let draft = Draft::of(out)?;
    let mut heads = Vec::new();
    for (campaign, identity) in reader.campaigns().await? {
        let (head, history_lost) = leave_checkpoint(&mut reader, &campaign, &identity, now).await?;
        heads.push((campaign, head, history_lost));
    }
    reader.copy_all(draft.path()).await?;
    reader.close().await?;
    draft.finish()?;
    Ok(heads)
}

/// Appends a checkpoint of a campaign. Answers where its log ends, and what earlier checkpoints know of it that it does not hold.
async fn leave_checkpoint(
    reader: &mut Reader,
    campaign: &str,
    identity: &Identity,
    now: i64,
) -> Result<(Head, Option<String>), StoreError> {
    let (head, book) = (reader.head(identity.key).await?, reader.book().await?);
    let history_lost = reader.shortened(identity).await?.map(|loss| loss.summary());
    let database = reader.location();
    let line = Checkpoint::of(database, book, &identity.uuid, campaign, head, now);
    if let Err(error) = reader.keep_checkpoint(&line).await {
        tracing::warn!("no checkpoint was written to the database: {error}");
    }
    if let Some(note) = checkpoint::append(reader.location(), &line)? {
        tracing::warn!("{note}");
    }
    Ok((head, history_lost))
}

/// The campaign that is meant: the named one, or the only one there is.
pub(crate) fn only(all: Vec<(String, Identity)>, name: Option<&str>) -> Result<(String, Identity), StoreError> {
    let names = all.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let mut found = all.iter().filter(|(own, _)| name.is_none_or(|wanted| same(own, wanted)));
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(only.clone()),
        (None, _) if all.is_empty() => Err(StoreError::Io("the database holds no campaign yet".to_owned())),
        (None, _) => {
            Err(StoreError::Io(format!("there is no campaign \"{}\"; there are {names}", name.unwrap_or_default())))
        }
        (Some(_), Some(_)) => {
            Err(StoreError::Io(format!("the database holds several campaigns ({names}); name one with --campaign")))
        }
    }
}
