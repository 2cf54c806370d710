//! The faces that fell, by person and kind of die.
//!
//! Of each die only the first face counts: another falls only because of the face before it (it exploded or was rerolled), and then sums
//! of so many faces are not sums of so many fair dice. Of percentile dice with bonus or penalty every digit die counts.

use std::collections::BTreeMap;

use super::fact::Fact;
use super::people::People;
use crate::dice::{Die, EnteredRoller, Reason, Roll, RolledDie, Term, parse};
use crate::game::record::purpose::AGAIN;

/// Faces of a die that are counted one by one; of one with more only how many fell, and their sum.
pub const SIDES_MAX: u32 = 100;
/// Kinds of dice that are told apart; any others are left out.
const KINDS_MAX: usize = 40;

/// A kind of die.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Each of the digits 0 to 9.
    Digit,
    Die(Die),
}

impl Kind {
    /// "d20".
    pub fn name(&self) -> String {
        match self {
            Kind::Digit => "d10 (0 to 9)".to_owned(),
            Kind::Die(Die::Percent) => "d100".to_owned(),
            Kind::Die(die) => die.to_string(),
        }
    }

    /// Each face with how many of the equally likely sides show it.
    pub fn faces(&self) -> Vec<(i64, u32)> {
        match self {
            Kind::Digit => (0..10).map(|face| (face, 1)).collect(),
            Kind::Die(die) => die.weights(),
        }
    }

    fn sides(&self) -> u32 {
        match self {
            Kind::Digit => 10,
            Kind::Die(die) => die.sides(),
        }
    }
}

/// What fell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faces {
    pub count: u64,
    pub sum: i64,
    /// How often each face fell; empty of dice with more than [`SIDES_MAX`] sides.
    pub faces: BTreeMap<i64, u64>,
}

impl Faces {
    fn add(&mut self, face: i64, each: bool) {
        self.count += 1;
        self.sum += face;
        if each {
            *self.faces.entry(face).or_default() += 1;
        }
    }

    /// Both together.
    pub fn join(&mut self, other: &Faces) {
        self.count += other.count;
        self.sum += other.sum;
        for (face, count) in &other.faces {
            *self.faces.entry(*face).or_default() += count;
        }
    }
}

/// The faces so far.
#[derive(Debug, Default)]
pub struct Dice {
    pub fell: BTreeMap<Kind, BTreeMap<usize, Faces>>,
    /// Dice that people rolled by hand and entered. No log can vouch for them, so their faces are left out.
    pub entered: u64,
    /// Rolls that follow an earlier one and hold some of its dice, which are left out, too.
    pub followed: u64,
}

impl Dice {
    /// Adds the rolls of an entry.
    pub fn add(&mut self, fact: &Fact, people: &mut People) {
        for record in &fact.rolls {
            if record.purpose == AGAIN {
                self.followed += 1;
                continue;
            }
            let by = people.place(&record.by);
            let entered = record.source == EnteredRoller::SOURCE;
            each_die(&record.roll, &mut |kind, face| match entered {
                true => self.entered += 1,
                false => self.face(by, kind, face),
            });
        }
    }

    fn face(&mut self, by: usize, kind: &Kind, face: i64) {
        let each = kind.sides() <= SIDES_MAX;
        if !self.fell.contains_key(kind) {
            if self.fell.len() == KINDS_MAX {
                return;
            }
            self.fell.insert(kind.clone(), BTreeMap::new());
        }
        let own = self.fell.get_mut(kind).map(|fell| fell.entry(by).or_default());
        own.into_iter().for_each(|own| own.add(face, each));
    }
}

/// Every die of a roll, its target's included: its kind and its first face.
fn each_die(roll: &Roll, visit: &mut dyn FnMut(&Kind, i64)) {
    let target = roll.verdict.iter().flat_map(|verdict| &verdict.terms);
    roll.terms.iter().chain(target).for_each(|term| in_term(term, visit));
    roll.repeats.iter().for_each(|roll| each_die(roll, visit));
}

fn in_term(term: &Term, visit: &mut dyn FnMut(&Kind, i64)) {
    match term {
        Term::Constant { .. } => {}
        Term::Group { terms, .. } | Term::Compute { terms, .. } => terms.iter().for_each(|own| in_term(own, visit)),
        Term::Dice { notation, dice, .. } => {
            let Some(die) = parse(notation).ok().and_then(|own| own.main_die()) else { return };
            let kind = Kind::Die(if die.same_as(&Die::Percent) { Die::Percent } else { die });
            dice.iter().for_each(|own| in_die(own, &kind, visit));
        }
    }
}

fn in_die(die: &RolledDie, kind: &Kind, visit: &mut dyn FnMut(&Kind, i64)) {
    for face in &die.rolls {
        match face.reason {
            Reason::Initial => visit(kind, face.value),
            Reason::Unit | Reason::Tens => visit(&Kind::Digit, face.value),
            Reason::Reroll | Reason::Explode | Reason::Clamp => {}
        }
    }
}
