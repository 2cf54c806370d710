//! Comparing states: whether an image fits, and where two states differ.

use std::collections::BTreeMap;

use super::State;
use crate::game::entry::{Change, Images};

impl State {
    /// Whether a change's before-image is the row as it stands.
    pub fn agrees(&self, change: &Change) -> bool {
        match change {
            Change::Campaign(images) => images.before == self.campaign,
            Change::Session(images) => row(&self.sessions, images, |row| row.number),
            Change::Character(images) => row(&self.characters, images, |row| row.id),
            Change::Track(images) => row(&self.tracks, images, |row| (row.character, row.name.clone())),
            Change::Condition(images) => row(&self.conditions, images, |row| (row.character, row.name.clone())),
            Change::Item(images) => row(&self.items, images, |row| (row.character, row.name.clone())),
            Change::Combat(images) => row(&self.combats, images, |row| row.id),
            Change::Combatant(images) => row(&self.combatants, images, |row| row.id),
        }
    }

    /// The tables in which two states differ, by name.
    pub fn differences(&self, other: &State) -> Vec<&'static str> {
        let tables = [
            ("campaigns", self.campaign == other.campaign),
            ("sessions", self.sessions == other.sessions),
            ("characters", self.characters == other.characters),
            ("tracks", self.tracks == other.tracks),
            ("conditions", self.conditions == other.conditions),
            ("items", self.items == other.items),
            ("combats", self.combats == other.combats),
            ("combatants", self.combatants == other.combatants),
        ];
        tables.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect()
    }
}

fn row<K: Ord, T: PartialEq>(rows: &BTreeMap<K, T>, images: &Images<T>, key: impl Fn(&T) -> K) -> bool {
    let Some(image) = images.before.as_ref().or(images.after.as_ref()) else { return false };
    rows.get(&key(image)) == images.before.as_ref()
}
