//! Dice without replacement: each face of the die is drawn or not, from the highest down.

use crate::modifiers::keep;
use crate::odds::budget::{Budget, OrNarrow, Stop};
use crate::odds::poly::Poly;
use crate::odds::pool::Pool;
use crate::odds::term::{Counted, Reading};
use crate::odds::weight::Weight;

impl<W: Weight> Reading<'_, W> {
    /// The sums of what is kept, in all choices of so many faces: each of them falls in as many orders.
    pub(super) fn distinct(&self, budget: &mut Budget) -> Result<Counted<W>, Stop> {
        let mut faces: Vec<_> = self.dice.die().faces().iter().map(|face| self.pool_face(face, W::small(1))).collect();
        faces.sort_by_key(|face| std::cmp::Reverse(face.value));
        let kept = keep::ranks(self.dice.each(), self.count).unwrap_or(0..self.count);
        let ends = Pool::bounds(&faces, kept.len());
        // By the number of faces drawn so far, in how many ways; and the sums of those that are kept.
        let one = W::small(1);
        let words = if W::DRY { one.words() } else { 0 };
        let mut ways = [vec![one.clone()], vec![W::small(0); self.count]].concat();
        let mut sums = [vec![Some(Poly::unit())], vec![None; self.count]].concat();
        for (place, face) in faces.iter().enumerate() {
            for drawn in (0..self.count.min(place + 1)).rev() {
                let (before, after) = sums.split_at_mut(drawn + 1);
                let (Some(Some(sum)), Some(next)) = (before.last(), after.first_mut()) else { continue };
                let adds = if kept.contains(&drawn) { face.worth } else { 0 };
                Poly::or_zero(next, ends, budget, words)?.add_scaled(sum, adds, &one, budget)?;
                if let [.., before, after] = ways.get_mut(..drawn + 2).unwrap_or_default() {
                    after.plus(before).wide()?;
                }
            }
        }
        let poly = sums.pop().flatten().unwrap_or_else(Poly::unit);
        let ways = ways.pop().unwrap_or(one);
        Ok(Counted { poly, ways })
    }
}
