//! The *When* column: which row of an outcome table wins.
//!
//! ```text
//! when       = "otherwise" | all { "or" all }
//! all        = condition { "and" condition }
//! condition  = measure [ range ]                          a measure alone: it is not zero
//! measure    = [ label ] ( quantity | symbol ) | value | "`" expr "`"        value: the name of a Value bullet
//! quantity   = total | margin | natural | highest | lowest | successes | dice | pool | target | beaten | match
//!            | ones … twelves | 1s … 100s | highest two | natural size | highest size | leftover size | largest size | other two
//!            | [ second | third ] width | [ second | third ] height | dominates | tens digit | units digit | doubled
//! range      = N "+" | N "-" N | N "to" N | N | N "or less" | N "or more"
//!            | "at least" expr | "at most" expr | "more than" expr | "less than" expr | "equals" expr
//! expr       = term { ("+"|"-") term }    term = unary { ("*"|"/") unary }    unary = "-" unary | atom
//! atom       = NUMBER | "{" name [ "=" INT ] "}" | measure | function "(" expr { "," expr } ")" | "(" expr ")"
//! function   = floor | ceil | round | min | max | abs
//! ```
//!
//! Words fold case; `and` binds tighter than `or`; arithmetic is exact.

mod arithmetic;
mod condition;
mod cursor;
mod error;
mod expr;
pub mod facts;
mod instead;
mod lexer;
mod named;
mod parser;
mod quantity;

pub use condition::{Condition, Range};
pub use error::{Instead, WhenError};
pub use expr::Expr;
pub use instead::parse;
pub use named::{Named, is_reserved};
pub use quantity::{Measure, Quantity};

use facts::Facts;
use quantity::sets_of;

/// When a row of an outcome table holds.
#[derive(Debug, Clone, PartialEq)]
pub enum When {
    /// Always: the last row.
    Otherwise,
    /// When all conditions of one of these lists hold.
    Any(Vec<Vec<Condition>>),
}

/// Whether all of them hold. Width and height of the same dice may be those of any one set.
fn all_hold(all: &[Condition], facts: &Facts) -> bool {
    let holds = |own: &Condition| own.holds(facts).unwrap_or(false);
    let of_set = |quantity| all.iter().filter_map(Condition::of_set).any(|own| own.quantity == quantity);
    if !(of_set(Quantity::Width(0)) && of_set(Quantity::Height(0))) {
        return all.iter().all(holds);
    }
    let together = |one: &Measure| {
        let other = |own: &Measure| own.label == one.label && own.quantity != one.quantity;
        all.iter().filter_map(Condition::of_set).any(other)
    };
    let (of_sets, others): (Vec<&Condition>, Vec<&Condition>) =
        all.iter().partition(|own| own.of_set().is_some_and(together));
    let mut labels = of_sets.iter().filter_map(|own| own.of_set()).map(|own| own.label.as_ref());
    let some_set = |label: Option<&String>| {
        let own =
            of_sets.iter().filter_map(|own| own.of_set().filter(|own| own.label.as_ref() == label).map(|at| (own, at)));
        sets_of(label, facts).into_iter().any(|(width, height)| {
            own.clone().all(|(condition, measure)| {
                let what = if measure.quantity == Quantity::Width(0) { width } else { height };
                condition.holds_of(what.into(), facts).unwrap_or(false)
            })
        })
    };
    others.into_iter().all(holds) && labels.all(some_set)
}

impl When {
    /// Whether it holds. A condition on something that is not known does not.
    pub fn holds(&self, facts: &Facts) -> bool {
        match self {
            Self::Otherwise => true,
            Self::Any(alternatives) => alternatives.iter().any(|all| all_hold(all, facts)),
        }
    }

    /// Every measure it asks for, in order, bounds included.
    pub fn measures(&self) -> Vec<&Measure> {
        let mut found = Vec::new();
        if let Self::Any(alternatives) = self {
            for condition in alternatives.iter().flatten() {
                condition.collect(&mut found, &mut Vec::new());
            }
        }
        found
    }

    /// Every measure it asks for, each with the number from which on it makes no difference how large it is, where the
    /// variables have these values; none where it does.
    pub fn measures_compared(&self, known: &Facts) -> Vec<(&Measure, Option<usize>)> {
        let mut found = Vec::new();
        if let Self::Any(alternatives) = self {
            for condition in alternatives.iter().flatten() {
                let (mut measures, most) = (Vec::new(), condition.same_from(known));
                condition.collect(&mut measures, &mut Vec::new());
                found.extend(measures.into_iter().map(|measure| (measure, most)));
            }
        }
        found
    }

    /// Every variable it names, in order, with its default.
    pub fn variables(&self) -> Vec<(&str, Option<i64>)> {
        let mut found = Vec::new();
        if let Self::Any(alternatives) = self {
            for condition in alternatives.iter().flatten() {
                condition.collect(&mut Vec::new(), &mut found);
            }
        }
        found
    }
}
