//! How many draws rerolls and explosions take, and whether they end.

use crate::die::Faces;
use crate::error::DiceError;
use crate::expression::bounds::facts::Cost;
use crate::expression::tree::Dice;
use crate::limits;
use crate::modifiers::bounds::{never_ends, no_effect};
use crate::modifiers::explode::{Explode, Explosion, explodes};
use crate::modifiers::placed;
use crate::modifiers::reroll::{Again, Settled, rerolled};

/// Refuses what never ends or never happens, adds the draws to the cost, and answers how many extra faces one die may get at
/// most.
pub(super) fn extra_draws(dice: &Dice, faces: Faces<'_>, cost: &mut Cost) -> Result<i64, DiceError> {
    let count = dice.count() as f64;
    let settled = Settled::of(dice.each(), faces);
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
        cost.draws += count * draws * (1.0 + if bonus == 0 { 0.0 } else { 1.0 + bonus.abs() as f64 });
        cost.capped += if settled.until == 0 { 0.0 } else { count * never_settled };
        return Ok(0);
    };
    let chance = explosion_chance(dice, faces, settled);
    if chance == 0.0 {
        return Err(no_effect(span, "Every face that explodes is rerolled."));
    }
    if chance >= 1.0 && explode.explosion != Explosion::Once {
        return Err(never_ends(span, "Every face that stays explodes, for ever."));
    }
    let rounds = match explode.explosion {
        Explosion::Once => 1.0 + chance,
        Explosion::Each | Explosion::Compound => {
            cost.capped += count * chance.powf(chain);
            1.0 / (1.0 - chance)
        }
    };
    cost.draws += count * draws * rounds;
    cost.capped += if settled.until == 0 { 0.0 } else { count * rounds * never_settled };
    Ok(i64::from(explode.extra_max()))
}

/// The chance that a settled face explodes.
fn explosion_chance(dice: &Dice, faces: Faces<'_>, settled: Settled) -> f64 {
    let stays = (settled.faces - settled.until) as f64;
    let once = settled.once as f64;
    let mut chance = 0.0;
    for face in faces.iter().filter(|face| explodes(dice.each(), faces, *face)) {
        chance += match rerolled(dice.each(), face) {
            Some(Again::Until) => 0.0,
            Some(Again::Once) => once / (stays * stays),
            None => (1.0 + once / stays) / stays,
        };
    }
    chance
}
