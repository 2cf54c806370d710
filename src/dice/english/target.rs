//! Phrases about what a total is held against.

use crate::dice::english::lexicon;
use crate::dice::english::piece::{Kind, Piece};
use crate::dice::english::translator::{Bit, Translator};
use crate::dice::error::{Code, DiceError, Rewrite};
use crate::dice::expression::tree::Node;
use crate::dice::notation::strict;
use crate::dice::text::Span;

impl Translator<'_> {
    /// `vs`, `against`, and what the target is called.
    pub(super) fn versus(&mut self) -> String {
        while self.take(&["a", "an", "the"]) || self.take(&lexicon::TARGETS) || self.take(&["class", "number", "of"]) {}
        "vs".to_owned()
    }

    /// `DC 15` without `vs`.
    pub(super) fn target(&mut self, from: usize, word: &str) -> Result<(), DiceError> {
        self.versus();
        if !matches!(self.pieces.get(self.at).map(|piece| &piece.kind), Some(Kind::Number(_))) {
            self.at = from + 1;
            return Err(self.unknown(from));
        }
        // A difficulty class is met by a total; what a difficulty or a target number is met by, games do not agree.
        let of_dice = !matches!(word, "dc" | "ac" | "armor" | "armour" | "defense");
        self.held_against(from, "vs", of_dice)
    }

    /// `at least 15`, `at most 15`.
    pub(super) fn bound(&mut self, from: usize, word: &str) -> Result<(), DiceError> {
        self.at += 1;
        if self.bits.is_empty() {
            return Err(self.unknown(from));
        }
        self.held_against(from, if word == "least" { "vs" } else { "under" }, true)
    }

    /// The number that the total must reach, or must not pass; not where it may be what each die must show.
    fn held_against(&mut self, from: usize, test: &str, may_count: bool) -> Result<(), DiceError> {
        let Some(number) = self.take_number() else {
            return Err(self.unknown(from));
        };
        if !may_count || !self.is_pool_showing(number) {
            self.emit(from, format!("{test} {number}"));
            return Ok(());
        }
        let pieces = self.pieces.get(from..self.at).unwrap_or(&[]);
        let span = pieces.iter().map(Piece::span).reduce(Span::to).unwrap_or_default();
        let sign = if test == "vs" { "" } else { "<=" };
        Err(DiceError::new(
            Code::Ambiguous,
            span,
            "This could count dice or check the total.",
            "To count dice write t behind them; to check the total write vs.",
            "8d10t7",
        )
        .offering(Rewrite::new("to count dice").replace(span.range(), format!("t{sign}{number}")))
        .offering(Rewrite::new("to check the total").replace(span.range(), format!("{test} {number}"))))
    }

    /// `roll under 45 on d100`: said before its dice, and written behind them.
    pub(super) fn under_first(&mut self, from: usize) -> Result<(), DiceError> {
        let (Some(number), true, true) = (self.take_number(), self.take(&["on", "with"]), self.added.is_none()) else {
            return Err(self.unknown(from));
        };
        let (start, end) = self.place(from);
        self.added = Some(Bit { text: format!("under {number}"), start, end });
        Ok(())
    }

    /// Whether all that was said are several dice, nothing added, that can show the number.
    fn is_pool_showing(&self, number: i64) -> bool {
        let bits: Vec<&str> = self.bits.iter().map(|bit| bit.text.as_str()).collect();
        let Ok(expression) = strict(&bits.join(" ")) else { return false };
        match &expression.request().check.node {
            Node::Dice(dice) if !dice.counts() && dice.count() > 1 => {
                let faces = dice.die().faces();
                (faces.lowest()..=faces.highest()).contains(&number)
            }
            _ => false,
        }
    }
}
