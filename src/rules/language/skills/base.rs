//! What somebody has who never learned a skill.

use std::fmt;

use crate::dice::{Formula, Variable};
use crate::rules::language::number_table::NumberTable;

/// What a skill is worth unlearned.
#[derive(Debug, Clone, PartialEq)]
pub enum Base {
    /// `base 2 + {DEX}`.
    Formula(Formula),
    /// A column of a table: `| Level | Death |`.
    Table(NumberTable),
}

impl Base {
    /// What it is computed from: the whole expression, or the number that is looked for in the table.
    pub fn formula(&self) -> &Formula {
        match self {
            Self::Formula(formula) => formula,
            Self::Table(table) => &table.key,
        }
    }

    /// The names that it is computed from.
    pub fn variables(&self) -> Vec<Variable> {
        self.formula().variables()
    }
}

impl fmt::Display for Base {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Formula(formula) => formula.fmt(to),
            Self::Table(table) => table.fmt(to),
        }
    }
}
