//! What is said about a place that cannot be read.

use crate::error::{Code, DiceError, Rewrite};
use crate::expression::advantage::{self};
use crate::notation::parse::Parser;
use crate::notation::parse::dialect::out_of_scope;
use crate::text::{Span, shown};

impl Parser<'_> {
    /// The refusal of what stands here, which nothing can continue.
    pub(super) fn leftover(&self) -> DiceError {
        self.leftover_from(self.cursor.at())
    }

    /// The refusal of the word that begins at `start`.
    pub(super) fn leftover_from(&self, start: usize) -> DiceError {
        let mut ahead = self.cursor.clone();
        ahead.go(start);
        let at = start;
        if ahead.next() == 0 {
            return DiceError::new(
                Code::UnparseableInput,
                Span::new(at, at),
                "The text ends too early.",
                "Finish the expression.",
                "1d20 + 5",
            );
        }
        let mut start = ahead.at();
        if advantage::WORDS.iter().any(|(word, _)| ahead.at_whole_word(word)) {
            let letters = ahead.rest().bytes().take_while(u8::is_ascii_alphabetic).count();
            return self.advantage_elsewhere(Span::new(start, start + letters));
        }
        if let Some((_, span)) = self.advantage {
            return self.advantage_elsewhere(span);
        }
        // The whole word, also where its first letters are a modifier: `d20please` is not `d20pl` and `ease`.
        let before = self.cursor.slice(0, start);
        if ahead.rest().starts_with(|next: char| next.is_ascii_alphabetic()) {
            start = before.trim_end_matches(|char: char| char.is_ascii_alphabetic()).len();
            ahead.go(start);
        }
        let rest = ahead.rest();
        let word = rest.split(|char: char| char.is_ascii_whitespace()).next();
        let word = word.unwrap_or("");
        let span = Span::new(start, start + word.len());
        if let Some(error) = out_of_scope(rest, span) {
            return error;
        }
        let short: String = shown(word).chars().take(20).collect();
        let message = format!("`{short}` cannot be read here.");
        let hint = "Write dice and numbers joined by signs.";
        DiceError::new(Code::UnparseableInput, span, message, hint, "2d6 + 1d4 + 5")
    }

    /// The refusal of an advantage word that stands before the end, and at no d20.
    fn advantage_elsewhere(&self, span: Span) -> DiceError {
        let (text, range) = (self.cursor.text(), span.range());
        let word = self.cursor.slice(range.start, range.end).to_owned();
        let end = text.find('#').unwrap_or(text.len());
        // Inside repeat( ) it stands at the roll, before the comma and the number of times.
        let inside = text.get(..range.start).unwrap_or("").rfind(',').filter(|_| self.depth_repeat());
        if let Some(comma) = inside {
            return DiceError::new(
                Code::InvalidAdvantageUsage,
                span,
                "Advantage belongs to the roll that is repeated.",
                "Write it inside the parentheses, before the comma.",
                "repeat(1d20 adv + 5, 3)",
            )
            .offering(Rewrite::new("to roll each so").insert(comma, &format!(" {word}")).delete(range));
        }
        let message = "Advantage is written at a d20 or at the end.";
        let hint = "Write it right after the d20, or last.";
        DiceError::new(Code::InvalidAdvantageUsage, span, message, hint, "1d20 adv + 1d4")
            .offering(Rewrite::new("to roll the d20 so").delete(range).insert(end, &format!(" {word}")))
    }
}
