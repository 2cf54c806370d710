//! The adventures of this repository hold what their playtests say.

use std::path::Path;

use crate::author::bench::Bench;

#[test]
fn the_playtests_of_every_adventure_hold() {
    let adventures = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures"));
    let mut seen = 0;
    for folder in std::fs::read_dir(adventures).expect("adventures").map(|entry| entry.expect("a folder").path()) {
        let said = Bench::empty().run(&["test", folder.to_str().expect("a path")]);
        said.ends(0);
        assert!(!said.out.starts_with("No playtests"), "{} has no playtests", folder.display());
        seen += 1;
    }
    assert!(seen > 0);
}

/// The blocks of a document: rules marked `system`, each with the `playtest` blocks behind it.
fn documented(document: &str) -> Vec<(String, String)> {
    let mut games: Vec<(String, String)> = Vec::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        let kind = line.strip_prefix("```").map(|info| info.split_whitespace().next().unwrap_or_default());
        let mut block =
            || lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect::<String>();
        match kind {
            Some("system") => games.push((block(), String::new())),
            Some("playtest") => {
                let tests = &mut games.last_mut().expect("rules before their examples").1;
                tests.push_str(&format!("{line}\n{}```\n\n", block()));
            }
            // Another block, so that what stands inside it is not taken for one.
            Some(_) => drop(block()),
            None => {}
        }
    }
    games
}

/// Every game of a document is read with nothing to remark, and its examples hold; how many examples there are.
fn hold(document: &str) -> usize {
    let mut examples = 0;
    for (rules, tests) in documented(document) {
        let bench = Bench::of(&rules).with("tests/a.md", &tests);
        let check = bench.run(&["check"]);
        assert!(check.code == Some(0) && check.out.contains("\nNothing to remark.\n"), "{rules}\n{}", check.out);
        let count = tests.matches("```playtest").count();
        let test = bench.run(&["test"]);
        assert_eq!(test.code, Some(0), "{rules}\n{tests}\n{}{}", test.out, test.err);
        assert_eq!(test.out.lines().filter(|line| line.starts_with("ok ")).count(), count, "{}", test.out);
        examples += count;
    }
    examples
}

#[test]
fn the_rules_and_the_examples_for_authors_hold() {
    assert_eq!(hold(include_str!("../../../docs/authors.md")), 1);
}

#[test]
fn the_rules_and_the_examples_in_the_reference_hold() {
    let said = Bench::empty().run(&["explain", "language"]);
    assert_eq!(said.ends(0).out, include_str!("../../../crates/rules/src/grammar/language.md"), "a pipe gets Markdown");
    let examples = hold(&said.out);
    assert!(examples > 4, "{examples}");
}
