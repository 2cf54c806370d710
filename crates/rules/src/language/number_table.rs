//! Tables that give a number for a number: `| Level | Death | Wands |`, `| Score | Modifier |`.

use std::fmt;

use crate::codes;
use crate::grammar::file::TableRule;
use crate::grammar::table::{By, Numbers};
use crate::language::ledger::Ledger;
use rollbook_dice::{Formula, parse_formula};
use rollbook_text::diagnostic::{Diagnostic, Place, Span};
use rollbook_text::names::counted;

/// A row, for one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberRow {
    /// Lowest number of the row; `i64::MIN` for `8 or less`.
    pub low: i64,
    /// Highest number of the row; `i64::MAX` for `18+`.
    pub high: i64,
    /// The number for all of these.
    pub value: i64,
}

/// The rows for one class, or for every character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// "Fighter": for characters with this number above 0 on the sheet; none: for every character.
    pub kind: Option<String>,
    /// The first row that holds the number counts.
    pub rows: Vec<NumberRow>,
}

/// A column of a table, which gives a number by a level, a score or a track.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberTable {
    /// The header of the key: "Level".
    pub by: String,
    /// The key as an expression: `{level}`, `{STR score}`.
    pub key: Formula,
    /// A part for each class, of which the character's first counts, or one part for all.
    pub parts: Vec<Part>,
    pub place: Place,
    /// The header's cell of the key.
    pub span: Span,
}

/// How a number is computed from others.
#[derive(Debug, Clone, PartialEq)]
pub enum Base {
    /// `base 2 + {DEX}`.
    Formula(Formula),
    /// A column of a table: `| Level | Death |`.
    Table(NumberTable),
}

impl Base {
    /// The whole expression, or the key of the table.
    pub fn formula(&self) -> &Formula {
        match self {
            Self::Formula(formula) => formula,
            Self::Table(table) => &table.key,
        }
    }

    /// The number where [`Self::formula`] gives `number`, for a character without a class.
    pub fn value_of(&self, number: i64) -> Option<i64> {
        match self {
            Self::Formula(_) => Some(number),
            Self::Table(table) => value_of(&table.rows_of(|_| false)?.rows, number),
        }
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

impl NumberRow {
    /// Whether the number is in this row.
    pub fn holds(&self, number: i64) -> bool {
        (self.low..=self.high).contains(&number)
    }

    /// Whether it overlaps the row above. `16+` above `13+` is the usual way to write rows, so two
    /// rows open to the same side may overlap, as long as this one reaches further.
    pub fn conflicts_with(&self, above: &NumberRow) -> bool {
        let both_open = (above.high == i64::MAX && self.high == i64::MAX)
            || (above.low == i64::MIN && self.low == i64::MIN);
        let meet = above.low <= self.high && self.low <= above.high;
        meet && (!both_open || above.low <= self.low && self.high <= above.high)
    }
}

/// The value of the first row that holds this number.
pub fn value_of(rows: &[NumberRow], number: i64) -> Option<i64> {
    rows.iter()
        .find(|row| row.holds(number))
        .map(|row| row.value)
}

/// The lowest and the highest end of these rows, without open ends.
pub fn named<'r>(rows: impl Iterator<Item = &'r NumberRow> + Clone) -> Option<(i64, i64)> {
    let ends = || {
        rows.clone()
            .flat_map(|row| [row.low, row.high])
            .filter(|end| !matches!(*end, i64::MIN | i64::MAX))
    };
    ends().min().zip(ends().max())
}

/// The warning about two overlapping rows.
fn overlap(row: &NumberRow, at: Span, above: &NumberRow, first: Span) -> Diagnostic {
    let both = row.low.max(above.low);
    let both = if both == i64::MIN {
        row.high.min(above.high)
    } else {
        both
    };
    Diagnostic::warning(
        codes::NUMBERS_OVERLAP,
        format!("two rows of the table are for {both}"),
    )
    .at(at, "the row above it counts")
    .and(first, "this one")
    .help("let every number stand in one row; where rows end in `+`, the highest comes first")
}

impl NumberTable {
    /// One column of a table with this key. Overlapping rows are reported.
    pub(crate) fn read(
        (table, numbers): (&TableRule, &Numbers),
        column: usize,
        key: &str,
        ledger: &mut Ledger<'_>,
    ) -> Option<NumberTable> {
        type Rows = Vec<(NumberRow, Span)>;
        let mut parts: Vec<(&Vec<String>, Rows)> = Vec::new();
        for ((classes, (low, high), values), at) in numbers
            .rows
            .iter()
            .zip(&table.rows)
            .take(ledger.limits.items)
        {
            let row = NumberRow {
                low: *low,
                high: *high,
                value: *values.get(column)?,
            };
            let part = parts
                .iter()
                .position(|(kinds, _)| *kinds == classes)
                .unwrap_or(parts.len());
            if part == parts.len() {
                parts.push((classes, Vec::new()));
            }
            let (_, rows) = parts.get_mut(part)?;
            // Overlaps are reported once, not for each column.
            if let Some((above, first)) = rows
                .iter()
                .find(|(above, _)| row.conflicts_with(above))
                .filter(|_| column == 0)
            {
                ledger.report(overlap(&row, *at, above, *first));
            }
            rows.push((row, *at));
        }
        ledger.has_room(
            numbers.rows.len().saturating_sub(1),
            "rows of a table of numbers",
            table.span,
        );
        let part = |(kinds, rows): (&Vec<String>, Rows)| {
            let rows: Vec<NumberRow> = rows.into_iter().map(|(row, _)| row).collect();
            let all = kinds
                .is_empty()
                .then_some(None)
                .into_iter()
                .chain(kinds.iter().cloned().map(Some));
            all.map(|kind| Part {
                kind,
                rows: rows.clone(),
            })
            .collect::<Vec<_>>()
        };
        let parts = parts.into_iter().flat_map(part).collect();
        let (by, span) = table
            .header
            .get(usize::from(numbers.by == By::ClassAndLevel))?;
        let (key, place) = (parse_formula(key).ok()?, ledger.place(*span));
        Some(NumberTable {
            by: by.clone(),
            key,
            parts,
            place,
            span: *span,
        })
    }

