//! Arithmetic over quantities and variables, exact.

use std::cmp::Ordering;

use super::facts::Facts;
use super::quantity::{Among, Measure, Which};
use crate::dice::Fraction;
use crate::names::fold;
use crate::rules::grammar::tree::{Function, Op};

/// An expression over what a roll shows and what names stand for.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// A literal.
    Number(i64),
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
    Minus(Box<Expr>),
    /// `not x`: 1 where x is 0.
    Not(Box<Expr>),
    /// `x + y` and its like. A comparison is worth 1 or 0.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// `floor(x)` and its like; as many arguments as the function takes.
    Call(Function, Vec<Expr>),
}

/// Where a quantity must lie. Every bound is an expression; a literal is the simplest one.
#[derive(Debug, Clone, PartialEq)]
pub enum Range {
    /// Anything but zero.
    NonZero,
    /// This.
    Exactly(Expr),
    /// From the first to the second, both included.
    Between(Expr, Expr),
    /// This or more.
    AtLeast(Expr),
    /// This or less.
    AtMost(Expr),
    /// More than this.
    MoreThan(Expr),
    /// Less than this.
    LessThan(Expr),
}

fn truth(holds: bool) -> Fraction {
    Fraction::from(i64::from(holds))
}

impl Expr {
    /// Its value; none when something it names is not known, a divisor is zero or a number does not fit.
    pub fn value(&self, facts: &Facts) -> Option<Fraction> {
        match self {
            Self::Number(number) => Some(Fraction::from(*number)),
            Self::Variable { name, default } => {
                let value = facts.values.get(&fold(name)).copied();
                value.or(*default).map(Fraction::from)
            }
            Self::Measure(measure) => measure.value(facts).map(Fraction::from),
            Self::Minus(inner) => inner.value(facts).map(Fraction::negative),
            Self::Not(inner) => inner.value(facts).map(|own| truth(own == Fraction::ZERO)),
            Self::Binary(op, left, right) => binary(*op, left.value(facts)?, right.value(facts)?),
            Self::Call(function, arguments) => call(*function, arguments, facts),
        }
    }

    /// Every variable it names, in order, with its default.
    pub fn variables(&self) -> Vec<(&str, Option<i64>)> {
        let mut found = Vec::new();
        self.collect(&mut Vec::new(), &mut found);
        found
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
            Self::Measure(measure) => {
                measures.push(measure);
                match measure.among.as_deref() {
                    Some(Among::Dice { which: Some(Which::Highest(own) | Which::Lowest(own)), .. }) => {
                        own.collect(measures, names);
                    }
                    Some(Among::Dice { which: Some(Which::Showing(range)), .. }) => range.collect(measures, names),
                    Some(Among::Dice { which: None, .. } | Among::Natural | Among::Set(_)) | None => {}
                }
            }
            Self::Minus(inner) | Self::Not(inner) => inner.collect(measures, names),
            Self::Binary(_, left, right) => {
                left.collect(measures, names);
                right.collect(measures, names);
            }
            Self::Call(_, arguments) => arguments.iter().for_each(|own| own.collect(measures, names)),
        }
    }
}

impl Range {
    /// Whether this number lies in it; none when a bound is not known.
    pub fn holds(&self, what: Fraction, facts: &Facts) -> Option<bool> {
        let compared = |bound: &Expr| what.compare(bound.value(facts)?);
        Some(match self {
            Range::NonZero => what != Fraction::ZERO,
            Range::Exactly(bound) => compared(bound)? == Ordering::Equal,
            Range::Between(low, high) => compared(low)? != Ordering::Less && compared(high)? != Ordering::Greater,
            Range::AtLeast(bound) => compared(bound)? != Ordering::Less,
            Range::AtMost(bound) => compared(bound)? != Ordering::Greater,
            Range::MoreThan(bound) => compared(bound)? == Ordering::Greater,
            Range::LessThan(bound) => compared(bound)? == Ordering::Less,
        })
    }

    /// The whole numbers that lie in it, the least and the largest, where its bounds are numbers.
    pub fn whole_numbers(&self) -> Option<(i64, i64)> {
        let known = Facts::default();
        let above = |bound: &Expr| bound.value(&known)?.ceil().whole();
        let below = |bound: &Expr| bound.value(&known)?.floor().whole();
        Some(match self {
            Range::NonZero => return None,
            Range::Exactly(bound) => (above(bound)?, below(bound)?),
            Range::Between(low, high) => (above(low)?, below(high)?),
            Range::AtLeast(bound) => (above(bound)?, i64::MAX),
            Range::AtMost(bound) => (i64::MIN, below(bound)?),
            Range::MoreThan(bound) => (below(bound)?.checked_add(1)?, i64::MAX),
            Range::LessThan(bound) => (i64::MIN, above(bound)?.checked_sub(1)?),
        })
    }

    /// Every measure it asks for.
    pub fn measures(&self) -> Vec<&Measure> {
        let mut found = Vec::new();
        self.collect(&mut found, &mut Vec::new());
        found
    }

    /// Every variable it names, in order, with its default.
    pub fn variables(&self) -> Vec<(&str, Option<i64>)> {
        let mut found = Vec::new();
        self.collect(&mut Vec::new(), &mut found);
        found
    }

    pub(super) fn collect<'a>(&'a self, measures: &mut Vec<&'a Measure>, names: &mut Vec<(&'a str, Option<i64>)>) {
        match self {
            Range::NonZero => {}
            Range::Between(low, high) => {
                low.collect(measures, names);
                high.collect(measures, names);
            }
            Range::Exactly(bound)
            | Range::AtLeast(bound)
            | Range::AtMost(bound)
            | Range::MoreThan(bound)
            | Range::LessThan(bound) => bound.collect(measures, names),
        }
    }
}

fn binary(op: Op, left: Fraction, right: Fraction) -> Option<Fraction> {
    let is = |fits: fn(Ordering) -> bool| left.compare(right).map(fits).map(truth);
    match op {
        Op::Or => Some(truth(left != Fraction::ZERO || right != Fraction::ZERO)),
        Op::And => Some(truth(left != Fraction::ZERO && right != Fraction::ZERO)),
        Op::Equal => is(Ordering::is_eq),
        Op::Unequal => is(Ordering::is_ne),
        Op::Less => is(Ordering::is_lt),
        Op::AtMost => is(Ordering::is_le),
        Op::More => is(Ordering::is_gt),
        Op::AtLeast => is(Ordering::is_ge),
        Op::Add => left.plus(right),
        Op::Subtract => left.plus(right.negative()),
        Op::Multiply => left.multiply(right),
        Op::Divide => left.divide(right),
    }
}

fn call(function: Function, arguments: &[Expr], facts: &Facts) -> Option<Fraction> {
    if let (Function::If, [condition, yes, no]) = (function, arguments) {
        return if condition.value(facts)? == Fraction::ZERO { no.value(facts) } else { yes.value(facts) };
    }
    let values: Vec<Fraction> = arguments.iter().map(|argument| argument.value(facts)).collect::<Option<_>>()?;
    function.apply(&values)
}
