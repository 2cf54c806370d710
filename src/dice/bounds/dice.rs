//! One dice term before it is rolled.

use crate::dice::arithmetic::overflow;
use crate::dice::ast::{Count, Dice, Explosion, Modifier, ModifierKind, Stage};
use crate::dice::bounds::explosions::explosions;
use crate::dice::bounds::faces::{check_interval, check_selection, kept, no_effect, some_faces};
use crate::dice::bounds::facts::{Cost, Facts, Kind, scaled};
use crate::dice::compare::Int;
use crate::dice::die::Faces;
use crate::dice::error::{Code, DiceError, Rewrite};
use crate::dice::fraction::Fraction;
use crate::dice::limits::Limits;
use crate::dice::print::print_dice;
use crate::dice::throw::is_percentile;

const LIMITS: Limits = Limits::DEFAULT;

pub(super) fn dice(dice: &Dice, cost: &mut Cost) -> Result<Facts, DiceError> {
    let faces = dice.die().faces();
    let count = dice.count();
    cost.dice = cost.dice.saturating_add(u64::try_from(count).unwrap_or(0));
    if cost.dice > LIMITS.dice {
        return Err(DiceError::limit("dice", LIMITS.dice, dice.span, "100d6"));
    }
    if dice.modifiers.is_empty() {
        cost.draws += count as f64;
        let each = Facts::whole(Kind::Pips, faces.lowest(), faces.highest());
        return scaled(each, count, count, dice.span);
    }
    check_duplicates(dice)?;
    check_percentile(dice)?;
    check_selection(&dice.modifiers, count).map_err(|error| swapped(dice, error))?;
    let extra = explosions(dice, faces, cost)?;
    let values = values(dice, faces, extra)?;
    check_conditions(dice, faces, values)?;
    let separate = !dice.modifiers.iter().any(is_compound);
    let most = if separate { count * (1 + extra) } else { count };
    let (least, most) = kept(&dice.modifiers, count, most);
    if dice.counts() {
        let fails = dice.modifiers.iter().any(|modifier| matches!(modifier.kind, ModifierKind::Failure(_)));
        let doubles = dice.modifiers.iter().any(|modifier| matches!(modifier.kind, ModifierKind::Double(_)));
        let low = if fails { -most } else { 0 };
        let high = if doubles { 2 * most } else { most };
        return Ok(Facts::whole(Kind::Successes, low, high));
    }
    let each = Facts::whole(Kind::Pips, values.0, values.1);
    scaled(each, least, most, dice.span)
}

/// `3d6kh5` may have been meant as `5d6kh3`.
fn swapped(dice: &Dice, mut error: DiceError) -> DiceError {
    let kept = dice.modifiers.iter().find_map(|modifier| match &modifier.kind {
        ModifierKind::Keep(end, Int::Literal(kept)) if *kept > dice.count() => Some((*end, *kept, modifier.span)),
        _ => None,
    });
    let Some((end, kept, span)) = kept else {
        return error;
    };
    let mut turned = dice.clone();
    turned.count = Count::Int(Int::Literal(kept));
    for modifier in turned.modifiers.iter_mut().filter(|modifier| modifier.span.range() == span.range()) {
        modifier.kind = ModifierKind::Keep(end, Int::Literal(dice.count()));
    }
    let mut text = String::new();
    print_dice(&mut text, &turned);
    let rewrite = Rewrite::new("to roll more and keep fewer").replace(dice.span.range(), text);
    error.rewrites.insert(0, rewrite);
    error
}

fn is_compound(modifier: &Modifier) -> bool {
    matches!(modifier.kind, ModifierKind::Explode { explosion: Explosion::Compound, .. })
}

/// Modifiers that may stand once only.
fn check_duplicates(dice: &Dice) -> Result<(), DiceError> {
    for (index, modifier) in dice.modifiers.iter().enumerate() {
        for earlier in dice.modifiers.iter().take(index) {
            let twice = match (&earlier.kind, &modifier.kind) {
                (
                    ModifierKind::Explode { explosion: a, penetrating: p, point: Some(x) },
                    ModifierKind::Explode { explosion: b, penetrating: q, point: Some(y) },
                ) => a != b || p != q || x == y,
                (ModifierKind::Explode { .. }, ModifierKind::Explode { .. })
                | (ModifierKind::Minimum(_), ModifierKind::Minimum(_))
                | (ModifierKind::Maximum(_), ModifierKind::Maximum(_))
                | (ModifierKind::Success(_), ModifierKind::Success(_))
                | (
                    ModifierKind::Bonus(_) | ModifierKind::Penalty(_),
                    ModifierKind::Bonus(_) | ModifierKind::Penalty(_),
                )
                | (
                    ModifierKind::SortAscending | ModifierKind::SortDescending,
                    ModifierKind::SortAscending | ModifierKind::SortDescending,
                ) => true,
                (
                    ModifierKind::Success(_) | ModifierKind::Even | ModifierKind::Odd,
                    ModifierKind::Success(_) | ModifierKind::Even | ModifierKind::Odd,
                ) => true,
                (ModifierKind::Keep(..) | ModifierKind::Drop(..), _) => false,
                (a, b) => a == b,
            };
            if twice {
                return Err(DiceError::new(
                    Code::Duplicate,
                    modifier.span,
                    "The same kind of modifier is written twice.",
                    "Write it once.",
                    "5d10!t8",
                ));
            }
        }
    }
    Ok(())
}

