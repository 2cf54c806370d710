//! The translation under way: where it stands, what it has written, what waits for its dice.

use crate::dice::english::lexicon;
use crate::dice::english::piece::{Kind, Piece, is_die, is_number};
use crate::dice::error::{Code, DiceError};
use crate::dice::text::{Span, shown};
use std::ops::Range;

/// Notation, with the place in the sentence that each bit of it comes from.
pub(super) struct Translation {
    bits: Vec<Bit>,
}

pub(super) struct Bit {
    pub(super) text: String,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The translation under way.
pub(super) struct Translator<'p> {
    pub(super) pieces: &'p [Piece],
    pub(super) at: usize,
    pub(super) bits: Vec<Bit>,
    /// What was said before its dice: `exploding`, `the highest 3 of`.
    waiting: Vec<(String, Range<usize>)>,
    /// An advantage word that was said before everything.
    pub(super) advantage: Option<Bit>,
    /// What is added to or taken from all that comes: `subtract 2 from d8`.
    pub(super) added: Option<Bit>,
}

impl Translation {
    pub(super) fn of(pieces: &[Piece]) -> Result<Self, DiceError> {
        let mut translator =
            Translator { pieces, at: 0, bits: Vec::new(), waiting: Vec::new(), advantage: None, added: None };
        while translator.at < pieces.len() {
            translator.step()?;
        }
        if let Some((_, span)) = translator.waiting.first() {
            let within = pieces.iter().filter(|piece| piece.start >= span.start && piece.end <= span.end);
            let words: Vec<String> = within.map(Piece::words).collect();
            return Err(refusal(&words.join(" "), Span::new(span.start, span.end)));
        }
        if let Some(added) = translator.added.take() {
            translator.append(added)?;
        }
        translator.bits.extend(translator.advantage.take());
        Ok(Translation { bits: translator.bits })
    }

    /// The notation.
    pub(super) fn text(&self) -> String {
        let bits: Vec<&str> = self.bits.iter().map(|bit| bit.text.as_str()).collect();
        bits.join(" ")
    }

    /// The place in the sentence of a place in the notation.
    pub(super) fn source(&self, span: &Range<usize>, length: usize) -> Range<usize> {
        let mut start = 0;
        let mut source: Option<Range<usize>> = None;
        for bit in &self.bits {
            let end = start + bit.text.len();
            if start <= span.end && span.start <= end {
                source = Some(match source {
                    None => bit.start..bit.end,
                    Some(source) => source.start.min(bit.start)..source.end.max(bit.end),
                });
            }
            start = end + 1;
        }
        source.unwrap_or(0..length)
    }
}

impl<'p> Translator<'p> {
    pub(super) fn word(&self, ahead: usize) -> Option<&'p str> {
        self.pieces.get(self.at + ahead)?.word()
    }

    /// Passes the word, if it is one of these.
    pub(super) fn take(&mut self, words: &[&str]) -> bool {
        let found = self.word(0).is_some_and(|word| words.contains(&word));
        self.at += usize::from(found);
        found
    }

    pub(super) fn take_number(&mut self) -> Option<i64> {
        let piece = self.pieces.get(self.at)?;
        match &piece.kind {
            Kind::Number(number) => {
                self.at += 1;
                let times = match self.word(0) {
                    Some("dozen") => 12,
                    Some("hundred") => 100,
                    _ => return Some(*number),
                };
                self.at += 1;
                Some(number.saturating_mul(times))
            }
            Kind::Word(_) => {
                let words: Vec<&str> = (0..5).map_while(|ahead| self.word(ahead)).collect();
                let (number, used) = lexicon::numeral(&words)?;
                self.at += used;
                Some(number)
            }
            _ => None,
        }
    }

    /// Adds at the end what was said first; not behind a target or a face it was not said of.
    fn append(&mut self, added: Bit) -> Result<(), DiceError> {
        let whole = |bit: &Bit| {
            !matches!(bit.text.as_str(), "vs" | "under" | "bands") && !bit.text.contains(['<', '>', '=', ',', '('])
        };
        if self.bits.is_empty() || !self.bits.iter().all(whole) {
            return Err(refusal(&added.text, Span::new(added.start, added.end)));
        }
        self.bits.push(added);
        Ok(())
    }

    pub(super) fn emit(&mut self, from: usize, text: impl Into<String>) {
        let (start, end) = self.place(from);
        self.bits.push(Bit { text: text.into(), start, end });
    }

    /// Where in the sentence the pieces from `from` on stand.
    pub(super) fn place(&self, from: usize) -> (usize, usize) {
        let to = self.at.max(from + 1);
        let start = self.pieces.get(from).map_or(0, |piece| piece.start);
        (start, self.pieces.get(to - 1).map_or(start, |piece| piece.end))
    }

    /// Keeps what was said before its dice until they come.
    pub(super) fn wait(&mut self, from: usize, text: String) -> Result<(), DiceError> {
        if !self.waiting.is_empty() {
            return Err(self.unknown(from));
        }
        let (start, end) = self.place(from);
        self.waiting.push((text, start..end));
        Ok(())
    }

    /// Whether the last thing said is dice.
    pub(super) fn after_dice(&self) -> bool {
        match self.bits.as_slice() {
            [.., d, sides] if d.text.ends_with('d') && is_number(&sides.text) => true,
            [.., last] => is_die(&last.text),
            [] => false,
        }
    }

    /// Whether a modifier may stand here: behind dice or other modifiers of theirs.
    pub(super) fn behind_dice(&self) -> bool {
        let last = self.bits.last().map_or("", |bit| bit.text.as_str());
        let tail = last.rsplit(['+', '-', '*', '/', '(', ',', ' ']).next().unwrap_or("");
        let open = matches!(tail, "" | "vs" | "under" | "bands" | "d");
        !open && (self.after_dice() || !is_number(tail))
    }

    /// Writes what waited for its dice behind them.
    pub(super) fn settle_waiting(&mut self) {
        if self.after_dice() {
            for (text, span) in std::mem::take(&mut self.waiting) {
                self.bits.push(Bit { text, start: span.start, end: span.end });
            }
        }
    }
}

/// The refusal of a part that is not understood.
pub(super) fn refusal(part: &str, span: Span) -> DiceError {
    let short: String = shown(part).chars().take(40).collect();
    DiceError::new(
        Code::UnparseableInput,
        span,
        format!("`{short}` is not understood."),
        "Leave it out, or write it as dice notation.",
        "1d20 + 5",
    )
}
