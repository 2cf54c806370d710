//! One dice term before it is rolled: what it may come to, how many draws it takes, if it ends.

use crate::compare::Int;
use crate::die::{Die, Faces};
use crate::error::{Code, DiceError, Fault, Rewrite};
use crate::expression::arithmetic::overflow;
use crate::expression::bounds::facts::{Cost, Facts, Kind, scaled};
use crate::expression::print::dice_text;
use crate::expression::tree::{Count, Dice};
use crate::limits;
use crate::modifiers::clamp::Clamps;
use crate::modifiers::explode::{Explode, Explosion, explodes};
use crate::modifiers::keep::{self, Selection};
use crate::modifiers::reroll::{Again, Settled, rerolled};
use crate::modifiers::{
    Bounds, Modifier, ModifierKind, Stage, count, never_ends, no_effect, placed, unique,
};

pub(super) fn dice(dice: &Dice, cost: &mut Cost) -> Result<Facts, DiceError> {
    let faces = dice.die().faces();
    let count = dice.count();
    cost.dice = cost.dice.saturating_add(u64::try_from(count).unwrap_or(0));
    if cost.dice > limits::DICE {
        return Err(DiceError::limit("dice", limits::DICE, dice.span, "100d6"));
    }
    let (low, high) = dice.die().range();
    if dice.modifiers.is_empty() {
        cost.draws += count as f64;
        let each = Facts::whole(Kind::Pips, low, high);
        return scaled(each, count, count, dice.span);
    }
    check_duplicates(dice)?;
    check_symbols(dice)?;
    if dice.is_unique() {
        return distinct(dice, cost);
    }
    let (rerolls, explodes) = (dice.has(Stage::Reroll), dice.has(Stage::Explode));
    let mut bounds = Bounds {
        faces,
        span: dice.span,
        is_percentile: matches!(dice.die(), Die::Percent),
        rerolls,
        explodes,
        is_natural: !dice.has(Stage::Clamp) && !explodes && dice.bonus() == 0,
        values: (low, high),
    };
    check(dice, &bounds, &[Stage::Draw])?;
    keep::check_all(placed(&dice.modifiers), count).map_err(|error| swapped(dice, error))?;
    check(dice, &bounds, &[Stage::Reroll, Stage::Explode])?;
    let extra = extra_draws(dice, faces, cost)?;
    bounds.values = dice
        .each()
        .fold(bounds.values, |values, explode: &Explode| {
            explode.values(values, extra)
        });
    if bounds.values.0 < -limits::TOTAL || bounds.values.1 > limits::TOTAL {
        return Err(overflow(dice.span));
    }
    check(dice, &bounds, &[Stage::Clamp])?;
    let clamps = Clamps::new(dice.each());
    bounds.values = (
        clamps.clamped(bounds.values.0),
        clamps.clamped(bounds.values.1),
    );
    if bounds.values.0 == bounds.values.1 && dice.has(Stage::Clamp) {
        return Err(no_effect(dice.span, "Every die would have the same value."));
    }
    check(dice, &bounds, &[Stage::Keep, Stage::Count, Stage::Show])?;
    let separate = dice
        .explosion()
        .is_none_or(|explode| explode.explosion != Explosion::Compound);
    let most = if separate { count * (1 + extra) } else { count };
    let (least, most) = keep::kept(dice.each(), count, most);
    if dice.counts() {
        let (low, high) = count::range(dice.each(), most);
        return Ok(Facts::whole(Kind::Successes, low, high));
    }
    let each = Facts::whole(Kind::Pips, bounds.values.0, bounds.values.1);
    scaled(each, least, most, dice.span)
}

/// Dice of which no two show the same face.
fn distinct(dice: &Dice, cost: &mut Cost) -> Result<Facts, DiceError> {
    let (faces, count) = (dice.die().faces(), dice.count());
    unique::check_all(&dice.modifiers, count, faces.len(), dice.span)?;
    keep::check_all(placed(&dice.modifiers), count).map_err(|error| swapped(dice, error))?;
    cost.draws += count as f64;
    let all = usize::try_from(count).unwrap_or(0);
    let kept = keep::ranks(dice.each(), all).unwrap_or(0..all);
    let (low, high) = unique::range(faces.iter().map(|face| dice.die().worth(face)), all, &kept);
    Ok(Facts::whole(Kind::Pips, low, high))
}

fn check(dice: &Dice, bounds: &Bounds<'_>, stages: &[Stage]) -> Result<(), DiceError> {
    let mut here = dice
        .modifiers
        .iter()
        .filter(|modifier| stages.contains(&modifier.kind.stage()));
    here.try_for_each(|modifier| modifier.kind.check(bounds, modifier.span))
}

