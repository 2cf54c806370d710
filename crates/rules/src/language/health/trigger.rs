//! Triggers: what happens when a track reaches a number, a hit lands, the characters rest,
//! something ends, or time passes.

use crate::grammar::effect::{Act, End, Rest};
use crate::language::effects::{Effect, texts};
use crate::language::summary::clipped;
use crate::when::{Range, When};
use rollbook_text::diagnostic::{Place, Span};
use rollbook_text::names::same;

/// When a rule applies, and its effects. A trigger of damage or a track fires once per crossing.
#[derive(Debug, Clone, PartialEq)]
pub struct Trigger {
    pub when: TriggerWhen,
    /// [`Self::when`] as it is written: "At 0 Hit points", "Long rest", "each hour".
    pub label: String,
    pub effects: Vec<Effect>,
    /// The author's words after the colon, those for people too.
    pub text: String,
    /// The random tables that the words name, as calls do. Filled when all the adventure is read.
    pub tables: Vec<String>,
    pub place: Place,
    pub span: Span,
}

/// When a trigger fires. Tracks are named as declared; names in ranges are those of the sheet.
#[derive(Debug, Clone, PartialEq)]
pub enum TriggerWhen {
    /// The track enters this range; gained conditions end when it leaves.
    At {
        track: String,
        range: Range,
    },
    /// The track has no room for an added point.
    Over {
        track: String,
    },
    /// This much of one hit gets through.
    OneHit(Range),
    /// This much of a hit is left when everything that damage takes is at its end.
    LeftOver(Range),
    /// A hit reaches a character whose track is in this range already.
    DamageAt {
        track: String,
        range: Range,
    },
    /// This becomes true; gained conditions end when it is false again.
    Holds(When),
    /// No mark takes the hit.
    NotSoaked,
    Rest(Rest),
    EndOf(End),
    /// A round of a fight ends.
    Round,
    /// This many seconds of the game's time have passed.
    Each(i64),
}

impl Trigger {
    /// The track that it watches.
    pub fn track(&self) -> Option<&str> {
        use TriggerWhen::{At, DamageAt, Over};
        if let At { track, .. } | Over { track } | DamageAt { track, .. } = &self.when {
            Some(track)
        } else {
            None
        }
    }

    /// Whether it watches this track.
    pub fn watches(&self, track: &str) -> bool {
        self.track().is_some_and(|watched| same(watched, track))
    }

    /// Whether it moves a track of this name.
    pub fn moves(&self, track: &str) -> bool {
        self.effects.iter().any(|effect| effect.moves(track))
    }

    /// The conditions that it gives.
    pub fn conditions(&self) -> impl Iterator<Item = &str> {
        self.effects.iter().filter_map(Effect::gains)
    }

    /// Seconds of the game's time that it takes.
    pub fn lasts(&self) -> Option<i64> {
        let seconds = |effect: &Effect| {
            if let Act::Pass { seconds } = effect.act {
                Some(seconds)
            } else {
                None
            }
        };
        self.effects
            .iter()
            .filter_map(seconds)
            .reduce(i64::saturating_add)
    }

    /// Whether it moves shared tracks alone.
    pub fn is_shared(&self) -> bool {
        !self.effects.is_empty() && self.effects.iter().all(|effect| effect.shared)
    }

    /// Its effects in a few words.
    pub fn describe(&self) -> String {
        if self.effects.is_empty() {
            clipped(&self.text)
        } else {
            texts(&self.effects)
        }
    }
}
