//! Bullets of the shape `- Name (ABBR): prose`.

use super::ledger::Ledger;
use crate::rules::document::{Bullet, Text};

/// Something that a bullet declares.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// What stands in brackets after the name.
    pub bracket: Option<Text>,
    /// What is said about it; may be empty.
    pub about: Text,
    /// Whether the name is so long that only what stands behind it can show that it is one: "Cold to the bone: -10 DEX"
    /// declares, "One of these at most: ..." does not.
    pub long: bool,
}

/// Words and characters that a name has at most; more is a sentence.
const NAME_WORDS_MAX: usize = 5;
const BARE_NAME_WORDS_MAX: usize = 3;
const LONG_NAME_WORDS_MAX: usize = 8;
const NAME_CHARS_MAX: usize = 60;

/// The declaration in a bullet; none when the bullet is prose. A long name is prose that a reader has to decide about.
pub fn declaration(bullet: &Bullet, ledger: &Ledger<'_>) -> Option<Declaration> {
    if bullet.text.as_str().len() > ledger.limits.bullet_bytes {
        return None;
    }
    let split = bullet.text.split_at_any(&[":", " \u{2014} ", " \u{2013} ", " - "]);
    let (head, about) = split.unwrap_or_else(|| {
        let end = bullet.text.as_str().len();
        (bullet.text.clone(), bullet.text.slice(end..end))
    });
    let (name, bracket) = bracketed(&head);
    let words = name.as_str().split_whitespace().count();
    let words_max = if bracket.is_some() { NAME_WORDS_MAX } else { BARE_NAME_WORDS_MAX };
    let long = words > words_max;
    let is_name = (1..=LONG_NAME_WORDS_MAX).contains(&words)
        && (!long || !about.is_empty())
        && name.as_str().chars().count() <= NAME_CHARS_MAX
        && name.as_str().starts_with(char::is_alphabetic)
        && !name.as_str().contains(['.', '!', '?', ';', ',', '{', '=']);
    is_name.then_some(Declaration { bracket, about, long })
}

/// `Name (bracket)` or `Name [bracket]` taken apart; without a bracket at the end it is all name.
pub fn bracketed(text: &Text) -> (Text, Option<Text>) {
    let words = text.as_str();
    let pair = [('(', ')'), ('[', ']')].into_iter().find(|(_, close)| words.ends_with(*close));
    match pair.and_then(|(open, _)| words.find(open)) {
        Some(open) => {
            let inner = text.slice(open + 1..words.len() - 1).trim();
            (text.slice(0..open).trim(), (!inner.is_empty()).then_some(inner))
        }
        None => (text.clone(), None),
    }
}
