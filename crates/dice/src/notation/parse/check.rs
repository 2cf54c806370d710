//! Requests and checks: what stands around an expression.

use crate::error::{Code, DiceError};
use crate::expression::advantage;
use crate::expression::tree::{Check, Request, Test};
use crate::notation::parse::{LIMITS, Parser};
use crate::text::Span;

impl Parser<'_> {
    pub(super) fn request(&mut self) -> Result<Request, DiceError> {
        if self.cursor.next() == 0 {
            let message = "There is nothing to roll.";
            let hint = "Write a dice expression.";
            return Err(DiceError::new(Code::Empty, Span::new(0, self.cursor.text().len()), message, hint, "1d20 + 5"));
        }
        let (check, repeat) =
            if self.cursor.at_whole_word("repeat") { self.repeated()? } else { (self.check()?, None) };
        let comment = self.comment()?;
        if let Some(comment) = &comment {
            self.dice_in_comment(&check, comment)?;
        }
        match self.cursor.next() {
            0 => Ok(Request { check, repeat, comment }),
            _ => Err(self.leftover()),
        }
    }

    pub(super) fn repeated(&mut self) -> Result<(Check, Option<u32>), DiceError> {
        self.cursor.take_whole_word("repeat");
        let example = "repeat(4d6kh3, 6)";
        self.expect(b'(', "repeat(", example)?;
        let check = self.check()?;
        if self.cursor.next() == b'#' {
            return Err(self.comment_inside());
        }
        self.expect(b',', "a comma and how often", example)?;
        self.cursor.skip_space();
        let start = self.cursor.at();
        let times = self.literal()?.unwrap_or(0);
        let span = self.cursor.since(start);
        if times > LIMITS.repeat {
            return Err(DiceError::limit("repeats", LIMITS.repeat, span, example));
        }
        let Some(times) = u32::try_from(times).ok().filter(|times| *times > 0) else {
            let message = "repeat needs a number of times from 1 to 100.";
            let hint = "Write the number after the comma.";
            return Err(DiceError::new(Code::UnparseableInput, span, message, hint, example));
        };
        self.expect(b')', "a closing parenthesis", example)?;
        Ok((check, Some(times)))
    }

    pub(super) fn check(&mut self) -> Result<Check, DiceError> {
        let node = self.expr()?;
        if self.cursor.next() == 0 && self.advantage.is_none() && self.mode_of_die.is_none() {
            return Ok(Check { node, test: None });
        }
        self.advantage_words()?;
        self.target = Some(self.cursor.at());
        let test = self.test()?;
        self.advantage_words()?;
        let mut check = Check { node, test };
        if let Some((mode, span)) = self.advantage.or(self.mode_of_die) {
            advantage::check_direction(&check, mode, span)?;
        }
        if let Some((mode, span)) = self.advantage {
            advantage::apply(&mut check, mode, span)?;
        }
        Ok(check)
    }

    pub(super) fn test(&mut self) -> Result<Option<Test>, DiceError> {
        if self.cursor.take_whole_word("vs") {
            return Ok(Some(Test::Versus(self.expr()?)));
        }
        if self.cursor.take_whole_word("under") {
            return Ok(Some(Test::Under(self.expr()?)));
        }
        if self.cursor.take_whole_word("bands") {
            return self.bands().map(Some);
        }
        match self.cursor.take_comparison() {
            Some(comparison) => Ok(Some(Test::Compare(comparison, self.expr()?))),
            None => Ok(None),
        }
    }

    pub(super) fn bands(&mut self) -> Result<Test, DiceError> {
        self.cursor.skip_space();
        let start = self.cursor.at();
        let mut bands: Vec<i64> = Vec::new();
        loop {
            let band = self.signed_literal()?;
            if bands.last().is_some_and(|last| *last >= band) || bands.len() >= LIMITS.terms {
                let message = "Bands are the lower ends of ranges, each larger than the one before.";
                let hint = "Write them in rising order.";
                return Err(DiceError::new(
                    Code::UnparseableInput,
                    self.cursor.since(start),
                    message,
                    hint,
                    "2d6 + 1 bands 7, 10",
                ));
            }
            bands.push(band);
            // In `repeat(2d6 bands 7, 10, 3)` the last number is the number of times.
            if self.depth_repeat() && self.last_number_follows() {
                break;
            }
            if !self.cursor.take(b',') {
                break;
            }
        }
        Ok(Test::Bands(bands))
    }

    /// Whether this check stands inside `repeat(`.
    pub(super) fn depth_repeat(&self) -> bool {
        let text = self.cursor.text().trim_start();
        text.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("repeat"))
    }

    /// Whether `, INT )` follows.
    pub(super) fn last_number_follows(&self) -> bool {
        let mut ahead = self.cursor.clone();
        ahead.take(b',') && {
            ahead.skip_space();
            !ahead.take_digits().is_empty() && ahead.take(b')')
        }
    }
}
