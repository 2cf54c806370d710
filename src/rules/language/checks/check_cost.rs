//! `- Costs: Stress +1`: what making a check costs, whatever the dice show.

use crate::diagnostic::Place;
use crate::dice::parse_formula;
use crate::rules::grammar::effect::{Act, Move, Moved, Sign};
use crate::rules::grammar::tree::Expr;
use crate::rules::language::effects::Effect;
use crate::rules::when::Named;

/// What somebody pays who makes a check, or follows a roll.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckCost {
    /// How many points; below 1 nothing is paid.
    pub amount: Named,
    /// Whether it is taken away from the track's number; else added.
    pub down: bool,
    /// What is paid.
    pub from: PaidFrom,
    /// As it is written.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// Where a price is taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaidFrom {
    /// A track, boxes or slots, and whether all share them.
    Track {
        /// Which.
        name: String,
        /// Whether all share it.
        shared: bool,
    },
    /// The track of the attribute that the call chooses.
    Attribute,
}

impl CheckCost {
    /// The move that it is: so many points of this track.
    pub fn moves(&self, track: &str, shared: bool, count: i64) -> Option<Effect> {
        let sign = if self.down { Sign::Minus } else { Sign::Plus };
        let act = Act::Move(Moved::Named(track.to_owned()), Move::By(sign, Expr::Number(count)));
        let (amount, text) = (parse_formula(&count.to_string()).ok()?, format!("costs {count} {track}"));
        Some(Effect { act, shared, amount: Some(amount), only_if: None, text, place: self.place.clone() })
    }

    /// The same of the track that it names; none where that is the attribute's of the call, or where it is nothing.
    pub fn of_track(&self, count: i64) -> Option<Effect> {
        match &self.from {
            PaidFrom::Track { name, shared } if count > 0 => self.moves(name, *shared, count),
            PaidFrom::Track { .. } | PaidFrom::Attribute => None,
        }
    }

    /// Whether it is known only when the dice lie.
    pub fn is_of_roll(&self) -> bool {
        !self.amount.measures().is_empty()
    }
}
