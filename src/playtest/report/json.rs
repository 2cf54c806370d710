//! For programs.

use serde_json::{Value, json};

use super::Report;
use crate::playtest::{Failure, Played};

/// `{version, passed, failed, playtests: [{name, file, line, passed, milliseconds, failures: [{code, message, file, line,
/// column, notes, help}]}]}`.
pub fn json(report: &Report<'_>) -> String {
    let value = json!({
        "version": 1,
        "passed": report.passed(),
        "failed": report.failed(),
        "playtests": report.played.iter().map(|one| playtest(report, one)).collect::<Vec<Value>>(),
    });
    format!("{value:#}\n")
}

fn playtest(report: &Report<'_>, one: &Played) -> Value {
    let place = report.sources.place(one.span);
    json!({
        "name": one.name,
        "file": place.file,
        "line": place.line,
        "passed": one.failures.is_empty(),
        "milliseconds": u64::try_from(one.took.as_millis()).unwrap_or(u64::MAX),
        "failures": one.failures.iter().map(|failure| self::failure(report, failure)).collect::<Vec<Value>>(),
    })
}

fn failure(report: &Report<'_>, failure: &Failure) -> Value {
    let found = &failure.diagnostic;
    let place = found.span().map(|span| report.sources.place(span));
    json!({
        "code": found.code,
        "message": found.message,
        "file": place.as_ref().map(|place| &place.file),
        "line": place.as_ref().map(|place| place.line),
        "column": place.as_ref().map(|place| place.column),
        "notes": found.notes,
        "help": found.help,
        "update": failure.update.as_ref().map(|fix| &fix.replacement),
    })
}
