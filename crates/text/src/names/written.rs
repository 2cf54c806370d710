//! The words of a text as they are written: which have a capital, which begin a sentence, which are
//! side by side.

use super::fold;
use unicode_normalization::char::is_combining_mark;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// As names are compared.
    pub folded: String,
    pub capital: bool,
    /// It is the first of a sentence, where a capital says nothing.
    pub opens: bool,
    /// Nothing but a space or a hyphen is between it and the word before it.
    pub joined: bool,
}

impl Written {
    /// Whether it is written as names are.
    pub fn is_name(&self) -> bool {
        self.capital && !self.opens
    }
}

/// The words of a text, in their order.
pub fn written(text: &str) -> Vec<Written> {
    let mut words: Vec<Written> = Vec::new();
    let (mut word, mut gap) = (String::new(), String::new());
    for letter in text.chars().chain([' ']) {
        if letter.is_alphanumeric() || (is_combining_mark(letter) && !word.is_empty()) {
            word.push(letter);
            continue;
        }
        if !word.is_empty() {
            let opens = words.is_empty() || gap.chars().any(|letter| ENDS.contains(letter));
            let joined = !words.is_empty()
                && gap
                    .chars()
                    .all(|letter| letter.is_whitespace() || letter == '-');
            let capital = word.chars().next().is_some_and(char::is_uppercase);
            words.push(Written {
                folded: fold(&word),
                capital,
                opens,
                joined,
            });
            word.clear();
            gap.clear();
        }
        gap.push(letter);
    }
    words
}

/// Marks after which a sentence begins.
const ENDS: &str = ".!?:;\"“”„«»\n";

/// Whether a letter is one of a script without spaces between words.
pub fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_how_they_are_written() {
        let words = written("Grey skies over Ke\u{301}ll's Quay-Side, then. Rain");
        let shown: Vec<(&str, bool, bool)> = words
            .iter()
            .map(|word| (word.folded.as_str(), word.is_name(), word.joined))
            .collect();
        let expected = [
            ("grey", false, false),
            ("skies", false, true),
            ("over", false, true),
            ("kell", true, true),
            ("s", false, false),
            ("quay", true, true),
            ("side", true, true),
            ("then", false, false),
            ("rain", false, false),
        ];
        assert_eq!(shown, expected);
        assert_eq!(written(" …"), []);
    }
}
