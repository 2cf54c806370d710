//! Verifying a database: what is wrong with it as a whole, and then campaign by campaign. It names what is bad and goes on.
//!
//! As a whole: the store's own check, its schema, rows that belong to no campaign, and campaigns that checkpoints know and the
//! database does not hold. Of a campaign: its entries alone, beside those before them, beside the tables, and its kept answers.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`receipt`]: a receipt that was kept outside.
//! 2. [`losses`]: losses that the log records.
//! 3. [`opened`]: hidden entries that were opened.
//! 4. [`report`]: what was found.
//! 5. [`numbers`]: the numbers of an entry.
//! 6. [`alone`]: an entry without those before it.
//! 7. [`references`]: entries that name earlier ones.
//! 8. [`scene`]: session, clock and rules of an entry.
//! 9. [`answers`]: kept answers.
//! 10. [`continuation`]: a log that goes on from another.
//! 11. [`campaign`]: one campaign's log.
//! 12. [`witness`]: checkpoints and a receipt.

mod alone;
mod answers;
mod campaign;
mod continuation;
mod losses;
mod numbers;
mod opened;
mod receipt;
mod references;
mod report;
mod scene;
mod witness;

pub use losses::Lost;
pub use opened::{OTHER, Opened};
pub use receipt::{Receipt, parse_receipt};
pub use report::{Finding, Report, Verified, missing};

use std::collections::VecDeque;

use super::checkpoint::Checkpoint;
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
    let mut verified = Verified::of(reader.location().clone());
    let done = whole(&mut reader, &mut verified, campaign, receipt).await;
    reader.close().await?;
    match done {
        // What stops the check in a file with findings is one more of them.
        Err(error @ (StoreError::Database(_) | StoreError::Unreadable { .. })) if !verified.findings.is_empty() => {
            verified.findings.push(format!("it could not be checked to its end: {error}"));
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
    verified.findings.splice(schema_findings..schema_findings, problems?);
    done?;
    let is_removed = |name: &String| campaign.is_none_or(|wanted| same(name, wanted));
    let says_something = receipt.is_none() && verified.removed.iter().any(is_removed);
    if verified.campaigns.is_empty() && verified.findings.is_empty() && !says_something {
        let which = campaign.map_or("no campaign".to_owned(), |name| format!("no campaign \"{}\"", quoted(name)));
        return Err(StoreError::Io(format!("there is {which} in {}", verified.database)));
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
        verified.findings.push(format!("{rows} rows of {table} belong to no campaign: it was deleted"));
    }
    if let Some(count) = reader.book_count().await?.filter(|count| *count != 1) {
        verified.findings.push(format!(
            "the table book has {count} rows, and a database has one name in it: the name that checkpoints know was changed"
        ));
    }
    let book = reader.book().await?;
    let checkpoints = reader.checkpoints(&verified.database).await?;
    witness::campaigns(verified, &checkpoints, book.as_deref(), &all);
    witness::other_books(verified, &checkpoints, book.as_deref(), &all);
    witness::gone(verified, &checkpoints, book.as_deref());
    let mut wanted: VecDeque<(String, Identity)> = match campaign {
        Some(name) => all.iter().filter(|(known, _)| same(known, name)).cloned().collect(),
        None => all.iter().cloned().collect(),
    };
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
            Err(error) => check.find(0, format!("it could not be read to its end: {error}")),
            Ok(()) => {}
        }
        check.compare_continuation(reader, &identity, &all).await?;
        check.compare_checkpoints(&lines, &verified.database);
        // A receipt of before a campaign went on in a new log is one of its earlier log.
        let earlier = campaign.and(receipt).and_then(|receipt| check.earlier(receipt)).map(str::to_owned);
        checks.push(check);
        let is_new = |name: &str| checks.iter().all(|check| check.report.campaign != name);
        wanted.extend(
            all.iter().find(|(name, identity)| Some(&identity.uuid) == earlier.as_ref() && is_new(name)).cloned(),
        );
    }
    if let Some(receipt) = receipt {
        witness::receipt(verified, receipt, &mut checks);
        verified.notes.extend(receipt.weakness());
    }
    verified.notes.extend(checks.iter().filter_map(|check| check.report.unwitnessed()));
    verified.campaigns = checks.into_iter().map(|check| check.report).collect();
    Ok(())
}
