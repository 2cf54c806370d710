//! Reading the segments of a log: what lies in files of its own is read from there, as if it lay in the database.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::location::Location;
use super::record::{Head, LogRow, Position};
use super::segment::{self, Segment};
use super::sql::connection::Connection;
use super::sql::page::Page;
use super::{StoreError, special, sqlite};
use crate::game::decide::undo::BACK_MAX;
use crate::game::view::Audience;
use crate::game::view::recap::Told;
use crate::names::for_shell;

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
    last: u64,
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
        let mut there = Position { campaign: open.key, after: at.after, rows: at.rows, rolls: at.rolls, places: false };
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

    /// The story of some entries ([`Connection::story`]), wherever they lie.
    ///
    /// # Errors
    /// As [`Archive::page`].
    pub async fn story(
        &mut self,
        log: &mut Connection,
        campaign: i64,
        (first, last): (u64, u64),
        limit: u32,
    ) -> Result<Vec<Told>, StoreError> {
        let (mut told, mut next) = (Vec::new(), first);
        // An undo may lie behind the segment with what it took back.
        while next <= last.saturating_add(BACK_MAX)
            && let Some(open) = self.holding(log, campaign, next).await?
        {
            told.extend(open.connection.story(open.key, first, last, limit).await?);
            next = open.last + 1;
        }
        told.extend(log.story(campaign, first, last, limit).await?);
        Ok(told)
    }

    /// What is wrong with the file of a segment of the campaign with that UUID ([`problem`]).
    pub async fn problem(&self, uuid: &str, own: &Segment) -> Option<String> {
        problem(&self.database, uuid, own).await
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
    let uuid = log.uuid(campaign).await?.unwrap_or_default();
    let path = find(database, &uuid, own).await.map_err(failed)?;
    let (key, connection) = opened(&path, &uuid, own).await.map_err(failed)?;
    Ok(Open { first: own.first, last: own.last, key, connection })
}

/// What helps where another file, or a damaged one, lies in the place of a segment.
const PUT_BACK: &str = "Move it away, and put the segment there as it was archived; without it play goes on";

/// A file, and the campaign's key in it, if it is that segment; why it is not.
async fn opened(path: &Path, uuid: &str, own: &Segment) -> Result<(i64, Connection), String> {
    let shown = path.display();
    if let Some(what) = special::at(path) {
        return Err(format!("{shown}, which holds {}, is {what}", own.entries()));
    }
    let unread = |error: StoreError| {
        let why = match error {
            StoreError::NotOpened { reason, .. } => reason,
            StoreError::Damaged { reason, .. } => format!("it is damaged: {reason}"),
            other => other.to_string(),
        };
        format!("{shown}, which should hold {}, cannot be read: {why}. {PUT_BACK}", own.entries())
    };
    let mut connection = Connection::Sqlite(sqlite::connect_read_only(path).await.map_err(unread)?);
    match sealed_in(&mut connection).await {
        Ok(Some((key, of, kept))) if of == uuid && is_same(&kept, own) => Ok((key, connection)),
        held => {
            connection.close().await.map_err(unread)?;
            held.map_err(unread)?;
            let entries = own.entries();
            Err(format!("{shown} is not the segment with {entries} of this campaign, but another file. {PUT_BACK}"))
        }
    }
}

/// Where the file of a segment lies: another campaign's file may have its name in one of the places where it is looked for. Of several that hold
/// its entries the one that was sealed, if there is one.
///
/// # Errors
/// Why there is none.
pub async fn find(database: &Location, uuid: &str, own: &Segment) -> Result<PathBuf, String> {
    if !own.is_named() {
        return Err(format!("{} are said to lie in a file with a name that none can have", own.entries()));
    }
    let (mut found, mut unlike) = (Vec::new(), None);
    for path in own.named_alike(database) {
        match opened(&path, uuid, own).await {
            Ok((_, connection)) => {
                connection.close().await.map_err(|error| error.to_string())?;
                found.push(path);
            }
            Err(why) => unlike = unlike.or(Some(why)),
        }
    }
    if found.len() > 1 {
        for path in &found {
            if is_sealed(path, own).await.unwrap_or(false) {
                return Ok(path.clone());
            }
        }
    }
    found.into_iter().next().ok_or_else(|| unlike.unwrap_or_else(|| missing(database, own)))
}

/// The command that shows a segment in a terminal, or one session of it, or where words stand. What it says without a word on the audience is what
/// players see.
pub fn command(file: &Path, session: Option<u32>, text: Option<&str>, audience: Audience) -> String {
    let session = session.map_or(String::new(), |number| format!(" --session {number}"));
    let text = text.map_or(String::new(), |words| format!(" --text {}", for_shell(words)));
    let audience = if audience == Audience::Gm { " --audience gm" } else { "" };
    format!("rollbook log --db {}{session}{text}{audience}", for_shell(&file.display().to_string()))
}

fn missing(database: &Location, own: &Segment) -> String {
    let folder = segment::folder(database).map_or(own.folder.clone(), |folder| folder.display().to_string());
    format!("{} is missing, which holds {}. Put it into {folder}", crate::names::quoted(&own.file), own.entries())
}

/// Whether a file has the bytes that were sealed.
async fn is_sealed(path: &Path, own: &Segment) -> io::Result<bool> {
    let path = path.to_path_buf();
    let found = tokio::task::spawn_blocking(move || digest(&path)).await.map_err(io::Error::other).flatten()?;
    Ok(own.seal == Some(found))
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

/// What is wrong with the file of a segment: it is missing, or is not the one that was sealed.
pub async fn problem(database: &Location, uuid: &str, own: &Segment) -> Option<String> {
    own.seal?;
    let path = match find(database, uuid, own).await {
        Ok(path) => path,
        Err(why) => return Some(why),
    };
    let shown = path.display();
    match is_sealed(&path, own).await {
        Ok(true) => None,
        Ok(false) => {
            Some(format!("{shown}, which holds {}, is not the file that was sealed: it was changed", own.entries()))
        }
        Err(error) => Some(format!("{shown}, which holds {}, cannot be read: {error}", own.entries())),
    }
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
