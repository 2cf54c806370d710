//! Hits with several types of damage at once, such as a burning blade.
//!
//! Mitigation of one type applies to that part; mitigation of all types applies once, to all parts together. The target
//! takes them as one hit.

use super::DamageCall;
use crate::game::limits;
use crate::game::record::event::Part;
use crate::game::refusal::{Code, Refusal};
use crate::names::same;

/// Parts of one hit.
const PARTS_MAX: usize = 10;

/// Refuses bad parts.
pub(super) fn check_limits(call: &DamageCall) -> Result<(), Refusal> {
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
