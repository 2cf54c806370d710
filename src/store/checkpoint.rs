//! Checkpoints: receipts appended to `checkpoints.log` beside the database, outside the file whose tail they watch.
//!
//! A chain alone cannot show that its last entries were cut off. A line here says how far it reached once. One JSON
//! object a line, synced before anybody relies on it.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Head, StoreError};

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
}

/// Where the checkpoints of a database are kept.
pub fn path(database: &Path) -> PathBuf {
    database.with_file_name("checkpoints.log")
}

/// Appends one line and syncs it.
pub fn append(database: &Path, campaign: &str, head: Head, at: i64) -> Result<(), StoreError> {
    let line = Checkpoint {
        campaign: campaign.to_owned(),
        seq: head.seq,
        chain: base16ct::lower::encode_string(&head.chain),
        at,
    };
    let mut text = serde_json::to_string(&line).map_err(|error| StoreError::Io(error.to_string()))?;
    text.push('\n');
    let path = path(database);
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written =
        options.open(&path).and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()));
    written.map_err(|error| StoreError::Io(format!("cannot write {}: {error}", path.display())))
}

/// The lines of one campaign; a line that cannot be read is an error that names it.
pub fn read(database: &Path, campaign: &str) -> Result<Vec<Checkpoint>, StoreError> {
    let path = path(database);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::Io(format!("cannot read {}: {error}", path.display()))),
    };
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line: Checkpoint = serde_json::from_str(line)
            .map_err(|error| StoreError::Io(format!("{} line {number} is no checkpoint: {error}", path.display())))?;
        if line.campaign == campaign {
            lines.push(line);
        }
    }
    Ok(lines)
}
