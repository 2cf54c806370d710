//! The numbers of a modifier: a count, a face, or what a value is compared with.
//!
//! Apart from the modifiers, which all take them the same way: plain, behind a sign, or as a variable.

use crate::dice::compare::{ComparePoint, Comparison, Int};
use crate::dice::error::{Code, DiceError};
use crate::dice::parse::Parser;
use crate::dice::span::Span;

impl Parser<'_> {
    /// An integer that is not the count of further dice.
    pub(super) fn plain_int(&mut self) -> Result<Option<Int>, DiceError> {
        let start = self.cursor.at();
        let Some(int) = self.signed_int()? else {
            return Ok(None);
        };
        let number = self.cursor.peek();
        let drop = ["ds", "dl", "dh"].iter().any(|word| self.cursor.at_word(word));
        if number == b'.' || (self.at_die() && !drop) {
            self.cursor.go(start);
            return Ok(None);
        }
        Ok(Some(int))
    }

    /// What a value is compared with; `bare` is what a number by itself means.
    pub(super) fn point(&mut self, word: &str, bare: Comparison) -> Result<ComparePoint, DiceError> {
        let comparison = self.cursor.take_comparison().unwrap_or(bare);
        let value = self.required_int(word)?;
        Ok(ComparePoint { comparison, value })
    }

    pub(super) fn optional_point(&mut self) -> Result<Option<ComparePoint>, DiceError> {
        if let Some(comparison) = self.cursor.take_comparison() {
            let value = self.required_int("!")?;
            return Ok(Some(ComparePoint { comparison, value }));
        }
        let value = self.optional_int()?;
        Ok(value.map(|value| ComparePoint { comparison: Comparison::Equal, value }))
    }

    pub(super) fn required_int(&mut self, word: &str) -> Result<Int, DiceError> {
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
                example_of(word),
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

/// A valid text that shows the modifier.
fn example_of(word: &str) -> &'static str {
    match word {
        "r" | "ro" | "rr" => "2d6ro1",
        "min" | "mi" => "1d20min10",
        "max" | "ma" => "1d20max10",
        "t" => "5d10t8",
        "f" => "5d10t8f1",
        "ds" => "5d10t8ds10",
        "crit" | "fumble" => "1d20crit20",
        "b" => "1d%b1",
        "p" => "1d%p1",
        "d" => "4d6d=1",
        "k" => "4d6k=6",
        _ => "4d6!6",
    }
}
