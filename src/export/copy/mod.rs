//! Verifying an exported copy on its own, without the database.
//!
//! Everything in a copy is either under a hash or worked out again: links, public parts, bodies and their commitments; the
//! numbers of the view; of a GM's copy also the sentences, what players see of each body, and that every body is there; the
//! campaign's name as the log has it. A field this format does not know is refused. That the copy is complete at its end only
//! a receipt can show. One fault is one finding: behind a line that is missing, torn, doubled or out of place, numbers and links
//! are taken up again.

mod check;
mod order;

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use check::Check;

use super::jsonl::{Copied, FORMAT, Header};
use crate::game::view::Audience;
use crate::store::verify::{Receipt, parse_receipt};
use crate::store::{Head, StoreError, special};

/// Bytes of one line of a copy.
const LINE_MAX: u64 = 16 * 1024 * 1024;

/// What verification of a copy found.
#[derive(Debug)]
pub struct Checked {
    pub campaign: String,
    pub audience: Audience,
    /// Where it ends.
    pub head: Head,
    pub findings: Vec<String>,
    /// The entry of the receipt, where the copy holds it.
    pub receipted: Option<u64>,
    /// How much less the receipt proves than a whole one, where it is shorter.
    pub weakness: Option<String>,
    /// Lines that players see.
    pub shown: u64,
    /// Those of them without a body, of which only the public part can be checked.
    pub closed: u64,
    /// What it says that the log lacked when it was written.
    pub history_lost: Option<String>,
}

/// Verifies an exported copy, and that it holds the entry of a receipt, which alone can show that its tail was cut off.
///
/// # Errors
/// When the file is no export of this format, or the receipt is none.
pub fn check_copy(path: &Path, receipt: Option<&str>) -> Result<Checked, StoreError> {
    let receipt = receipt.map(parse_receipt).transpose()?;
    let unreadable = |error: std::io::Error| StoreError::Io(format!("cannot read {}: {error}", path.display()));
    if let Some(what) = special::followed(path) {
        let path = path.display();
        return Err(StoreError::Io(format!("{path} is {what}, and no file; name an export in JSON lines with --copy")));
    }
    let mut reader = BufReader::new(File::open(path).map_err(unreadable)?);
    let mut line = Vec::new();
    let mut next = |line: &mut Vec<u8>| -> Result<bool, StoreError> {
        line.clear();
        (&mut reader).take(LINE_MAX).read_until(b'\n', line).map(|bytes| bytes > 0).map_err(unreadable)
    };
    next(&mut line)?;
    let header: Header = serde_json::from_slice(&line).map_err(|error| no_copy(path, &line, &error))?;
    if header.rollbook.format != FORMAT {
        let (found, path) = (header.rollbook.format, path.display());
        return Err(StoreError::Io(format!("{path} is of format {found}, and this program knows {FORMAT}")));
    }
    let mut check = Check::of(header.rollbook);
    let mut receipted = None;
    while next(&mut line)? {
        match serde_json::from_slice::<Copied>(&line) {
            Ok(copied) => {
                let (seq, chain) = check.line(&copied);
                if receipt.as_ref().is_some_and(|receipt| receipt.seq == seq) {
                    receipted = Some(base16ct::lower::encode_string(&chain));
                }
            }
            Err(error) => check.unread(&error),
        }
    }
    check.end();
    check.weakness = receipt.as_ref().and_then(Receipt::weakness);
    match (receipt, receipted) {
        (Some(receipt), Some(chain)) if chain.starts_with(&receipt.hex) => check.receipted = Some(receipt.seq),
        (Some(receipt), Some(_)) => check.wrong(receipt.seq, "the receipt names another chain value for it"),
        (Some(receipt), None) if check.lacks(receipt.seq) => {}
        (Some(receipt), None) => {
            let last = check.last();
            let cut = "it was cut off, or is older than the receipt";
            check.wrong(
                receipt.seq,
                format!("the receipt says the log reached it, and the copy ends at #{last}: {cut}"),
            );
        }
        (None, _) => {}
    }
    Ok(check.done())
}

/// What the file is not.
fn no_copy(path: &Path, line: &[u8], error: &serde_json::Error) -> StoreError {
    let path = path.display();
    StoreError::Io(match line.starts_with(b"SQLite format 3\0") {
        true => format!(
            "{path} is a SQLite file, and --copy reads an export in JSON lines (--format jsonl); a Rollbook database is checked \
             with --db"
        ),
        false => format!("{path} does not begin as a Rollbook export in JSON lines (--format jsonl): {error}"),
    })
}
