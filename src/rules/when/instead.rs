//! What people write into a *When* cell that is not read, in the words that are.

use super::error::{Instead, WhenError};
use super::named::Named;
use super::parser;
use crate::rules::document::Text;
use crate::rules::when::When;

/// Reads a *When* cell, in which values of the check may be named.
///
/// # Errors
/// When the cell is not a condition; the error says where and, where it can, what to write.
pub fn parse(cell: &Text, named: &[Named]) -> Result<When, WhenError> {
    let words = cell.as_str().trim();
    // `no` is the name of no dice.
    if words.starts_with("no ")
        && let Some(turned) = turned(words)
        && let Ok(read) = parser::read(&Text::invented(&turned, cell.span()), named)
    {
        return Ok(read);
    }
    parser::read(cell, named).map_err(|error| match instead(cell, named) {
        Some(instead) => {
            let help = match instead.sure {
                true => format!("write `{}`", instead.words),
                false => {
                    format!("say of what: `{0}`, `{1}`", instead.words, instead.words.replacen("total", "margin", 1))
                }
            };
            WhenError { help: Some(help), instead: Some(instead), ..error }
        }
        None => error,
    })
}

/// What stands for the last row elsewhere.
const OTHERWISE: [&str; 11] = [
    "miss",
    "a miss",
    "otherwise",
    "else",
    "any other",
    "anything else",
    "all else",
    "any",
    "default",
    "everything else",
    "the rest",
];
/// Quotation marks around a whole cell.
const QUOTES: [char; 9] = ['"', '\'', '\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{ab}', '\u{bb}'];
/// Signs of comparison, the longer ones first.
const SIGNS: [(&str, &str); 9] = [
    (">=", "at least"),
    ("=>", "at least"),
    ("<=", "at most"),
    ("==", ""),
    ("\u{2265}", "at least"),
    ("\u{2264}", "at most"),
    (">", "more than"),
    ("<", "less than"),
    ("=", ""),
];

/// The same cell in words that are read; none when nobody knows what is meant.
pub(super) fn instead(cell: &Text, named: &[Named]) -> Option<Instead> {
    let words = cell.as_str().trim().trim_end_matches('.').trim_matches(QUOTES).trim();
    let words = ["on a roll of ", "on a ", "on an ", "on ", "a roll of "]
        .iter()
        .find_map(|own| words.strip_prefix(own))
        .unwrap_or(words);
    if OTHERWISE.iter().any(|other| other.eq_ignore_ascii_case(words)) {
        return Some(Instead { words: "otherwise".to_owned(), sure: true });
    }
    if let Some(met) = met(words).filter(|met| reads(met, cell, named)) {
        return Some(Instead { words: met, sure: true });
    }
    let words = or_less(&compared(words));
    if let Some(turned) = turned(&words).filter(|turned| reads(turned, cell, named)) {
        return Some(Instead { words: turned, sure: true });
    }
    let bare = words.starts_with(|letter: char| letter.is_ascii_digit() || matches!(letter, '-' | '+'))
        || ["at ", "more ", "less "].iter().any(|opening| words.starts_with(opening));
    let words = if bare { format!("total {words}") } else { words };
    reads(&words, cell, named).then_some(Instead { words, sure: !bare })
}

/// Whether other words than those of the cell are a condition.
fn reads(words: &str, cell: &Text, named: &[Named]) -> bool {
    let read = parser::read(&Text::invented(words, cell.span()), named);
    // Without a number a word alone means anything but zero, and nobody meant that by what could not be read.
    words != cell.as_str() && matches!(read, Ok(When::Any(_)))
}

