//! Verifying a database: what is wrong with it as a whole, then campaign by campaign, to the end.
//!
//! As a whole: the store's own check, its schema, rows that belong to no campaign, and campaigns
//! that checkpoints know and the database does not hold. Of a campaign: its entries alone, beside
//! those before them, beside the tables, and its kept answers.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`receipt`]: a receipt that was kept outside.
//! 2. [`losses`]: losses that the log records.
//! 3. [`answers`]: kept answers, and hidden entries that were opened.
//! 4. [`report`]: what was found.
//! 5. [`numbers`]: the numbers of an entry.
//! 6. [`alone`]: an entry without those before it.
//! 7. [`references`]: entries that name earlier ones.
//! 8. [`scene`]: session, clock and rules of an entry.
//! 9. [`continuation`]: a log that goes on from another.
//! 10. [`campaign`]: one campaign's log.

mod alone;
mod answers;
mod campaign;
mod continuation;
mod losses;
mod numbers;
mod receipt;
mod references;
mod report;
mod scene;

pub use answers::{OTHER, Opened};
pub use losses::Lost;
pub use receipt::{Receipt, parse_receipt};
pub use report::{Finding, Report, Verified, missing};

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::checkpoint::{Checkpoint, Checkpoints, by_campaign, is_gone};
use super::location::Location;
use super::{Identity, Reader, StoreError};
use campaign::Check;
use rollbook_text::names::{quoted, same};

/// Verifies a database. `receipt` is one that was kept outside: "#128 9f3c21d07a44b81e6d05".
pub async fn verify(
    database: impl Into<Location>,
    campaign: Option<&str>,
    receipt: Option<&str>,
) -> Result<Verified, StoreError> {
    let receipt = receipt.map(parse_receipt).transpose()?;
    audit(Reader::open(database).await?, campaign, receipt.as_ref()).await
}

