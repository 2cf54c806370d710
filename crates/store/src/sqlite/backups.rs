//! The backups of a file, or of a campaign on a server: files of SQLite in a folder beside the
//! database or the server's checkpoints. Each is whole, and is checked before it gets its name.
//!
//! One is made at a session's end, at most one an hour, and the last three are kept. A copy that is
//! broken off has no name yet, so it never counts.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, NaiveDateTime, Utc};
use sqlx::sqlite::SqliteConnection;

use super::connection::{close, read_only};
use super::soundness::quick_check;
use super::{file, migrate, schema};
use crate::draft::{Draft, make_folder};
use crate::error::damaged;
use crate::location::Server;
use crate::sql::error::of_file;
use crate::{StoreError, special};
use rollbook_text::names::{fold, for_shell};

/// Backups that are looked at for the newest good one.
const LOOKED_AT_MAX: usize = 8;
/// Backups that are kept.
const KEPT: usize = 3;
/// Microseconds between two.
const APART: i64 = 60 * 60 * 1_000_000;
/// When it was made, in its name.
const STAMP: &str = "%Y-%m-%dT%H-%M-%SZ";

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

/// Where the backups of a server's campaigns lie here; `None` where nothing of it is kept.
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

    /// Where the next one goes; `None` where the last one is not an hour old.
    pub(crate) fn next(&self, now: i64) -> Option<PathBuf> {
        let made = self.made();
        if made
            .iter()
            .any(|last| now.saturating_sub(last.at).saturating_abs() < APART)
        {
            return None;
        }
        let number = made.last().map_or(1, |last| last.number + 1);
        let stamp = DateTime::<Utc>::from_timestamp_micros(now)
            .unwrap_or_default()
            .format(STAMP);
        let prefix = self
            .campaign
            .as_ref()
            .map_or(String::new(), |(name, digits)| format!("{name}-{digits}-"));
        Some(self.folder.join(format!("{prefix}{number:06}-{stamp}.db")))
    }

    /// Gives a sound copy its name, and removes what is more than is kept.
    pub(crate) async fn keep(&self, copy: Draft) -> Result<(), StoreError> {
        check(copy.path()).await?;
        copy.finish()?;
        let mut old = self.made();
        old.truncate(old.len().saturating_sub(KEPT));
        for old in old {
            if let Err(error) = std::fs::remove_file(&old.path) {
                tracing::warn!(
                    "the old backup {} cannot be removed: {error}",
                    old.path.display()
                );
            }
        }
        Ok(())
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

/// An empty file for a backup, in a folder that is made.
pub(crate) fn begun(out: &Path) -> Result<Draft, StoreError> {
    if let Some(folder) = out.parent() {
        make_folder(folder).map_err(|error| failed(folder, &error))?;
    }
    Draft::of(out)
}

/// Refuses a copy that is not sound.
pub(super) async fn check(copy: &Path) -> Result<(), StoreError> {
    let is_good = is_good(copy).await;
    is_good
        .then_some(())
        .ok_or_else(|| failed(copy, &"the copy is not sound"))
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Io(format!(
        "the backup {} could not be made: {error}",
        path.display()
    ))
}

/// Every backup of a database, the newest first; those that were made by hand are as good.
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

/// The newest backup that is sound and holds a log, and those before it, of a few, that are not.
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

/// What was done; the refusal of a damaged file says how to go back to its newest good backup.
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

/// A backup that a session left.
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
    use std::path::{Path, PathBuf};

    use super::{APART, KEPT, all, folder, is_good, newest, plain_name};
    use crate::StoreError;
    use crate::sqlite::{back_up as make, damage, migrate, open};

    const NOW: i64 = 1_795_203_000_000_000;

    /// A database with one entry; of no meaning, but whole as far as SQLite can tell.
    async fn database(folder: &Path) -> PathBuf {
        let path = folder.join("campaigns.db");
        let store = open(&path).await.unwrap();
        sqlx::raw_sql(migrate::ONE_ENTRY)
            .execute(&mut *store.raw().await)
            .await
            .unwrap();
        store.close().await.unwrap();
        path
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[tokio::test]
    async fn one_an_hour_is_made_and_the_last_three_are_kept() {
        let place = tempfile::tempdir().unwrap();
        let path = database(place.path()).await;
        let empty = place.path().join("empty.db");
        open(&empty).await.unwrap().close().await.unwrap();
        assert_eq!(
            (make(&empty, NOW).await.unwrap(), folder(&empty).exists()),
            (None, false)
        );
        let first = make(&path, NOW).await.unwrap().unwrap();
        assert!(is_good(&first).await);
        for too_soon in [NOW, NOW + APART - 1_000_000, NOW - APART + 1_000_000] {
            assert_eq!(make(&path, too_soon).await.unwrap(), None);
        }
        for hours in 1..5 {
            make(&path, NOW + hours * APART).await.unwrap().unwrap();
        }
        assert_eq!(
            names(&folder(&path)),
            [
                "000003-2026-11-20T21-30-00Z.db",
                "000004-2026-11-20T22-30-00Z.db",
                "000005-2026-11-20T23-30-00Z.db"
            ]
        );
        // A clock that was set back by a day makes the newest all the same.
        let last = make(&path, NOW - 24 * APART).await.unwrap().unwrap();
        assert!(last.ends_with("000006-2026-11-19T19-30-00Z.db"), "{last:?}");
        assert_eq!(
            (names(&folder(&path)).len(), newest(&path).await.0),
            (KEPT, Some(last.clone()))
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&last), mode(&folder(&path))), (0o600, 0o700));
        }
    }

    #[tokio::test]
    async fn a_damaged_database_names_the_newest_good_backup_and_the_command_that_restores_it() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().join("it's a \"home\"");
        std::fs::create_dir(&home).unwrap();
        let path = database(&home).await;
        for hours in 0..3 {
            make(&path, NOW + hours * APART).await.unwrap().unwrap();
        }
        // The newest is damaged itself, and a copy that was broken off is beside.
        let newest = all(&path).remove(0);
        damage(&newest, 4096, 4096 * 3);
        std::fs::create_dir(folder(&path).join(".rollbook-broken.part")).unwrap();
        damage(&path, 100, 4000);
        let refused = open(&path).await.map(drop).unwrap_err();
        assert!(matches!(refused, StoreError::Damaged { .. }));
        let refusal = refused.to_string();
        assert!(
            refusal.contains(
                "The newest good backup is campaigns.db.backups/000002-2026-11-20T20-30-00Z.db."
            ),
            "{refusal}"
        );
        let command = refusal.split('`').nth(1).unwrap();
        // As a shell takes it apart; a program started here would hold the locks of other tests.
        let words = shlex::split(command).unwrap();
        let backup = folder(&path).join("000002-2026-11-20T20-30-00Z.db");
        let [backup, path] = [&backup, &path].map(|path| path.display().to_string());
        assert_eq!(words, ["rollbook", "restore", &backup, "--db", &path]);
    }

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
