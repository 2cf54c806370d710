//! What it costs to read rules: each adventure of this repository, and a megabyte of Markdown.
//!
//! `cargo bench --bench rules` prints a table: bytes, findings, the least and the middle of the
//! times that one reading took, findings and lints included. A file is read again at every save, so
//! what counts is that an author never waits.
//!
//! Of the large ones it prints the most memory, too, as Linux reckons it for a process that reads
//! nothing else. Five megabytes of any kind take less than a hundred: it fails when one takes more.
//! `cargo test --benches` tries one megabyte of each. It fails also when a byte of rules costs far
//! more than a byte of prose: then something looks at every name for every line.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rollbook_rules::{read, reading_summary};
use rollbook_text::diagnostic::{SourceFile, render};

const READINGS: usize = 30;
const MEGABYTE: usize = 1_000_000;
/// How many times a byte of prose a byte of rules may cost; it is about 14, and hundreds where a
/// line looks at every other.
const BESIDE_PROSE_MAX: f64 = 30.0;
/// What reading may hold at once, of five megabytes of rules and of one.
const HELD_MAX: usize = 100 * MEGABYTE;
const HELD_MAX_OF_ONE: usize = 200 * MEGABYTE;

/// Asks this program how much memory it takes to read so many megabytes of a kind:
/// `--held prose 5`.
const HELD: &str = "--held";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, held, kind, megabytes] = arguments.as_slice()
        && held == HELD
    {
        return print_held(kind, megabytes.parse()?);
    }
    // `cargo test --benches` asks whether it runs at all.
    let quick = std::env::args().any(|argument| argument == "--test");
    let readings = if quick { 1 } else { READINGS };
    println!(
        "{:<16} {:>9} {:>9} {:>11} {:>11} {:>11}",
        "rules", "bytes", "findings", "least", "middle", "memory"
    );
    for file in shipped()? {
        let name = file
            .parent()
            .and_then(Path::file_name)
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        println!(
            "{}",
            time(&name, &std::fs::read_to_string(&file)?, readings)
        );
    }
    println!("{}", time("a megabyte", &rules(MEGABYTE), readings.min(10)));
    beside_prose()?;
    // In the profile of the tests five megabytes of each take a minute.
    let (megabytes, most) = if quick {
        (1, HELD_MAX_OF_ONE)
    } else {
        (5, HELD_MAX)
    };
    for (kind, text) in kinds() {
        let name = format!("{megabytes} MB of {kind}");
        let line = time(&name, &text(megabytes * MEGABYTE), 1);
        let Some(held) = held_by(kind, megabytes)? else {
            println!("{line}");
            continue;
        };
        println!("{line} {:>8.1} MB", held as f64 / 1e6);
        if held > most {
            return Err(format!(
                "{name}: reading held {held} bytes at once, and at most {most} are allowed"
            )
            .into());
        }
    }
    Ok(())
}

/// The most bytes that a process of its own holds for reading so many megabytes; none where the
/// system does not say.
fn held_by(kind: &str, megabytes: usize) -> Result<Option<usize>, Box<dyn Error>> {
    if !cfg!(target_os = "linux") {
        return Ok(None);
    }
    let mut asked = Command::new(std::env::current_exe()?);
    let out = asked
        .args([HELD, kind, &megabytes.to_string()])
        .stderr(Stdio::inherit())
        .output()?;
    Ok(Some(String::from_utf8(out.stdout)?.trim().parse()?))
}

/// Prints by how many bytes reading raises the most memory that this process has held.
fn print_held(kind: &str, megabytes: usize) -> Result<(), Box<dyn Error>> {
    let (_, text) = kinds()
        .into_iter()
        .find(|(own, _)| *own == kind)
        .ok_or("no such kind")?;
    let text = text(megabytes * MEGABYTE);
    let before = memory("VmRSS:")?;
    check(&text);
    println!("{}", memory("VmHWM:")?.saturating_sub(before));
    Ok(())
}

