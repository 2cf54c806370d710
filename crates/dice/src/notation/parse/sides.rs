//! What stands behind the `d`: a number of sides, `%`, `F`, a list of faces or a variable.

use crate::compare::Int;
use crate::die::{Die, Side};
use crate::error::{Code, DiceError, Rewrite};
use crate::expression::tree::DieSlot;
use crate::notation::parse::{LIMITS, Parser};
use crate::text::Span;

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
                return Ok(DieSlot::Open(Int::Variable(Box::new(variable))));
            }
            b'(' => match self.computed_int()? {
                Int::Literal(sides) => Die::Sides(check_sides(sides, self.cursor.since(start))?),
                open => return Ok(DieSlot::Open(open)),
            },
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
            self.face(&mut faces)?;
            if faces.len() > usize::try_from(LIMITS.sides).unwrap_or(usize::MAX) {
                let span = self.cursor.since(start);
                return Err(DiceError::limit("sides", LIMITS.sides, span, "1d{1, 2, 3}"));
            }
            if !self.cursor.take(b',') {
                break;
            }
        }
        self.expect(b'}', "a closing brace", "1d{1, 1, 2, 5}")?;
        let number = |side: &Side| side.number.filter(|_| side.symbols.is_empty());
        let numbers: Option<Vec<i64>> = faces.iter().map(number).collect();
        Ok(numbers.map_or(Die::Symbols(faces), Die::Faces))
    }

    /// `3`, `-1`, `SA`, `10H`; `2..14H` for a face with each of these numbers; `-` or `blank` for nothing.
    fn face(&mut self, faces: &mut Vec<Side>) -> Result<(), DiceError> {
        let next = self.cursor.next();
        let from = self.cursor.at();
        if next == b'-' && self.cursor.rest().trim_start_matches('-').trim_start().starts_with([',', '}']) {
            self.cursor.bump();
            faces.push(Side::default());
            return Ok(());
        }
        let number = if next.is_ascii_alphabetic() { None } else { Some(self.signed_literal()?) };
        let last = match number {
            Some(first) if self.cursor.rest().starts_with("..") => {
                self.cursor.go(self.cursor.at() + 2);
                let last = self.signed_literal()?;
                let many = last.saturating_sub(first).saturating_add(1);
                if many < 2 {
                    let message = "These faces go from a number to a lower one.";
                    let hint = "Write the lower number first.";
                    return Err(DiceError::new(Code::InvalidDie, self.cursor.since(from), message, hint, "1d{2..14H}"));
                }
                if many > LIMITS.sides {
                    return Err(DiceError::limit("sides", LIMITS.sides, self.cursor.since(from), "1d{2..14H}"));
                }
                Some(last)
            }
            first => first,
        };
        let (start, rest) = (self.cursor.at(), self.cursor.rest());
        let word = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        self.cursor.go(start + word);
        let symbols = rest.get(..word).unwrap_or_default().to_ascii_uppercase();
        if number.is_none() && symbols == "BLANK" {
            faces.push(Side::default());
            return Ok(());
        }
        if word > SYMBOLS_MAX {
            let span = self.cursor.since(start);
            return Err(DiceError::limit("symbols on one face", SYMBOLS_MAX, span, "1d{-, S, SA}"));
        }
        match number.zip(last) {
            Some((first, last)) => {
                faces.extend((first..=last).map(|number| Side { number: Some(number), symbols: symbols.clone() }));
            }
            None => faces.push(Side { number: None, symbols }),
        }
        Ok(())
    }

    fn no_sides(&self, start: usize) -> DiceError {
        let at = self.cursor.at();
        let next = self.cursor.peek();
        let message = match next {
            b'-' => "A die cannot have a negative number of sides.",
            _ => "After `d` stands the number of sides.",
        };
        let message = message;
        let hint = "Write a number of sides, %, F or a list of faces after the d.";
        let refusal = DiceError::new(
            Code::InvalidDie,
            Span::new(start, at + usize::from(next == b'-')),
            message,
            hint,
            if next == b'-' { "2d6" } else { "1d20" },
        );
        match next {
            // Foundry's coin: heads is 1, tails 0.
            b'c' => refusal.offering(Rewrite::new("to toss coins").replace(at..at + 1, "{0,1}")),
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
