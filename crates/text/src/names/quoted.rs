//! Names and texts of others as they are shown again: short, and obeyed by no terminal and by no
//! reader's eye.
//!
//! Apart from how names are compared: here a text is kept as it was written, but for what could do
//! harm in it.

use std::borrow::Cow;

/// Names side by side in at most `most` characters, whole ones alone: "Cobb, Lisk and 12 more". The
/// first is always there.
pub fn listed<'n>(names: impl IntoIterator<Item = &'n str>, most: usize) -> String {
    let mut list = String::new();
    let mut names = names.into_iter();
    while let Some(name) = names.next() {
        let separator = if list.is_empty() { "" } else { ", " };
        if !list.is_empty() && list.chars().count() + separator.len() + name.chars().count() > most
        {
            return format!("{list} and {} more", 1 + names.count());
        }
        list.push_str(separator);
        list.push_str(name);
    }
    list
}

/// Characters of a name that are quoted back to the sender.
const QUOTED_MAX: usize = 40;

/// A text of at most `most` characters, `…` at its end when there was more.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text
            .chars()
            .take(most.saturating_sub(1))
            .chain(['…'])
            .collect(),
        None => text.to_owned(),
    }
}

/// A name as it is quoted back: short, on one line, and with nothing in it that a terminal obeys.
pub fn quoted(name: &str) -> String {
    printable(&shortened(name, QUOTED_MAX)).replace(['\n', '\t'], " ")
}

/// A text as it is written between the tags of HTML or SVG.
pub fn for_markup(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// A word as a shell takes it: quoted, unless it is plain.
pub fn for_shell(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=@,+".contains(letter);
    if !word.is_empty()
        && word
            .chars()
            .all(|letter| is_plain(letter) || (cfg!(windows) && letter == '\\'))
    {
        word.to_owned()
    } else if cfg!(windows) {
        format!("\"{word}\"")
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A text that a terminal can show without obeying it: control characters and those that turn the
/// direction of writing are shown as `\u{202e}`, line ends and tabs are kept.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\t' => shown.push(letter),
            letter if letter.is_control() || is_direction(letter) => {
                shown.extend(letter.escape_unicode())
            }
            letter => shown.push(letter),
        }
    }
    shown
}

/// The same in one line: ends of lines are shown, too, so that nothing in it can be a line by
/// itself.
pub fn in_one_line(text: &str) -> String {
    printable(text).replace('\n', "\\n").replace('\t', " ")
}

/// A text in which whatever turns the direction of writing is a `U+FFFD`; it stays JSON if it was.
pub fn undirected(text: &str) -> Cow<'_, str> {
    match text.contains(is_direction) {
        true => Cow::Owned(text.replace(is_direction, "\u{fffd}")),
        false => Cow::Borrowed(text),
    }
}

/// Whether a character turns the direction of writing for what follows it.
pub fn is_direction(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_cut_between_names() {
        assert_eq!(listed(["Cobb", "Lisk", "Neave"], 17), "Cobb, Lisk, Neave");
        assert_eq!(
            listed(["Cobb", "Lisk", "Neave"], 16),
            "Cobb, Lisk and 1 more"
        );
        assert_eq!(listed(["Cobb", "Lisk", "Neave"], 3), "Cobb and 2 more");
        assert_eq!(listed([], 3), "");
    }

    #[test]
    fn what_is_quoted_back_is_short_and_obeyed_by_nobody() {
        assert_eq!(
            quoted("a\u{202e}b\u{1b}[31m\nc"),
            "a\\u{202e}b\\u{1b}[31m c"
        );
        assert_eq!(quoted(&"x".repeat(5000)).chars().count(), 40);
        assert_eq!(shortened("żółw", 4), "żółw");
        assert_eq!(shortened("żółwie", 4), "żół…");
        assert_eq!(undirected("a\u{202e}b"), "a\u{fffd}b");
    }
}
