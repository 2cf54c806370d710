//! A database put back from a copy of it, which its logs say.

use std::path::{Path, PathBuf};

use super::adventure::Adventure;
use super::live::{Answer, CallError, Common, Request};
use super::os;
use super::{Host, Purpose};
use rollbook_game::decide::session;
use rollbook_game::record::loss::Loss;
use rollbook_game::table::Table;
use rollbook_store::checkpoint::Checkpoint;
use rollbook_store::location::{Location, Server};
use rollbook_store::replacement::Replacement;
use rollbook_store::sqlite::{PutBack, backups};
use rollbook_store::verify::audit;
use rollbook_store::{Head, Identity, Reader, StoreError, checkpoint};
use rollbook_text::names::{for_shell, quoted, same};

/// What a restored copy replaced, and its campaigns.
#[derive(Debug)]
pub struct Restored {
    /// The folder, or a server's file, that keeps what lay in its place; `None`: nothing did.
    pub replaced: Option<PathBuf>,
    pub campaigns: Vec<Back>,
    /// What the copy lacks and was given up, a sentence each.
    pub given_up: Vec<String>,
}

/// A campaign that was put back.
#[derive(Debug)]
pub struct Back {
    pub name: String,
    /// The last entry of the copy; after it comes the one that says so.
    pub reaches: u64,
    pub receipt: String,
    /// What checkpoints know that the copy did not hold, in a sentence.
    pub lost: Option<String>,
}

/// Puts a verified copy in the place of a database, and logs that in each of its campaigns. What
/// was there is kept; nothing changes until the copy is in place. On a server other campaigns stay.
/// The named campaigns, which a file's copy lacks, are given up. Errors: the copy is unreadable,
/// unverified, another database's or lacks a campaign; a file is open elsewhere or unwritable.
pub async fn restore(
    database: &Location,
    from: &Path,
    without: &[String],
) -> Result<Restored, String> {
    let now = os::valid(os::now())?;
    let (copy, replaced, given_up) = match database {
        Location::File(file) => in_file(database, file, from, without, now).await?,
        Location::Server(_) if !without.is_empty() => {
            return Err(
                "--without is for a file: on a server, campaigns that FILE lacks stay as they are"
                    .to_owned(),
            );
        }
        Location::Server(server) => {
            let (copy, replaced) = on_server(database, server, from).await?;
            (copy, replaced, Vec::new())
        }
    };
    let name = from.file_name().unwrap_or_default().to_string_lossy();
    let mut campaigns = Vec::new();
    for (campaign, _) in copy.campaigns {
        let logged = logged(database, &campaign, &name).await;
        campaigns.push(logged.map_err(|error| {
            let campaign = quoted(&campaign);
            format!("the database is put back, but the log of \"{campaign}\" does not say so: {error}. Send the same command again")
        })?);
    }
    Ok(Restored {
        replaced,
        campaigns,
        given_up,
    })
}

async fn in_file(
    database: &Location,
    file: &Path,
    from: &Path,
    without: &[String],
    now: i64,
) -> Result<(Contents, Option<PathBuf>, Vec<String>), String> {
    let is_same =
        matches!((file.canonicalize(), from.canonicalize()), (Ok(one), Ok(other)) if one == other);
    if is_same {
        return Err(format!(
            "{} is the database itself; name a copy of it",
            from.display()
        ));
    }
    let put_back = match PutBack::begin(file, from).await {
        Ok(put_back) => put_back,
        Err(error) => return Err(of_copy(error, from, database).await),
    };
    let (copy, mut given_up) = (checked(put_back.copy(), from).await?, Vec::new());
    // What is damaged cannot be compared; checkpoints know what it held.
    let there = if file.exists() {
        contents(file).await.ok()
    } else {
        None
    };
    if let Some(there) = &there {
        fits(there, &copy, database, from)?;
    }
    let lacking = lacking(there.as_ref(), &copy, database, from, now);
    lacks_none(&lacking, without, from)?;
    checkpoint::check_writable(database)
        .map_err(|error| format!("{error}, so nothing was put back"))?;
    let replaced = put_back.place().await.map_err(|error| error.to_string())?;
    for line in lacking {
        checkpoint::append(database, &line).map_err(|error| {
            format!("the database is put back, but checkpoints.log does not say what was given up: {error}. Send the same command again")
        })?;
        given_up.push(format!(
            "campaign {}, which reached #{}: {} does not hold it, and checkpoints.log says so",
            named(&line),
            line.seq,
            from.display()
        ));
    }
    Ok((copy, replaced, given_up))
}

