//! Markdown as people's editors leave it.

use super::{sound, system_md};
use crate::{SectionKind, read};
use rollbook_text::diagnostic::SourceFile;

const TEXT: &str = "# Keep\n\n## Dice\n\nRoll 1d20 + modifiers.\n\n## Attributes\n\n- Strength (STR): lifting\n- Dexterity (DEX)\n- Range: 3 to 20\n\n## Skills\n\n- Athletics (STR)\n";

#[test]
fn line_ends_marks_tabs_and_settings_change_nothing() {
    for text in [
        TEXT.replace('\n', "\r\n"),
        TEXT.replace('\n', "\r"),
        format!("\u{feff}{TEXT}"),
        TEXT.replace("- ", "-\t"),
        TEXT.replace("- ", "* "),
        TEXT.replace("Strength", "**Strength**"),
        TEXT.replace("Range: 3", "**Range:** 3"),
        TEXT.replace("- Range", "\n- Range"),
        TEXT.replace("## Dice", "## DICE"),
        TEXT.replace("## Dice\n", "Dice\n----"),
    ] {
        let system = sound(&text).system;
        assert_eq!(
            (system.attributes.len(), system.attributes[0].range),
            (2, Some((3, 20))),
            "{text:?}"
        );
        assert_eq!(system.attributes[0].about, "lifting");
        assert_eq!(
            system.skills[0].attribute.as_deref(),
            Some("Strength"),
            "{text:?}"
        );
        assert_eq!(
            (system.skills[0].name.as_str(), system.checks[0].place.line),
            ("Athletics", 5),
            "{text:?}"
        );
    }
    let system = sound(&format!("---\ntitle: x\n---\n{TEXT}")).system;
    assert_eq!(system.title.as_deref(), Some("Keep"));
    assert_eq!(
        system.attributes[0].place.to_string(),
        "System.md:12",
        "lines still count"
    );
}

#[test]
fn html_quotations_code_and_numbered_lists_are_not_rules() {
    let dice = "## Dice\nRoll 1d20 + modifiers.\n\n";
    for aside in [
        "<!--\n- Advantage: `3d20kh1`\n-->\n",
        "> - Advantage: `3d20kh1`\n",
        "```\n- Advantage: `3d20kh1`\n```\n",
        "<div>\n- Advantage: `3d20kh1`\n</div>\n",
        "1. Advantage: `3d20kh1`\n",
    ] {
        let advantage = sound(&format!("{dice}{aside}")).system.advantage;
        assert_eq!(advantage, None, "{aside}");
    }
    assert!(
        sound(&format!(
            "{dice}## Skills\n1. Stealth\n2. Lore: old things\n"
        ))
        .system
        .skills
        .is_empty()
    );
    let clocks = "## Clocks\n\n| Clock | Segments |\n|---|---|\n| Flooding | 6 |\n";
    assert_eq!(sound(&format!("{dice}{clocks}")).system.company, None);
}

#[test]
fn bullets_may_go_on_and_nest() {
    let system = sound(
        "## Dice\nRoll 1d20 + modifiers.\n## Skills\n- Stealth: not being seen,\n  not being heard\n\n  A second paragraph: prose.\n\n  - Hiding\n- Lore\n",
    )
    .system;
    let names: Vec<&str> = system
        .skills
        .iter()
        .map(|skill| skill.name.as_str())
        .collect();
    assert_eq!(names, ["Stealth", "Hiding", "Lore"]);
    assert_eq!(system.skills[0].about, "not being seen, not being heard");
}

#[test]
fn entities_and_escapes_are_read_as_meant() {
    let names = "## Attributes\n- Blood&#45;Bone (B\\-B)\n- [Wit](https://example.org)\n";
    let attributes = sound(&format!("## Dice\nRoll 1d20 + modifiers.\n{names}"))
        .system
        .attributes;
    assert_eq!(
        (attributes[0].name.as_str(), attributes[0].abbr.as_deref()),
        ("Blood-Bone", Some("B-B"))
    );
    assert_eq!(attributes[1].name, "Wit");
}

#[test]
fn headings_have_other_names_and_levels() {
    let rules = "## Stats\n- Cool\n\n## Rolls\n### Act under fire\n- Roll: `2d6 + {Cool}`\n- Target: 7\n\n## Próse\n";
    let system = sound(rules).system;
    assert_eq!(
        (system.attributes.len(), system.checks[0].name.as_str()),
        (1, "Act under fire")
    );
    let kinds: Vec<_> = system.sections.iter().map(|section| section.kind).collect();
    assert_eq!(
        kinds,
        [
            Some(SectionKind::Attributes),
            Some(SectionKind::Checks),
            None
        ]
    );
    let reading = system_md("# Game\nd20\n## Heroes\n### Skills\n- Stealth\n");
    assert_eq!(
        (super::codes(&reading), reading.system.skills.len()),
        (vec!["document/heading-level"], 0)
    );
}

#[test]
fn files_are_read_one_after_the_other() {
    let reading = read(vec![
        SourceFile::new(
            "System/10-dice.md",
            "## Dice\r\nRoll 1d20 + modifiers.\r\n## Attributes\r\n- Might (MIG)",
        ),
        SourceFile::new(
            "System/20-skills.md",
            "no heading here\n\n## Skills\n- Athletics (MIG)\n",
        ),
        SourceFile::new("System/30-more.md", "## Skills\n- Lore\n"),
    ]);
    assert_eq!(super::findings(&reading), Vec::<String>::new());
    let unknown = reading.system.skill("Loer").expect_err("unknown");
    assert_eq!(
        unknown.place.as_deref(),
        Some("System/20-skills.md:4, System/30-more.md:2")
    );
    let none = read(Vec::new());
    assert!(none.system.narrative && none.diagnostics.is_empty() && !reading.system.narrative);
}
