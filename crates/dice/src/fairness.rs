//! Is it fair? Counts of faces, and how surprising they would be from fair dice.
//!
//! Pearson's chi-square test ("On the criterion…", Philosophical Magazine, 1900). Its p-value is
//! the chance that fair dice deviate at least as much. One small p-value among many tests is to be
//! expected, so a family of tests is held against [`threshold`], which keeps the chance of any
//! false alarm below a stated rate.

use crate::die::{Die, Faces};
use crate::error::DiceError;
use crate::expression::Expression;
use crate::notation::parse;
use crate::record::{Reason, Roll, Term};
use crate::roll::roller::{DrawError, Roller};
use statrs::function::gamma::checked_gamma_ur;
use std::collections::BTreeMap;

/// The chance of a false alarm of a whole family of tests: one in a million.
pub const FALSE_ALARM_RATE: f64 = 1e-6;

/// How many times more often than its p-value says a fair die's statistic may be so large.
///
/// The chi-square distribution is an approximation, and worst far out, where alarms are. With the
/// usual five expected in a cell, sixty cells pass a p-value of 5e-8 thirty times too often; with
/// as many as [`expected_min`] asks for, up to 1.6 times (summing the exact distribution of the
/// statistic of independent Poisson cells, 1 to 10,000 of them).
const UNDERSTATED_MAX: f64 = 2.0;

/// How many must be expected in each of so many cells; neighbours are joined until they are. What
/// spoils the approximation is the skewness of a cell, which many cells even out.
fn expected_min(cells: usize) -> f64 {
    (1000.0 / (cells.max(1) as f64).sqrt()).max(30.0)
}

/// The result of a chi-square test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// The sum of squared deviations, each over what was expected.
    pub statistic: f64,
    /// Cells less one, after joining.
    pub degrees: u32,
    /// The chance that fair dice deviate at least as much, from 0 to 1.
    pub p_value: f64,
}

/// Tests counts against chances.
///
/// Neighbouring cells are joined until enough are expected in each (at least 30, and 1000 where
/// there are few cells). `None` when fewer than two are left: too few observations to say anything.
pub fn chi_square(observed: &[u64], chances: &[f64]) -> Option<ChiSquare> {
    let count: u64 = observed.iter().sum();
    let whole: f64 = chances.iter().sum();
    let mut cells: Vec<(f64, f64)> = Vec::with_capacity(observed.len());
    let mut open = (0.0, 0.0);
    let enough = expected_min(observed.len());
    for (observed, chance) in observed.iter().zip(chances) {
        open.0 += *observed as f64;
        open.1 += chance / whole * count as f64;
        if open.1 >= enough {
            cells.push(open);
            open = (0.0, 0.0);
        }
    }
    // What is left over goes to the last cell.
    if let Some(last) = cells.last_mut() {
        last.0 += open.0;
        last.1 += open.1;
    }
    let degrees = u32::try_from(cells.len().checked_sub(1)?).ok()?;
    if degrees == 0 {
        return None;
    }
    let deviation = |(observed, expected): &(f64, f64)| (observed - expected).powi(2) / expected;
    let statistic: f64 = cells.iter().map(deviation).sum();
    Some(ChiSquare {
        statistic,
        degrees,
        p_value: p_value(statistic, degrees),
    })
}

/// The chance of a statistic at least so large: incomplete gamma Q(degrees / 2, statistic / 2).
fn p_value(statistic: f64, degrees: u32) -> f64 {
    // The function takes no 0. What else it does not take is no statistic of fair dice.
    if statistic <= 0.0 {
        1.0
    } else {
        checked_gamma_ur(f64::from(degrees) / 2.0, statistic / 2.0).unwrap_or(0.0)
    }
}

