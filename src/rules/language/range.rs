//! Numbers at the beginning of a text.

/// A signed number and what follows it.
pub fn number(text: &str) -> Option<(i64, &str)> {
    let text = text.trim_start();
    let (negative, digits) = match text.strip_prefix(['-', '\u{2212}', '\u{2013}']) {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
    let number: i64 = digits.get(..end)?.parse().ok()?;
    Some((if negative { -number } else { number }, digits.get(end..)?))
}
