//! Whether a file is ours to open, decided before a byte is written: it is a file and no link, it
//! is our database or nothing yet, and where it is nothing, no checkpoint says that it was
//! something. And opening one that is, to read it.

use std::path::Path;

use sqlx::sqlite::SqliteConnection;

use super::connection::{close, read_only};
use super::file::{HEADER, RawFile, beside, has_wal, number, pages_before};
use super::{backups, file, migrate, schema};
use crate::error::{damaged, not_opened};
use crate::location::Location;
use crate::sql::error::of_file;
use crate::{StoreError, checkpoint, special};

/// "Roll" in the header of every database of ours.
const APPLICATION_ID: u32 = u32::from_be_bytes(*b"Roll");
/// Where the header has it.
const APPLICATION_ID_AT: usize = 68;
/// Files that SQLite and the lock keep beside a database.
const BESIDE: [&str; 5] = ["", "-wal", "-shm", "-journal", ".lock"];

/// Refuses what is no file of ours. Costs a read of the header for one that is.
pub async fn check(path: &Path) -> Result<(), StoreError> {
    for suffix in BESIDE {
        let file = beside(path, suffix);
        let Some(what) = special::at(&file) else {
            continue;
        };
        let named = if suffix.is_empty() {
            "it".to_owned()
        } else {
            file.display().to_string()
        };
        let (reason, advice) = match what {
            _ if file.is_symlink() => {
                let at = path.canonicalize().ok().filter(|_| suffix.is_empty());
                let at = at.map_or(String::new(), |at| format!(", {},", at.display()));
                (
                    format!("{} is {what}, which could lead anywhere", file.display()),
                    format!(
                        "Name the file itself{at} with --db, so that its log files and checkpoints lie beside it"
                    ),
                )
            }
            _ if path.is_dir() => (
                format!("{named} is {what}"),
                "Name a file in it with --db, such as campaigns.db".to_owned(),
            ),
            _ => (
                format!("{named} is {what}, and no file"),
                "Name a regular file with --db".to_owned(),
            ),
        };
        return Err(not_opened(path, reason, advice));
    }
    let begin = match RawFile::of(path).and_then(|file| file.beginning(HEADER as u64)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => {
            return Err(not_opened(
                path,
                format!("it cannot be read: {error}"),
                "Name another with --db",
            ));
        }
        Ok((begin, _)) => begin,
    };
    let journal = pages_before(path);
    // Nothing yet, or a first start was killed and SQLite will empty the file again.
    if begin.is_empty() || journal == Some(0) {
        return Ok(());
    }
    if !begin.starts_with(b"SQLite format 3\0") {
        return Err(no_sqlite(path, &begin));
    }
    if number(&begin, APPLICATION_ID_AT) == Some(APPLICATION_ID) {
        return Ok(());
    }
    if journal.is_some() {
        let reason = format!(
            "a program was killed while it wrote to it, and left {} beside it; whose it is cannot be told without changing it",
            beside(path, "-journal").display()
        );
        return Err(not_opened(
            path,
            reason,
            "Open it with the program that it belongs to, or name another with --db",
        ));
    }
    // One that was just written may still lie in the log file beside.
    let mut connection = read_only(path).await?;
    let checked = check_tables(&mut connection, path).await;
    close(connection).await?;
    checked.map_err(|error| of_file(path, error))
}

/// Damaged where something beside it says that it was a database of ours; else it never was one.
fn no_sqlite(path: &Path, begin: &[u8]) -> StoreError {
    const REASON: &str = "it does not begin as a SQLite file";
    let known =
        checkpoint::last_of(path).is_some() || !backups::all(path).is_empty() || has_wal(path);
    match (known, copied_as(begin)) {
        (true, _) => damaged(path, REASON),
        (false, Some(form)) => exported(path, form),
        (false, None) => {
            let reason = format!("{REASON}, so it is no database");
            not_opened(
                path,
                reason,
                "Name a database, or a file that does not exist yet, with --db",
            )
        }
    }
}

/// The form of a copy that is text, by how the file begins.
fn copied_as(begin: &[u8]) -> Option<&'static str> {
    let begin = String::from_utf8_lossy(begin).replace(['"', '\u{feff}'], "");
    let forms = [
        ("{rollbook:", "in JSON lines"),
        ("n,time,session,kind,", "in CSV"),
    ];
    forms
        .into_iter()
        .find_map(|(mark, form)| begin.trim_start().starts_with(mark).then_some(form))
}

fn exported(path: &Path, form: &'static str) -> StoreError {
    StoreError::Copy {
        path: path.display().to_string(),
        form,
    }
}

