//! Files as they should not be: what `check` says of them, and what a server that plays them does.

use serde_json::{Value, json};

use super::bench::{Bench, RULES};
use crate::process::{dialogue, ran_with};

/// A server on the bench's folder: what it writes to stderr, and its answer to one check.
fn served(bench: &Bench) -> (String, Value) {
    let made = json!({"action": "create", "name": "Ana", "attributes": {"DEX": 14}, "skills": {"Lockpicking": 2}});
    let input = dialogue([
        ("manage_character", made),
        (
            "skill_check",
            json!({"skill": "Lockpicking", "difficulty": 15}),
        ),
        ("roll_dice", json!({"expression": "d6"})),
    ]);
    let mut command = bench.command(&[
        "serve",
        "--adventure",
        ".",
        "--db",
        "a.db",
        "--detail",
        "full",
    ]);
    let came = ran_with(&mut command, &input);
    let answers: Vec<Value> = came
        .ends(0)
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON-RPC"))
        .collect();
    let answer = |id: i64| {
        answers
            .iter()
            .find(|answer| answer["id"] == id)
            .expect("an answer")["result"]
            .clone()
    };
    assert_ne!(
        answer(4)["isError"],
        true,
        "dice are there whatever the rules are"
    );
    (came.err, answer(3)["structuredContent"].clone())
}

/// A bench with these bytes as its rules.
fn bytes(text: impl AsRef<[u8]>) -> Bench {
    let bench = Bench::empty();
    std::fs::write(bench.path("System.md"), text).expect("written");
    bench
}

/// `check` ends with that code and says so; the server starts, says the same where it cannot read,
/// and the dice work.
#[track_caller]
fn reported(bench: &Bench, words: &[&str]) {
    let check = bench.run(&["check"]);
    check.ends(1);
    let (warned, _) = served(bench);
    for words in words {
        check.says(words);
        assert!(
            warned.contains(words),
            "the server says {words:?}: {warned}"
        );
    }
}

/// `check` finds no error, and the check is the one that was meant.
#[track_caller]
fn read_all_the_same(bench: &Bench) {
    bench.run(&["check"]).ends(0).says("Nothing to remark.");
    let (warned, reply) = served(bench);
    assert_eq!(warned, "");
    let explained = reply["modifiers"].to_string();
    assert_eq!(reply["modifier"], 4, "{reply}");
    assert!(
        explained.contains("Dexterity") && explained.contains("Lockpicking"),
        "{explained}"
    );
}

#[test]
fn line_ends_marks_tabs_and_html_change_nothing() {
    read_all_the_same(&bytes(RULES));
    read_all_the_same(&bytes(RULES.replace('\n', "\r\n")));
    read_all_the_same(&bytes(format!("\u{feff}{RULES}")));
    read_all_the_same(&bytes(RULES.replace("- ", "-\t")));
    read_all_the_same(&bytes(RULES.replace(
        "## Skills",
        "<div align=\"center\"><b>Skills</b></div>\n\n## Skills",
    )));
}

#[test]
fn accents_and_case_fold_and_foreign_headings_are_prose() {
    let foreign = "## Regeln für Händler\n- Feilschen: nach Laune\n\n## Règles de la maison\n- Dés: au gré du meneur\n\n";
    read_all_the_same(&bytes(
        RULES.replace("## Skills", &format!("{foreign}## Skílls")),
    ));
    read_all_the_same(&bytes(RULES.replace("## Attributes", "## ATTRIBÚTES")));
}

#[test]
fn without_a_heading_the_dice_of_the_prose_count() {
    let bench = bytes("Roll 1d20 + modifiers against a difficulty.\n");
    bench.run(&["check"]).ends(0);
    let (warned, _) = served(&bench);
    assert_eq!(warned, "");
}

#[test]
fn without_dice_the_author_gets_a_finding() {
    for rules in ["# Tales\n\nWe talk.\n", ""] {
        let bench = bytes(rules);
        bench.run(&["check"]).ends(0).says("checks/none");
        let (_, refused) = served(&bench);
        assert_eq!(refused["rolled"], false, "{refused}");
    }
}

