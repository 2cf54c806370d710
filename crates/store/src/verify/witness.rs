//! What was kept outside the database: checkpoints beside it, and a receipt that a reader kept.

use std::collections::{BTreeMap, BTreeSet};

use super::campaign::Check;
use super::receipt::Receipt;
use super::report::Verified;
use crate::Identity;
use crate::checkpoint::{Checkpoint, Checkpoints, Subject, is_gone};
use rollbook_text::names::quoted;

/// Lines named one by one; the rest are counted.
const LINES_MAX: usize = 20;

/// Finds the campaigns that checkpoints of this database name and it does not hold.
pub fn campaigns(verified: &mut Verified, checkpoints: &Checkpoints, book: Option<&str>, held: &[(String, Identity)]) {
    verified.notes.extend(checkpoints.torn.iter().take(LINES_MAX).cloned());
    verified.findings.extend(checkpoints.unreadable.iter().take(LINES_MAX).cloned());
    let more = checkpoints.unreadable.len().saturating_sub(LINES_MAX);
    if more > 0 {
        verified.findings.push(format!("and {more} more lines that are no checkpoints"));
    }
    let mut missing: BTreeMap<&str, &Checkpoint> = BTreeMap::new();
    for line in checkpoints.lines.iter().filter(|line| held.iter().all(|(_, held)| held.uuid != line.campaign)) {
        if line.subject(&verified.database, book) == Subject::ThisDatabase {
            let last = missing.entry(&line.campaign).or_insert(line);
            if line.seq > last.seq {
                *last = line;
            }
        }
    }
    for (_, identity) in held {
        if let Some(removal) = checkpoints.removal(&verified.database, book, &identity.uuid) {
            let (was, how) = match removal.removed_to {
                Some(_) => ("was to be removed", "the removal was broken off, or an older file was put back"),
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
            verified.notes.push(format!("campaign \"{}\" ({}) {how}", quoted(&line.name), line.campaign));
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
pub fn other_books(
    verified: &mut Verified,
    checkpoints: &Checkpoints,
    book: Option<&str>,
    held: &[(String, Identity)],
) {
    let Some(book) = book else { return };
    let held = |line: &&Checkpoint| held.iter().any(|(_, held)| held.uuid == line.campaign);
    let lines = checkpoints.lines.iter().filter(|line| line.names(&verified.database)).filter(held);
    let others: BTreeSet<&str> = lines.filter_map(|line| line.book.as_deref()).filter(|named| *named != book).collect();
    verified.findings.extend(others.into_iter().take(LINES_MAX).map(|other| {
        format!(
            "checkpoints of this file name the book {}, and the book in it is {}: its name was changed, or the file was \
             replaced by another",
            quoted(other),
            quoted(book)
        )
    }));
}

/// Notes the databases that checkpoints name and that are not in this folder any more: a file renamed inside, too, leaves no other mark.
pub fn gone(verified: &mut Verified, checkpoints: &Checkpoints, book: Option<&str>) {
    let others =
        checkpoints.lines.iter().filter(|line| line.subject(&verified.database, book) == Subject::AnotherDatabase);
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

/// Compares a receipt with the campaign it is of; where several were checked, that is the one it fits.
pub fn receipt(verified: &mut Verified, receipt: &Receipt, checks: &mut [Check]) {
    if let [only] = checks {
        only.compare_receipt(receipt);
        return;
    }
    let names = |checks: &[&Check]| -> String {
        checks.iter().map(|check| check.report.campaign.as_str()).collect::<Vec<_>>().join(", ")
    };
    let fitting: Vec<&Check> = checks.iter().filter(|check| check.links.fits(receipt)).collect();
    if !fitting.is_empty() {
        verified.notes.push(format!("the receipt {receipt} is of {}", names(&fitting)));
        return;
    }
    if let Some(later) = checks.iter().find(|check| check.continuation.begins_at(receipt)) {
        let name = &later.report.campaign;
        verified.notes.push(format!("the receipt {receipt} is of the end of the log from which {name} goes on"));
        return;
    }
    let lost = checks.iter().filter_map(|check| Some((&check.report.campaign, check.losses.summary(receipt.seq)?)));
    let lost = lost.map(|(name, lost)| format!(". It may be of what {name} lost: {lost}"));
    let earlier =
        checks.iter().filter_map(|check| check.continuation.what_else()).map(|earlier| format!(". {earlier}"));
    let other: String = lost.chain(earlier).collect();
    verified.findings.push(format!(
        "the receipt {receipt} fits none of these campaigns: {}. The log it is of was rewritten, cut off or deleted{other}",
        names(&checks.iter().collect::<Vec<_>>())
    ));
}
