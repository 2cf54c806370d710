//! The numbers of a modifier: a count, a face, or what a value is compared with.
//!
//! Apart from the modifiers, which all take them the same way: plain, behind a sign, or as a variable.

use crate::dice::compare::Int;
use crate::dice::error::{Code, DiceError};
use crate::dice::modifiers::{self};
use crate::dice::notation::parse::Parser;
use crate::dice::text::Span;

impl Parser<'_> {
    /// An integer that is not the count of further dice.
    pub(super) fn plain_int(&mut self) -> Result<Option<Int>, DiceError> {
        let start = self.cursor.at();
        let Some(int) = self.signed_int()? else {
            return Ok(None);
        };
        let number = self.cursor.peek();
        // `ds`, `dl`, `dh`.
        let drop = modifiers::words().any(|word| word.text.len() > 1 && self.cursor.at_word(word.text));
        if number == b'.' || (self.at_die() && !drop) {
            self.cursor.go(start);
            return Ok(None);
        }
        Ok(Some(int))
    }

    pub(super) fn required_int(&mut self, word: &str, example: &str) -> Result<Int, DiceError> {
        let start = self.cursor.at();
        if let Some(int) = self.signed_int()? {
            return Ok(int);
        }
        let before = start.saturating_sub(word.len());
        Err(match self.cursor.peek() {
            // Not this modifier, but a word that begins like it.
            b'a'..=b'z' => self.leftover_from(before),
            _ => DiceError::new(
                Code::UnparseableInput,
                Span::new(before, self.cursor.at()),
                format!("`{word}` needs a number."),
                format!("Write a number after `{word}`."),
                example,
            ),
        })
    }

    /// A number with an optional minus sign, or a variable; `None` leaves the place unchanged.
    fn signed_int(&mut self) -> Result<Option<Int>, DiceError> {
        let start = self.cursor.at();
        let negative = self.cursor.take(b'-');
        if !negative {
            return self.optional_int();
        }
        self.cursor.skip_space();
        match self.literal()? {
            Some(value) => Ok(Some(Int::Literal(-value))),
            None => {
                self.cursor.go(start);
                Ok(None)
            }
        }
    }

    pub(super) fn optional_int(&mut self) -> Result<Option<Int>, DiceError> {
        if self.cursor.next() == b'{' && self.at_variable() {
            let variable = self.variable()?;
            return Ok(Some(Int::Variable(Box::new(variable))));
        }
        Ok(self.literal()?.map(Int::Literal))
    }
}
