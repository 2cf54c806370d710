//! Checkpoints: receipts appended to `checkpoints.log` beside the database, outside the file whose tail they watch.
//!
//! A chain alone cannot show that its last entries were cut off, nor a database that a campaign was taken out of it. A line
//! here says how far a campaign reached once, and in which database: by the file's name and by the book's name inside it,
//! because several databases may share a folder, and a file may be renamed or copied. A line speaks of a database when
//! either name fits. Lines of older programs name neither. One JSON object a line, synced before anybody relies on it.
//!
//! A copy has the book's name of its original, and its campaigns are the same ones: beside the original's checkpoints it is
//! told to be behind them, and one that was played on by itself to differ from them. Such a copy belongs in a folder of its
//! own. An exported database of one campaign has a book's name of its own.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Head, StoreError, special};

/// Bytes of the file that are read; a session writes about 300.
const BYTES_MAX: u64 = 64 * 1024 * 1024;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The campaign's UUID.
    pub campaign: String,
    /// The last entry's number, which is also the count of entries.
    pub seq: u64,
    /// Its chain value as 64 hex digits.
    pub chain: String,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub at: i64,
    /// The campaign's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The database's file name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// The book's name, as the database's table `book` has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
}

/// Which database a line speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaks {
    OfThis,
    OfAnother,
    /// An older program wrote it.
    OfNobodyKnows,
}

impl Checkpoint {
    /// The line for a campaign of that UUID and name that reached `head`.
    pub fn of(database: &Path, book: Option<String>, uuid: &str, name: &str, head: Head, at: i64) -> Self {
        Checkpoint {
            campaign: uuid.to_owned(),
            seq: head.seq,
            chain: base16ct::lower::encode_string(&head.chain),
            at,
            name: Some(name.to_owned()),
            database: Some(file_name(database)),
            book,
        }
    }

    /// Whether it names that file.
    pub fn names(&self, database: &Path) -> bool {
        self.database.as_deref() == Some(&file_name(database))
    }

    /// Whether it speaks of that database, which calls itself `book`.
    pub fn speaks(&self, database: &Path, book: Option<&str>) -> Speaks {
        match (&self.database, &self.book) {
            (None, None) => Speaks::OfNobodyKnows,
            _ if self.names(database) => Speaks::OfThis,
            (_, Some(named)) if Some(named.as_str()) == book => Speaks::OfThis,
            _ => Speaks::OfAnother,
        }
    }
}

/// What stands in the file.
#[derive(Debug, Default)]
pub struct Checkpoints {
    pub lines: Vec<Checkpoint>,
    /// What could not be read, one sentence each.
    pub unreadable: Vec<String>,
}

/// Where the checkpoints of a database are kept.
pub fn path(database: &Path) -> PathBuf {
    database.with_file_name("checkpoints.log")
}

/// Appends one line and syncs it. A line that a crash tore is left torn, and the new one stands on its own.
///
/// # Errors
/// When the file cannot be written, or is a symbolic link, which could lead anywhere.
pub fn append(database: &Path, line: &Checkpoint) -> Result<(), StoreError> {
    let path = path(database);
    if let Some(what) = special::at(&path) {
        return Err(StoreError::Io(format!("{} is {what}; put a file in its place", path.display())));
    }
    let mut text = serde_json::to_string(line).map_err(|error| StoreError::Io(error.to_string()))?;
    text.push('\n');
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&path).and_then(|mut file| {
        if is_torn(&mut file)? {
            text.insert(0, '\n');
        }
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all())
    });
    written.map_err(|error| StoreError::Io(format!("cannot write {}: {error}", path.display())))
}

fn is_torn(file: &mut File) -> std::io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// Every line, and what cannot be read.
pub fn read(database: &Path) -> Checkpoints {
    let path = path(database);
    let mut found = Checkpoints::default();
    if let Some(what) = special::at(&path) {
        found.unreadable.push(format!("{} is {what}, and was not read", path.display()));
        return found;
    }
    let mut bytes = Vec::new();
    match File::open(&path).and_then(|file| file.take(BYTES_MAX + 1).read_to_end(&mut bytes)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return found,
        Err(error) => found.unreadable.push(format!("{} cannot be read: {error}", path.display())),
        Ok(read) if read as u64 > BYTES_MAX => {
            found.unreadable.push(format!("{} has more than {BYTES_MAX} bytes", path.display()));
        }
        Ok(_) => {}
    }
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')).filter(|(_, line)| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(line) => found.lines.push(line),
            Err(error) => {
                found.unreadable.push(format!("{} line {number} is no checkpoint: {error}", path.display()));
            }
        }
    }
    found
}

/// The last line that names this file, for a start that finds it empty or gone.
pub fn last_of(database: &Path) -> Option<Checkpoint> {
    read(database).lines.into_iter().rev().find(|line| line.names(database))
}

fn file_name(database: &Path) -> String {
    database.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Checkpoint, Speaks, append, path, read};
    use crate::store::Head;

    fn line(database: &std::path::Path) -> Checkpoint {
        Checkpoint::of(database, Some("b".to_owned()), "u", "lockhouse", Head { seq: 3, chain: [7; 32] }, 5)
    }

    #[test]
    fn a_torn_line_does_not_swallow_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("campaigns.db");
        append(&database, &line(&database)).unwrap();
        let whole = std::fs::read(path(&database)).unwrap();
        std::fs::write(path(&database), &whole[..whole.len() - 20]).unwrap();
        append(&database, &line(&database)).unwrap();
        let found = read(&database);
        assert_eq!((found.lines, found.unreadable.len()), (vec![line(&database)], 1));
    }

    #[test]
    fn a_line_of_an_older_program_is_read_and_names_no_database() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("campaigns.db");
        let old = format!("{{\"campaign\":\"u\",\"seq\":1,\"chain\":\"{}\",\"at\":0}}\n", "0".repeat(64));
        std::fs::write(path(&database), old).unwrap();
        let found = read(&database);
        assert_eq!(found.lines[0].speaks(&database, Some("b")), Speaks::OfNobodyKnows);
        let line = line(&database);
        assert_eq!(line.speaks(&database, None), Speaks::OfThis, "by the file's name");
        assert_eq!(line.speaks(&folder.path().join("renamed.db"), Some("b")), Speaks::OfThis, "by the book's");
        assert_eq!(line.speaks(&folder.path().join("other.db"), Some("c")), Speaks::OfAnother);
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("campaigns.db");
        let elsewhere = folder.path().join("elsewhere");
        std::fs::write(&elsewhere, "").unwrap();
        std::os::unix::fs::symlink(&elsewhere, path(&database)).unwrap();
        assert!(append(&database, &line(&database)).unwrap_err().to_string().contains("symbolic link"));
        assert_eq!(read(&database).unreadable.len(), 1);
        assert_eq!(std::fs::read(&elsewhere).unwrap(), b"");
    }
}
