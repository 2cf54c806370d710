//! The database: its folder, its file and log, its backups, its checkpoints.

use std::path::Path;

use super::looked::Looked;
use rollbook_game::record::instant::iso;
use rollbook_store::checkpoint::NO_CHECKPOINT;
use rollbook_store::location::{Location, Server};
use rollbook_store::sqlite::backups::{self, Made, Series};
use rollbook_store::verify::{Report, Verified, verify};
use rollbook_store::{Reader, StoreError, rebuild};
use rollbook_text::names::{counted, for_shell, quoted};

/// How much newer than its newest backup a log may be, in microseconds: two weeks.
const BEHIND_MAX: i64 = 14 * 24 * 60 * 60 * 1_000_000;

pub(super) async fn look(location: &Location) -> Vec<Looked> {
    let mut looked: Vec<Looked> = location.file().map(folder).into_iter().chain(checkpoints_folder(location)).collect();
    if !location.exists() {
        looked.push(match Reader::open(location).await {
            Err(error @ StoreError::NotOpened { .. }) => unread(location, &error),
            Err(_) | Ok(_) => Looked::well("file", format!("{location} is not there yet; the first write makes it")),
        });
        return looked;
    }
    let (log, last) = match log(location).await {
        Ok(found) => found,
        Err(error) => {
            looked.push(unread(location, &error));
            return looked;
        }
    };
    looked.extend(log);
    match location {
        Location::File(file) => {
            looked.extend(private(file));
            looked.push(backup(file, last).await);
        }
        Location::Server(server) => match backups_of_server(location, server).await {
            Ok(found) => looked.push(found),
            Err(error) => looked.push(Looked::ill("backups", error.to_string(), OF_SERVER)),
        },
    }
    looked
}

/// What keeps it from being read. What a refusal advises is the fix.
fn unread(location: &Location, error: &StoreError) -> Looked {
    let (found, fix) = match (error, location) {
        (StoreError::NotOpened { path, reason, advice }, _) => {
            (format!("the database {path} was not opened: {reason}"), advice.as_str())
        }
        (StoreError::Damaged { path, reason, advice }, _) if !advice.is_empty() => {
            (format!("the database {path} is damaged ({reason})"), advice.as_str())
        }
        (StoreError::Copy { .. }, Location::File(_)) => (error.to_string(), "name the database itself with --db"),
        (_, Location::File(_)) => (
            error.to_string(),
            "`rollbook restore FILE` puts a backup in its place; or name another database with --db",
        ),
        (_, Location::Server(_)) => {
            (error.to_string(), "see that the server runs and takes this user; docs/hosting.md says what it needs")
        }
    };
    Looked::ill("file", found, fix)
}

/// What helps where the checkpoints were taken away, or this is a copy in another place.
const UNWITNESSED: &str = "put checkpoints.log back from a copy of it. Where there is none, `rollbook verify --receipt` with the last receipt that \
    somebody kept shows whether the end of the log is there, and `rollbook export --out FILE` begins checkpoints.log anew";

/// Lines of checkpoints.log that are named one by one.
const UNREAD_MAX: usize = 5;

/// What helps where a line of the checkpoints is none.
const NO_LINE: &str = "keep a copy of the file. Put that line right from an older copy of it, or, where there is none, take that line alone out with a text \
    editor; `rollbook verify` goes by the others";

/// What helps where the checkpoints cannot be read at all.
const UNREAD: &str = "put a regular file that this user can read in its place, such as a copy of it";

