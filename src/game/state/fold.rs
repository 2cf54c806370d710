//! Folding images into the state, forwards and back: the one way state ever changes.

use std::collections::BTreeMap;

use super::State;
use crate::game::entry::{Change, Images};

impl State {
    /// Puts every after-image in place.
    pub fn apply(&mut self, changes: &[Change]) {
        for change in changes {
            self.place(change.clone());
        }
    }

    /// Puts every before-image back, last change first: the exact inverse of [`State::apply`].
    pub fn revert(&mut self, changes: &[Change]) {
        for change in changes.iter().rev() {
            self.place(change.clone().reversed());
        }
    }

    fn place(&mut self, change: Change) {
        match change {
            Change::Campaign(images) => self.campaign = images.after,
            Change::Session(images) => put(&mut self.sessions, images, |row| row.number),
            Change::Character(images) => put(&mut self.characters, images, |row| row.id),
            Change::Track(images) => put(&mut self.tracks, images, |row| (row.character, row.name.clone())),
            Change::Condition(images) => put(&mut self.conditions, images, |row| (row.character, row.name.clone())),
            Change::Item(images) => put(&mut self.items, images, |row| (row.character, row.name.clone())),
            Change::Combat(images) => put(&mut self.combats, images, |row| row.id),
            Change::Combatant(images) => put(&mut self.combatants, images, |row| row.id),
        }
    }
}

fn put<K: Ord, T>(rows: &mut BTreeMap<K, T>, images: Images<T>, key: impl Fn(&T) -> K) {
    if let Some(before) = &images.before {
        rows.remove(&key(before));
    }
    if let Some(after) = images.after {
        rows.insert(key(&after), after);
    }
}
