//! Dice named in words: "a twenty-sided die", "two six-sided dice", "percentile dice", "four Fudge dice".

use crate::rules::language::number_words::counted;
use crate::rules::language::plain::{Found, each_word};

/// The first dice that are named in words, in notation.
pub fn first(words: &str) -> Option<Found> {
    let mut before: Option<(usize, &str)> = None;
    for (at, word) in each_word(words, |letter| !(letter.is_alphanumeric() || letter == '-')) {
        let lower = word.to_ascii_lowercase();
        let count = || before.and_then(|(_, word)| number(word));
        let start = || before.filter(|(_, word)| number(word).is_some()).map_or(at, |(start, _)| start);
        let end = at + word.len();
        if let Some(sides) = lower.strip_suffix("-sided").and_then(number) {
            return Some(Found { at: start()..end, notation: format!("{}d{sides}", count().unwrap_or(1)) });
        }
        let followed_by_dice =
            || words.get(end..).unwrap_or_default().trim_start().to_ascii_lowercase().starts_with("dice");
        match lower.as_str() {
            "percentile" => {
                return Some(Found { at: at..end, notation: "1d%".to_owned() });
            }
            "fudge" | "fate" if followed_by_dice() => {
                return Some(Found { at: start()..end, notation: format!("{}dF", count().unwrap_or(4)) });
            }
            _ => before = Some((at, word)),
        }
    }
    None
}

fn number(word: &str) -> Option<u32> {
    let number = if word.eq_ignore_ascii_case("single") { Some(1) } else { counted(word, 1..=1000) };
    number.and_then(|number| u32::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Option<String> {
        first(words).map(|found| found.notation)
    }

    #[test]
    fn dice_are_named_in_words() {
        assert_eq!(read("roll a twenty-sided die.").as_deref(), Some("1d20"));
        assert_eq!(read("Roll two six-sided dice and add").as_deref(), Some("2d6"));
        assert_eq!(read("Percentile dice; low is good").as_deref(), Some("1d%"));
        assert_eq!(read("Four Fudge dice, each").as_deref(), Some("4dF"));
        assert_eq!(read("3 10-sided dice").as_deref(), Some("3d10"));
        assert_eq!(read("a twist of fate. Many-sided").as_deref(), None);
        let found = first("Now roll a twenty-sided die.").expect("dice");
        assert_eq!(found.at, 9..23);
    }

    #[test]
    fn numbers_are_read_as_words_and_as_digits() {
        for (word, number) in [("seven", 7), ("nine", 9), ("eleven", 11), ("twelve", 12)] {
            for count in [word.to_owned(), number.to_string()] {
                assert_eq!(read(&format!("Roll {count} six-sided dice")), Some(format!("{number}d6")));
                assert_eq!(read(&format!("Roll a {count}-sided die")), Some(format!("1d{number}")));
            }
        }
    }
}
