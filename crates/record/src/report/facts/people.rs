//! The people of a report, each with a number, so that what is counted of them is short.

use std::collections::HashMap;

/// People that are kept apart; the rest are one.
const PEOPLE_MAX: usize = 400;
pub const OTHERS: &str = "others";

#[derive(Debug, Default)]
pub struct People {
    names: Vec<String>,
    places: HashMap<String, usize>,
}

impl People {
    pub fn place(&mut self, name: &str) -> usize {
        let name = called(name);
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        if self.names.len() >= PEOPLE_MAX && name != OTHERS {
            return self.place(OTHERS);
        }
        self.names.push(name.to_owned());
        self.places.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }

    /// The same person under another name.
    pub fn rename(&mut self, before: &str, after: &str) {
        if let Some(place) = self.places.remove(before) {
            self.places.insert(after.to_owned(), place);
            if let Some(name) = self.names.get_mut(place) {
                after.clone_into(name);
            }
        }
    }

    pub fn name(&self, place: usize) -> &str {
        self.names.get(place).map_or(OTHERS, String::as_str)
    }
}

/// As a report calls who acts.
pub fn called(name: &str) -> &str {
    match name {
        "gm" | "" => "The GM",
        "system" => "The program",
        name => name,
    }
}
