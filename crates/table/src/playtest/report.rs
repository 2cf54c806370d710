//! What came of the playtests: for a person at a terminal, and as JSON for programs.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{Coverage, Failure, Played, coverage::Kind};
use rollbook_text::diagnostic::{Diagnostic, Sources, render};
use rollbook_text::names::{in_one_line, printable};

/// What came of all of them, with the files to cite.
pub struct Report<'a> {
    pub played: &'a [Played],
    pub sources: &'a Sources,
    /// What of the rules they reach, where that is asked for.
    pub coverage: Option<&'a Coverage>,
}

impl Report<'_> {
    pub(crate) fn passed(&self) -> usize {
        self.played
            .iter()
            .filter(|one| one.failures.is_empty())
            .count()
    }

    /// How many playtests have a failure.
    pub fn failed(&self) -> usize {
        self.played.len() - self.passed()
    }
}

/// The whole report. With `colour` it holds ANSI codes.
pub fn human(report: &Report<'_>, colour: bool) -> String {
    let mut text = String::new();
    for one in report.played {
        let (verdict, style) = if one.failures.is_empty() {
            ("ok  ", "32")
        } else {
            ("FAIL", "1;31")
        };
        let verdict = if colour {
            format!("\u{1b}[{style}m{verdict}\u{1b}[0m")
        } else {
            verdict.to_owned()
        };
        let _ = writeln!(
            text,
            "{verdict}  {}",
            in_one_line(&format!(
                "{}  ({})",
                one.name,
                report.sources.place(one.span)
            ))
        );
    }
    let failures: Vec<Diagnostic> = report
        .played
        .iter()
        .flat_map(|one| &one.failures)
        .map(|failure| failure.diagnostic.clone())
        .collect();
    if !failures.is_empty() {
        let _ = write!(
            text,
            "\n{}",
            render::human(&failures, report.sources, colour)
        );
    }
    let (passed, failed) = (report.passed(), report.failed());
    let _ = match (passed, failed) {
        (0, 0) => writeln!(
            text,
            "No playtests. Write one in a fenced block that begins with ```playtest, under Examples in System.md or in tests/*.md."
        ),
        (1, 0) => writeln!(text, "\n1 playtest holds."),
        (_, 0) => writeln!(text, "\n{passed} playtests hold."),
        _ => writeln!(text, "\n{failed} of {} playtests failed.", passed + failed),
    };
    if let Some(coverage) = report.coverage {
        write_coverage(&mut text, coverage);
    }
    text
}

/// How much of the rules was reached; what was not, with its place and the call to reach it.
fn write_coverage(text: &mut String, coverage: &Coverage) {
    let _ = writeln!(
        text,
        "\nCoverage {} %: {}.",
        coverage.percent(),
        coverage.summary()
    );
    if coverage.missed().next().is_some() {
        let _ = writeln!(text, "\nNo playtest reaches");
    }
    for item in coverage.missed() {
        let missed = in_one_line(&format!(
            "{}: {} {}",
            item.place,
            item.kind.one(),
            item.name
        ));
        let _ = writeln!(text, "{missed}\n    {}", printable(&item.advice));
    }
}

/// `{version, passed, failed, playtests: [{name, file, line, passed, milliseconds, failures:
/// [{code, message, file, line, column, notes, help}]}]}`; asked for, also `coverage: {percent,
/// counts: {checks: {reached, all}}, missed: [{kind, name, file, line, reached_by}]}`.
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

fn coverage(coverage: &Coverage) -> Value {
    let count = |kind: Kind| {
        let (reached, all) = coverage.count(kind);
        (
            format!("{}s", kind.one()),
            json!({"reached": reached, "all": all}),
        )
    };
    let missed = coverage.missed().map(|item| {
        json!({
            "kind": item.kind.one(),
            "name": item.name,
            "file": item.place.file,
            "line": item.place.line,
            "reached_by": item.advice,
        })
    });
    json!({
        "percent": coverage.percent(),
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
