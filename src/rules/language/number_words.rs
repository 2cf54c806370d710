//! Numbers that people write out.

use std::ops::RangeInclusive;

const SMALL: [&str; 13] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const LARGE: [(&str, i64); 3] = [("twenty", 20), ("thirty", 30), ("hundred", 100)];

/// The number that a word in small letters stands for, where it is one of these.
pub fn number_word(word: &str, within: RangeInclusive<i64>) -> Option<i64> {
    let small = SMALL.iter().zip(0..).find(|(own, _)| **own == word).map(|(_, number)| number);
    let large = || LARGE.iter().find(|(own, _)| *own == word).map(|(_, number)| *number);
    small.or_else(large).filter(|number| within.contains(number))
}

#[cfg(test)]
mod tests {
    use super::number_word;

    #[test]
    fn words_are_read_within_bounds() {
        assert_eq!(number_word("zero", 0..=6), Some(0));
        assert_eq!(number_word("twelve", 1..=12), Some(12));
        assert_eq!(number_word("hundred", 1..=100), Some(100));
        assert_eq!(number_word("four", 1..=3), None);
        assert_eq!(number_word("4", 0..=100), None);
    }
}
