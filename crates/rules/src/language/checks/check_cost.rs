//! `- Costs: Stress +1`: what making a check costs, whatever the dice show.

use crate::grammar::effect::{Act, Move, Moved, Sign};
use crate::grammar::tree::Expr;
use crate::language::effects::Effect;
use crate::when::Named;
use rollbook_dice::parse_formula;
use rollbook_text::diagnostic::Place;

/// What somebody pays who makes a check, or follows a roll.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckCost {
    /// How many points; below 1 nothing is paid.
    pub amount: Named,
    /// Whether it is taken away from the track's number; else added.
    pub down: bool,
    /// The track that it is taken from, and whether all share it; none: that of the attribute that the call chooses.
    pub from: Option<(String, bool)>,
    /// As it is written.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

impl CheckCost {
    /// The move that it is: so many points of this track. None where that is nothing.
    pub fn moves(&self, (track, shared): (&str, bool), count: i64) -> Option<Effect> {
        let amount = parse_formula(&count.to_string()).ok().filter(|_| count > 0)?;
        let sign = if self.down { Sign::Minus } else { Sign::Plus };
        let act = Act::Move(Moved::Named(track.to_owned()), Move::By(sign, Expr::Number(count)));
        let text = format!("costs {count} {track}");
        Some(Effect { act, shared, amount: Some(amount), only_if: None, text, place: self.place.clone() })
    }

    /// The track that it is taken from, and whether all share it.
    pub fn track(&self) -> Option<(&str, bool)> {
        self.from.as_ref().map(|(track, shared)| (track.as_str(), *shared))
    }

    /// Whether it is known only when the dice lie.
    pub fn is_of_roll(&self) -> bool {
        !self.amount.measures().is_empty()
    }
}
