//! The call of damage, healing and conditions. A hit may have parts with several types of damage, such as a burning blade:
//! mitigation of one type applies to that part; mitigation of all types applies once, to all parts together.

use super::defences::{halved, halving_words};
use crate::limits;
use crate::limits::LIMITS;
use crate::record::event::Part;
use crate::refusal::{Code, Refusal};
use rollbook_text::names::same;

/// What the caller asked for.
#[derive(Debug, Default, Clone)]
pub struct DamageCall {
    pub target: String,
    /// Positive damage, negative healing. `None`: the total of `roll`.
    pub amount: Option<i64>,
    pub damage_type: Option<String>,
    /// What was rolled, where that is below 0 and the amount is 0.
    pub below_zero: Option<i64>,
    /// Instead of an amount: parts of different types in one hit.
    pub parts: Vec<Part>,
    /// Mitigations of the rules that are ignored.
    pub bypass: Vec<String>,
    pub track: Option<String>,
    /// Nobody can be asked: where the rules leave a choice of tracks, it falls on the one with most left.
    pub unasked: bool,
    pub measure: Measure,
    pub apply_conditions: Vec<String>,
    pub remove_conditions: Vec<String>,
    /// The rules bring `apply_conditions`, and not the GM: a level that is higher already stays.
    pub by_rule: bool,
    /// Allows conditions that no rule has.
    pub free: bool,
    pub reason: Option<String>,
    /// The entry whose roll decided the amount.
    pub roll: Option<u64>,
}

/// How much of the amount hits.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    #[default]
    Once,
    /// Rounded as the rules round what halves, else down.
    Half,
    Twice,
}

impl Measure {
    /// The step of the arithmetic and what hits; none where all of it does.
    pub(super) fn step(self, amount: i64, up: bool) -> Option<(&'static str, i64)> {
        match self {
            Measure::Once => None,
            Measure::Half => Some((halving_words(up), halved(amount, up))),
            Measure::Twice => Some(("twice", amount.saturating_mul(2))),
        }
    }
}

impl DamageCall {
    /// Refuses what is beyond the limits, and a call without effect.
    pub(super) fn check_limits(&self) -> Result<(), Refusal> {
        limits::number("amount", self.amount.unwrap_or(0))?;
        check_parts(self)?;
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

/// Parts of one hit.
const PARTS_MAX: usize = 10;

/// Refuses bad parts.
pub(super) fn check_parts(call: &DamageCall) -> Result<(), Refusal> {
    let refused = |summary: String| Err(Refusal::new(Code::InvalidParameters, summary));
    limits::count("parts", call.parts.len(), PARTS_MAX)?;
    limits::count("bypass", call.bypass.len(), PARTS_MAX)?;
    if call.parts.is_empty() {
        return Ok(());
    }
    if call.amount.is_some() || call.damage_type.is_some() {
        return refused("parts say how much of what, so amount and damage_type are left out beside them.".to_owned());
    }
    for part in &call.parts {
        limits::number("parts.amount", part.amount)?;
        if part.amount < 1 {
            return refused(format!("A part of {} is no damage. Send 1 or more; healing is amount=-5.", part.amount));
        }
        if let Some(kind) = &part.damage_type {
            limits::name("parts.damage_type", kind)?;
        }
    }
    limits::number("parts", call.parts.iter().map(|part| part.amount).sum())
}

/// The sum of the parts.
pub(super) fn sum(call: &DamageCall) -> Option<i64> {
    (!call.parts.is_empty()).then(|| call.parts.iter().map(|part| part.amount).sum())
}

/// The types of damage, each once: `slashing, fire`.
pub(super) fn kinds(call: &DamageCall) -> Option<String> {
    let mut kinds: Vec<&str> = Vec::new();
    for kind in call.parts.iter().filter_map(|part| part.damage_type.as_deref()) {
        if !kinds.iter().any(|known| same(known, kind)) {
            kinds.push(kind);
        }
    }
    if kinds.is_empty() { call.damage_type.clone() } else { Some(kinds.join(", ")) }
}

/// The call's parts, or the whole amount as one.
pub(super) fn initial_parts(call: &DamageCall, left: i64) -> Vec<Part> {
    match call.parts.is_empty() {
        true => vec![Part { amount: left, damage_type: call.damage_type.clone() }],
        false => call.parts.clone(),
    }
}

/// Changes the parts `of` in proportion, so that their sum is `after`.
pub(super) fn share(parts: &mut [Part], of: &[usize], after: i64) {
    let before: i64 = of.iter().filter_map(|at| parts.get(*at)).map(|part| part.amount).sum();
    let mut rest = after;
    let mut left = before;
    for at in of {
        let Some(part) = parts.get_mut(*at) else { continue };
        // The share is taken of what is left, so that nothing is lost to rounding.
        let own = if left == 0 { 0 } else { (i128::from(rest) * i128::from(part.amount) / i128::from(left)) as i64 };
        left -= part.amount;
        rest -= own;
        part.amount = own;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_loses_nothing() {
        for (amounts, after) in [(vec![5, 4], 4), (vec![5, 4], 18), (vec![1, 1, 1], 1), (vec![7], 3), (vec![3, 3], 0)] {
            let mut parts: Vec<Part> =
                amounts.iter().map(|amount| Part { amount: *amount, damage_type: None }).collect();
            let all: Vec<usize> = (0..parts.len()).collect();
            share(&mut parts, &all, after);
            assert_eq!(parts.iter().map(|part| part.amount).sum::<i64>(), after, "{amounts:?}");
            assert!(parts.iter().all(|part| part.amount >= 0));
        }
    }
}
