//! What the lints find in whole files, and that they find nothing in sound ones.

use std::path::{Path, PathBuf};

use super::{codes, findings, system_md};
use crate::diagnostic::{Diagnostic, Severity, SourceFile, edited, render};
use crate::rules::{Reading, explained, proofs, read};

const TABLE: &str = "\n\n| Outcome | When |\n|---|---|\n";

/// One check with these bullets and rows.
fn check(bullets: &str, rows: &str) -> Reading {
    system_md(&format!("## Checks\n### Test\n{bullets}{TABLE}{rows}\n"))
}

fn proven(reading: &Reading) -> Vec<String> {
    render::plain(&proofs(reading), &reading.sources).lines().map(str::to_owned).collect()
}

#[test]
fn there_are_many_lints() {
    assert!(explained::pages().len() >= 60, "{}", explained::pages().len());
}

/// The rules below a folder: `System.md`, or the files of `System/`.
fn rules_of(folder: &Path) -> Vec<SourceFile> {
    let text = std::fs::read_to_string(folder.join("System.md")).expect("System.md");
    vec![SourceFile::new("System.md", text)]
}

#[test]
fn nothing_is_found_in_sound_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<PathBuf> = Vec::new();
    for parent in ["adventures", "src/cli/new/templates"] {
        let listing = std::fs::read_dir(root.join(parent)).expect("folders");
        folders.extend(listing.map(|entry| entry.expect("a folder").path()).filter(|path| path.is_dir()));
    }
    assert!(folders.len() >= 14, "{folders:?}");
    for folder in folders {
        let reading = read(rules_of(&folder));
        assert!(reading.diagnostics.is_empty(), "{}: {:#?}", folder.display(), reading.diagnostics);
        assert_eq!(proven(&reading), Vec::<String>::new(), "{}", folder.display());
    }
}

#[test]
fn a_row_below_a_wider_one_is_told_which() {
    let reading =
        check("- Roll: `1d20`", "| Success | total 5+ |\n| Partial success | total 10+ |\n| Failure | otherwise |");
    let [found] = proofs(&reading).try_into().expect("one finding");
    assert_eq!((found.code, found.severity), ("checks/unreachable-row", Severity::Warning));
    assert_eq!(found.labels.len(), 2, "the row above is shown");
}

#[test]
fn a_row_to_which_a_natural_face_leads_can_win() {
    let rows = "| Critical success | margin 100+ |\n| Success | margin 0+ |\n| Failure | otherwise |";
    let bullets = "- Roll: `1d20`\n- Target: `{difficulty}`";
    assert_eq!(proven(&check(bullets, rows)).len(), 1);
    assert_eq!(proven(&check(&format!("{bullets}\n- On natural 20: +1 step"), rows)), Vec::<String>::new());
}

#[test]
fn a_gap_is_shown_with_a_roll_that_falls_into_it() {
    let bullets = "- Roll: `2d6 + {bonus=0}`\n- Asks: bonus 0 to 20";
    let found = proven(&check(bullets, "| Success | total 10+ |\n| Failure | total 2-8 |"));
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("the table of `Test` does not say what a total of 9 with bonus"), "{found:?}");
    let whole = check(bullets, "| Success | total 10+ |\n| Failure | total 9 or less |");
    assert_eq!(proven(&whole), Vec::<String>::new());
}

#[test]
fn a_declared_range_is_what_counts() {
    let rules = |range: &str| {
        system_md(&format!(
            "## Attributes\n- Might\n- Range: {range}\n\n## Checks\n### Lift\n- Roll: `1d6 + {{Might}}`{TABLE}| Success | total 10+ |\n| Failure | otherwise |\n"
        ))
    };
    assert!(proven(&rules("0 to 3"))[0].contains("can never succeed"));
    assert_eq!(proven(&rules("0 to 4")), Vec::<String>::new());
}