/// `3d6kh5` may have been meant as `5d6kh3`.
fn swapped(dice: &Dice, mut error: DiceError) -> DiceError {
    let kept = placed(&dice.modifiers).find_map(|(selection, span)| match selection {
        Selection::Keep(end, Int::Literal(kept)) if *kept > dice.count() => {
            Some((*end, *kept, span))
        }
        _ => None,
    });
    let Some((end, kept, span)) = kept else {
        return error;
    };
    let mut turned = Dice {
        count: Count::Int(Int::Literal(kept)),
        ..dice.clone()
    };
    for modifier in turned
        .modifiers
        .iter_mut()
        .filter(|modifier| modifier.span.range() == span.range())
    {
        modifier.kind = ModifierKind::Keep(Selection::Keep(end, Int::Literal(dice.count())));
    }
    let rewrite =
        Rewrite::new("to roll more and keep fewer").replace(dice.span.range(), dice_text(&turned));
    error.rewrites.insert(0, rewrite);
    error
}

/// Symbols are rerolled and explode by the place of their face; nothing else is done with them.
fn check_symbols(dice: &Dice) -> Result<(), DiceError> {
    if !dice.die().has_symbols() {
        return Ok(());
    }
    let may = |kind: &ModifierKind| match kind {
        ModifierKind::Reroll(_) | ModifierKind::Unique(_) => true,
        ModifierKind::Keep(_) => dice.die().range() != (0, 0),
        ModifierKind::Explode(explode) => {
            explode.explosion != Explosion::Compound && !explode.penetrating
        }
        _ => false,
    };
    let Some(modifier) = dice.modifiers.iter().find(|modifier| !may(&modifier.kind)) else {
        return Ok(());
    };
    let message = "Faces with symbols are no numbers, of which some are higher than others.";
    let hint =
        "Leave it out; such dice may be rerolled and explode, by the place of a face in the list.";
    Err(Fault::new(Code::TypeMix, modifier.span, message).hint(hint, "2d{-, S, S, SA}!4"))
}

fn check_duplicates(dice: &Dice) -> Result<(), DiceError> {
    let is_second = |(index, modifier): &(usize, &Modifier)| {
        dice.modifiers
            .iter()
            .take(*index)
            .any(|earlier| modifier.kind.repeats(&earlier.kind))
    };
    let Some((_, second)) = dice.modifiers.iter().enumerate().find(is_second) else {
        return Ok(());
    };
    Err(Fault::new(
        Code::Duplicate,
        second.span,
        "The same kind of modifier is written twice.",
    )
    .hint("Write it once.", "5d10!t8"))
}

/// Refuses what never ends or happens, adds draws to the cost; the most extra faces of one die.
fn extra_draws(dice: &Dice, faces: Faces<'_>, cost: &mut Cost) -> Result<i64, DiceError> {
    let count = dice.count() as f64;
    let settled = Settled::new(dice.each(), faces);
    let stays = settled.faces.saturating_sub(settled.until);
    let explodes = placed::<Explode>(&dice.modifiers).next();
    if stays == 0 {
        return Err(never_ends(dice.span, "Every face is rerolled, for ever."));
    }
    let again = settled.until as f64 / settled.faces as f64;
    let once = settled.once as f64 / stays as f64;
    let draws = (1.0 + once) / (1.0 - again);
    let chain = f64::from(limits::CHAIN);
    let never_settled = 2.0 * again.powf(chain - 1.0);
    let Some((explode, span)) = explodes else {
        let bonus = dice.bonus();
        cost.draws += count
            * draws
            * (1.0
                + if bonus == 0 {
                    0.0
                } else {
                    1.0 + bonus.abs() as f64
                });
        cost.capped += if settled.until == 0 {
            0.0
        } else {
            count * never_settled
        };
        return Ok(0);
    };
    let chance = explosion_chance(dice, faces, settled);
    if chance == 0.0 {
        return Err(no_effect(span, "Every face that explodes is rerolled."));
    }
    if chance >= 1.0 && explode.explosion != Explosion::Once {
        return Err(never_ends(
            span,
            "Every face that stays explodes, for ever.",
        ));
    }
    let rounds = match explode.explosion {
        Explosion::Once => 1.0 + chance,
        Explosion::Each | Explosion::Compound => {
            cost.capped += count * chance.powf(chain);
            1.0 / (1.0 - chance)
        }
    };
    cost.draws += count * draws * rounds;
    cost.capped += if settled.until == 0 {
        0.0
    } else {
        count * rounds * never_settled
    };
    Ok(i64::from(explode.extra_max()))
}

/// The chance that a settled face explodes.
fn explosion_chance(dice: &Dice, faces: Faces<'_>, settled: Settled) -> f64 {
    let stays = (settled.faces - settled.until) as f64;
    let once = settled.once as f64;
    let mut chance = 0.0;
    for face in faces
        .iter()
        .filter(|face| explodes(dice.each(), faces, *face))
    {
        chance += match rerolled(dice.each(), face) {
            Some(Again::Until) => 0.0,
            Some(Again::Once) => once / (stays * stays),
            None => (1.0 + once / stays) / stays,
        };
    }
    chance
}
