//! What a check looks at in a roll: two rolls that show the same of it come to the same.

use std::collections::BTreeSet;

use crate::rules::check::Check;
use crate::rules::when::Quantity;

/// What a check looks at in a roll, whichever row or flag does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Reads {
    /// What the kept dice add up to.
    pub total: bool,
    /// The face of the first kept die.
    pub natural: bool,
    /// The highest kept die.
    pub highest: bool,
    /// The lowest kept die.
    pub lowest: bool,
    /// Faces of which the dice that show them are counted.
    pub faces: BTreeSet<i64>,
    /// The successes by the check's Count.
    pub successes: bool,
    /// How many dice were rolled; the same for every way unless they explode.
    pub dice: bool,
    /// Each opposing die by itself.
    pub opposing: bool,
}

impl Reads {
    pub fn of(check: &Check) -> Self {
        let mut reads = Self { natural: !check.shifts.is_empty(), ..Self::default() };
        let conditions = check.rows.iter().map(|row| &row.when).chain(check.flags.iter().map(|flag| &flag.when));
        if check.rows.is_empty() {
            reads.read(Quantity::Margin, check);
        }
        for measure in conditions.flat_map(|when| when.measures()) {
            reads.read(measure.quantity, check);
        }
        if reads.successes {
            // Every two of such a face count further.
            reads.faces.extend(check.pairs.iter().map(|pairs| pairs.face));
        }
        reads
    }

    /// With what the check compares with its target, and two who roll against each other with one another.
    pub fn and_result(mut self, check: &Check) -> Self {
        self.read(Quantity::Margin, check);
        if self.successes {
            self.faces.extend(check.pairs.iter().map(|pairs| pairs.face));
        }
        self
    }

    fn read(&mut self, quantity: Quantity, check: &Check) {
        match quantity {
            Quantity::Total => self.total = true,
            Quantity::Margin | Quantity::Successes if check.count.is_some() => self.successes = true,
            Quantity::Margin | Quantity::Successes => self.total = true,
            Quantity::Natural => self.natural = true,
            Quantity::Highest => self.highest = true,
            Quantity::Lowest => self.lowest = true,
            Quantity::Face(face) => drop(self.faces.insert(face)),
            Quantity::Beaten => (self.total, self.opposing) = (true, true),
            Quantity::Match => self.opposing = true,
            Quantity::Dice => self.dice = true,
            Quantity::Pool | Quantity::Target => {}
        }
    }
}
