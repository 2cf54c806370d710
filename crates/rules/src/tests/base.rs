//! Rules that are built on others.

use super::{codes, findings, system_md};
use crate::base::Base;
use crate::{Limits, Reading, read_with_bases};
use rollbook_text::diagnostic::SourceFile;

/// Reads one text, with these texts as the bases of their names.
fn on(text: &str, bases: &[(&str, &str)]) -> Reading {
    read_with_bases(
        vec![SourceFile::new("System.md", text)],
        &Limits::DEFAULT,
        &mut |_, name| {
            let found = bases
                .iter()
                .find(|(known, _)| *known == name)
                .ok_or("there is none")?;
            Ok(Base {
                id: name.to_owned(),
                files: vec![SourceFile::new(format!("{name}/System.md"), found.1)],
            })
        },
    )
}

const SKIES: &str = "# Skies\n\nProse of the base.\n\n## Attributes\n- Nerve (NRV)\n- Modifier: `{score}`\n\n## Skills\n- Rigging (NRV)\n- Gunnery (NRV)\n\n\
    ## Checks\n\n### Try\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`\n\n| Outcome | When |\n|---|---|\n| Success | margin 0+ |\n\
    | Failure | otherwise |\n\n### Dare\n- Roll: `2d20kh1 + {NRV}`\n- Target: `{difficulty}`\n\n| Outcome | When |\n|---|---|\n\
    | Success | margin 0+ |\n| Failure | otherwise |\n\n## Weather\nIt rains.\n\n## Examples\n\n```playtest a\n> roll_dice expression=1d6\n\
    dice 3\n```\n";

fn names(reading: &Reading) -> (Vec<&str>, Vec<&str>) {
    let skills = reading
        .system
        .skills
        .iter()
        .map(|skill| skill.name.as_str())
        .collect();
    (
        skills,
        reading
            .system
            .checks
            .iter()
            .map(|check| check.name.as_str())
            .collect(),
    )
}

#[test]
fn sections_of_a_base_count_where_the_rules_have_none() {
    let alone = on(
        "# Mine\n\n- Version: 1.2\n- Base: skies\n",
        &[("skies", SKIES)],
    );
    assert_eq!(findings(&alone), Vec::<String>::new());
    assert_eq!(
        names(&alone),
        (vec!["Rigging", "Gunnery"], vec!["Try", "Dare"])
    );
    assert_eq!(alone.system.title.as_deref(), Some("Mine"));
    assert_eq!(
        (
            alone.system.version.as_deref(),
            alone.system.bases.as_slice()
        ),
        (Some("1.2"), ["skies".to_owned()].as_slice())
    );
    let headings: Vec<&str> = alone
        .system
        .sections
        .iter()
        .map(|section| section.heading.as_str())
        .collect();
    assert_eq!(
        headings,
        ["Mine", "Attributes", "Skills", "Checks", "Weather"]
    );
    let with_sections = on(
        "# Mine\n\n- Base: skies\n\n## Skills\n- Singing (NRV)\n\n## Weather\nSun.\n",
        &[("skies", SKIES)],
    );
    assert_eq!(
        names(&with_sections),
        (vec!["Singing"], vec!["Try", "Dare"])
    );
    assert!(
        with_sections
            .system
            .sections
            .iter()
            .all(|section| !section.text.contains("It rains"))
    );
    assert_ne!(with_sections.hash, alone.hash);
    let other = SKIES.replace("It rains", "It pours");
    assert_ne!(
        on("# Mine\n\n- Base: skies\n", &[("skies", &other)]).hash,
        on("# Mine\n\n- Base: skies\n", &[("skies", SKIES)]).hash
    );
}

