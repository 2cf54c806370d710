//! Making backups: whole copies, each checked before it gets its name.
//!
//! One is made at a session's end, at most one an hour, and the last three are kept. A copy that is
//! broken off has no name yet, so it never counts.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use sqlx::sqlite::SqliteConnection;

use super::backups::{self, Series};
use super::connection::close;
use super::owner::connect_read_only;
use super::{copy as copies, migrate};
use crate::StoreError;
use crate::draft::{Draft, give_to_owner_of, make_folder};

/// Backups that are kept.
const KEPT: usize = 3;
/// Microseconds between two.
const APART: i64 = 60 * 60 * 1_000_000;

/// Makes a backup, unless the last one is not an hour old or there is nothing to keep; answers
/// where it lies.
pub async fn make(database: &Path, now: i64) -> Result<Option<PathBuf>, StoreError> {
    let series = Series::of_file(database);
    let Some(out) = next(&series, now) else {
        return Ok(None);
    };
    let mut connection = connect_read_only(database).await?;
    if migrate::count(&mut connection).await? == 0 {
        return close(connection).await.map(|()| None);
    }
    let copied = match begun(&out) {
        Ok(draft) => copy_into(&mut connection, draft.path())
            .await
            .map(|()| draft),
        Err(error) => Err(error),
    };
    close(connection).await?;
    copied?.finish()?;
    [out.parent(), Some(&*out)]
        .into_iter()
        .flatten()
        .for_each(|made| give_to_owner_of(database, made));
    remove_old(&series);
    Ok(Some(out))
}

/// Where the next one of a series goes; `None` where the last one is not an hour old.
pub fn next(series: &Series, now: i64) -> Option<PathBuf> {
    let made = series.made();
    if made
        .iter()
        .any(|last| now.saturating_sub(last.at).saturating_abs() < APART)
    {
        return None;
    }
    let number = made.last().map_or(1, |last| last.number + 1);
    let stamp = DateTime::<Utc>::from_timestamp_micros(now)
        .unwrap_or_default()
        .format(backups::STAMP);
    Some(series.path(number, &stamp.to_string()))
}

/// Removes what is more than is kept.
pub fn remove_old(series: &Series) {
    let mut old = series.made();
    old.truncate(old.len().saturating_sub(KEPT));
    for old in old {
        if let Err(error) = std::fs::remove_file(&old.path) {
            tracing::warn!(
                "the old backup {} cannot be removed: {error}",
                old.path.display()
            );
        }
    }
}

/// An empty file for a backup, in a folder that is made.
pub fn begun(out: &Path) -> Result<Draft, StoreError> {
    if let Some(folder) = out.parent() {
        make_folder(folder).map_err(|error| failed(folder, &error))?;
    }
    Draft::of(out)
}

/// Copies the whole database into an empty file, and looks whether the copy is sound.
pub async fn copy_into(connection: &mut SqliteConnection, file: &Path) -> Result<(), StoreError> {
    copies::all(connection, file).await?;
    check(file).await
}

/// Refuses a copy that is not sound.
pub async fn check(file: &Path) -> Result<(), StoreError> {
    match backups::is_good(file).await {
        true => Ok(()),
        false => Err(failed(file, &"the copy is not sound")),
    }
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Io(format!(
        "the backup {} could not be made: {error}",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{APART, KEPT, make};
    use crate::StoreError;
    use crate::sqlite::backups::{all, folder, is_good, newest};
    use crate::sqlite::{damage, migrate, open};

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
        // Taken apart as a shell would.
        let shell = ["-c", &format!("printf '%s\\n' {command}")];
        let words = std::process::Command::new("sh")
            .args(shell)
            .output()
            .unwrap();
        let words = String::from_utf8(words.stdout).unwrap();
        let backup = folder(&path).join("000002-2026-11-20T20-30-00Z.db");
        let [backup, path] = [&backup, &path].map(|path| path.display().to_string());
        assert_eq!(
            words.lines().collect::<Vec<_>>(),
            ["rollbook", "restore", &backup, "--db", &path]
        );
    }
}