/// The same of any database that can be read.
pub async fn audit(
    mut reader: Reader,
    campaign: Option<&str>,
    receipt: Option<&Receipt>,
) -> Result<Verified, StoreError> {
    // One moment of it, though others go on writing.
    reader.begin_read().await?;
    let (findings, notes, campaigns, removed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let database = reader.location().clone();
    let mut verified = Verified {
        database,
        findings,
        notes,
        campaigns,
        removed,
    };
    let done = whole(&mut reader, &mut verified, campaign, receipt).await;
    reader.close().await?;
    match done {
        // What stops the check in a file with findings is one more of them.
        Err(error @ (StoreError::Database(_) | StoreError::Unreadable { .. }))
            if !verified.findings.is_empty() =>
        {
            verified
                .findings
                .push(format!("it could not be checked to its end: {error}"));
            Ok(verified)
        }
        done => done.map(|()| verified),
    }
}

async fn whole(
    reader: &mut Reader,
    verified: &mut Verified,
    campaign: Option<&str>,
    receipt: Option<&Receipt>,
) -> Result<(), StoreError> {
    let schema = reader.check_schema().await?;
    verified.findings.extend(schema.findings);
    verified.notes.extend(schema.notes);
    let schema_findings = verified.findings.len();
    let storage = reader.check_storage();
    let (problems, done) = tokio::join!(storage, logs(reader, verified, campaign, receipt));
    verified
        .findings
        .splice(schema_findings..schema_findings, problems?);
    done?;
    let is_removed = |name: &String| campaign.is_none_or(|wanted| same(name, wanted));
    let says_something = receipt.is_none() && verified.removed.iter().any(is_removed);
    if verified.campaigns.is_empty() && verified.findings.is_empty() && !says_something {
        let which = campaign.map_or("no campaign".to_owned(), |name| {
            format!("no campaign \"{}\"", quoted(name))
        });
        return Err(StoreError::Io(format!(
            "there is {which} in {}",
            verified.database
        )));
    }
    Ok(())
}

/// What campaigns there are, and the logs of those that are wanted.
async fn logs(
    reader: &mut Reader,
    verified: &mut Verified,
    campaign: Option<&str>,
    receipt: Option<&Receipt>,
) -> Result<(), StoreError> {
    let all = reader.campaigns().await?;
    for (table, rows) in reader.orphans().await? {
        verified.findings.push(format!(
            "{rows} rows of {table} belong to no campaign: it was deleted"
        ));
    }
    if let Some(count) = reader
        .of_book("count(*)")
        .await?
        .filter(|count: &i64| *count != 1)
    {
        verified.findings.push(format!(
            "the table book has {count} rows, and a database has one name in it: the name that checkpoints know was changed"
        ));
    }
    let book = reader.book().await?;
    let checkpoints = reader.checkpoints(&verified.database).await?;
    lost_campaigns(verified, &checkpoints, book.as_deref(), &all);
    other_books(verified, &checkpoints, book.as_deref(), &all);
    gone(verified, &checkpoints, book.as_deref());
    let is_wanted = |name: &str| campaign.is_none_or(|wanted| same(name, wanted));
    let mut wanted: VecDeque<(String, Identity)> = all
        .iter()
        .filter(|(name, _)| is_wanted(name))
        .cloned()
        .collect();
    if wanted.is_empty() && verified.findings.is_empty() {
        return Ok(());
    }
    let mut checks = Vec::new();
    while let Some((name, identity)) = wanted.pop_front() {
        let is_of = |line: &&Checkpoint| line.campaign == identity.uuid;
        let lines: Vec<_> = checkpoints.lines.iter().filter(is_of).collect();
        let check = Check::new(name, &identity, &lines, receipt);
        let (mut check, read) = check.run(reader, &identity).await?;
        match read {
            Err(busy @ StoreError::Busy) => return Err(busy),
            Err(error) => check
                .report
                .find(0, format!("it could not be read to its end: {error}")),
            Ok(()) => {}
        }
        let (wrong, notes) = check.continuation.compare(reader, &identity, &all).await?;
        wrong
            .into_iter()
            .for_each(|(seq, what)| check.report.find(seq, what));
        notes
            .into_iter()
            .for_each(|(seq, what)| check.report.note(seq, what));
        check.compare_checkpoints(&lines, &verified.database);
        // A receipt of before a campaign went on in a new log is one of its earlier log.
        let other = campaign
            .and(receipt)
            .is_some_and(|receipt| !check.links.fits(receipt));
        let earlier = check
            .continuation
            .earlier()
            .filter(|_| other)
            .map(str::to_owned);
        checks.push(check);
        let is_new = |name: &str| checks.iter().all(|check| check.report.campaign != name);
        wanted.extend(
            all.iter()
                .find(|(name, log)| Some(&log.uuid) == earlier.as_ref() && is_new(name))
                .cloned(),
        );
    }
    if let Some(receipt) = receipt {
        compare_receipt(verified, receipt, &mut checks);
        verified.notes.extend(receipt.weakness());
    }
    verified
        .notes
        .extend(checks.iter().filter_map(|check| check.report.unwitnessed()));
    verified.campaigns = checks.into_iter().map(|check| check.report).collect();
    Ok(())
}

/// Lines named one by one; the rest are counted.
const LINES_MAX: usize = 20;

/// Finds the campaigns that checkpoints of this database name and it does not hold.
fn lost_campaigns(
    verified: &mut Verified,
    checkpoints: &Checkpoints,
    book: Option<&str>,
    held: &[(String, Identity)],
) {
    verified
        .notes
        .extend(checkpoints.torn.iter().take(LINES_MAX).cloned());
    verified
        .findings
        .extend(checkpoints.unreadable.iter().take(LINES_MAX).cloned());
    let more = checkpoints.unreadable.len().saturating_sub(LINES_MAX);
    if more > 0 {
        verified
            .findings
            .push(format!("and {more} more lines that are no checkpoints"));
    }
    let is_missing = |line: &&Checkpoint| held.iter().all(|(_, held)| held.uuid != line.campaign);
    let lines = checkpoints
        .lines
        .iter()
        .filter(is_missing)
        .filter(|line| line.is_of(&verified.database, book));
    let missing = by_campaign(lines);
    for (_, identity) in held {
        if let Some(removal) = checkpoints.removal(&verified.database, book, &identity.uuid) {
            let (was, how) = match removal.removed_to {
                Some(_) => (
                    "was to be removed",
                    "the removal was broken off, or an older file was put back",
                ),
                None => ("was given up", "a file that holds it was put back by hand"),
            };
            verified.notes.push(format!(
                "a checkpoint says that campaign {} {was} at #{}, and it is here: {how}",
                quoted(&removal.name),
                removal.seq
            ));
        }
    }
    for line in missing.into_values() {
        let name = &line.name;
        let removal = checkpoints.removal(&verified.database, book, &line.campaign);
        if let Some((line, how)) = removal.and_then(|line| Some((line, line.removal()?))) {
            verified.notes.push(format!(
                "campaign \"{}\" ({}) {how}",
                quoted(&line.name),
                line.campaign
            ));
            verified.removed.push(line.name.clone());
            continue;
        }
        verified.findings.push(format!(
            "a checkpoint says that campaign \"{name}\" ({}) reached #{}, and the database does not hold it: it was deleted, or \
             the file was replaced by another",
            line.campaign, line.seq
        ));
    }
}

/// Finds the checkpoints of held campaigns that name this file and another book.
fn other_books(
    verified: &mut Verified,
    checkpoints: &Checkpoints,
    book: Option<&str>,
    held: &[(String, Identity)],
) {
    let Some(book) = book else { return };
    let held = |line: &&Checkpoint| held.iter().any(|(_, held)| held.uuid == line.campaign);
    let lines = checkpoints
        .lines
        .iter()
        .filter(|line| line.names(&verified.database))
        .filter(held);
    let others: BTreeSet<&str> = lines
        .filter_map(|line| line.book.as_deref())
        .filter(|named| *named != book)
        .collect();
    verified.findings.extend(others.into_iter().take(LINES_MAX).map(|other| {
        format!(
            "checkpoints of this file name the book {}, and the book in it is {}: its name was changed, or the file was \
             replaced by another",
            quoted(other),
            quoted(book)
        )
    }));
}

/// Notes databases that checkpoints name and that are gone: a renamed one leaves no other mark.
fn gone(verified: &mut Verified, checkpoints: &Checkpoints, book: Option<&str>) {
    let others = checkpoints
        .lines
        .iter()
        .filter(|line| !line.is_of(&verified.database, book));
    let mut gone: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in others {
        if is_gone(&verified.database, &line.database) {
            gone.entry(&line.database).or_default().insert(&line.name);
        }
    }
    verified.notes.extend(gone.into_iter().take(LINES_MAX).map(|(database, campaigns)| {
        let campaigns: Vec<String> = campaigns.into_iter().take(LINES_MAX).map(quoted).collect();
        format!(
            "checkpoints name the database {}, which is not here any more; it held {}. If this file is that one, its name and \
             its book's name were changed",
            quoted(database),
            campaigns.join(", ")
        )
    }));
}

/// Compares a receipt with the campaign it is of; of several checked, the one it fits.
fn compare_receipt(verified: &mut Verified, receipt: &Receipt, checks: &mut [Check]) {
    if let [only] = checks {
        only.compare_receipt(receipt);
        return;
    }
    let names = |checks: &[&Check]| -> String {
        checks
            .iter()
            .map(|check| check.report.campaign.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let fitting: Vec<&Check> = checks
        .iter()
        .filter(|check| check.links.fits(receipt))
        .collect();
    if !fitting.is_empty() {
        verified
            .notes
            .push(format!("the receipt {receipt} is of {}", names(&fitting)));
        return;
    }
    if let Some(later) = checks
        .iter()
        .find(|check| check.continuation.begins_at(receipt))
    {
        let name = &later.report.campaign;
        verified.notes.push(format!(
            "the receipt {receipt} is of the end of the log from which {name} goes on"
        ));
        return;
    }
    let lost = checks
        .iter()
        .filter_map(|check| Some((&check.report.campaign, check.losses.summary(receipt.seq)?)));
    let lost = lost.map(|(name, lost)| format!(". It may be of what {name} lost: {lost}"));
    let earlier = checks
        .iter()
        .filter_map(|one| one.continuation.what_else())
        .map(|earlier| format!(". {earlier}"));
    let other: String = lost.chain(earlier).collect();
    verified.findings.push(format!(
        "the receipt {receipt} fits none of these campaigns: {}. The log it is of was rewritten, cut off or deleted{other}",
        names(&checks.iter().collect::<Vec<_>>())
    ));
}
