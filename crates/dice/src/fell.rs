//! The faces that fell in a roll, by kind of die.
//!
//! Of each die only the first face counts, whether or not the die was kept: another falls only because of the face before it (it exploded or was
//! rerolled), and which dice are kept depends on what they show. Of percentile dice with bonus or penalty every digit die counts.

use crate::{Die, Reason, Roll, RolledDie, Term, parse};

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

    pub fn sides(&self) -> u32 {
        match self {
            Kind::Digit => 10,
            Kind::Die(die) => die.sides(),
        }
    }
}

/// Every die of a roll, its target's included: its kind and its first face.
pub fn each_die(roll: &Roll, visit: &mut dyn FnMut(&Kind, i64)) {
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
