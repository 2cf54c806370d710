//! Phrases about single faces: which are rerolled, explode or count.

use crate::dice::english::lexicon;

use crate::dice::english::lexicon::FILLERS;
use crate::dice::english::piece::{Kind, is_die};
use crate::dice::english::translator::Translator;
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
            if let (true, Some(faces)) = (text.is_empty(), self.face_range()) {
                text = faces;
                continue;
            }
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

    /// `1-2` and `below 3`, as rerolls.
    fn face_range(&mut self) -> Option<String> {
        if self.word(0) == Some("below") {
            self.at += 1;
            return Some(format!("ro<{}", self.take_number()?));
        }
        let Kind::Notation(text) = &self.pieces.get(self.at)?.kind else { return None };
        let (low, high) = text.split_once('-')?;
        let (low, high) = (low.parse::<i64>().ok()?, high.parse::<i64>().ok()?);
        let faces = (low..=high).take(10).map(|face| format!("ro{face}")).collect::<String>();
        (low < high && high - low < 10).then(|| self.at += 1).map(|()| faces)
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

    /// `3d6 exploding`, `three exploding d6`, `4d6 keep the highest 3 exploding on 5 or higher`, `8d10 exploding on 9s and 10s`.
    pub(super) fn explosion(&mut self, from: usize) -> Result<(), DiceError> {
        let mut text = "!".to_owned();
        let named = matches!(self.pieces.get(self.at).map(|piece| &piece.kind), Some(Kind::Plural(_)));
        if named || self.take(&["on"]) {
            self.take(&["a", "an"]);
            text.push_str(&self.exploding_faces().ok_or_else(|| self.unknown(from))?);
        }
        if self.behind_dice() {
            self.emit(from, text);
            return Ok(());
        }
        self.wait(from, text)
    }

    /// The faces that explode: `5 or higher`, `6`, `6s`, and `9 and 10` where those are the highest.
    fn exploding_faces(&mut self) -> Option<String> {
        if let Some(point) = self.open_point() {
            return Some(point);
        }
        let mut faces = vec![self.one_face()?];
        while self.word(0).is_some_and(|word| matches!(word, "and" | "or")) {
            let start = self.at;
            self.at += 1;
            match self.one_face() {
                Some(face) => faces.push(face),
                None => {
                    self.at = start;
                    break;
                }
            }
        }
        match faces.as_slice() {
            [face] => Some(face.to_string()),
            several => {
                let (low, high) = (*several.iter().min()?, *several.iter().max()?);
                let run = i64::try_from(several.len()).ok()? == high - low + 1;
                let sides = self.bits.last()?.text.to_ascii_lowercase();
                (run && sides.rsplit('d').next()?.parse() == Ok(high)).then(|| format!(">={low}"))
            }
        }
    }

    fn one_face(&mut self) -> Option<i64> {
        if let Some(Kind::Plural(face)) = self.pieces.get(self.at).map(|piece| &piece.kind) {
            self.at += 1;
            return Some(*face);
        }
        self.take_number()
    }
}
