//! What a file declares, and how a value names it.

use std::collections::{HashMap, HashSet};

use super::outcome::Outcome;
use super::token::{Kind, Token, words};
use rollbook_text::names::{fold, misspellings};

/// What something is that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Thing {
    Attribute,
    Skill,
    /// A number that a person or all have: hit points, a clock.
    Track,
    /// A number of a table that everybody has.
    Number,
    Condition,
    Check,
    /// A label in a check's outcome table.
    Outcome,
    /// What a check asks its call for.
    Ask,
    /// A number of a roll that has a name.
    Value,
    Flag,
    /// A rule of a check for `again`.
    Again,
    /// A die or deck with faces of its own.
    Die,
    /// What dice with faces of their own show.
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
    /// Which of them begin with a word, the longest first.
    by_first: HashMap<Kind<'static>, Vec<usize>>,
    /// What each name is, by its folded form.
    folded: HashMap<String, Vec<Thing>>,
}

/// Names that a word is compared with.
const COMPARED_MAX: usize = 1_000;

/// Conditions that are there without being declared.
pub const CONDITIONS: [&str; 5] = ["Unconscious", "Dying", "Stable", "Dead", "Incapacitated"];

/// Names in braces that the program gives a value by itself.
pub const OWN: [&str; 8] = ["difficulty", "attribute", "skill", "modifier", "level", "damage", "hit", "score"];

/// Things that stand in braces.
pub const IN_BRACES: [Thing; 8] = [
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
    /// Those that are there without being declared.
    pub fn new() -> Names {
        let mut names = Names::default();
        CONDITIONS.iter().for_each(|own| names.declare(own, Thing::Condition));
        Outcome::ALL.iter().for_each(|own| names.declare(own.as_str(), Thing::Outcome));
        names.declare("XP", Thing::Track);
        names
    }

    /// Adds a name; one without a letter or digit is none.
    pub fn declare(&mut self, name: &str, thing: Thing) {
        let own = Declared { words: words(name), name: name.trim().to_owned(), thing };
        let Some(first) = own.words.first() else { return };
        let things = self.folded.entry(fold(&own.name)).or_default();
        if things.contains(&thing) {
            return;
        }
        things.push(thing);
        let places = self.by_first.entry(first.clone()).or_default();
        let at = |place: &usize| self.all.get(*place);
        let longer =
            places.partition_point(|place| at(place).is_some_and(|other| other.words.len() >= own.words.len()));
        places.insert(longer, self.all.len());
        self.all.push(own);
    }

    /// The longest name of one of these things with which tokens begin, and how many tokens it takes.
    pub fn longest(&self, tokens: &[Token<'_>], things: &[Thing]) -> Option<(&str, usize)> {
        let places = self.by_first.get(&tokens.first()?.kind)?.iter();
        let fits = places.filter_map(|place| self.all.get(*place)).filter(|own| things.contains(&own.thing));
        fits.into_iter().find_map(|own| Some((own.name.as_str(), taken(tokens, &own.words)?)))
    }

    /// The name that is nearly this word.
    pub fn near(&self, word: &str) -> Option<String> {
        let names = self.all.iter().take(COMPARED_MAX).map(|own| own.name.as_str());
        misspellings(word, names).first().map(|near| (*near).to_owned())
    }

    /// Whether there is anything of this sort.
    pub fn has_any(&self, thing: Thing) -> bool {
        self.all.iter().any(|own| own.thing == thing)
    }

    /// What has no number but in a check: names that its call gives, and those of its roll. Folded.
    pub fn only_called(&self) -> HashSet<String> {
        let is_called = |thing: &Thing| matches!(thing, Thing::Ask | Thing::Value);
        let has_number = |thing: &Thing| IN_BRACES.contains(thing) && !is_called(thing);
        let all = self.folded.iter().filter(|(_, all)| all.iter().any(is_called) && !all.iter().any(has_number));
        all.map(|(name, _)| name.clone()).collect()
    }

    /// Whether one of these is called so.
    pub fn has(&self, name: &str, of: &[Thing]) -> bool {
        self.folded.get(&fold(name)).is_some_and(|things| things.iter().any(|own| of.contains(own)))
    }
}

/// How many tokens these words take at the beginning; a hyphen between two of them is a blank.
fn taken(tokens: &[Token<'_>], words: &[Kind<'static>]) -> Option<usize> {
    let mut at = 0;
    for (nth, word) in words.iter().enumerate() {
        if nth > 0 && tokens.get(at).is_some_and(|token| token.kind == Kind::Sign('-') && token.touches) {
            at += 1;
        }
        tokens.get(at).filter(|token| token.kind == *word)?;
        // `6s` is a face, and `2d6` no 2.
        let glued = |token: &Token<'_>| matches!(token.kind, Kind::Word(_) | Kind::Number(_));
        if nth + 1 == words.len() && tokens.get(at + 1).is_some_and(|next| next.touches && glued(next)) {
            return None;
        }
        at += 1;
    }
    Some(at)
}
