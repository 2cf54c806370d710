//! What an author is told about each kind of mistake.

use super::{codes, errors, findings, sound, system_md};
use crate::diagnostic::{Severity, SourceFile, render};
use crate::rules::{Limits, read, read_within};

#[test]
fn an_unknown_link_is_drawn() {
    let reading = system_md(
        "# Keep\n\n## Dice\n\nRoll 1d20 + modifiers.\n\n## Attributes\n\n- Strength (STR)\n- Range: three to five\n\n## Skills\n\n- Athletics (STG)\n- athletics (STR)\n- Swimming (tides)\n\n## Cobmat\n\n- Initiative: `1d20 + {STRR}`\n",
    );
    insta::assert_snapshot!(render::human(&reading.diagnostics, &reading.sources, false));
}

#[test]
fn near_misses_are_asked_about() {
    for (text, code, help) in [
        ("## Skils\n- Stealth\nd20", "document/misspelt-heading", "did you mean `Skills`?"),
        ("## Combat\n- Initative: `1d20`\n", "document/not-a-rule", "did you mean `Initiative`?"),
        ("## Dice\nRoll 1d20 + modifiers.\n- Advantages: none\n", "document/not-a-rule", "did you mean `Advantage`?"),
        (
            "## Health\n- Hit points: max 10\n- Damage: Hit points\n- Long rst: Hit points to max\n",
            "document/not-a-rule",
            "did you mean `Long rest`?",
        ),
    ] {
        let reading = system_md(text);
        let all = findings(&reading).join("\n");
        assert!(codes(&reading).contains(&code) && all.contains(help), "{text}\n{all}");
    }
}

#[test]
fn an_attribute_called_rage_is_not_a_range() {
    let reading = sound("## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Rage: anger\n");
    assert_eq!(reading.system.attributes[0].name, "Rage");
}

#[test]
fn names_that_fold_to_one_are_duplicates() {
    let reading = system_md(
        "## Dice\nd20\n## Attributes\n- Élan (STR)\n- elan\n- Other (str)\n## Skills\n- Sleight of hand\n- sleight-of-HAND\n",
    );
    assert_eq!(codes(&reading), ["document/given-twice"; 3]);
    assert_eq!((reading.system.attributes.len(), reading.system.skills.len()), (1, 1));
    let labels = &reading.diagnostics[0].labels;
    assert_eq!(labels.len(), 2, "both places are shown");
}

#[test]
fn an_exploding_roll_is_not_a_die() {
    for wrong in ["d20, d7x", "3d6, d20", "d20, dF"] {
        let reading = system_md(&format!("## Dice\n- Dice: {wrong}\n"));
        assert!(codes(&reading).contains(&"document/not-understood"), "{wrong}");
    }
    assert_eq!(system_md("## Dice\n- Dice: d20, d6, d%\n").system.dice.list(), "d6, d20, d100");
}

#[test]
fn a_doubled_sign_in_prose_is_pointed_at() {
    let text = "## Dice\nRoll 1d20 + + modifiers against a difficulty.\n";
    let reading = system_md(text);
    assert_eq!(codes(&reading), ["document/looks-like-a-rule"]);
    let span = reading.diagnostics[0].span().expect("a place");
    assert_eq!((&text[span.start..span.end], span.start), ("+", text.rfind('+').expect("a sign")));
    sound("## Dice\nRoll 1d20 + modifiers against a difficulty.\n");
}

#[test]
fn a_formula_is_pointed_at_where_it_is_wrong() {
    let reading = system_md("## Checks\n### T\n- Roll: `1d20 + + {modifier`\n- Target: hard to say\n");
    assert_eq!(errors(&reading), 2);
    let span = reading.diagnostics[0].span().expect("a place");
    assert!((3..=3).contains(&reading.sources.place(span).line));
    assert!(span.start >= "## Checks\n### T\n- Roll: `".len(), "inside the backticks");
    assert_eq!(codes(&reading), ["document/not-understood", "document/not-understood"]);
}

#[test]
fn undeclared_names_are_pointed_out() {
    let text = "## Attributes\n- Constitution (CON)\n## Checks\n### T\n- Roll: `1d20 + {modifer}`\n- Target: {armour class}\n## Health\n- Hit points: max `8 + {CONN} + {level}`\n- Reach: max {size}\n";
    let reading = system_md(text);
    let read: Vec<(String, Severity)> =
        reading.diagnostics.iter().map(|found| (found.message.clone(), found.severity)).collect();
    let expected = [
        ("`modifer` is not understood", Severity::Error),
        ("`armour` is not understood", Severity::Error),
        ("`CONN` is not understood", Severity::Error),
        ("`size` is not understood", Severity::Error),
    ];
    assert_eq!(read, expected.map(|(message, severity)| (message.to_owned(), severity)));
    let spans: Vec<&str> =
        reading.diagnostics.iter().map(|found| reading.sources.text(found.span().expect("a place"))).collect();
    assert_eq!(spans, ["modifer", "armour", "CONN", "size"]);
    assert_eq!(reading.diagnostics[2].fix.as_ref().map(|fix| fix.replacement.as_str()), Some("CON"));
}

#[test]
fn rules_without_dice_are_pointed_out() {
    assert_eq!(codes(&system_md("# Tales\n\nWe talk.\n")), ["dice/none-named"]);
    assert_eq!(codes(&system_md("")), ["dice/none-named"]);
}

