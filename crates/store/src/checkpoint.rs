//! Checkpoints: receipts appended to `checkpoints.log` beside the database, outside the file whose
//! tail they watch. Those of a database on a server are appended to such a file on each computer
//! that plays there, and to a table in it, for a computer that has lost its own.
//!
//! A chain alone cannot show that its last entries were cut off, nor a database that a campaign was
//! taken out of it. A line here says how far a campaign reached once, and in which database: by the
//! file's name and the book's name in it, because several may share a folder, and one may be
//! renamed or copied. It speaks of a database when either fits. A JSON object a line, synced.
//!
//! A copy has the book's name and the campaigns of its original: beside the original's checkpoints
//! verification finds it shorter than they say, and one that was played on different from them. It
//! belongs in a folder of its own. An exported database of one campaign has another book's name.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::draft::{give_to_owner_of, make_folder, not_written, private};
use super::location::Location;
use super::record::RECEIPT_DIGITS;
use super::{Head, Identity, StoreError, special};
use rollbook_game::record::instant::iso;
use rollbook_text::names::quoted;

const FILE: &str = "checkpoints.log";
/// Bytes of the file that are read; a session writes about 300.
const BYTES_MAX: u64 = 64 * 1024 * 1024;

/// How the sentence on a line that cannot be read ends.
pub const NO_CHECKPOINT: &str = "is no checkpoint";

/// How far a campaign reached once, or how it went: a line of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub campaign: String,
    /// The last entry's number, which is also the count of entries.
    pub seq: u64,
    /// Its chain value as 64 hex digits.
    pub chain: String,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub at: i64,
    pub name: String,
    pub database: String,
    /// The book's name, as the database's table `book` has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
    /// The entry accepts that the log lacks what lines above this one know of the campaign.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub loss_accepted: bool,
    /// The campaign was removed at this entry, after it had been exported whole to this file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed_to: Option<String>,
    /// The campaign was given up at this entry: this file, without it, was put back all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_up_for: Option<String>,
}

impl Checkpoint {
    /// The line for a campaign of that UUID and name that reached `head`.
    pub fn of(
        database: impl Into<Location>,
        book: Option<String>,
        uuid: &str,
        name: &str,
        head: Head,
        at: i64,
    ) -> Self {
        Checkpoint {
            campaign: uuid.to_owned(),
            seq: head.seq,
            chain: base16ct::lower::encode_string(&head.chain),
            at,
            name: name.to_owned(),
            database: database.into().name(),
            book,
            ..Checkpoint::default()
        }
    }

    /// Whether a start of that database, which calls itself `book`, has to hold what it knows.
    ///
    /// A line that names another file of the folder speaks of that one while it is there: this one
    /// is a copy of it, and what it lacks is not lost. Once the other is gone, the same book under
    /// another name is the other, renamed. A server has many names.
    pub(super) fn applies(&self, database: &Location, book: Option<&str>) -> bool {
        let is_here = || match database {
            Location::File(_) => self.names(database) || is_gone(database, &self.database),
            Location::Server(_) => true,
        };
        self.is_of(database, book) && is_here()
    }

    pub(crate) fn names(&self, database: &Location) -> bool {
        self.database == database.name()
    }

    /// How a campaign went on purpose, in a sentence; `None` for a line that says something else.
    pub fn removal(&self) -> Option<String> {
        let receipt = self.chain.get(..RECEIPT_DIGITS).unwrap_or_default();
        let at = format!("on {} at #{} {receipt}", iso(self.at), self.seq);
        match (&self.removed_to, &self.given_up_for) {
            (Some(export), _) => Some(format!(
                "was removed {at}; {} holds all of it",
                quoted(export)
            )),
            (None, Some(copy)) => Some(format!(
                "was given up {at}; {}, which was put back then, did not hold it",
                quoted(copy)
            )),
            (None, None) => None,
        }
    }

    /// Whether it speaks of that database, whose book is `book`, and not of another.
    pub(crate) fn is_of(&self, database: &Location, book: Option<&str>) -> bool {
        self.names(database) || (self.book.is_some() && self.book.as_deref() == book)
    }
}

/// The lines that were read.
#[derive(Debug, Default)]
pub struct Checkpoints {
    pub lines: Vec<Checkpoint>,
    /// What a crash tore, one sentence each.
    pub torn: Vec<String>,
    /// What could not be read, one sentence each.
    pub unreadable: Vec<String>,
}

impl Checkpoints {
    /// The lines that a start of that database has to hold of a campaign, in their order.
    pub(crate) fn applying(
        &self,
        database: &Location,
        book: Option<&str>,
        campaign: &str,
    ) -> Vec<&Checkpoint> {
        self.lines
            .iter()
            .filter(|line| line.campaign == campaign && line.applies(database, book))
            .collect()
    }

