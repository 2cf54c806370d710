//! The answer to a name that the rules do not know.

use std::fmt;

/// A kind of thing that a call names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    Attribute,
    Skill,
    Check,
    Difficulty,
    Track,
    Rest,
}

impl fmt::Display for NameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NameKind::Attribute => "attribute",
            NameKind::Skill => "skill",
            NameKind::Check => "check",
            NameKind::Difficulty => "difficulty",
            NameKind::Track => "track",
            NameKind::Rest => "rest",
        })
    }
}

/// A name that the rules do not know, and what to send instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    pub kind: NameKind,
    pub wanted: String,
    /// At most three similar names, the best first; where `several`, all names that it could mean.
    pub suggestions: Vec<String>,
    /// It is a word of several names, which are `suggestions`.
    pub several: bool,
    /// All known names in the order of the file.
    pub known: Vec<String>,
    /// Where the known ones are declared: `System.md:31-44`.
    pub place: Option<String>,
}
