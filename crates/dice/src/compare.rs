//! Numbers that a formula may leave to a variable, and comparisons with them.

use crate::fraction::Fraction;
use crate::text::{Span, push_int};
use std::cmp::Ordering;
use std::ops::Range;

/// An integer that a formula may leave to a variable.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Int {
    Literal(i64),
    Variable(Box<Variable>),
    /// `({rank} + 1)`: worked out when its variables are bound.
    Computed(Box<Computed>),
}

/// An expression in brackets that stands for a number.
#[derive(Clone, Debug)]
pub(crate) struct Computed {
    pub(crate) text: String,
    /// The variables in it, in written order.
    pub(crate) variables: Vec<Variable>,
    /// The bytes of the formula where it is, brackets included.
    pub(crate) span: Range<usize>,
}

impl PartialEq for Computed {
    /// By text; where it is does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
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

    /// The value. An expression holds literals only, so the zero of an unbound variable is never seen.
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
    pub(crate) fn equal(value: Int) -> Self {
        ComparePoint { comparison: Comparison::Equal, value }
    }

    pub(crate) fn matches(&self, face: i64) -> bool {
        self.comparison.holds(face.cmp(&self.value.get()))
    }

    /// As [`ComparePoint::matches`], of a value that need not be whole.
    pub(crate) fn holds(&self, value: Fraction) -> bool {
        value.compare(Fraction::int(self.value.get())).is_some_and(|ordering| self.comparison.holds(ordering))
    }

    /// Appends `>=8`; the comparison that a bare number means here is left out.
    pub(crate) fn print(&self, out: &mut String, bare: Option<Comparison>) {
        if bare != Some(self.comparison) {
            out.push_str(self.comparison.as_str());
        }
        self.value.print(out);
    }
}