/// Refuses what is not ours by its number, and not empty.
async fn check_tables(connection: &mut SqliteConnection, path: &Path) -> Result<(), StoreError> {
    // One moment of a file that another first start may be making.
    sqlx::query("begin deferred")
        .execute(&mut *connection)
        .await?;
    let id: i64 = sqlx::query_scalar("pragma application_id")
        .fetch_one(&mut *connection)
        .await?;
    if id == i64::from(APPLICATION_ID) {
        return Ok(());
    }
    // A first start that was killed may have left the table of migrations, and nothing in it.
    let (copied, named, others, migrated): (i64, i64, i64, i64) = sqlx::query_as(
        "select
            (select count(*) from sqlite_schema where type = 'table' and name in ('campaign', 'entries', 'proof')),
            (select count(*) from sqlite_schema where type = 'table' and name in ('campaigns', 'log', 'requests', 'roll_rows')),
            (select count(*) from sqlite_schema where tbl_name <> '_sqlx_migrations'),
            (select count(*) from sqlite_schema where name = '_sqlx_migrations')",
    )
    .fetch_one(&mut *connection)
    .await?;
    if id == 0 && others == 0 && (migrated == 0 || migrate::version(connection).await? == 0) {
        return Ok(());
    }
    Err(match (copied == 3 && migrated == 0, named < 4) {
        // It has the shape of the players' file.
        (true, _) => exported(path, "in SQLite"),
        (false, true) => {
            let reason = "it is a SQLite database of another program";
            not_opened(
                path,
                reason,
                "Name a file of Rollbook's own with --db, or one that does not exist yet",
            )
        }
        (false, false) => damaged(
            path,
            "it has Rollbook's tables, and another application id than Rollbook's",
        ),
    })
}

/// Refuses to make a database where checkpoints, a log file or backups show that there was one.
pub async fn may_be_made(path: &Path) -> Result<(), StoreError> {
    let reason = match checkpoint::last_of(path) {
        Some(line) => {
            let name = &line.name;
            format!(
                "it is empty or gone, and {} says that it held campaign \"{name}\" up to entry #{}",
                checkpoint::path(path).display(),
                line.seq
            )
        }
        None if is_empty(path) && has_wal(path) => {
            "it is empty or gone, and its log file is still beside it".to_owned()
        }
        None if is_empty(path) && !backups::all(path).is_empty() => {
            "it is empty or gone, and backups of it are still beside it".to_owned()
        }
        None => return Ok(()),
    };
    let put_back = backups::advice(path)
        .await
        .unwrap_or_else(|| "Put the database back from a copy".to_owned());
    let advice = format!(
        "{put_back}. Or, to begin a new one here, move checkpoints.log, the old database's backups and whatever else is left of it to \
         another folder"
    );
    Err(not_opened(path, reason, advice))
}

/// [`may_be_made`] for a file that looks empty, unless another process is making it just now.
pub async fn may_be_made_if_empty(path: &Path) -> Result<(), StoreError> {
    match is_empty(path) {
        true => may_be_made(path)
            .await
            .or_else(|refused| if is_empty(path) { Err(refused) } else { Ok(()) }),
        false => Ok(()),
    }
}

fn is_empty(path: &Path) -> bool {
    std::fs::metadata(path).map_or(0, |file| file.len()) == 0
}

/// What SQLite's own check of the pages and indexes finds. It takes long.
pub async fn check_storage(file: &mut SqliteConnection) -> Result<Vec<String>, StoreError> {
    let lines: Vec<String> = sqlx::query_scalar("pragma integrity_check(20)")
        .fetch_all(file)
        .await?;
    let problems = lines.into_iter().filter(|line| line != "ok");
    Ok(problems
        .map(|problem| format!("SQLite's own check: {problem}"))
        .collect())
}

/// Opens a database that is there, without a right to change it.
pub async fn connect_read_only(path: &Path) -> Result<SqliteConnection, StoreError> {
    backups::advised(path, read_sound(path).await).await
}

