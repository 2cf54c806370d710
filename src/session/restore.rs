//! A database put back from a copy of it, which its logs say.

use std::path::{Path, PathBuf};

use super::adventure::Adventure;
use super::live::{Answer, CallError, Common, Request};
use super::os;
use super::{Host, Purpose};
use crate::game::decide::session;
use crate::game::record::loss::Loss;
use crate::game::table::Table;
use crate::names::quoted;
use crate::store::archive::sealed_in;
use crate::store::location::{Location, Server};
use crate::store::replacement::Replacement;
use crate::store::sqlite::PutBack;
use crate::store::verify::{Kept, audit};
use crate::store::{Identity, Reader, StoreError, checkpoint};

/// What was put back.
#[derive(Debug)]
pub struct Restored {
    /// The folder, or for a server the file, that keeps what lay in its place; `None` where nothing did.
    pub replaced: Option<PathBuf>,
    pub campaigns: Vec<Back>,
}

/// A campaign that was put back.
#[derive(Debug)]
pub struct Back {
    pub name: String,
    /// The last entry of the copy; behind it stands the one that says so.
    pub reaches: u64,
    pub receipt: String,
    /// What checkpoints know that the copy did not hold, in a sentence.
    pub lost: Option<String>,
}

/// Puts a copy in the place of a database, once it is verified, and logs that in each of its campaigns. What lay there is kept. Until the copy is in its
/// place nothing is changed. On a server its campaigns are put back, and others stay as they are.
///
/// # Errors
/// One sentence: the copy cannot be read, does not verify, is of another database or lacks a campaign of a file; a file is open elsewhere, or cannot be
/// written.
pub async fn restore(database: &Location, from: &Path) -> Result<Restored, String> {
    os::valid(os::now())?;
    let (copy, replaced) = match database {
        Location::File(file) => in_file(database, file, from).await?,
        Location::Server(server) => on_server(database, server, from).await?,
    };
    let name = from.file_name().unwrap_or_default().to_string_lossy();
    let mut campaigns = Vec::new();
    for (campaign, _) in copy.campaigns {
        let logged = logged(database, &campaign, &name).await;
        campaigns.push(logged.map_err(|error| {
            let campaign = quoted(&campaign);
            format!("the database is put back, but the log of \"{campaign}\" does not say so: {error}. Send the same command again")
        })?);
    }
    Ok(Restored { replaced, campaigns })
}

async fn in_file(database: &Location, file: &Path, from: &Path) -> Result<(Contents, Option<PathBuf>), String> {
    if same_file(file, from) {
        return Err(format!("{} is the database itself; name a copy of it", from.display()));
    }
    let put_back = PutBack::begin(file, from).await.map_err(|error| error.to_string())?;
    let copy = checked(put_back.copy(), database, from).await?;
    // What is damaged cannot be compared.
    if file.exists()
        && let Ok(there) = contents(file).await
    {
        fits(&there, &copy, database, from)?;
        lacks_none(&there, &copy, file, from)?;
    }
    checkpoint::check_writable(database).map_err(|error| format!("{error}, so nothing was put back"))?;
    let replaced = put_back.place().await.map_err(|error| error.to_string())?;
    Ok((copy, replaced))
}

async fn on_server(database: &Location, server: &Server, from: &Path) -> Result<(Contents, Option<PathBuf>), String> {
    let text = |error: StoreError| error.to_string();
    let replacement = Replacement::begin(server, from).await.map_err(text)?;
    let copy = checked(replacement.copy(), database, from).await?;
    if copy.campaigns.is_empty() {
        return Err(format!("{} holds no campaign", from.display()));
    }
    let there = match Reader::open_if_any(database).await.map_err(text)? {
        Some(reader) => Some(contents_of(reader).await.map_err(text)?),
        None => None,
    };
    // One that never held anything takes the name by which checkpoints know the copy's.
    let there = there.filter(|there| !there.campaigns.is_empty() || there.had_any);
    if let Some(there) = &there {
        fits(there, &copy, database, from)?;
    }
    checkpoint::check_writable(database).map_err(|error| format!("{error}, so nothing was put back"))?;
    let book = copy.book.as_deref().filter(|_| there.is_none());
    let replaced = replacement.place(&copy.campaigns, book).await.map_err(text)?;
    Ok((copy, replaced))
}

