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
}
