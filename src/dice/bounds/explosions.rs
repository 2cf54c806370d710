//! Rerolls and explosions: whether they end, and how many draws they take.

use crate::dice::ast::{Dice, Explosion, Modifier, ModifierKind, Stage};
use crate::dice::bounds::faces::{no_effect, some_faces};
use crate::dice::bounds::facts::Cost;
use crate::dice::die::Faces;
use crate::dice::error::{Code, DiceError};
use crate::dice::limits::Limits;
use crate::dice::span::Span;
use crate::dice::throw::explodes;

/// The chances of one die's first settled face, as weights of equally likely faces.
///
/// With `n` faces of which `u` are rerolled until another falls and `o` others are rerolled once,
/// a face outside both has weight `m + o` of `m * m`, one of the `o` has weight `o`, where
/// `m = n - u`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settled {
    pub(crate) faces: usize,
    pub(crate) until: usize,
    pub(crate) once: usize,
}

impl Settled {
    pub(crate) fn of(dice: &Dice) -> Settled {
        let faces = dice.die().faces();
        let mut settled = Settled { faces: faces.len(), until: 0, once: 0 };
        if dice.has(Stage::Reroll) {
            for face in faces.iter() {
                match rerolled(&dice.modifiers, face) {
                    Some(true) => settled.until += 1,
                    Some(false) => settled.once += 1,
                    None => {}
                }
            }
        }
        settled
    }
}

/// `Some(true)` for a face that is rerolled until another falls, `Some(false)` for one rerolled
/// once.
pub(crate) fn rerolled(modifiers: &[Modifier], face: i64) -> Option<bool> {
    let mut once = None;
    for modifier in modifiers {
        match &modifier.kind {
            ModifierKind::RerollUntil(point) if point.matches(face) => return Some(true),
            ModifierKind::RerollOnce(point) if point.matches(face) => once = Some(false),
            _ => {}
        }
    }
    once
}

/// Refuses rerolls and explosions that never end or never happen, adds to the cost, and answers
/// how many extra faces one die may get at most.
pub(super) fn explosions(dice: &Dice, faces: Faces<'_>, cost: &mut Cost) -> Result<i64, DiceError> {
    for modifier in &dice.modifiers {
        match &modifier.kind {
            ModifierKind::RerollOnce(point) => some_faces(faces, point, modifier)?,
            ModifierKind::RerollUntil(point) => {
                if faces.iter().all(|face| point.matches(face)) {
                    return Err(never_ends(modifier.span, "Every face is rerolled, for ever."));
                }
                some_faces(faces, point, modifier)?;
            }
            ModifierKind::Explode { explosion, point: Some(point), .. } => {
                let all = faces.iter().all(|face| point.matches(face));
                if all && *explosion != Explosion::Once {
                    return Err(never_ends(modifier.span, "Every face explodes, for ever."));
                }
                some_faces(faces, point, modifier)?;
            }
            ModifierKind::Explode { explosion, point: None, .. } if faces.lowest() == faces.highest() => {
                return Err(match explosion {
                    Explosion::Once => no_effect(modifier.span, "Every face explodes."),
                    _ => never_ends(modifier.span, "Every face explodes, for ever."),
                });
            }
            _ => {}
        }
    }
    let count = dice.count() as f64;
    let settled = Settled::of(dice);
    let stays = settled.faces.saturating_sub(settled.until);
    let explodes = dice.modifiers.iter().find_map(|modifier| match modifier.kind {
        ModifierKind::Explode { explosion, .. } => Some((explosion, modifier.span)),
        _ => None,
    });
    if stays == 0 {
        return Err(never_ends(dice.span, "Every face is rerolled, for ever."));
    }
    let again = settled.until as f64 / settled.faces as f64;
    let once = settled.once as f64 / stays as f64;
    let draws = (1.0 + once) / (1.0 - again);
    let chain = f64::from(Limits::DEFAULT.chain);
    let never_settled = 2.0 * again.powf(chain - 1.0);
    let Some((explosion, span)) = explodes else {
        let bonus = dice.bonus();
        cost.draws += count * draws * (1.0 + if bonus == 0 { 0.0 } else { 1.0 + bonus.abs() as f64 });
        cost.capped += if settled.until == 0 { 0.0 } else { count * never_settled };
        return Ok(0);
    };
    let chance = explosion_chance(dice, faces, settled);
    if chance == 0.0 {
        return Err(no_effect(span, "Every face that explodes is rerolled."));
    }
    if chance >= 1.0 && explosion != Explosion::Once {
        return Err(never_ends(span, "Every face that stays explodes, for ever."));
    }
    let (rounds, most) = match explosion {
        Explosion::Once => (1.0 + chance, 1),
        Explosion::Each | Explosion::Compound => {
            cost.capped += count * chance.powf(chain);
            (1.0 / (1.0 - chance), i64::from(Limits::DEFAULT.chain))
        }
    };
    cost.draws += count * draws * rounds;
    cost.capped += if settled.until == 0 { 0.0 } else { count * rounds * never_settled };
    Ok(most)
}

/// The chance that a settled face explodes.
fn explosion_chance(dice: &Dice, faces: Faces<'_>, settled: Settled) -> f64 {
    let stays = (settled.faces - settled.until) as f64;
    let once = settled.once as f64;
    let mut chance = 0.0;
    for face in faces.iter().filter(|face| explodes(&dice.modifiers, faces, *face)) {
        chance += match rerolled(&dice.modifiers, face) {
            Some(true) => 0.0,
            Some(false) => once / (stays * stays),
            None => (1.0 + once / stays) / stays,
        };
    }
    chance
}

pub(super) fn never_ends(span: Span, message: &str) -> DiceError {
    DiceError::new(
        Code::NonTerminating,
        span,
        message,
        "Explode or reroll on fewer faces, or only once (ro, !o).",
        "5d6!",
    )
}
