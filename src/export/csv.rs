//! Comma-separated values: one row an entry the audience sees, for a spreadsheet.

use std::fs::File;
use std::io::Write as _;

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

pub(super) async fn write(job: &Job<'_>, file: &mut File) -> Result<Exported, StoreError> {
    let head = records([COLUMNS]).map_err(|error| failed(job.out, &error))?;
    file.write_all(&head).map_err(|error| failed(job.out, &error))?;
    let (audience, path) = (job.audience, job.out.to_path_buf());
    lines::write(job, file, move |lines| {
        let rows = lines.into_iter().filter_map(|line| row(line, audience));
        records(rows).map_err(|error| failed(&path, &error))
    })
    .await
}

/// Rows with their ends.
fn records<const N: usize>(rows: impl IntoIterator<Item = [impl AsRef<[u8]>; N]>) -> std::io::Result<Vec<u8>> {
    let mut out = ::csv::Writer::from_writer(Vec::new());
    for row in rows {
        out.write_record(row)?;
    }
    out.into_inner().map_err(|error| error.into_error())
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
