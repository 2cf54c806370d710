//! Numbers that a formula may leave to a variable, comparisons with them, ranges between several.

use crate::fraction::Fraction;
use crate::text::{Span, push_int};
use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;

/// An integer that a formula may leave to a variable.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Int {
    Literal(i64),
    Variable(Box<Variable>),
    /// `({rank} + 1)`: worked out when its variables are bound.
    Computed(Box<Computed>),
}

/// An expression in brackets where a number is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Computed {
    pub(crate) text: String,
    /// The variables in it, in written order.
    pub(crate) variables: Vec<Variable>,
    /// Where it is in the formula, brackets included.
    pub(crate) span: Span,
}

/// `{name}` or `{name=0}` in a formula.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name between the braces, trimmed, as written.
    pub name: String,
    /// The value when nothing else gives one.
    pub default: Option<i64>,
    /// The bytes of the formula where it is, braces included.
    pub span: Range<usize>,
}

impl PartialEq for Variable {
    /// By name and default; where it is does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.default == other.default
    }
}

impl Variable {
    pub(crate) fn place(&self) -> Span {
        Span::new(self.span.start, self.span.end)
    }

    /// Appends `{name}` or `{name=0}`.
    pub(crate) fn print(&self, out: &mut String) {
        out.extend(["{", &self.name]);
        if let Some(default) = self.default {
            out.push('=');
            push_int(out, default);
        }
        out.push('}');
    }
}

impl Int {
    pub(crate) fn print(&self, out: &mut String) {
        match self {
            Int::Literal(value) => push_int(out, *value),
            Int::Variable(variable) => variable.print(out),
            Int::Computed(computed) => out.extend(["(", &computed.text, ")"]),
        }
    }

    /// The value. An expression holds literals only, so the 0 of an unbound variable is never seen.
    pub(crate) fn get(&self) -> i64 {
        match self {
            Int::Literal(value) => *value,
            Int::Variable(_) | Int::Computed(_) => 0,
        }
    }

    pub(crate) fn variables(&self) -> &[Variable] {
        match self {
            Int::Literal(_) => &[],
            Int::Variable(variable) => std::slice::from_ref(variable),
            Int::Computed(computed) => &computed.variables,
        }
    }
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
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

    /// Whether two numbers in this order meet the comparison.
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

    /// As [`ComparePoint::matches`], of a value that need not be whole.
    pub(crate) fn holds(&self, value: Fraction) -> bool {
        value
            .compare(Fraction::int(self.value.get()))
            .is_some_and(|ordering| self.comparison.holds(ordering))
    }

    /// Appends `>=8`; the comparison that a bare number means here is left out.
    pub(crate) fn print(&self, out: &mut String, bare: Option<Comparison>) {
        if bare != Some(self.comparison) {
            out.push_str(self.comparison.as_str());
        }
        self.value.print(out);
    }
}

/// A range of totals: from one number of `bands` to before the next.
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
