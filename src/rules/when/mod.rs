//! Conditions on a roll: which row of an outcome table wins, which flag is raised. Arithmetic is exact.
//!
//! [`lower`] makes them from what the grammar has read; [`facts`] is what is known of a roll when they are asked.

mod condition;
mod expr;
pub mod facts;
mod lower;
mod named;
mod quantity;

pub use condition::Condition;
pub use expr::{Expr, Range};
pub use lower::Lower;
pub use named::Named;
pub use quantity::{Among, Measure, Quantity, Which};

use facts::Facts;

/// When a row of an outcome table holds.
#[derive(Debug, Clone, PartialEq)]
pub enum When {
    /// Always: the last row.
    Otherwise,
    /// When all conditions of one of these lists hold.
    Any(Vec<Vec<Condition>>),
}

impl When {
    /// Whether it holds. A condition on something that is not known does not.
    pub fn holds(&self, facts: &Facts) -> bool {
        let all_hold = |all: &Vec<Condition>| all.iter().all(|own| own.holds(facts).unwrap_or(false));
        match self {
            Self::Otherwise => true,
            Self::Any(alternatives) => alternatives.iter().any(all_hold),
        }
    }

    fn conditions(&self) -> impl Iterator<Item = &Condition> {
        let alternatives = match self {
            Self::Otherwise => [].as_slice(),
            Self::Any(alternatives) => alternatives.as_slice(),
        };
        alternatives.iter().flatten()
    }

    /// Every measure it asks for, in order, bounds included.
    pub fn measures(&self) -> Vec<&Measure> {
        let mut found = Vec::new();
        self.conditions().for_each(|own| own.collect(&mut found, &mut Vec::new()));
        found
    }

    /// Every measure it asks for, each with the number from which on it makes no difference how large it is, where the
    /// variables have these values; none where it does.
    pub fn measures_compared(&self, known: &Facts) -> Vec<(&Measure, Option<usize>)> {
        let mut found = Vec::new();
        for condition in self.conditions() {
            let (mut measures, most) = (Vec::new(), condition.same_from(known));
            condition.collect(&mut measures, &mut Vec::new());
            found.extend(measures.into_iter().map(|measure| (measure, most)));
        }
        found
    }

    /// Every variable it names, in order, with its default.
    pub fn variables(&self) -> Vec<(&str, Option<i64>)> {
        let mut found = Vec::new();
        self.conditions().for_each(|own| own.collect(&mut Vec::new(), &mut found));
        found
    }
}
