//! The comment behind `#`, and what was surely not meant as one.

use crate::error::{Code, DiceError, Rewrite};
use crate::expression::tree::{Check, Node};
use crate::notation::near::repeated;
use crate::notation::parse::{self, Parser};
use crate::text::{Span, is_unsafe};

impl Parser<'_> {
    pub(super) fn comment(&mut self) -> Result<Option<String>, DiceError> {
        if !self.cursor.take(b'#') {
            return Ok(None);
        }
        let start = self.cursor.at();
        let comment = self.cursor.rest().trim();
        if comment.chars().any(is_unsafe) {
            let message = "A comment is one line of plain text.";
            let hint = "Take out line breaks, control characters and marks that turn the writing direction.";
            return Err(DiceError::new(
                Code::UnparseableInput,
                Span::new(start, self.cursor.text().len()),
                message,
                hint,
                "1d20 + 5 # attack",
            ));
        }
        self.cursor.go(self.cursor.text().len());
        Ok((!comment.is_empty()).then(|| comment.to_owned()))
    }

    /// The refusal of `repeat(4d6kh3 # stats, 6)`.
    pub(super) fn comment_inside(&self) -> DiceError {
        let (text, at) = (self.cursor.text(), self.cursor.at());
        let behind = text.get(at + 1..).unwrap_or("");
        let message = "A comment stands behind everything else.";
        let hint = "Write it behind the closing parenthesis.";
        let refusal = DiceError::new(
            Code::UnparseableInput,
            Span::new(at, text.len()),
            message,
            hint,
            "repeat(4d6kh3, 6) # abilities",
        );
        match behind.rsplit_once(',') {
            Some((comment, times)) => refusal.offering(Rewrite::meant(
                text,
                format!("{}, {} # {}", text.get(..at).unwrap_or("").trim_end(), times.trim(), comment.trim()),
            )),
            None => refusal,
        }
    }

    /// Refuses `6#4d6kh3`: in another program six rolls, here a 6 with dice in its comment.
    pub(super) fn dice_in_comment(&self, check: &Check, comment: &str) -> Result<(), DiceError> {
        let text = self.cursor.text();
        let at = text.find('#').unwrap_or(0);
        if has_dice(&check.node) || !self.holds_dice(comment) {
            return Ok(());
        }
        let number = text.get(..at).unwrap_or("").trim();
        let message = "Behind # stands a comment, and here it has all the dice.";
        let hint = "To roll several times write repeat(4d6kh3, 6); else leave out what stands before the #.";
        Err(DiceError::new(Code::Ambiguous, Span::new(at, text.len()), message, hint, "repeat(4d6kh3, 6)")
            .offering(repeated(text, comment, number))
            .offering(Rewrite::new("to roll it once").delete(0..at + 1)))
    }

    /// Whether a text is an expression with dice.
    pub(super) fn holds_dice(&self, text: &str) -> bool {
        parse::request(text, self.dialect).is_ok_and(|request| has_dice(&request.check.node))
    }
}

fn has_dice(node: &Node) -> bool {
    let mut found = false;
    node.visit_dice(&mut |_| found = true);
    found
}
