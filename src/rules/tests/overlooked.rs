//! Rules that look like rules and are not read: told, each with what to write; and words that only look alike: left alone.

use super::{codes, findings, system_md};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Reading, proofs, understood};

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
        ("Wealth", "- Stress: max `9`", Some(false)),
        ("Rests", "### Nap\n- Roll: `1d20`", Some(false)),
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
        ("Targt: `12`", Some(true)),
        ("Modifiers: `2`", Some(true)),
        ("Succed: at least the target", Some(true)),
        ("On nat 20: one step better", Some(true)),
        // Each of these would be an error under its right name, or may mean another thing.
        ("On nat 20: critical success", Some(false)),
        ("On a natural 6: something", Some(false)),
        ("Flags: natural 20", Some(false)),
        ("Success: 10+", None),
        ("Roles: who may try", None),
    ] {
        let text = format!("## Checks\n### Try\n- Roll: `1d20`\n- {label}\n");
        let reading = system_md(&text);
        let found = reading.diagnostics.iter().find(|found| found.code == "document/misspelt-label");
        assert_eq!(found.map(|found| found.sure_fix().is_some()), sure, "{label}: {:?}", findings(&reading));
    }
    let reading = system_md("## Checks\n### Try\n- Roll: `1d20`\n- On natural: one step better\n");
    assert_eq!(codes(&reading), ["checks/unreadable-step"], "which face, only the author knows");
}

#[test]
fn one_mistake_does_not_hide_the_others() {
    let reading = system_md(
        "## Atributes\n- Strength (STR)\n- Rnage: 3-18\n\n## Cheks\n### Try\n- Rol: `1d20`\n- Suceed: at most the target\n\n| Outcome | When |\n|---|---|\n| Succes | margin 0+ |\n| Failure | totl 3 |\n",
    );
    let found = codes(&reading);
    for code in ["checks/no-roll", "checks/no-canonical-outcome", "checks/unreadable-when", "document/misspelt-label"] {
        assert!(found.contains(&code), "{code}: {found:?}");
    }
    assert_eq!(found.iter().filter(|code| **code == "document/misspelt-heading").count(), 2);
    assert!(reading.system.attributes.is_empty() && reading.system.checks.is_empty(), "nothing is corrected silently");
}

