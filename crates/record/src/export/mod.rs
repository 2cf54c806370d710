//! The log for readers, one format a file. A players' export holds what players may see, and proofs
//! that nothing was left out. A new format is a file with a [`Writer`], its `mod` line and its line
//! in the table below. Each module uses only what stands before it:
//!
//! 1. [`lines`]: the log as an audience reads it.
//! 2. [`writer`]: what a format is.
//! 3. [`jsonl`], [`csv`], [`db`]: the formats.
//! 4. [`copy`]: verifying what was exported.
//! 5. [`verifier`]: the page that does the same in a browser.
//! 6. [`removal`]: removing a campaign once a whole export of it is there.
//! 7. [`continuation`]: a log that goes on in a new one, once a whole export of it is there.

mod continuation;
mod copy;
mod csv;
mod db;
mod jsonl;
pub(crate) mod lines;
mod removal;
mod verifier;
mod writer;

use std::path::Path;

use lines::{Job, Span};
use rollbook_game::record::instant::iso;
use rollbook_game::view::Audience;
use rollbook_store::checkpoint::{self, Checkpoint};
use rollbook_store::draft::Draft;
use rollbook_store::location::Location;
use rollbook_store::{Head, Identity, Reader, StoreError};
use writer::Writer;

pub use continuation::{Continued, continue_campaign};
pub use copy::{Checked, check_copy};
pub use removal::remove;
pub use verifier::{page, page_digest};
pub use writer::Exported;

/// Makes the enum of all formats from the table, and every match over it.
macro_rules! formats {
    ($($format:ident in $module:ident,)+) => {
        /// What an export is written as.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Format {
            $($format,)+
        }

        impl Format {
            /// Every format, in the order of the table.
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

            async fn write(self, job: Job, reader: &mut Reader, draft: &mut Draft) -> Result<Exported, StoreError> {
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

/// Which session is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sitting {
    Number(u32),
    /// That of the last entry.
    Last,
}

/// What a players' copy tells of hidden entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seal {
    /// Where each is, by which everything can be proven.
    Positions,
    /// How many there were when the last session ended.
    Total,
}

/// What is exported, for whom, as what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The campaign's name; `None` for the only one there is.
    pub campaign: Option<String>,
    pub audience: Audience,
    pub format: Format,
    /// Comma-separated values begin with the mark by which spreadsheets know UTF-8.
    pub bom: bool,
    pub session: Option<Sitting>,
    /// How much of what is hidden it tells.
    pub seal: Seal,
    /// Nothing that was written before, in microseconds since 1970-01-01T00:00:00Z.
    pub since: Option<i64>,
}

impl Wanted {
    /// The whole log of the only campaign, with positions.
    pub fn of(audience: Audience, format: Format) -> Self {
        Wanted {
            campaign: None,
            audience,
            format,
            bom: false,
            session: None,
            seal: Seal::Positions,
            since: None,
        }
    }

    /// The same of the campaign of that name.
    pub fn campaign(self, name: &str) -> Self {
        Wanted {
            campaign: Some(name.to_owned()),
            ..self
        }
    }
}

/// Writes the log of one campaign, after a checkpoint. A file that is there already is refused; one
/// that could not be written to its end is not there.
pub async fn export(
    database: impl Into<Location>,
    wanted: &Wanted,
    out: &Path,
    now: i64,
) -> Result<Exported, StoreError> {
    export_from(Reader::open(database).await?, wanted, out, now).await
}

/// The same of any database that can be read.
pub async fn export_from(
    mut reader: Reader,
    wanted: &Wanted,
    out: &Path,
    now: i64,
) -> Result<Exported, StoreError> {
    let (campaign, identity) = reader.meant(wanted.campaign.as_deref()).await?;
    let mut draft = Draft::of(out)?;
    let span = span(&mut reader, identity.key, wanted).await?;
    let total = match wanted.seal {
        Seal::Positions => None,
        Seal::Total => {
            check_total(wanted)?;
            Some(
                reader
                    .seen_before(identity.key)
                    .await?
                    .map(|(ended, _)| ended),
            )
        }
    };
    let (_, history_lost) = leave_checkpoint(&mut reader, &campaign, &identity, now).await?;
    let zone = match reader.zone(identity.key).await? {
        // A clock that is far ahead may have gone beyond the changes that were kept.
        Some(kept) => Some(kept.up_to(reader.latest(identity.key).await?)),
        None => None,
    };
    let Wanted { audience, bom, .. } = *wanted;
    let (key, out) = (identity.key, out.to_path_buf());
    let job = Job {
        campaign,
        identity,
        audience,
        bom,
        span,
        total,
        out,
        history_lost,
        zone,
    };
    let mut exported = wanted.format.write(job, &mut reader, &mut draft).await?;
    if let Some(ended) = total {
        exported.bound = match ended {
            Some(seq) => reader
                .chain(key, seq)
                .await?
                .map(|chain| Head { seq, chain }),
            None => None,
        };
    }
    reader.close().await?;
    draft.finish()?;
    Ok(exported)
}

