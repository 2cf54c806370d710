//! The database: its folder, its file and log, its backups, its checkpoints.

use std::path::Path;

use super::{Finding, ill, well};
use rollbook_game::record::instant::iso;
use rollbook_store::checkpoint::NO_CHECKPOINT;
use rollbook_store::location::{Location, Server};
use rollbook_store::sqlite::backups::{self, Made, Series};
use rollbook_store::verify::{Report, Verified, verify};
use rollbook_store::{Reader, StoreError, removal};
use rollbook_text::names::{counted, for_shell, quoted};

/// How much newer than its newest backup a log may be, in microseconds: two weeks.
const AGE_MAX: i64 = 14 * 24 * 60 * 60 * 1_000_000;
const UNREAD_MAX: usize = 5;

/// The fix where the checkpoints were taken away, or this is a copy in another place.
const UNWITNESSED: &str = "put checkpoints.log back from a copy of it. Where there is none, `rollbook verify --receipt` with the last receipt that \
    somebody kept shows whether the end of the log is there, and `rollbook export --out FILE` begins checkpoints.log anew";
const NO_LINE: &str = "keep a copy of the file. Put that line right from an older copy of it, or, where there is none, take that line alone out with a text \
    editor; `rollbook verify` goes by the others";
/// Where the checkpoints cannot be read at all.
const UNREAD: &str =
    "put a regular file that this user can read in its place, such as a copy of it";
/// Where a campaign on a server has no backup here.
const OF_SERVER: &str = "`rollbook backup --out FILE.db`, best on another disk; the end of each session makes one on the computer that serves it, in the folder backups of \
    --checkpoints";

pub(super) async fn check(location: &Location) -> Vec<Finding> {
    let mut findings = vec![check_folder(location)];
    if !location.exists() {
        findings.push(match Reader::open(location).await {
            Err(error @ StoreError::NotOpened { .. }) => not_read(location, &error),
            Err(_) | Ok(_) => well(
                "file",
                format!("{location} is not there yet; the first write makes it"),
            ),
        });
        return findings;
    }
    match (check_log(location, &mut findings).await, location) {
        (Err(error), _) => findings.push(not_read(location, &error)),
        (Ok(last), Location::File(file)) => {
            #[cfg(unix)]
            findings.extend(check_mode(file));
            findings.push(check_backup(file, last).await);
        }
        (Ok(_), Location::Server(server)) => {
            let checked = check_backups_of(location, server).await;
            findings
                .push(checked.unwrap_or_else(|error| ill("backups", error.to_string(), OF_SERVER)));
        }
    }
    findings
}

async fn read<T>(
    location: &Location,
    read: impl AsyncFnOnce(&mut Reader) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let mut reader = Reader::open(location).await?;
    let read = read(&mut reader).await;
    reader.close().await.and(read)
}

/// What keeps it from being read. What a refusal advises is the fix.
fn not_read(location: &Location, error: &StoreError) -> Finding {
    let (found, fix) = match (error, location) {
        (
            StoreError::NotOpened {
                path,
                reason,
                advice,
            },
            _,
        ) => (
            format!("the database {path} was not opened: {reason}"),
            advice.as_str(),
        ),
        (
            StoreError::Damaged {
                path,
                reason,
                advice,
            },
            _,
        ) if !advice.is_empty() => (
            format!("the database {path} is damaged ({reason})"),
            advice.as_str(),
        ),
        (StoreError::Copy { .. }, Location::File(_)) => {
            (error.to_string(), "name the database itself with --db")
        }
        (_, Location::File(_)) => (
            error.to_string(),
            "`rollbook restore FILE` puts a backup in its place; or name another database with --db",
        ),
        (_, Location::Server(_)) => (
            error.to_string(),
            "see that the server runs and takes this user; docs/hosting.md says what it needs",
        ),
    };
    ill("file", found, fix)
}

/// Whether the folder of the file, or that of the checkpoints of a server, can be written.
fn check_folder(location: &Location) -> Finding {
    let of_file = location.file().and_then(Path::parent);
    let of_file = of_file.map(|folder| {
        if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        }
    });
    let Some(folder) = of_file.or_else(|| location.checkpoints()) else {
        let found = "this computer keeps no checkpoints of that server";
        return ill("folder", found, "name a folder with --checkpoints");
    };
    let shown = folder.display();
    let (good, wrong, flag) = match of_file {
        Some(_) => (
            "can be written",
            "cannot be written",
            "a database elsewhere with --db",
        ),
        None => (
            "keeps the checkpoints",
            "cannot keep checkpoints",
            "another with --checkpoints",
        ),
    };
    // A file is made in it, or in the nearest above it that there is, and taken away again.
    let nearest = folder
        .ancestors()
        .find(|folder| folder.is_dir())
        .unwrap_or(Path::new("."));
    match tempfile::tempfile_in(nearest) {
        Ok(_) => well("folder", format!("{shown} {good}")),
        Err(error) => ill(
            "folder",
            format!("{shown} {wrong}: {error}"),
            format!("make it writable, or name {flag}"),
        ),
    }
}

