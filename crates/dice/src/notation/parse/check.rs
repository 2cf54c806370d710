//! Requests and checks: what is around an expression, with the words for advantage and the comment.

use crate::error::{Code, DiceError, Fault, Rewrite};
use crate::expression::advantage;
use crate::expression::tree::{Check, Dice, Request, Test};
use crate::limits;
use crate::notation::parse::{self, Parser};
use crate::notation::suggestions::repeated;
use crate::record::Mode;
use crate::text::{Span, is_unsafe};

impl Parser<'_> {
    pub(super) fn request(&mut self) -> Result<Request, DiceError> {
        if self.cursor.next() == 0 {
            return Err(Fault::new(
                Code::Empty,
                Span::new(0, self.cursor.text().len()),
                "There is nothing to roll.",
            )
            .hint("Write a dice expression.", "1d20 + 5"));
        }
        let (check, repeat) = if self.cursor.at_whole_word("repeat") {
            self.repeated()?
        } else {
            (self.check()?, None)
        };
        let comment = self.comment()?;
        if let Some(comment) = &comment {
            self.dice_in_comment(&check, comment)?;
        }
        if self.cursor.next() == 0 {
            Ok(Request {
                check,
                repeat,
                comment,
            })
        } else {
            Err(self.leftover())
        }
    }

    fn repeated(&mut self) -> Result<(Check, Option<u32>), DiceError> {
        self.cursor.take_whole_word("repeat");
        let example = "repeat(4d6kh3, 6)";
        self.expect(b'(', "repeat(", example)?;
        let check = self.check()?;
        if self.cursor.next() == b'#' {
            return Err(self.comment_inside());
        }
        self.expect(b',', "a comma and how often", example)?;
        let start = self.cursor.start();
        let times = self.literal()?.unwrap_or(0);
        let span = self.cursor.since(start);
        if times > limits::REPEATS {
            return Err(DiceError::limit("repeats", limits::REPEATS, span, example));
        }
        let Some(times) = u32::try_from(times).ok().filter(|times| *times > 0) else {
            return Err(Fault::new(
                Code::UnparseableInput,
                span,
                "repeat needs a number of times from 1 to 100.",
            )
            .hint("Write the number after the comma.", example));
        };
        self.expect(b')', "a closing parenthesis", example)?;
        Ok((check, Some(times)))
    }

    fn check(&mut self) -> Result<Check, DiceError> {
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

    fn test(&mut self) -> Result<Option<Test>, DiceError> {
        if self.cursor.take_whole_word("vs") {
            return Ok(Some(Test::Versus(self.expr()?)));
        }
        if self.cursor.take_whole_word("under") {
            return Ok(Some(Test::Under(self.expr()?)));
        }
        if self.cursor.take_whole_word("bands") {
            return self.bands().map(Some);
        }
        let Some(comparison) = self.cursor.take_comparison() else {
            return Ok(None);
        };
        Ok(Some(Test::Compare(comparison, self.expr()?)))
    }

    fn bands(&mut self) -> Result<Test, DiceError> {
        let start = self.cursor.start();
        let mut bands: Vec<i64> = Vec::new();
        loop {
            let band = self.signed_literal()?;
            if bands.last().is_some_and(|last| *last >= band) || bands.len() >= limits::TERMS {
                let message =
                    "Bands are the lower ends of ranges, each larger than the one before.";
                return Err(
                    Fault::new(Code::UnparseableInput, self.cursor.since(start), message)
                        .hint("Write them in rising order.", "2d6 + 1 bands 7, 10"),
                );
            }
            bands.push(band);
            // In `repeat(2d6 bands 7, 10, 3)` the last number is the number of times.
            if self.is_repeated() && self.last_number_follows() || !self.cursor.take(b',') {
                return Ok(Test::Bands(bands));
            }
        }
    }

    /// Whether this check is inside `repeat(`.
    pub(super) fn is_repeated(&self) -> bool {
        let text = self.cursor.text().trim_start();
        text.get(..6)
            .is_some_and(|word| word.eq_ignore_ascii_case("repeat"))
    }

    /// Whether `, INT )` follows.
    fn last_number_follows(&self) -> bool {
        let mut ahead = self.cursor.clone();
        ahead.take(b',') && {
            ahead.skip_space();
            !ahead.take_digits().is_empty() && ahead.take(b')')
        }
    }

    fn advantage_words(&mut self) -> Result<(), DiceError> {
        loop {
            let start = self.cursor.start();
            let Some(mode) = self.advantage_word() else {
                return Ok(());
            };
            self.note_advantage(mode, self.cursor.since(start))?;
        }
    }

    pub(super) fn at_any_advantage_word(&self) -> bool {
        advantage::WORDS
            .iter()
            .any(|(word, _)| self.cursor.at_whole_word(word))
    }

    pub(super) fn advantage_word(&mut self) -> Option<Mode> {
        if !matches!(self.cursor.next(), b'a' | b'd') {
            return None;
        }
        advantage::WORDS
            .into_iter()
            .find_map(|(word, mode)| self.cursor.take_whole_word(word).then_some(mode))
    }

    /// `d20(adv)`: it holds for this die, whatever else is rolled.
    pub(super) fn mode_of_die(&mut self, dice: &mut Dice) -> Result<(), DiceError> {
        let before = self.cursor.clone();
        let start = self.cursor.start();
        let mode = self.cursor.take(b'(').then(|| {
            self.cursor.skip_space();
            self.advantage_word()
        });
        let Some(mode) = mode.flatten().filter(|_| self.cursor.take(b')')) else {
            self.cursor = before;
            return Ok(());
        };
        let span = self.cursor.since(start);
        advantage::check_die(dice, mode, span)?;
        advantage::double(dice, mode, span);
        self.mode_of_die.get_or_insert((mode, span));
        Ok(())
    }

    /// Notes a word at a d20; a second one at the target's d20 is no mistake, but words hold for
    /// one die only.
    pub(super) fn note_advantage_at_die(
        &mut self,
        mode: Mode,
        span: Span,
    ) -> Result<(), DiceError> {
        match (self.advantage, self.target) {
            (Some((first, place)), Some(target)) if place.range().start < target => {
                Err(advantage::on_both_sides(first, mode, span))
            }
            _ => self.note_advantage(mode, span),
        }
    }

    fn note_advantage(&mut self, mode: Mode, span: Span) -> Result<(), DiceError> {
        match self.advantage {
            None => {
                self.advantage = Some((mode, span));
                Ok(())
            }
            Some((first, _)) if first == mode => Err(Fault::new(
                Code::Duplicate,
                span,
                format!("{} is written twice.", mode.as_str()),
            )
            .hint("It never stacks: write it once.", "1d20 adv + 5")),
            Some((_, first)) => Err(Fault::new(
                Code::InvalidAdvantageUsage,
                span,
                "Advantage and disadvantage cancel each other.",
            )
            .hint("Leave both out and roll one d20.", "1d20 + 5")
            .offering(
                Rewrite::new("to roll one d20")
                    .delete(first.range())
                    .delete(span.range()),
            )),
        }
    }

    fn comment(&mut self) -> Result<Option<String>, DiceError> {
        if !self.cursor.take(b'#') {
            return Ok(None);
        }
        let start = self.cursor.at();
        let comment = self.cursor.rest().trim();
        if comment.chars().any(is_unsafe) {
            let message = "A comment is one line of plain text.";
            return Err(Fault::new(Code::UnparseableInput, Span::new(start, self.cursor.text().len()), message).hint(
                "Take out line breaks, control characters and marks that turn the writing direction.",
                "1d20 + 5 # attack",
            ));
        }
        self.cursor.go(self.cursor.text().len());
        Ok((!comment.is_empty()).then(|| comment.to_owned()))
    }

    /// The refusal of `repeat(4d6kh3 # stats, 6)`.
    fn comment_inside(&self) -> DiceError {
        let (text, at) = (self.cursor.text(), self.cursor.at());
        let message = "A comment stands behind everything else.";
        let refusal = Fault::new(Code::UnparseableInput, Span::new(at, text.len()), message).hint(
            "Write it behind the closing parenthesis.",
            "repeat(4d6kh3, 6) # abilities",
        );
        let before = text.get(..at).unwrap_or("").trim_end();
        refusal.offering(text.get(at + 1..).unwrap_or("").rsplit_once(',').map(
            |(comment, times)| {
                Rewrite::meant(
                    text,
                    format!("{before}, {} # {}", times.trim(), comment.trim()),
                )
            },
        ))
    }

    /// Refuses `6#4d6kh3`: in another program six rolls, here a 6 with dice in its comment.
    fn dice_in_comment(&self, check: &Check, comment: &str) -> Result<(), DiceError> {
        let text = self.cursor.text();
        let at = text.find('#').unwrap_or(0);
        if check.node.has_dice() || !self.holds_dice(comment) {
            return Ok(());
        }
        let number = text.get(..at).unwrap_or("").trim();
        let message = "Behind # stands a comment, and here it has all the dice.";
        let hint = "To roll several times write repeat(4d6kh3, 6); else leave out what stands before the #.";
        Err(
            Fault::new(Code::Ambiguous, Span::new(at, text.len()), message)
                .hint(hint, "repeat(4d6kh3, 6)")
                .offering(repeated(text, comment, number))
                .offering(Rewrite::new("to roll it once").delete(0..at + 1)),
        )
    }

    pub(super) fn holds_dice(&self, text: &str) -> bool {
        parse::request(text, self.dialect).is_ok_and(|request| request.check.node.has_dice())
    }
}
