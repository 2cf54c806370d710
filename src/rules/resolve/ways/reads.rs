//! What a check looks at in a roll: two rolls that show the same of it come to the same.

use std::collections::{BTreeMap, BTreeSet};

use crate::rules::language::checks::{Check, FollowUp, FollowUpChange, Opposition};
use crate::rules::resolve::attempt::Attempt;
use crate::rules::when::facts::Facts;
use crate::rules::when::{Measure, Named, Quantity};

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
    /// The two highest kept dice.
    pub highest_two: bool,
    /// Which group has the highest dice.
    pub dominates: bool,
    /// The faces of which a die that exploded is made up.
    pub chains: bool,
    /// Each opposing die by itself.
    pub opposing: bool,
    /// Symbols of which are counted how many fell; where only two cancel each other, how many more of the one than of the other.
    pub symbols: BTreeSet<SymbolCount>,
    /// Whether it matters in which group a symbol fell.
    pub symbols_apart: bool,
}

/// What each of some symbols counts.
pub(super) type SymbolCount = Vec<(char, i64)>;

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
                _ => reads.measure(measure, check),
            }
        }
        reads.pairs(check);
        reads
    }

    /// With what its values are worked out from, each of which is shown.
    pub fn and_values(mut self, check: &Check) -> Self {
        for measure in check.values.iter().flat_map(Named::measures) {
            self.measure(measure, check);
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

    /// How many of a symbol are left: where it cancels with one other alone, the difference of both tells; else which of all that it
    /// may come upon fell.
    fn count_symbol(&mut self, letter: char, check: &Check) {
        let pairs = |letter: char| {
            let own = check.cancels.iter().filter(move |(one, other)| *one == letter || *other == letter);
            own.map(move |(one, other)| if *one == letter { *other } else { *one }).collect::<BTreeSet<char>>()
        };
        let against = pairs(letter);
        if let (Some(other), 1) = (against.first(), against.len())
            && pairs(*other).len() == 1
        {
            self.symbols.insert(vec![(letter.min(*other), 1), (letter.max(*other), -1)]);
            return;
        }
        let (mut all, mut open) = (BTreeSet::new(), vec![letter]);
        while let Some(next) = open.pop() {
            if all.insert(next) {
                open.extend(pairs(next));
            }
        }
        self.symbols.extend(all.into_iter().map(|letter| vec![(letter, 1)]));
    }

    fn measure(&mut self, measure: &Measure, check: &Check) {
        match (measure.quantity, &measure.label) {
            (Quantity::Symbol(letter), Some(_)) => {
                self.symbols.insert(vec![(letter, 1)]);
                self.symbols_apart = true;
            }
            (quantity, _) => self.read(quantity, check),
        }
    }

    fn read(&mut self, quantity: Quantity, check: &Check) {
        if let Some(result) = check.result().filter(|_| quantity == Quantity::Margin) {
            let measures = result.measures().into_iter().filter(|own| own.quantity != Quantity::Margin);
            measures.for_each(|own| self.measure(own, check));
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
            Quantity::HighestTwo => self.highest_two = true,
            Quantity::LeftoverSize
            | Quantity::LargestSize
            | Quantity::OtherTwo
            | Quantity::Width(_)
            | Quantity::Height(_) => self.each = true,
            Quantity::Dominates => self.dominates = true,
            Quantity::Doubled => (self.each, self.chains) = (true, true),
            Quantity::Lowest => self.lowest = true,
            Quantity::Face(face) => self.count_face(face, None),
            Quantity::Beaten => (self.total, self.opposing) = (true, true),
            Quantity::Match => self.opposing = true,
            Quantity::Dice => self.dice = true,
            Quantity::Symbol(letter) => self.count_symbol(letter, check),
            Quantity::Pool | Quantity::Target => {}
        }
    }
}
