//! The faces that fell, by person and kind of die.

use std::collections::BTreeMap;

use super::fact::Fact;
use super::people::People;
use rollbook_dice::EnteredRoller;
use rollbook_dice::fairness::{DieKind as Kind, each_die};
use rollbook_game::record::purpose::AGAIN;

/// Faces of a die that are counted one by one; of one with more only how many fell, and their sum.
pub const SIDES_MAX: u32 = 100;
/// Kinds of dice that are kept apart; any others are left out.
const KINDS_MAX: usize = 40;

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

    pub fn join(&mut self, other: &Faces) {
        self.count += other.count;
        self.sum += other.sum;
        for (face, count) in &other.faces {
            *self.faces.entry(*face).or_default() += count;
        }
    }
}

#[derive(Debug, Default)]
pub struct Dice {
    pub by_kind: BTreeMap<Kind, BTreeMap<usize, Faces>>,
    /// Dice that people rolled by hand. No log can vouch for them: their faces are left out.
    pub entered: u64,
    /// Rolls that follow an earlier one and hold some of its dice, which are left out, too.
    pub followed: u64,
    /// Rolls from decks that stay drawn: cards depend on earlier ones, so they are left out.
    pub drawn: u64,
}

impl Dice {
    pub fn add(&mut self, fact: &Fact, people: &mut People) {
        for record in &fact.rolls {
            if record.purpose == AGAIN {
                self.followed += 1;
                continue;
            }
            if record.stays_drawn {
                self.drawn += 1;
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
        if !self.by_kind.contains_key(kind) {
            if self.by_kind.len() == KINDS_MAX {
                return;
            }
            self.by_kind.insert(kind.clone(), BTreeMap::new());
        }
        let faces = self
            .by_kind
            .get_mut(kind)
            .map(|people| people.entry(by).or_default());
        faces.into_iter().for_each(|faces| faces.add(face, each));
    }
}
