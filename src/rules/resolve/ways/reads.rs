//! What a check looks at in a roll: two rolls that show the same of it come to the same.

use std::collections::BTreeMap;

use crate::rules::language::checks::{Check, FollowUp, FollowUpChange, Opposition};
use crate::rules::resolve::attempt::Attempt;
use crate::rules::when::facts::Facts;
use crate::rules::when::{Named, Quantity};

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
    /// Faces of which the dice that show them are counted, each up to a number: so many and more of them are all the same.
    pub faces: BTreeMap<i64, usize>,
    /// The successes by the check's Count.
    pub successes: bool,
    /// How many dice were rolled; the same for every way unless they explode.
    pub dice: bool,
    /// Every die by itself, in whatever order.
    pub each: bool,
    /// Which group has the highest dice.
    pub dominates: bool,
    /// The faces of which a die that exploded is made up.
    pub chains: bool,
    /// Each opposing die by itself.
    pub opposing: bool,
}

impl Reads {
    pub fn of(check: &Check, attempt: &Attempt) -> Self {
        let known = Facts { values: attempt.values.clone(), ..Facts::default() };
        let mut reads = Self { natural: !check.shifts.is_empty(), ..Self::default() };
        let conditions = check.conditions();
        if check.rows.is_empty() {
            reads.read(Quantity::Margin, check);
        }
        for (measure, most) in conditions.flat_map(|when| when.measures_compared(&known)) {
            match measure.quantity {
                Quantity::Face(face) => reads.count_face(face, most),
                quantity => reads.read(quantity, check),
            }
        }
        reads.pairs(check);
        reads
    }

    /// With what its values are worked out from, each of which is shown.
    pub fn and_values(mut self, check: &Check) -> Self {
        for measure in check.values.iter().flat_map(Named::measures) {
            self.read(measure.quantity, check);
        }
        self.pairs(check);
        self
    }

    /// With the faces that stay where others are rolled again.
    pub fn and_kept(mut self, rule: &FollowUp) -> Self {
        if let FollowUpChange::Reroll { except } = &rule.change {
            except.iter().filter_map(|dice| dice.face).for_each(|face| self.count_face(face, None));
        }
        self
    }

    /// With what the check compares with its target, and two who roll against each other with one another.
    pub fn and_result(mut self, check: &Check, decided: &Opposition) -> Self {
        self.read(Quantity::Margin, check);
        self.total |= decided.compares_totals();
        self.pairs(check);
        self
    }

    /// Every two of such a face count further.
    fn pairs(&mut self, check: &Check) {
        if self.successes {
            check.pairs.iter().for_each(|pairs| self.count_face(pairs.face, None));
        }
    }

    /// Dice that show this face are counted up to so many; none is as many as there are.
    fn count_face(&mut self, face: i64, most: Option<usize>) {
        let known = self.faces.entry(face).or_default();
        *known = (*known).max(most.unwrap_or(usize::MAX));
    }

    fn read(&mut self, quantity: Quantity, check: &Check) {
        if let Some(result) = check.result().filter(|_| quantity == Quantity::Margin) {
            let measures = result.measures().into_iter().filter(|own| own.quantity != Quantity::Margin);
            measures.for_each(|own| self.read(own.quantity, check));
            return;
        }
        match quantity {
            Quantity::Total => self.total = true,
            Quantity::Margin | Quantity::Successes if check.count.is_some() => self.successes = true,
            Quantity::Margin | Quantity::Successes => self.total = true,
            Quantity::Natural | Quantity::NaturalSize | Quantity::TensDigit | Quantity::UnitsDigit => {
                self.natural = true;
            }
            Quantity::Highest | Quantity::HighestSize => self.highest = true,
            Quantity::HighestTwo | Quantity::LeftoverSize | Quantity::Width | Quantity::Height => self.each = true,
            Quantity::Dominates => self.dominates = true,
            Quantity::Doubled => (self.each, self.chains) = (true, true),
            Quantity::Lowest => self.lowest = true,
            Quantity::Face(face) => self.count_face(face, None),
            Quantity::Beaten => (self.total, self.opposing) = (true, true),
            Quantity::Match => self.opposing = true,
            Quantity::Dice => self.dice = true,
            Quantity::Pool | Quantity::Target => {}
        }
    }
}
