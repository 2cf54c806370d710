//! Whole files in, whole systems out.

mod again;
mod base;
mod checks;
mod health;
mod hostile;
mod lints;
mod markdown;
mod mistakes;
mod numbers;
mod refused;
mod sections;
mod sentences;
pub mod shipped;
mod symbols;
mod ways;

use crate::{Reading, read};
use rollbook_text::diagnostic::{Diagnostic, Severity, SourceFile, render};

/// Reads one text as `System.md`.
fn system_md(text: &str) -> Reading {
    read(vec![SourceFile::new("System.md", text)])
}

/// The findings of a reading, one line each.
fn findings(reading: &Reading) -> Vec<String> {
    render::plain(&reading.diagnostics, &reading.sources)
        .lines()
        .map(str::to_owned)
        .collect()
}

/// The codes of the findings.
fn codes(reading: &Reading) -> Vec<&'static str> {
    reading.diagnostics.iter().map(|found| found.code).collect()
}

/// The codes of the findings, each with the words at which it points.
fn pointed(reading: &Reading) -> Vec<(&'static str, &str)> {
    let words = |found: &Diagnostic| found.span().map_or("", |span| reading.sources.text(span));
    reading
        .diagnostics
        .iter()
        .map(|found| (found.code, words(found)))
        .collect()
}

/// Reads one text, which must have no findings.
#[track_caller]
fn sound(text: &str) -> Reading {
    let reading = system_md(text);
    assert_eq!(findings(&reading), Vec::<String>::new(), "{text}");
    reading
}

fn errors(reading: &Reading) -> usize {
    reading.count(Severity::Error)
}
