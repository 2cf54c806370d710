//! Reading the segments of a log: what lies in files of its own is read from there, as if it lay in the database.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::location::Location;
use super::record::{Head, LogRow, Position};
use super::segment::{self, Segment};
use super::sql::connection::Connection;
use super::sql::page::Page;
use super::{StoreError, special, sqlite};

/// Bytes of a file that are hashed at a time.
const CHUNK: usize = 256 * 1024;

/// The segments of the log that is being read, one of which may be open.
pub struct Archive {
    database: Location,
    campaign: Option<i64>,
    segments: Vec<Segment>,
    open: Option<Open>,
}

/// A segment that is open.
struct Open {
    first: u64,
    /// The campaign's key in it.
    key: i64,
    connection: Connection,
}

impl Archive {
    /// Of a database.
    pub fn of(database: Location) -> Self {
        Archive { database, campaign: None, segments: Vec::new(), open: None }
    }

    /// The next rows of a log, where they lie in a segment.
    ///
    /// # Errors
    /// [`StoreError::Segment`] where it is not there, or is not the one.
    pub async fn page(&mut self, log: &mut Connection, at: &mut Position) -> Result<Option<Page>, StoreError> {
        let next = u64::try_from(at.after).unwrap_or(0) + 1;
        let Some(open) = self.holding(log, at.campaign, next).await? else { return Ok(None) };
        let mut there = Position { campaign: open.key, after: at.after, rows: at.rows, rolls: at.rolls };
        let page = Page::read(&mut open.connection, &mut there).await?;
        (at.after, at.rows) = (there.after, there.rows);
        Ok(page)
    }

    /// An entry, where it lies in a segment.
    ///
    /// # Errors
    /// As [`Archive::page`].
    pub async fn row(&mut self, log: &mut Connection, campaign: i64, seq: u64) -> Result<Option<LogRow>, StoreError> {
        match self.holding(log, campaign, seq).await? {
            Some(open) => open.connection.row(open.key, seq).await,
            None => Ok(None),
        }
    }

    /// Closes what is open.
    pub async fn close(&mut self) -> Result<(), StoreError> {
        match self.open.take() {
            Some(open) => open.connection.close().await,
            None => Ok(()),
        }
    }

    /// The segment that holds an entry, open.
    async fn holding(
        &mut self,
        log: &mut Connection,
        campaign: i64,
        seq: u64,
    ) -> Result<Option<&mut Open>, StoreError> {
        if self.campaign != Some(campaign) {
            self.close().await?;
            self.segments = log.segments(campaign).await?;
            self.campaign = Some(campaign);
        }
        let Some(own) = self.segments.iter().find(|own| own.seal.is_some() && own.holds(seq)) else { return Ok(None) };
        if self.open.as_ref().is_none_or(|open| open.first != own.first) {
            let own = own.clone();
            self.close().await?;
            self.open = Some(open(&self.database, log, campaign, &own).await?);
        }
        Ok(self.open.as_mut())
    }
}

async fn open(database: &Location, log: &mut Connection, campaign: i64, own: &Segment) -> Result<Open, StoreError> {
    let failed = |reason: String| StoreError::Segment { last: own.last, reason };
    let path = there(database, own).map_err(failed)?;
    let shown = path.display();
    let unread = |error: StoreError| failed(format!("{shown} holds {}, and cannot be read: {error}", own.entries()));
    let connection = sqlite::connect_read_only(&path).await.map_err(unread)?;
    let mut connection = Connection::Sqlite(connection);
    let held = sealed_in(&mut connection).await.map_err(unread)?;
    let uuid = log.uuid(campaign).await?;
    match held {
        Some((key, of, kept)) if Some(&of) == uuid.as_ref() && is_same(&kept, own) => {
            Ok(Open { first: own.first, key, connection })
        }
        _ => {
            connection.close().await?;
            Err(failed(format!("{shown} is not the segment with {} of this campaign: it was replaced", own.entries())))
        }
    }
}

fn is_same(kept: &Segment, own: &Segment) -> bool {
    (kept.first, kept.last, kept.chain) == (own.first, own.last, own.chain)
}

/// The campaign whose segment a database is, with its UUID, and what it says of itself; `None` for a database that is none.
pub async fn sealed_in(connection: &mut Connection) -> Result<Option<(i64, String, Segment)>, StoreError> {
    for (_, identity) in connection.campaigns().await? {
        let own = connection.segments(identity.key).await?.pop().filter(|own| own.seal.is_none());
        if let Some(own) = own {
            let ends = connection.head(identity.key).await?;
            let is_whole = ends == Head { seq: own.last, chain: own.chain };
            return Ok(is_whole.then_some((identity.key, identity.uuid, own)));
        }
    }
    Ok(None)
}

/// Where the file of a segment lies; why it does not.
fn there(database: &Location, own: &Segment) -> Result<std::path::PathBuf, String> {
    if !own.is_named() {
        return Err(format!("{} are said to lie in a file with a name that none can have", own.entries()));
    }
    let path = own.path(database);
    if path.symlink_metadata().is_err() {
        let folder = segment::folder(database).map_or(own.folder.clone(), |folder| folder.display().to_string());
        return Err(format!(
            "{} is missing, which holds {}. Put it into {folder}",
            crate::names::quoted(&own.file),
            own.entries()
        ));
    }
    match special::at(&path) {
        Some(what) => Err(format!("{}, which holds {}, is {what}", path.display(), own.entries())),
        None => Ok(path),
    }
}

/// What is wrong with the file of a segment: it is missing, or is not the one that was sealed.
///
/// # Errors
/// When the check is broken off.
pub async fn problem(database: &Location, own: &Segment) -> Result<Option<String>, StoreError> {
    let Some(seal) = own.seal else { return Ok(None) };
    let path = match there(database, own) {
        Ok(path) => path,
        Err(why) => return Ok(Some(why)),
    };
    let shown = path.display().to_string();
    let found = tokio::task::spawn_blocking(move || digest(&path)).await;
    Ok(match found.map_err(|error| StoreError::Io(error.to_string()))? {
        Ok(found) if found == seal => None,
        Ok(_) => {
            Some(format!("{shown}, which holds {}, is not the file that was sealed: it was changed", own.entries()))
        }
        Err(error) => Some(format!("{shown}, which holds {}, cannot be read: {error}", own.entries())),
    })
}

/// Bytes and SHA-256 of a file.
///
/// # Errors
/// When it cannot be read.
pub fn digest(path: &Path) -> io::Result<(u64, [u8; 32])> {
    let (mut file, mut hash, mut bytes) = (File::open(path)?, Sha256::new(), 0);
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = file.read(&mut chunk)?;
        let Some(next) = chunk.get(..read).filter(|next| !next.is_empty()) else { break };
        hash.update(next);
        bytes += read as u64;
    }
    Ok((bytes, hash.finalize().into()))
}
