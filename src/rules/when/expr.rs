//! Arithmetic over quantities and variables, exact.

use super::facts::Facts;
use super::quantity::Measure;
use crate::dice::{Fraction, Function};

/// An expression in a condition.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// A literal.
    Number(Fraction),
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

/// Whether a function takes so many arguments here.
pub(super) fn takes(function: Function, arguments: usize) -> bool {
    match function {
        Function::Min | Function::Max => arguments >= 1,
        Function::Floor | Function::Ceil | Function::Round | Function::Abs => arguments == 1,
    }
}

impl Expr {
    /// Its value; none when something it names is not known, a divisor is zero or a number does not fit.
    pub fn value(&self, facts: &Facts) -> Option<Fraction> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Variable { name, default } => {
                let value = facts.values.get(&crate::names::fold(name)).copied();
                value.or(*default).map(Fraction::from)
            }
            Self::Measure(measure) => measure.value(facts).map(Fraction::from),
            Self::Negated(inner) => inner.value(facts).map(Fraction::negative),
            Self::Binary(operator, left, right) => {
                let (left, right) = (left.value(facts)?, right.value(facts)?);
                match operator {
                    Operator::Add => left.plus(right),
                    Operator::Subtract => left.plus(right.negative()),
                    Operator::Multiply => left.multiply(right),
                    Operator::Divide => left.divide(right),
                }
            }
            Self::Call(function, arguments) => {
                let values: Option<Vec<Fraction>> = arguments.iter().map(|argument| argument.value(facts)).collect();
                function.apply(&values?)
            }
        }
    }

    /// Its value when it names nothing of the roll: whatever falls, it is this.
    pub(super) fn fixed(&self, known: &Facts) -> Option<Fraction> {
        let mut measures = Vec::new();
        self.collect(&mut measures, &mut Vec::new());
        measures.is_empty().then(|| self.value(known)).flatten()
    }

    pub(super) fn collect<'a>(&'a self, measures: &mut Vec<&'a Measure>, names: &mut Vec<(&'a str, Option<i64>)>) {
        match self {
            Self::Number(_) => {}
            Self::Variable { name, default } => names.push((name, *default)),
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
