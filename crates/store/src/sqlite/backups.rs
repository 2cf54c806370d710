//! The backups of a file, or of a campaign on a server: files of SQLite in a folder beside the
//! database or the server's checkpoints.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::NaiveDateTime;
use sqlx::sqlite::SqliteConnection;

use super::connection::{close, read_only};
use super::soundness::quick_check;
use super::{file, migrate, schema};
use crate::error::damaged;
use crate::location::Server;
use crate::sql::error::of_file;
use crate::{StoreError, special};
use rollbook_text::names::{fold, for_shell};

/// Backups that are looked at for the newest good one.
const LOOKED_AT_MAX: usize = 8;
/// When it was made, in its name.
pub const STAMP: &str = "%Y-%m-%dT%H-%M-%SZ";

/// Digits of a campaign's UUID in the names of its backups: those are removed by name.
const DIGITS: usize = 12;
/// Letters of a campaign's name in the name of a file.
const NAME_MAX: usize = 40;
/// Letters of [`STAMP`] as it is written.
const STAMP_LENGTH: usize = 20;

/// Where a database's backups lie.
pub fn folder(database: &Path) -> PathBuf {
    file::beside(database, ".backups")
}

/// Where the backups of a server's campaigns lie on this computer; `None` where it keeps nothing of
/// that server.
pub fn folder_of_server(server: &Server) -> Option<PathBuf> {
    Some(server.checkpoints.as_ref()?.join("backups"))
}

/// The backups that the sessions of a file, or of a campaign on a server, leave.
pub struct Series {
    pub folder: PathBuf,
    /// The name of the campaign and the end of its UUID.
    campaign: Option<(String, String)>,
}

impl Series {
    /// Those of a file.
    pub fn of_file(database: &Path) -> Series {
        Series {
            folder: folder(database),
            campaign: None,
        }
    }

    /// Those of a campaign on a server; `None` where this computer keeps nothing of that server.
    pub fn of_campaign(server: &Server, name: &str, uuid: &str) -> Option<Series> {
        let digits: String = uuid.chars().filter(char::is_ascii_hexdigit).collect();
        let last = digits
            .get(digits.len().saturating_sub(DIGITS)..)
            .unwrap_or_default()
            .to_owned();
        Some(Series {
            folder: folder_of_server(server)?,
            campaign: Some((plain_name(name), last)),
        })
    }

    /// The backups that there are, oldest first.
    pub fn made(&self) -> Vec<Made> {
        let mut made: Vec<Made> = files(&self.folder)
            .filter_map(|path| self.read(path))
            .collect();
        made.sort_by_key(|made| made.number);
        made
    }

    /// Where the one of that number and time lies.
    pub fn path(&self, number: u64, stamp: &str) -> PathBuf {
        let prefix = self
            .campaign
            .as_ref()
            .map_or(String::new(), |(name, digits)| format!("{name}-{digits}-"));
        self.folder.join(format!("{prefix}{number:06}-{stamp}.db"))
    }

    /// A campaign may have had another name when it was made.
    fn read(&self, path: PathBuf) -> Option<Made> {
        let name = path.file_name()?.to_str()?.strip_suffix(".db")?;
        let (rest, stamp) = name.split_at_checked(name.len().checked_sub(STAMP_LENGTH)?)?;
        let rest = rest.strip_suffix('-')?;
        let number = match &self.campaign {
            None => rest,
            Some((_, digits)) => {
                let (prefix, number) = rest.rsplit_once('-')?;
                prefix.strip_suffix(digits.as_str())?.strip_suffix('-')?;
                number
            }
        };
        let at = NaiveDateTime::parse_from_str(stamp, STAMP)
            .ok()?
            .and_utc()
            .timestamp_micros();
        Some(Made {
            number: number.parse().ok()?,
            at,
            path,
        })
    }

    /// The newest that is sound and holds a log.
    pub async fn newest_good(&self) -> Option<Made> {
        for made in self.made().into_iter().rev().take(LOOKED_AT_MAX) {
            if is_good(&made.path).await {
                return Some(made);
            }
        }
        None
    }
}

