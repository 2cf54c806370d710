//! The answer to a name that the rules do not know.

use std::fmt;

/// What a call names of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    Attribute,
    Skill,
    Check,
    Difficulty,
    Track,
    Rest,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Named::Attribute => "attribute",
            Named::Skill => "skill",
            Named::Check => "check",
            Named::Difficulty => "difficulty",
            Named::Track => "track",
            Named::Rest => "rest",
        })
    }
}

/// A name that the rules do not know, with everything needed to say what to send instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    pub kind: Named,
    /// The name that was given.
    pub wanted: String,
    /// Known names like it, best first, at most three; all that it could mean where these are several.
    pub suggestions: Vec<String>,
    /// It could mean each of `suggestions`: a word that the names of several hold.
    pub several: bool,
    /// All known names in the order of the file.
    pub known: Vec<String>,
    /// Where the known ones are declared: `System.md:31-44`.
    pub place: Option<String>,
}
