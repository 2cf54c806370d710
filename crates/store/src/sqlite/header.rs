//! The first 100 bytes of a database (SQLite's file format, 1.3), for what SQLite itself does not look at when it opens one.

use std::path::Path;

use super::error::damaged;
use super::file::{self, RawFile};
use super::journal;
use crate::StoreError;

const BYTES: usize = 100;

/// Refuses a file whose length is not what its header says. Only for one that no process has open: while it is written, the truth
/// lies in the files beside it, and where one of those was left behind, SQLite's own check goes by it.
pub fn check_length(path: &Path) -> Result<(), StoreError> {
    if file::has_wal(path) || journal::pages_before(path).is_some() {
        return Ok(());
    }
    let Ok((header, length)) = RawFile::of(path).and_then(|file| file.beginning(BYTES as u64)) else { return Ok(()) };
    if length == 0 {
        return Ok(());
    }
    let Ok(header) = <[u8; BYTES]>::try_from(header) else {
        return Err(damaged(path, &format!("it is cut off after {length} bytes")));
    };
    match contradiction(&header, length) {
        Some(what) => Err(damaged(path, &what)),
        None => Ok(()),
    }
}

fn contradiction(header: &[u8; BYTES], length: u64) -> Option<String> {
    let page = match u64::from(u16::from_be_bytes([header[16], header[17]])) {
        1 => 65_536,
        size => size,
    };
    let number = |at: usize| header.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes);
    let pages = u64::from(number(28)?);
    // Programs before SQLite 3.7.0 did not keep the number of pages; then the length alone counts.
    let is_kept = pages > 0 && number(24) == number(92);
    if is_kept && pages * page != length {
        return Some(format!("its header says {pages} pages of {page} bytes, and it is {length} bytes long"));
    }
    (page > 0 && !length.is_multiple_of(page))
        .then(|| format!("it has pages of {page} bytes, and is {length} bytes long"))
}

#[cfg(test)]
mod tests {
    use crate::sqlite::open;
    use crate::{Reader, StoreError};

    #[tokio::test]
    async fn a_file_longer_or_shorter_than_its_header_says_is_refused() {
        for vandal in [
            |bytes: &mut Vec<u8>| bytes.extend([0; 4096]),
            |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 4096),
            |bytes: &mut Vec<u8>| bytes.extend([0; 7]),
            |bytes: &mut Vec<u8>| bytes[31] -= 1,
            |bytes: &mut Vec<u8>| bytes[31] += 1,
            |bytes: &mut Vec<u8>| bytes.truncate(99),
            |bytes: &mut Vec<u8>| {
                bytes[27] ^= 1;
                bytes.extend([0; 7]);
            },
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("campaigns.db");
            open(&path).await.unwrap().close().await.unwrap();
            open(&path).await.unwrap().close().await.unwrap();
            let mut bytes = std::fs::read(&path).unwrap();
            vandal(&mut bytes);
            std::fs::write(&path, &bytes).unwrap();
            for refused in [open(&path).await.map(drop), Reader::open(&path).await.map(drop)] {
                assert!(matches!(refused, Err(StoreError::Damaged { .. })), "{refused:?}");
            }
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "nothing was changed");
        }
    }
}
