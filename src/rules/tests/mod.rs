//! Whole files in, whole systems out.

mod again;
mod base;
mod checks;
mod colons;
mod company;
mod diagnostics;
mod health;
mod hostile;
mod lints;
mod lockhouse;
mod markdown;
mod numbers;
mod other_sections;
mod overlooked;
mod pieces;
mod plain_style;
mod read_or_told;
mod said_in_words;
mod slips;
mod symbols;
mod systems;
mod time;
mod unlabelled;
mod ways;

use crate::diagnostic::{Severity, SourceFile, render};
use crate::rules::{Reading, read};

/// Reads one text as `System.md`.
fn system_md(text: &str) -> Reading {
    read(vec![SourceFile::new("System.md", text)])
}

/// Its findings, one line each.
fn findings(reading: &Reading) -> Vec<String> {
    render::plain(&reading.diagnostics, &reading.sources).lines().map(str::to_owned).collect()
}

/// The codes of its findings.
fn codes(reading: &Reading) -> Vec<&'static str> {
    reading.diagnostics.iter().map(|found| found.code).collect()
}

/// Reads one text in which nothing may be found wrong.
fn sound(text: &str) -> Reading {
    let reading = system_md(text);
    assert_eq!(findings(&reading), Vec::<String>::new(), "{text}");
    reading
}

fn errors(reading: &Reading) -> usize {
    reading.count(Severity::Error)
}
