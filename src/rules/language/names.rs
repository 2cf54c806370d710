//! What words mean in an expression: names that every check has, and those that the file declares.

use std::collections::HashMap;

use crate::names::fold;
use crate::rules::grammar::{self, names::Thing};
use crate::rules::language::attributes::Attribute;
use crate::rules::language::dice::OwnDice;
use crate::rules::language::skills::Skill;

/// What words mean in an expression written without backticks: "CON modifier" is `{CON}`.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Folded words to the variable that they name.
    variables: HashMap<String, String>,
    /// Dice that have names.
    pub own_dice: OwnDice,
}

/// Words that any check has.
const GENERAL: [(&str, &str); 17] = [
    ("level", "level"),
    ("modifier", "modifier"),
    ("modifiers", "modifier"),
    ("bonus", "modifier"),
    ("bonuses", "modifier"),
    ("skill", "skill"),
    ("skill rating", "skill"),
    ("skill value", "skill"),
    ("attribute", "attribute"),
    ("ability", "attribute"),
    ("stat", "attribute"),
    ("characteristic", "attribute"),
    ("difficulty", "difficulty"),
    ("dc", "difficulty"),
    ("tn", "difficulty"),
    ("target number", "difficulty"),
    ("score", "score"),
];
/// Words before a name that change nothing.
const ARTICLES: [&str; 8] = ["the", "your", "their", "its", "his", "her", "a", "an"];
/// Words after a name that change nothing: `{DEX}` already is what one adds.
const SUFFIXES: [&str; 5] = [" modifier", " modifiers", " mod", " bonus", " value"];

/// The names of attributes and skills, as sentences are read with them.
pub fn declared(attributes: &[Attribute], skills: &[Skill]) -> grammar::names::Names {
    let mut names = grammar::names::Names::new();
    for own in attributes {
        std::iter::once(&own.name).chain(&own.abbr).for_each(|name| names.declare(name, Thing::Attribute));
    }
    skills.iter().for_each(|own| names.declare(&own.name, Thing::Skill));
    names
}

impl Names {
    /// Dice that have names, and nothing else yet.
    pub fn of_dice(own_dice: &OwnDice) -> Self {
        Self { own_dice: own_dice.clone(), ..Self::default() }
    }

    /// With the general words and those of these attributes.
    pub fn and_attributes(self, attributes: &[Attribute]) -> Self {
        let mut names = self;
        for (word, variable) in GENERAL {
            names.variables.insert(word.to_owned(), variable.to_owned());
        }
        for attribute in attributes {
            for word in std::iter::once(&attribute.name).chain(&attribute.abbr) {
                names.variables.insert(fold(word), attribute.short().to_owned());
                names.variables.insert(format!("{} score", fold(word)), format!("{} score", attribute.short()));
            }
        }
        names
    }

    /// Adds the skills. An attribute with the same name keeps it.
    pub fn add_skills(&mut self, skills: &[Skill]) {
        for skill in skills {
            self.variables.entry(fold(&skill.name)).or_insert_with(|| skill.name.clone());
        }
    }

    /// The variable that these words name.
    pub fn variable(&self, words: &str) -> Option<&str> {
        let folded = fold(words);
        let mut rest = folded.as_str();
        while let Some((first, after)) = rest.split_once(' ').filter(|(first, _)| ARTICLES.contains(first)) {
            let _ = first;
            rest = after;
        }
        let known = |name: &str| self.variables.get(name).map(String::as_str);
        known(rest).or_else(|| {
            let bare = SUFFIXES.iter().find_map(|suffix| rest.strip_suffix(suffix))?;
            known(bare)
        })
    }
}
