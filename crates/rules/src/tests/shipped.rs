//! The rules that come with the program have no findings, and a snapshot shows the summary of one.

use std::path::Path;

use super::{codes, errors, findings, sound, system_md};
use crate::builtin::bases;
use crate::{model, proofs, reading_summary};
use rollbook_text::diagnostic::render;

/// The repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Every rule file below these folders with its name.
pub fn files(folders: &[&str]) -> Vec<(String, String)> {
    let root = Path::new(ROOT);
    let mut files = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(root.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let path = if path.is_dir() {
                path.join("System.md")
            } else {
                path
            };
            if path.extension().is_some_and(|extension| extension == "md") && path.is_file() {
                files.push((
                    path.display().to_string(),
                    std::fs::read_to_string(&path).expect("text"),
                ));
            }
        }
    }
    files
}

#[test]
fn sound_rules_have_no_findings() {
    let files = files(&[
        "adventures",
        "crates/rules/src/builtin",
        "crates/rules/src/tests/systems",
    ]);
    assert!(files.len() >= 24, "{files:?}");
    for (name, text) in files {
        let reading = system_md(&text);
        assert_eq!(
            (errors(&reading), findings(&reading)),
            (0, Vec::new()),
            "{name}"
        );
        assert_eq!(
            render::plain(&proofs(&reading), &reading.sources),
            "",
            "{name}"
        );
        assert!(
            !name.contains("tests/systems") || text.lines().count() <= 40,
            "{name}"
        );
    }
}

#[test]
fn every_base_in_the_program_stands_alone() {
    for (name, _) in bases() {
        let read = sound(&format!("# Mine\n\n- Base: builtin:{name}\n"));
        assert!(!read.system.checks.is_empty(), "{name}");
    }
}

#[test]
fn the_summary_lists_every_rule_with_its_line() {
    let text = include_str!("../../../../adventures/lockhouse/System.md");
    insta::assert_snapshot!(reading_summary(&sound(text)));
}

/// A line for each form that a rule may have.
#[test]
fn every_form_of_each_rule_is_understood() {
    let reading = system_md(include_str!("forms/System.md"));
    assert_eq!(errors(&reading), 0, "{:#?}", findings(&reading));
    insta::assert_snapshot!("forms", reading_summary(&reading));
    insta::assert_snapshot!("forms_model", format!("{:#}", model(&reading)));
}

#[test]
fn the_prose_of_the_shipped_adventures_is_no_rule() {
    let game = "## Skills\n- Climb\n\n## Checks\n### Try\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`\n";
    let mut files = 0;
    let root = Path::new(ROOT).join("adventures");
    for folder in std::fs::read_dir(root).expect("adventures").flatten() {
        for file in std::fs::read_dir(folder.path()).expect("files").flatten() {
            let name = file.file_name().into_string().expect("a name");
            if name.ends_with(".md") && name != "System.md" {
                files += 1;
                let prose = std::fs::read_to_string(file.path()).expect("text");
                let found = codes(&system_md(&format!("{game}\n{prose}")));
                let is_rule =
                    |code: &&str| ["document/not-a-rule", "document/not-understood"].contains(code);
                assert!(!found.iter().any(is_rule), "{}", file.path().display());
            }
        }
    }
    assert!(files > 20, "{files} files");
}
