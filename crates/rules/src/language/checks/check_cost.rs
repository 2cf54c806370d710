//! `- Costs: Stress +1`: what making a check costs.

use crate::grammar::effect::Sign;
use crate::language::effects::Effect;
use crate::when::NamedNumber;
use rollbook_dice::parse_formula;
use rollbook_text::diagnostic::Place;

/// The cost of making a check or following a roll.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckCost {
    /// How many points; below 1 it costs nothing.
    pub amount: NamedNumber,
    /// Whether it is subtracted from the track; else added.
    pub down: bool,
    /// The track, and whether it is the company's; none: that of the call's attribute.
    pub from: Option<(String, bool)>,
    /// As it is written.
    pub text: String,
    pub place: Place,
}

impl CheckCost {
    /// The effect of paying `count` points of this track, if any.
    pub fn moves(&self, (track, shared): (&str, bool), count: i64) -> Option<Effect> {
        let amount = parse_formula(&count.to_string())
            .ok()
            .filter(|_| count > 0)?;
        let sign = if self.down { Sign::Minus } else { Sign::Plus };
        let text = format!("costs {count} {track}");
        Some(Effect {
            shared,
            place: self.place.clone(),
            ..Effect::moving(track, (sign, amount), text)
        })
    }

    /// The track, and whether it is the company's.
    pub fn track(&self) -> Option<(&str, bool)> {
        self.from
            .as_ref()
            .map(|(track, shared)| (track.as_str(), *shared))
    }

    /// Whether it depends on the roll.
    pub fn is_of_roll(&self) -> bool {
        !self.amount.measures().is_empty()
    }
}