fn check_percentile(dice: &Dice) -> Result<(), DiceError> {
    for modifier in &dice.modifiers {
        let (ModifierKind::Bonus(int) | ModifierKind::Penalty(int)) = &modifier.kind else {
            continue;
        };
        if !is_percentile(dice) {
            return Err(DiceError::new(
                Code::OutOfScopeSyntax,
                modifier.span,
                "Bonus dice belong to percentile dice.",
                "Write them after d%.",
                "1d%b1",
            ));
        }
        if int.get() == 0 {
            return Err(no_effect(modifier.span, "No bonus dice are no bonus."));
        }
        if int.get().abs() > LIMITS.percentile_dice {
            return Err(DiceError::limit("bonus dice", LIMITS.percentile_dice, modifier.span, "1d%b2"));
        }
        if dice.has(Stage::Reroll) || dice.has(Stage::Explode) {
            return Err(DiceError::new(
                Code::OutOfScopeSyntax,
                dice.span,
                "A percentile die with bonus dice is neither rerolled nor exploded.",
                "Leave out one of the two.",
                "1d%b1",
            ));
        }
    }
    Ok(())
}

/// The least and the greatest value of one die; refuses clamps that change nothing.
fn values(dice: &Dice, faces: Faces<'_>, extra: i64) -> Result<(i64, i64), DiceError> {
    let (mut low, mut high) = (faces.lowest(), faces.highest());
    for modifier in &dice.modifiers {
        if let ModifierKind::Explode { explosion, penetrating, .. } = modifier.kind {
            let less = i64::from(penetrating);
            if explosion == Explosion::Compound {
                low = low.min(low.saturating_add((low - less).saturating_mul(extra)));
                high = high.saturating_add((high - less).saturating_mul(extra).max(0));
            } else {
                low -= less;
            }
        }
    }
    let limit = LIMITS.total;
    if low < -limit || high > limit {
        return Err(overflow(dice.span));
    }
    let (unclamped_low, unclamped_high) = (low, high);
    for modifier in &dice.modifiers {
        match &modifier.kind {
            ModifierKind::Minimum(minimum) => {
                let minimum = minimum.get();
                if minimum <= unclamped_low {
                    return Err(no_effect(modifier.span, "No die can fall below this minimum."));
                }
                (low, high) = (low.max(minimum), high.max(minimum));
            }
            ModifierKind::Maximum(maximum) => {
                let maximum = maximum.get();
                if maximum >= unclamped_high {
                    return Err(no_effect(modifier.span, "No die can rise above this maximum."));
                }
                (low, high) = (low.min(maximum), high.min(maximum));
            }
            _ => {}
        }
    }
    if low == high && dice.has(Stage::Clamp) {
        return Err(no_effect(dice.span, "Every die would have the same value."));
    }
    Ok((low, high))
}

/// Refuses conditions on values, and marks on faces, that none or all of them meet.
fn check_conditions(dice: &Dice, faces: Faces<'_>, (low, high): (i64, i64)) -> Result<(), DiceError> {
    let natural = !dice.has(Stage::Clamp) && !dice.has(Stage::Explode) && dice.bonus() == 0;
    for modifier in &dice.modifiers {
        match &modifier.kind {
            ModifierKind::Crit(point) | ModifierKind::Fumble(point) => some_faces(faces, point, modifier)?,
            ModifierKind::KeepWhere(point)
            | ModifierKind::DropWhere(point)
            | ModifierKind::Success(point)
            | ModifierKind::Failure(point)
            | ModifierKind::Double(point) => {
                if natural && !dice.has(Stage::Reroll) {
                    some_faces(faces, point, modifier)?;
                } else {
                    check_interval(point, Fraction::int(low), Fraction::int(high), modifier.span)?;
                }
            }
            ModifierKind::Even | ModifierKind::Odd => {
                let odd = faces.iter().filter(|face| face.rem_euclid(2) == 1).count();
                if natural && (odd == 0 || odd == faces.len()) {
                    return Err(no_effect(modifier.span, "The faces are all even or all odd."));
                }
            }
            _ => {}
        }
    }
    Ok(())
}
