//! What a file declares, and how a value names it.

use super::token::{Kind, Token, words};
use crate::names::fold;

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
}

/// One declared name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Declared {
    words: Vec<Kind>,
    name: String,
    thing: Thing,
}

/// Every declared name, the longest first.
#[derive(Debug, Clone, Default)]
pub struct Names {
    all: Vec<Declared>,
}

/// Conditions that are there without being declared.
pub const CONDITIONS: [&str; 5] = ["Unconscious", "Dying", "Stable", "Dead", "Incapacitated"];

/// What every outcome is one of, the best first.
pub const OUTCOMES: [&str; 5] = ["critical success", "success", "partial success", "failure", "critical failure"];

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
        OUTCOMES.iter().for_each(|own| names.declare(own, Thing::Outcome));
        names.declare("XP", Thing::Track);
        names
    }

    /// Adds a name; one without a letter or digit is none.
    pub fn declare(&mut self, name: &str, thing: Thing) {
        let words = words(name);
        let own = Declared { words, name: name.trim().to_owned(), thing };
        if own.words.is_empty() || self.all.contains(&own) {
            return;
        }
        let at = self.all.partition_point(|other| other.words.len() >= own.words.len());
        self.all.insert(at, own);
    }

    /// The longest name of one of these things with which tokens begin, and how many tokens it takes.
    pub fn longest(&self, tokens: &[Token], things: &[Thing]) -> Option<(&str, usize)> {
        let mut fits = self.all.iter().filter(|own| things.contains(&own.thing));
        fits.find_map(|own| Some((own.name.as_str(), taken(tokens, &own.words)?)))
    }

    /// Whether there is such a thing.
    pub fn has(&self, name: &str, thing: Thing) -> bool {
        let folded = fold(name);
        self.all.iter().any(|own| own.thing == thing && fold(&own.name) == folded)
    }
}

/// How many tokens these words take at the beginning; a hyphen between two of them is a blank.
fn taken(tokens: &[Token], words: &[Kind]) -> Option<usize> {
    let mut at = 0;
    for (nth, word) in words.iter().enumerate() {
        if nth > 0 && tokens.get(at).is_some_and(|token| token.kind == Kind::Sign('-') && token.touches) {
            at += 1;
        }
        tokens.get(at).filter(|token| token.kind == *word)?;
        // `6s` is a face, and `2d6` no 2.
        let glued = |token: &Token| matches!(token.kind, Kind::Word(_) | Kind::Number(_));
        if nth + 1 == words.len() && tokens.get(at + 1).is_some_and(|next| next.touches && glued(next)) {
            return None;
        }
        at += 1;
    }
    Some(at)
}
