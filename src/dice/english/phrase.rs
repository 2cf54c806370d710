//! Pieces to notation.

use crate::dice::english::lexicon::{self, FILLERS, NOTATION};
use crate::dice::english::piece::{Kind, Piece};
use crate::dice::error::{Code, DiceError};
use crate::dice::span::Span;
use std::ops::Range;

/// Notation, with the place in the sentence that each bit of it comes from.
pub(super) struct Translation {
    bits: Vec<Bit>,
}

struct Bit {
    text: String,
    start: usize,
    end: usize,
}

/// The translation under way.
struct Translator<'p> {
    pieces: &'p [Piece],
    at: usize,
    bits: Vec<Bit>,
    /// `exploding` was said before its dice.
    exploding: Option<Range<usize>>,
}

impl Translation {
    pub(super) fn of(pieces: &[Piece]) -> Result<Self, DiceError> {
        let mut translator = Translator { pieces, at: 0, bits: Vec::new(), exploding: None };
        while translator.at < pieces.len() {
            translator.step()?;
        }
        match translator.exploding {
            None => Ok(Translation { bits: translator.bits }),
            Some(span) => Err(refusal("exploding", Span::new(span.start, span.end))),
        }
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

fn refusal(part: &str, span: Span) -> DiceError {
    let short: String = part.chars().take(40).collect();
    let hint = match lexicon::near(part) {
        Some(near) if near != part => format!("Did you mean `{near}`?"),
        _ => "Leave it out, or write it as dice notation.".to_owned(),
    };
    DiceError::new(Code::UnparseableInput, span, format!("`{short}` is not understood."), hint, "1d20 + 5")
}

impl<'p> Translator<'p> {
    fn word(&self, ahead: usize) -> Option<&'p str> {
        self.pieces.get(self.at + ahead)?.word()
    }

    /// Passes the word, if it is one of these.
    fn take(&mut self, words: &[&str]) -> bool {
        let found = self.word(0).is_some_and(|word| words.contains(&word));
        self.at += usize::from(found);
        found
    }

    fn take_number(&mut self) -> Option<i64> {
        let piece = self.pieces.get(self.at)?;
        let number = match &piece.kind {
            Kind::Number(number) => *number,
            Kind::Word(word) => lexicon::number(word)?,
            _ => return None,
        };
        self.at += 1;
        Some(number)
    }

    fn emit(&mut self, from: usize, text: impl Into<String>) {
        let to = self.at.max(from + 1);
        let start = self.pieces.get(from).map_or(0, |piece| piece.start);
        let end = self.pieces.get(to - 1).map_or(start, |piece| piece.end);
        self.bits.push(Bit { text: text.into(), start, end });
    }

    /// Translates what stands here.
    fn step(&mut self) -> Result<(), DiceError> {
        let from = self.at;
        let Some(piece) = self.pieces.get(from) else {
            return Ok(());
        };
        match &piece.kind {
            Kind::Notation(text) => {
                self.at += 1;
                self.emit(from, text.as_str());
                self.settle_explosion();
                Ok(())
            }
            Kind::Number(_) => self.number(from),
            Kind::Word(word) if lexicon::number(word).is_some() => self.number(from),
            Kind::Word(word) => self.phrase(from, word),
            Kind::Plural(_) | Kind::OrHigher(_) => Err(self.unknown(from)),
        }
    }

    /// `3`, `8 or higher`, `8 sided`, and the sides in `d 6`.
    fn number(&mut self, from: usize) -> Result<(), DiceError> {
        let number = self.take_number().unwrap_or(0);
        if self.take(&["sided"]) {
            self.emit(from, format!("d{number}"));
        } else if self.take_or_higher() {
            self.emit(from, format!("t{number}"));
        } else {
            self.emit(from, number.to_string());
            if self.bits.len() < 2 || !self.bits.iter().rev().nth(1).is_some_and(|bit| bit.text.ends_with('d')) {
                return Ok(());
            }
        }
        self.settle_explosion();
        Ok(())
    }

    fn take_or_higher(&mut self) -> bool {
        const MORE: [&str; 4] = ["higher", "more", "better", "above"];
        let found = self.word(0) == Some("or") && self.word(1).is_some_and(|word| MORE.contains(&word));
        self.at += if found { 2 } else { 0 };
        found
    }

    fn phrase(&mut self, from: usize, word: &str) -> Result<(), DiceError> {
        self.at += 1;
        let text = match word {
            _ if FILLERS.contains(&word) => return Ok(()),
            "at" if self.word(0).is_some_and(|next| next.starts_with("adv") || next.starts_with("dis")) => {
                return Ok(());
            }
            "of" if self.follows(&["modifier", "mod", "bonus", "check"]) => return Ok(()),
            "plus" => "+".to_owned(),
            "minus" => "-".to_owned(),
            "times" => "*".to_owned(),
            "divided" if self.take(&["by"]) => "/".to_owned(),
            "versus" => "vs".to_owned(),
            "percentile" => "d100".to_owned(),
            "fudge" | "fate" => "dF".to_owned(),
            "keep" | "take" | "drop" => self.selection(from, word)?,
            "reroll" | "rerolling" => self.rerolls(from)?,
            "exploding" | "explode" | "explodes" => return self.explosion(from),
            "count" | "counting" | "success" | "successes" => self.count(from)?,
            "minimum" | "maximum" => {
                self.take(&["of"]);
                let number = self.take_number().ok_or_else(|| self.unknown(from))?;
                format!("{}{number}", word.get(..3).unwrap_or(word))
            }
            _ if NOTATION.contains(&word) => word.to_owned(),
            _ => return Err(self.unknown(from)),
        };
        self.emit(from, text);
        if matches!(word, "percentile" | "fudge" | "fate" | "df") {
            self.settle_explosion();
        }
        Ok(())
    }

    fn follows(&self, words: &[&str]) -> bool {
        let before = self.at.checked_sub(2).and_then(|at| self.pieces.get(at));
        before.and_then(Piece::word).is_some_and(|word| words.contains(&word))
    }

    /// `keep the highest 3`, `drop the two lowest`.
    fn selection(&mut self, from: usize, verb: &str) -> Result<String, DiceError> {
        self.take(&["the"]);
        let before = self.take_number();
        let end = if self.take(&["highest", "best"]) {
            'h'
        } else if self.take(&["lowest", "worst"]) {
            'l'
        } else {
            return Err(self.unknown(from));
        };
        let count = before.or_else(|| self.take_number()).unwrap_or(1);
        let verb = if verb == "drop" { 'd' } else { 'k' };
        Ok(format!("{verb}{end}{count}"))
    }

    /// `reroll 1s and 2s`.
    fn rerolls(&mut self, from: usize) -> Result<String, DiceError> {
        let mut text = String::new();
        loop {
            let joined = !text.is_empty() && self.word(0).is_some_and(|word| matches!(word, "and" | "or"));
            let place = self.at + usize::from(joined);
            let face = match self.pieces.get(place).map(|piece| &piece.kind) {
                Some(Kind::Plural(face)) => *face,
                Some(Kind::Number(face)) if text.is_empty() || joined => *face,
                Some(Kind::Word(word)) if text.is_empty() => match lexicon::number(word) {
                    Some(face) => face,
                    None => break,
                },
                _ => break,
            };
            self.at = place + 1;
            text.push_str(&format!("ro{face}"));
        }
        if text.is_empty() {
            return Err(self.unknown(from));
        }
        self.take(&["once"]);
        Ok(text)
    }

    /// `count 8+`, `count successes on 8 or higher`, `successes on 8+`.
    fn count(&mut self, from: usize) -> Result<String, DiceError> {
        self.take(&["success", "successes"]);
        self.take(&["on", "at"]);
        if let Some(Kind::OrHigher(number)) = self.pieces.get(self.at).map(|piece| &piece.kind) {
            self.at += 1;
            return Ok(format!("t{number}"));
        }
        match self.take_number() {
            Some(number) if self.take_or_higher() => Ok(format!("t{number}")),
            _ => Err(self.unknown(from)),
        }
    }

    /// `3d6 exploding` or `three exploding d6`.
    fn explosion(&mut self, from: usize) -> Result<(), DiceError> {
        let Some(piece) = self.pieces.get(from) else {
            return Ok(());
        };
        let after_dice = self.bits.last().is_some_and(|bit| is_die(&bit.text))
            || matches!(self.bits.as_slice(), [.., d, sides] if d.text.ends_with('d') && is_number(&sides.text));
        if after_dice {
            self.emit(from, "!");
        } else if self.exploding.is_none() {
            self.exploding = Some(piece.start..piece.end);
        } else {
            return Err(self.unknown(from));
        }
        Ok(())
    }

    /// Writes an explosion after its dice.
    fn settle_explosion(&mut self) {
        let dice = match self.bits.as_slice() {
            [.., d, sides] if d.text.ends_with('d') && is_number(&sides.text) => true,
            [.., last] => is_die(&last.text),
            [] => false,
        };
        if dice && let Some(span) = self.exploding.take() {
            self.bits.push(Bit { text: "!".to_owned(), start: span.start, end: span.end });
        }
    }

    /// The refusal of everything from `from` that is not understood.
    fn unknown(&self, from: usize) -> DiceError {
        let mut to = self.at.max(from + 1);
        while self.pieces.get(to).is_some_and(is_unknown) {
            to += 1;
        }
        let pieces = self.pieces.get(from..to).unwrap_or(&[]);
        let words: Vec<String> = pieces.iter().map(show).collect();
        let span = pieces.iter().map(Piece::span).reduce(Span::to).unwrap_or_default();
        refusal(&words.join(" "), span)
    }
}

fn show(piece: &Piece) -> String {
    match &piece.kind {
        Kind::Word(text) | Kind::Notation(text) => text.clone(),
        Kind::Number(number) => number.to_string(),
        Kind::Plural(number) => format!("{number}s"),
        Kind::OrHigher(number) => format!("{number}+"),
    }
}

fn is_unknown(piece: &Piece) -> bool {
    piece.word().is_some_and(|word| {
        !FILLERS.contains(&word)
            && !NOTATION.contains(&word)
            && !lexicon::MEANINGS.contains(&word)
            && lexicon::number(word).is_none()
    })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `d6`, `3d6`, `dF`, `d%`.
fn is_die(text: &str) -> bool {
    let sides = text.trim_start_matches(|char: char| char.is_ascii_digit()).strip_prefix(['d', 'D']);
    sides.is_some_and(|sides| is_number(sides) || matches!(sides, "%" | "F" | "f"))
}
