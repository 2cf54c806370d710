//! Changed rows, before and after. State changes only by them, forwards and backwards.

use crate::record::state::{
    Campaign, Character, Clock, Combat, Combatant, Condition, Deck, Item, Note, Session, State,
    Track,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Makes [`Change`], and what is done with every table: its rows, its name, and the key of a row.
macro_rules! tables {
    ($($table:ident: $rows:ident, $name:literal, |$row:ident| $key:expr;)+) => {
        /// One row of one state table, before and after.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "entity", rename_all = "snake_case")]
        pub enum Change {
            Campaign(Images<Campaign>),
            $($table(Images<$table>),)+
        }

        impl Change {
            /// The same step backwards.
            pub fn reversed(self) -> Change {
                match self {
                    Change::Campaign(images) => Change::Campaign(images.reversed()),
                    $(Change::$table(images) => Change::$table(images.reversed()),)+
                }
            }
        }

        impl State {
            fn place(&mut self, change: Change) {
                match change {
                    Change::Campaign(images) => self.campaign = images.after,
                    $(Change::$table(images) => replace(&mut self.$rows, images, |$row| $key),)+
                }
            }

            /// Whether a change's before-image is the current row.
            pub fn agrees(&self, change: &Change) -> bool {
                match change {
                    Change::Campaign(images) => images.before == self.campaign,
                    $(Change::$table(images) => row_agrees(&self.$rows, images, |$row| $key),)+
                }
            }

            /// How many rows it has.
            pub fn rows(&self) -> usize {
                usize::from(self.campaign.is_some()) $(+ self.$rows.len())+
            }

            fn compared(&self, other: &State) -> Vec<(&'static str, bool)> {
                vec![("campaigns", self.campaign == other.campaign), $(($name, self.$rows == other.$rows)),+]
            }
        }
    };
}

tables! {
    Session: sessions, "sessions", |row| row.number;
    Character: characters, "characters", |row| row.id;
    Track: tracks, "tracks", |row| (row.character, row.name.clone());
    Condition: conditions, "conditions", |row| (row.character, row.name.clone());
    Item: items, "items", |row| (row.character, row.name.clone());
    Combat: combats, "combats", |row| row.id;
    Combatant: combatants, "combatants", |row| row.id;
    Note: notes, "notes", |row| row.id;
    Clock: clocks, "clocks", |row| row.name.clone();
    Deck: decks, "decks", |row| row.name.clone();
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
        Images {
            before: None,
            after: Some(after),
        }
    }

    /// A row that was changed.
    pub fn changed(before: T, after: T) -> Self {
        Images {
            before: Some(before),
            after: Some(after),
        }
    }

    /// A row that was taken away.
    pub fn gone(before: T) -> Self {
        Images {
            before: Some(before),
            after: None,
        }
    }

    /// The same step backwards.
    pub fn reversed(self) -> Self {
        Images {
            before: self.after,
            after: self.before,
        }
    }

    /// The row, as it was or as it is.
    pub fn row(&self) -> Option<&T> {
        self.both().next()
    }

    /// The row as it was, and as it is.
    pub fn both(&self) -> impl Iterator<Item = &T> {
        self.before.iter().chain(&self.after)
    }
}

impl Change {
    /// Whether it is about a condition of which players know nothing.
    pub fn is_of_hidden(&self) -> bool {
        matches!(self, Change::Condition(images) if images.both().any(|row| row.hidden))
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

    /// The tables in which two states differ, by name.
    pub fn differences(&self, other: &State) -> Vec<&'static str> {
        self.compared(other)
            .into_iter()
            .filter(|(_, same)| !same)
            .map(|(name, _)| name)
            .collect()
    }

    /// The names of all tables of a state.
    pub fn tables() -> impl Iterator<Item = &'static str> {
        State::default()
            .compared(&State::default())
            .into_iter()
            .map(|(name, _)| name)
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

fn row_agrees<K: Ord, T: PartialEq>(
    rows: &BTreeMap<K, T>,
    images: &Images<T>,
    key: impl Fn(&T) -> K,
) -> bool {
    images
        .row()
        .is_some_and(|row| rows.get(&key(row)) == images.before.as_ref())
}
