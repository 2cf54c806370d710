//! For a person at a terminal: each playtest in a line, then every failure drawn, then how many.

use std::fmt::Write as _;

use super::Report;
use crate::playtest::Coverage;
use rollbook_text::diagnostic::{Diagnostic, render};
use rollbook_text::names::{in_one_line, printable};

/// The whole report. With `colour` it holds ANSI codes.
pub fn human(report: &Report<'_>, colour: bool) -> String {
    let mut text = String::new();
    for one in report.played {
        let (verdict, style) = if one.failures.is_empty() { ("ok  ", "32") } else { ("FAIL", "1;31") };
        let verdict = if colour { format!("\u{1b}[{style}m{verdict}\u{1b}[0m") } else { verdict.to_owned() };
        let _ = writeln!(
            text,
            "{verdict}  {}",
            in_one_line(&format!("{}  ({})", one.name, report.sources.place(one.span)))
        );
    }
    let failures: Vec<Diagnostic> =
        report.played.iter().flat_map(|one| &one.failures).map(|failure| failure.diagnostic.clone()).collect();
    if !failures.is_empty() {
        let _ = write!(text, "\n{}", render::human(&failures, report.sources, colour));
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

/// How much of the rules was reached, and what was not: each with its place and the call that would reach it.
fn write_coverage(text: &mut String, coverage: &Coverage) {
    let _ = writeln!(text, "\nCoverage {} %: {}.", coverage.percent(), coverage.summary());
    if coverage.missed().next().is_some() {
        let _ = writeln!(text, "\nNo playtest reaches");
    }
    for own in coverage.missed() {
        let missed = in_one_line(&format!("{}: {} {}", own.place, own.kind.one(), own.name));
        let _ = writeln!(text, "{missed}\n    {}", printable(&own.advice));
    }
}
