//! `docs/odds.md`: each command of the page answers what is below it, and each field of its JSON is
//! named there.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::author::bench::Bench;

const PAGE: &str = include_str!("../../../docs/odds.md");

/// The text of each block of this kind.
fn blocks(kind: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = PAGE.lines();
    while let Some(line) = lines.next() {
        if line.strip_prefix("```") == Some(kind) {
            let block = lines.by_ref().take_while(|line| *line != "```");
            found.push(block.map(|line| format!("{line}\n")).collect());
        }
    }
    found
}

/// The words of a command, those in quotes as one.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let word = |(nth, part): (usize, &str)| match nth % 2 {
        0 => part
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>(),
        _ => vec![part.to_owned()],
    };
    parts.flat_map(word).collect()
}

/// The names of all fields.
fn fields(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => object.iter().for_each(|(name, value)| {
            found.insert(name.clone());
            fields(value, found);
        }),
        Value::Array(list) => list.iter().for_each(|value| fields(value, found)),
        _ => {}
    }
}

fn bench() -> Bench {
    let rules = blocks("system");
    let [rules] = rules.as_slice() else {
        panic!("one System.md")
    };
    let bench = Bench::of(rules).with("Harder.md", &rules.replace("- Count: 5+", "- Count: 6"));
    bench.run(&["check"]).ends(0).says("Nothing to remark.");
    bench
}

#[test]
fn every_command_answers_what_the_page_says() {
    let bench = bench();
    let commands = blocks("console");
    assert!(commands.len() > 7, "{}", commands.len());
    for block in commands {
        let (command, answer) = block.split_once('\n').expect("a command");
        let words = words(
            command
                .strip_prefix("$ rollbook ")
                .expect("a command of ours"),
        );
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = bench.run(&words);
        assert_eq!(
            output.ends(0).out.trim_end(),
            answer.trim_end(),
            "{command}"
        );
        assert!(
            answer.lines().all(|line| line.chars().count() <= 80),
            "{answer}"
        );
        let json: Value =
            serde_json::from_str(&bench.run(&[&words[..], &["--json"]].concat()).ends(0).out)
                .expect("JSON");
        let mut named = BTreeSet::new();
        fields(&json, &mut named);
        for name in named {
            assert!(
                PAGE.contains(&format!("`{name}`")) || PAGE.contains(&format!("\"{name}\"")),
                "{name} of {command}"
            );
        }
    }
}
