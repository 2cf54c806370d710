//! What it costs to read rules: each adventure of this repository, and a megabyte of Markdown.
//!
//! `cargo bench --bench rules` prints a table: bytes, findings, the least and the middle of the times that one reading
//! took, findings and lints included, and the most memory that it held at once. A file is read again at every save, so what
//! counts is that an author never waits.
//!
//! Five megabytes of any kind take less than a hundred: it fails when one takes more. `cargo test --benches` tries one megabyte of each.
//! It fails also when a byte of rules costs far more than a byte of prose: then something looks at every name for every line.

use std::alloc::System;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};
use rollbook::diagnostic::{SourceFile, render};
use rollbook::rules::{read, understood};

const READINGS: usize = 30;
const MEGABYTE: usize = 1_000_000;
/// How many times a byte of prose a byte of rules may cost; it is about 4.
const BESIDE_PROSE_MAX: f64 = 12.0;
/// What reading may hold at once, of five megabytes of rules and of one.
const HELD_MAX: usize = 100 * MEGABYTE;
const HELD_MAX_OF_ONE: usize = 200 * MEGABYTE;

#[global_allocator]
static MEMORY: PeakMemAlloc<System> = PeakMemAlloc::system();

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `cargo test --benches` asks whether it runs at all.
    let quick = std::env::args().any(|argument| argument == "--test");
    let readings = if quick { 1 } else { READINGS };
    println!("{:<16} {:>9} {:>9} {:>11} {:>11} {:>11}", "rules", "bytes", "findings", "least", "middle", "memory");
    for file in shipped()? {
        let name = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        time(&name, &std::fs::read_to_string(&file)?, readings);
    }
    time("a megabyte", &rules(MEGABYTE), readings.min(10));
    beside_prose()?;
    // In the profile of the tests five megabytes of each take a minute.
    let (megabytes, most) = if quick { (1, HELD_MAX_OF_ONE) } else { (5, HELD_MAX) };
    for (name, text) in kinds(megabytes * MEGABYTE) {
        let name = format!("{megabytes} MB of {name}");
        let held = time(&name, &text, 1);
        if held > most {
            return Err(format!("{name}: reading held {held} bytes at once, and at most {most} are allowed").into());
        }
    }
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

/// Compares a byte of rules with a byte of prose, by the least of three readings each.
fn beside_prose() -> Result<(), String> {
    let of_a_byte = |text: &str| {
        let least = (0..3).map(|_| reading_of(text).0).min().unwrap_or_default();
        least.as_secs_f64() / text.len() as f64
    };
    let times = of_a_byte(&rules(MEGABYTE)) / of_a_byte(&prose(MEGABYTE));
    println!("{:<16} {times:>42.1} times a byte of prose", "a byte of rules");
    if times > BESIDE_PROSE_MAX {
        return Err(format!(
            "a byte of rules costs {times:.1} times a byte of prose, and at most {BESIDE_PROSE_MAX} are allowed"
        ));
    }
    Ok(())
}

/// How long one reading took, and how many findings it brought.
fn reading_of(text: &str) -> (Duration, usize) {
    let files = vec![SourceFile::new("System.md", text)];
    let start = Instant::now();
    let findings = read(files).diagnostics.len();
    (start.elapsed(), findings)
}

/// Prints the line of one file; the bytes that were held at most.
fn time(name: &str, text: &str, readings: usize) -> usize {
    let mut times: Vec<Duration> = Vec::with_capacity(readings);
    let mut findings = 0;
    for _ in 0..readings {
        let (took, found) = reading_of(text);
        findings = found;
        times.push(took);
    }
    times.sort_unstable();
    let least = times.first().copied().unwrap_or_default();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    MEMORY.reset_peak_memory();
    check(text);
    let held = MEMORY.get_peak_memory();
    let (least, middle, memory) = (shown(least), shown(middle), format!("{:.1} MB", held as f64 / 1e6));
    println!("{name:<16} {:>9} {findings:>9} {least:>11} {middle:>11} {memory:>11}", text.len());
    held
}

