//! The names that a file declares, and how values are matched with them.

use std::collections::{HashMap, HashSet};

use super::outcome::Outcome;
use super::token::{Kind, Token, words};
use rollbook_text::names::{fold, misspellings};

/// What kind of thing a name is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Thing {
    Attribute,
    Skill,
    /// A number of a character or of the company: hit points, a clock.
    Track,
    /// A number of a table that every character has.
    Number,
    Condition,
    Check,
    /// A label in a check's outcome table.
    Outcome,
    /// A value that a check asks its call for.
    Ask,
    /// A named number of a roll.
    Value,
    Flag,
    /// A rule of a check for `again`.
    Again,
    /// A die or deck with named faces.
    Die,
    /// What dice with named faces show.
    Symbol,
    /// A label of dice in brackets.
    Label,
    Difficulty,
    /// A kind of damage.
    Kind,
    /// A random table.
    Table,
}

/// One declared name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Declared {
    words: Vec<Kind<'static>>,
    name: String,
    thing: Thing,
}

/// Every declared name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Names {
    all: Vec<Declared>,
    /// Places of the names that begin with a word, the longest first.
    by_first: HashMap<Kind<'static>, Vec<usize>>,
    /// What each name is for, by its folded form.
    folded: HashMap<String, Vec<Thing>>,
}

/// The most names that a word is compared with.
const COMPARED_MAX: usize = 1_000;

/// Conditions that need no declaration.
pub const CONDITIONS: [&str; 5] = ["Unconscious", "Dying", "Stable", "Dead", "Incapacitated"];

/// Names in braces whose value the program gives.
pub(crate) const BUILT_IN: [&str; 8] = [
    "difficulty",
    "attribute",
    "skill",
    "modifier",
    "level",
    "damage",
    "hit",
    "score",
];

/// What may be named in braces.
pub(crate) const IN_BRACES: [Thing; 8] = [
    Thing::Attribute,
    Thing::Skill,
    Thing::Track,
    Thing::Number,
    Thing::Condition,
    Thing::Ask,
    Thing::Value,
    Thing::Difficulty,
];

impl Names {
    /// The names that need no declaration.
    pub fn new() -> Names {
        let mut names = Names::default();
        CONDITIONS
            .iter()
            .for_each(|condition| names.declare(condition, Thing::Condition));
        Outcome::ALL
            .iter()
            .for_each(|outcome| names.declare(outcome.as_str(), Thing::Outcome));
        names.declare("XP", Thing::Track);
        names
    }

    /// Adds a name. One without a letter or digit is left out.
    pub fn declare(&mut self, name: &str, thing: Thing) {
        let declared = Declared {
            words: words(name),
            name: name.trim().to_owned(),
            thing,
        };
        let Some(first) = declared.words.first() else {
            return;
        };
        let things = self.folded.entry(fold(&declared.name)).or_default();
        if things.contains(&thing) {
            return;
        }
        things.push(thing);
        let places = self.by_first.entry(first.clone()).or_default();
        let at = |place: &usize| self.all.get(*place);
        let longer = places.partition_point(|place| {
            at(place).is_some_and(|other| other.words.len() >= declared.words.len())
        });
        places.insert(longer, self.all.len());
        self.all.push(declared);
    }

    /// The longest name of these kinds that the tokens begin with, and how many tokens it takes.
    pub fn longest(&self, tokens: &[Token<'_>], things: &[Thing]) -> Option<(&str, usize)> {
        let places = self.by_first.get(&tokens.first()?.kind)?.iter();
        let fits = places
            .filter_map(|place| self.all.get(*place))
            .filter(|declared| things.contains(&declared.thing));
        fits.into_iter().find_map(|declared| {
            Some((
                declared.name.as_str(),
                matched_tokens(tokens, &declared.words)?,
            ))
        })
    }

    /// The declared name that this word may misspell.
    pub fn suggestion(&self, word: &str) -> Option<String> {
        let names = self
            .all
            .iter()
            .take(COMPARED_MAX)
            .map(|declared| declared.name.as_str());
        misspellings(word, names)
            .first()
            .map(|near| (*near).to_owned())
    }

    /// Whether a name of this kind is declared.
    pub fn has_any(&self, thing: Thing) -> bool {
        self.all.iter().any(|declared| declared.thing == thing)
    }

    /// Folded names that have a number in a check only: asked values and named numbers of rolls.
    pub fn check_only_names(&self) -> HashSet<String> {
        let is_called = |thing: &Thing| matches!(thing, Thing::Ask | Thing::Value);
        let has_number = |thing: &Thing| IN_BRACES.contains(thing) && !is_called(thing);
        let all = self
            .folded
            .iter()
            .filter(|(_, all)| all.iter().any(is_called) && !all.iter().any(has_number));
        all.map(|(name, _)| name.clone()).collect()
    }

    /// Whether this is the name of one of these kinds.
    pub fn has(&self, name: &str, of: &[Thing]) -> bool {
        self.folded
            .get(&fold(name))
            .is_some_and(|things| things.iter().any(|thing| of.contains(thing)))
    }
}

/// How many of the first tokens these words match; a hyphen between two words counts as a blank.
fn matched_tokens(tokens: &[Token<'_>], words: &[Kind<'static>]) -> Option<usize> {
    let mut at = 0;
    for (nth, word) in words.iter().enumerate() {
        if nth > 0
            && tokens
                .get(at)
                .is_some_and(|token| token.kind == Kind::Sign('-') && token.touches)
        {
            at += 1;
        }
        tokens.get(at).filter(|token| token.kind == *word)?;
        // `6s` is a face, and `2d6` is not 2.
        let glued = |token: &Token<'_>| matches!(token.kind, Kind::Word(_) | Kind::Number(_));
        if nth + 1 == words.len()
            && tokens
                .get(at + 1)
                .is_some_and(|next| next.touches && glued(next))
        {
            return None;
        }
        at += 1;
    }
    Some(at)
}
