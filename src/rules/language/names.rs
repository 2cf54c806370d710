//! The names of attributes and skills, as sentences are read with them.

use crate::rules::grammar::{self, names::Thing};
use crate::rules::language::attributes::Attribute;
use crate::rules::language::skills::Skill;

/// The names that these declare.
pub fn declared(attributes: &[Attribute], skills: &[Skill]) -> grammar::names::Names {
    let mut names = grammar::names::Names::new();
    for own in attributes {
        std::iter::once(&own.name).chain(&own.abbr).for_each(|name| names.declare(name, Thing::Attribute));
    }
    skills.iter().for_each(|own| names.declare(&own.name, Thing::Skill));
    names
}
