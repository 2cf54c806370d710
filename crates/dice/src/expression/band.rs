//! The ranges of totals between the numbers of `bands`.

use std::fmt;

/// One range: from one number of `bands` to before the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// Its lowest total; none below all numbers.
    pub low: Option<i64>,
    /// Its highest total; none in the last.
    pub high: Option<i64>,
}

impl Band {
    /// Every range, rising, from those below all of these rising numbers on.
    pub(crate) fn all(numbers: &[i64]) -> impl Iterator<Item = Band> {
        let lows = std::iter::once(None).chain(numbers.iter().copied().map(Some));
        let highs = numbers.iter().map(|next| Some(next - 1)).chain([None]);
        lows.zip(highs).map(|(low, high)| Band { low, high })
    }

    /// Whether a total lies in it.
    pub fn holds(&self, total: i64) -> bool {
        self.low.is_none_or(|low| total >= low) && self.high.is_none_or(|high| total <= high)
    }
}

impl fmt::Display for Band {
    /// `below 7`, `7 to 9`, `10 or more`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.low, self.high) {
            (None, None) => f.write_str("any total"),
            (None, Some(high)) => write!(f, "below {}", high + 1),
            (Some(low), None) => write!(f, "{low} or more"),
            (Some(low), Some(high)) if low == high => write!(f, "{low}"),
            (Some(low), Some(high)) => write!(f, "{low} to {high}"),
        }
    }
}
