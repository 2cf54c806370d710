//! A roll on a random table of the adventure.

use serde::{Deserialize, Serialize};

/// The rows that came, in the order in which they were rolled; a row may lead to others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableRollEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    pub drawn: Vec<Drawn>,
}

/// A row that came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawn {
    /// The table's name.
    pub table: String,
    /// Where the row stands: `Night.md:12`; of a table without a row for the number, where the table does.
    pub place: String,
    /// The row's number or range; empty where the table has no row for the number.
    pub row: String,
    /// The row as it is written.
    pub text: String,
    /// The row with its dice carried out: "3 wolves" of "1d4 wolves".
    pub result: String,
    /// Its roll among the entry's, from 0.
    pub roll: usize,
}
