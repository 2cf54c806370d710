//! Finds where dice are named among words: `2d6`, `d%`, `4dF`.

use std::ops::Range;

/// Every place where dice are named, counts included: `2d6`, `d%`, `4dF`.
pub fn dice_mentions(words: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        while let Some(at) = words.get(from..)?.find(['d', 'D']).map(|offset| from + offset) {
            from = at + 1;
            let before = words.get(..at)?;
            let digits = before.len() - before.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
            let start = at - digits;
            let glued = words.get(..start)?.chars().next_back().is_some_and(char::is_alphanumeric);
            if let (false, Some(end)) = (glued, die_end(words, at + 1)) {
                from = end;
                return Some(start..end);
            }
        }
        None
    })
}

/// Letters for a die in other languages: `1W20`, `1k20`, `1T20`.
const FOREIGN: [char; 6] = ['w', 'W', 'k', 'K', 't', 'T'];
/// Sizes of dice that people have.
const FOREIGN_SIZES: [&str; 9] = ["2", "3", "4", "6", "8", "10", "12", "20", "100"];

/// The first dice that are written with another language's letter, and as they are rolled here: `1W20` is `1d20`.
pub fn foreign_die(words: &str) -> Option<(Range<usize>, String)> {
    words.match_indices(FOREIGN).find_map(|(at, letter)| {
        let before = words.get(..at)?;
        let start = before.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
        let glued = before.get(..start)?.chars().next_back().is_some_and(char::is_alphanumeric);
        let rest = words.get(at + 1..)?;
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let size = rest.get(..digits)?;
        let end = rest.get(digits..)?.chars().next().is_some_and(char::is_alphanumeric);
        // W20 is a die; T20 and K2 are also what a tram and a mountain are called.
        let counted = start < at || letter.eq_ignore_ascii_case("w");
        (!glued && !end && counted && FOREIGN_SIZES.contains(&size))
            .then(|| (start..at + 1 + digits, format!("{}d{size}", before.get(start..).unwrap_or_default())))
    })
}

/// Where the size of a die that begins here ends: `20`, `%`, `F`.
fn die_end(words: &str, at: usize) -> Option<usize> {
    let rest = words.get(at..)?;
    let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    let end = match (digits, rest.chars().next()?) {
        (1..=4, _) => return Some(at + digits),
        (0, '%') => at + 1,
        (0, 'F' | 'f') => at + 1,
        _ => return None,
    };
    let glued = words.get(end..)?.chars().next().is_some_and(char::is_alphanumeric);
    (!glued).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_found_and_words_are_not() {
        let found: Vec<&str> = "from d4 to D12, 4dF, d%; id3, add2, 3d, dfoo, d20kh1, d12345".split(' ').collect();
        let words = found.join(" ");
        let named: Vec<&str> = dice_mentions(&words).map(|at| &words[at]).collect();
        assert_eq!(named, ["d4", "D12", "4dF", "d%", "d20"]);
    }

    #[test]
    fn dice_with_another_letter_are_found() {
        let found = |words: &str| foreign_die(words).map(|(at, english)| (words[at].to_owned(), english));
        assert_eq!(found("Wirf 1W20 und addiere"), Some(("1W20".to_owned(), "1d20".to_owned())));
        assert_eq!(found("Rzut: 2k6"), Some(("2k6".to_owned(), "2d6".to_owned())));
        assert_eq!(found("W100"), Some(("W100".to_owned(), "d100".to_owned())));
        for words in ["K2", "T20", "4k", "1w5", "WWW20", "20 kg", "2wk6x", "3t6th"] {
            assert_eq!(found(words), None, "{words}");
        }
    }
}
