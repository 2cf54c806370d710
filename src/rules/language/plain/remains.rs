//! Finds what stands behind an expression and was meant to belong to it: a sign with nothing to add, an undeclared name.

use std::ops::Range;

use super::scan::{operator, skip_space, word_at};

/// A sign behind an expression that ends here with nothing to add behind it: `1d20 + + modifiers`, `1d20 +.`; both signs.
pub fn dangling(words: &str, end: usize) -> Option<Range<usize>> {
    let start = skip_space(words, end);
    let (after, _) = operator(words, start)?;
    let next = skip_space(words, after);
    let letter = words.get(next..)?.chars().next();
    match operator(words, next) {
        Some((second, _)) => Some(start..second),
        None if letter.is_none_or(|letter| matches!(letter, '.' | ',' | ';' | ')')) => Some(start..after),
        None => None,
    }
}

/// A name that is added to an expression that ends here, and means nothing: `d20 + FOO modifier`. A word that is neither a short
/// form in capitals nor called a modifier is prose.
pub fn undeclared(words: &str, end: usize) -> Option<Range<usize>> {
    let (after, _) = operator(words, skip_space(words, end))?;
    let start = skip_space(words, after);
    let rest = words.get(start..)?;
    let length = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
    let word = rest.get(..length)?;
    let is_short = length > 1 && word.chars().all(char::is_uppercase);
    let next = skip_space(words, start + length);
    let is_called = ["modifier", "bonus", "score"].iter().any(|called| word_at(words, next, called).is_some());
    (length > 0 && (is_short || is_called)).then(|| start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_and_means_nothing_is_found() {
        let found = |words: &str| undeclared(words, 3).map(|at| words[at].to_owned());
        assert_eq!(found("d20 + FOO modifier").as_deref(), Some("FOO"));
        assert_eq!(found("d20 + FOO").as_deref(), Some("FOO"));
        assert_eq!(found("d20 + luck bonus.").as_deref(), Some("luck"));
        for prose in ["d20 + whatever helps", "d20, FOO", "d20", "d20 + "] {
            assert_eq!(found(prose), None, "{prose}");
        }
    }

    #[test]
    fn a_sign_with_nothing_behind_it_dangles() {
        assert_eq!(dangling("1d20 + + modifiers", 4), Some(5..8));
        assert_eq!(dangling("1d20 +.", 4), Some(5..6));
        for fine in ["1d20 + luck", "1d20 against it", "1d20.", "1d20 - your best guess"] {
            assert_eq!(dangling(fine, 4), None, "{fine}");
        }
    }
}