#[test]
fn a_named_part_replaces_the_part_of_its_name_and_leaves_the_others() {
    let text = "# Mine\n\n- Base: skies\n\n## Checks\n\n### dare\n- Roll: `1d6 + {NRV}`\n- Target: `{difficulty}`\n\n\
        | Outcome | When |\n|---|---|\n| Success | margin 0+ |\n| Failure | otherwise |\n";
    let read = on(text, &[("skies", SKIES)]);
    assert_eq!(names(&read).1, ["Try", "dare"]);
    let words: Vec<&str> = read
        .system
        .sections
        .iter()
        .map(|section| section.text.as_str())
        .collect();
    assert!(
        words.iter().all(|text| !text.contains("2d20kh1")),
        "the text, too: {words:?}"
    );
    assert!(words.iter().any(|text| text.contains("1d20 + {modifier}")));
    // The nearest part takes the place of the farthest base's part of the same name.
    let part = |name: &str, roll: &str| format!("\n### {name}\n- Roll: `{roll}`\n- Target: 5\n");
    let middle = format!(
        "# Middle\n\n- Base: skies\n\n## Checks\n{}{}",
        part("Hex", "1d12"),
        part("Try", "1d6")
    );
    let over = format!(
        "# Own\n\n- Base: middle\n\n## Checks\n{}{}",
        part("Hex", "1d8"),
        part("Try", "1d4")
    );
    let read = on(&over, &[("middle", &middle), ("skies", SKIES)]);
    let rolls: Vec<String> = read
        .system
        .checks
        .iter()
        .map(|check| format!("{} {}", check.name, check.roll))
        .collect();
    assert_eq!(rolls, ["Try 1d4", "Dare 2d20kh1 + {NRV}", "Hex 1d8"]);
    assert!(read.system.sections.iter().all(|section| {
        ["1d20 +", "1d6", "1d12"]
            .iter()
            .all(|old| !section.text.contains(old))
    }));
    // A section with text outside of its parts replaces the whole other section.
    let whole = on(
        &text.replace("## Checks\n", "## Checks\nOnly this one.\n"),
        &[("skies", SKIES)],
    );
    assert_eq!(names(&whole).1, ["dare"]);
}

#[test]
fn a_base_may_have_a_base_and_the_nearest_counts() {
    let middle = "# Middle\n\n- Base: skies\n- Version: 9\n\n## Skills\n- Haggling (NRV)\n";
    let read = on(
        "# Mine\n\n- Base: middle\n",
        &[("skies", SKIES), ("middle", middle)],
    );
    assert_eq!(findings(&read), Vec::<String>::new());
    assert_eq!(names(&read), (vec!["Haggling"], vec!["Try", "Dare"]));
    assert_eq!(
        (read.system.bases.join(" "), read.system.version),
        ("middle skies".to_owned(), None)
    );
}

#[test]
fn mistakes_about_bases_are_reported_where_they_are_named() {
    let circle = on(
        "# Mine\n\n- Base: one\n",
        &[
            ("one", "# One\n\n- Base: two\n"),
            ("two", "# Two\n\n- Base: one\n"),
        ],
    );
    assert!(codes(&circle).contains(&"document/base"));
    assert!(
        findings(&circle)
            .concat()
            .contains("it is built on itself: one, two, one"),
        "{:?}",
        findings(&circle)
    );
    for (text, words) in [
        ("- Base: builtin:d21\n", "there are `builtin:d20`"),
        ("- Base: ../skies\n", "--adventures DIR"),
        (
            "## Dice\nRoll 1d20 against a difficulty.\n- Base: builtin:d20\n",
            "write `- Base: builtin:d20` below the title",
        ),
        (
            "- Bases: builtin:d20\n",
            "write `- Base: builtin:d20` below the title",
        ),
    ] {
        let read = system_md(&format!("# Mine\n\n{text}"));
        assert!(
            codes(&read).contains(&"document/base"),
            "{text}: {:?}",
            findings(&read)
        );
        assert!(
            findings(&read).iter().any(|found| found.contains(words)),
            "{text}: {:?}",
            findings(&read)
        );
    }
    let twice = system_md("# Mine\n\n- Base: builtin:d20\n- Base: builtin:fate\n");
    assert_eq!(codes(&twice), ["document/base"], "{:?}", findings(&twice));
}
