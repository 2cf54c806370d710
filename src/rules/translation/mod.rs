//! Other languages in which headings, labels and key words of rules may be written: one table a language, and nothing in code.
//!
//! A table (`de.txt`) is read when an adventure asks for its language, or when a heading looks like one of it; English rules never
//! open one. Its lines stand below the part of the rules that they are about:
//!
//! ```text
//! names: de, german, deutsch
//! die: w                              1W20 is 1d20
//!
//! [headings]
//! Attribute, Eigenschaften = Attributes
//! [Checks]                            labels of that section
//! Bei natürlicher # = On natural #    # is a number
//! [values]                            what stands between commas behind a label
//! Nachteil bei * = disadvantage on *  * is any words, which may be of the table again
//! [formal]                            words of conditions and expressions
//! mindestens = at least
//! [help]                              what findings say to write
//! - Verlangt: = - Asks:
//! [against]                           words of names that are against a type of damage
//! Widerstand = resistance
//! ```
//!
//! What a table does not have stays as the author wrote it.

mod against;
mod formal;
mod phrase;
mod table;

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::names::{fold, same};

pub use against::Against;
pub use phrase::{Edit, Token, tokens};
pub use table::Table;

/// A language, whose table is read when somebody asks for it.
pub struct Language {
    text: &'static str,
    /// Headings of sections, folded, each with ours.
    headings: OnceLock<HashMap<String, &'static str>>,
    table: OnceLock<Table>,
    against: OnceLock<Against>,
}

/// Every language.
pub static ALL: [Language; 3] =
    [Language::of(include_str!("de.txt")), Language::of(include_str!("fr.txt")), Language::of(include_str!("es.txt"))];

impl Language {
    const fn of(text: &'static str) -> Self {
        Self { text, headings: OnceLock::new(), table: OnceLock::new(), against: OnceLock::new() }
    }

    /// The language that somebody calls so: `de`, `German`, `Deutsch`.
    pub fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|language| language.names().any(|own| same(own, name)))
    }

    /// What it is called: its code first, then its name in English, then its own.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let names = self.text.lines().find_map(|line| line.strip_prefix("names:"));
        names.unwrap_or_default().split(',').map(str::trim)
    }

    /// `de`
    pub fn code(&self) -> &'static str {
        self.names().next().unwrap_or_default()
    }

    /// The whole table as it is written.
    pub fn text(&self) -> &'static str {
        self.text
    }

    /// What it is called in English: `German`.
    pub fn english_name(&self) -> String {
        let name = self.names().nth(1).unwrap_or_default();
        let mut letters = name.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
    }

    /// Our heading for a section. Of the table only the headings are read.
    pub fn heading(&self, words: &str) -> Option<&'static str> {
        self.all_headings().get(&fold(words)).copied()
    }

    /// Headings of sections, as they are compared.
    pub fn headings(&self) -> impl Iterator<Item = &str> {
        self.all_headings().keys().map(String::as_str)
    }

    fn all_headings(&self) -> &HashMap<String, &'static str> {
        self.headings.get_or_init(|| {
            let lines = self.text.lines().skip_while(|line| *line != "[headings]").skip(1);
            let lines = lines.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once(" = "));
            lines.flat_map(|(theirs, ours)| theirs.split(',').map(move |own| (fold(own), ours.trim()))).collect()
        })
    }

    /// Its words for what is against a type of damage. Of the table only these are read, since a name may be of any language.
    pub fn against(&self) -> &Against {
        self.against.get_or_init(|| Against::of(self.text))
    }

    /// Its words.
    pub fn table(&self) -> &Table {
        self.table.get_or_init(|| Table::of(self.text))
    }
}

/// Our heading for a section, by its heading in any of the languages.
pub fn any_heading(words: &str) -> Option<&'static str> {
    ALL.iter().find_map(|language| language.heading(words))
}

/// Whether rules are in the language that the program reads without a table.
pub fn is_english(name: &str) -> bool {
    ["en", "english"].contains(&fold(name).as_str())
}

/// The codes of all languages, for a refusal.
pub fn codes() -> String {
    let codes: Vec<String> = ALL.iter().map(|language| format!("`{}`", language.code())).collect();
    codes.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_found_by_each_of_its_names() {
        for (name, code) in [("de", "de"), ("Deutsch", "de"), ("FRENCH", "fr"), ("français", "fr"), ("Español", "es")]
        {
            assert_eq!(Language::named(name).map(Language::code), Some(code), "{name}");
        }
        assert!(Language::named("en").is_none() && is_english("English"));
        assert_eq!(codes(), "`de`, `fr`, `es`");
    }
}