/// What a copy holds, once it is verified.
async fn checked(copy: &Path, database: &Location, from: &Path) -> Result<Contents, String> {
    let held = contents(copy).await.map_err(|error| error.to_string())?;
    if held.is_segment {
        return Err(format!(
            "{} is a segment with archived sessions, and no copy of a whole database. Name a backup",
            from.display()
        ));
    }
    sound(copy, database, from).await?;
    Ok(held)
}

fn same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// What is in a file.
struct Contents {
    book: Option<String>,
    /// By name.
    campaigns: Vec<(String, Identity)>,
    /// It is a server that knows of a campaign which it may not hold any more.
    had_any: bool,
    is_segment: bool,
}

async fn contents(file: &Path) -> Result<Contents, StoreError> {
    contents_of(Reader::open(file).await?).await
}

async fn contents_of(mut reader: Reader) -> Result<Contents, StoreError> {
    let read = async {
        let is_segment = sealed_in(&mut reader).await?.is_some();
        let (book, campaigns) = (reader.book().await?, reader.campaigns().await?);
        Ok(Contents { book, campaigns, had_any: reader.keeps_checkpoints().await?, is_segment })
    };
    let read = read.await;
    reader.close().await?;
    read
}

/// Whether the copy verifies, with the segments that its logs will have where it is put.
async fn sound(copy: &Path, database: &Location, from: &Path) -> Result<(), String> {
    let verified = async { audit(Reader::open_for(copy, database).await?, None, &Kept::default()).await };
    let verified = verified.await.map_err(|error: StoreError| error.to_string())?;
    if verified.is_sound() {
        return Ok(());
    }
    let from = from.display();
    Err(format!(
        "{from} does not verify ({}), so nothing was put back. `rollbook verify --db {from}` says more",
        verified.first_finding().unwrap_or_default()
    ))
}

/// Whether a copy is one of what is there.
fn fits(there: &Contents, copy: &Contents, database: &Location, from: &Path) -> Result<(), String> {
    if there.book == copy.book {
        return Ok(());
    }
    let from = from.display();
    Err(format!(
        "{from} is no copy of {database}, but another database. To play in it, name it with --db; to take its campaigns into {database}, run `rollbook copy \
         --from {from} --to {database}`"
    ))
}

/// Whether a copy has every campaign of the file that it takes the place of.
fn lacks_none(there: &Contents, copy: &Contents, file: &Path, from: &Path) -> Result<(), String> {
    let (file, from) = (file.display(), from.display());
    let lacking: Vec<String> = there
        .campaigns
        .iter()
        .filter(|(_, there)| !copy.campaigns.iter().any(|(_, own)| own.uuid == there.uuid))
        .map(|(name, _)| format!("\"{}\"", quoted(name)))
        .collect();
    if lacking.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{from} lacks {}, which {file} holds. Name a copy that has every campaign; or move {file} away first, if they shall be gone",
        lacking.join(" and ")
    ))
}

async fn logged(database: &Location, name: &str, from: &str) -> Result<Back, String> {
    let host = Host::of_this_computer(Adventure::none(), database, Some(name.to_owned()));
    let logged = async {
        let campaign = host.campaign(None, Purpose::Write).await?;
        let from = from.to_owned();
        let request = Request { tool: "restore", accepts_loss: true, ends_session: true, ..Request::default() };
        let decide = move |table: &mut Table<'_>| {
            let lost = table.loss.as_ref().map(Loss::summary);
            let log = session::restored(table, from);
            Ok(Answer::<()>::new(Common { log: Some(log), history_lost: lost, ..Common::default() }, None))
        };
        let Common { log, receipt, history_lost: lost, .. } = campaign.write(request, decide).await?.common;
        if let Some(note) = campaign.checkpoint(lost.is_some()).await? {
            tracing::warn!("{note}");
        }
        let reaches = log.unwrap_or_default().saturating_sub(1);
        Ok::<_, CallError>(Back { name: name.to_owned(), reaches, receipt: receipt.unwrap_or_default(), lost })
    };
    let logged = logged.await.map_err(CallError::for_a_person);
    host.close().await;
    logged
}
