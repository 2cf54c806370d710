//! Skills that are ticked for improvement.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// The ticks of a character, those that players know and those of hidden entries; a skill is in one of the two.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Tick>", into = "Vec<Tick>")]
pub struct Ticks {
    pub seen: BTreeSet<String>,
    pub hidden: BTreeSet<String>,
}

/// A tick as it is written: the skill's name, or of a hidden one an object.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Tick {
    Seen(String),
    Hidden { hidden: String },
}

impl Ticks {
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty() && self.hidden.is_empty()
    }

    /// All of them, by name.
    pub fn all(&self) -> BTreeSet<&String> {
        self.seen.union(&self.hidden).collect()
    }

    /// Ticks a skill; a hidden tick of one that players know to be ticked changes nothing.
    pub fn add(&mut self, skill: String, hidden: bool) {
        if !hidden {
            self.hidden.remove(&skill);
            self.seen.insert(skill);
        } else if !self.seen.contains(&skill) {
            self.hidden.insert(skill);
        }
    }

    pub fn remove(&mut self, skill: &str) {
        self.seen.remove(skill);
        self.hidden.remove(skill);
    }
}

impl From<Vec<Tick>> for Ticks {
    fn from(all: Vec<Tick>) -> Ticks {
        let mut ticks = Ticks::default();
        for tick in all {
            match tick {
                Tick::Seen(skill) => ticks.add(skill, false),
                Tick::Hidden { hidden } => ticks.add(hidden, true),
            }
        }
        ticks
    }
}

impl From<Ticks> for Vec<Tick> {
    fn from(ticks: Ticks) -> Vec<Tick> {
        let seen = ticks.seen.into_iter().map(Tick::Seen);
        seen.chain(ticks.hidden.into_iter().map(|hidden| Tick::Hidden { hidden })).collect()
    }
}