/// Whether its folder can be written.
fn folder(file: &Path) -> Looked {
    let folder = file.parent().filter(|own| !own.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let shown = folder.display();
    match try_writing(folder) {
        Ok(()) => Looked::well("folder", format!("{shown} can be written")),
        Err(error) => {
            let fix = "make it writable, or name a database elsewhere with --db";
            Looked::ill("folder", format!("{shown} cannot be written: {error}"), fix)
        }
    }
}

/// Whether the checkpoints of a server can be kept.
fn checkpoints_folder(location: &Location) -> Option<Looked> {
    let Location::Server(_) = location else { return None };
    let Some(folder) = location.checkpoints() else {
        let found = "this computer keeps no checkpoints of that server";
        return Some(Looked::ill("folder", found, "name a folder with --checkpoints"));
    };
    let shown = folder.display();
    Some(match try_writing(folder) {
        Ok(()) => Looked::well("folder", format!("checkpoints are kept in {shown}")),
        Err(error) => {
            let fix = "make it writable, or name another with --checkpoints";
            Looked::ill("folder", format!("checkpoints cannot be kept in {shown}: {error}"), fix)
        }
    })
}

/// Makes a file in a folder, or in the nearest above it that there is, and takes it away again.
fn try_writing(folder: &Path) -> std::io::Result<()> {
    let nearest = folder.ancestors().find(|own| own.is_dir()).unwrap_or(Path::new("."));
    tempfile::tempfile_in(nearest).map(drop)
}

/// The log as `verify` finds it, what checkpoints know beyond it, and when it was last written.
async fn log(location: &Location) -> Result<(Vec<Looked>, Option<i64>), StoreError> {
    let mut looked = Vec::new();
    let mut reader = Reader::open(location).await?;
    let read = async {
        let mut losses = Vec::new();
        let all = reader.campaigns().await?;
        for (name, identity) in &all {
            losses.extend(reader.shortened(identity).await?.map(|loss| (name.clone(), loss)));
        }
        let (book, known) = (reader.book().await?, reader.checkpoints(location).await?);
        let gone = known.lost(location, book.as_deref(), &all).first().map(|line| line.name.clone());
        Ok::<_, StoreError>((losses, reader.summaries().await?, known, gone))
    };
    let read = read.await;
    reader.close().await?;
    let (losses, campaigns, known, gone) = read?;
    let mut verified = verify(location, None, None).await?;
    let anew = tables_made_anew(location, &verified).await?;
    if !anew.is_empty() {
        verified = verify(location, None, None).await?;
        looked.extend(anew);
    }
    // These have a fix of their own.
    verified.findings.retain(|finding| !known.unreadable.contains(finding));
    let entries: u64 = campaigns.iter().map(|own| own.entries).sum();
    let last = campaigns.iter().filter_map(|own| own.last_written).max();
    let first = verified.findings.first().cloned();
    let first = first.or_else(|| {
        verified
            .campaigns
            .iter()
            .find_map(|own| own.findings.first().map(|finding| format!("{} {finding}", quoted(&own.campaign))))
    });
    looked.push(match first {
        None => {
            let what = counted(campaigns.len() as u64, "campaign", "campaigns");
            Looked::well(
                "file",
                format!("{location} holds {what} and {}, verified", counted(entries, "entry", "entries")),
            )
        }
        Some(first) => Looked::ill(
            "file",
            format!("{location} does not verify: {first}"),
            match gone {
                None => {
                    "`rollbook verify` names every finding; `rollbook restore FILE` puts a backup in its place".to_owned()
                }
                Some(name) => format!(
                    "`rollbook verify` names every finding; `rollbook restore FILE` puts a backup that holds \"{}\" in its place. Where none does, \
                     `rollbook restore FILE --without {}` with the newest backup gives it up, and checkpoints.log says so",
                    quoted(&name),
                    for_shell(&name)
                ),
            },
        ),
    });
    looked.extend(known.unreadable.iter().take(UNREAD_MAX).map(|what| {
        Looked::ill("checkpoints", what.clone(), if what.ends_with(NO_CHECKPOINT) { NO_LINE } else { UNREAD })
    }));
    let lost = losses
        .iter()
        .map(|(name, loss)| Looked::ill("checkpoints", format!("{}: {}", quoted(name), loss.summary()), loss.advice()));
    looked.extend(lost);
    let unwitnessed: Vec<String> = verified.campaigns.iter().filter_map(Report::unwitnessed).collect();
    let is_well = losses.is_empty() && unwitnessed.is_empty() && known.unreadable.is_empty();
    looked.extend(unwitnessed.into_iter().map(|what| Looked::ill("checkpoints", what, UNWITNESSED)));
    if is_well {
        let count: usize = verified.campaigns.iter().map(|own| own.checkpoints).sum();
        let found = match count {
            0 => "none yet; the end of a session makes one".to_owned(),
            some => format!("{}, verified", counted(some as u64, "checkpoint", "checkpoints")),
        };
        looked.push(Looked::well("checkpoints", found));
    }
    let recorded = verified.campaigns.iter().flat_map(|own| own.losses.iter().map(move |lost| (own, lost)));
    looked.extend(
        recorded.map(|(own, lost)| Looked::well("log", format!("{}: {}", quoted(&own.campaign), lost.summary()))),
    );
    Ok((looked, last))
}

/// Makes tables that differ from a sound log anew from it, and says so.
async fn tables_made_anew(location: &Location, verified: &Verified) -> Result<Vec<Looked>, StoreError> {
    let ill: Vec<&Report> = verified.campaigns.iter().filter(|own| own.has_only_other_tables()).collect();
    if ill.is_empty() || !verified.findings.is_empty() {
        return Ok(Vec::new());
    }
    let mut reader = Reader::open(location).await?;
    let all = reader.campaigns().await;
    reader.close().await?;
    let mut looked = Vec::new();
    for (report, identity) in ill.iter().filter_map(|report| {
        let (_, identity) = all.as_ref().ok()?.iter().find(|(name, _)| *name == report.campaign)?;
        Some((report, identity))
    }) {
        let (name, tables) = (quoted(&report.campaign), report.tables.join(", "));
        looked.push(match rebuild::tables(location, identity, report.head).await {
            Ok(()) => Looked::well(
                "file",
                format!("{name}: {tables} differed from what the log adds up to, and were made anew from it"),
            ),
            Err(why) => Looked::ill(
                "file",
                format!("{name}: {tables} differ from what the log adds up to, and were not made anew: {why}"),
                "stop every server of it, then run `rollbook doctor` again",
            ),
        });
    }
    Ok(looked)
}

/// Whether only its owner reads it.
#[cfg(unix)]
fn private(file: &Path) -> Option<Looked> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = file.metadata().ok()?.permissions().mode() & 0o077;
    (mode != 0).then(|| {
        let file = file.display();
        Looked::ill(
            "file",
            format!("others on this computer can open {file}, the GM's secrets included"),
            format!("chmod 600 {file}"),
        )
    })
}

