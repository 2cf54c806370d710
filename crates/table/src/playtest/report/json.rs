//! For programs.

use serde_json::{Map, Value, json};

use super::Report;
use crate::playtest::{Coverage, Failure, Kind, Played};

/// `{version, passed, failed, playtests: [{name, file, line, passed, milliseconds, failures: [{code, message, file, line,
/// column, notes, help}]}]}`; where it is asked for also `coverage: {percent, counts: {checks: {reached, all}}, missed: [{kind, name, file,
/// line, reached_by}]}`.
pub fn json(report: &Report<'_>) -> String {
    let mut value = json!({
        "version": 1,
        "passed": report.passed(),
        "failed": report.failed(),
        "playtests": report.played.iter().map(|one| playtest(report, one)).collect::<Vec<Value>>(),
    });
    if let (Some(coverage), Some(fields)) = (report.coverage, value.as_object_mut()) {
        fields.insert("coverage".to_owned(), self::coverage(coverage));
    }
    format!("{value:#}\n")
}

fn coverage(of: &Coverage) -> Value {
    let count = |kind: Kind| {
        let (reached, all) = of.count(kind);
        (kind.many().to_owned(), json!({"reached": reached, "all": all}))
    };
    let missed = of.missed().map(|own| {
        json!({
            "kind": own.kind.one(),
            "name": own.name,
            "file": own.place.file,
            "line": own.place.line,
            "reached_by": own.advice,
        })
    });
    json!({
        "percent": of.percent(),
        "counts": Kind::ALL.into_iter().map(count).collect::<Map<String, Value>>(),
        "missed": missed.collect::<Vec<Value>>(),
    })
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
