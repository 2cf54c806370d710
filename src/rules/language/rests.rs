//! Rests, the ends of scenes, fights and sessions, and what the game's time moves.

use crate::diagnostic::{Place, Span};
use crate::rules::language::effects::{Effect, passes, texts};
use crate::rules::language::time_words::span_words;

/// Something after which things change by rule: a short rest, the end of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Rest {
    /// As it is called: "Long rest", "End of scene".
    pub name: String,
    pub kind: RestKind,
    pub effects: Vec<Effect>,
    /// The author's words.
    pub text: String,
    pub place: Place,
    pub span: Span,
}

/// What is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestKind {
    /// People rested.
    Rest,
    Scene,
    Fight,
    Session,
    /// A round of a fight.
    Round,
}

/// What happens each time that so much of the game's time is full.
#[derive(Debug, Clone, PartialEq)]
pub struct Passing {
    /// Seconds.
    pub every: i64,
    pub effects: Vec<Effect>,
    pub place: Place,
    pub span: Span,
}

impl Rest {
    /// Seconds of the game's time that it takes.
    pub fn lasts(&self) -> Option<i64> {
        passes(&self.effects)
    }

    /// Whether it is about what all share alone.
    pub fn is_shared(&self) -> bool {
        !self.effects.is_empty() && self.effects.iter().all(Effect::is_shared)
    }

    /// What it does, in a few words.
    pub fn describe(&self) -> String {
        match self.effects.is_empty() {
            true if matches!(self.kind, RestKind::Scene | RestKind::Session) => "ends what lasts until then".to_owned(),
            true => "changes nothing by itself".to_owned(),
            false => texts(&self.effects),
        }
    }
}

impl Passing {
    /// Whether it is about what all share alone.
    pub fn is_shared(&self) -> bool {
        self.effects.iter().all(Effect::is_shared)
    }

    /// "each hour", "each 10 minutes".
    pub fn when(&self) -> String {
        let words = span_words(self.every);
        format!("each {}", words.strip_prefix("1 ").filter(|rest| !rest.contains(' ')).unwrap_or(&words))
    }
}
