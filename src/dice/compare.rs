//! Comparisons on dice and totals.

use crate::dice::ast::Int;
use std::cmp::Ordering;

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::NotEqual => "<>",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
        }
    }

    /// Whether a number that stands so to the other meets this comparison.
    pub(crate) fn holds(self, ordering: Ordering) -> bool {
        match self {
            Comparison::Equal => ordering.is_eq(),
            Comparison::NotEqual => ordering.is_ne(),
            Comparison::Less => ordering.is_lt(),
            Comparison::AtMost => ordering.is_le(),
            Comparison::Greater => ordering.is_gt(),
            Comparison::AtLeast => ordering.is_ge(),
        }
    }
}

/// A set of faces: `=1`, `>=8`, `<>3`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ComparePoint {
    pub(crate) comparison: Comparison,
    pub(crate) value: Int,
}

impl ComparePoint {
    pub(crate) fn matches(&self, face: i64) -> bool {
        self.comparison.holds(face.cmp(&self.value.get()))
    }
}
