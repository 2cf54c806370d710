//! A check of a copy beside a receipt, which alone can show that its end was cut off.

use std::path::Path;

use super::check::{Check, Checked};
use super::line::Copied;
use rollbook_store::StoreError;
use rollbook_store::verify::Receipt;

pub fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Io(format!("cannot read {}: {error}", path.display()))
}

/// A check of which lines were taken, with a receipt.
pub struct Receipted<'a> {
    pub check: Check,
    receipt: Option<&'a Receipt>,
    /// The chain value of the receipt's entry, as hex.
    held: Option<String>,
}

impl<'a> Receipted<'a> {
    pub fn of(check: Check, receipt: Option<&'a Receipt>) -> Self {
        Receipted {
            check,
            receipt,
            held: None,
        }
    }

    pub fn line(&mut self, copied: &Copied<'_>) {
        let (seq, chain) = self.check.line(copied);
        if self.receipt.is_some_and(|receipt| receipt.seq == seq) {
            self.held = Some(base16ct::lower::encode_string(&chain));
        }
    }

    pub fn done(self) -> Checked {
        let Receipted {
            mut check,
            receipt,
            held,
        } = self;
        check.end();
        check.found.weakness = receipt.and_then(Receipt::weakness);
        let before = check
            .after
            .filter(|after| receipt.is_some_and(|receipt| receipt.seq <= after.seq));
        let held = match before {
            Some(after) if receipt.is_some_and(|receipt| receipt.seq == after.seq) => {
                Some(base16ct::lower::encode_string(&after.chain))
            }
            _ => held,
        };
        match (receipt, held) {
            // It says nothing of the part, and the part nothing of it.
            (Some(receipt), None) if before.is_some() => {
                let what = "which lies before this part: it says nothing of it. A copy that begins earlier, or a later receipt, does";
                check.found.incomparable =
                    Some(format!("the receipt is of #{}, {what}", receipt.seq));
            }
            (Some(receipt), Some(chain)) if chain.starts_with(&receipt.hex) => {
                check.found.receipted = Some(receipt.seq)
            }
            (Some(receipt), Some(_)) => {
                lacks(
                    &mut check,
                    receipt.seq,
                    "the receipt names another chain value for it",
                );
            }
            (Some(receipt), None) if check.lacks(receipt.seq) => {}
            (Some(receipt), None) => {
                let last = check.last();
                let cut = "it was cut off, or is older than the receipt";
                let what = format!(
                    "the receipt says the log reached it, and the copy ends at #{last}: {cut}"
                );
                lacks(&mut check, receipt.seq, &what);
            }
            (None, _) => {}
        }
        check.done()
    }
}

/// A receipt that fits nothing; it may be of a part that the log says was lost.
fn lacks(check: &mut Check, seq: u64, what: &str) {
    let lost = check.loss_before(seq).map_or(String::new(), |by| {
        format!(". It may be of an entry that was lost: #{by} says that a part of the log was, or that a backup was put back")
    });
    let earlier = if check.goes_on() {
        ". It may be of an earlier log, from which this one goes on"
    } else {
        ""
    };
    check.wrong(seq, format!("{what}{lost}{earlier}"));
}
