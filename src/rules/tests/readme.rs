//! The README teaches an author; what it teaches must be so.

use crate::diagnostic::{Severity, SourceFile, render};
use crate::rules::read;

#[test]
fn the_game_in_the_readme_is_understood_whole() {
    let readme = include_str!("../../../README.md");
    let (_, behind) = readme.split_once("```markdown\n").expect("a game in Markdown");
    let (game, _) = behind.split_once("```").expect("its end");
    let reading = read(vec![SourceFile::new("System.md", game)]);
    let told = render::plain(&reading.diagnostics, &reading.sources);
    assert!(reading.diagnostics.iter().all(|one| one.severity < Severity::Warning), "{told}");
    let system = &reading.system;
    assert_eq!(system.checks.len(), 1, "a default check from the dice");
    assert_eq!(system.skill("climbing").expect("declared").attribute.as_deref(), Some("Hands"));
    assert_eq!(system.tracks.len(), 1);
    assert_eq!(system.triggers.len(), 1);
}
