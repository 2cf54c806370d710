//! What becomes of effects that somebody holds: `- Held effects: ask Will against 10, end with Stunned`.

use crate::diagnostic::Place;
use crate::dice::Formula;

/// What becomes of effects that somebody holds. Nothing said: damage asks for nothing, and they end when the holder is down.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Held {
    /// What damage to the holder asks for.
    pub asks: Option<HeldCheck>,
    /// Conditions in which nobody holds anything, named as they are declared.
    pub ends: Vec<String>,
    /// Where it stands; none where the file says nothing of it.
    pub place: Option<Place>,
}

/// A check that is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldCheck {
    /// Named as it is declared.
    pub name: String,
    /// What that is the name of.
    pub by: CheckBy,
    /// The difficulty, over `{hit}`, what came through; none: the check has its own, or the GM says it.
    pub against: Option<Formula>,
}

/// What a check is called by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckBy {
    Check,
    Skill,
    Attribute,
}

impl CheckBy {
    /// The parameter of a call that takes the name.
    pub fn parameter(self) -> &'static str {
        match self {
            CheckBy::Check => "check",
            CheckBy::Skill => "skill",
            CheckBy::Attribute => "attribute",
        }
    }
}

impl Held {
    /// "damage asks for Will against 10; end when Stunned, Asleep"
    pub fn describe(&self) -> String {
        let asks = self.asks.as_ref().map(|own| {
            let against = own.against.as_ref().map_or(String::new(), |against| format!(" against {against}"));
            format!("damage asks for {}{against}", own.name)
        });
        let ends = (!self.ends.is_empty()).then(|| format!("end when {}", self.ends.join(", ")));
        asks.into_iter().chain(ends).collect::<Vec<_>>().join("; ")
    }
}
