//! Mistakes of authors: each is reported where it is, and fixed where only one thing can be meant.

use super::{codes, errors, findings, pointed, sound, system_md};
use crate::{Limits, read, read_within};
use rollbook_text::diagnostic::{Diagnostic, Severity, SourceFile, edited, render};

const ROLL: &str = "## Dice\nRoll 1d20 + modifiers.\n\n";
const TRY: &str = "### Try\n- Roll: `1d20 + {modifier}`\n- Target: 12\n";

#[test]
fn an_unknown_link_is_drawn() {
    let reading = system_md(
        "# Keep\n\n## Dice\n\nRoll 1d20 + modifiers.\n\n## Attributes\n\n- Strength (STR)\n- Range: three to five\n\n## Skills\n\n- Athletics (STG)\n- athletics (STR)\n- Swimming (tides)\n\n## Cobmat\n\n- Initiative: `1d20 + {STRR}`\n",
    );
    insta::assert_snapshot!(render::human(&reading.diagnostics, &reading.sources, false));
}

#[test]
fn a_misspelt_heading_is_reported_by_what_is_below_it() {
    for (heading, below, severity) in [
        ("Skils", "- Stealth", Some(Severity::Warning)),
        ("Cobmat", "- Initiative: `1d20`", Some(Severity::Error)),
        ("Healt", "- Stress: 9 boxes", Some(Severity::Error)),
        ("Condition", "- Loud: -2 on checks", Some(Severity::Error)),
        // Another word, with what that section has below it.
        ("Wealth", "- Stress: max 9", Some(Severity::Warning)),
        ("Condition", "- Fine: all is well", Some(Severity::Warning)),
        ("Spells", "- Fireball (INT)", None),
    ] {
        let reading = system_md(&format!("{ROLL}## {heading}\n{below}\n"));
        let found = reading
            .diagnostics
            .iter()
            .find(|found| found.code == "document/misspelt-heading");
        assert_eq!(
            found.map(|found| found.severity),
            severity,
            "{heading}: {:?}",
            findings(&reading)
        );
    }
}

#[test]
fn a_label_is_fixed_where_nothing_else_can_be_meant() {
    for (section, label, near) in [
        (
            "## Checks\n### Try\n- Roll: `1d20`",
            "Targt: `12`",
            Some("Target"),
        ),
        (
            "## Checks\n### Try\n- Roll: `1d20`",
            "Counts: 5+",
            Some("Count"),
        ),
        ("## Combat", "Inititive: `1d20`", Some("Initiative")),
        (
            "## Health\n- Hit points: max 10\n- Damage: Hit points",
            "Long rst: Hit points to max",
            Some("Long rest"),
        ),
        // Another word, or no label at all: the author is asked.
        (
            "## Checks\n### Try\n- Roll: `1d20`",
            "Roles: who may try",
            None,
        ),
        (
            "## Checks\n### Try\n- Roll: `1d20`",
            "On a miss: mark Hunger",
            None,
        ),
        (
            "## Health\n- Hit points: max 10\n- Damage: Hit points",
            "Heal up: Hit points to max",
            None,
        ),
        ("## Weapons", "Revolver: Firearms, 1d10", None),
    ] {
        let reading = system_md(&format!("{ROLL}{section}\n- {label}\n"));
        assert_eq!(codes(&reading), ["document/not-a-rule"], "{label}");
        let fix = reading.diagnostics[0]
            .sure_fix()
            .map(|fix| fix.replacement.as_str());
        assert_eq!(fix, near, "{label}: {:?}", findings(&reading));
    }
}