#[test]
fn a_repeated_label_counts_once() {
    let reading =
        system_md("## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Might\n- Range: 1 to 6\n- Range: 1 to 8\n");
    assert_eq!(codes(&reading), ["document/not-understood"]);
    assert_eq!(reading.system.attributes[0].range, Some((1, 6)));
}

#[test]
fn a_modifier_table_is_read_whole_or_not_at_all() {
    let of = |row: &str| {
        let text = format!(
            "## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Might\n\n| Score | Modifier |\n|---|---|\n| 3 or less | -2 |\n| 4-8 | \u{2212}1 |\n{row}| 9+ | 0 |\n"
        );
        system_md(&text)
    };
    let might = &of("").system.attributes[0];
    assert_eq!([2, 8, 99].map(|score| might.modifier(score)), [Ok(-2), Ok(-1), Ok(0)]);
    assert_eq!(might.modifier.place.as_ref().map(ToString::to_string).as_deref(), Some("System.md:6"));
    for wrong in ["| many | +9 |\n", "| 9 | |\n", "| 9-8 | 1 |\n"] {
        assert_eq!(codes(&of(wrong)), ["document/not-understood"], "{wrong}");
    }
    assert_eq!(codes(&of("| 5-8 | 3 |\n")), ["numbers/overlap"]);
}

#[test]
fn a_modifier_with_dice_is_refused() {
    let reading = system_md("## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Might\n- Modifier: `1d6 + {score}`\n");
    assert_eq!(codes(&reading), ["document/not-understood"]);
}

#[test]
fn both_homes_are_read_and_reported() {
    let reading = read(vec![
        SourceFile::new("System.md", "## Dice\nRoll 1d20 + modifiers.\n"),
        SourceFile::new("System/skills.md", "# Skills\n- Stealth\n"),
    ]);
    assert_eq!(codes(&reading), ["document/two-homes", "document/heading-level"]);
    assert_eq!(reading.system.skills[0].place.to_string(), "System/skills.md:2");
}

#[test]
fn a_file_over_the_limit_is_refused_with_the_limit() {
    let limits = Limits { file_bytes: 3_000_000, ..Limits::DEFAULT };
    let files = vec![
        SourceFile::new("System/a.md", "x".repeat(3_000_001)),
        SourceFile::new("System/b.md", "## Dice\nRoll 1d20 + modifiers.\n"),
    ];
    let reading = read_within(files, &limits);
    assert_eq!(
        findings(&reading)[0].split(" (").next(),
        Some(
            "System/a.md:1:1: error[document/file-too-large]: System/a.md has 4 MB and is not read: the limit is 3 MB"
        )
    );
    assert_eq!(reading.system.checks.len(), 1, "the other file is read");
}

#[test]
fn lists_end_at_their_limit() {
    let limits = Limits { items: 3, diagnostics: 2, ..Limits::DEFAULT };
    let mut text = "## Dice\nRoll 1d20 + modifiers.\n## Skills\n".to_owned();
    for number in 0..9 {
        text.push_str(&format!("- {}\n", ["Ash", "Bay", "Cat", "Dog", "Elk", "Fox", "Gnu", "Hen", "Ibis"][number]));
    }
    let reading = read_within(vec![SourceFile::new("System.md", text)], &limits);
    assert_eq!(reading.system.skills.len(), 3);
    assert!(codes(&reading).contains(&"document/too-many-items"));
}

#[test]
fn findings_end_at_their_limit_the_worst_kept() {
    let limits = Limits { diagnostics: 2, ..Limits::DEFAULT };
    let text =
        "d20\n## Attributes\n- A\n## Skills\n- X (ONE)\n- Y (TWO)\n- Z (THREE)\n## Checks\n### T\n- Roll: `1d`\n";
    let reading = read_within(vec![SourceFile::new("System.md", text)], &limits);
    assert_eq!(codes(&reading), ["document/not-understood", "document/not-understood", "document/too-many-findings"]);
    assert_eq!(reading.diagnostics[2].message, "and 2 more findings");
}

#[test]
fn what_stands_behind_a_bound_is_told_and_not_kept() {
    let limits = Limits { lines: 20, pieces: 40, marks: 30, blocks: 10, ..Limits::DEFAULT };
    let read = |text: String| read_within(vec![SourceFile::new("System.md", text)], &limits);
    let many = |line: &str, count: usize| format!("## Skills\n{}", line.repeat(count));
    for (text, told) in [
        (many("- a\n", 30), "more than 20 lines"),
        (many("- a\n", 15), "more than 10 bullets"),
        (format!("| a | b | c |\n|---|---|---|\n{}", "| 1 | 2 | 3 |\n".repeat(17)), "more than 40 headings"),
        (many("### a\n\n", 30), "more than 20 lines"),
        (many("*a [b] `c` ", 9), "more than 30 of the letters * _ ["),
    ] {
        let reading = read(text.clone());
        let found = reading.diagnostics.iter().find(|found| found.message.contains(told));
        assert!(found.is_some_and(|found| found.severity == Severity::Error), "{text}: {:?}", findings(&reading));
    }
    for within in [many("- a\n", 9), many("*a [b] `c` ", 6)] {
        assert!(read(within).diagnostics.iter().all(|found| found.code != "document/too-many-items"));
    }
}