    /// The line by which a campaign went from that database on purpose: the last of its lines
    /// there, and no line since the last loss that was accepted goes further.
    pub fn removal(
        &self,
        database: &Location,
        book: Option<&str>,
        campaign: &str,
    ) -> Option<&Checkpoint> {
        let is_last = |line: &&Checkpoint| line.campaign == campaign && line.is_of(database, book);
        let last = self.lines.iter().rfind(is_last)?;
        let applying = self.applying(database, book, campaign);
        let accepted = applying
            .iter()
            .rposition(|line| line.loss_accepted)
            .unwrap_or(0);
        let is_removal = last.removed_to.is_some() || last.given_up_for.is_some();
        let is_furthest = applying
            .iter()
            .skip(accepted)
            .all(|line| line.seq <= last.seq);
        (is_removal && is_furthest).then_some(last)
    }

    /// The campaigns that the database lacks and has to hold, each by the line that knows the most.
    pub fn lost(
        &self,
        database: &Location,
        book: Option<&str>,
        held: &[(String, Identity)],
    ) -> Vec<&Checkpoint> {
        let is_held = |line: &&Checkpoint| {
            held.iter()
                .any(|(_, identity)| identity.uuid == line.campaign)
        };
        let lines = self
            .lines
            .iter()
            .filter(|line| line.applies(database, book) && !is_held(line));
        let lost = by_campaign(lines);
        lost.into_values()
            .filter(|line| self.removal(database, book, &line.campaign).is_none())
            .collect()
    }
}

/// Of each campaign the line that knows the most of it; of several the last.
pub(crate) fn by_campaign<'c>(
    lines: impl Iterator<Item = &'c Checkpoint>,
) -> BTreeMap<&'c str, &'c Checkpoint> {
    let mut all: BTreeMap<&str, &Checkpoint> = BTreeMap::new();
    for line in lines {
        let most = all.entry(&line.campaign).or_insert(line);
        if line.seq >= most.seq {
            *most = line;
        }
    }
    all
}

/// Whether a plain file name names nothing beside a database that is a file.
pub(crate) fn is_gone(database: &Location, name: &str) -> bool {
    let Some(file) = database.file() else {
        return false;
    };
    Path::new(name)
        .file_name()
        .is_some_and(|plain| plain == name)
        && file.with_file_name(name).symlink_metadata().is_err()
}

/// Where the checkpoints of a file are kept.
pub(crate) fn path(database: &Path) -> PathBuf {
    database.with_file_name(FILE)
}

/// Where those of any database are kept on this computer; `None` where they are not.
fn path_of(database: &Location) -> Option<PathBuf> {
    Some(database.checkpoints()?.join(FILE))
}