#[test]
fn a_row_that_has_lost_its_when_is_an_error() {
    let rules = "# Keep\n\n## Checks\n\n### Try\n- Roll: `1d20`\n- Target: `{difficulty}`\n\n\
        | Outcome | When | What |\n|---|---|---|\n| Good (success) |\n| Badly (failure) | otherwise | Ow. |\n";
    let output = bytes(rules).run(&["check", "--format", "plain"]);
    output
        .ends(1)
        .says("System.md:11:")
        .says("error[document/not-understood]");
}

#[cfg(unix)]
#[test]
fn links_out_of_the_adventure_are_refused() {
    let outside = Bench::of(RULES);
    let link = |name: &str, to: &str| {
        let bench = Bench::empty();
        std::os::unix::fs::symlink(outside.path(to), bench.path(name)).expect("a link");
        bench
    };
    reported(
        &link("System.md", "System.md"),
        &["System.md: it is a link out of the adventure's folder"],
    );
    outside.save("System/a.md", RULES);
    reported(
        &link("System", "System"),
        &["System: it is a link out of the adventure's folder"],
    );
    outside.save("empty/notes.txt", "");
    reported(
        &link("System", "empty"),
        &["System: it is a link out of the adventure's folder"],
    );
    reported(
        &link("System.md", "nowhere.md"),
        &["System.md: cannot be read"],
    );
    let inside = Bench::empty().with("rules.md", RULES);
    std::os::unix::fs::symlink(inside.path("rules.md"), inside.path("System.md")).expect("a link");
    read_all_the_same(&inside);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_the_file_keeps_nobody_waiting() {
    let bench = Bench::empty();
    let made = std::process::Command::new("mkfifo")
        .arg(bench.path("System.md"))
        .status();
    assert!(made.expect("mkfifo runs").success());
    reported(&bench, &["System.md: it is no regular file"]);
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_reported() {
    use std::os::unix::fs::PermissionsExt as _;
    let close = |path: &std::path::Path| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o000)).expect("closed");
        // Who may read everything has nothing to report.
        std::fs::File::open(path).is_err()
    };
    let (file, folder) = (Bench::of(RULES), Bench::empty().with("System/a.md", RULES));
    if close(&folder.path("System")) {
        reported(&folder, &["System: cannot be read: Permission denied"]);
    }
    if close(&file.path("System.md")) {
        reported(&file, &["System.md: cannot be read: Permission denied"]);
    }
}

#[test]
fn rules_under_another_name_are_reported() {
    for name in [
        "system.md",
        "Systems.md",
        "SYSTEM.MD",
        "System.txt",
        "system/a.md",
        "Sytem.md",
    ] {
        let bench = Bench::empty().with(name, RULES);
        // On some disks the names are the same.
        if !bench.path("System.md").exists() && !bench.path("System").exists() {
            let wrong = name.split('/').next().unwrap_or(name);
            reported(
                &bench,
                &[&format!("{wrong} is not read: the rules are called System")],
            );
        }
    }
    let bench = Bench::empty()
        .with("System/a.MD", RULES)
        .with("System/b.md", RULES);
    reported(
        &bench,
        &["System/a.MD is not read: names of rules end in .md"],
    );
    Bench::of(RULES)
        .with("system-notes.md", "notes")
        .with("Systems.md", "more")
        .run(&["check"])
        .ends(0);
}

#[test]
fn files_that_cannot_be_read_are_reported_with_the_place() {
    let folder = Bench::empty();
    std::fs::create_dir(folder.path("System.md")).expect("a folder");
    reported(&folder, &["System.md: it is no regular file"]);
    reported(
        &Bench::empty().with("System", RULES),
        &["System: it is no folder"],
    );
    let long = bytes("- prose\n".repeat(1_250_001));
    reported(
        &long,
        &[
            "System.md",
            "10000008 bytes long",
            "at most 10000000 are read",
        ],
    );
    reported(
        &bytes(b"# Keep\n\n## Dice\nRoll 1d20 + modifiers. \xff\n"),
        &["System.md:4: byte 39 is not UTF-8"],
    );
}
