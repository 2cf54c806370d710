//! Verifying an exported copy on its own, without the database.
//!
//! Everything in a copy is either under a hash or worked out again: links, public parts, bodies and their commitments; the
//! numbers of the view; of a GM's copy also the sentences, what players see of each body, and that every body is there; the
//! campaign's name as the log has it; the cells of a table; of a players' SQLite file every table, which is written anew from its proofs and
//! compared. A field this format does not know is refused. That the copy is complete at its end only a receipt can show. One fault is one
//! finding: behind a line that is missing, torn, doubled or out of place, numbers and links are taken up again.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`checked`]: what was found.
//! 2. [`plain`]: why a line cannot be read.
//! 3. [`mod@line`]: one entry of a copy.
//! 4. [`order`]: the order of its lines.
//! 5. [`check`]: what is wrong with them.
//! 6. [`receipted`]: the same beside a receipt.
//! 7. [`total`]: copies that tell only how many entries are hidden.
//! 8. [`text`]: JSON lines and comma-separated values.
//! 9. [`database`]: SQLite files.

mod check;
mod checked;
mod database;
mod line;
mod order;
mod plain;
mod receipted;
mod text;
mod total;

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

pub use checked::Checked;
use receipted::unreadable;
pub use text::bytes_read;

use super::Format;
use rollbook_store::verify::parse_receipt;
use rollbook_store::{StoreError, special};

/// Verifies an exported copy, and that it holds the entry of a receipt, which alone can show that its tail was cut off.
/// Errors: When the file is no export of this format, or the receipt is none.
pub async fn check_copy(path: &Path, receipt: Option<&str>) -> Result<Checked, StoreError> {
    let receipt = receipt.map(parse_receipt).transpose()?;
    if let Some(what) = special::followed(path) {
        let path = path.display();
        return Err(StoreError::Io(format!("{path} is {what}, and no file; name an export with --copy")));
    }
    match format(path)? {
        Format::Jsonl => text::json(path, receipt.as_ref()),
        Format::Csv => text::csv(path, receipt.as_ref()),
        Format::Db => database::check(path, receipt.as_ref()).await,
    }
}

/// The bytes of a copy that is text, of which [`bytes_read`] says how many were read; `None` for a file of SQLite, and for what cannot be read.
pub fn text_bytes(path: &Path) -> Option<u64> {
    if special::followed(path).is_some() {
        return None;
    }
    match format(path).ok()? {
        Format::Jsonl | Format::Csv => Some(path.metadata().ok()?.len()),
        Format::Db => None,
    }
}

/// By how the file begins.
fn format(path: &Path) -> Result<Format, StoreError> {
    let mut begin = Vec::new();
    let read = File::open(path).and_then(|file| file.take(16).read_to_end(&mut begin));
    read.map_err(|error| unreadable(path, &error))?;
    if begin.starts_with(b"SQLite ") {
        return Ok(Format::Db);
    }
    // Other programs put every cell of a table into quotation marks.
    Ok(match begin.strip_prefix(super::csv::BOM).unwrap_or(&begin).trim_ascii_start() {
        [b'{', ..] => Format::Jsonl,
        _ => Format::Csv,
    })
}