/// The edit of the only finding.
#[test]
fn a_name_is_fixed_where_it_is_written() {
    let game = "## Attributes\n- Dexterity (DEX)\n- Constitution (CON)\n\n## Checks\n### Try\n- Roll: `{modifier}d10 + 2d10[hunger]`\n- Count: 6+\n- Target: 1\n";
    for (lines, fixed) in [
        ("- Flag messy: hungre 10s 1+\n", "messy: hunger 10s"),
        (
            "## Health\n- Hit points: max 9\n- Reach: max `8 + {CONN}`\n- Damage: Hit points\n",
            "8 + {CON}`",
        ),
        (
            "## Health\n- Hit points: max 9\n- Damage: Hit points\n- At 0 Hit points: gain Unconcious\n",
            "gain Unconscious\n",
        ),
        (
            "## Attacks\n| Attack | Damage |\n|---|---|\n| Sword | `1d8 + {Dext}` |\n",
            "1d8 + {DEX}`",
        ),
    ] {
        let text = format!("{game}{lines}");
        let reading = system_md(&text);
        let [found] = reading.diagnostics.as_slice() else {
            panic!("{lines}: {:?}", findings(&reading))
        };
        let (better, made) = edited(&text, found.fix.iter());
        assert!(made == 1 && better.contains(fixed), "{better}");
        sound(&better);
    }
}

#[test]
fn one_mistake_does_not_hide_the_others() {
    let rules = "## Atributes\n- Strength (STR)\n- Rnage: 3-18\n\n## Cheks\n### One\n- Rol: `1d20`\n### Two\n- Roll: `1d20`\n- Targt: 8\n- Opposed: by luck\n\n\
                 | Outcome | When |\n|---|---|\n| Sucess (sucess) | margin 0+ |\n| Failure | totl 3 |\n";
    let reading = system_md(rules);
    let mut found = pointed(&reading);
    found.sort_unstable();
    let expected = [
        ("document/misspelt-heading", "## Atributes"),
        ("document/misspelt-heading", "## Cheks"),
        ("document/not-a-rule", "Rol"),
        ("document/not-a-rule", "Targt"),
        ("document/not-understood", "Sucess (sucess)"),
        ("document/not-understood", "by"),
        ("document/not-understood", "totl"),
        ("document/reads-as-a-rule", "3-18"),
    ];
    assert_eq!(found, expected);
    assert!(
        reading.system.attributes.is_empty() && reading.system.checks.is_empty(),
        "nothing is corrected silently"
    );
}

#[test]
fn losing_the_only_check_is_an_error() {
    for lost in [
        format!("## Cheks\n{TRY}"),
        format!("## Rules\n### Checks\n{}", TRY.replace("###", "####")),
        format!("{ROLL}## Cheks\n{TRY}"),
    ] {
        assert!(errors(&system_md(&lost)) >= 1, "{lost}");
    }
}

#[test]
fn a_title_may_be_called_as_a_section_is() {
    for text in [
        "# Combat\nA game of it.\n\n",
        "# Tide\n\n## Play\n### Moves\nSay what you do.\n\n",
        "# Tide\n\n## Moves\n### Sneak\nYou are not seen.\n\n",
    ] {
        sound(&format!("{text}{ROLL}"));
    }
    // With the section's rules below it, it is the section.
    let reading = system_md(&format!(
        "# Skills\n- Stealth (DEX)\n\n## Attributes\n- Dexterity (DEX)\n\n{ROLL}"
    ));
    assert_eq!(codes(&reading), ["document/heading-level"]);
}

#[test]
fn names_that_fold_to_one_are_duplicates() {
    let names = "## Attributes\n- Élan (STR)\n- elan\n- Other (str)\n- Rage: anger\n## Skills\n- Sleight of hand\n- sleight-of-HAND\n";
    let reading = system_md(&format!("{ROLL}{names}"));
    assert_eq!(
        codes(&reading),
        [
            "document/given-twice",
            "document/given-twice",
            "document/given-twice"
        ]
    );
    assert_eq!(
        (reading.system.attributes.len(), reading.system.skills.len()),
        (2, 1)
    );
    assert_eq!(
        reading.diagnostics[0].labels.len(),
        2,
        "both places are shown"
    );
}

