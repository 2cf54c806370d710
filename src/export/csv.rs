//! Comma-separated values: one row an entry the audience sees, for a spreadsheet.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use super::lines::{self, Line};
use super::{Exported, Job, failed};
use crate::game::record::instant::iso;
use crate::game::view::Audience;
use crate::store::StoreError;

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

/// Bytes that most rows fit in.
const ROW: usize = 512;

pub(super) async fn write(job: &Job<'_>, file: &mut File) -> Result<Exported, StoreError> {
    let mut out = BufWriter::with_capacity(lines::BUFFER, file);
    let head = record(COLUMNS).map_err(|error| failed(job.out, &error))?;
    out.write_all(&head).map_err(|error| failed(job.out, &error))?;
    let made = |line: Line| match row(line, job.audience) {
        Some(row) => record(row).map_err(|error| failed(job.out, &error)),
        None => Ok(Vec::new()),
    };
    let exported =
        lines::each(job, made, |record| out.write_all(&record).map_err(|error| failed(job.out, &error))).await?;
    out.flush().map_err(|error| failed(job.out, &error))?;
    Ok(exported)
}

/// One row with its end.
fn record<const N: usize>(cells: [impl AsRef<[u8]>; N]) -> std::io::Result<Vec<u8>> {
    let mut record = ::csv::WriterBuilder::new().buffer_capacity(ROW).from_writer(Vec::with_capacity(ROW));
    record.write_record(cells)?;
    record.into_inner().map_err(|error| error.into_error())
}

fn row(mut line: Line, audience: Audience) -> Option<[String; 13]> {
    let (n, seen) = (line.n?, line.take_seen(audience)?);
    let joined = |each: Vec<String>| each.join("; ");
    let faces = |roll: &crate::game::record::entry::RollRecord| {
        roll.roll.faces().iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
    };
    let row = [
        n.to_string(),
        iso(seen.at),
        seen.session.to_string(),
        seen.kind.clone(),
        seen.actor.clone().unwrap_or_default(),
        seen.text.clone(),
        joined(seen.rolls.iter().map(|record| record.roll.expression.clone()).collect()),
        joined(seen.rolls.iter().map(faces).collect()),
        joined(seen.rolls.iter().map(|record| record.roll.total.to_string()).collect()),
        seen.outcome.map_or(String::new(), |outcome| outcome.as_str().to_owned()),
        seen.label.clone().unwrap_or_default(),
        seen.visibility.as_str().to_owned(),
        seen.rule.clone().unwrap_or_default(),
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
