//! Numbers that people write out.

use std::ops::RangeInclusive;

const SMALL: [&str; 13] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const LARGE: [(&str, i64); 3] = [("twenty", 20), ("thirty", 30), ("hundred", 100)];

/// The number that a word stands for, in digits or letters, where it is one of these: `3`, `three`, `a`.
pub fn counted(word: &str, within: RangeInclusive<i64>) -> Option<i64> {
    let word = word.to_ascii_lowercase();
    let number = match word.as_str() {
        "a" | "an" => Some(1),
        word => word.parse().ok(),
    };
    number.filter(|number| within.contains(number)).or_else(|| number_word(&word, within))
}

/// The same of words alone.
pub fn number_word(word: &str, within: RangeInclusive<i64>) -> Option<i64> {
    let small = SMALL.iter().zip(0..).find(|(own, _)| **own == word).map(|(_, number)| number);
    let large = || LARGE.iter().find(|(own, _)| *own == word).map(|(_, number)| *number);
    small.or_else(large).filter(|number| within.contains(number))
}

#[cfg(test)]
mod tests {
    use super::{counted, number_word};

    #[test]
    fn words_are_read_within_bounds() {
        assert_eq!(number_word("zero", 0..=6), Some(0));
        assert_eq!(number_word("twelve", 1..=12), Some(12));
        assert_eq!(number_word("hundred", 1..=100), Some(100));
        assert_eq!(number_word("four", 1..=3), None);
        assert_eq!(number_word("4", 0..=100), None);
        for (word, number) in
            [("4", Some(4)), ("Four", Some(4)), ("an", Some(1)), ("13", None), ("twenty", None), ("x", None)]
        {
            assert_eq!(counted(word, 1..=12), number, "{word}");
        }
    }
}
