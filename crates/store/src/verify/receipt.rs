//! A receipt that was kept outside: read, compared, and how much it proves.

use std::collections::BTreeMap;

use crate::record::RECEIPT_DIGITS;
use crate::{Head, StoreError};
use rollbook_text::names::quoted;

/// Fewer digits are no receipt.
const DIGITS_MIN: usize = 6;
const DIGITS_MAX: usize = 64;

/// A receipt: an entry's number, and how its chain value begins in hex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    pub seq: u64,
    pub hex: String,
}

impl std::fmt::Display for Receipt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{} {}", self.seq, self.hex)
    }
}

impl Receipt {
    /// Whether it was given for that end of a log.
    pub fn is_of(&self, head: &Head) -> bool {
        self.seq == head.seq && self.fits(&head.chain)
    }

    /// Whether that chain value begins as it says.
    pub fn fits(&self, chain: &[u8; 32]) -> bool {
        base16ct::lower::encode_string(chain).starts_with(&self.hex)
    }

    /// How much one that is shorter than a reply's proves; `None` for one of full length.
    pub fn weakness(&self) -> Option<String> {
        let digits = self.hex.len();
        if digits >= RECEIPT_DIGITS {
            return None;
        }
        let tries = 16_f64.powi(i32::try_from(digits).unwrap_or(i32::MAX));
        Some(format!(
            "the receipt has {digits} of its {RECEIPT_DIGITS} digits: a rewritten log fits it by chance once in {tries:.0}, and \
             such a log can be searched for. Keep all {RECEIPT_DIGITS} digits"
        ))
    }
}

/// Digits of an entry's number in a receipt.
const SEQ_DIGITS_MAX: usize = 15;

/// Reads a receipt, 6 to 64 hex digits: `#128 9f3c21d07a44b81e6d05`, alone or in a sentence, as a
/// person pastes it; alone it may lack the `#`. The verifier's page reads the same.
pub fn parse_receipt(text: &str) -> Result<Receipt, StoreError> {
    let marked = text
        .match_indices('#')
        .find_map(|(at, mark)| begins(text.get(at + mark.len()..)?));
    let alone = || begins(text.trim()).filter(|(_, rest)| rest.is_empty());
    marked
        .or_else(alone)
        .map(|(receipt, _)| receipt)
        .ok_or_else(|| {
            StoreError::Io(format!(
                "\"{}\" is no receipt; one looks like \"#128 9f3c21d07a44b81e6d05\"",
                quoted(text)
            ))
        })
}

/// The receipt without its mark with which a text begins, and what follows it.
fn begins(text: &str) -> Option<(Receipt, &str)> {
    let run = |text: &str, is_part: fn(&char) -> bool| text.chars().take_while(is_part).count();
    let (seq, rest) = text.split_at_checked(run(text, char::is_ascii_digit))?;
    let hex = rest.trim_start();
    let is_apart = hex.len() < rest.len();
    let (hex, rest) = hex.split_at_checked(run(hex, char::is_ascii_hexdigit))?;
    let fits = seq.len() <= SEQ_DIGITS_MAX && (DIGITS_MIN..=DIGITS_MAX).contains(&hex.len());
    let receipt = Receipt {
        seq: seq.parse().ok()?,
        hex: hex.to_lowercase(),
    };
    (is_apart && fits).then_some((receipt, rest))
}

/// The chain values of entries that checkpoints and a receipt name; none before the walk is there.
#[derive(Default)]
pub struct Links(BTreeMap<u64, Option<[u8; 32]>>);

impl Links {
    pub fn of(entries: impl Iterator<Item = u64>) -> Self {
        Self(entries.map(|seq| (seq, None)).collect())
    }

    /// Keeps the chain value of an entry that is named.
    pub fn reach(&mut self, seq: u64, chain: [u8; 32]) {
        if let Some(link) = self.0.get_mut(&seq) {
            *link = Some(chain);
        }
    }

    pub fn fits(&self, receipt: &Receipt) -> bool {
        let link = self.0.get(&receipt.seq).copied().flatten();
        link.is_some_and(|link| receipt.fits(&link))
    }

    /// What is wrong when the log, which ends at `last`, lacks it; `what` names its source.
    pub fn lack(&self, receipt: &Receipt, last: u64, what: &str) -> Option<String> {
        if self.fits(receipt) {
            return None;
        }
        let seq = receipt.seq;
        Some(match self.0.get(&seq) {
            Some(Some(_)) => {
                format!("{what} names another chain value for it: the log was rewritten up to here")
            }
            _ => format!(
                "{what} says the log reached #{seq}, and it ends at #{last}: its tail was cut off"
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shorter_receipt_proves_less_and_a_whole_one_is_what_replies_carry() {
        let receipt = |digits: usize| parse_receipt(&format!("#3 {}", "a".repeat(digits))).unwrap();
        let weakness = |digits: usize| receipt(digits).weakness().unwrap_or_default();
        assert!(
            weakness(6).contains(
                "6 of its 20 digits: a rewritten log fits it by chance once in 16777216,"
            )
        );
        assert_eq!((weakness(20), weakness(64)), (String::new(), String::new()));
        let head = Head {
            seq: 3,
            chain: [0xaa; 32],
        };
        assert_eq!(parse_receipt(&head.receipt()).unwrap().weakness(), None);
        for digits in [6, 12, 20, 64] {
            assert!(
                receipt(digits).is_of(&head) && !receipt(digits).is_of(&Head { seq: 4, ..head })
            );
        }
        assert!(
            parse_receipt("#3 aaaaa").is_err()
                && parse_receipt(&format!("#3 {}", "a".repeat(65))).is_err()
        );
    }

    #[test]
    fn a_receipt_is_read_out_of_the_sentence_around_it() {
        for text in [
            "#128 9f3c21d07a44b81e6d05",
            "128 9f3c21d07a44b81e6d05",
            "  #128\t9F3C21D07A44B81E6D05 ",
            "receipt: #128 9f3c21d07a44b81e6d05",
            "The receipt of #12 is \"#128 9f3c21d07a44b81e6d05\".",
        ] {
            let receipt = parse_receipt(text).unwrap();
            assert_eq!(
                (receipt.seq, receipt.hex.as_str()),
                (128, "9f3c21d07a44b81e6d05"),
                "{text}"
            );
        }
        for text in [
            "",
            "128",
            "#128",
            "#128 12345",
            "#1289f3c21d07a44b81e6d05",
            "receipt 128 9f3c21d07a44b81e6d05",
        ] {
            let refused = parse_receipt(text).unwrap_err().to_string();
            assert!(
                refused.contains("is no receipt") && parse_receipt(&refused).is_ok(),
                "{refused}"
            );
        }
    }
}
