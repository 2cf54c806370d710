//! Arithmetic over quantities and variables, exact.

use super::quantity::Measure;
use crate::rules::facts::Facts;
use crate::rules::ratio::Ratio;

/// An expression in a condition.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// A literal.
    Number(Ratio),
    /// `{name}` or `{name=0}`; the name as written.
    Variable {
        /// The name between the braces.
        name: String,
        /// Its value when nobody gives one.
        default: Option<i64>,
    },
    /// Something about the roll.
    Measure(Measure),
    /// `-x`.
    Negated(Box<Expr>),
    /// `x + y` and its like.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `floor(x)` and its like; as many arguments as the function takes.
    Call(Function, Vec<Expr>),
}

/// The four operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

/// The functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// Down to an integer.
    Floor,
    /// Up to an integer.
    Ceil,
    /// To the nearest integer, halves upwards.
    Round,
    /// Without the sign.
    Abs,
    /// The least of its arguments.
    Min,
    /// The greatest of its arguments.
    Max,
}

impl Function {
    /// The function with this folded name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "floor" => Self::Floor,
            "ceil" => Self::Ceil,
            "round" => Self::Round,
            "abs" => Self::Abs,
            "min" => Self::Min,
            "max" => Self::Max,
            _ => return None,
        })
    }

    /// Whether it takes this many arguments.
    pub fn takes(self, arguments: usize) -> bool {
        match self {
            Self::Min | Self::Max => arguments >= 1,
            Self::Floor | Self::Ceil | Self::Round | Self::Abs => arguments == 1,
        }
    }

    fn apply(self, arguments: &[Ratio]) -> Option<Ratio> {
        let mut result = *arguments.first()?;
        match self {
            Self::Floor => Some(result.floor()),
            Self::Ceil => result.ceil(),
            Self::Round => result.round(),
            Self::Abs => result.abs(),
            Self::Min | Self::Max => {
                for argument in arguments.iter().skip(1) {
                    let less = argument.compare(result)?.is_lt();
                    if less == (self == Self::Min) {
                        result = *argument;
                    }
                }
                Some(result)
            }
        }
    }
}

impl Expr {
    /// Its value; none when something it names is not known, a divisor is zero or a number does not fit.
    pub fn value(&self, facts: &Facts) -> Option<Ratio> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Variable { name, default } => {
                let value = facts.values.get(&crate::names::fold(name)).copied();
                value.or(*default).map(Ratio::from)
            }
            Self::Measure(measure) => measure.value(facts).map(Ratio::from),
            Self::Negated(inner) => inner.value(facts)?.negated(),
            Self::Binary(operator, left, right) => {
                let (left, right) = (left.value(facts)?, right.value(facts)?);
                match operator {
                    Operator::Add => left.plus(right),
                    Operator::Subtract => left.minus(right),
                    Operator::Multiply => left.times(right),
                    Operator::Divide => left.over(right),
                }
            }
            Self::Call(function, arguments) => {
                let values: Option<Vec<Ratio>> = arguments.iter().map(|argument| argument.value(facts)).collect();
                function.apply(&values?)
            }
        }
    }

    pub(super) fn collect<'a>(&'a self, measures: &mut Vec<&'a Measure>, names: &mut Vec<&'a str>) {
        match self {
            Self::Number(_) => {}
            Self::Variable { name, .. } => names.push(name),
            Self::Measure(measure) => measures.push(measure),
            Self::Negated(inner) => inner.collect(measures, names),
            Self::Binary(_, left, right) => {
                left.collect(measures, names);
                right.collect(measures, names);
            }
            Self::Call(_, arguments) => {
                for argument in arguments {
                    argument.collect(measures, names);
                }
            }
        }
    }
}
