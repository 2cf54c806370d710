//! `- Costs: Stress +1`: what making a check costs, whatever the dice show.

use crate::diagnostic::Place;
use crate::dice::parse_formula;
use crate::rules::language::effects::{Act, Effect, Move, Target};
use crate::rules::when::Named;

/// What somebody pays who makes a check, or follows a roll.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckCost {
    /// How many points; below 1 nothing is paid.
    pub amount: Named,
    /// Whether it is taken away from the track's number; else added.
    pub down: bool,
    /// The track that it is taken from; none: that of the attribute that the call chooses.
    pub from: Option<Target>,
    /// As it is written.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

impl CheckCost {
    /// The move that it is: so many points of this track. None where that is nothing.
    pub fn moves(&self, target: &Target, count: i64) -> Option<Effect> {
        let amount = parse_formula(&count.to_string()).ok().filter(|_| count > 0)?;
        let text = format!("costs {count} {}", target.track);
        let act = Act::Move(target.clone(), Move::By { down: self.down, amount });
        Some(Effect { act, only_if: None, text, place: self.place.clone() })
    }

    /// Whether it is known only when the dice lie.
    pub fn is_of_roll(&self) -> bool {
        !self.amount.measures().is_empty()
    }
}
