//! What happens when: a track gets somewhere, a hit does something, people rest, something ends, time passes.

use crate::grammar::effect::{Act, End, Rest};
use crate::language::effects::{Effect, texts};
use crate::language::summary::clipped;
use crate::when::{Range, When};
use rollbook_text::diagnostic::{Place, Span};
use rollbook_text::names::same;

/// What happens by a rule. Where damage or a track reaches something, it fires once per crossing.
#[derive(Debug, Clone, PartialEq)]
pub struct Trigger {
    pub when: TriggerWhen,
    /// The same as it is written: "At 0 Hit points", "Long rest", "each hour".
    pub label: String,
    pub effects: Vec<Effect>,
    /// The author's words behind the colon, those for people too.
    pub text: String,
    /// The random tables that the words tell to roll on, as a call names them; known once every page of the adventure is.
    pub tables: Vec<String>,
    pub place: Place,
    pub span: Span,
}

/// When a trigger fires. Tracks are named as they are declared; names in ranges are those of the sheet.
#[derive(Debug, Clone, PartialEq)]
pub enum TriggerWhen {
    /// The track comes to lie in this range; what it brings ends when it leaves.
    At {
        track: String,
        range: Range,
    },
    /// The track has no room for a point that is added to it.
    Over {
        track: String,
    },
    /// So much of one hit gets through.
    OneHit(Range),
    /// So much of a hit is left when all that damage takes is at its end.
    LeftOver(Range),
    /// A hit reaches somebody whose track is here already.
    DamageAt {
        track: String,
        range: Range,
    },
    /// This begins to hold; what it brings ends when it holds no more.
    Holds(When),
    /// A hit finds no mark that takes it.
    NotSoaked,
    /// People rested.
    Rest(Rest),
    EndOf(End),
    /// A round of a fight ends.
    Round,
    /// So many seconds of the game's time are full.
    Each(i64),
}

impl Trigger {
    /// The track that it watches.
    pub fn track(&self) -> Option<&str> {
        use TriggerWhen::{At, DamageAt, Over};
        if let At { track, .. } | Over { track } | DamageAt { track, .. } = &self.when { Some(track) } else { None }
    }

    /// Whether it watches this track.
    pub fn watches(&self, track: &str) -> bool {
        self.track().is_some_and(|own| same(own, track))
    }

    /// Whether it moves a track of this name.
    pub fn moves(&self, track: &str) -> bool {
        self.effects.iter().any(|effect| effect.moves(track))
    }

    /// The conditions that it brings.
    pub fn conditions(&self) -> impl Iterator<Item = &str> {
        self.effects.iter().filter_map(Effect::gains)
    }

    /// Seconds of the game's time that it takes.
    pub fn lasts(&self) -> Option<i64> {
        let seconds = |own: &Effect| if let Act::Pass { seconds } = own.act { Some(seconds) } else { None };
        self.effects.iter().filter_map(seconds).reduce(i64::saturating_add)
    }

    /// Whether it moves what all share alone.
    pub fn is_shared(&self) -> bool {
        !self.effects.is_empty() && self.effects.iter().all(|own| own.shared)
    }

    /// What it brings, in a few words.
    pub fn describe(&self) -> String {
        if self.effects.is_empty() { clipped(&self.text) } else { texts(&self.effects) }
    }
}
