//! Writing a segment: a database with the old entries of one campaign, and the tables as they were at its end.

use std::path::Path;

use super::archive::{digest, sealed_in};
use super::chain;
use super::record::{Head, Identity, Position};
use super::removal::lift_triggers;
use super::segment::Segment;
use super::sql::connection::{Connection, query};
use super::sql::script::Script;
use super::transfer::sealed;
use super::{Reader, StoreError, sqlite};
use crate::game::record::event::Event;
use crate::game::view::visibility::is_shown;

/// Rows of what stays of entries that are carried at a time.
const ROWS: u32 = 1000;

/// Writes the entries behind the last segment up to `end` into an empty file, named `file` in `folder`. Answers what was written.
///
/// # Errors
/// When the log cannot be read up to there, or the file cannot be written.
pub async fn write(
    reader: &mut Reader,
    identity: &Identity,
    end: Head,
    (file, folder): (&str, &str),
    out: &Path,
) -> Result<Segment, StoreError> {
    let mut own = sqlite::copy::empty(out).await?;
    sqlite::migrate::make(&mut own).await?;
    let mut to = Connection::Sqlite(own);
    query("begin").execute(&mut to).await?;
    // It begins behind other segments, of which the file holds nothing.
    let lifted = lift_triggers(&mut to).await?;
    let before = reader.segments(identity.key).await?;
    let mut written = entries(reader, identity, &before, end, &mut to).await?;
    (written.file, written.folder) = (file.to_owned(), folder.to_owned());
    beside(reader, identity.key, &before, &mut to).await?;
    for segment in before.iter().chain([&written]) {
        to.keep_segment(identity.key, segment).await?;
    }
    for statement in lifted {
        query(sqlx::AssertSqlSafe(statement)).execute(&mut to).await?;
    }
    query("commit").execute(&mut to).await?;
    to.close().await?;
    Ok(written)
}

/// The entries and the tables that they add up to.
async fn entries(
    reader: &mut Reader,
    identity: &Identity,
    before: &[Segment],
    end: Head,
    to: &mut Connection,
) -> Result<Segment, StoreError> {
    let uuid = identity.uuid.parse().map_err(|error| StoreError::Record(format!("a campaign's UUID is {error}")))?;
    let first = before.last().map_or(1, |own| own.last + 1);
    let mut written = Segment {
        first,
        last: end.seq,
        sessions: (0, 0),
        chain: end.chain,
        seen: before.last().map(|own| own.seen).unwrap_or_default(),
        ended: before.last().and_then(|own| own.ended),
        file: String::new(),
        folder: String::new(),
        seal: None,
    };
    let (mut at, mut head) = (Position::of(identity.key).with_rolls(), Head::default());
    while head.seq < end.seq
        && let Some(page) = reader.page(&mut at).await?
    {
        let (rolls, mut folded, mut own) = (page.rolls()?, Vec::new(), Vec::new());
        for row in page.rows()?.iter().take_while(|row| row.seq <= end.seq) {
            let entry = sealed(row, &rolls)?;
            head = row.head();
            if row.seq < first {
                folded.push(entry);
                continue;
            }
            if row.seq == first {
                written.sessions.0 = entry.entry.session;
            }
            written.sessions.1 = entry.entry.session;
            if is_shown(&row.public) {
                written.seen.add(&chain::shown(&uuid, &row.public));
            }
            if let Event::SessionEnded { seen: Some(_), .. } = entry.entry.event {
                written.ended = Some(row.seq);
            }
            own.push(entry);
        }
        to.fold(identity.key, &folded).await?;
        to.append(identity.key, &own, None).await?;
    }
    match head == end {
        true => Ok(written),
        false => Err(StoreError::Io(format!("the log cannot be read up to #{}", end.seq))),
    }
}

/// What lies beside the log: the clock of the table, what stays of earlier entries, and the words by which entries are found. Kept answers stay in the database,
/// where a call that comes again is answered.
async fn beside(reader: &mut Reader, key: i64, before: &[Segment], to: &mut Connection) -> Result<(), StoreError> {
    if let Some(zone) = reader.zone(key).await? {
        to.keep_zone(key, &zone).await?;
    }
    let archived = before.last().map_or(0, |own| own.last);
    let mut behind = 0;
    while behind < archived {
        let stubs = reader.stubs(key, behind, ROWS).await?;
        let Some(last) = stubs.last() else { break };
        behind = last.seq;
        let mut script = Script::default();
        stubs.iter().for_each(|own| script.push(Connection::keep_stub(key, own)));
        script.run(to).await?;
    }
    let mut behind = 0;
    while behind < archived {
        let seen = reader.seen_numbers(key, behind, archived, ROWS).await?;
        let Some((last, _)) = seen.last() else { break };
        behind = *last;
        to.keep_seen_numbers(key, &seen).await?;
    }
    while to.lacks_words(key).await? {
        to.fill_words(key).await?;
    }
    Ok(())
}

/// What the file of a segment says of itself, sealed with the bytes it has now; `None` where it is no whole segment of that campaign.
///
/// # Errors
/// When it cannot be read.
pub async fn read(path: &Path, identity: &Identity) -> Result<Option<Segment>, StoreError> {
    let mut connection = Connection::Sqlite(sqlite::connect_read_only(path).await?);
    let found = sealed_in(&mut connection).await;
    connection.close().await?;
    let Some((_, _, own)) = found?.filter(|(_, uuid, _)| *uuid == identity.uuid) else { return Ok(None) };
    let file = path.to_path_buf();
    let digest = tokio::task::spawn_blocking(move || digest(&file)).await.map_err(std::io::Error::other).flatten();
    let seal = digest.map_err(|error| StoreError::Io(format!("cannot read {}: {error}", path.display())))?;
    Ok(Some(Segment { seal: Some(seal), ..own }))
}