/// The log as `verify` finds it, with checkpoints; answers when it was last written.
async fn check_log(
    location: &Location,
    findings: &mut Vec<Finding>,
) -> Result<Option<i64>, StoreError> {
    let (losses, campaigns, known, gone) = read(location, async |reader| {
        let mut losses = Vec::new();
        let all = reader.campaigns().await?;
        for (name, identity) in &all {
            let lost = reader.shortened(identity).await?;
            losses.extend(lost.map(|loss| {
                ill(
                    "checkpoints",
                    format!("{}: {}", quoted(name), loss.summary()),
                    loss.advice(),
                )
            }));
        }
        let (book, known) = (reader.book().await?, reader.checkpoints(location).await?);
        let gone = known
            .lost(location, book.as_deref(), &all)
            .first()
            .map(|line| line.name.clone());
        Ok((losses, reader.summaries().await?, known, gone))
    })
    .await?;
    let mut verified = verify(location, None, None).await?;
    let rebuilt = rebuild_tables(location, &verified).await?;
    if !rebuilt.is_empty() {
        verified = verify(location, None, None).await?;
        findings.extend(rebuilt);
    }
    // These have a fix of their own.
    verified
        .findings
        .retain(|finding| !known.unreadable.contains(finding));
    let of_campaign = |report: &Report| {
        report
            .findings
            .first()
            .map(|finding| format!("{} {finding}", quoted(&report.campaign)))
    };
    let first = verified
        .findings
        .first()
        .cloned()
        .or_else(|| verified.campaigns.iter().find_map(of_campaign));
    findings.push(match first {
        None => {
            let entries = counted(campaigns.iter().map(|campaign| campaign.entries).sum::<u64>(), "entry", "entries");
            let what = counted(campaigns.len() as u64, "campaign", "campaigns");
            well("file", format!("{location} holds {what} and {entries}, verified"))
        }
        Some(first) => {
            let fix = match gone {
                None => "puts a backup in its place".to_owned(),
                Some(name) => format!(
                    "puts a backup that holds \"{}\" in its place. Where none does, `rollbook restore FILE --without {}` with the newest \
                     backup gives it up, and checkpoints.log says so",
                    quoted(&name),
                    for_shell(&name)
                ),
            };
            let fix = format!("`rollbook verify` names every finding; `rollbook restore FILE` {fix}");
            ill("file", format!("{location} does not verify: {first}"), fix)
        }
    });
    let before = findings.len();
    let unread = |what: &String| {
        ill(
            "checkpoints",
            what,
            if what.ends_with(NO_CHECKPOINT) {
                NO_LINE
            } else {
                UNREAD
            },
        )
    };
    findings.extend(known.unreadable.iter().take(UNREAD_MAX).map(unread));
    findings.extend(losses);
    let unwitnessed = verified.campaigns.iter().filter_map(Report::unwitnessed);
    findings.extend(unwitnessed.map(|what| ill("checkpoints", what, UNWITNESSED)));
    if findings.len() == before {
        let found = match verified
            .campaigns
            .iter()
            .map(|report| report.checkpoints)
            .sum::<usize>()
        {
            0 => "none yet; the end of a session makes one".to_owned(),
            some => format!(
                "{}, verified",
                counted(some as u64, "checkpoint", "checkpoints")
            ),
        };
        findings.push(well("checkpoints", found));
    }
    for report in &verified.campaigns {
        let name = quoted(&report.campaign);
        findings.extend(
            report
                .losses
                .iter()
                .map(|lost| well("log", format!("{name}: {}", lost.summary()))),
        );
    }
    Ok(campaigns
        .iter()
        .filter_map(|campaign| campaign.last_written)
        .max())
}

async fn rebuild_tables(
    location: &Location,
    verified: &Verified,
) -> Result<Vec<Finding>, StoreError> {
    let wrong: Vec<&Report> = verified
        .campaigns
        .iter()
        .filter(|report| report.has_only_other_tables())
        .collect();
    if wrong.is_empty() || !verified.findings.is_empty() {
        return Ok(Vec::new());
    }
    // What was verified is said all the same where they cannot be read again.
    let campaigns = async |reader: &mut Reader| Ok(reader.campaigns().await.unwrap_or_default());
    let all = read(location, campaigns).await?;
    let mut findings = Vec::new();
    for report in wrong {
        let Some((name, identity)) = all.iter().find(|(name, _)| *name == report.campaign) else {
            continue;
        };
        let (name, tables) = (quoted(name), report.tables.join(", "));
        findings.push(match removal::rebuild_tables(location, identity, report.head).await {
            Ok(()) => well(
                "file",
                format!("{name}: {tables} differed from what the log adds up to, and were made anew from it"),
            ),
            Err(why) => ill(
                "file",
                format!("{name}: {tables} differ from what the log adds up to, and were not made anew: {why}"),
                "stop every server of it, then run `rollbook doctor` again",
            ),
        });
    }
    Ok(findings)
}

