//! A number that the rules state for everybody who has none of their own: "People wear Armour 10".

use crate::diagnostic::Place;
use crate::names::{fold, same};
use crate::rules::language::system::System;

/// What a number is for everybody whose sheet has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// Name as the author writes it: Armour.
    pub name: String,
    /// The number.
    pub value: i64,
    /// Where it stands.
    pub place: Place,
}

impl System {
    /// What the rules state for everybody who has no number of this name; an attribute goes by its short form, too.
    pub fn stated(&self, name: &str) -> Option<&Stated> {
        let attribute = self.attribute(name).ok();
        let is_it = |own: &&Stated| {
            same(&own.name, name) || attribute.is_some_and(|attribute| attribute.is_called(&fold(&own.name)))
        };
        self.stated.iter().find(is_it)
    }
}
