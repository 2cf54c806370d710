//! Old sessions moved out of a database, into a segment: a file of its own that goes on to be read and verified with the log.
//!
//! The order keeps the campaign whole wherever it stops: the segment is written, synced, read back and verified before one transaction logs it
//! and takes its entries out of the database.

use std::path::{Path, PathBuf};

use super::adventure::Adventure;
use super::os::OsChance;
use crate::game::decide::session;
use crate::game::record::event::ArchivedEvent;
use crate::game::record::state::State;
use crate::game::table::{Chance as _, Table};
use crate::names::quoted;
use crate::store::checkpoint::{self, Checkpoint};
use crate::store::draft::{Draft, make_folder, sync_folder};
use crate::store::location::Location;
use crate::store::removal::Place;
use crate::store::segment::{self, Segment, file_name};
use crate::store::sql::connection::{Connection, query};
use crate::store::verify::verify;
use crate::store::{Head, Identity, Reader, Sealed, Store, StoreError, chain, only, sealing};

/// Which sessions are to be archived, and where.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The campaign's name; `None` for the only one there is.
    pub campaign: Option<String>,
    /// The first session that stays.
    pub before: u32,
    /// The folder of the segment; `None` for the one beside the database.
    pub out: Option<PathBuf>,
}

/// What was archived.
#[derive(Debug)]
pub struct Archived {
    pub campaign: String,
    pub segment: Segment,
    /// Where it lies.
    pub path: PathBuf,
    /// The receipt of the entry that says so.
    pub receipt: String,
    /// Bytes of the database's file before and after; `None` on a server, which gives room back in its own time.
    pub bytes: Option<(u64, u64)>,
}

/// What is done, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Verify,
    Write,
    ReadBack,
    Move,
    /// Everything is moved, and nothing is committed.
    Commit,
    Shrink,
}

impl Step {
    pub const ALL: [Step; 6] = [Step::Verify, Step::Write, Step::ReadBack, Step::Move, Step::Commit, Step::Shrink];
}

/// A campaign, and the last entry of it that is archived.
struct Plan {
    name: String,
    identity: Identity,
    book: Option<String>,
    end: Head,
}

/// Archives the sessions before one, as of `now` (microseconds since 1970); `told` hears of each step before it is done, and its error stops there. Nobody else may have a file open
/// meanwhile; on a server others play on, and wait while the rows go.
///
/// # Errors
/// One sentence: there is nothing to archive, or the last session would be; the campaign or its segment does not verify; another process plays; a file or
/// the database cannot be written. Until [`Step::Shrink`] is told, the campaign is whole in the database then.
pub async fn archive(
    database: &Location,
    wanted: &Wanted,
    now: i64,
    told: &mut (dyn FnMut(Step) -> Result<(), String> + Send),
) -> Result<Archived, String> {
    let text = |error: StoreError| error.to_string();
    let mut reader = Reader::open(database).await.map_err(text)?;
    let planned = plan(&mut reader, wanted).await;
    reader.close().await.map_err(text)?;
    let Plan { name, identity, book, end } = planned?;
    let folder = match &wanted.out {
        Some(out) => out.clone(),
        None => segment::folder(database)
            .ok_or_else(|| format!("{database} is on a server. Name a folder for the segment with --out"))?,
    };
    let folder = std::path::absolute(&folder).unwrap_or(folder);

    // On a server; a file is brought up to date as it is taken.
    if database.file().is_none() {
        let store = Store::open(database).await.map_err(text)?;
        store.close().await.map_err(text)?;
    }
    let place = Place::take(database).await.map_err(text)?;
    told(Step::Verify)?;
    check(database, Some(&name), end).await.map_err(|why| {
        format!(
            "campaign \"{}\" does not verify ({why}), so nothing is archived. `rollbook verify` says more",
            quoted(&name)
        )
    })?;
    prepare(&place, &identity).await.map_err(text)?;
    leave_checkpoint(database, &place, book.clone(), &identity, &name, now).await.map_err(text)?;
    told(Step::Write)?;
    let path = written(database, &identity, &name, end, &folder).await.map_err(text)?;
    told(Step::ReadBack)?;
    let segment = read_back(&path, &identity, end).await?;
    told(Step::Move)?;
    let bytes_before = size(database);
    let head = moved(&place, &identity, &name, &segment, now, told).await?;
    leave_checkpoint(database, &place, book, &identity, &name, now).await.map_err(text)?;
    told(Step::Shrink)?;
    if let Place::File(alone) = &place
        && let Err(error) = alone.shrink().await
    {
        tracing::warn!("the sessions are archived, and the database's file could not be made smaller: {error}");
    }
    let bytes = bytes_before.zip(size(database));
    Ok(Archived { campaign: name, segment, path, receipt: head.receipt(), bytes })
}

