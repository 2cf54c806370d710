//! Random tables: Markdown tables of the adventure with dice in their first header.
//!
//! ```text
//! | d6  | Rumour                     |     d20, 2d6, d66, d%
//! |-----|----------------------------|
//! | 1-2 | A bell under the water     |
//! | 3-6 | 1d4 wolves; roll on Weather|
//! ```

mod nested;
mod read;

use rollbook_dice::Expression;
use rollbook_text::diagnostic::{Place, Span};
use rollbook_text::names::{Words, same};

pub use nested::{Ignoring, NestedRoll, NestedRolls, TableNames, nested_rolls};
pub use read::read;

/// A table that is rolled on.
#[derive(Debug, Clone, PartialEq)]
pub struct RandomTable {
    /// The heading above it, else the second cell of its header.
    pub name: String,
    /// The second cell of its header.
    pub column: String,
    /// As notation; two dice read as digits are `10 * 1d6 + 1d6`.
    pub dice: String,
    pub rows: Vec<TableRow>,
    pub place: Place,
    /// The header's first cell.
    pub span: Span,
}

/// A row of a random table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRow {
    pub low: i64,
    pub high: i64,
    /// The other cells, without links and emphasis.
    pub text: String,
    pub place: Place,
    pub span: Span,
}

/// The most totals of a table that lints try.
const TOTALS_MAX: usize = 10_000;

impl RandomTable {
    /// The dice.
    pub fn expression(&self) -> Option<Expression> {
        rollbook_dice::parse(&self.dice).ok()
    }

    /// The first row of a total.
    pub fn row(&self, total: i64) -> Option<&TableRow> {
        self.rows.iter().find(|row| row.holds(total))
    }

    /// Every total of the dice.
    pub fn totals(&self) -> Vec<i64> {
        let odds = self.expression().and_then(|dice| dice.odds().ok());
        odds.map_or(Vec::new(), |odds| {
            odds.totals.totals().take(TOTALS_MAX).collect()
        })
    }

    /// Whether a call may name it so.
    pub fn is_called(&self, name: &str) -> bool {
        same(&self.name, name) || same(&self.column, name)
    }

    /// The name with its file, to distinguish tables of one name: `Night.md#Rumours`.
    pub fn full_name(&self) -> String {
        format!("{}#{}", self.place.file, self.name)
    }
}

impl TableRow {
    /// Whether the total is in its range.
    pub fn holds(&self, total: i64) -> bool {
        (self.low..=self.high).contains(&total)
    }

    /// "3", "4-6".
    pub fn range(&self) -> String {
        if self.low == self.high {
            self.low.to_string()
        } else {
            format!("{}-{}", self.low, self.high)
        }
    }
}

/// Tables with this name, else with its words. `Night.md#Rumours` names a table of a file.
pub fn find<'t>(tables: &'t [RandomTable], name: &str) -> Vec<&'t RandomTable> {
    let (file, bare) = name
        .split_once('#')
        .map_or((None, name), |(file, bare)| (Some(file), bare));
    let in_file = |table: &&RandomTable| file.is_none_or(|file| same(&table.place.file, file));
    let called: Vec<&RandomTable> = tables
        .iter()
        .filter(in_file)
        .filter(|table| table.is_called(bare))
        .collect();
    if !called.is_empty() {
        return called;
    }
    let words = Words::of(bare);
    tables
        .iter()
        .filter(in_file)
        .filter(|table| words.are_in(&table.name))
        .collect()
}
