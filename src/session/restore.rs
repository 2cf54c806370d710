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
use crate::store::location::Location;
use crate::store::sqlite::PutBack;
use crate::store::verify::{Kept, audit};
use crate::store::{Identity, Reader, StoreError, checkpoint};

/// What was put back.
#[derive(Debug)]
pub struct Restored {
    /// The folder that keeps what lay in its place; `None` where nothing did.
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
/// place nothing is changed.
///
/// # Errors
/// One sentence: the copy cannot be read, does not verify, is of another database or lacks a campaign; the database is on a server or open elsewhere;
/// a file cannot be written.
pub async fn restore(database: &Location, from: &Path) -> Result<Restored, String> {
    os::valid(os::now())?;
    let Some(file) = database.file() else {
        return Err(format!(
            "{database} is on a server. A backup of pg_dump is put back into an empty database with `pg_restore --dbname={database} FILE`; campaigns of a \
             file are brought there with `rollbook copy --from FILE --to {database}`"
        ));
    };
    if same_file(file, from) {
        return Err(format!("{} is the database itself; name a copy of it", from.display()));
    }
    let put_back = PutBack::begin(file, from).await.map_err(|error| error.to_string())?;
    let copy = contents(put_back.copy()).await.map_err(|error| error.to_string())?;
    if copy.is_segment {
        return Err(format!(
            "{} is a segment with archived sessions, and no copy of a whole database. Name a backup",
            from.display()
        ));
    }
    sound(put_back.copy(), database, from).await?;
    // What is damaged cannot be compared.
    if file.exists()
        && let Ok(there) = contents(file).await
    {
        fits(&there, &copy, file, from)?;
    }
    checkpoint::check_writable(database).map_err(|error| format!("{error}, so nothing was put back"))?;
    let replaced = put_back.place().await.map_err(|error| error.to_string())?;
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

fn same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// What is in a file.
struct Contents {
    book: Option<String>,
    /// By name.
    campaigns: Vec<(String, Identity)>,
    is_segment: bool,
}

async fn contents(file: &Path) -> Result<Contents, StoreError> {
    let mut reader = Reader::open(file).await?;
    let read = async {
        let is_segment = sealed_in(&mut reader).await?.is_some();
        Ok(Contents { book: reader.book().await?, campaigns: reader.campaigns().await?, is_segment })
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

/// Whether a copy can stand for what is there.
fn fits(there: &Contents, copy: &Contents, file: &Path, from: &Path) -> Result<(), String> {
    let (file, from) = (file.display(), from.display());
    if there.book != copy.book {
        return Err(format!(
            "{from} is no copy of {file}, but another database. To play in it, name it with --db; to take its campaigns into {file}, run `rollbook copy \
             --from {from} --to {file}`"
        ));
    }
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
    let host = Host::of_this_computer(Adventure::unread(name), database, Some(name.to_owned()));
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