/// Why a copy cannot be read, with what could be put back instead.
async fn of_copy(error: StoreError, from: &Path, database: &Location) -> String {
    if !error.is_of(from) {
        return error.to_string();
    }
    let put_back = |path: &Path| {
        let words = [path.display().to_string(), database.to_string()].map(|word| for_shell(&word));
        format!("`rollbook restore {} --db {}`", words[0], words[1])
    };
    let name = database.file().and_then(Path::file_name);
    let inside = name
        .map(|name| from.join(name))
        .filter(|path| path.is_file());
    let itself = from.canonicalize().ok().filter(|_| from.is_symlink());
    let newest = match database.file() {
        Some(file) => backups::newest(file).await.0,
        None => None,
    };
    let advice = match (inside, itself, newest) {
        (Some(inside), _, _) => format!("Name the file in it: {}", put_back(&inside)),
        (None, Some(itself), _) => format!("Name the file itself: {}", put_back(&itself)),
        (None, None, Some(newest)) => {
            format!("Name another copy; the newest good backup beside the database is this: {}", put_back(&newest))
        }
        (None, None, None) => "Name another copy: a file that `rollbook backup` wrote, or one of the backups that the end of a session makes".to_owned(),
    };
    error.advising(advice).to_string()
}

async fn on_server(
    database: &Location,
    server: &Server,
    from: &Path,
) -> Result<(Contents, Option<PathBuf>), String> {
    let text = |error: StoreError| error.to_string();
    let replacement = match Replacement::begin(server, from).await {
        Ok(replacement) => replacement,
        Err(error) => return Err(of_copy(error, from, database).await),
    };
    let copy = checked(replacement.copy(), from).await?;
    if copy.campaigns.is_empty() {
        return Err(format!("{} holds no campaign", from.display()));
    }
    let there = match Reader::open_if_any(database).await.map_err(text)? {
        Some(reader) => Some(contents_of(reader).await.map_err(text)?),
        None => None,
    };
    // One that never held anything takes the name by which checkpoints know the copy's.
    let there = there.filter(|there| !there.campaigns.is_empty() || there.had_any);
    if let Some(there) = &there {
        fits(there, &copy, database, from)?;
    }
    checkpoint::check_writable(database)
        .map_err(|error| format!("{error}, so nothing was put back"))?;
    let book = copy.book.as_deref().filter(|_| there.is_none());
    let replaced = replacement
        .place(&copy.campaigns, book)
        .await
        .map_err(text)?;
    Ok((copy, replaced))
}

async fn checked(copy: &Path, from: &Path) -> Result<Contents, String> {
    let held = contents(copy).await.map_err(|error| error.to_string())?;
    let verified = async { audit(Reader::open(copy).await?, None, None).await };
    let verified = verified
        .await
        .map_err(|error: StoreError| error.to_string())?;
    if verified.is_sound() {
        return Ok(held);
    }
    let from = from.display().to_string();
    Err(format!(
        "{from} does not verify ({}), so nothing was put back. `rollbook verify --db {}` says more",
        verified.first_finding().unwrap_or_default(),
        for_shell(&from)
    ))
}

struct Contents {
    book: Option<String>,
    campaigns: Vec<(String, Identity)>,
    heads: Vec<Head>,
    /// It is a server that knows of a campaign which it may not hold any more.
    had_any: bool,
}

async fn contents(file: &Path) -> Result<Contents, StoreError> {
    contents_of(Reader::open(file).await?).await
}

async fn contents_of(mut reader: Reader) -> Result<Contents, StoreError> {
    let read = async {
        let (book, campaigns) = (reader.book().await?, reader.campaigns().await?);
        let mut heads = Vec::new();
        for (_, identity) in &campaigns {
            heads.push(reader.head(identity.key).await?);
        }
        Ok(Contents {
            book,
            campaigns,
            heads,
            had_any: reader.keeps_checkpoints().await?,
        })
    };
    let read = read.await;
    reader.close().await?;
    read
}

