//! What happens by a rule: effects of rests, triggers, rows and prices, of clocks and of what all share.

mod read;

pub use read::{Reader, Spot, gains, stepped};

use crate::grammar::effect::{Act, Moved};
use crate::when::When;
use rollbook_dice::Formula;
use rollbook_text::diagnostic::Place;
use rollbook_text::names::same;

/// One thing that happens, if its condition holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// With names as they are declared; what it moves is named.
    pub act: Act,
    /// Whether it moves what all share.
    pub shared: bool,
    /// The number that it depends on, where there is one.
    pub amount: Option<Formula>,
    pub only_if: Option<When>,
    /// As it is written: `Hit points +1d6`.
    pub text: String,
    /// The line of the rules.
    pub place: Place,
}

impl Effect {
    /// The track that it moves, or the marks of one name.
    pub fn track(&self) -> Option<&str> {
        if let Act::Move(Moved::Named(track), _) = &self.act { Some(track) } else { None }
    }

    /// Whether it moves this track.
    pub fn moves(&self, track: &str) -> bool {
        self.track().is_some_and(|own| same(own, track))
    }

    /// The condition that it brings.
    pub fn gains(&self) -> Option<&str> {
        if let Act::Gain { condition, .. } = &self.act { Some(condition) } else { None }
    }

    /// The condition that it ends.
    pub fn loses(&self) -> Option<&str> {
        if let Act::Lose { condition } = &self.act { Some(condition) } else { None }
    }

    /// Whether dice are thrown for it.
    pub fn is_rolled(&self) -> bool {
        self.amount.as_ref().is_some_and(|amount| !amount.labelled_dice().is_empty())
    }
}

/// Effects as they are written, one after the other.
pub fn texts(effects: &[Effect]) -> String {
    effects.iter().map(|own| own.text.as_str()).collect::<Vec<_>>().join(", ")
}
