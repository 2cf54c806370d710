//! How exact fractions are shown.

use crate::dice::odds::Ratio;

/// Characters of the exact share that is cut off; a longer one is told by its size.
pub(super) const CUT_OFF_MAX: usize = 400;

/// Characters of a fraction that a person can read.
const FRACTION_MAX: usize = 40;

/// The fraction where a person can read it.
pub(super) fn fraction(ratio: &Ratio) -> Option<String> {
    ratio.short(FRACTION_MAX)
}
