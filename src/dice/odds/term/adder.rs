//! Adding up cases.

use crate::dice::odds::budget::{Budget, Stop};
use crate::dice::odds::poly::Poly;
use crate::dice::odds::term::Counted;
use crate::dice::odds::weight::Weight;

/// A sum of polynomials of growing range.
pub(super) struct Adder<W> {
    sum: Option<Poly<W>>,
}

impl<W: Weight> Adder<W> {
    pub(super) fn new() -> Self {
        Adder { sum: None }
    }

    pub(super) fn add(&mut self, poly: &Poly<W>, times: &W, budget: &mut Budget) -> Result<(), Stop> {
        let (low, high) = match &self.sum {
            Some(sum) => (sum.low.min(poly.low), sum.high().max(poly.high())),
            None => (poly.low, poly.high()),
        };
        let fits = self.sum.as_ref().is_some_and(|sum| sum.low == low && sum.high() == high);
        if !fits {
            let words = times.words() + poly.widest();
            let mut wider = Poly::zero(low, high, budget, words)?;
            if let Some(sum) = &self.sum {
                wider.add_scaled(sum, 0, &W::small(1), budget)?;
            }
            self.sum = Some(wider);
        }
        match &mut self.sum {
            Some(sum) => sum.add_scaled(poly, 0, times, budget),
            None => Ok(()),
        }
    }

    pub(super) fn finish(self, ways: W) -> Counted<W> {
        Counted { poly: self.sum.unwrap_or_else(Poly::unit), ways }
    }
}
