//! Expressions as people write them in prose: "d20 + DEX modifier", "10 + CON modifier", "half DEX".
//!
//! ```text
//! plain   = operand { ("+"|"-"|"*"|"×"|"/"|"plus"|"minus"|"times") operand }
//! operand = dice | [ "-" ] NUMBER | "{" … "}" | ("half"|"twice") [ "of" ] ( name | "{" … "}" ) | name       name = one to four known words
//! ```
//!
//! The result is notation, which the dice engine then reads like any other.

mod dice;
mod operand;
mod scan;

use std::ops::Range;

use super::names::Names;
use operand::name;

pub use dice::{dice_mentions, foreign_die, is_rolled_on, roll_and_keep};
pub use operand::operand;
pub use scan::{operator, skip_space};

/// Operands of one expression; what follows is not read.
const OPERANDS_MAX: usize = 20;

/// An expression found in prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its bytes in the words.
    pub at: Range<usize>,
    /// It in notation.
    pub notation: String,
}

/// The longest expression that begins here.
pub fn expression_at(words: &str, start: usize, names: &Names) -> Option<Found> {
    let (mut end, mut notation) = operand(words, start, names)?;
    for _ in 1..OPERANDS_MAX {
        let Some((after, sign)) = operator(words, skip_space(words, end)) else {
            break;
        };
        let Some((next, piece)) = operand(words, skip_space(words, after), names) else {
            break;
        };
        notation = format!("{notation} {sign} {piece}");
        end = next;
    }
    Some(Found { at: start..end, notation })
}

/// The whole of the words as an expression; none when anything is left over but a full stop.
pub fn whole(words: &str, names: &Names) -> Option<Found> {
    let start = skip_space(words, 0);
    let found = expression_at(words, start, names)?;
    let rest = words.get(found.at.end..)?;
    rest.trim_matches(|letter: char| letter.is_whitespace() || letter == '.').is_empty().then_some(found)
}

/// The words with a sign for each word that means one and braces around each known name; what else stands there stays as it
/// is. What comes of it is notation only where the words were an expression.
pub fn in_signs(words: &str, names: &Names) -> String {
    let mut notation = String::with_capacity(words.len());
    let mut at = 0;
    while let Some(letter) = words.get(at..).and_then(|rest| rest.chars().next()) {
        let begins_word =
            !words.get(..at).and_then(|before| before.chars().next_back()).is_some_and(char::is_alphanumeric);
        let called =
            || name(words, at, names).filter(|(end, _)| !words.get(*end..).unwrap_or_default().starts_with('('));
        let braces = words.get(at..).filter(|_| letter == '{').and_then(|rest| rest.find('}'));
        let (end, piece) = if let Some(length) = braces {
            (at + length + 1, words.get(at..at + length + 1).unwrap_or_default().to_owned())
        } else if let Some((end, sign)) = operator(words, at).filter(|_| begins_word || !letter.is_alphabetic()) {
            (end, sign.to_owned())
        } else if let Some((end, variable)) = (begins_word && letter.is_alphabetic()).then(called).flatten() {
            (end, format!("{{{variable}}}"))
        } else {
            (at + letter.len_utf8(), letter.to_string())
        };
        notation.push_str(&piece);
        at = end.max(at + 1);
    }
    notation
}

/// Whether words begin with a sign that adds, takes away or multiplies; a dash between words is none.
pub fn begins_with_sign(words: &str) -> bool {
    let words = words.trim_start();
    let dash = words.starts_with('\u{2013}') && words.chars().nth(1).is_none_or(char::is_whitespace);
    // "X marks the spot."
    let letter = words.starts_with(['x', 'X']);
    !dash && !letter && operator(words, 0).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Place, Span};
    use crate::rules::language::attributes::attribute::Attribute;
    use crate::rules::language::attributes::modifier::Modifier;

    fn names() -> Names {
        let attribute = |name: &str, abbr: &str| Attribute {
            name: name.into(),
            abbr: Some(abbr.into()),
            about: String::new(),
            range: None,
            modifier: Modifier::score(),
            place: Place::default(),
            span: Span::default(),
        };
        Names::default().and_attributes(&[attribute("Dexterity", "DEX"), attribute("Constitution", "CON")])
    }

    fn read(words: &str) -> Option<String> {
        whole(words, &names()).map(|found| found.notation)
    }

    #[test]
    fn plain_words_become_notation() {
        assert_eq!(read("10 + CON modifier").as_deref(), Some("10 + {CON}"));
        assert_eq!(read("d20 plus your Dexterity").as_deref(), Some("d20 + {DEX}"));
        assert_eq!(read("half DEX").as_deref(), Some("floor({DEX} / 2)"));
        assert_eq!(read("half the sum of DEX and CON").as_deref(), Some("floor(({DEX} + {CON}) / 2)"));
        assert_eq!(read("the average of DEX, CON").as_deref(), Some("floor(({DEX} + {CON}) / 2)"));
        assert_eq!(read("the sum of DEX, CON, and DEX + 2").as_deref(), Some("({DEX} + {CON} + {DEX}) + 2"));
        assert_eq!(read("the sum of DEX"), None);
        assert_eq!(read("8 × level – 1.").as_deref(), Some("8 * {level} - 1"));
        assert_eq!(read("CON score + {class base}").as_deref(), Some("{CON score} + {class base}"));
        assert_eq!(read("10 + CON - 1").as_deref(), Some("10 + {CON} - 1"));
        assert_eq!(read("10 + luck"), None);
        assert_eq!(read("a hearty meal"), None);
    }

    #[test]
    fn roll_and_keep_is_no_die_in_polish() {
        for (words, meant) in [
            ("7k3", Some("`7d10kh3`")),
            ("(FIR + Sword)kFIR, tens explode", Some("`({Fire} + {Sword})d10kh{Fire}`")),
            ("2k6", None),
            ("7d10kh3", None),
            ("kick 3", None),
            ("4d6k3", None),
        ] {
            assert_eq!(roll_and_keep(words).is_some(), meant.is_some(), "{words}");
            assert!(roll_and_keep(words).unwrap_or_default().contains(meant.unwrap_or_default()), "{words}");
        }
    }

    #[test]
    fn names_get_braces_and_words_get_signs() {
        for (words, notation) in [
            ("1d20 + DEX", "1d20 + {DEX}"),
            ("floor(DEX / 2) plus your Constitution", "floor({DEX} / 2) + {CON}"),
            ("1d{trait}!! × {DEX=1}", "1d{trait}!! * {DEX=1}"),
            ("DEXTROUS surplus", "DEXTROUS surplus"),
        ] {
            assert_eq!(in_signs(words, &names()), notation);
        }
    }
}
