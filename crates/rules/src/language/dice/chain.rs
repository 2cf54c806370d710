//! The dice chain: dice in order of size, along which a check's main die may be moved.

use rollbook_dice::Die;
use rollbook_text::diagnostic::Place;

/// Dice in order, smallest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiceChain {
    /// At least two.
    pub dice: Vec<Die>,
    pub place: Place,
}

impl DiceChain {
    /// The die this many steps along, at most the last one. None where the die is not on the chain.
    pub fn moved(&self, die: &Die, steps: i64) -> Option<Die> {
        let at = self.dice.iter().position(|member| member.same_as(die))?;
        let last = i64::try_from(self.dice.len()).unwrap_or(i64::MAX) - 1;
        let to = i64::try_from(at).unwrap_or(0).saturating_add(steps).clamp(0, last.max(0));
        self.dice.get(usize::try_from(to).ok()?).cloned()
    }

    /// "d3, d4, d5".
    pub fn list(&self) -> String {
        let names: Vec<String> = self.dice.iter().map(ToString::to_string).collect();
        names.join(", ")
    }
}
