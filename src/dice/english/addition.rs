//! What is added or taken away: `subtract 2 from d8`, `plus negative 3`.

use crate::dice::english::translator::{Bit, Translator};
use crate::dice::error::DiceError;

impl Translator<'_> {
    /// `add 3 to …` and `subtract 2 from …`, before all else.
    pub(super) fn addition(&mut self, from: usize, verb: &str) -> Result<(), DiceError> {
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
    pub(super) fn negative(&mut self, from: usize) -> Result<(), DiceError> {
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
}
