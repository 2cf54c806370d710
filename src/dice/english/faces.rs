//! Phrases about single faces: which are rerolled, explode or count.

use crate::dice::english::lexicon::{self, FILLERS};
use crate::dice::english::piece::Kind;
use crate::dice::english::translator::{Translator, is_die};
use crate::dice::error::DiceError;

impl Translator<'_> {
    /// Whether `4+` stands right behind dice, as in `5d6 4+`, and is no bonus ("a 4+ modifier").
    pub(super) fn counts_here(&self, at: usize) -> bool {
        let dice = self.pieces.get(at - 1).is_some_and(|piece| match &piece.kind {
            Kind::Notation(text) => is_die(text),
            _ => false,
        });
        dice && !self.word(1).is_some_and(|word| FILLERS.contains(&word))
    }

    /// `or higher` and `or lower`: as a comparison of a face, and as a test of a total.
    pub(super) fn take_or(&mut self) -> Option<(&'static str, &'static str)> {
        let word = self.word(1).filter(|_| self.word(0) == Some("or"))?;
        let found = match word {
            "higher" | "more" | "better" | "above" | "greater" => (">=", "vs"),
            "lower" | "less" | "below" | "fewer" | "under" => ("<=", "under"),
            _ => return None,
        };
        self.at += 2;
        Some(found)
    }

    /// `reroll 1s and 2s`.
    pub(super) fn rerolls(&mut self, from: usize) -> Result<String, DiceError> {
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
            let sign = self.take_or().map_or("", |(sign, _)| sign);
            text.push_str(&format!("ro{sign}{face}"));
        }
        // `reroll 1, 2`: a second number would be left over.
        if text.is_empty() || matches!(self.pieces.get(self.at).map(|piece| &piece.kind), Some(Kind::Number(_))) {
            return Err(self.unknown(from));
        }
        self.take(&["once"]);
        Ok(text)
    }

    /// `count 8+`, `count successes on 8 or higher`, `successes on 8+`; behind its dice, or before them (`count 8+ on 8d10`).
    pub(super) fn count(&mut self, from: usize) -> Result<(), DiceError> {
        self.take(&["success", "successes"]);
        self.take(&["on", "at"]);
        let Some(point) = self.open_point() else {
            self.take_number();
            return Err(self.unknown(from));
        };
        self.counted(from, &point)
    }

    /// Counts the dice that stand before, or those that come.
    pub(super) fn counted(&mut self, from: usize, point: &str) -> Result<(), DiceError> {
        let text = format!("t{}", point.strip_prefix(">=").unwrap_or(point));
        if self.behind_dice() {
            self.emit(from, text);
            return Ok(());
        }
        self.take(&["on", "of", "from"]);
        self.wait(from, text)
    }

    /// `8+`, `8 or higher`, `3 or lower`, as a comparison.
    fn open_point(&mut self) -> Option<String> {
        if let Some(Kind::OrHigher(number)) = self.pieces.get(self.at).map(|piece| &piece.kind) {
            self.at += 1;
            return Some(format!(">={number}"));
        }
        let start = self.at;
        let number = self.take_number()?;
        let Some((sign, _)) = self.take_or() else {
            self.at = start;
            return None;
        };
        Some(format!("{sign}{number}"))
    }

    /// `3d6 exploding`, `three exploding d6`, `4d6 keep the highest 3 exploding on 5 or higher`.
    pub(super) fn explosion(&mut self, from: usize) -> Result<(), DiceError> {
        let mut text = "!".to_owned();
        if self.word(0) == Some("on") {
            self.at += 1;
            self.take(&["a", "an"]);
            match (self.open_point(), self.pieces.get(self.at).map(|piece| &piece.kind)) {
                (Some(point), _) => text.push_str(&point),
                (None, Some(Kind::Plural(face) | Kind::Number(face))) => {
                    self.at += 1;
                    text.push_str(&face.to_string());
                }
                (None, _) => match self.take_number() {
                    Some(face) => text.push_str(&face.to_string()),
                    None => return Err(self.unknown(from)),
                },
            }
        }
        if self.behind_dice() {
            self.emit(from, text);
            return Ok(());
        }
        self.wait(from, text)
    }
}