    /// The first part for every character or for a class that the character is.
    pub fn rows_of(&self, is: impl Fn(&str) -> bool) -> Option<&Part> {
        self.parts
            .iter()
            .find(|part| part.kind.as_ref().is_none_or(|kind| is(kind)))
    }

    fn all_rows(&self) -> impl Iterator<Item = &NumberRow> + Clone {
        self.parts.iter().flat_map(|part| &part.rows)
    }

    /// "table of 2 rows"
    pub fn describe(&self) -> String {
        format!(
            "table of {}",
            counted(self.all_rows().count(), "row", "rows")
        )
    }

    /// The lowest and the highest value.
    pub fn values(&self) -> Option<(i64, i64)> {
        let values = || self.all_rows().map(|row| row.value);
        values().min().zip(values().max())
    }

    /// The lowest and the highest end of the rows, without open ends.
    pub fn named(&self) -> Option<(i64, i64)> {
        named(self.all_rows())
    }
}

/// `3`, `4-6`, `7+`, `2 or less`.
impl fmt::Display for NumberRow {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.low, self.high) {
            (low, high) if low == high => write!(to, "{low}"),
            (low, i64::MAX) => write!(to, "{low}+"),
            (i64::MIN, high) => write!(to, "{high} or less"),
            (low, high) => write!(to, "{low}-{high}"),
        }
    }
}

/// `by Level: 1-3 is 16, 4+ is 14`, `by Level: Fighter 1-3 is 12, 4+ is 10; Cleric 1+ is 11`.
impl fmt::Display for NumberTable {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |Part { kind, rows }: &Part| {
            let rows: Vec<String> = rows
                .iter()
                .map(|row| format!("{row} is {}", row.value))
                .collect();
            format!(
                "{}{}",
                kind.as_ref()
                    .map_or(String::new(), |kind| format!("{kind} ")),
                rows.join(", ")
            )
        };
        write!(
            to,
            "by {}: {}",
            self.by,
            self.parts
                .iter()
                .map(part)
                .collect::<Vec<String>>()
                .join("; ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(i64, i64)]) -> Vec<NumberRow> {
        rows.iter()
            .zip(1..)
            .map(|((low, high), value)| NumberRow {
                low: *low,
                high: *high,
                value,
            })
            .collect()
    }

    #[test]
    fn rows_that_are_open_to_one_side_may_be_stacked() {
        let cut = |above: (i64, i64), row: (i64, i64)| {
            let [above, row] = table(&[above, row])[..] else {
                panic!("two")
            };
            row.conflicts_with(&above)
        };
        assert!(!cut((16, i64::MAX), (13, i64::MAX)) && !cut((i64::MIN, 3), (i64::MIN, 8)));
        assert!(
            cut((13, i64::MAX), (16, i64::MAX)),
            "nothing is left of the lower one"
        );
        assert!(
            cut((1, 4), (4, 6))
                && cut((1, 3), (3, i64::MAX))
                && cut((1, 9), (4, 6))
                && cut((5, 5), (5, 5))
        );
        assert!(!cut((1, 3), (4, i64::MAX)) && !cut((4, 6), (1, 3)));
    }
}
