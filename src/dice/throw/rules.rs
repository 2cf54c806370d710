//! What the modifiers of a term say of one face or value.
//!
//! Apart from the throw: here nothing is drawn and nothing changed.

use crate::dice::ast::{Dice, Explosion, Modifier, ModifierKind};
use crate::dice::compare::ComparePoint;
use crate::dice::die::Faces;

/// The modifiers of a term by stage.
pub(super) struct Rules<'a> {
    pub(super) modifiers: &'a [Modifier],
    pub(super) faces: Faces<'a>,
    pub(super) rerolls: bool,
    pub(super) explosion: Option<(Explosion, bool)>,
    pub(super) minimum: Option<i64>,
    pub(super) maximum: Option<i64>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(dice: &'a Dice) -> Self {
        let mut rules = Rules {
            modifiers: &dice.modifiers,
            faces: dice.die().faces(),
            rerolls: false,
            explosion: None,
            minimum: None,
            maximum: None,
        };
        for modifier in &dice.modifiers {
            match &modifier.kind {
                ModifierKind::RerollOnce(_) | ModifierKind::RerollUntil(_) => rules.rerolls = true,
                ModifierKind::Explode { explosion, penetrating, .. } => {
                    rules.explosion = Some((*explosion, *penetrating));
                }
                ModifierKind::Minimum(int) => rules.minimum = Some(int.get()),
                ModifierKind::Maximum(int) => rules.maximum = Some(int.get()),
                _ => {}
            }
        }
        rules
    }

    pub(super) fn rerolled_once(&self, face: i64) -> bool {
        any(self.modifiers, face, |kind| match kind {
            ModifierKind::RerollOnce(point) => Some(point),
            _ => None,
        })
    }

    pub(super) fn rerolled_until(&self, face: i64) -> bool {
        any(self.modifiers, face, |kind| match kind {
            ModifierKind::RerollUntil(point) => Some(point),
            _ => None,
        })
    }

    pub(super) fn explodes(&self, face: i64) -> bool {
        explodes(self.modifiers, self.faces, face)
    }
}

/// Whether one of the compare points that are picked meets a face.
pub(super) fn any(modifiers: &[Modifier], face: i64, point: impl Fn(&ModifierKind) -> Option<&ComparePoint>) -> bool {
    let mut points = modifiers.iter().filter_map(|modifier| point(&modifier.kind));
    points.any(|point| point.matches(face))
}

/// Whether a natural face explodes.
pub(crate) fn explodes(modifiers: &[Modifier], faces: Faces<'_>, face: i64) -> bool {
    modifiers.iter().any(|modifier| match &modifier.kind {
        ModifierKind::Explode { point: Some(point), .. } => point.matches(face),
        ModifierKind::Explode { point: None, .. } => face == faces.highest(),
        _ => false,
    })
}

/// How many successes a value counts.
pub(crate) fn successes(modifiers: &[Modifier], value: i64) -> i64 {
    let mut success = false;
    let mut double = false;
    let mut failure = false;
    for modifier in modifiers {
        match &modifier.kind {
            ModifierKind::Success(point) => success |= point.matches(value),
            ModifierKind::Even => success |= value.rem_euclid(2) == 0,
            ModifierKind::Odd => success |= value.rem_euclid(2) == 1,
            ModifierKind::Double(point) => double |= point.matches(value),
            ModifierKind::Failure(point) => failure |= point.matches(value),
            _ => {}
        }
    }
    let counted = match (double, success) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0,
    };
    counted - i64::from(failure)
}
