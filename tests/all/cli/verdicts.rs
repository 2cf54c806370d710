//! `verify` and `export`: 0 all is well, 1 something was found, 2 it could not be done.

use std::path::Path;
use std::sync::Arc;

use rollbook_record::export::Format;
use serde_json::json;
use tempfile::TempDir;

use super::ran;
use crate::process::Process;
use crate::table::Record;

/// A database with one session of two rolls, and the last receipt.
pub fn played() -> (Arc<TempDir>, String) {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let mut server = Process::hello(folder.clone());
    server.done("roll_dice", json!({"expression": "2d6"}));
    let receipt = server.done("roll_dice", json!({"expression": "d20"}))["receipt"].as_str().expect("text").to_owned();
    server.done("manage_session", json!({"action": "end"}));
    assert!(server.end().0.success());
    (folder, receipt)
}

fn execute(folder: &Path, sql: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    Record::new(&runtime, folder.join("campaigns.db")).execute(sql).expect(sql);
}

#[test]
fn verify_says_which_database_it_looked_at_and_that_all_is_well() {
    let (folder, receipt) = played();
    let came = ran(folder.path(), &["verify", "--db", "campaigns.db", "--receipt", &receipt]);
    assert_eq!((came.code, came.err.as_str()), (0, ""), "{came:?}");
    let told = "campaigns.db\nlockhouse: verified. 6 entries, 2 rolls, 1 checkpoint; the log ends at #6 ";
    assert!(came.out.starts_with(told), "{came:?}");
}

#[test]
fn verify_ends_with_1_for_what_it_finds() {
    let (folder, receipt) = played();
    let forged = format!("{}ffffff", &receipt[..receipt.len() - 6]);
    let came = ran(folder.path(), &["verify", "--db", "campaigns.db", "--receipt", &forged]);
    assert_eq!(came.code, 1, "{came:?}");
    assert!(came.out.contains("lockhouse: NOT VERIFIED, 1 finding. 6 entries"), "{came:?}");
    execute(folder.path(), "drop trigger log_is_never_updated");
    let came = ran(folder.path(), &["verify", "--db", "campaigns.db"]);
    assert_eq!(came.code, 1, "{came:?}");
    assert!(came.out.contains("database: the schema's trigger log_is_never_updated is gone\n"), "{came:?}");
    assert!(came.out.ends_with("database: NOT VERIFIED, 1 finding\n"), "{came:?}");
}

#[test]
fn verify_ends_with_2_for_what_it_cannot_check() {
    let (folder, _) = played();
    std::fs::write(folder.path().join("list"), "milk").expect("is written");
    for (arguments, words) in [
        (&["--db", "none.db"][..], "there is no database at none.db"),
        (&["--db", "."], "it is a folder"),
        (&["--db", "list"], "does not begin as a SQLite file"),
        (&["--db", "campaigns.db", "--campaign", "two"], "no campaign \"two\" in campaigns.db"),
        (&["--db", "campaigns.db", "--receipt", "128"], "one looks like \"#128 9f3c21d07a44b81e6d05\""),
        (&["--copy", "none.jsonl"], "cannot read none.jsonl"),
        (&["--copy", "list"], "list does not begin as a Rollbook export in JSON lines"),
        (&["--copy", "list", "campaigns.db"], "list does not begin as a Rollbook export in JSON lines or CSV"),
        (&["--db", "list"], "so it is no database. Nothing was changed. Name a database"),
    ] {
        let came = ran(folder.path(), &[&["verify"], arguments].concat());
        assert_eq!(came.code, 2, "{came:?}");
        // A copy that can be checked is, beside one that cannot.
        assert_eq!(came.out.is_empty(), arguments.len() == 2 || arguments[0] == "--db", "{came:?}");
        assert!(came.err.starts_with("rollbook: ") && came.err.contains(words), "{words}: {came:?}");
    }
    assert!(!folder.path().join("none.db").exists());
}

