//! What stands behind the `d`: a number of sides, `%`, `F`, a list of faces or a variable.

use crate::dice::die::{Die, Side};
use crate::dice::error::{Code, DiceError, Rewrite};
use crate::dice::expression::tree::DieSlot;
use crate::dice::notation::parse::{self, LIMITS, Parser};
use crate::dice::roll::constant;
use crate::dice::text::Span;

/// Symbols on one face.
const SYMBOLS_MAX: usize = 9;

impl Parser<'_> {
    /// Reads the die of a term that begins at `start`.
    pub(super) fn die(&mut self, start: usize) -> Result<DieSlot, DiceError> {
        let next = self.cursor.next();
        let at = self.cursor.at();
        let fixed = match next {
            b'%' => {
                self.cursor.bump();
                Die::Percent
            }
            b'f' => {
                self.cursor.bump();
                self.fate()
            }
            b'{' if self.at_variable() => {
                let variable = self.variable()?;
                return Ok(DieSlot::Variable(Box::new(variable)));
            }
            b'{' => self.faces(at)?,
            b'0'..=b'9' => {
                let sides = self.literal()?.unwrap_or(0);
                Die::Sides(check_sides(sides, self.cursor.since(start))?)
            }
            _ => return Err(self.no_sides(start)),
        };
        Ok(DieSlot::Fixed(fixed))
    }

    fn fate(&mut self) -> Die {
        if self.cursor.at_word(".1") {
            self.cursor.go(self.cursor.at() + 2);
            return Die::FateOne;
        }
        if self.cursor.at_word(".2") {
            self.cursor.go(self.cursor.at() + 2);
        }
        Die::Fate
    }

    fn faces(&mut self, start: usize) -> Result<Die, DiceError> {
        self.cursor.bump();
        let mut faces = Vec::new();
        loop {
            faces.push(self.face()?);
            if !self.cursor.take(b',') {
                break;
            }
        }
        self.expect(b'}', "a closing brace", "1d{1, 1, 2, 5}")?;
        if faces.len() > usize::try_from(LIMITS.sides).unwrap_or(usize::MAX) {
            let span = self.cursor.since(start);
            return Err(DiceError::limit("sides", LIMITS.sides, span, "1d{1, 2, 3}"));
        }
        let number = |side: &Side| side.number.filter(|_| side.symbols.is_empty());
        let numbers: Option<Vec<i64>> = faces.iter().map(number).collect();
        Ok(numbers.map_or(Die::Symbols(faces), Die::Faces))
    }

    /// `3`, `-1`, `SA`, `10H`; `-` or `blank` for nothing.
    fn face(&mut self) -> Result<Side, DiceError> {
        let next = self.cursor.next();
        if next == b'-' && self.cursor.rest().trim_start_matches('-').trim_start().starts_with([',', '}']) {
            self.cursor.bump();
            return Ok(Side::default());
        }
        let number = if next.is_ascii_alphabetic() { None } else { Some(self.signed_literal()?) };
        let (start, rest) = (self.cursor.at(), self.cursor.rest());
        let word = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        self.cursor.go(start + word);
        let symbols = rest.get(..word).unwrap_or_default().to_ascii_uppercase();
        if number.is_none() && symbols == "BLANK" {
            return Ok(Side::default());
        }
        if word > SYMBOLS_MAX {
            let span = self.cursor.since(start);
            return Err(DiceError::limit("symbols on one face", SYMBOLS_MAX, span, "1d{-, S, SA}"));
        }
        Ok(Side { number, symbols })
    }

    fn no_sides(&self, start: usize) -> DiceError {
        let at = self.cursor.at();
        let (next, rest) = (self.cursor.peek(), self.cursor.rest());
        let message = match next {
            b'-' => "A die cannot have a negative number of sides.",
            b'(' => "The number of sides is written, not worked out.",
            _ => "After `d` stands the number of sides.",
        };
        let refusal = DiceError::new(
            Code::InvalidDie,
            Span::new(start, at + usize::from(next == b'-')),
            message,
            "Write a number of sides, %, F or a list of faces after the d.",
            if next == b'-' { "2d6" } else { "1d20" },
        );
        let closed = rest.find(')').map_or(rest.len(), |end| end + 1);
        let computed = rest.get(..closed).filter(|_| next == b'(').and_then(|inner| {
            let sides = parse::members(inner).ok()?.first().and_then(|node| constant(node).ok()?.whole())?;
            Some(Rewrite::new("with the number of sides").replace(at..at + closed, sides.to_string()))
        });
        match (next, computed) {
            (_, Some(rewrite)) => refusal.offering(rewrite),
            // Foundry's coin: heads is 1, tails 0.
            (b'c', _) => refusal.offering(Rewrite::new("to toss coins").replace(at..at + 1, "{0,1}")),
            _ => refusal,
        }
    }
}

/// Refuses a die with no sides or too many.
pub(crate) fn check_sides(sides: i64, span: Span) -> Result<u32, DiceError> {
    if sides > LIMITS.sides {
        return Err(DiceError::limit("sides", LIMITS.sides, span, "1d100"));
    }
    match u32::try_from(sides) {
        Ok(sides) if sides > 0 => Ok(sides),
        _ => Err(DiceError::new(
            Code::InvalidDie,
            span,
            format!("There is no die with {sides} sides."),
            "Write a number of sides from 1 to 1000.",
            "1d6",
        )),
    }
}