fn size(database: &Location) -> Option<u64> {
    database.file().and_then(|file| file.metadata().ok()).map(|about| about.len())
}

/// What is to be archived; a refusal says what can be.
async fn plan(reader: &mut Reader, wanted: &Wanted) -> Result<Plan, String> {
    let text = |error: StoreError| error.to_string();
    let all = reader.campaigns().await.map_err(text)?;
    let (name, identity) = only(all, wanted.campaign.as_deref()).map_err(text)?;
    let segments = reader.segments(identity.key).await.map_err(text)?;
    if segments.last().is_some_and(|own| own.seal.is_none()) {
        return Err("this is a segment itself. Name the database that it belongs to".to_owned());
    }
    let state = reader.load(identity.key).await.map_err(text)?;
    may_be_archived(&state, segments.last(), wanted.before)?;
    let end = reader.end_before(identity.key, wanted.before).await.map_err(text)?;
    let end = end.ok_or_else(|| format!("nothing lies before session {}", wanted.before))?;
    Ok(Plan { name, identity, book: reader.book().await.map_err(text)?, end })
}

fn may_be_archived(state: &State, archived: Option<&Segment>, before: u32) -> Result<(), String> {
    let last = state.sessions.keys().next_back().copied().unwrap_or(0);
    let gone = archived.map_or(0, |own| own.sessions.1);
    let first = gone + 2;
    if (first..=last).contains(&before) {
        return Ok(());
    }
    let said = match (before > last, gone) {
        (true, _) => format!("session {last} is the last one, and stays"),
        (false, 0) => format!("nothing lies before session {before}"),
        (false, gone) => format!("the sessions up to {gone} are archived already"),
    };
    Err(match first.cmp(&last) {
        std::cmp::Ordering::Less => format!("{said}. Say --before with a session from {first} to {last}"),
        std::cmp::Ordering::Equal => format!("{said}. Say --before {last}"),
        std::cmp::Ordering::Greater => {
            format!("{said}. There is nothing to archive before session {} begins", last.max(gone) + 1)
        }
    })
}

/// Whether a campaign verifies, and holds that entry.
async fn check(database: &Location, campaign: Option<&str>, end: Head) -> Result<(), String> {
    let verified = verify(database, campaign, Some(&end.receipt())).await.map_err(|error| error.to_string())?;
    match verified.is_sound() {
        true => Ok(()),
        false => Err(verified.first_finding().unwrap_or_default()),
    }
}

/// Gives every entry its number for players, which stays when it goes.
async fn prepare(place: &Place, identity: &Identity) -> Result<(), StoreError> {
    let (_file, mut connection) = place.connect().await?;
    let filled = async {
        while connection.lacks_words(identity.key).await? {
            connection.begin_alone(identity.key).await?;
            connection.fill_words(identity.key).await?;
            query("commit").execute(&mut connection).await?;
        }
        Ok(())
    };
    let filled = filled.await;
    connection.close().await.and(filled)
}

async fn leave_checkpoint(
    database: &Location,
    place: &Place,
    book: Option<String>,
    identity: &Identity,
    name: &str,
    now: i64,
) -> Result<(), StoreError> {
    let (_file, mut connection) = place.connect().await?;
    let kept = async {
        let line = Checkpoint::of(database, book, &identity.uuid, name, connection.head(identity.key).await?, now);
        connection.keep_checkpoint(&line).await?;
        Ok::<_, StoreError>(line)
    };
    let kept = kept.await;
    connection.close().await?;
    if let Some(note) = checkpoint::append(database, &kept?)? {
        tracing::warn!("{note}");
    }
    Ok(())
}

