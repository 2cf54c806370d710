//! Markdown as people's editors leave it.

use super::{sound, system_md};
use crate::diagnostic::SourceFile;
use crate::rules::{SectionKind, read};

const TEXT: &str = "# Keep\n\n## Dice\n\nRoll 1d20 + modifiers.\n\n## Attributes\n\n- Strength (STR): lifting\n- Dexterity (DEX)\n- Range: 3 to 20\n\n## Skills\n\n- Athletics (STR)\n";

#[test]
fn line_ends_marks_and_tabs_change_nothing() {
    let expected = sound(TEXT).system;
    for text in [
        TEXT.replace('\n', "\r\n"),
        TEXT.replace('\n', "\r"),
        format!("\u{feff}{TEXT}"),
        TEXT.replace("- ", "-\t"),
        TEXT.replace("- ", "* "),
        TEXT.replace("Strength", "**Strength**"),
        TEXT.replace("Range: 3", "**Range:** 3"),
        TEXT.replace("- Range", "\n- Range"),
    ] {
        let system = sound(&text).system;
        assert_eq!(system.attributes.len(), 2, "{text:?}");
        assert_eq!(system.attributes[0].range, Some((3, 20)), "{text:?}");
        assert_eq!(system.attributes[0].about, "lifting");
        assert_eq!(system.skills[0].attribute.as_deref(), Some("Strength"), "{text:?}");
        assert_eq!(system.skills[0].name, expected.skills[0].name);
        assert_eq!(system.checks[0].place.line, 5, "{text:?}");
    }
}

#[test]
fn settings_at_the_head_are_skipped_and_lines_still_count() {
    let system = sound(&format!("---\ntitle: x\n---\n{TEXT}")).system;
    assert_eq!(system.title.as_deref(), Some("Keep"));
    assert_eq!(system.attributes[0].place.to_string(), "System.md:12");
}

#[test]
fn html_quotations_and_code_are_not_rules() {
    let system = sound(
        "## Dice\nRoll 1d20 + modifiers.\n\n<!--\n- Advantage: `3d20kh1`\n-->\n\n> - Advantage: `3d20kh1`\n\n```\n- Advantage: `3d20kh1`\n```\n\n<div>\n- Advantage: `3d20kh1`\n</div>\n",
    )
    .system;
    assert!(system.advantage.is_some_and(|swap| swap.assumed));
}

#[test]
fn numbered_lists_are_prose() {
    let reading = sound("## Dice\nRoll 1d20 + modifiers.\n## Skills\n1. Stealth\n2. Lore: old things\n");
    assert!(reading.system.skills.is_empty());
}

#[test]
fn bullets_may_go_on_and_nest() {
    let system = sound(
        "## Dice\nRoll 1d20 + modifiers.\n## Skills\n- Stealth: not being seen,\n  not being heard\n\n  A second paragraph: prose.\n\n  - Hiding\n- Lore\n",
    )
    .system;
    let names: Vec<&str> = system.skills.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(names, ["Stealth", "Hiding", "Lore"]);
    assert_eq!(system.skills[0].about, "not being seen, not being heard");
}

#[test]
fn entities_and_escapes_are_read_as_meant() {
    let reading = sound(
        "## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Blood&#45;Bone (B\\-B)\n- [Wit](https://example.org)\n",
    );
    assert_eq!(reading.system.attributes[0].name, "Blood-Bone");
    assert_eq!(reading.system.attributes[0].abbr.as_deref(), Some("B-B"));
    assert_eq!(reading.system.attributes[1].name, "Wit");
}

#[test]
fn headings_fold_case() {
    let system = sound("Dice\n----\nRoll 1d20 + modifiers.\n\n## COMBAT\n- Initiative: `1d20`\n## Próse\n").system;
    let kinds: Vec<_> = system.sections.iter().map(|own| own.kind).collect();
    assert_eq!(kinds, [Some(SectionKind::Dice), Some(SectionKind::Combat), None]);
}

#[test]
fn a_section_on_the_wrong_level_is_pointed_out() {
    let reading = system_md("# Game\nd20\n## Heroes\n### Skills\n- Stealth\n");
    assert_eq!(super::codes(&reading), ["document/heading-level"]);
    assert!(reading.system.skills.is_empty());
}

#[test]
fn files_are_read_one_after_the_other() {
    let reading = read(vec![
        SourceFile::new("System/10-dice.md", "## Dice\r\nRoll 1d20 + modifiers.\r\n## Attributes\r\n- Might (MIG)"),
        SourceFile::new("System/20-skills.md", "no heading here\n\n## Skills\n- Athletics (MIG)\n"),
        SourceFile::new("System/30-more.md", "## Skills\n- Lore\n"),
    ]);
    assert_eq!(super::findings(&reading), Vec::<String>::new());
    let places: Vec<String> = reading.system.skills.iter().map(|own| own.place.to_string()).collect();
    assert_eq!(places, ["System/20-skills.md:4", "System/30-more.md:2"]);
    let unknown = reading.system.skill("Loer").expect_err("unknown");
    assert_eq!(unknown.place.as_deref(), Some("System/20-skills.md:4, System/30-more.md:2"));
}

#[test]
fn no_file_is_a_narrative_adventure() {
    let reading = read(Vec::new());
    assert!(reading.is_narrative() && reading.diagnostics.is_empty());
    assert_eq!(reading.system.dice.list(), "d4, d6, d8, d10, d12, d20, d100, dF");
    assert!(!sound("## Dice\nRoll 1d20 + modifiers.").is_narrative());
}