async fn read_sound(path: &Path) -> Result<SqliteConnection, StoreError> {
    if !path.exists() && !path.is_symlink() {
        may_be_made(path).await?;
        return Err(StoreError::Io(Location::File(path.to_owned()).missing()));
    }
    check(path).await?;
    // Before SQLite opens it: beside an emptied file it would delete the log file, or fail.
    may_be_made_if_empty(path).await?;
    file::check_length(path)?;
    file::recover(path)
        .await
        .map_err(|error| of_file(path, error))?;
    let mut connection = read_only(path).await?;
    schema::check_tables(&mut connection, path).await?;
    // A file without tables has nothing to read, and may be one that was emptied.
    if migrate::version(&mut connection)
        .await
        .map_err(|error| of_file(path, error))?
        == 0
    {
        if let Some(what) = migrate::contradiction(&mut connection, 0).await? {
            return Err(damaged(path, what));
        }
        may_be_made(path).await?;
        return Err(StoreError::Io(format!(
            "the database {} holds nothing yet",
            path.display()
        )));
    }
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::checkpoint::{self, Checkpoint};
    use crate::sqlite::{execute, open};
    use crate::{Head, Reader, StoreError};

    async fn words(path: &Path) -> String {
        match open(path).await.map(drop) {
            Err(error @ StoreError::NotOpened { .. }) => error.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn another_programs_database_is_left_as_it_is() {
        for sql in [
            "create table shopping (what text); insert into shopping values ('milk')",
            // Another program that is built with the same library.
            "create table _sqlx_migrations (version bigint primary key); create table log (line text)",
            "pragma application_id = 42",
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("shop.db");
            execute(&path, sql).await;
            let before = std::fs::read(&path).unwrap();
            assert!(words(&path).await.contains("of another program"), "{sql}");
            assert!(matches!(
                Reader::open(&path).await,
                Err(StoreError::NotOpened { .. })
            ));
            assert_eq!(std::fs::read(&path).unwrap(), before);
            assert_eq!(
                std::fs::read_dir(folder.path()).unwrap().count(),
                1,
                "nothing was put beside it"
            );
        }
    }

    #[tokio::test]
    async fn a_first_start_that_was_killed_is_begun_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaigns.db");
        execute(&path, "pragma journal_mode = wal").await;
        open(&path).await.unwrap().close().await.unwrap();
    }

    #[tokio::test]
    async fn a_first_start_of_which_only_the_head_of_the_log_file_is_left_is_begun_again() {
        for is_there in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("campaigns.db");
            if is_there {
                std::fs::write(&path, b"").unwrap();
            }
            std::fs::write(folder.path().join("campaigns.db-wal"), [1; 32]).unwrap();
            open(&path).await.unwrap().close().await.unwrap();
        }
    }

    #[tokio::test]
    async fn what_is_left_of_a_database_keeps_another_from_its_place() {
        for (left, what) in [
            (
                "campaigns.db.backups/000001-2026-11-20T19-30-00Z.db",
                "backups of it are still beside it",
            ),
            ("campaigns.db-wal", "its log file is still beside it"),
            ("checkpoints.log", "campaign \"lockhouse\" up to entry #9"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let (path, left) = (folder.path().join("campaigns.db"), folder.path().join(left));
            std::fs::create_dir_all(left.parent().unwrap()).unwrap();
            let head = Head {
                seq: 9,
                chain: [1; 32],
            };
            let line = Checkpoint::of(&path, None, "u", "lockhouse", head, 0);
            match left == checkpoint::path(&path) {
                true => drop(checkpoint::append(&path, &line).unwrap()),
                false => std::fs::write(&left, [1; 64]).unwrap(),
            }
            for is_there in [false, true] {
                let refusal = words(&path).await;
                assert!(
                    refusal.contains(what) && refusal.contains("move checkpoints.log"),
                    "{refusal}"
                );
                let length = path.metadata().map(|about| about.len()).ok();
                assert_eq!(length, is_there.then_some(0), "not even an empty file");
                std::fs::write(&path, b"").unwrap();
            }
            if left == checkpoint::path(&path) {
                execute(&path, "pragma journal_mode = wal").await;
                words(&path).await;
                let another = folder.path().join("another.db");
                open(&another).await.unwrap().close().await.unwrap();
            }
            // As it says.
            std::fs::remove_file(left).unwrap();
            open(&path).await.unwrap().close().await.unwrap();
        }
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_folder_is_refused_by_its_name_and_a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let refusal = words(folder.path()).await;
        assert!(
            refusal.contains("it is a folder")
                && refusal.contains(&folder.path().display().to_string())
        );
        let elsewhere = folder.path().join("elsewhere");
        for name in ["campaigns.db", "campaigns.db-wal", "campaigns.db.lock"] {
            let link = folder.path().join(name);
            std::os::unix::fs::symlink(&elsewhere, &link).unwrap();
            assert!(
                words(&folder.path().join("campaigns.db"))
                    .await
                    .contains("symbolic link")
            );
            assert!(!elsewhere.exists());
            std::fs::remove_file(link).unwrap();
        }
    }
}