/// Whether a copy is one of what is there.
fn fits(there: &Contents, copy: &Contents, database: &Location, from: &Path) -> Result<(), String> {
    if there.book == copy.book {
        return Ok(());
    }
    let shown = from.display();
    let is_there = |(_, identity): &&(String, Identity)| {
        there
            .campaigns
            .iter()
            .any(|(_, other)| other.uuid == identity.uuid)
    };
    let both: Vec<String> = copy
        .campaigns
        .iter()
        .filter(is_there)
        .map(|(name, _)| format!("\"{}\"", quoted(name)))
        .collect();
    let what = format!("{shown} is no copy of {database}, but another database");
    if !both.is_empty() {
        return Err(format!(
            "{what}, with {} in it as {database} has, such as an export of a campaign. Name a backup of {database}, which `rollbook backup` or the \
             end of a session made; or, to play in {shown} by itself, name it with --db, best in a folder of its own",
            both.join(" and ")
        ));
    }
    let [from, to] = [shown.to_string(), database.to_string()].map(|word| for_shell(&word));
    Err(format!(
        "{what}. To play in it, name it with --db; to take its campaigns into {database}, run `rollbook copy --from {from} --to {to}`"
    ))
}

/// The campaigns that the database has or had and the copy lacks: each as the line that says so.
fn lacking(
    there: Option<&Contents>,
    copy: &Contents,
    database: &Location,
    from: &Path,
    now: i64,
) -> Vec<Checkpoint> {
    let checkpoints = checkpoint::read(database);
    let lost = checkpoints.lost(database, copy.book.as_deref(), &copy.campaigns);
    let mut lacking: Vec<Checkpoint> = lost.into_iter().cloned().collect();
    let held = there
        .into_iter()
        .flat_map(|contents| contents.campaigns.iter().zip(&contents.heads));
    for ((name, identity), head) in held {
        let is_same = |line: &Checkpoint| line.campaign == identity.uuid;
        let is_known = lacking
            .iter()
            .any(|line| is_same(line) && line.seq > head.seq);
        if is_known
            || copy
                .campaigns
                .iter()
                .any(|(_, other)| other.uuid == identity.uuid)
        {
            continue;
        }
        lacking.retain(|line| !is_same(line));
        lacking.push(Checkpoint::of(
            database,
            None,
            &identity.uuid,
            name,
            *head,
            now,
        ));
    }
    let file = from
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    for line in &mut lacking {
        line.at = now;
        line.database = database.name();
        line.book = copy.book.clone();
        line.given_up_for = Some(file.clone());
        line.removed_to = None;
        line.loss_accepted = false;
    }
    lacking
}

fn named(line: &Checkpoint) -> String {
    format!("\"{}\"", quoted(&line.name))
}

/// Whether a copy has every campaign of the file it replaces, but for those given up.
fn lacks_none(lacking: &[Checkpoint], without: &[String], from: &Path) -> Result<(), String> {
    let is_given_up = |line: &&Checkpoint| without.iter().any(|name| same(name, &line.name));
    let all: Vec<&Checkpoint> = lacking.iter().filter(|line| !is_given_up(line)).collect();
    if all.is_empty() {
        return Ok(());
    }
    let what: Vec<String> = all
        .iter()
        .map(|line| format!("{}, which reached #{}", named(line), line.seq))
        .collect();
    let names: Vec<String> = lacking
        .iter()
        .map(|line| format!("--without {}", for_shell(&line.name)))
        .collect();
    Err(format!(
        "{} lacks {}: all of that would be lost, so nothing was put back. Name a copy that has every campaign; where there is none, add {}, and \
         checkpoints.log says from then on what was given up",
        from.display(),
        what.join(", and "),
        names.join(" ")
    ))
}

async fn logged(database: &Location, name: &str, from: &str) -> Result<Back, String> {
    let host = Host::of_this_computer(Adventure::none(), database, Some(name.to_owned()));
    let logged = async {
        let campaign = host.campaign(None, Purpose::Write).await?;
        let from = from.to_owned();
        let request = Request {
            tool: "restore",
            accepts_loss: true,
            ends_session: true,
            ..Request::default()
        };
        let decide = move |table: &mut Table<'_>| {
            let lost = table.loss.as_ref().map(Loss::summary);
            let log = session::restored(table, from);
            Ok(Answer::<()>::new(
                Common {
                    log: Some(log),
                    history_lost: lost,
                    ..Common::default()
                },
                None,
            ))
        };
        let Common {
            log,
            receipt,
            history_lost: lost,
            ..
        } = campaign.write(request, decide).await?.common;
        if let Some(note) = campaign.checkpoint(lost.is_some()).await? {
            tracing::warn!("{note}");
        }
        let reaches = log.unwrap_or_default().saturating_sub(1);
        Ok::<_, CallError>(Back {
            name: name.to_owned(),
            reaches,
            receipt: receipt.unwrap_or_default(),
            lost,
        })
    };
    let logged = logged.await.map_err(CallError::for_a_person);
    host.close().await;
    logged
}
