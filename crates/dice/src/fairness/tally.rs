//! Counting faces: of dice on trial, and the first faces of the dice of a roll, by kind of die.

use crate::die::{Die, Faces};
use crate::error::DiceError;
use crate::expression::Expression;
use crate::fairness::{ChiSquare, chi_square};
use crate::notation::parse;
use crate::record::{Reason, Roll, RolledDie, Term};
use crate::roll::roller::{DrawError, Roller};
use std::collections::BTreeMap;

/// How often each face of a die came up, and each pair of one face after another.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    die: Die,
    /// Faces, rising, with their chances.
    faces: Vec<(i64, f64)>,
    counts: Vec<u64>,
    /// Pairs of draws that do not overlap, by first and then second face.
    pairs: Vec<u64>,
    /// The place of the first face of a pair that waits for its second.
    open: Option<usize>,
}

/// One line of a report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceCount {
    /// The face; of an expression, the total.
    pub face: i64,
    /// How often it came up.
    pub observed: u64,
    /// How often it falls on average.
    pub expected: f64,
}

impl Tally {
    /// An empty tally.
    pub fn new(die: &Die) -> Self {
        let sides = f64::from(die.sides().max(1));
        let faces = die.weights().into_iter().map(|(face, weight)| (face, f64::from(weight) / sides));
        let faces: Vec<(i64, f64)> = faces.collect();
        let (counts, pairs) = (vec![0; faces.len()], vec![0; faces.len() * faces.len()]);
        Tally { die: die.clone(), faces, counts, pairs, open: None }
    }

    /// The die.
    pub fn die(&self) -> &Die {
        &self.die
    }

    /// Counts a face; one that the die does not have is left out.
    pub fn add(&mut self, face: i64) {
        let Ok(place) = self.faces.binary_search_by_key(&face, |(face, _)| *face) else { return };
        self.counts.get_mut(place).into_iter().for_each(|count| *count += 1);
        match self.open.take() {
            None => self.open = Some(place),
            Some(first) => {
                self.pairs.get_mut(first * self.faces.len() + place).into_iter().for_each(|count| *count += 1)
            }
        }
    }

    /// How many faces were counted.
    pub fn draws(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Each face, rising, with what was observed and expected.
    pub fn counts(&self) -> Vec<FaceCount> {
        let draws = self.draws() as f64;
        let lines = self.faces.iter().zip(&self.counts);
        lines
            .map(|((face, chance), observed)| FaceCount { face: *face, observed: *observed, expected: chance * draws })
            .collect()
    }

    /// Whether each face comes as often as it should.
    pub fn faces(&self) -> Option<ChiSquare> {
        let chances: Vec<f64> = self.faces.iter().map(|(_, chance)| *chance).collect();
        chi_square(&self.counts, &chances)
    }

    /// Whether a face says anything about the next.
    pub fn pairs(&self) -> Option<ChiSquare> {
        let chances = self.faces.iter().flat_map(|(_, first)| self.faces.iter().map(move |(_, second)| first * second));
        let chances: Vec<f64> = chances.collect();
        chi_square(&self.pairs, &chances)
    }
}

/// Draws a die so many times.
/// Errors: [`DrawError`] when the roller gives no face.
pub fn tally(die: &Die, draws: u64, roller: &mut dyn Roller) -> Result<Tally, DrawError> {
    let mut tally = Tally::new(die);
    for _ in 0..draws {
        tally.add(match die.faces() {
            Faces::UpTo(sides) => roller.draw(1, sides)?,
            Faces::List(faces) => roller.pick(faces)?,
        });
    }
    Ok(tally)
}

/// How often each total of an expression came, and whether that agrees with its exact odds.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Each total, rising, with what was observed and expected.
    pub totals: Vec<FaceCount>,
    /// None when there is too little to compare.
    pub result: Option<ChiSquare>,
}

/// Rolls an expression so many times and tests the totals against its exact odds.
/// Errors: as [`Expression::roll`] and [`Expression::odds`].
pub fn compare(expression: &Expression, rolls: u64, roller: &mut dyn Roller) -> Result<Compared, DiceError> {
    let odds = expression.odds()?.totals;
    let lines = odds.outcomes().map(|(total, chance)| (total, (0, chance.to_f64())));
    let mut lines: BTreeMap<i64, (u64, f64)> = lines.collect();
    for _ in 0..rolls {
        lines.entry(expression.roll(roller)?.total).or_default().0 += 1;
    }
    let line = |(face, (observed, chance)): (&i64, &(u64, f64))| FaceCount {
        face: *face,
        observed: *observed,
        expected: chance * rolls as f64,
    };
    let totals = lines.iter().map(line).collect();
    let (observed, chances): (Vec<u64>, Vec<f64>) = lines.into_values().unzip();
    Ok(Compared { totals, result: chi_square(&observed, &chances) })
}

/// A kind of die.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum DieKind {
    /// Each of the digits 0 to 9.
    Digit,
    /// Each of its sides.
    Die(Die),
}

impl DieKind {
    /// "d20".
    pub fn name(&self) -> String {
        match self {
            DieKind::Digit => "d10 (0 to 9)".to_owned(),
            DieKind::Die(Die::Percent) => "d100".to_owned(),
            DieKind::Die(die) => die.to_string(),
        }
    }

    /// Each face with how many of the equally likely sides show it.
    pub fn faces(&self) -> Vec<(i64, u32)> {
        match self {
            DieKind::Digit => (0..10).map(|face| (face, 1)).collect(),
            DieKind::Die(die) => die.weights(),
        }
    }

    /// How many equally likely sides it has.
    pub fn sides(&self) -> u32 {
        if let DieKind::Die(die) = self { die.sides() } else { 10 }
    }
}

/// Every die of a roll, its target's included: its kind and its first face.
///
/// Whether a die was kept does not count, since that depends on what it shows; nor does a face that came up because of the one before (it
/// exploded or was rerolled). Of percentile dice with bonus or penalty every digit die counts.
pub fn each_die(roll: &Roll, visit: &mut dyn FnMut(&DieKind, i64)) {
    let target = roll.verdict.iter().flat_map(|verdict| &verdict.terms);
    roll.terms.iter().chain(target).for_each(|term| in_term(term, visit));
    roll.repeats.iter().for_each(|roll| each_die(roll, visit));
}

fn in_term(term: &Term, visit: &mut dyn FnMut(&DieKind, i64)) {
    match term {
        Term::Constant { .. } => {}
        Term::Group { terms, .. } | Term::Compute { terms, .. } => terms.iter().for_each(|term| in_term(term, visit)),
        Term::Dice { notation, dice, .. } => {
            let Some(die) = parse(notation).ok().and_then(|dice| dice.main_die()) else { return };
            let kind = DieKind::Die(if die.same_as(&Die::Percent) { Die::Percent } else { die });
            dice.iter().for_each(|die| in_die(die, &kind, visit));
        }
    }
}

fn in_die(die: &RolledDie, kind: &DieKind, visit: &mut dyn FnMut(&DieKind, i64)) {
    for face in &die.rolls {
        match face.reason {
            Reason::Initial => visit(kind, face.value),
            Reason::Unit | Reason::Tens => visit(&DieKind::Digit, face.value),
            Reason::Reroll | Reason::Explode | Reason::Clamp => {}
        }
    }
}
