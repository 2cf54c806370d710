//! How texts, names and a roll's arithmetic are put into a sentence.

use crate::record::entry::RollRecord;
use rollbook_dice::EnteredRoller;

/// The name of who acts, at the beginning of a sentence.
pub fn actor_name(actor: &str) -> &str {
    if actor == "gm" { "The GM" } else { actor }
}

/// A text on one line, with an end.
pub(super) fn as_sentence(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ends = line
        .trim_end_matches(['"', '\'', '”', '’', '»', ')', '*', '_'])
        .ends_with(['.', '!', '?', '…', ':', '。', '！', '？']);
    if ends { line } else { line + "." }
}

/// Text in brackets after a sentence.
pub fn in_brackets(words: Option<&str>) -> String {
    words.map_or(String::new(), |words| format!(" ({})", words.trim_end_matches('.')))
}

/// Characters of arithmetic in a sentence; the entry's roll holds all of it.
const ARITHMETIC_MAX: usize = 600;

/// A roll's arithmetic, cut when it has hundreds of dice.
pub fn arithmetic(record: &RollRecord) -> String {
    let whole = &record.roll.explanation;
    let mut text = match whole.char_indices().nth(ARITHMETIC_MAX) {
        Some((cut, _)) => {
            let dice = record.roll.dice().len();
            format!("{}… ({dice} dice) = {}", whole.get(..cut).unwrap_or_default(), record.roll.total)
        }
        None => whole.clone(),
    };
    if record.source == EnteredRoller::SOURCE {
        text.push_str(" (entered by hand)");
    }
    text
}
