//! Bullets of the shape `- Label: value`.

use super::ledger::Ledger;
use crate::names;
use crate::rules::document::{Bullet, Text};

/// A bullet taken apart at its first colon.
#[derive(Debug, Clone)]
pub struct Labelled {
    /// The folded label.
    pub folded: String,
    /// What stands after the colon.
    pub value: Text,
}

/// Words that a label has at most; a colon after more is a sentence's.
const LABEL_WORDS_MAX: usize = 12;

/// Takes a bullet apart; none when it has no label. A bullet longer than the limit has none.
pub fn labelled(bullet: &Bullet, ledger: &Ledger<'_>) -> Option<Labelled> {
    if bullet.text.as_str().len() > ledger.limits.bullet_bytes {
        return None;
    }
    let (label, value) = bullet.text.split_at_any(&[":"])?;
    let words = label.as_str().split_whitespace().count();
    if label.is_empty() || words > LABEL_WORDS_MAX {
        return None;
    }
    Some(Labelled { folded: names::fold(label.as_str()), value })
}

/// Whether a value looks like a rule rather than like words: it has a digit, code or a name in braces.
pub fn is_mechanical(value: &Text) -> bool {
    !value.codes().is_empty()
        || value.as_str().contains('{')
        || value.as_str().chars().any(|letter| letter.is_ascii_digit())
}
