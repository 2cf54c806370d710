//! `rollbook new`: a beginning that checks, that plays, and that writes over nothing.

use crate::author::bench::Bench;

/// Twelve families, and a beginning without one.
const TEMPLATES: [&str; 13] = [
    "d20",
    "pbta",
    "fate",
    "percentile",
    "pool",
    "osr",
    "hits",
    "push",
    "under",
    "effect",
    "step",
    "challenge",
    "blank",
];

#[test]
fn all_templates_are_looked_at() {
    let help = Bench::empty().run(&["new", "--help"]).ends(0).out.clone();
    let named = help.lines().filter(|line| line.trim_start().starts_with("- ")).count();
    assert_eq!(named, TEMPLATES.len(), "{help}");
}

#[test]
fn every_template_is_sound_and_its_examples_hold() {
    for template in TEMPLATES {
        let bench = Bench::empty();
        bench.run(&["new", "harbour-nights", "--template", template]).ends(0);
        assert!(bench.read("harbour-nights/System.md").starts_with("# Harbour nights\n"));
        let check = bench.run(&["check", "harbour-nights", "--format", "plain"]);
        assert_eq!(check.ends(0).out, "", "{template} has nothing to remark");
        let test = bench.run(&["test", "harbour-nights"]);
        let holding = test.ends(0).out.lines().find_map(|line| line.strip_suffix(" playtests hold.")?.parse().ok());
        assert!(holding >= Some(5), "{template}: {}", test.out);
        assert!(bench.read("harbour-nights/Why.md").starts_with("# Why these rules are written so\n"), "{template}");
    }
}

#[test]
fn nothing_is_written_over() {
    let bench =
        Bench::empty().with("a/System.md", "mine").with("b/tests/checks.md", "mine").with("c/System/a.md", "mine");
    for folder in ["a", "b", "c"] {
        let said = bench.run(&["new", folder]);
        assert!(said.ends(2).err.contains("already"), "{}", said.err);
    }
    assert_eq!((bench.read("a/System.md"), bench.read("b/tests/checks.md")), ("mine".into(), "mine".into()));
    assert!(
        !bench.path("a/tests").exists() && !bench.path("b/System.md").exists() && !bench.path("c/System.md").exists()
    );
}

#[test]
fn a_folder_with_other_things_in_it_will_do() {
    let bench = Bench::empty().with("Scenes.md", "a scene");
    bench.run(&["new", ".", "--template", "blank"]).ends(0);
    assert_eq!(bench.read("Scenes.md"), "a scene");
    bench.run(&["test"]).ends(0);
}