#[test]
fn an_export_says_what_it_wrote_and_a_copy_says_what_was_not_checked() {
    let (folder, receipt) = played();
    let export = ["export", "--db", "campaigns.db", "--out", "out.jsonl"];
    let came = ran(folder.path(), &export);
    assert_eq!((came.code, came.out.as_str()), (0, ""), "{came:?}");
    let told = "lockhouse: 5 entries that players see, of 6 in campaigns.db, written to out.jsonl. Receipt: #6 ";
    assert!(came.err.starts_with(told), "{came:?}");
    let again = ran(folder.path(), &export);
    assert_eq!(again.code, 2, "{again:?}");
    assert!(again.err.contains("out.jsonl is there already; name another file with --out"), "{again:?}");

    let bare = ran(folder.path(), &["verify", "--copy", "out.jsonl"]);
    assert_eq!(bare.code, 0, "{bare:?}");
    assert!(bare.out.starts_with("out.jsonl: verified. The players' copy of lockhouse ends at #6 "), "{bare:?}");
    assert!(bare.out.contains("Whether it is complete was not checked"), "{bare:?}");
    let old = ran(folder.path(), &["verify", "--copy", "out.jsonl", "--receipt", &receipt]);
    let told = "By the receipt nothing is missing up to #5. What was written after #5 was not checked by it";
    assert!(old.code == 0 && old.out.contains(told), "{old:?}");
    let last = came.err.trim_end().split_once("Receipt: ").expect("a receipt").1;
    let held = ran(folder.path(), &["verify", "--copy", "out.jsonl", "--receipt", last]);
    assert!(held.code == 0 && !held.out.contains("not checked"), "{held:?}");
    let text = std::fs::read_to_string(folder.path().join("out.jsonl")).expect("text");
    std::fs::write(folder.path().join("out.jsonl"), text.replacen("\"n\":2", "\"n\":7", 1)).expect("is written");
    let edited = ran(folder.path(), &["verify", "--copy", "out.jsonl"]);
    assert_eq!(edited.code, 1, "{edited:?}");
    assert!(edited.out.contains("#3: its number in the view is not the next\n"), "{edited:?}");
    assert!(edited.out.contains("out.jsonl: NOT VERIFIED"), "{edited:?}");
}

#[test]
fn a_copy_that_tells_totals_is_exported_with_the_receipt_that_it_can_be_compared_with() {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let mut server = Process::hello(folder.clone());
    server.done("roll_dice", json!({"expression": "2d6"}));
    let export = |out: &str| {
        ran(folder.path(), &["export", "--db", "campaigns.db", "--seal", "total", "--out", out])
            .err
            .trim_end()
            .to_owned()
    };
    let early = export("early.jsonl");
    assert!(early.contains("No session has ended yet") && !early.contains("Receipt"), "{early}");
    server.done("manage_session", json!({"action": "end"}));
    server.done("roll_dice", json!({"expression": "d20"}));
    let late = export("late.jsonl");
    let told = "Receipt, of the last end of a session, which alone it can be compared with: ";
    let receipt = late.split_once(told).expect("a receipt").1;
    let held = ran(folder.path(), &["verify", "--copy", "late.jsonl", "--receipt", receipt]);
    assert_eq!(held.code, 0, "{held:?}");
    assert!(server.end().0.success());
}

#[test]
fn every_format_is_in_the_help_and_in_the_documentation() {
    let folder = TempDir::new().expect("a folder");
    let help = ran(folder.path(), &["export", "--help"]).out;
    for format in Format::ALL {
        assert!(help.contains(&format!("- {}:", format.name())) && help.contains(format.about()), "{format:?}: {help}");
        for page in [include_str!("../../../README.md"), include_str!("../../../docs/log.md")] {
            let line = page.lines().find(|line| line.starts_with("rollbook export")).expect("the command");
            assert!(line.contains(&format!(" {}", format.name())), "{format:?}: {line}");
        }
    }
}

