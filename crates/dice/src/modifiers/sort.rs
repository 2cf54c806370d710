//! Sorting: `sa`, `sd`. It changes only the order in which values are recorded and dice are shown.

use crate::modifiers::{Form, Rule, Spelling, Stage};
use crate::record::RolledDie;
use std::cmp::Reverse;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Ascending,
    Descending,
}

impl Rule for Sort {
    const STAGE: Stage = Stage::Show;
    const SPELLINGS: &'static [Spelling<Self>] = &[
        Spelling::new("sa", Form::Bare(|| Sort::Ascending), "4d6sa"),
        Spelling::new("s", Form::Bare(|| Sort::Ascending), "4d6sa"),
        Spelling::new("sd", Form::Bare(|| Sort::Descending), "4d6sd"),
    ];

    fn print(&self, out: &mut String) {
        out.push_str(if *self == Sort::Ascending { "sa" } else { "sd" });
    }
}

impl Sort {
    pub(crate) fn values(self, values: &mut [i64]) {
        match self {
            Sort::Ascending => values.sort_unstable(),
            Sort::Descending => values.sort_unstable_by_key(|value| Reverse(*value)),
        }
    }

    /// The dice in this order; like ones in the order of draws.
    pub(crate) fn dice(self, rolled: &[RolledDie]) -> Vec<&RolledDie> {
        let mut sorted: Vec<&RolledDie> = rolled.iter().collect();
        match self {
            Sort::Ascending => sorted.sort_by_key(|die| die.value),
            Sort::Descending => sorted.sort_by_key(|die| Reverse(die.value)),
        }
        sorted
    }
}
