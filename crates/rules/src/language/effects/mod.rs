//! Effects of rests, triggers, rows and costs, of clocks and shared tracks.

mod read;

pub use read::{Reader, Spot, die_after_steps, gains};

use crate::grammar::effect::{Act, Move, Moved, Sign};
use crate::grammar::tree::Expr;
use crate::when::When;
use rollbook_dice::Formula;
use rollbook_text::diagnostic::Place;
use rollbook_text::names::same;

/// One effect, which may have a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// With names as declared; what it moves is named.
    pub act: Act,
    /// Whether it moves a shared track.
    pub shared: bool,
    /// The number that it depends on, if any.
    pub amount: Option<Formula>,
    pub only_if: Option<When>,
    /// As it is written: `Hit points +1d6`.
    pub text: String,
    /// The line of the rules.
    pub place: Place,
}

impl Effect {
    /// Adds an amount, 0 or more, to a track of a character, or takes it away.
    pub fn moving(track: &str, (sign, amount): (Sign, Formula), text: String) -> Effect {
        let bound = amount.bind(&mut |_| None).ok();
        let by = Expr::Number(bound.and_then(|bound| bound.constant()).unwrap_or(1));
        Effect {
            act: Act::Move(Moved::Named(track.to_owned()), Move::By(sign, by)),
            shared: false,
            amount: Some(amount),
            only_if: None,
            text,
            place: Place::default(),
        }
    }

    /// The track or the marks that it moves.
    pub fn track(&self) -> Option<&str> {
        if let Act::Move(Moved::Named(track), _) = &self.act {
            Some(track)
        } else {
            None
        }
    }

    /// Whether it moves this track.
    pub fn moves(&self, track: &str) -> bool {
        self.track().is_some_and(|moved| same(moved, track))
    }

    /// The condition that it gives.
    pub fn gains(&self) -> Option<&str> {
        if let Act::Gain { condition, .. } = &self.act {
            Some(condition)
        } else {
            None
        }
    }

    /// The condition that it ends.
    pub fn loses(&self) -> Option<&str> {
        if let Act::Lose { condition } = &self.act {
            Some(condition)
        } else {
            None
        }
    }

    /// Whether dice are thrown for it.
    pub fn is_rolled(&self) -> bool {
        self.amount
            .as_ref()
            .is_some_and(|amount| !amount.labelled_dice().is_empty())
    }
}

/// Effects as they are written, joined by commas.
pub fn texts(effects: &[Effect]) -> String {
    effects
        .iter()
        .map(|effect| effect.text.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}