#[test]
fn an_export_of_everything_is_asked_for_in_full() {
    let (folder, _) = played();
    let all = ["export", "--db", "campaigns.db", "--all", "--out", "all.db"];
    let came = ran(folder.path(), &all);
    assert_eq!(came.code, 2, "{came:?}");
    assert!(came.err.contains("say --format db --audience gm with it"), "{came:?}");
    let came = ran(folder.path(), &[&all[..], &["--format", "db", "--audience", "gm"]].concat());
    assert_eq!(came.code, 0, "{came:?}");
    assert!(came.err.contains("1 campaign of campaigns.db written to all.db, the GM's secrets included"), "{came:?}");
    assert_eq!(ran(folder.path(), &["verify", "--db", "all.db"]).code, 0);
    let came = ran(folder.path(), &["export", "--db", "campaigns.db", "--campaign", "two", "--out", "two.jsonl"]);
    assert_eq!(came.code, 2, "{came:?}");
    assert!(came.err.contains("there is no campaign \"two\"; there are lockhouse"), "{came:?}");
    assert!(!folder.path().join("two.jsonl").exists());
}

#[test]
fn a_crashed_servers_file_copied_with_its_log_file_holds_everything_and_without_it_shows() {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let mut server = Process::hello(folder.clone());
    let mut receipt = String::new();
    for _ in 0..5 {
        receipt = server.done("roll_dice", json!({"expression": "2d6"}))["receipt"].as_str().expect("text").to_owned();
    }
    server.signal("KILL");
    server.wait();
    let (whole, bare) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
    for (name, to) in
        [("campaigns.db", whole.path()), ("campaigns.db-wal", whole.path()), ("campaigns.db", bare.path())]
    {
        std::fs::copy(folder.path().join(name), to.join(name)).expect("is copied");
    }
    let verify = ["verify", "--db", "campaigns.db", "--receipt", &receipt];
    let came = ran(whole.path(), &verify);
    assert_eq!(came.code, 0, "{came:?}");
    assert!(came.out.contains("8 entries, 5 rolls"), "{came:?}");
    assert_eq!(ran(whole.path(), &["export", "--db", "campaigns.db", "--out", "out.jsonl"]).code, 0);
    assert_eq!(ran(whole.path(), &["verify", "--copy", "out.jsonl", "--receipt", &receipt]).code, 0);
    let came = ran(bare.path(), &verify);
    assert_ne!(came.code, 0, "{came:?}");
    assert!(!came.out.contains("verified"), "{came:?}");
    let mut server = Process::hello(Arc::new(whole));
    assert_eq!(server.done("roll_dice", json!({"expression": "d6"}))["log"], 9, "and it is played on");
}

#[test]
fn an_export_is_never_written_to_a_file_called_minus() {
    let (folder, _) = played();
    let came = ran(folder.path(), &["export", "--db", "campaigns.db", "--out", "-"]);
    assert!(came.code == 2 && came.err.contains("name one with --out, not -"), "{came:?}");
    assert!(!folder.path().join("-").exists());
}

/// Whoever opened one to read it would wait for ever.
#[cfg(unix)]
#[test]
fn a_pipe_in_a_files_place_is_refused_and_never_opened() {
    let (folder, _) = played();
    let pipe = |name: &str| {
        let made = std::process::Command::new("mkfifo").arg(folder.path().join(name)).status();
        assert!(made.expect("mkfifo is there").success());
    };
    pipe("pipe");
    for arguments in [
        &["verify", "--db", "pipe"][..],
        &["verify", "--copy", "pipe"],
        &["export", "--db", "pipe", "--out", "out.jsonl"],
    ] {
        let came = ran(folder.path(), arguments);
        assert!(came.code == 2 && came.err.contains("is a pipe (FIFO), and no file"), "{came:?}");
    }
    std::fs::remove_file(folder.path().join("checkpoints.log")).expect("is removed");
    pipe("checkpoints.log");
    let came = ran(folder.path(), &["verify", "--db", "campaigns.db"]);
    assert!(came.code == 1 && came.out.contains("checkpoints.log is a pipe (FIFO), and was not read"), "{came:?}");
}
