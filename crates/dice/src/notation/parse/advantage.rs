//! The words for advantage and disadvantage, which may stand at a d20 or last.
//!
//! Apart from the check: they are noted wherever they stand, and hold for one die of the whole.

use crate::expression::advantage::{self};
use crate::expression::tree::Dice;
use crate::record::Mode;

use crate::error::{Code, DiceError, Rewrite};
use crate::notation::parse::Parser;
use crate::text::Span;

impl Parser<'_> {
    /// Notes every advantage word that stands here.
    pub(super) fn advantage_words(&mut self) -> Result<(), DiceError> {
        loop {
            self.cursor.skip_space();
            let start = self.cursor.at();
            let Some(mode) = self.advantage_word() else { return Ok(()) };
            self.note_advantage(mode, self.cursor.since(start))?;
        }
    }

    pub(super) fn at_any_advantage_word(&self) -> bool {
        advantage::WORDS.iter().any(|(word, _)| self.cursor.at_whole_word(word))
    }

    pub(super) fn advantage_word(&mut self) -> Option<Mode> {
        if !matches!(self.cursor.next(), b'a' | b'd') {
            return None;
        }
        advantage::WORDS.into_iter().find_map(|(word, mode)| self.cursor.take_whole_word(word).then_some(mode))
    }

    /// `d20(adv)`: it holds for this die, whatever else is rolled.
    pub(super) fn mode_of_die(&mut self, dice: &mut Dice) -> Result<(), DiceError> {
        let before = self.cursor.clone();
        self.cursor.skip_space();
        let start = self.cursor.at();
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

    /// Notes a word that stands at a d20; a second one at the target's d20 is no mistake, but words hold for one die only.
    pub(super) fn note_advantage_at_die(&mut self, mode: Mode, span: Span) -> Result<(), DiceError> {
        match (self.advantage, self.target) {
            (Some((first, own)), Some(target)) if own.range().start < target => {
                Err(advantage::on_both_sides(first, mode, span))
            }
            _ => self.note_advantage(mode, span),
        }
    }

    pub(super) fn note_advantage(&mut self, mode: Mode, span: Span) -> Result<(), DiceError> {
        match self.advantage {
            None => {
                self.advantage = Some((mode, span));
                Ok(())
            }
            Some((first, _)) if first == mode => Err(DiceError::new(
                Code::Duplicate,
                span,
                format!("{} is written twice.", mode.as_str()),
                "It never stacks: write it once.",
                "1d20 adv + 5",
            )),
            Some((_, first)) => Err(DiceError::new(
                Code::InvalidAdvantageUsage,
                span,
                "Advantage and disadvantage cancel each other.",
                "Leave both out and roll one d20.",
                "1d20 + 5",
            )
            .offering(Rewrite::new("to roll one d20").delete(first.range()).delete(span.range()))),
        }
    }
}