/// `meets or beats the DC` and `at most the target` as `margin 0+`, `at most a fifth of the target` as `total at most floor(target / 5)`.
fn met(words: &str) -> Option<String> {
    const REACHED: [&str; 12] = [
        "meets or beats ",
        "meet or beat ",
        "beats or meets ",
        "equals or beats ",
        "meets or exceeds ",
        "equal or beat ",
        "at least ",
        "at most ",
        "up to ",
        "equal to or under ",
        "equal or under ",
        "roll at most ",
    ];
    const TARGETS: [&str; 6] = ["dc", "tn", "target number", "difficulty", "target", "target value"];
    const PARTS: [(&str, i64); 9] = [
        ("half of ", 2),
        ("half ", 2),
        ("a third of ", 3),
        ("a quarter of ", 4),
        ("a fifth of ", 5),
        ("one fifth of ", 5),
        ("1/5 of ", 5),
        ("a tenth of ", 10),
        ("a twentieth of ", 20),
    ];
    let lower = words.to_ascii_lowercase();
    let rest = REACHED.iter().find_map(|own| lower.strip_prefix(own))?;
    let under = ["at most", "up to", "equal to or under", "equal or under", "roll at most"]
        .iter()
        .any(|own| lower.starts_with(own));
    let part = PARTS.iter().find_map(|(own, by)| Some((rest.strip_prefix(own)?, *by))).filter(|_| under);
    let (name, by) = part.unwrap_or((rest, 1));
    let name = ["the ", "your ", "their "].iter().find_map(|own| name.strip_prefix(own)).unwrap_or(name);
    TARGETS.contains(&name).then(|| match by {
        1 => "margin 0+".to_owned(),
        by => format!("total at most floor(target / {by})"),
    })
}

/// `3+ successes` as `successes 3+`, `at least 3 successes` as `successes at least 3`.
fn turned(words: &str) -> Option<String> {
    if let Some(none) = words.strip_prefix("no ") {
        return Some(format!("{none} 0"));
    }
    let of_number = |own: &str| own.starts_with(|letter: char| letter.is_ascii_digit());
    let opening = ["at least ", "at most ", "more than ", "less than "].into_iter().find(|own| words.starts_with(own));
    let (number, rest) = words.get(opening.map_or(0, str::len)..)?.split_once(' ')?;
    let (more, rest) = match ["or more ", "or less ", "or fewer "].into_iter().find(|own| rest.starts_with(own)) {
        Some(own) => (if own == "or more " { " or more" } else { " or less" }, rest.get(own.len()..)?),
        None => ("", rest),
    };
    of_number(number).then(|| format!("{rest} {}{number}{more}", opening.unwrap_or_default()))
}

/// `total >= 12` as `total at least 12`.
fn compared(words: &str) -> String {
    let mut said = String::with_capacity(words.len());
    let mut rest = words;
    while let Some(letter) = rest.chars().next() {
        match SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            Some((sign, meaning)) => {
                let gap = if said.ends_with(' ') || said.is_empty() { "" } else { " " };
                said = format!("{said}{gap}{meaning}");
                rest = rest.get(sign.len()..).unwrap_or_default().trim_start();
                if !meaning.is_empty() {
                    said.push(' ');
                }
            }
            None => {
                said.push(letter);
                rest = rest.get(letter.len_utf8()..).unwrap_or_default();
            }
        }
    }
    said
}

/// `total 6-` as `total 6 or less`.
fn or_less(words: &str) -> String {
    match words.strip_suffix(['-', '\u{2212}', '\u{2013}']).map(str::trim_end) {
        Some(number) if number.ends_with(|letter: char| letter.is_ascii_digit()) => format!("{number} or less"),
        _ => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Span;

    #[test]
    fn what_people_write_is_said_in_words_that_are_read() {
        for (written, words, sure) in [
            ("total >= 12", "total at least 12", true),
            ("total=7", "total 7", true),
            ("total > 5 and ones < 2", "total more than 5 and ones less than 2", true),
            ("margin \u{2265} 0", "margin at least 0", true),
            ("total 6-", "total 6 or less", true),
            ("6-", "total 6 or less", false),
            ("10+", "total 10+", false),
            (">= 8", "total at least 8", false),
            ("Otherwise.", "otherwise", true),
            ("any other", "otherwise", true),
            ("on a miss", "otherwise", true),
            ("on a 7-9", "total 7-9", false),
            ("3+ successes", "successes 3+", true),
            ("at least 3 successes", "successes at least 3", true),
            ("2 or more sixes", "sixes 2 or more", true),
            ("no successes", "successes 0", true),
            ("meets or beats the DC", "margin 0+", true),
            ("at most the target", "margin 0+", true),
            ("up to a fifth of the target", "total at most floor(target / 5)", true),
        ] {
            let told = instead(&Text::invented(written, Span::default()), &[]);
            assert_eq!(told, Some(Instead { words: words.to_owned(), sure }), "{written}");
        }
        for unknown in ["doubles", "natural 6 or 1", "luck >= 3", "", "= = ="] {
            assert_eq!(instead(&Text::invented(unknown, Span::default()), &[]), None, "{unknown}");
        }
    }
}