/// What `rollbook check` does with rules, but for carrying their checks out.
fn check(text: &str) {
    let reading = read(vec![SourceFile::new("System.md", text)]);
    let found = reading.diagnostics.clone();
    let shown = render::human(&found, &reading.sources, false) + &understood(&reading);
    assert!(!shown.is_empty(), "something is told of every file");
}

fn shown(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

/// Rules as large as a whole book: every limit on items is reached, and most of it is prose, tables and bullets that are
/// looked at and left alone.
fn rules(bytes: usize) -> String {
    let mut text = String::from("# A Book of Rules\n\n## Attributes\n\n- Might (MIG): strength\n- Range: 3 to 20\n\n");
    for number in 0.. {
        if text.len() >= bytes {
            break;
        }
        let skill = format!("## Skills\n\n- Craft {number} (MIG, base {})\n\n", number % 40);
        let check = format!(
            "## Checks\n\n### Trial {number}\nWhen it is in doubt, and somebody cares.\n\n- Roll: `2d6 + {{modifier}}`\n\
             - Target: `{{difficulty}}`\n\n| Outcome | When | What it means |\n|---|---|---|\n\
             | Done (success) | margin 0+ | It is *done*, and it looks easy. |\n| Not done (failure) | otherwise | |\n\n"
        );
        let condition = format!("## Conditions\n\n- State {number}: -1 on MIG, until removed\n\n");
        text.extend([skill, check, condition]);
        text.push_str(
            "## Prose\n\nThe rest of the page is for whoever reads it: the weather, the roads, the dead.\n\n",
        );
    }
    text
}

const HEAD: &str = "# A Book of Rules\n\n## Checks\n### Try\n- Roll: `1d20 + {modifier}`\n";

/// A head and one shape of line over and over.
fn lines(bytes: usize, head: &str, line: &dyn Fn(usize) -> String) -> String {
    let mut text = head.to_owned();
    (0..)
        .take_while(|number| {
            text.push_str(&line(*number));
            text.len() < bytes
        })
        .for_each(drop);
    text
}

fn prose(bytes: usize) -> String {
    let sentence = "The road went on over the hills, and nobody knew where it would end. ";
    lines(bytes, HEAD, &|number| format!("## Chapter {number}\n\n{}\n\n", sentence.repeat(12)))
}

/// So many bytes of each kind of Markdown that costs most: rules, prose, and one shape over and over.
fn kinds(bytes: usize) -> Vec<(&'static str, String)> {
    let many = |head: &str, line: &dyn Fn(usize) -> String| lines(bytes, head, line);
    let table = format!("{HEAD}\n| Outcome | When | What |\n|---|---|---|\n");
    vec![
        ("rules", rules(bytes)),
        ("prose", prose(bytes)),
        (
            "bullets",
            many(&format!("{HEAD}\n## Skills\n"), &|number| format!("- Craft {number} (DEX): of *some* use `1d6`\n")),
        ),
        ("links", many(HEAD, &|number| format!("- See [the map {number}](System.md#map).\n\n"))),
        ("a table", many(&table, &|number| format!("| Success | total {number}+ | fine |\n"))),
        ("checks", many("## Checks\n", &|number| format!("### Try {number}\n- Roll: `1d20`\n"))),
        ("headings", many("", &|_| "## A\n".to_owned())),
        ("letters", many("# T\n\n## Skills\n", &|_| "- a\n".to_owned())),
        ("nothing", many("", &|_| "\n".to_owned())),
        ("marks", many(HEAD, &|_| "*a _b [c ".to_owned())),
        ("long lines", many(HEAD, &|_| format!("{}\n\n", "*a* `b` ".repeat(200)))),
        ("mistakes", many(HEAD, &|number| format!("- On {number}: critical\n"))),
    ]
}
