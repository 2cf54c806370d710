//! What becomes of the dice of a term when all are drawn: raised or lowered, kept or dropped, counted and marked.
//!
//! Apart from drawing, because it looks at all dice together, and no chance is left in it.

use super::rules::{Rules, any, successes};
use crate::dice::ast::{Dice, Modifier, ModifierKind, Stage};
use crate::dice::roll::{Face, Reason, RolledDie, Special};
use crate::dice::select::select;

pub(super) fn clamp(rolled: &mut [RolledDie], rules: &Rules<'_>) {
    if rules.minimum.is_none() && rules.maximum.is_none() {
        return;
    }
    for die in rolled {
        let clamped = rules.minimum.map_or(die.value, |minimum| die.value.max(minimum));
        let clamped = rules.maximum.map_or(clamped, |maximum| clamped.min(maximum));
        if clamped != die.value {
            let raised = clamped > die.value;
            die.special.push(if raised { Special::Raised } else { Special::Lowered });
            die.rolls.push(Face { value: clamped, reason: Reason::Clamp });
            die.value = clamped;
        }
    }
}

pub(super) fn keep(rolled: &mut [RolledDie], modifiers: &[Modifier]) {
    if !modifiers.iter().any(|modifier| modifier.kind.stage() == Stage::Keep) {
        return;
    }
    let values: Vec<i64> = rolled.iter().map(|die| die.value).collect();
    let mut kept = vec![true; values.len()];
    let value = |place: usize| values.get(place).copied().unwrap_or(0);
    select(modifiers, &mut kept, &|a, b| value(a).cmp(&value(b)), &|place, point| point.matches(value(place)));
    for (die, kept) in rolled.iter_mut().zip(kept) {
        die.kept = kept;
    }
}

/// Counts successes and sets marks.
pub(super) fn finish(rolled: &mut [RolledDie], dice: &Dice) {
    let counts = dice.counts();
    let last = dice.modifiers.iter().any(|modifier| modifier.kind.stage() == Stage::Show);
    if !counts && !last {
        return;
    }
    let marked = |face: i64, crit: bool| {
        any(&dice.modifiers, face, |kind| match kind {
            ModifierKind::Crit(point) if crit => Some(point),
            ModifierKind::Fumble(point) if !crit => Some(point),
            _ => None,
        })
    };
    for die in rolled {
        if counts && die.kept {
            die.counted = Some(successes(&dice.modifiers, die.value));
        }
        let natural = die.natural();
        if marked(natural, true) {
            die.special.push(Special::Crit);
        }
        if marked(natural, false) {
            die.special.push(Special::Fumble);
        }
    }
}
