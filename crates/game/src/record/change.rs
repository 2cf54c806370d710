//! Changed rows, before and after. State changes only by them, forwards and backwards.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::record::state::{
    Campaign, Character, Clock, Combat, Combatant, Condition, Deck, Item, Note, Session, State, Track,
};

/// One row of one state table, before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "entity", rename_all = "snake_case")]
pub enum Change {
    Campaign(Images<Campaign>),
    Session(Images<Session>),
    Character(Images<Character>),
    Track(Images<Track>),
    Condition(Images<Condition>),
    Item(Images<Item>),
    Combat(Images<Combat>),
    Combatant(Images<Combatant>),
    Note(Images<Note>),
    Clock(Images<Clock>),
    Deck(Images<Deck>),
}

/// A row before and after; `None` where it did not, or no longer does, exist. Never both `None`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Images<T> {
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub before: Option<T>,
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub after: Option<T>,
}

fn none<T>() -> Option<T> {
    None
}

impl<T> Images<T> {
    /// A row that was made.
    pub fn made(after: T) -> Self {
        Images { before: None, after: Some(after) }
    }

    /// A row that was changed.
    pub fn changed(before: T, after: T) -> Self {
        Images { before: Some(before), after: Some(after) }
    }

    /// A row that was taken away.
    pub fn gone(before: T) -> Self {
        Images { before: Some(before), after: None }
    }

    /// The same step backwards.
    pub fn reversed(self) -> Self {
        Images { before: self.after, after: self.before }
    }

    /// The row, as it was or as it is.
    pub fn row(&self) -> Option<&T> {
        self.before.as_ref().or(self.after.as_ref())
    }
}

impl Change {
    /// Whether it is about a condition of which players know nothing.
    pub fn is_of_hidden(&self) -> bool {
        match self {
            Change::Condition(images) => images.before.iter().chain(&images.after).any(|row| row.hidden),
            Change::Campaign(_)
            | Change::Session(_)
            | Change::Character(_)
            | Change::Track(_)
            | Change::Item(_)
            | Change::Combat(_)
            | Change::Combatant(_)
            | Change::Note(_)
            | Change::Clock(_)
            | Change::Deck(_) => false,
        }
    }

    /// The same step backwards.
    pub fn reversed(self) -> Change {
        match self {
            Change::Campaign(images) => Change::Campaign(images.reversed()),
            Change::Session(images) => Change::Session(images.reversed()),
            Change::Character(images) => Change::Character(images.reversed()),
            Change::Track(images) => Change::Track(images.reversed()),
            Change::Condition(images) => Change::Condition(images.reversed()),
            Change::Item(images) => Change::Item(images.reversed()),
            Change::Combat(images) => Change::Combat(images.reversed()),
            Change::Combatant(images) => Change::Combatant(images.reversed()),
            Change::Note(images) => Change::Note(images.reversed()),
            Change::Clock(images) => Change::Clock(images.reversed()),
            Change::Deck(images) => Change::Deck(images.reversed()),
        }
    }
}

impl State {
    /// Applies every after-image.
    pub fn apply(&mut self, changes: &[Change]) {
        for change in changes {
            self.place(change.clone());
        }
    }

    /// Restores every before-image, last change first: the inverse of [`State::apply`].
    pub fn revert(&mut self, changes: &[Change]) {
        for change in changes.iter().rev() {
            self.place(change.clone().reversed());
        }
    }

    fn place(&mut self, change: Change) {
        match change {
            Change::Campaign(images) => self.campaign = images.after,
            Change::Session(images) => replace(&mut self.sessions, images, |row| row.number),
            Change::Character(images) => replace(&mut self.characters, images, |row| row.id),
            Change::Track(images) => replace(&mut self.tracks, images, |row| (row.character, row.name.clone())),
            Change::Condition(images) => replace(&mut self.conditions, images, |row| (row.character, row.name.clone())),
            Change::Item(images) => replace(&mut self.items, images, |row| (row.character, row.name.clone())),
            Change::Combat(images) => replace(&mut self.combats, images, |row| row.id),
            Change::Combatant(images) => replace(&mut self.combatants, images, |row| row.id),
            Change::Note(images) => replace(&mut self.notes, images, |row| row.id),
            Change::Clock(images) => replace(&mut self.clocks, images, |row| row.name.clone()),
            Change::Deck(images) => replace(&mut self.decks, images, |row| row.name.clone()),
        }
    }
}

fn replace<K: Ord, T>(rows: &mut BTreeMap<K, T>, images: Images<T>, key: impl Fn(&T) -> K) {
    if let Some(before) = &images.before {
        rows.remove(&key(before));
    }
    if let Some(after) = images.after {
        rows.insert(key(&after), after);
    }
}

impl State {
    /// Whether a change's before-image is the current row.
    pub fn agrees(&self, change: &Change) -> bool {
        match change {
            Change::Campaign(images) => images.before == self.campaign,
            Change::Session(images) => row_agrees(&self.sessions, images, |row| row.number),
            Change::Character(images) => row_agrees(&self.characters, images, |row| row.id),
            Change::Track(images) => row_agrees(&self.tracks, images, |row| (row.character, row.name.clone())),
            Change::Condition(images) => row_agrees(&self.conditions, images, |row| (row.character, row.name.clone())),
            Change::Item(images) => row_agrees(&self.items, images, |row| (row.character, row.name.clone())),
            Change::Combat(images) => row_agrees(&self.combats, images, |row| row.id),
            Change::Combatant(images) => row_agrees(&self.combatants, images, |row| row.id),
            Change::Note(images) => row_agrees(&self.notes, images, |row| row.id),
            Change::Clock(images) => row_agrees(&self.clocks, images, |row| row.name.clone()),
            Change::Deck(images) => row_agrees(&self.decks, images, |row| row.name.clone()),
        }
    }

    /// The tables in which two states differ, by name.
    pub fn differences(&self, other: &State) -> Vec<&'static str> {
        self.compared(other).into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect()
    }

    /// The names of all tables of a state.
    pub fn tables() -> impl Iterator<Item = &'static str> {
        State::default().compared(&State::default()).into_iter().map(|(name, _)| name)
    }

    fn compared(&self, other: &State) -> [(&'static str, bool); 11] {
        [
            ("campaigns", self.campaign == other.campaign),
            ("sessions", self.sessions == other.sessions),
            ("characters", self.characters == other.characters),
            ("tracks", self.tracks == other.tracks),
            ("conditions", self.conditions == other.conditions),
            ("items", self.items == other.items),
            ("combats", self.combats == other.combats),
            ("combatants", self.combatants == other.combatants),
            ("notes", self.notes == other.notes),
            ("clocks", self.clocks == other.clocks),
            ("decks", self.decks == other.decks),
        ]
    }
}

fn row_agrees<K: Ord, T: PartialEq>(rows: &BTreeMap<K, T>, images: &Images<T>, key: impl Fn(&T) -> K) -> bool {
    let Some(image) = images.before.as_ref().or(images.after.as_ref()) else { return false };
    rows.get(&key(image)) == images.before.as_ref()
}
