//! The faces of one die before explosions.

use crate::dice::ast::Dice;
use crate::dice::bounds::{Settled, rerolled};
use crate::dice::odds::budget::{OrNarrow, Stop};
use crate::dice::odds::term::{Weighted, power};
use crate::dice::odds::weight::Weight;
use crate::dice::throw::percentile_value;

/// The faces of one die after its rerolls.
///
/// A reroll without end is taken as such: the limit of 100 rerolls is reached with a chance below
/// 2^-64, or the expression is refused.
pub(super) fn settled_faces<W: Weight>(dice: &Dice) -> Result<(Weighted<W>, W), Stop> {
    let settled = Settled::of(dice);
    let small = |number: usize| W::small(u64::try_from(number).unwrap_or(u64::MAX));
    let stays = settled.faces - settled.until.min(settled.faces);
    let mut faces = Vec::with_capacity(settled.faces);
    for face in dice.die().faces().iter() {
        let ways = match (rerolled(&dice.modifiers, face), settled.once) {
            (Some(true), _) => continue,
            (_, 0) => W::small(1),
            (Some(false), once) => small(once),
            (None, once) => small(stays + once),
        };
        faces.push((face, ways));
    }
    let each = match settled.once {
        0 => small(stays),
        _ => small(stays).times(&small(stays)).wide()?,
    };
    Ok((faces, each))
}

/// The values of a percentile die with bonus or penalty dice.
pub(super) fn percentile_faces<W: Weight>(bonus: i64) -> Result<(Weighted<W>, W), Stop> {
    let dice = usize::try_from(bonus.unsigned_abs()).unwrap_or(0) + 1;
    let mut faces = Vec::with_capacity(100);
    for unit in 0..10 {
        let mut values: Vec<i64> = (0..10).map(|tens| percentile_value(tens, unit)).collect();
        values.sort_unstable();
        if bonus < 0 {
            values.reverse();
        }
        // The best of so many: all at this value or worse, less all worse.
        for (place, value) in values.iter().enumerate() {
            let worse = 9 - u64::try_from(place).unwrap_or(9);
            let mut ways: W = power(&W::small(worse + 1), dice)?;
            ways.minus(&power(&W::small(worse), dice)?);
            faces.push((*value, ways));
        }
    }
    Ok((faces, power(&W::small(10), dice + 1)?))
}
