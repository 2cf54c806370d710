//! What it costs to read rules: each adventure of this repository, and a megabyte of Markdown.
//!
//! `cargo bench --bench rules` prints a table: bytes, findings, and the least and the middle of the times that one reading
//! took, findings and lints included. A file is read again at every save, so what counts is that an author never waits.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rollbook::diagnostic::SourceFile;
use rollbook::rules::read;

const READINGS: usize = 30;
const MEGABYTE: usize = 1_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `cargo test --benches` asks whether it runs at all.
    let quick = std::env::args().any(|argument| argument == "--test");
    let readings = if quick { 1 } else { READINGS };
    println!("{:<16} {:>9} {:>9} {:>11} {:>11}", "rules", "bytes", "findings", "least", "middle");
    for file in shipped()? {
        let name = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        time(&name, &std::fs::read_to_string(&file)?, readings);
    }
    time("a megabyte", &megabyte(), readings.min(10));
    Ok(())
}

/// Every `System.md` of this repository, by name.
fn shipped() -> Result<Vec<PathBuf>, std::io::Error> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures"));
    let folders = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut files: Vec<PathBuf> =
        folders.iter().map(|entry| entry.path().join("System.md")).filter(|file| file.is_file()).collect();
    files.sort();
    Ok(files)
}

fn time(name: &str, text: &str, readings: usize) {
    let mut times: Vec<Duration> = Vec::with_capacity(readings);
    let mut findings = 0;
    for _ in 0..readings {
        let files = vec![SourceFile::new("System.md", text)];
        let start = Instant::now();
        findings = read(files).diagnostics.len();
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let least = times.first().copied().unwrap_or_default();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    println!("{name:<16} {:>9} {findings:>9} {:>11} {:>11}", text.len(), shown(least), shown(middle));
}

fn shown(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

/// Rules as large as a whole book: every limit on items is reached, and most of it is prose, tables and bullets that are
/// looked at and left alone.
fn megabyte() -> String {
    let mut text = String::from("# A Book of Rules\n\n## Attributes\n\n- Might (MIG): strength\n- Range: 3 to 20\n\n");
    for number in 0.. {
        if text.len() >= MEGABYTE {
            break;
        }
        let skill = format!("## Skills\n\n- Craft {number} (MIG): base {}\n\n", number % 40);
        let check = format!(
            "## Checks\n\n### Trial {number}\nWhen it is in doubt, and somebody cares.\n\n- Roll: `2d6 + {{modifier}}`\n\
             - Target: `{{difficulty}}`\n\n| Outcome | When | What it means |\n|---|---|---|\n\
             | Done (success) | margin 0+ | It is *done*, and it looks easy. |\n| Not done (failure) | otherwise | |\n\n"
        );
        let condition = format!("## Conditions\n\n- State {number}: -1 MIG until treated\n\n");
        text.extend([skill, check, condition]);
        text.push_str(
            "## Prose\n\nThe rest of the page is for whoever reads it: the weather, the roads, the dead.\n\n",
        );
    }
    text
}
