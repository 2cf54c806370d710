//! Ranges of scores as people write them.

/// Bytes of prose that are looked at for one range.
const CLAUSE_BYTES_MAX: usize = 80;
/// Numbers of a text that are looked at for a range.
const RANGES_MAX: usize = 50;

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

/// A range or a single score or an open one, as score tables have them: `3-8`, `10`, `20+`, `3 or less`.
pub fn score(text: &str) -> Option<(i64, i64)> {
    if let Some(range) = range(text) {
        return Some(range);
    }
    let (number, rest) = number(text)?;
    match rest.trim().to_lowercase().as_str() {
        "" => Some((number, number)),
        "+" | "or more" | "or higher" | "and up" | "and above" => Some((number, i64::MAX)),
        "or less" | "or lower" | "and below" | "and under" | "-" => Some((i64::MIN, number)),
        _ => None,
    }
}

/// The first range anywhere in words: "Scores go 3 to 18", "each 3-18". A list of numbers is none.
pub fn in_words(text: &str) -> Option<(i64, i64)> {
    let starts = text.char_indices().filter(|(at, letter)| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        let begins = letter.is_ascii_digit() || matches!(letter, '-' | '+' | '\u{2212}');
        begins && before.is_none_or(|before| before.is_whitespace() || before == '(')
    });
    starts.take(RANGES_MAX).find_map(|(at, _)| {
        let rest = text.get(at..text.floor_char_boundary(at + CLAUSE_BYTES_MAX)).unwrap_or_default();
        let clause = rest.split([',', ';', '(', ')', ':', '.']).next().unwrap_or_default();
        let words: Vec<&str> = clause.split_whitespace().collect();
        let first = |many: usize| words.get(..many.min(words.len())).unwrap_or_default().join(" ");
        [first(1), first(3)].into_iter().filter(|words| !words.contains(" and ")).find_map(|words| range(&words))
    })
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

    #[test]
    fn a_range_may_stand_in_any_words() {
        for text in ["Scores go from 3 to 18", "each 3-18, as rolled", "rated (3 to 18)", "Six numbers: 3 to 18 each"] {
            assert_eq!(in_words(text), Some((3, 18)), "{text}");
        }
        for text in ["+2, +1, +1, +0 and -1", "12 and 15 are good scores", "3 players, 18 foes", "room 3-18b"] {
            assert_eq!(in_words(text), None, "{text}");
        }
    }

    #[test]
    fn tables_have_single_and_open_scores() {
        assert_eq!(score("10"), Some((10, 10)));
        assert_eq!(score("18+"), Some((18, i64::MAX)));
        assert_eq!(score("3 or less"), Some((i64::MIN, 3)));
        assert_eq!(score("-1"), Some((-1, -1)));
        assert_eq!(score("2-3"), Some((2, 3)));
        assert_eq!(score("low"), None);
    }
}
