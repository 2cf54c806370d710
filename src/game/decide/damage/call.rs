//! What a caller asks for, within its bounds.

use super::parts;
use crate::game::limits::{self, LIMITS};
use crate::game::record::event::Part;
use crate::game::refusal::{Code, Refusal};

/// What the caller asked for.
#[derive(Debug, Default, Clone)]
pub struct DamageCall {
    pub target: String,
    /// Positive damage, negative healing. `None`: what `roll` came to.
    pub amount: Option<i64>,
    pub damage_type: Option<String>,
    /// Instead of an amount: how much of which kinds, as one blow.
    pub parts: Vec<Part>,
    /// What takes damage off, and does not this time: names of the rules.
    pub bypass: Vec<String>,
    pub track: Option<String>,
    /// Half of it, rounded down toward zero.
    pub half: bool,
    pub apply_conditions: Vec<String>,
    pub remove_conditions: Vec<String>,
    /// Conditions that no rule knows are meant as they are.
    pub free: bool,
    pub reason: Option<String>,
    /// The entry whose roll decided the amount.
    pub roll: Option<u64>,
}

impl DamageCall {
    /// Refuses what is too much, and what asks for nothing.
    pub(super) fn bounds(&self) -> Result<(), Refusal> {
        limits::number("amount", self.amount.unwrap_or(0))?;
        parts::bounds(self)?;
        limits::count("apply_conditions", self.apply_conditions.len(), LIMITS.conditions)?;
        limits::count("remove_conditions", self.remove_conditions.len(), LIMITS.conditions)?;
        for name in self.apply_conditions.iter().chain(&self.remove_conditions) {
            limits::name("condition", name)?;
        }
        for (parameter, text) in [("reason", &self.reason), ("damage_type", &self.damage_type)] {
            if let Some(text) = text {
                limits::text(parameter, text, LIMITS.context)?;
            }
        }
        let nothing = self.amount.unwrap_or(0) == 0 && self.roll.is_none() && self.parts.is_empty();
        if nothing && self.apply_conditions.is_empty() && self.remove_conditions.is_empty() {
            let summary = "amount is 0 and no condition is named, so there is nothing to do. Send amount=5 for damage, amount=-5 for healing.";
            return Err(Refusal::new(Code::NoEffect, summary));
        }
        Ok(())
    }
}
