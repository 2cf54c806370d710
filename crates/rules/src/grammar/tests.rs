//! Whole files in the closed language.

use super::file::{File, read_sections, section};
use super::names::{Names, Thing};
use super::table;
use crate::document::{Section, build};
use crate::limits::Limits;
use crate::section::SectionKind;
use crate::tests::shipped::files;
use rollbook_text::diagnostic::{SourceFile, Sources};

/// A file for each of the hardest kinds of games: its name and its rules.
fn examples() -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/grammar/examples");
    let files = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    let mut all: Vec<_> = files
        .map(|path| {
            (
                path.display().to_string(),
                inner(&std::fs::read_to_string(&path).expect("text")),
            )
        })
        .collect();
    all.sort();
    assert!(all.len() >= 27, "{} files", all.len());
    all
}

/// What is in the fenced block of an example.
fn inner(text: &str) -> String {
    let (_, rest) = text.split_once("```system\n").expect("a block");
    rest.split_once("\n```").expect("its end").0.to_owned() + "\n"
}

fn file(text: &str) -> File {
    let sources = Sources::new(vec![SourceFile::new("System.md", text)]);
    let document = build(&sources, 0, &Limits::DEFAULT);
    let kind = |part: &Section| section(part.heading.as_ref()?.as_str());
    let known = document
        .sections
        .iter()
        .filter_map(|section| Some((kind(section)?, section)));
    read_sections(
        &known
            .filter(|(kind, _)| *kind != SectionKind::Examples)
            .collect::<Vec<_>>(),
    )
}

/// Each finding with its line.
fn findings(text: &str, file: &File) -> Vec<String> {
    let line = |at: usize| text.get(..at).unwrap_or_default().matches('\n').count();
    let all = file.findings.iter().map(|finding| {
        let at = line(finding.span().map_or(0, |span| span.start));
        format!(
            "{}: {} | {}",
            at + 1,
            finding.message,
            text.lines().nth(at).unwrap_or_default()
        )
    });
    all.collect()
}

