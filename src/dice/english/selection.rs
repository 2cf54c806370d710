//! Phrases about dice and targets that were named before: what is kept, tens dice, difficulties.

use crate::dice::english::lexicon;
use crate::dice::english::piece::{Kind, Piece, is_number, is_percentile};
use crate::dice::english::translator::{Bit, Translator};
use crate::dice::error::{Code, DiceError, Rewrite};
use crate::dice::text::Span;

impl Translator<'_> {
    /// `keep the highest 3`, `drop the two lowest`, `keep 3`, `best 3`, `take the higher`; or the
    /// same with `of` before its dice.
    pub(super) fn selection(&mut self, from: usize, verb: &str) -> Result<(), DiceError> {
        let said = self.at > from;
        self.take(&["the"]);
        let before = self.take_number();
        self.take(&["the"]);
        let drop = verb == "drop";
        let end = match self.word(0).and_then(lexicon::end) {
            Some(end) => {
                self.at += 1;
                Some(end)
            }
            // `keep 3` is k3, and `drop 1` is d1.
            None if before.is_some() && said => Some(if drop { 'l' } else { 'h' }),
            None => None,
        };
        let count = before.or_else(|| self.take_count()).unwrap_or(1);
        self.take(&["die", "dice", "one", "ones"]);
        let Some(end) = end else {
            return Err(self.unknown(from));
        };
        let text = format!("{}{end}{count}", if drop { 'd' } else { 'k' });
        if self.take(&["of"]) {
            self.take(&["the"]);
            return self.wait(from, text);
        }
        if !self.behind_dice() {
            return Err(self.unknown(from));
        }
        self.emit(from, text);
        // `drop the lowest and the highest`: the verb holds for both.
        if drop && self.take(&["and"]) {
            if self.names_an_end() {
                return self.selection(self.at, verb);
            }
            self.at -= 1;
        }
        Ok(())
    }

    /// How many are kept; `4d6 drop lowest six times` says how often instead.
    fn take_count(&mut self) -> Option<i64> {
        let start = self.at;
        let count = self.take_number();
        if self.word(0) == Some("times") {
            self.at = start;
            return None;
        }
        count
    }

    /// Whether an end is named next: `[the] [two] lowest`.
    pub(super) fn names_an_end(&self) -> bool {
        let pieces = self.pieces.get(self.at..).unwrap_or(&[]);
        let passed = |piece: &&Piece| match &piece.kind {
            Kind::Number(_) => true,
            Kind::Word(word) => word == "the" || lexicon::number(word).is_some(),
            _ => false,
        };
        let next = pieces.iter().find(|piece| !passed(piece)).and_then(Piece::word);
        next.and_then(lexicon::end).is_some()
    }

    /// Whether a percentile die was said last, and no number follows that could be a modifier.
    pub(super) fn after_percentile(&self) -> bool {
        let last = self.bits.last().is_some_and(|bit| is_percentile(&bit.text));
        last && !matches!(self.pieces.get(self.at).map(|piece| &piece.kind), Some(Kind::Number(_)))
    }

    /// Whether the dice are percentile dice, and what was said last is no modifier (`plus 5`, `+5`).
    pub(super) fn rolls_percentile(&self) -> bool {
        let percentile = self.bits.iter().any(|bit| is_percentile(&bit.text));
        let signed = self.bits.iter().rev().take(2).any(|bit| bit.text.starts_with(['+', '-']));
        percentile && !signed
    }

    /// `percentile with two penalty dice`.
    pub(super) fn tens(&mut self, from: usize, kind: &str) -> Result<(), DiceError> {
        let letter = if kind == "bonus" { 'b' } else { 'p' };
        let said = from.checked_sub(1).and_then(|at| self.pieces.get(at)).and_then(|piece| match &piece.kind {
            Kind::Number(number) => Some(*number),
            Kind::Word(word) => lexicon::number(word),
            _ => None,
        });
        if said.is_some() {
            self.bits.pop();
        }
        let count = said.unwrap_or(1);
        if let Some(die) = self.bits.last_mut()
            && is_percentile(&die.text)
        {
            die.text = "d%".to_owned();
            self.emit(from, format!("{letter}{count}"));
            return Ok(());
        }
        let pieces = self.pieces.get(from..self.at).unwrap_or(&[]);
        let span = pieces.iter().map(|piece| piece.span()).reduce(Span::to).unwrap_or_default();
        let other = |bit: &Bit| bit.text.starts_with(['b', 'p']) && is_number(bit.text.get(1..).unwrap_or(""));
        if self.bits.last().is_some_and(other) {
            return Err(DiceError::new(
                Code::OutOfScopeSyntax,
                span,
                "Bonus and penalty dice cancel each other out, one for one.",
                "Say what is left of them.",
                "d%b1",
            ));
        }
        let error = DiceError::new(
            Code::OutOfScopeSyntax,
            span,
            format!("A {kind} die belongs to percentile dice."),
            format!("With percentile dice write `d%{letter}1` for one {kind} die, `d%{letter}2` for two."),
            format!("d%{letter}1"),
        );
        // With anything else said, that would be lost.
        let alone = self.bits.is_empty() && self.at == self.pieces.len();
        let whole = self.pieces.last().map_or(0, |piece| piece.end);
        let rewrite = Rewrite::new("with percentile dice").replace(0..whole, format!("d%{letter}{count}"));
        Err(if alone { error.offering(rewrite) } else { error })
    }

    fn number_follows(&self) -> bool {
        match self.pieces.get(self.at).map(|piece| &piece.kind) {
            Some(Kind::Word(word)) => lexicon::number(word).is_some(),
            Some(Kind::Number(_) | Kind::Notation(_)) => true,
            _ => false,
        }
    }

    /// `2d6 times two` multiplies; `six times 2d6` may also mean six rolls.
    pub(super) fn times(&mut self, from: usize) -> Result<(), DiceError> {
        let number = match self.bits.as_slice() {
            [number] if is_number(&number.text) => number.text.clone(),
            // `4d6 six times` is no product.
            [.., _, number] if is_number(&number.text) && !self.number_follows() => return Err(self.unknown(from)),
            _ => {
                self.emit(from, "*");
                return Ok(());
            }
        };
        let rest = self.pieces.get(self.at..).unwrap_or(&[]);
        let (Some(first), Some(last), Some(piece)) = (rest.first(), rest.last(), self.pieces.get(from)) else {
            return Err(self.unknown(from));
        };
        Err(DiceError::new(
            Code::Ambiguous,
            piece.span(),
            "This could multiply one roll, or be several rolls.",
            "To multiply write `*`; for several rolls write repeat(4d6kh3, 6).",
            "repeat(4d6kh3, 6)",
        )
        .offering(Rewrite::new("to multiply").replace(piece.start..piece.end, "*"))
        .offering(
            Rewrite::new("to roll it so many times")
                .replace(0..first.start, "repeat(")
                .insert(last.end, &format!(", {number})")),
        ))
    }
}