/// Appends one line and syncs it; never through a symbolic link. A last line that has no end, since
/// a crash tore it, is ended. Returns what was repaired, in a sentence.
pub fn append(
    database: impl Into<Location>,
    line: &Checkpoint,
) -> Result<Option<String>, StoreError> {
    let database = database.into();
    let Some(path) = path_of(&database) else {
        return Ok(None);
    };
    if let (None, Some(folder)) = (database.file(), path.parent()) {
        // A server's folder of checkpoints is there from the first one on.
        make_folder(folder).map_err(|error| {
            StoreError::Io(format!(
                "cannot make {}: {error}. Name another folder with --checkpoints",
                folder.display()
            ))
        })?;
    }
    check_regular(&path)?;
    let is_new = !path.exists();
    let opened = private().append(true).create(true).open(&path);
    let written = opened.and_then(|mut file| {
        // Where files cannot be locked, only a repair just then could harm another's line.
        let _ = file.lock();
        let mut last = [b'\n'];
        if file.metadata()?.len() > 0 {
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        let is_ended = last == *b"\n";
        // The empty line says that the one before it was ended here.
        let begin = if is_ended { "" } else { "\n\n" };
        file.write_all(format!("{begin}{}\n", serde_json::to_string(line)?).as_bytes())?;
        file.sync_all()?;
        Ok((!is_ended).then(|| {
            format!(
                "The last line of {} had no end, and was ended.",
                path.display()
            )
        }))
    });
    let repaired = written.map_err(|error| not_written(&path, &error))?;
    if let Some(file) = database.file().filter(|_| is_new) {
        give_to_owner_of(file, &path);
    }
    Ok(repaired)
}

/// Looks whether a line could be appended, and changes nothing.
pub fn check_writable(database: impl Into<Location>) -> Result<(), StoreError> {
    let Some(path) = path_of(&database.into()).filter(|path| path.exists()) else {
        return Ok(());
    };
    check_regular(&path)?;
    OpenOptions::new()
        .append(true)
        .open(&path)
        .map(drop)
        .map_err(|error| not_written(&path, &error))
}

fn check_regular(path: &Path) -> Result<(), StoreError> {
    let refused = |what| {
        StoreError::Io(format!(
            "{} is {what}; put a file in its place",
            path.display()
        ))
    };
    special::at(path).map_or(Ok(()), |what| Err(refused(what)))
}

/// Every line, and what cannot be read.
pub fn read(database: impl Into<Location>) -> Checkpoints {
    let mut found = Checkpoints::default();
    let Some(path) = path_of(&database.into()) else {
        return found;
    };
    if let Some(what) = special::at(&path) {
        found
            .unreadable
            .push(format!("{} is {what}, and was not read", path.display()));
        return found;
    }
    let mut bytes = Vec::new();
    match File::open(&path).and_then(|file| file.take(BYTES_MAX + 1).read_to_end(&mut bytes)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return found,
        Err(error) => found
            .unreadable
            .push(format!("{} cannot be read: {error}", path.display())),
        Ok(read) if read as u64 > BYTES_MAX => {
            found.unreadable.push(format!(
                "{} has more than {BYTES_MAX} bytes",
                path.display()
            ));
        }
        Ok(_) => {}
    }
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    for (number, line) in (1..).zip(&lines).filter(|(_, line)| !line.is_empty()) {
        let next = lines.get(number);
        let at = format!("{} line {number}", path.display());
        match serde_json::from_slice::<Checkpoint>(line) {
            Ok(line) => found.lines.push(line),
            // The file ends within it.
            Err(_) if next.is_none() => {
                found.torn.push(format!(
                    "{at} was torn by a crash; the next checkpoint mends it"
                ));
            }
            // It was ended by the next checkpoint, see [`append`].
            Err(_) if next.is_some_and(|next| next.is_empty()) && number + 1 < lines.len() => {
                let text = String::from_utf8_lossy(line);
                found.torn.push(format!(
                    "{at} was torn by a crash, and is no checkpoint: \"{}\"",
                    quoted(&text)
                ));
            }
            Err(_) => found.unreadable.push(format!("{at} {NO_CHECKPOINT}")),
        }
    }
    found
}

/// The last line that names this file, for a start that finds it empty or gone.
pub(crate) fn last_of(database: &Path) -> Option<Checkpoint> {
    let database = Location::from(database);
    read(&database)
        .lines
        .into_iter()
        .rev()
        .find(|line| line.names(&database))
}

#[cfg(test)]
mod tests {
    use super::{Checkpoint, append, path, read};
    use crate::Head;

    fn line(database: &std::path::Path) -> Checkpoint {
        Checkpoint::of(
            database,
            Some("b".to_owned()),
            "u",
            "lockhouse",
            Head {
                seq: 3,
                chain: [7; 32],
            },
            5,
        )
    }

    #[test]
    fn a_last_line_without_its_end_is_ended_and_does_not_swallow_the_next() {
        // How much is cut off, and the lines and torn lines read before and after the next one.
        for (cut, before, after) in [(1, (1, 0), (2, 0)), (20, (0, 1), (1, 1))] {
            let folder = tempfile::tempdir().unwrap();
            let database = folder.path().join("campaigns.db");
            append(&database, &line(&database)).unwrap();
            let whole = std::fs::read(path(&database)).unwrap();
            std::fs::write(path(&database), &whole[..whole.len() - cut]).unwrap();
            let counts = |found: &super::Checkpoints| {
                assert!(
                    found.unreadable.is_empty()
                        && found.lines.iter().all(|read| *read == line(&database))
                );
                (found.lines.len(), found.torn.len())
            };
            assert_eq!(counts(&read(&database)), before);
            assert!(
                append(&database, &line(&database))
                    .unwrap()
                    .unwrap()
                    .contains("had no end, and was ended")
            );
            let found = read(&database);
            assert_eq!(counts(&found), after);
            let what = "line 1 was torn by a crash, and is no checkpoint: \"{\"campaign\":";
            assert!(
                found.torn.iter().all(|torn| torn.contains(what)),
                "{found:?}"
            );
            assert_eq!(append(&database, &line(&database)).unwrap(), None);
        }
    }

    #[test]
    fn lines_that_are_appended_at_once_are_all_there() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("campaigns.db");
        std::fs::write(path(&database), "{\"camp").unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    (0..20).for_each(|_| drop(append(&database, &line(&database)).unwrap()))
                });
            }
        });
        let found = read(&database);
        assert_eq!(
            (found.lines.len(), found.torn.len(), found.unreadable.len()),
            (160, 1, 0)
        );
    }

    #[test]
    fn a_line_speaks_of_a_database_by_the_files_name_or_the_books() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("campaigns.db");
        let line = line(&database);
        for (name, book, is_of) in [
            ("campaigns.db", None, true),
            ("renamed.db", Some("b"), true),
            ("other.db", Some("c"), false),
        ] {
            assert_eq!(
                line.is_of(&folder.path().join(name).into(), book),
                is_of,
                "{name}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("campaigns.db");
        let elsewhere = folder.path().join("elsewhere");
        std::fs::write(&elsewhere, "").unwrap();
        std::os::unix::fs::symlink(&elsewhere, path(&database)).unwrap();
        assert!(
            append(&database, &line(&database))
                .unwrap_err()
                .to_string()
                .contains("symbolic link")
        );
        assert_eq!(read(&database).unreadable.len(), 1);
        assert_eq!(std::fs::read(&elsewhere).unwrap(), b"");
    }
}