#[test]
fn a_deeper_heading_with_a_roll_is_another_check() {
    let reading = system_md("## Checks\n### Try\n- Roll: `1d20`\n\n#### Attack\n- Roll: `1d20 + 2`\n- Target: 12\n");
    assert_eq!(codes(&reading), ["document/heading-level"]);
    assert_eq!(reading.system.checks[0].target, None);
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
fn the_summary_lists_what_was_not_read() {
    let reading = system_md(&format!("{GAME}- DC: 10\n"));
    let summary = understood(&reading);
    assert!(summary.contains("Not read\n  System.md:12  DC: 10\n"), "{summary}");
}

#[test]
fn a_check_that_nobody_can_roll_is_told() {
    for rules in [
        "- Roll: `{1000d6!,1000d8!!,50d20}kh2 + {modifier}`\n- Target: 10\n",
        "- Roll: `1d20`\n- Target: `({a} + 1) * 1000000000 * 1000000000 * 1000000000`\n",
    ] {
        let reading = system_md(&format!("## Checks\n### Try\n{rules}"));
        let found: Vec<&str> = proofs(&reading).iter().map(|found| found.code).collect();
        assert_eq!(found, ["checks/cannot-be-rolled"], "{rules}");
    }
    // Dice may be passed for a name.
    let reading = system_md("## Checks\n### Try\n- Roll: `{{pool}}kh2`\n- Target: 4\n");
    assert!(proofs(&reading).iter().all(|found| found.code != "checks/cannot-be-rolled"));
}

#[test]
fn a_row_that_people_write_otherwise_is_read_where_it_is_sure() {
    for (written, mended) in
        [("total 6-", "total 6 or less"), ("total >= 5", "total at least 5"), ("else", "otherwise")]
    {
        let text =
            format!("## Checks\n### Try\n- Roll: `1d6`\n\n| Outcome | When |\n|---|---|\n| success | {written} |\n");
        let when = |reading: &Reading| reading.system.checks[0].rows[0].when.clone();
        assert_eq!(when(&system_md(&text)), when(&system_md(&text.replace(written, mended))), "{written}");
    }
    let reading = system_md(
        "## Checks\n### Try\n- Roll: `1d6`\n- Target: 3\n\n| Outcome | When |\n|---|---|\n| success | 6- |\n",
    );
    let fix = reading.diagnostics[0].fix.as_ref().expect("a guess");
    assert!(fix.replacement == "total 6 or less" && reading.diagnostics[0].sure_fix().is_none());
}

/// The finding of an unknown section in these lines behind the game: its message, its help and its edit.
#[track_caller]
fn unknown_section(lines: &str) -> Diagnostic {
    let reading = system_md(&format!("{GAME}{lines}"));
    let found = reading.diagnostics.iter().filter(|found| found.code == "document/unknown-section");
    let [one] = found.collect::<Vec<_>>()[..] else { panic!("{lines}\n{:?}", findings(&reading)) };
    one.clone()
}

#[test]
fn a_heading_that_names_a_subject_is_told_with_the_section_and_the_edit() {
    for (heading, below, section) in [
        ("HP", "8 + Strength", "Health"),
        ("HP", "Everybody has 10.", "Health"),
        ("Hit Points", "- HP: 8 + STR", "Health"),
        ("Hit Points", "- Start: 10", "Health"),
        ("Wounds and Death", "| Wound | Points |\n|---|---|\n| light | 3 |", "Health"),
        ("Sanity", "- Sanity: 10", "Health"),
        ("Skill Rolls", "- Roll 2d6 + skill, 8+ succeeds", "Checks"),
        ("Skill Rolls", "| Roll | Result |\n|---|---|\n| 10+ | fine |\n| 9- | bad |", "Checks"),
        ("Saving Throws", "- Poison: 1d20 + STR, 14 or more", "Checks"),
        ("Core mechanic", "- Roll 1d20 and add a score", "Checks"),
        ("Ability Scores", "- Wits: 3 to 18", "Attributes"),
        ("Status Effects", "- Blind: -2 on checks", "Conditions"),
        ("Turn Order", "- Roll: 1d20 + DEX", "Combat"),
        ("Levelling Up", "- Level 2: 1000 XP", "Advancement"),
        ("Skill List", "- Swim (STR)", "Skills"),
    ] {
        let found = unknown_section(&format!("\n## {heading}\n{below}\n"));
        assert!(found.message.contains(&format!("`{heading}`")), "{heading}: {}", found.message);
        assert!(found.help[0].contains(&format!("`## {section}`")), "{heading}: {:?}", found.help);
        let fix = found.fix.as_ref().filter(|_| found.sure_fix().is_none());
        assert!(fix.is_some_and(|fix| fix.replacement == section), "{heading}: {fix:?}");
        // Under the right heading the rule is read, or it is told how it is written.
        let renamed = format!("{GAME}\n## {section}\n{below}\n");
        let read = understood(&system_md(&renamed)).contains("System.md:14");
        assert!(read || !system_md(&renamed).diagnostics.is_empty(), "{renamed}\n{}", understood(&system_md(&renamed)));
    }
    // A deeper heading is no section, whatever it is called.
    let found = unknown_section("\n## The body\n### HP\n8 + STR\n");
    assert!(found.message.contains("`HP`") && found.fix.is_none(), "{found:?}");
}

#[test]
fn a_formula_below_any_heading_is_told() {
    for (lines, section) in [
        ("\n## The body\n- Dodge: 10 + DEX\n", "Health"),
        ("\n## The body\nResolve = 4 + Strength\n", "Health"),
        ("\n## The body\n- Carry: STR x 5, in stones\n", "Health"),
        ("\n## The body\n- Leap: 1d20 + Dexterity\n", "Checks"),
        ("\n## The body\n- Resolve: max 5\n", "Health"),
        ("\n## The body\n- At 0 resolve: they give up\n", "Health"),
        ("\n# The body\n- Dodge: 10 + DEX\n", "Health"),
    ] {
        let found = unknown_section(lines);
        assert!(found.help[0].contains(&format!("`## {section}`")) && found.fix.is_none(), "{lines}: {:?}", found.help);
    }
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
                .filter(|(code, _)| *code == "document/unknown-section")
                .collect();
            assert_eq!(found, [], "{}", file.path().display());
        }
    }
    assert!(files > 20, "{files} files");
}

#[test]
fn rules_in_another_language_are_told_and_never_mended() {
    for (text, at) in [
        ("# Spiel\nEs wird gew\u{fc}rfelt.\n\n## Proben\n- Wurf: 1W20\n- Ziel: 12\n", "Proben"),
        ("# Spiel\n\n## Probe\nWirf 1W20 und addiere den Mut.\n", "Probe"),
        ("# Gra\n\n## Testy\n- Rzut: 2k6 i cecha\n", "Testy"),
        ("# Spiel\n\n## Checks\n### Probe\n- Wurf: 1W20\n", "Wurf"),
        ("# Spiel\n\n## Checks\n### Probe\n- Wirf 1W20 + Mut\n", "Wirf"),
        ("# Spiel\n\n## Eigenschaften\n- St\u{e4}rke: 8 bis 20\n- Mut: 8 bis 20\n", "Eigenschaften"),
        ("# Spiel\nDas ist der Anfang.\n\n## Lebenspunkte\n- LeP: 8 + St\u{e4}rke\n", "Lebenspunkte"),
    ] {
        let reading = system_md(text);
        let about = |found: &Diagnostic| {
            let words = found.span().and_then(|span| text.get(span.bytes())).unwrap_or_default();
            let told = ["document/unknown-section", "document/looks-like-a-rule", "document/not-in-english"];
            words.contains(at) && told.contains(&found.code)
        };
        assert!(reading.diagnostics.iter().any(about), "{text}\n{:?}", findings(&reading));
        assert!(reading.diagnostics.iter().all(|found| found.sure_fix().is_none()), "{text}");
    }
}