#[test]
fn a_repeated_label_counts_once() {
    let reading = system_md(&format!(
        "{ROLL}## Attributes\n- Might\n- Range: 1 to 6\n- Range: 1 to 8\n"
    ));
    assert_eq!(codes(&reading), ["document/given-twice"]);
    assert_eq!(reading.system.attributes[0].range, Some((1, 6)));
    for lines in [
        "## Health\n- Hit points: max 10\n- Damage: Hit points\n- damage: Hit points\n",
        "## Combat\n- Initiative: `1d6`\n- Initiative: `1d8`\n",
        "## Dice\n- Advantage: +1d4\n- Advantage: +1d6\n",
        "## Dice\n- Die Luck: 1, 2\n- Deck Luck: sun, moon\n",
        "## Checks\n### Other\n- Roll: `1d6`\n#### Attack\n- Roll: `1d20`\n",
    ] {
        assert!(
            codes(&system_md(&format!("{ROLL}{lines}"))).contains(&"document/given-twice"),
            "{lines}"
        );
    }
    let of_two_checks = "## Checks\n### One\n- Roll: `1d6`\n### Two\n- Roll: `1d6`\n";
    assert!(!codes(&system_md(of_two_checks)).contains(&"document/given-twice"));
}

#[test]
fn a_table_of_other_things_is_reported_where_it_holds_numbers() {
    for (table, found) in [
        (
            "| Thing | Hits for | Tags |\n|---|---|---|\n| Flail | 1d6 | heavy |",
            vec!["document/not-a-rule"],
        ),
        (
            "| Weapon | Price |\n|---|---|\n| Flail | 4 |",
            vec!["document/not-a-rule"],
        ),
        (
            "| d6 | Mishap |\n|---|---|\n| 1-3 | It jams |\n| 4-6 | It breaks |",
            vec![],
        ),
    ] {
        assert_eq!(
            codes(&system_md(&format!("{ROLL}## Weapons\n\n{table}\n"))),
            found,
            "{table}"
        );
    }
}

#[test]
fn both_homes_are_read_and_reported() {
    let reading = read(vec![
        SourceFile::new("System.md", ROLL),
        SourceFile::new("System/skills.md", "# Skills\n- Stealth\n"),
    ]);
    assert_eq!(
        codes(&reading),
        ["document/two-homes", "document/heading-level"]
    );
    assert_eq!(
        reading.system.skills[0].place.to_string(),
        "System/skills.md:2"
    );
}

/// Beyond a bound the worst findings are kept, and no more is read; both are reported.
#[test]
fn what_is_beyond_a_limit_is_reported_and_not_kept() {
    let limits = Limits {
        lines: 20,
        pieces: 40,
        marks: 30,
        blocks: 10,
        items: 3,
        file_bytes: 1_000,
        ..Limits::DEFAULT
    };
    let read = |text: String| read_within(vec![SourceFile::new("System.md", text)], &limits);
    let many = |line: &str, count: usize| format!("## Skills\n{}", line.repeat(count));
    for (text, message) in [
        (many("- a\n", 30), "more than 20 lines"),
        (many("- a\n", 15), "more than 10 bullets"),
        (
            format!(
                "| a | b | c |\n|---|---|---|\n{}",
                "| 1 | 2 | 3 |\n".repeat(17)
            ),
            "more than 40 headings",
        ),
        (many("### a\n\n", 30), "more than 20 lines"),
        (many("*a [b] `c` ", 9), "more than 30 of the letters * _ ["),
        (many("long ", 999), "the limit is 1"),
    ] {
        let reading = read(text.clone());
        let found = reading
            .diagnostics
            .iter()
            .find(|found| found.message.contains(message));
        assert!(
            found.is_some_and(|found| found.severity == Severity::Error),
            "{text}: {:?}",
            findings(&reading)
        );
    }
    let reading = read(format!(
        "{ROLL}## Skills\n- Ash\n- Bay\n- Cat\n- Dog\n- Elk\n"
    ));
    assert_eq!(
        (reading.system.skills.len(), codes(&reading)),
        (3, vec!["document/too-many-items"])
    );
    let few = Limits {
        diagnostics: 2,
        ..Limits::DEFAULT
    };
    let text = "d20\n## Attributes\n- A\n## Skills\n- X (ONE)\n- Y (TWO)\n- Z (THREE)\n## Checks\n### T\n- Roll: `1d`\n";
    let reading = read_within(vec![SourceFile::new("System.md", text)], &few);
    let kept: Vec<&Diagnostic> = reading
        .diagnostics
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .collect();
    assert_eq!(
        (kept.len(), reading.diagnostics[2].message.as_str()),
        (2, "and 2 more findings")
    );
}