#[cfg(not(unix))]
fn private(_: &Path) -> Option<Looked> {
    None
}

/// The newest good backup, beside when the log was last written and what it needs to be put back.
async fn backup(file: &Path, last: Option<i64>) -> Looked {
    let Some(last) = last else { return Looked::well("backups", "nothing is written yet") };
    let (good, damaged) = backups::newest(file).await;
    let damaged: Vec<String> = damaged.iter().map(|own| own.display().to_string()).collect();
    let is_bad = match damaged.len() {
        0 => String::new(),
        1 => format!("{} is damaged, and cannot be gone back to", damaged.join("")),
        _ => format!("{} are damaged, and cannot be gone back to", damaged.join(" and ")),
    };
    let Some(backup) = good else {
        let folder = backups::folder(file);
        let found = match is_bad.is_empty() {
            true => format!("there is none in {} that could be gone back to", folder.display()),
            false => is_bad,
        };
        return Looked::ill("backups", found, backing_up(file));
    };
    let made = std::fs::metadata(&backup).and_then(|own| own.modified()).ok();
    let made = made.and_then(|own| own.duration_since(std::time::UNIX_EPOCH).ok());
    let made = made.and_then(|own| i64::try_from(own.as_micros()).ok()).unwrap_or_default();
    let found = newest(&backup, made);
    if last.saturating_sub(made) > BEHIND_MAX {
        return Looked::ill("backups", format!("{found}; {}", written(last)), backing_up(file));
    }
    if !is_bad.is_empty() {
        let fix = format!("remove what is damaged. {}", backing_up(file));
        return Looked::ill("backups", format!("{is_bad}; {found}"), fix);
    }
    Looked::well("backups", found)
}

/// How a backup is made that counts.
fn backing_up(file: &Path) -> String {
    let folder = backups::folder(file);
    let free = (1..).map(|nth| folder.join(format!("by-hand-{nth}.db"))).find(|own| own.symlink_metadata().is_err());
    let words = [file, &free.unwrap_or(folder)].map(|own| for_shell(&own.display().to_string()));
    format!(
        "`rollbook backup --db {} --out {}`; the end of a session makes one there, too. Keep a copy on another disk, which is not looked for here",
        words[0], words[1]
    )
}

/// What helps where a campaign on a server has no backup here.
const OF_SERVER: &str = "`rollbook backup --out FILE.db`, best on another disk; the end of each session makes one on the computer that serves it, in the folder backups of \
    --checkpoints";

/// The same of each campaign on a server, as far as this computer made them.
async fn backups_of_server(location: &Location, server: &Server) -> Result<Looked, StoreError> {
    let mut reader = Reader::open(location).await?;
    let read = async { Ok::<_, StoreError>((reader.campaigns().await?, reader.summaries().await?)) };
    let read = read.await;
    reader.close().await?;
    let (campaigns, summaries) = read?;
    let (mut lacking, mut oldest): (Vec<String>, Option<Made>) = (Vec::new(), None);
    for (name, identity) in &campaigns {
        let own = summaries.iter().find(|own| own.name == *name).and_then(|own| own.last_written);
        let Some(last) = own else { continue };
        let Some(series) = Series::of_campaign(server, name, &identity.uuid) else {
            return Ok(Looked::ill(
                "backups",
                "this computer keeps none of that server",
                "name a folder with --checkpoints",
            ));
        };
        match series.newest_good().await {
            None => lacking.push(format!("of \"{}\" there is none that could be gone back to", quoted(name))),
            Some(made) if last.saturating_sub(made.at) > BEHIND_MAX => {
                let found = newest(&made.path, made.at);
                lacking.push(format!("of \"{}\" {found}; {}", quoted(name), written(last)));
            }
            Some(made) if oldest.as_ref().is_none_or(|own| made.at < own.at) => oldest = Some(made),
            Some(_) => {}
        }
    }
    Ok(match (lacking.first(), oldest) {
        (Some(first), _) => {
            let more = match lacking.len() - 1 {
                0 => String::new(),
                more => format!(", and as much of {}", counted(more as u64, "more campaign", "more campaigns")),
            };
            Looked::ill("backups", format!("{first}{more}"), OF_SERVER)
        }
        (None, None) => Looked::well("backups", "nothing is written yet"),
        (None, Some(made)) if campaigns.len() == 1 => Looked::well("backups", newest(&made.path, made.at)),
        (None, Some(made)) => {
            let found = newest(&made.path, made.at);
            Looked::well("backups", format!("every campaign has a good one; of the oldest of these {found}"))
        }
    })
}

fn newest(backup: &Path, made: i64) -> String {
    format!("the newest good one is {}, of {}", backup.display(), iso(made))
}

fn written(last: i64) -> String {
    format!("the log was last written {}", iso(last))
}
