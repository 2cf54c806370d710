//! Pieces to notation, one after the other.

use crate::dice::english::lexicon;

use crate::dice::english::lexicon::{FILLERS, NOTATION};
use crate::dice::english::piece::{Kind, Piece};
use crate::dice::english::translator::{Bit, Translator};
use crate::dice::error::DiceError;

impl Translator<'_> {
    /// Translates what stands here.
    pub(super) fn step(&mut self) -> Result<(), DiceError> {
        let from = self.at;
        let Some(piece) = self.pieces.get(from) else {
            return Ok(());
        };
        match &piece.kind {
            Kind::Notation(text) => {
                self.at += 1;
                self.emit(from, text.as_str());
                self.settle_waiting();
                Ok(())
            }
            Kind::Number(_) => self.number(from),
            Kind::Word(word) if lexicon::begins_number(word) => self.number(from),
            Kind::Word(word) => self.phrase(from, word),
            Kind::OrHigher(number) if from > 0 && self.counts_here(from) => {
                self.at += 1;
                self.counted(from, &format!(">={number}"))
            }
            Kind::Plural(_) | Kind::OrHigher(_) => Err(self.unknown(from)),
        }
    }

    /// `3`, `8 or higher`, `8 sided`, and the sides in `d 6`.
    fn number(&mut self, from: usize) -> Result<(), DiceError> {
        let number = self.take_number().unwrap_or(0);
        if self.take(&["sided"]) {
            self.emit(from, format!("d{number}"));
        } else if let Some((sign, test)) = self.take_or() {
            // Behind arithmetic no die is left to be counted.
            if self.bits.is_empty() || self.behind_dice() {
                return self.counted(from, &format!("{sign}{number}"));
            }
            self.emit(from, format!("{test} {number}"));
        } else {
            self.emit(from, number.to_string());
            if self.bits.len() < 2 || !self.bits.iter().rev().nth(1).is_some_and(|bit| bit.text.ends_with('d')) {
                return Ok(());
            }
        }
        self.settle_waiting();
        Ok(())
    }

    fn phrase(&mut self, from: usize, word: &str) -> Result<(), DiceError> {
        self.at += 1;
        let text = match word {
            "bonus" | "penalty" if self.take(&["die", "dice"]) => return self.tens(from, word),
            "bonus" | "penalty" if self.after_percentile() => return self.tens(from, word),
            // `d100 under 45 bonus`: a bonus die, or nothing?
            "bonus" if self.rolls_percentile() => return Err(self.unknown(from)),
            // `2d6 mod 4` is a remainder, or a modifier: nobody knows.
            "mod" if matches!(self.pieces.get(self.at).map(|piece| &piece.kind), Some(Kind::Number(_))) => {
                return Err(self.unknown(from));
            }
            _ if FILLERS.contains(&word) => return Ok(()),
            "no" | "without" if self.word(0).is_some_and(is_advantage) => {
                self.at += 1;
                let joined = self.word(0).is_some_and(|word| matches!(word, "or" | "and"));
                if joined && self.word(1).is_some_and(is_advantage) {
                    self.at += 2;
                }
                return Ok(());
            }
            "at" if matches!(self.word(0), Some("least" | "most")) => {
                return self.bound(from, self.word(0).unwrap_or_default());
            }
            "under" if self.bits.is_empty() => return self.under_first(from),
            "add" | "subtract" => return self.addition(from, word),
            "negative" => return self.negative(from),
            "at" if self.word(0).is_some_and(is_advantage) => return Ok(()),
            "of" if self.follows(&["modifier", "mod", "bonus", "check"]) => return Ok(()),
            _ if is_advantage(word) && self.bits.is_empty() && self.advantage.is_none() => {
                self.take(&["on"]);
                let (start, end) = self.place(from);
                self.advantage = Some(Bit { text: word.to_owned(), start, end });
                return Ok(());
            }
            "plus" => "+".to_owned(),
            "minus" => "-".to_owned(),
            "times" => return self.times(from),
            "divided" if self.take(&["by"]) => "/".to_owned(),
            "vs" | "versus" | "against" => self.versus(),
            _ if lexicon::TARGETS.contains(&word) && !self.bits.is_empty() => return self.target(from, word),
            "percentile" => "d100".to_owned(),
            "fudge" | "fate" => "dF".to_owned(),
            "keep" | "take" | "drop" => return self.selection(from, word),
            "discard" | "remove" | "without" if self.names_an_end() => return self.selection(from, "drop"),
            _ if lexicon::end(word).is_some() => {
                self.at = from;
                return self.selection(from, "keep");
            }
            "reroll" | "rerolling" => self.rerolls(from)?,
            "exploding" | "explode" | "explodes" => return self.explosion(from),
            "count" | "counting" | "success" | "successes" | "hits" => return self.count(from),
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
            self.settle_waiting();
        }
        Ok(())
    }

    /// `add 3 to …` and `subtract 2 from …`, before all else.
    fn addition(&mut self, from: usize, verb: &str) -> Result<(), DiceError> {
        let (sign, joint) = if verb == "add" { ('+', "to") } else { ('-', "from") };
        let number = self.take_number();
        let (true, true, Some(number), true) =
            (self.bits.is_empty(), self.added.is_none(), number, self.take(&[joint]))
        else {
            return Err(self.unknown(from));
        };
        let (start, end) = self.place(from);
        self.added = Some(Bit { text: format!("{sign} {number}"), start, end });
        Ok(())
    }

    /// `plus negative 3` takes 3 away, `minus negative 3` adds it.
    fn negative(&mut self, from: usize) -> Result<(), DiceError> {
        let sign = match self.bits.last().map(|bit| bit.text.as_str()) {
            Some("+") => "-",
            Some("-") => "+",
            _ => return Err(self.unknown(from)),
        };
        let Some(number) = self.take_number() else {
            return Err(self.unknown(from));
        };
        self.bits.pop();
        self.emit(from, format!("{sign} {number}"));
        Ok(())
    }

    fn follows(&self, words: &[&str]) -> bool {
        let before = self.at.checked_sub(2).and_then(|at| self.pieces.get(at));
        before.and_then(Piece::word).is_some_and(|word| words.contains(&word))
    }
}

fn is_advantage(word: &str) -> bool {
    matches!(word, "adv" | "advantage" | "dis" | "disadv" | "disadvantage")
}