/// Refuses what a copy that tells only how many entries are hidden cannot be.
fn check_total(wanted: &Wanted) -> Result<(), StoreError> {
    let what = match wanted {
        Wanted {
            audience: Audience::Gm,
            ..
        } => {
            "the GM's copy seals nothing: say --audience player with --seal total, or leave --seal out"
        }
        Wanted {
            session: Some(_), ..
        }
        | Wanted { since: Some(_), .. } => {
            "--seal total proves lines from the first on, and a part of them could not be proven: leave --session and --since out, or say --seal \
             positions"
        }
        Wanted {
            format: Format::Db, ..
        } => {
            "the tables of a SQLite file are made of the numbers and the bodies of entries, which --seal total does not show, so that they could \
             not be proven: say --format csv or jsonl with it, or --seal positions"
        }
        _ => return Ok(()),
    };
    Err(StoreError::Io(what.to_owned()))
}

async fn span(
    reader: &mut Reader,
    campaign: i64,
    wanted: &Wanted,
) -> Result<Option<Span>, StoreError> {
    let Wanted { session, since, .. } = *wanted;
    if session.is_none() && since.is_none() {
        return Ok(None);
    }
    let session = match session {
        Some(Sitting::Number(number)) => Some(number),
        Some(Sitting::Last) => {
            let head = reader.head(campaign).await?;
            reader
                .logged(campaign, head.seq)
                .await?
                .map(|last| last.entry.session)
        }
        None => None,
    };
    let Some((first, last)) = reader.span(campaign, session, since).await? else {
        let which = match (session, since) {
            (Some(session), None) => format!("of session {session}"),
            (Some(session), Some(since)) => format!("of session {session} since {}", iso(since)),
            (None, since) => format!("since {}", iso(since.unwrap_or_default())),
        };
        return Err(StoreError::Io(format!(
            "nothing was written {which}; `rollbook campaigns list` shows what there is"
        )));
    };
    let before = first.saturating_sub(1);
    let after = reader
        .chain(campaign, before)
        .await?
        .map(|chain| Head { seq: before, chain });
    Ok(Some(Span { first, last, after }))
}

/// Copies the whole database with the GM's secrets, after a checkpoint of each campaign. Answers
/// their names, where each log ends, and what checkpoints know that it does not hold.
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

/// Appends a checkpoint, unless the last says as much. Answers the log's end and what it lacks.
async fn leave_checkpoint(
    reader: &mut Reader,
    campaign: &str,
    identity: &Identity,
    now: i64,
) -> Result<(Head, Option<String>), StoreError> {
    let (head, book) = (reader.head(identity.key).await?, reader.book().await?);
    let history_lost = reader.shortened(identity).await?.map(|loss| loss.summary());
    // Nothing is added to a log that goes on in another: its export ends before its last entry.
    if reader.is_continued(identity.key).await? {
        return Ok((head, history_lost));
    }
    let database = reader.location();
    let line = Checkpoint::of(database, book, &identity.uuid, campaign, head, now);
    let location = reader.location().clone();
    let known = reader.checkpoints(&location).await?;
    if known
        .lines
        .iter()
        .rfind(|known| known.campaign == line.campaign)
        .is_some_and(|known| {
            *known
                == Checkpoint {
                    at: known.at,
                    ..line.clone()
                }
        })
    {
        return Ok((head, history_lost));
    }
    if let Err(error) = reader.keep_checkpoint(&line).await {
        tracing::warn!("no checkpoint was written to the database: {error}");
    }
    match checkpoint::append(reader.location(), &line) {
        Ok(note) => note.into_iter().for_each(|note| tracing::warn!("{note}")),
        // Whoever may only read the folder gets the copy all the same.
        Err(why)
            if reader
                .location()
                .file()
                .is_some_and(|file| !can_be_written_beside(file)) =>
        {
            tracing::warn!("no checkpoint was written: {why}");
        }
        Err(why) => return Err(why),
    }
    Ok((head, history_lost))
}

/// Whether files can be made beside a database.
fn can_be_written_beside(database: &Path) -> bool {
    let folder = database
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    tempfile::tempfile_in(folder).is_ok()
}
