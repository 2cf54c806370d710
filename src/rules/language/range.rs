//! Ranges of scores as people write them.

/// A range: `3 to 20`, of sizes of dice `d4 to d12`, `3-20`, `from 3 to 20`, `between 3 and 20`, `-3 to +3`, `3..20`; what follows a comma, a full stop
/// or a bracket is ignored. None when it is no range or upside down.
pub fn range(text: &str) -> Option<(i64, i64)> {
    let (low, high) = bounds(text)?;
    (low <= high).then_some((low, high))
}

/// The two ends of a range as written, even upside down.
pub fn bounds(text: &str) -> Option<(i64, i64)> {
    let text = text.trim();
    let text = text.split([',', ';', '(']).next().unwrap_or(text).trim().trim_end_matches('.');
    let lower = text.to_lowercase();
    let body = lower.strip_prefix("from ").or_else(|| lower.strip_prefix("between ")).unwrap_or(&lower);
    // `d4 to d12`
    let size = body.strip_prefix('d').filter(|size| size.starts_with(|own: char| own.is_ascii_digit()));
    let (low, rest) = number(size.unwrap_or(body))?;
    let rest = rest.trim_start();
    let separators =
        ["to ", "through ", "and ", "until ", "...", "..", "\u{2026}", "-", "\u{2013}", "\u{2014}", "\u{2212}"];
    let rest = separators.iter().find_map(|separator| rest.strip_prefix(separator))?;
    let rest = if size.is_some() { rest.trim_start().strip_prefix('d')? } else { rest };
    let (high, rest) = number(rest)?;
    rest.trim().is_empty().then_some((low, high))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_written_in_many_ways() {
        for text in
            ["3 to 20", "3-20", "3 – 20", "from 3 to 20.", "Between 3 and 20", "3..20", "3 to 20, ten is average"]
        {
            assert_eq!(range(text), Some((3, 20)), "{text}");
        }
        for text in ["d4 to d12", "d4-d12", "from d4 to d12, a die"] {
            assert_eq!(range(text), Some((4, 12)), "{text}");
        }
        assert_eq!(range("d6-1"), None);
        assert_eq!(range("-3 to +3"), Some((-3, 3)));
        assert_eq!(range("\u{2212}3 to 3"), Some((-3, 3)));
    }

    #[test]
    fn what_is_no_range_is_none() {
        for text in ["", "three to five", "3", "3 to", "20 to 3", "3 to 20 or so", "99999999999999999999 to 3"] {
            assert_eq!(range(text), None, "{text}");
        }
        assert_eq!(bounds("20 to 3"), Some((20, 3)));
    }
}
