//! Bullets of the shape `- Name (ABBR): prose`.

use super::labels::is_mechanical;
use super::ledger::Ledger;
use crate::diagnostic::{Diagnostic, Fix, Span};
use crate::rules::codes;
use crate::rules::document::{Bullet, Text};
use crate::rules::language::range;

/// Something that a bullet declares.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// Its name.
    pub name: Text,
    /// What stands in brackets after the name.
    pub bracket: Option<Text>,
    /// What is said about it; may be empty.
    pub about: Text,
    /// The whole bullet.
    pub span: Span,
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
    is_name.then(|| Declaration { name, bracket, about, span: bullet.text.span(), long })
}

/// The same where nothing behind a long name can show that it is one. What looks like a rule there is told.
pub fn short_declaration(bullet: &Bullet, ledger: &mut Ledger<'_>) -> Option<Declaration> {
    let declared = declaration(bullet, ledger)?;
    if declared.long && !says_worth(&declared) {
        if is_mechanical(&declared.about) {
            let meanwhile = "a name of more than three words is prose here; put a short form behind it in brackets";
            ledger.left_to_gm(declared.name.span(), meanwhile);
        }
        return None;
    }
    Some(declared)
}

/// `Jack of all trades: base 0`: behind a name of some words what it is worth, or how far it goes.
fn says_worth(declared: &Declaration) -> bool {
    let about = declared.about.as_str();
    let short = declared.name.as_str().split_whitespace().count() <= NAME_WORDS_MAX;
    let number = || range::number(about).is_some_and(|(_, rest)| matches!(rest.trim(), "" | "%"));
    short && (about.to_ascii_lowercase().starts_with("base ") || number() || range::range(about).is_some())
}

/// Several names in one bullet, where each has a bullet of its own: `Wits, Grace`, `Climb (STR), Read (WIS)`.
pub fn in_a_row(bullet: &Bullet) -> Option<Diagnostic> {
    if bullet.depth > 0 || bullet.text.as_str().contains([':', '.', ';', '?', '!', '{', '=']) {
        return None;
    }
    let names = bullet.text.split_all(&[",", " and "]);
    let is_name = |part: &Text| {
        let (name, bracket) = bracketed(part);
        let words = name.as_str().split_whitespace().count();
        let is_short = bracket.is_none_or(|own| own.as_str().split_whitespace().count() <= 2);
        (1..=BARE_NAME_WORDS_MAX).contains(&words)
            && is_short
            && name.as_str().starts_with(char::is_uppercase)
            && !name.as_str().contains(['(', ')', '[', ']'])
    };
    if names.len() < 2 || !bullet.text.as_str().contains(',') || !names.iter().all(is_name) {
        return None;
    }
    let replacement = names.iter().map(Text::as_str).collect::<Vec<_>>().join("\n- ");
    let message = "put each in a bullet of its own".to_owned();
    let fix = Fix { span: bullet.text.span(), replacement: replacement.clone(), message };
    let found =
        Diagnostic::warning(codes::LOOKS_LIKE_A_RULE, "this looks like several names, and none of them is read");
    let shown = replacement.split('\n').take(2).collect::<Vec<_>>().join("`, `");
    Some(
        found
            .at(bullet.text.span(), "read as prose")
            .help(format!("each has a bullet of its own: `- {shown}`"))
            .fix(fix),
    )
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