/// Writes the segment, or finds the one that an archiving which was broken off has left.
async fn written(
    database: &Location,
    identity: &Identity,
    name: &str,
    end: Head,
    folder: &Path,
) -> Result<PathBuf, StoreError> {
    let mut reader = Reader::open(database).await?;
    let done = async {
        reader.begin_read().await?;
        let first = reader.segments(identity.key).await?.last().map_or(1, |own| own.last + 1);
        let file = file_name(name, &identity.uuid, first, end.seq);
        let path = folder.join(&file);
        let new: Vec<&Path> = folder.ancestors().take_while(|own| !own.exists()).collect();
        make_folder(folder).map_err(|error| {
            StoreError::Io(format!("cannot make {}: {error}. Name another folder with --out", folder.display()))
        })?;
        if path.symlink_metadata().is_ok() {
            let there = match sealing::read(&path, identity).await {
                Err(error) if error.is_of(&path) => None,
                there => there?,
            };
            if there.is_none_or(|own| (own.first, own.last, own.chain) != (first, end.seq, end.chain)) {
                return Err(StoreError::Io(format!(
                    "{} is there already, and is another file; move it away, or name another folder with --out",
                    path.display()
                )));
            }
        } else {
            let shown = folder.to_str();
            let shown = shown.ok_or_else(|| StoreError::Io(format!("{} is no UTF-8 path", folder.display())))?;
            let draft = Draft::of(&path)?;
            sealing::write(&mut reader, identity, end, (&file, shown), draft.path()).await?;
            draft.sync().await?;
            draft.place()?;
        }
        // Its name, and those of the folders, are on the disk before anything leaves the database.
        for own in [path.as_path(), folder].into_iter().chain(new.into_iter().skip(1)) {
            sync_folder(own)?;
        }
        Ok(path)
    };
    let done = done.await;
    reader.close().await.and(done)
}

/// Verifies the segment as it lies there, from the first entry of the log on, and seals it.
async fn read_back(path: &Path, identity: &Identity, end: Head) -> Result<Segment, String> {
    let shown = path.display();
    let unlike = |why: &str| {
        format!("{shown} does not verify ({why}), so nothing was archived. Remove it, and send the same command again")
    };
    check(&Location::from(path), None, end).await.map_err(|why| unlike(&why))?;
    let read = sealing::read(path, identity).await.map_err(|error| unlike(&error.to_string()))?;
    read.filter(|own| (own.last, own.chain) == (end.seq, end.chain)).ok_or_else(|| unlike("it ends elsewhere"))
}

/// Logs the segment and takes its entries out of the database, in one transaction. Answers where the log ends.
async fn moved(
    place: &Place,
    identity: &Identity,
    name: &str,
    segment: &Segment,
    now: i64,
    told: &mut (dyn FnMut(Step) -> Result<(), String> + Send),
) -> Result<Head, String> {
    let text = |error: StoreError| format!("nothing was archived: {error}");
    let (_file, mut connection) = place.connect().await.map_err(text)?;
    let done = async {
        connection.begin_alone(identity.key).await.map_err(text)?;
        let sealed = logged(&mut connection, identity, name, segment, now).await?;
        connection.keep_segment(identity.key, segment).await.map_err(text)?;
        connection.append(identity.key, std::slice::from_ref(&sealed), None).await.map_err(text)?;
        connection.move_out(identity.key, segment).await.map_err(text)?;
        told(Step::Commit)?;
        query("commit").execute(&mut connection).await.map_err(|error| text(error.into()))?;
        Ok(sealed.head())
    };
    let done = done.await;
    // What was not committed is rolled back.
    connection.close().await.map_err(text).and(done)
}

/// The entry that says it, behind the last of the log.
async fn logged(
    connection: &mut Connection,
    identity: &Identity,
    name: &str,
    segment: &Segment,
    now: i64,
) -> Result<Sealed, String> {
    let text = |error: StoreError| format!("nothing was archived: {error}");
    let head = connection.head(identity.key).await.map_err(text)?;
    let mut state = connection.load(identity.key).await.map_err(text)?;
    let mut setting = Adventure::none().setting(name.to_owned());
    setting.campaign_uuid.clone_from(&identity.uuid);
    let mut chance = OsChance::new()?;
    let (bytes, sha256) = segment.seal.unwrap_or_default();
    let hex = |hash: &[u8; 32]| base16ct::lower::encode_string(hash);
    let event = ArchivedEvent {
        first: segment.first,
        last: segment.last,
        chain: hex(&segment.chain),
        file: segment.file.clone(),
        bytes,
        sha256: hex(&sha256),
    };
    let mut table = Table::new(&mut state, &setting, &mut chance, now, head.seq, None);
    session::archived(&mut table, event);
    let written = table.into_written().pop().ok_or("nothing was decided")?;
    let campaign = identity.uuid.parse().map_err(|error| format!("{} is no UUID: {error}", identity.uuid))?;
    let salt = chance.salt();
    chain::seal(&campaign, head, written.entry, &written.players, salt).map_err(|error| error.to_string())
}