#[test]
fn each_example_is_read_whole() {
    let mut wrong = Vec::new();
    for (name, text) in examples() {
        let file = file(&text);
        wrong.extend(
            findings(&text, &file)
                .into_iter()
                .map(|finding| format!("{name}:{finding}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Words of no rule, of every kind that could be read as something else.
const FOREIGN: [&str; 30] = [
    "purple", "the", "a", "of", "with", "half", "twice", "not", "and", "or", "to", "max", "on",
    "checks", "2", "+1", "1d6", "never", "always", "if", "until", "for", "all", "each", "level",
    "die", "step", "success", "total", "x",
];

/// How many places of an example are tried; every one with `ROLLBOOK_CASES`.
const PLACES: usize = 40;

/// Whether a line is a bullet or a row of a table.
fn is_of_rules(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("- ") || (line.starts_with("| ") && !line.starts_with("|-"))
}

/// Where rules are shipped.
const SHIPPED: [&str; 4] = [
    "adventures",
    "crates/rules/src/builtin",
    "tests/all/systems",
    "crates/rules/src/tests/systems",
];

/// The shipped rules of which these sections are read whole.
fn shipped() -> Vec<(String, String)> {
    let mut found = files(&SHIPPED);
    found.retain(|(_, text)| file(text).findings.is_empty());
    assert!(found.len() >= 50, "{} files", found.len());
    found
}

/// A foreign word, a missing word, or two swapped: the rules change, or there is a finding.
#[test]
fn no_foreign_word_is_passed_over() {
    let seed: u64 = std::env::var("ROLLBOOK_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(1);
    let all = std::env::var_os("ROLLBOOK_CASES").is_some();
    let mut next = seed;
    let mut passed: Vec<String> = Vec::new();
    let mut tried = 0;
    for (name, text) in examples().into_iter().chain(shipped()) {
        let before = file(&text);
        assert!(
            before.findings.is_empty(),
            "{name}: {:?}",
            findings(&text, &before)
        );
        let lines: Vec<&str> = text.lines().collect();
        let frees = free(&lines, &before.names);
        let mut changed = |nth: usize, line: String, kind: &str| {
            let mut with = lines.clone();
            with[nth] = &line;
            let with = with.join("\n") + "\n";
            let after = file(&with);
            tried += 1;
            let is_found = after.findings.len() > before.findings.len();
            if !is_found && meaning(&after) == meaning(&before) {
                passed.push(format!("{name}: {kind}: {line}"));
            }
        };
        for (nth, line) in lines
            .iter()
            .enumerate()
            .filter(|(_, line)| is_of_rules(line))
        {
            let words: Vec<&str> = line.split(' ').collect();
            for at in 1..=words.len() {
                next = next
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                if !all && (next >> 33) as usize % (text.len() / PLACES).max(11) > 10 {
                    continue;
                }
                // A word between two others belongs to the column of either.
                let is_free = |at: usize| {
                    let of = |at: usize| {
                        frees[nth]
                            .get(at)
                            .copied()
                            .unwrap_or(frees[nth][words.len() - 1])
                    };
                    of(at) || of(at - 1) || in_emphasis(&words, at)
                };
                let foreign = FOREIGN[(next >> 40) as usize % FOREIGN.len()];
                if !is_free(at) {
                    let with = [&words[..at], &[foreign], &words[at..]].concat().join(" ");
                    changed(nth, with, "inserted");
                }
                if at < words.len() && !is_free(at) && !is_sign(words[at]) {
                    changed(
                        nth,
                        [&words[..at], &words[at + 1..]].concat().join(" "),
                        "left out",
                    );
                }
                if at + 1 < words.len()
                    && !is_free(at)
                    && !is_free(at + 1)
                    && words[at] != words[at + 1]
                {
                    let with = [&words[..at], &[words[at + 1], words[at]], &words[at + 2..]]
                        .concat()
                        .join(" ");
                    changed(nth, with, "swapped");
                }
            }
        }
    }
    let few: Vec<&String> = passed.iter().take(60).collect();
    assert!(
        passed.is_empty(),
        "{} of {tried} with seed {seed}: {few:#?}",
        passed.len()
    );
}

/// What the program does with a file: all but the places.
fn meaning(file: &File) -> String {
    let rules: Vec<String> = file
        .rules
        .iter()
        .map(|rule| format!("{:?} {:?} {:?}", rule.section, rule.below, rule.line))
        .collect();
    let tables: Vec<_> = file
        .tables
        .iter()
        .map(|table| (table.section, &table.table))
        .collect();
    let checks: Vec<_> = file
        .checks
        .iter()
        .map(|check| (&check.name, &check.rules, &check.tables))
        .collect();
    format!("{rules:?} {tables:?} {checks:?}")
}

fn is_sign(word: &str) -> bool {
    word.chars().all(|letter| !letter.is_alphanumeric())
}

/// Whether words for people are there.
fn in_emphasis(words: &[&str], at: usize) -> bool {
    words[..at].join(" ").replace("**", "").matches('*').count() % 2 == 1
}

/// Headers of columns that are read beside those of outcome tables, in lower case.
const READ: [&str; 9] = [
    "skill",
    "attribute",
    "type",
    "bonus",
    "score",
    "modifier",
    "level",
    "difficulty",
    "number",
];

/// Free words of each line: after the colon of attributes and skills, in unread columns and tables.
fn free(lines: &[&str], names: &Names) -> Vec<Vec<bool>> {
    let (mut kind, mut header): (Option<SectionKind>, Vec<String>) = (None, Vec::new());
    let mut all = Vec::new();
    for line in lines {
        kind = line.strip_prefix("## ").map_or(kind, section);
        let words: Vec<&str> = line.split(' ').collect();
        if !line.starts_with('|') {
            header.clear();
        } else if header.is_empty() {
            header = line
                .split('|')
                .map(|cell| cell.trim().to_lowercase())
                .collect();
        }
        let scores = matches!(kind, Some(SectionKind::Attributes | SectionKind::Skills));
        let declares = scores && !line.starts_with("- Range") && !line.starts_with("- Modifier");
        let first = header.get(1).map(String::as_str).unwrap_or_default();
        let is_ours = ["outcome", "weapon", "score", "difficulty"].contains(&first);
        let mut column = 0;
        let frees = words.iter().enumerate().map(|(nth, word)| {
            column += usize::from(*word == "|");
            let reads = |name: &str| {
                READ.contains(&name) || table::READ.contains(&name) || name == "weapon"
            };
            let is_read = |header: &String| reads(header) || names.has(header, &[Thing::Track]);
            let read = is_ours && header.get(column).is_some_and(is_read);
            let after_colon = declares && words[..nth].iter().any(|word| word.ends_with(':'));
            after_colon
                || (line.starts_with('|') && !read)
                || kind.is_none_or(|kind| kind == SectionKind::Examples)
        });
        all.push(frees.collect());
    }
    all
}
