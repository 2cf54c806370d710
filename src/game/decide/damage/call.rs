//! The call of damage, healing and conditions.

use super::parts;
use crate::game::limits::{self, LIMITS};
use crate::game::record::event::Part;
use crate::game::refusal::{Code, Refusal};

/// What the caller asked for.
#[derive(Debug, Default, Clone)]
pub struct DamageCall {
    pub target: String,
    /// Positive damage, negative healing. `None`: the total of `roll`.
    pub amount: Option<i64>,
    pub damage_type: Option<String>,
    /// Instead of an amount: parts of different types in one hit.
    pub parts: Vec<Part>,
    /// Mitigations of the rules that are ignored.
    pub bypass: Vec<String>,
    pub track: Option<String>,
    /// Half of it, rounded down toward zero.
    pub half: bool,
    pub apply_conditions: Vec<String>,
    pub remove_conditions: Vec<String>,
    /// Allows conditions that no rule has.
    pub free: bool,
    pub reason: Option<String>,
    /// The entry whose roll decided the amount.
    pub roll: Option<u64>,
}

impl DamageCall {
    /// Refuses what is beyond the limits, and a call without effect.
    pub(super) fn check_limits(&self) -> Result<(), Refusal> {
        limits::number("amount", self.amount.unwrap_or(0))?;
        parts::check_limits(self)?;
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
