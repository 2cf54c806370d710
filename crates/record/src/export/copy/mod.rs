//! Verifying an exported copy on its own, without the database.
//!
//! Everything in a copy is under a hash or worked out again; a players' SQLite file is made anew
//! from its proofs and compared. An unknown field is refused. Only a receipt shows that the end is
//! complete. One fault is one finding: numbers and links are taken up again after it.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`mod@line`]: one entry of a copy, or why it cannot be read.
//! 2. [`order`]: the order of its lines.
//! 3. [`check`]: what is wrong with them.
//! 4. [`receipted`]: the same beside a receipt.
//! 5. [`total`]: copies that say only how many entries are hidden.
//! 6. [`text`]: JSON lines and comma-separated values.
//! 7. [`database`]: SQLite files.

mod check;
mod database;
mod line;
mod order;
mod receipted;
mod text;
mod total;

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

pub use check::Checked;
use receipted::unreadable;

use super::Format;
use rollbook_store::verify::parse_receipt;
use rollbook_store::{StoreError, special};

/// Verifies an exported copy, and that it holds a receipt's entry. Errors: no export, no receipt.
pub async fn check_copy(path: &Path, receipt: Option<&str>) -> Result<Checked, StoreError> {
    let receipt = receipt.map(parse_receipt).transpose()?;
    if let Some(what) = special::followed(path) {
        let path = path.display();
        return Err(StoreError::Io(format!(
            "{path} is {what}, and no file; name an export with --copy"
        )));
    }
    match format(path)? {
        Format::Jsonl => text::json(path, receipt.as_ref()),
        Format::Csv => text::csv(path, receipt.as_ref()),
        Format::Db => database::check(path, receipt.as_ref()).await,
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
    Ok(
        match begin
            .strip_prefix(super::csv::BOM)
            .unwrap_or(&begin)
            .trim_ascii_start()
        {
            [b'{', ..] => Format::Jsonl,
            _ => Format::Csv,
        },
    )
}
