//! What a check looks at in a roll: two rolls that show the same of it come to the same.

use std::collections::{BTreeMap, BTreeSet};

use crate::rules::grammar::opposed::Opposition;
use crate::rules::grammar::tree::{Choice, From};
use crate::rules::language::checks::{Check, FollowUp};
use crate::rules::resolve::attempt::Attempt;
use crate::rules::when::facts::Facts;
use crate::rules::when::{Among, Expr, Measure, Named, Quantity, Range, Which};

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
            reads.measure(&Measure::plain(Quantity::Margin), check);
        }
        for (measure, most) in conditions.flat_map(|when| when.measures_compared(&known)) {
            match measure.quantity {
                Quantity::Face(face) => reads.count_face(face, most),
                _ => reads.measure(measure, check),
            }
        }
        reads
    }

    /// With what its values are worked out from, each of which is shown.
    pub fn and_values(mut self, check: &Check) -> Self {
        for measure in check.values.iter().flat_map(Named::measures) {
            self.measure(measure, check);
        }
        self
    }

    /// With the faces that stay where others are rolled again.
    pub fn and_kept(mut self, rule: &FollowUp) -> Self {
        rule.some_dice().iter().filter_map(|dice| dice.face).for_each(|face| self.count_face(face, None));
        self
    }

    /// With what the check compares with its target, and two who roll against each other with one another.
    pub fn and_result(mut self, check: &Check, decided: &Opposition) -> Self {
        self.measure(&Measure::plain(Quantity::Margin), check);
        if decided.compares_totals() {
            self.measure(&Measure::plain(Quantity::Total), check);
        }
        self
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

    /// What a measure looks at; the total is the check's Result, where it has one, and the margin and who is beaten go by it.
    fn measure(&mut self, measure: &Measure, check: &Check) {
        let by_result = matches!(measure.quantity, Quantity::Total | Quantity::Margin | Quantity::Beaten);
        match check.result.as_ref().filter(|_| by_result) {
            Some(result) => {
                self.opposing |= measure.quantity == Quantity::Beaten;
                result.measures().into_iter().for_each(|own| self.rolled(own, check));
            }
            None => self.rolled(measure, check),
        }
    }

    fn rolled(&mut self, measure: &Measure, check: &Check) {
        match (measure.quantity, &measure.label, measure.among.as_deref()) {
            (Quantity::Symbol(letter), Some(_), _) => {
                self.symbols.insert(vec![(letter, 1)]);
                self.symbols_apart = true;
            }
            (Quantity::Of(choice), _, Some(among)) => self.choice(choice, among, check),
            (quantity, ..) => self.read(quantity, check),
        }
    }

    /// What a function of some dice looks at: every die by itself, where less does not tell.
    fn choice(&mut self, choice: Choice, among: &Among, check: &Check) {
        let number = |own: &Expr| if let Expr::Number(own) = own { Some(*own) } else { None };
        match (choice, among) {
            (_, Among::Natural) | (Choice::Digit, _) => self.natural = true,
            (Choice::Sum, Among::Dice { from: From::Kept, which: Some(Which::Highest(own)) })
                if number(own) == Some(2) =>
            {
                self.highest_two = true;
            }
            (Choice::Size, Among::Dice { from: From::Kept, which: Some(Which::Highest(own)) })
                if number(own) == Some(1) =>
            {
                self.highest = true;
            }
            (Choice::Count, Among::Dice { from, which: Some(Which::Showing(range)) })
                if *from == From::All || (*from == From::Kept && !check.roll.keeps()) =>
            {
                match faces(range) {
                    Some((low, high)) => (low..=high).for_each(|face| self.count_face(face, None)),
                    None => self.each = true,
                }
            }
            _ => self.each = true,
        }
    }

    fn read(&mut self, quantity: Quantity, check: &Check) {
        match quantity {
            Quantity::Total => self.total = true,
            Quantity::Margin | Quantity::Successes if check.count.is_some() => self.successes = true,
            Quantity::Margin | Quantity::Successes => self.total = true,
            Quantity::Natural => self.natural = true,
            Quantity::Highest => self.highest = true,
            Quantity::Width | Quantity::Height | Quantity::Of(_) => self.each = true,
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

/// The faces of a range that are counted one by one, where its ends are numbers.
fn faces(range: &Range) -> Option<(i64, i64)> {
    let number = |own: &Expr| if let Expr::Number(own) = own { Some(*own) } else { None };
    let (low, high) = match range {
        Range::Exactly(own) => (number(own)?, number(own)?),
        Range::AtLeast(own) => (number(own)?, FACE_MAX),
        Range::AtMost(own) => (0, number(own)?),
        Range::Between(low, high) => (number(low)?, number(high)?),
        Range::NonZero | Range::MoreThan(_) | Range::LessThan(_) => return None,
    };
    (0 <= low && high <= FACE_MAX).then_some((low, high))
}

/// The highest face that is counted by itself.
const FACE_MAX: i64 = 100;
