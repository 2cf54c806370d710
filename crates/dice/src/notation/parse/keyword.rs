//! The keyword of a modifier: the longest that stands here, and none where it may be something else.
//!
//! Apart from what a keyword means, which only begins once it is known that there is one.

use crate::error::{Code, DiceError, Rewrite};
use crate::modifiers::{self, Word};
use crate::notation::near::repeated;
use crate::notation::parse::Parser;
use crate::notation::parse::dialect::FOREIGN;
use crate::text::Span;
use std::cmp::Reverse;
use std::sync::LazyLock;

/// The word of a modifier.
#[derive(Clone, Copy)]
pub(super) enum Keyword {
    Own(Word),
    /// Of another program.
    Foreign(&'static str),
}

impl Keyword {
    pub(super) fn text(self) -> &'static str {
        match self {
            Keyword::Own(word) => word.text,
            Keyword::Foreign(word) => word,
        }
    }
}

/// All of them, longest first, so that the first that stands there is the longest.
static KEYWORDS: LazyLock<Vec<Keyword>> = LazyLock::new(|| {
    let foreign = FOREIGN.into_iter().map(Keyword::Foreign);
    let mut all: Vec<Keyword> = modifiers::words().map(Keyword::Own).chain(foreign).collect();
    all.sort_by_key(|keyword| Reverse(keyword.text().len()));
    all
});

/// Words that end the modifiers.
const ENDS: [&str; 3] = ["vs", "under", "bands"];

impl Parser<'_> {
    /// The longest keyword that stands here.
    pub(super) fn keyword(&self) -> Option<Keyword> {
        if ENDS.iter().any(|word| self.cursor.at_whole_word(word)) {
            return None;
        }
        // `!odd` is an explosion and a count of odd dice.
        let first = self.cursor.peek();
        let odd = first == b'!' && self.cursor.at_word("!odd");
        let here = |word: &str| word.as_bytes().first() == Some(&first) && self.cursor.at_word(word);
        KEYWORDS.iter().copied().find(|keyword| here(keyword.text()) && !(odd && keyword.text() == "!o"))
    }

    /// Behind a space, `d8` looks like another die and `x 2` like a multiplication: neither is taken for a modifier.
    pub(super) fn written_apart(&self, word: &str) -> Option<DiceError> {
        let start = self.cursor.at();
        let spaced = self.cursor.slice(0, start).ends_with(|before: char| before.is_ascii_whitespace());
        let behind = self.cursor.rest().get(word.len()..).unwrap_or("");
        let digits = behind.trim_start().split(|next: char| !next.is_ascii_digit()).next().unwrap_or("");
        if !spaced || digits.is_empty() {
            return None;
        }
        let range = start..start + word.len();
        let span = Span::new(range.start, range.end);
        let first = Rewrite::new("to add another die").insert(start, "+ ");
        let second = Rewrite::new("to drop the lowest").replace(range.clone(), "dl");
        match word {
            "d" if behind.starts_with(digits) => Some(
                DiceError::new(
                    Code::Ambiguous,
                    span,
                    "Written apart, this could be another die, or dice to drop.",
                    "For another die write `+` before it; to drop the lowest write `dl`.",
                    "4d6 + 1d8",
                )
                .offering(first)
                .offering(second),
            ),
            "x" => Some(
                DiceError::new(
                    Code::Ambiguous,
                    span,
                    "Written apart, `x` could multiply, repeat, or explode.",
                    "To multiply write `*`; to explode write `!` without a space.",
                    "4d6 * 2",
                )
                .offering(Rewrite::new("to multiply").replace(range.clone(), "*"))
                .offering(repeated(self.cursor.text(), self.cursor.slice(0, start).trim(), digits))
                .offering(Rewrite::new("to explode").replace(range, "!")),
            ),
            _ => None,
        }
    }
}
