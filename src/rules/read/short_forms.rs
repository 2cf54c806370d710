//! Attributes named in prose by their short forms.

use std::ops::Range;

/// The words in capitals, two to four letters each, with which prose begins: `STR, DEX and CON`.
pub fn short_forms(words: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for part in words.split([',', ' ']) {
        let at = start..start + part.len();
        start = at.end + 1;
        match part.len() {
            2..=4 if part.chars().all(|letter| letter.is_ascii_uppercase()) => found.push(at),
            0 => {}
            _ if matches!(part, "and" | "or" | "&") => {}
            _ => break,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::short_forms;

    #[test]
    fn prose_may_begin_with_short_forms() {
        assert_eq!(short_forms("STR, DEX and CON, each a modifier").len(), 3);
        assert!(short_forms("Six scores: STR, DEX").is_empty());
    }
}