#[cfg(unix)]
fn check_mode(file: &Path) -> Option<Finding> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = file.metadata().ok()?.permissions().mode() & 0o077;
    let file = file.display();
    let found = format!("others on this computer can open {file}, the GM's secrets included");
    (mode != 0).then(|| ill("file", found, format!("chmod 600 {file}")))
}

/// The newest good backup, beside when the log was last written and what it needs to be put back.
async fn check_backup(file: &Path, last: Option<i64>) -> Finding {
    let Some(last) = last else {
        return well("backups", "nothing is written yet");
    };
    let (good, damaged) = backups::newest(file).await;
    let damaged: Vec<String> = damaged
        .iter()
        .map(|backup| backup.display().to_string())
        .collect();
    let are = if damaged.len() == 1 { "is" } else { "are" };
    let damaged = (!damaged.is_empty()).then(|| {
        format!(
            "{} {are} damaged, and cannot be gone back to",
            damaged.join(" and ")
        )
    });
    let Some(backup) = good else {
        let none = || {
            format!(
                "there is none in {} that could be gone back to",
                backups::folder(file).display()
            )
        };
        return ill(
            "backups",
            damaged.unwrap_or_else(none),
            how_to_back_up(file),
        );
    };
    let made = std::fs::metadata(&backup)
        .and_then(|file| file.modified())
        .ok();
    let made = made.and_then(|made| made.duration_since(std::time::UNIX_EPOCH).ok());
    let made = made
        .and_then(|made| i64::try_from(made.as_micros()).ok())
        .unwrap_or_default();
    let found = newest(&backup, made);
    if last.saturating_sub(made) > AGE_MAX {
        return ill(
            "backups",
            format!("{found}; {}", written(last)),
            how_to_back_up(file),
        );
    }
    match damaged {
        Some(damaged) => ill(
            "backups",
            format!("{damaged}; {found}"),
            format!("remove what is damaged. {}", how_to_back_up(file)),
        ),
        None => well("backups", found),
    }
}

fn how_to_back_up(file: &Path) -> String {
    let folder = backups::folder(file);
    let free = (1..)
        .map(|nth| folder.join(format!("by-hand-{nth}.db")))
        .find(|path| path.symlink_metadata().is_err());
    let [file, out] =
        [file, &free.unwrap_or(folder)].map(|path| for_shell(&path.display().to_string()));
    format!(
        "`rollbook backup --db {file} --out {out}`; the end of a session makes one there, too. Keep a copy on another disk, which is not looked for here"
    )
}

/// The same of each campaign on a server, as far as this computer made them.
async fn check_backups_of(location: &Location, server: &Server) -> Result<Finding, StoreError> {
    let all = read(location, async |reader| {
        Ok((reader.campaigns().await?, reader.summaries().await?))
    });
    let (campaigns, summaries) = all.await?;
    let (mut lacking, mut oldest): (Vec<String>, Option<Made>) = (Vec::new(), None);
    for (name, identity) in &campaigns {
        let summary = summaries.iter().find(|summary| summary.name == *name);
        let Some(last) = summary.and_then(|summary| summary.last_written) else {
            continue;
        };
        let Some(series) = Series::of_campaign(server, name, &identity.uuid) else {
            return Ok(ill(
                "backups",
                "this computer keeps none of that server",
                "name a folder with --checkpoints",
            ));
        };
        match series.newest_good().await {
            None => lacking.push(format!(
                "of \"{}\" there is none that could be gone back to",
                quoted(name)
            )),
            Some(made) if last.saturating_sub(made.at) > AGE_MAX => {
                lacking.push(format!(
                    "of \"{}\" {}; {}",
                    quoted(name),
                    newest(&made.path, made.at),
                    written(last)
                ));
            }
            Some(made) if oldest.as_ref().is_none_or(|oldest| made.at < oldest.at) => {
                oldest = Some(made)
            }
            Some(_) => {}
        }
    }
    match lacking.as_slice() {
        [] => {}
        [first] => return Ok(ill("backups", first, OF_SERVER)),
        [first, more @ ..] => {
            let more = counted(more.len() as u64, "more campaign", "more campaigns");
            return Ok(ill(
                "backups",
                format!("{first}, and as much of {more}"),
                OF_SERVER,
            ));
        }
    }
    let Some(made) = oldest else {
        return Ok(well("backups", "nothing is written yet"));
    };
    let all = if campaigns.len() == 1 {
        ""
    } else {
        "every campaign has a good one; of the oldest of these "
    };
    Ok(well(
        "backups",
        format!("{all}{}", newest(&made.path, made.at)),
    ))
}

fn newest(backup: &Path, made: i64) -> String {
    format!(
        "the newest good one is {}, of {}",
        backup.display(),
        iso(made)
    )
}

fn written(last: i64) -> String {
    format!("the log was last written {}", iso(last))
}