#[test]
fn a_check_without_a_table_has_an_end_that_is_known() {
    for (bullets, said) in [
        ("- Roll: `1d6`\n- Target: `7`", Some("can never succeed")),
        ("- Roll: `1d6`\n- Target: `1`", Some("always succeeds")),
        ("- Roll: `1d6`\n- Target: `4`", None),
        ("- Roll: `1d100`\n- Target: {skill} or less", None),
    ] {
        let found = proven(&system_md(&format!("## Checks\n### Test\n{bullets}\n")));
        assert_eq!(
            found.iter().map(|line| said.is_some_and(|said| line.contains(said))).collect::<Vec<_>>(),
            vec![true; usize::from(said.is_some())],
            "{found:?}"
        );
    }
}

#[test]
fn what_is_too_much_to_look_at_is_said_once() {
    let reading = check(
        "- Roll: `{a}d6!dl1 + {b} - {c}`\n- Asks: a 1 to 20, b 0 to 20, c 0 to 20",
        "| Success | total 200+ |\n| Partial success | total 150-199 |\n| Failure | otherwise |",
    );
    let found = proofs(&reading);
    assert_eq!(
        found.iter().map(|found| (found.code, found.severity)).collect::<Vec<_>>(),
        [("checks/not-proven", Severity::Note)]
    );
}

#[test]
fn what_is_not_proven_says_what_helps() {
    let rows = |high: &str, last: &str| {
        format!("| Critical success | total {high}+ |\n| Success | total 40+ |\n| Failure | {last} |")
    };
    for (bullets, rows, helps) in [
        (
            "- Roll: `{a}d10! + {b}`\n- Asks: a 1 to 20, b 0 to 100",
            rows("2000", "otherwise"),
            vec!["rollbook odds --check"],
        ),
        (
            "- Roll: `{a}d6[x] + {b}d8[y]`\n- Asks: a 1 to 30, b 1 to 6",
            "| Critical success | x 6s 30 and y 8s 6 |\n| Success | total 10+ |\n| Failure | otherwise |".to_owned(),
            vec!["rollbook odds --check", "`- Asks: a 1 to 11`"],
        ),
        (
            "- Roll: `{a}d10! + {b}`\n- Asks: a 1 to 20, b 0 to 100",
            rows("2000", "total 39 or less"),
            vec!["write `otherwise`", "rollbook odds --check"],
        ),
    ] {
        let reading = check(bullets, &rows);
        let found = proofs(&reading);
        let [found] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(found.help.len(), helps.len(), "{found:?}");
        assert!(found.help.iter().zip(&helps).all(|(help, own)| help.contains(own)), "{found:?}");
    }
}

#[test]
fn what_is_wrong_already_is_not_proven_again() {
    let reading = check("- Roll: `1d6`", "| Success | beaten 1+ |\n| Failure | otherwise |");
    assert_eq!(reading.diagnostics.iter().map(|found| found.code).collect::<Vec<_>>(), ["checks/no-opposing-dice"]);
    assert_eq!(proven(&reading), Vec::<String>::new());
}

#[test]
fn a_name_in_a_condition_must_be_somewhere() {
    let reading = check(
        "- Roll: `1d6`\n- Flag lucky: `total + {grit} >= 5`",
        "| Success | total {grace}+ |\n| Failure | otherwise |",
    );
    let found = findings(&reading).join("\n");
    assert!(found.contains("System.md:4:25: error[document/not-understood]: `grit` is not understood"), "{found}");
    assert!(found.contains("`grace` is not understood"), "{found}");
}

#[test]
fn a_bonus_alone_is_not_all_that_a_roll_adds_which_names_a_score() {
    let rules = |roll: &str, attribute: &str, bonus: &str| {
        let check = format!(
            "### Strike\n- Roll: `{roll}`\n- Target: 10{TABLE}| Success | margin 0+ |\n| Failure | otherwise |"
        );
        let attacks = format!(
            "| Attack | Attribute | Bonus | Damage |\n|---|---|---|---|\n| Fist | {attribute} | {bonus} | 1d4 |"
        );
        system_md(&format!("## Attributes\n- Might\n\n## Checks\n{check}\n\n## Attacks\n{attacks}\n"))
    };
    let found = findings(&rules("1d20 + {Might}", "", "+3")).join("\n");
    assert!(found.contains("System.md:17:3: warning[checks/counted-twice]: `Fist` adds +3, and `Strike`"), "{found}");
    for (roll, attribute, bonus) in
        [("1d20 + {modifier}", "", "+3"), ("1d20 + {Might}", "Might", ""), ("1d20", "", "+3")]
    {
        assert_eq!(findings(&rules(roll, attribute, bonus)), Vec::<String>::new(), "{roll} {attribute} {bonus}");
    }
}