/// A line of what Linux says of this process, in bytes.
///
/// Source: proc_pid_status(5).
fn memory(line: &str) -> Result<usize, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let found = status
        .lines()
        .find_map(|own| own.strip_prefix(line))
        .ok_or("not said")?;
    let kilobytes: usize = found.trim().trim_end_matches(" kB").parse()?;
    Ok(kilobytes * 1024)
}

/// Every `System.md` of this repository, by name.
fn shipped() -> Result<Vec<PathBuf>, std::io::Error> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures"));
    let folders = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut files: Vec<PathBuf> = folders
        .iter()
        .map(|entry| entry.path().join("System.md"))
        .filter(|file| file.is_file())
        .collect();
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
    println!(
        "{:<16} {times:>42.1} times a byte of prose",
        "a byte of rules"
    );
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

/// The line of one file.
fn time(name: &str, text: &str, readings: usize) -> String {
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
    let (least, middle) = (shown(least), shown(middle));
    format!(
        "{name:<16} {:>9} {findings:>9} {least:>11} {middle:>11}",
        text.len()
    )
}

/// What `rollbook check` does with rules, but for carrying their checks out.
fn check(text: &str) {
    let reading = read(vec![SourceFile::new("System.md", text)]);
    let found = reading.diagnostics.clone();
    let shown = render::human(&found, &reading.sources, false) + &reading_summary(&reading);
    assert!(!shown.is_empty(), "something is told of every file");
}

fn shown(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

/// Rules as large as a whole book: every limit on items is reached, and most of it is prose, tables
/// and bullets that are looked at and left alone.
fn rules(bytes: usize) -> String {
    let mut text = String::from(
        "# A Book of Rules\n\n## Attributes\n\n- Might (MIG): strength\n- Range: 3 to 20\n\n",
    );
    for number in 0.. {
        if text.len() >= bytes {
            break;
        }
        let skill = format!(
            "## Skills\n\n- Craft {number} (MIG, base {})\n\n",
            number % 40
        );
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
    lines(bytes, HEAD, &|number| {
        format!("## Chapter {number}\n\n{}\n\n", sentence.repeat(12))
    })
}

/// So many bytes of one kind.
type Bytes = Box<dyn Fn(usize) -> String>;

/// Each kind of Markdown that costs most: rules, prose, and one shape over and over.
fn kinds() -> Vec<(&'static str, Bytes)> {
    fn many(head: impl Into<String>, line: impl Fn(usize) -> String + 'static) -> Bytes {
        let head = head.into();
        Box::new(move |bytes| lines(bytes, &head, &line))
    }
    let skills = format!("{HEAD}\n## Skills\n");
    let table = format!("{HEAD}\n| Outcome | When | What |\n|---|---|---|\n");
    vec![
        ("rules", Box::new(rules)),
        ("prose", Box::new(prose)),
        (
            "bullets",
            many(skills, |number| {
                format!("- Craft {number} (DEX): of *some* use `1d6`\n")
            }),
        ),
        (
            "links",
            many(HEAD, |number| {
                format!("- See [the map {number}](System.md#map).\n\n")
            }),
        ),
        (
            "a table",
            many(table, |number| {
                format!("| Success | total {number}+ | fine |\n")
            }),
        ),
        (
            "checks",
            many("## Checks\n", |number| {
                format!("### Try {number}\n- Roll: `1d20`\n")
            }),
        ),
        ("headings", many("", |_| "## A\n".to_owned())),
        (
            "letters",
            many("# T\n\n## Skills\n", |_| "- a\n".to_owned()),
        ),
        ("nothing", many("", |_| "\n".to_owned())),
        ("marks", many(HEAD, |_| "*a _b [c ".to_owned())),
        (
            "long lines",
            many(HEAD, |_| format!("{}\n\n", "*a* `b` ".repeat(200))),
        ),
        (
            "mistakes",
            many(HEAD, |number| format!("- On {number}: critical\n")),
        ),
    ]
}