/// The p-value below which one of so many tests is an alarm, for a false-alarm rate of the family
/// (Bonferroni's bound, which needs no independence), with room for p-values that are too small.
pub fn threshold(rate: f64, tests: usize) -> f64 {
    rate / tests.max(1) as f64 / UNDERSTATED_MAX
}

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
        let faces = die
            .weights()
            .into_iter()
            .map(|(face, weight)| (face, f64::from(weight) / sides));
        let faces: Vec<(i64, f64)> = faces.collect();
        let (counts, pairs) = (vec![0; faces.len()], vec![0; faces.len() * faces.len()]);
        Tally {
            die: die.clone(),
            faces,
            counts,
            pairs,
            open: None,
        }
    }

    /// The die.
    pub fn die(&self) -> &Die {
        &self.die
    }

    /// Counts a face; one that the die does not have is left out.
    pub fn add(&mut self, face: i64) {
        let Ok(place) = self.faces.binary_search_by_key(&face, |(face, _)| *face) else {
            return;
        };
        self.counts
            .get_mut(place)
            .into_iter()
            .for_each(|count| *count += 1);
        match self.open.take() {
            None => self.open = Some(place),
            Some(first) => self
                .pairs
                .get_mut(first * self.faces.len() + place)
                .into_iter()
                .for_each(|count| *count += 1),
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
            .map(|((face, chance), observed)| FaceCount {
                face: *face,
                observed: *observed,
                expected: chance * draws,
            })
            .collect()
    }

    /// Whether each face comes as often as it should.
    pub fn faces(&self) -> Option<ChiSquare> {
        let chances: Vec<f64> = self.faces.iter().map(|(_, chance)| *chance).collect();
        chi_square(&self.counts, &chances)
    }

    /// Whether a face says anything about the next.
    pub fn pairs(&self) -> Option<ChiSquare> {
        let chances = self
            .faces
            .iter()
            .flat_map(|(_, first)| self.faces.iter().map(move |(_, second)| first * second));
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
pub fn compare(
    expression: &Expression,
    rolls: u64,
    roller: &mut dyn Roller,
) -> Result<Compared, DiceError> {
    let odds = expression.odds()?.totals;
    let lines = odds
        .outcomes()
        .map(|(total, chance)| (total, (0, chance.to_f64())));
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
    Ok(Compared {
        totals,
        result: chi_square(&observed, &chances),
    })
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
        if let DieKind::Die(die) = self {
            die.sides()
        } else {
            10
        }
    }
}

/// Every die of a roll, its target's included: its kind and its first face.
///
/// Whether a die was kept does not count, since that depends on what it shows; nor does a face that
/// came up because of the one before (it exploded or was rerolled). Of percentile dice with bonus
/// or penalty every digit die counts.
pub fn each_die(roll: &Roll, visit: &mut dyn FnMut(&DieKind, i64)) {
    let target = roll.verdict.iter().flat_map(|verdict| &verdict.terms);
    roll.terms
        .iter()
        .chain(target)
        .for_each(|term| in_term(term, visit));
    roll.repeats.iter().for_each(|roll| each_die(roll, visit));
}

fn in_term(term: &Term, visit: &mut dyn FnMut(&DieKind, i64)) {
    match term {
        Term::Constant { .. } => {}
        Term::Group { terms, .. } | Term::Compute { terms, .. } => {
            terms.iter().for_each(|term| in_term(term, visit))
        }
        Term::Dice { notation, dice, .. } => {
            let Some(die) = parse(notation).ok().and_then(|dice| dice.main_die()) else {
                return;
            };
            let kind = DieKind::Die(if die.same_as(&Die::Percent) {
                Die::Percent
            } else {
                die
            });
            for face in dice.iter().flat_map(|die| &die.rolls) {
                match face.reason {
                    Reason::Initial => visit(&kind, face.value),
                    Reason::Unit | Reason::Tens => visit(&DieKind::Digit, face.value),
                    Reason::Reroll | Reason::Explode | Reason::Clamp => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::p_value;

    #[test]
    fn known_p_values() {
        // Statistic, degrees, p; worked out to 25 places with mpmath.
        let table = [
            (3.841_458_820_694_124, 1, 0.050_000_000_000_000_06),
            (18.307_038_053_275_146, 10, 0.05),
            (135.806_723_471_163_88, 99, 0.008_338_552_602_055_629),
            (0.0, 5, 1.0),
            (23.928_126_983_7, 1, 9.999_999_964_859_514e-7),
            (10_000.0, 9_999, 0.495_298_394_538_683_5),
            (600.0, 99, 9.781_170_421_206_751e-73),
            (1e-3, 3, 0.999_991_592_080_941_9),
        ];
        for (statistic, degrees, p) in table {
            let found = p_value(statistic, degrees);
            assert!(
                (found - p).abs() < 1e-10 * p,
                "{statistic} {degrees}: {found}"
            );
        }
        // Two degrees of freedom: exp(-x / 2), exactly.
        assert!((p_value(40.0, 2) - (-20.0_f64).exp()).abs() < 1e-20);
    }
}
