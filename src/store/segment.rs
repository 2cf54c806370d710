//! A part of a campaign's log that lies in a file of its own: old sessions, archived so that the database stays small.
//!
//! The file is a database of the ordinary schema. It holds its entries with their rolls, and the tables as they were at its end; it knows
//! the segments before it, so that it can be read and verified from the first entry on. It takes no further entry.

use std::path::{Path, PathBuf};

use super::chain::SeenHead;
use super::location::Location;
use crate::names::fold;

/// Letters of a campaign's name in the name of a file.
const NAME_MAX: usize = 40;
/// Digits of its UUID in it, the last ones: by those two campaigns differ whose names are written alike.
const DIGITS: usize = 6;

/// A segment, as the database that it was taken from knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    pub first: u64,
    pub last: u64,
    /// The first and the last session that it has entries of.
    pub sessions: (u32, u32),
    /// The chain value of its last entry.
    pub chain: [u8; 32],
    /// What players had seen by then.
    pub seen: SeenHead,
    /// The last end of a session by then that says what players had seen.
    pub ended: Option<u64>,
    /// The file's name, and the folder in which it was written.
    pub file: String,
    pub folder: String,
    /// Bytes and SHA-256 of the file; `None` in the segment itself.
    pub seal: Option<(u64, [u8; 32])>,
}

/// What stays in the database of an entry that lies in a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stub {
    pub seq: u64,
    pub session: u32,
    pub at: i64,
    pub chain: [u8; 32],
}

impl Segment {
    /// Whether it holds that entry.
    pub fn holds(&self, seq: u64) -> bool {
        (self.first..=self.last).contains(&seq)
    }

    /// Its entries, as a sentence has them.
    pub fn entries(&self) -> String {
        format!("#{} to #{}", self.first, self.last)
    }

    /// The files with its name, wherever it is looked for: another campaign's may have the same.
    pub fn named_alike(&self, database: &Location) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = Vec::new();
        for folder in places(database, Path::new(&self.folder)) {
            let path = folder.join(&self.file);
            if path.symlink_metadata().is_ok() && !paths.contains(&path) {
                paths.push(path);
            }
        }
        paths
    }

    /// Where its file was written.
    pub fn written(&self) -> PathBuf {
        Path::new(&self.folder).join(&self.file)
    }

    /// Whether its name is one that a file of a folder can have.
    pub fn is_named(&self) -> bool {
        Path::new(&self.file).file_name().is_some_and(|plain| plain == self.file.as_str())
    }
}

/// The folder of a database's segments, where nobody names another: beside a file, and with the checkpoints of a server.
pub fn folder(database: &Location) -> Option<PathBuf> {
    match database {
        Location::File(file) => {
            let mut name = file.file_name().unwrap_or_default().to_owned();
            name.push(".archive");
            Some(file.with_file_name(name))
        }
        Location::Server(_) => Some(database.checkpoints()?.join("archive")),
    }
}

/// The folders in which a segment is looked for. A backup lies in a folder beside the database, and a segment beside those before it; a
/// database that was carried to another computer has its folder of segments beside it there.
fn places(database: &Location, written: &Path) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = folder(database).into_iter().collect();
    if let Some(beside) = database.file().and_then(Path::parent) {
        places.push(beside.to_path_buf());
        let above = beside.parent().map(Path::to_path_buf).unwrap_or_else(|| beside.join(".."));
        let named = written.file_name().into_iter();
        places.extend(named.flat_map(|name| [beside.join(name), above.join(name)]));
    }
    places.push(written.to_path_buf());
    places
}

/// The name of the file with the entries `first` to `last` of a campaign with that UUID: names of one campaign are in the order of its log.
pub fn file_name(campaign: &str, uuid: &str, first: u64, last: u64) -> String {
    format!("{}-{}-{first:06}-{last:06}.db", plain_name(campaign), last_digits(uuid, DIGITS))
}

/// A campaign's name as a part of a file's name.
pub fn plain_name(campaign: &str) -> String {
    let mut name = String::new();
    for letter in fold(campaign).chars().take(NAME_MAX) {
        match letter.is_ascii_alphanumeric() {
            true => name.push(letter),
            false if name.ends_with('-') || name.is_empty() => {}
            false => name.push('-'),
        }
    }
    match name.trim_end_matches('-') {
        "" => "campaign",
        name => name,
    }
    .to_owned()
}

/// The last digits of a UUID.
pub fn last_digits(uuid: &str, many: usize) -> String {
    let digits: Vec<char> = uuid.chars().filter(char::is_ascii_hexdigit).collect();
    digits.iter().skip(digits.len().saturating_sub(many)).collect()
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn a_file_is_named_by_its_campaign_and_entries() {
        for (campaign, name) in [
            ("lockhouse", "lockhouse-7f03ac-000001-004213.db"),
            ("Côte d'Azur!", "cote-d-azur-7f03ac-000001-004213.db"),
            ("../../etc", "etc-7f03ac-000001-004213.db"),
            ("北", "campaign-7f03ac-000001-004213.db"),
        ] {
            assert_eq!(file_name(campaign, "0d6cf3f6-5b0e-4a3b-9f51-2c90f57f03ac", 1, 4213), name);
        }
    }
}
