//! Binomial coefficients.

use crate::odds::budget::{Budget, OrNarrow, Stop};
use crate::odds::weight::{Weight, binomials};

/// Binomial coefficients of every number up to one.
pub(super) struct Choices<W> {
    rows: Vec<Vec<W>>,
    none: W,
}

impl<W: Weight> Choices<W> {
    pub(super) fn new(most: usize, budget: &mut Budget) -> Result<Self, Stop> {
        budget.charge(most * most / 2, 1)?;
        budget.hold(most * most / 2, u64::try_from(most / 128).unwrap_or(u64::MAX))?;
        if W::DRY {
            return Ok(Choices { rows: Vec::new(), none: W::small(0) });
        }
        let mut rows: Vec<Vec<W>> = Vec::with_capacity(most + 1);
        rows.push(vec![W::small(1)]);
        for n in 1..=most {
            let mut row = Vec::with_capacity(n + 1);
            row.push(W::small(1));
            if let Some(last) = rows.last() {
                for pair in last.windows(2) {
                    if let [a, b] = pair {
                        let mut sum = a.clone();
                        sum.plus(b).wide()?;
                        row.push(sum);
                    }
                }
            }
            row.push(W::small(1));
            rows.push(row);
        }
        Ok(Choices { rows, none: W::small(0) })
    }

    pub(super) fn of(&self, n: usize, k: usize) -> &W {
        self.rows.get(n).and_then(|row| row.get(k)).unwrap_or(&self.none)
    }
}

/// `C(n, k + 1)` from `C(n, k)`.
pub(super) fn next_choice<W: Weight>(orders: &W, count: usize, chosen: usize) -> Result<W, Stop> {
    let up = u64::try_from(count.saturating_sub(chosen)).unwrap_or(u64::MAX);
    let down = u64::try_from(chosen + 1).unwrap_or(u64::MAX);
    Ok(orders.times(&W::small(up)).wide()?.divided(down))
}

/// The coefficient of `count` things of which `chosen` are chosen.
pub(super) fn choose<W: Weight>(count: usize, chosen: usize) -> Result<W, Stop> {
    if W::DRY {
        return Ok(W::small(1));
    }
    let row = binomials::<W>(count).wide()?;
    Ok(row.get(chosen).cloned().unwrap_or_else(|| W::small(0)))
}
