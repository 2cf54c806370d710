//! The talk at a table, kept beside its campaign's database: a line of JSON each, added and never changed.
//!
//! It holds secrets of the GM, as the database does, so only its owner reads it. The log is the record of play; this is of the talk.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::toolbox::Outcome;
use rollbook_game::record::instant::iso;
use rollbook_store::draft::make_folder;
use rollbook_store::location::Location;
use rollbook_text::names::is_direction;

const FOLDER: &str = "talk";

/// Where a table keeps what is no part of the log; `None` where this computer keeps nothing of the database.
pub fn folder(database: &Location) -> Option<PathBuf> {
    let beside = database.checkpoints()?;
    Some(beside.join(FOLDER))
}

/// A sentence or a call.
#[derive(Debug, Serialize)]
#[serde(tag = "who", rename_all = "snake_case")]
pub enum Line<'a> {
    Person { text: &'a str },
    Model { text: &'a str, model: &'a str },
    Tool { tool: &'a str, arguments: &'a Value, summary: &'a str, is_refused: bool },
    Table { text: &'a str },
}

impl<'a> Line<'a> {
    pub fn of_call(tool: &'a str, arguments: &'a Value, outcome: &'a Outcome) -> Line<'a> {
        Line::Tool { tool, arguments, summary: outcome.summary(), is_refused: !matches!(outcome, Outcome::Done(_)) }
    }
}

#[derive(Serialize)]
struct Kept<'a> {
    at: String,
    database: &'a str,
    campaign: &'a str,
    #[serde(flatten)]
    line: Line<'a>,
}

#[derive(Debug)]
pub struct Transcript {
    file: File,
    path: PathBuf,
    database: String,
    campaign: String,
    clock: fn() -> i64,
}

impl Transcript {
    /// The transcript of that campaign of a database, which is made where there is none. Databases in one folder have one between them.
    /// Errors: when it cannot be written.
    pub fn open(folder: &Path, database: &Location, campaign: &str, clock: fn() -> i64) -> Result<Transcript, String> {
        let path = folder.join("transcript.jsonl");
        let failed = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
        make_folder(folder).map_err(failed)?;
        // Another user may have prepared the folder: a link could lead anywhere.
        if path.is_symlink() {
            return Err(format!("{} is a symbolic link, which could lead anywhere. Remove it", path.display()));
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path).map_err(failed)?;
        let name = database.file().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let database = name.unwrap_or_else(|| database.to_string());
        Ok(Transcript { file, path, database, campaign: campaign.to_owned(), clock })
    }

    /// Adds a line.
    /// Errors: when the disk refuses.
    pub fn add(&mut self, line: Line<'_>) -> Result<(), String> {
        let kept = Kept { at: iso((self.clock)()), database: &self.database, campaign: &self.campaign, line };
        let mut text = serde_json::to_string(&kept).map_err(|error| error.to_string())?;
        text = escaped(&text);
        text.push('\n');
        // One write: two tables of one campaign do not mix their lines.
        self.file.write_all(text.as_bytes()).map_err(|error| format!("cannot write {}: {error}", self.path.display()))
    }
}

/// JSON in which no character is left that a terminal or an editor obeys. Such characters stand in its texts alone.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter.is_control() || is_direction(letter) || matches!(letter, '\u{2028}' | '\u{2029}') {
            true => text.push_str(&format!("\\u{:04x}", u32::from(letter))),
            false => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Line, Location, Transcript};

    #[test]
    fn lines_are_added_that_no_terminal_obeys_and_nobody_else_reads() {
        let place = tempfile::tempdir().unwrap();
        let (folder, database) = (place.path().join("talk"), Location::File("/clubs/club.db".into()));
        let open = || Transcript::open(&folder, &database, "North", || 0);
        let odd = "a\u{9b}31m\u{202e}b\u{2028}c\u{7f}\u{1b}é🎲";
        for text in [odd, "two\nlines"] {
            open().unwrap().add(Line::Person { text }).unwrap();
        }
        let path = folder.join("transcript.jsonl");
        let kept = std::fs::read_to_string(&path).unwrap();
        assert!(kept.contains("a\\u009b31m\\u202eb\\u2028c\\u007f\\u001bé🎲"), "{kept}");
        let lines: Vec<Value> = kept.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines[0]["text"], odd);
        assert_eq!(
            lines[1],
            json!({"at": "1970-01-01T00:00:00.000000Z", "database": "club.db", "campaign": "North", "who": "person", "text": "two\nlines"})
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&path), mode(&folder)), (0o600, 0o700));
            let elsewhere = place.path().join("elsewhere");
            std::fs::remove_file(&path).unwrap();
            std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
            assert!(open().unwrap_err().contains("symbolic link"));
            assert!(!elsewhere.exists());
        }
    }
}
