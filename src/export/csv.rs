//! Comma-separated values: one row an entry the audience sees, for a spreadsheet.

use super::lines::Line;
use super::writer::{Job, TextFile, Writer};
use crate::game::record::instant::iso;
use crate::game::view::Audience;
use crate::store::draft::Draft;
use crate::store::{Head, Reader, StoreError};

const COLUMNS: [&str; 13] = [
    "n",
    "time",
    "session",
    "kind",
    "actor",
    "text",
    "expression",
    "individual_rolls",
    "total",
    "outcome",
    "label",
    "visibility",
    "rule",
];

/// The file.
pub struct Csv(TextFile);

/// Rows with their ends.
pub struct Rows(::csv::Writer<Vec<u8>>);

impl Default for Rows {
    fn default() -> Self {
        Rows(::csv::Writer::from_writer(Vec::new()))
    }
}

impl Rows {
    fn add(&mut self, row: [impl AsRef<[u8]>; COLUMNS.len()]) -> Result<(), StoreError> {
        self.0.write_record(row).map_err(|error| StoreError::Io(error.to_string()))
    }

    fn text(self) -> Result<Vec<u8>, StoreError> {
        self.0.into_inner().map_err(|error| StoreError::Io(error.to_string()))
    }
}

impl Writer for Csv {
    const NAME: &'static str = "csv";
    const ABOUT: &'static str = "One row an entry, for a spreadsheet";

    type Page = Rows;

    async fn begin(job: &Job, _reader: &Reader, draft: &mut Draft) -> Result<Self, StoreError> {
        let mut head = Rows::default();
        head.add(COLUMNS)?;
        let mut file = TextFile::of(job, draft)?;
        file.write(&head.text()?)?;
        Ok(Csv(file))
    }

    fn add(page: &mut Rows, line: Line, audience: Audience) -> Result<(), StoreError> {
        row(line, audience).map_or(Ok(()), |row| page.add(row))
    }

    async fn write(&mut self, page: Rows) -> Result<(), StoreError> {
        self.0.write(&page.text()?)
    }

    async fn finish(self, written: Result<(), StoreError>) -> Result<Option<(Head, u64)>, StoreError> {
        written.map(|()| None)
    }
}

fn row(mut line: Line, audience: Audience) -> Option<[String; COLUMNS.len()]> {
    let (n, seen) = (line.n?, line.take_seen(audience)?);
    let joined = |each: Vec<String>| each.join("; ");
    let faces = |roll: &crate::game::record::entry::RollRecord| {
        roll.roll.faces().iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
    };
    let row = [
        n.to_string(),
        iso(seen.at),
        seen.session.to_string(),
        seen.kind,
        seen.actor.unwrap_or_default(),
        seen.text,
        joined(seen.rolls.iter().map(|record| record.roll.expression.clone()).collect()),
        joined(seen.rolls.iter().map(faces).collect()),
        joined(seen.rolls.iter().map(|record| record.roll.total.to_string()).collect()),
        seen.outcome.map_or(String::new(), |outcome| outcome.as_str().to_owned()),
        seen.label.unwrap_or_default(),
        seen.visibility.as_str().to_owned(),
        seen.rule.unwrap_or_default(),
    ];
    Some(row.map(harmless))
}

/// A cell no spreadsheet takes for a formula: one that begins like one gets an apostrophe, unless it is a number.
fn harmless(cell: String) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<i64>().is_err() {
        return format!("'{cell}");
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn a_name_that_is_a_formula_stays_text() {
        assert_eq!(harmless("=HYPERLINK(\"x\")".to_owned()), "'=HYPERLINK(\"x\")");
        assert_eq!(harmless("-4".to_owned()), "-4");
        assert_eq!(harmless("Aria".to_owned()), "Aria");
    }
}
