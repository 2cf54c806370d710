//! A count, a die and its modifiers.

use crate::expression::tree::{Count, Dice, Node};
use crate::modifiers::Modifier;

use crate::compare::Int;
use crate::error::{Code, DiceError, Rewrite};
use crate::notation::parse::count::check_count;
use crate::notation::parse::modifier::Read;
use crate::notation::parse::{LIMITS, Parser};
use crate::text::Span;

impl Parser<'_> {
    /// Reads from the `d` on.
    pub(super) fn dice(&mut self, count: Count, start: usize) -> Result<Node, DiceError> {
        let whole = start == self.start;
        self.cursor.bump();
        let die = self.die(start)?;
        let span = self.cursor.since(start);
        if let Count::Int(Int::Literal(count)) = &count {
            check_count(*count, span)?;
        }
        let mut dice = Dice { count, die, modifiers: Vec::new(), span };
        self.modifiers(&mut dice, whole)?;
        dice.span = self.cursor.since(start);
        Ok(Node::Dice(Box::new(dice)))
    }

    fn modifiers(&mut self, dice: &mut Dice, whole: bool) -> Result<(), DiceError> {
        let mut bare = None;
        self.mode_of_die(dice)?;
        loop {
            self.cursor.skip_space();
            let start = self.cursor.at();
            match self.modifier(dice, whole)? {
                Read::Nothing => break,
                Read::Advantage(mode) => {
                    let span = self.cursor.since(start);
                    crate::expression::advantage::check_die(dice, mode, span)?;
                    self.note_advantage_at_die(mode, span)?;
                }
                Read::Modifier(kind) => {
                    let span = self.cursor.since(start);
                    if dice.modifiers.len() >= LIMITS.modifiers {
                        return Err(DiceError::limit("modifiers", LIMITS.modifiers, span, "4d6kh3"));
                    }
                    dice.modifiers.push(Modifier { kind, span });
                }
                Read::BareCount(kind) => {
                    let span = self.cursor.since(start);
                    bare = Some(span);
                    dice.modifiers.push(Modifier { kind, span });
                }
            }
        }
        match bare {
            Some(span) if matches!(self.cursor.next(), b'+' | b'-' | b'*' | b'/') => Err(self.bare_count(span)),
            _ => Ok(()),
        }
    }

    /// The refusal of `5+1d20>=15` and `1d20>=15+5`: a count of dice, or a check of the total?
    pub(super) fn bare_count(&self, span: Span) -> DiceError {
        let at = span.range().start;
        let before = self.cursor.slice(self.start, at).trim_end().len();
        let total = Rewrite::new("to check the total").insert(self.start, "(").insert(self.start + before, ")");
        let message = "Beside arithmetic, a comparison could count dice or check the total.";
        let hint = "To count dice write t behind them; to check the total put it in parentheses.";
        DiceError::new(Code::Ambiguous, span, message, hint, "(5 + 1d20) >= 15")
            .offering(Rewrite::new("to count dice").insert(at, "t"))
            .offering(total)
    }

    /// The refusal of `8d10t8>=3`, where the dice are counted already.
    pub(super) fn counted_already(&self, span: Span) -> DiceError {
        let range = span.range();
        let before = self.cursor.slice(self.start, range.start).trim_end().len();
        let sign = self.cursor.slice(range.start, range.end).trim_start();
        let check = Rewrite::new("to check the number of successes");
        let check = match sign.strip_prefix(">=") {
            Some(target) => check.replace(range, format!(" vs {target}")),
            None => check.insert(self.start, "(").insert(self.start + before, ")"),
        };
        let message = "These dice are counted already.";
        let hint = "Count once; to check the number of successes write vs and how many.";
        DiceError::new(Code::Duplicate, span, message, hint, "5d10t8 vs 3").offering(check)
    }
}
