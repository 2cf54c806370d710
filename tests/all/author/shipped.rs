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

#[test]
fn the_rules_and_the_examples_in_the_readme_hold() {
    let games = documented(include_str!("../../../README.md"));
    assert_eq!(games.len(), 1);
    for (rules, tests) in games {
        let bench = Bench::of(&rules).with("tests/a.md", &tests);
        bench.run(&["check"]).ends(0).says("Nothing to remark");
        bench.run(&["test"]).ends(0).says("ok    Rain on the wedding");
    }
}