/// Every backup of a database, the newest first; those in their folder that were made by hand are
/// as good.
pub fn all(database: &Path) -> Vec<PathBuf> {
    let is_ours = |path: &PathBuf| path.extension().is_some_and(|end| end == "db");
    let mut found: Vec<PathBuf> = files(&folder(database)).filter(is_ours).collect();
    let time = |path: &PathBuf| {
        path.metadata()
            .and_then(|about| about.modified())
            .unwrap_or(SystemTime::UNIX_EPOCH)
    };
    found.sort_by_cached_key(|path| std::cmp::Reverse((time(path), path.clone())));
    found
}

/// The newest backup that is sound and holds a log, and those before it, among the first few, that
/// cannot be gone back to.
pub async fn newest(database: &Path) -> (Option<PathBuf>, Vec<PathBuf>) {
    let mut damaged = Vec::new();
    for backup in all(database).into_iter().take(LOOKED_AT_MAX) {
        match is_good(&backup).await {
            true => return (Some(backup), damaged),
            false => damaged.push(backup),
        }
    }
    (None, damaged)
}

/// How to go back to the newest good backup. Done by hand, the log would say nothing of it.
pub async fn advice(database: &Path) -> Option<String> {
    let backup = newest(database).await.0?;
    let name = backup.strip_prefix(database.parent()?).ok()?.display();
    let (file, onto) = (
        for_shell(&backup.display().to_string()),
        for_shell(&database.display().to_string()),
    );
    Some(format!(
        "The newest good backup is {name}. To play on from it, stop every server of this database and run `rollbook restore {file} \
         --db {onto}`: it verifies the backup, keeps what lies there now, and logs what was lost"
    ))
}

/// What was done, or its error; the refusal of a damaged file says how to go back to its newest
/// good backup.
pub async fn advised<T>(path: &Path, done: Result<T, StoreError>) -> Result<T, StoreError> {
    match done.map_err(|error| of_file(path, error)) {
        Err(StoreError::Damaged {
            path: at,
            reason,
            advice,
        }) if advice.is_empty() => {
            let advice = self::advice(path).await.unwrap_or_else(|| {
                let onto = for_shell(&path.display().to_string());
                format!(
                    "There is no good backup beside it. `rollbook restore FILE --db {onto}` puts a copy from elsewhere in its place; without \
                     one, keep the file, and name another with --db to play on"
                )
            });
            Err(StoreError::Damaged {
                path: at,
                reason,
                advice,
            })
        }
        done => done,
    }
}

pub struct Made {
    pub number: u64,
    pub at: i64,
    pub path: PathBuf,
}

/// The regular files of a folder; none where there is no such folder.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .map(|entry| entry.path())
}

/// Whether every page of it is sound, its schema is what it says, and a log is in it.
pub async fn is_good(backup: &Path) -> bool {
    if special::at(backup).is_some() {
        return false;
    }
    let Ok(mut connection) = read_only(backup).await else {
        return false;
    };
    let entries = entries(&mut connection, backup).await;
    let _ = close(connection).await;
    entries.is_ok_and(|entries| entries > 0)
}

/// The entries of a sound database.
async fn entries(connection: &mut SqliteConnection, path: &Path) -> Result<i64, StoreError> {
    schema::check_tables(connection, path).await?;
    let found = migrate::version(connection).await?;
    if let Some(what) = migrate::contradiction(connection, found).await? {
        return Err(damaged(path, what));
    }
    quick_check(connection, path).await?;
    migrate::count(connection).await
}

/// A campaign's name as a part of a file's name.
fn plain_name(campaign: &str) -> String {
    let folded = fold(campaign).chars().take(NAME_MAX).collect::<String>();
    let words: Vec<&str> = folded
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() {
        "campaign".to_owned()
    } else {
        words.join("-")
    }
}

#[cfg(test)]
mod tests {
    use super::plain_name;

    #[test]
    fn a_file_is_named_by_its_campaign() {
        for (campaign, name) in [
            ("lockhouse", "lockhouse"),
            ("Côte d'Azur!", "cote-d-azur"),
            ("../../etc", "etc"),
            ("北", "campaign"),
        ] {
            assert_eq!(plain_name(campaign), name);
        }
    }
}
