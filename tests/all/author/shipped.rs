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

#[test]
fn the_game_and_the_example_in_the_readme_hold() {
    let readme = include_str!("../../../README.md");
    let between = |from: &str, to: &str| {
        let (_, behind) = readme.split_once(from).expect("its beginning");
        behind.split_once(to).expect("its end").0.to_owned()
    };
    let bench = Bench::of(&between("```markdown\n", "```")).with("tests/a.md", &between("````markdown\n", "````"));
    bench.run(&["test"]).ends(0).says("ok    Up the mast");
}
