//! The faces of one die before explosions.

use crate::dice::ast::Dice;
use crate::dice::bounds::{Settled, rerolled};
use crate::dice::throw::percentile_value;

/// Faces, each with its ways, and the ways of them all.
pub(super) type Faces = (Vec<(i64, u64)>, u64);

/// The faces of one die after its rerolls.
///
/// A reroll without end is taken as such: the limit of 100 rerolls is reached with a chance below
/// 2^-64, or the expression is refused.
pub(super) fn settled_faces(dice: &Dice) -> Faces {
    let settled = Settled::of(dice);
    let small = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let stays = settled.faces - settled.until.min(settled.faces);
    let mut faces = Vec::with_capacity(settled.faces);
    for face in dice.die().faces().iter() {
        let ways = match (rerolled(&dice.modifiers, face), settled.once) {
            (Some(true), _) => continue,
            (_, 0) => 1,
            (Some(false), once) => small(once),
            (None, once) => small(stays + once),
        };
        faces.push((face, ways));
    }
    // At most 1000 faces: the square is far from the end of 64 bits.
    let each = small(stays).pow(if settled.once == 0 { 1 } else { 2 });
    (faces, each)
}

/// The values of a percentile die with bonus or penalty dice, at most nine of them.
pub(super) fn percentile_faces(bonus: i64) -> Faces {
    let dice = u32::try_from(bonus.unsigned_abs()).unwrap_or(0) + 1;
    let mut faces = Vec::with_capacity(100);
    for unit in 0..10 {
        let mut values: Vec<i64> = (0..10).map(|tens| percentile_value(tens, unit)).collect();
        values.sort_unstable();
        if bonus < 0 {
            values.reverse();
        }
        // The best of so many: all at this value or worse, less all worse.
        for (value, worse) in values.into_iter().zip((0..10_u64).rev()) {
            faces.push((value, (worse + 1).pow(dice) - worse.pow(dice)));
        }
    }
    (faces, 10_u64.pow(dice + 1))
}
