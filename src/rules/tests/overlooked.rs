//! Rules that look like rules and are not read: told, each with what to write; and words that only look alike: left alone.

use super::{codes, findings, system_md};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{proofs, understood};

/// A sound game around what is looked at.
pub const GAME: &str = "\
## Attributes
- Strength (STR): 3 to 18
- Dexterity (DEX): 3 to 18

## Skills
- Climb (STR)

## Checks
### Try
- Roll: `1d20 + {modifier}`
- Target: `{difficulty}`
";

/// What is told of these lines, which stand behind the game: each code with the words that it is about.
pub fn told(lines: &str) -> Vec<(&'static str, String)> {
    let text = format!("{GAME}{lines}");
    let reading = system_md(&text);
    let at = |found: &Diagnostic| found.span().map_or(String::new(), |span| text[span.start..span.end].to_owned());
    reading.diagnostics.iter().map(|found| (found.code, at(found))).collect()
}

#[test]
fn a_heading_is_mended_where_nothing_else_can_be_meant() {
    for (heading, below, sure) in [
        ("Skils", "- Stealth", Some(true)),
        ("Cobmat", "- Initiative: `1d20`", Some(true)),
        ("Healt", "- Stress: 9 boxes", Some(true)),
        ("Condition", "- Loud: -2 on checks", Some(true)),
        // Another word, with what that section has below it: the author is asked.
        ("Wealth", "- Stress: max 9", Some(false)),
        ("Condition", "- Fine: all is well", Some(false)),
        ("Spells", "- Fireball (INT)", None),
    ] {
        let reading = system_md(&format!("## Dice\nRoll 1d20 + modifiers.\n\n## {heading}\n{below}\n"));
        let found = reading.diagnostics.iter().find(|found| found.code == "document/misspelt-heading");
        assert_eq!(found.map(|found| found.sure_fix().is_some()), sure, "{heading}: {:?}", findings(&reading));
    }
}

#[test]
fn a_label_is_mended_where_nothing_else_can_be_meant() {
    for (label, sure) in [
        ("Targt: `12`", true),
        ("Counts: 5+", true),
        // Another word, or no label at all: the author is asked.
        ("Roles: who may try", false),
        ("Success: 10+", false),
        ("Modifier: `2`", false),
    ] {
        let reading = system_md(&format!("## Checks\n### Try\n- Roll: `1d20`\n- {label}\n"));
        assert_eq!(codes(&reading), ["document/not-a-rule"], "{label}");
        assert_eq!(reading.diagnostics[0].sure_fix().is_some(), sure, "{label}: {:?}", findings(&reading));
    }
    let reading = system_md("## Checks\n### Try\n- Roll: `1d20`\n- On natural: +1 step\n");
    assert_eq!(codes(&reading), ["document/not-understood"], "which face, only the author knows");
}

#[test]
fn one_mistake_does_not_hide_the_others() {
    let reading = system_md(
        "## Atributes\n- Strength (STR)\n- Rnage: 3-18\n\n## Cheks\n### Try\n- Rol: `1d20`\n- Targt: 8\n\n| Outcome | When |\n|---|---|\n| Succes | margin 0+ |\n| Failure | totl 3 |\n",
    );
    let found = codes(&reading);
    for (code, many) in [("document/not-a-rule", 2), ("document/not-understood", 2)] {
        assert_eq!(found.iter().filter(|own| **own == code).count(), many, "{code}: {found:?}");
    }
    assert_eq!(found.iter().filter(|code| **code == "document/misspelt-heading").count(), 2);
    assert!(reading.system.attributes.is_empty() && reading.system.checks.is_empty(), "nothing is corrected silently");
}

#[test]
fn a_deeper_heading_with_a_roll_is_no_check_of_its_own() {
    let reading = system_md("## Checks\n### Try\n- Roll: `1d20`\n\n#### Attack\n- Roll: `1d20 + 2`\n- Target: 12\n");
    assert_eq!((codes(&reading), reading.system.checks.len()), (vec!["document/not-understood"], 0));
    let reading = system_md("## Checks\n###\n- Roll: `1d20`\n");
    assert_eq!((codes(&reading), reading.system.checks.len()), (vec!["checks/no-name"], 0));
}

#[test]
fn dice_without_a_check_are_told() {
    let reading = system_md("# Tales\nWe throw 2d6 when it matters.\n");
    assert_eq!(codes(&reading), ["checks/none"]);
    assert_eq!(reading.diagnostics[0].severity, Severity::Note);
}

#[test]
fn a_check_that_nobody_can_roll_is_told() {
    for rules in [
        "- Roll: `{1000d6!,1000d8!!,50d20}kh2 + {modifier}`\n- Target: 10\n",
        "- Roll: `1d20`\n- Asks: a 0 to 20\n- Target: `({a} + 1) * 1000000000 * 1000000000 * 1000000000`\n",
    ] {
        let reading = system_md(&format!("## Checks\n### Try\n{rules}"));
        let found: Vec<&str> = proofs(&reading).iter().map(|found| found.code).collect();
        assert_eq!(found, ["checks/cannot-be-rolled"], "{rules}");
    }
    // Dice may be passed for a name.
    let reading =
        system_md("## Checks\n### Try\n- Roll: `{{one}, {other}}kh2`\n- Asks: one dice, other dice\n- Target: 4\n");
    assert!(proofs(&reading).iter().all(|found| found.code != "checks/cannot-be-rolled"));
}

#[test]
fn the_prose_of_the_shipped_adventures_is_no_rule() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("adventures");
    let mut files = 0;
    for adventure in std::fs::read_dir(folder).expect("adventures").flatten() {
        for file in std::fs::read_dir(adventure.path()).expect("files").flatten() {
            let name = file.file_name().into_string().expect("a name");
            if !name.ends_with(".md") || name == "System.md" {
                continue;
            }
            files += 1;
            let prose = std::fs::read_to_string(file.path()).expect("text");
            let found: Vec<_> = told(&format!("\n{prose}"))
                .into_iter()
                .filter(|(code, _)| ["document/not-a-rule", "document/not-understood"].contains(code))
                .collect();
            assert_eq!(found, [], "{}", file.path().display());
        }
    }
    assert!(files > 20, "{files} files");
}