/// Edits that can be meant in one way only are made by `check --fix`; afterwards the finding is gone.
#[test]
fn a_sure_edit_mends_its_finding() {
    for (text, mended) in [
        (
            "- Roll: `{modifier}d10 + 2d10[hunger]`\n- Count: 6+\n- Flag messy: hungre 10s 1+{T}| Success | successes 1+ |\n| Failure | otherwise |",
            "hunger 10s 1+",
        ),
        (
            "- Roll: `1d6`\n\n## Health\n- Hit points: max 10\n- Damage: Hit points\n- At 0 Hit points: gain Unconcious\n\n## Conditions\n- Unconscious: *asleep*",
            "points: gain Unconscious",
        ),
    ] {
        let text = format!("## Checks\n### Test\n{}\n", text.replace("{T}", TABLE));
        let reading = system_md(&text);
        let fixes: Vec<_> = reading.diagnostics.iter().filter_map(Diagnostic::sure_fix).collect();
        let (better, made) = edited(&text, fixes);
        assert_eq!(made, 1, "{text}\n{:?}", findings(&reading));
        assert!(better.contains(mended), "{better}");
        assert!(findings(&system_md(&better)).len() < findings(&reading).len(), "{better}");
    }
}

#[test]
fn every_page_file_is_of_a_code() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules/explained");
    let mut files = 0;
    for area in std::fs::read_dir(folder).expect("areas").flatten().filter(|area| area.path().is_dir()) {
        for file in std::fs::read_dir(area.path()).expect("pages").flatten() {
            let code = format!("{}/{}", area.file_name().display(), file.path().file_stem().expect("a name").display());
            assert!(explained::pages().iter().any(|(own, _)| *own == code), "{code} is a page and no code");
            files += 1;
        }
    }
    assert_eq!(files, explained::pages().len());
}

#[test]
fn a_score_is_counted_twice_in_a_pool_too() {
    let told = |roll: &str, more: &str| {
        let text = format!(
            "## Attributes\n- Might (MIG): 1 to 5\n\n## Skills\n- Brawl (MIG)\n\n## Checks\n### Test\n- Roll: `{roll}`\n- Count: 6+\n{more}- Target: 1\n"
        );
        let reading = system_md(&text);
        reading.diagnostics.iter().find(|found| found.code == "checks/counted-twice").map(|found| found.message.clone())
    };
    let both = Some("`Test` counts {skill} and {attribute} twice".to_owned());
    assert_eq!(told("({attribute} + {skill} + {modifier=0})d6", ""), both);
    assert_eq!(told("({Might} + {modifier})d6", ""), Some("`Test` counts {Might} twice".to_owned()));
    assert_eq!(told("({attribute} + {trait})d6", "- Asks: trait 0 to 3\n"), None, "the call gives it");
    for (apart, more) in [
        ("({attribute} + {skill})d6", ""),
        ("{skill}d6[skill] + {modifier}d6", ""),
        ("({modifier} + {Hunger=0})d6", "- Asks: Hunger 0 to 5\n"),
    ] {
        assert_eq!(told(apart, more), None, "{apart}");
    }
}

#[test]
fn successes_that_are_compared_are_counted() {
    let told = |checks: &str| codes(&system_md(&format!("## Skills\n- Sneak\n\n## Checks\n{checks}")));
    let duel = "### Duel\n- Roll: `{skill}d6`\n- Target: {difficulty}\n";
    assert_eq!(told(&format!("{duel}- Opposed: higher successes\n")), ["checks/successes-without-count"]);
    assert_eq!(told(&format!("{duel}- Opposed: higher successes\n- Count: 5+\n")), [""; 0]);
    assert_eq!(told(&format!("{duel}- Opposed: higher total\n")), [""; 0]);
    assert_eq!(told("### Duel\n- Roll: `{skill}d6t5`\n- Target: {difficulty}\n- Opposed: higher successes\n"), [""; 0]);
}
