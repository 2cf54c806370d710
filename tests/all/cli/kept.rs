//! What players and witnesses keep: receipts, the page that checks copies, signatures; and a league's index.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::verdicts::played;
use super::{Came, ran};
use crate::process::{LOCKHOUSE, Process, rollbook};

fn fine(folder: &Path, arguments: &[&str]) -> Came {
    let came = ran(folder, arguments);
    assert_eq!(came.code, 0, "{arguments:?}: {came:?}");
    came
}

fn answer(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let came = ran(folder, arguments);
    (came.code, serde_json::from_str(&came.out).unwrap_or_else(|error| panic!("{error}: {came:?}")))
}

#[test]
fn a_receipt_is_printed_and_drawn() {
    let (folder, _) = played();
    let receipt = fine(folder.path(), &["receipt", "--db", "campaigns.db"]).out;
    assert!(receipt.starts_with("#6 ") && receipt.trim().len() == 23, "{receipt}");
    fine(folder.path(), &["verify", "--db", "campaigns.db", "--receipt", receipt.trim()]);
    let drawn = fine(folder.path(), &["receipt", "--db", "campaigns.db", "--qr"]).out;
    assert!(drawn.ends_with(&receipt) && drawn.contains('▀') && drawn.lines().count() > 15, "{drawn}");
    let told = answer(folder.path(), &["receipt", "--db", "campaigns.db", "--json", "--campaign", "lockhouse"]);
    assert_eq!(told, (0, json!({"campaign": "lockhouse", "entry": 6, "receipt": receipt.trim()})));
    let none = ran(folder.path(), &["receipt", "--db", "campaigns.db", "--campaign", "two"]);
    assert!(none.code == 2 && none.err.contains("there is no campaign \"two\""), "{none:?}");
}

#[test]
fn several_copies_are_checked_and_told_to_programs() {
    let (folder, receipt) = played();
    for (name, format) in [("a.jsonl", "jsonl"), ("b.csv", "csv"), ("c.db", "db")] {
        fine(folder.path(), &["export", "--db", "campaigns.db", "--format", format, "--out", name]);
    }
    let all = ["verify", "--json", "--receipt", &receipt, "--copy", "a.jsonl", "b.csv", "c.db"];
    let (code, told) = answer(folder.path(), &all);
    let copies = told["copies"].as_array().expect("a list");
    assert_eq!((code, copies.len()), (0, 3), "{told}");
    for copy in copies {
        assert_eq!(
            (&copy["verdict"], &copy["campaign"], &copy["receipt_fits_entry"]),
            (&json!("verified"), &json!("lockhouse"), &json!(5))
        );
    }
    let piped = fine(folder.path(), &["verify", "--copy", "a.jsonl", "b.csv", "c.db"]);
    assert_eq!(piped.err, "", "how far it is stands on a terminal alone");
    let text = std::fs::read_to_string(folder.path().join("a.jsonl")).expect("text");
    std::fs::write(folder.path().join("a.jsonl"), text.replacen("\"n\":2", "\"n\":7", 1)).expect("is written");
    let (code, told) = answer(folder.path(), &all);
    assert_eq!(
        (code, &told["copies"][0]["first_bad"], &told["copies"][1]["verdict"]),
        (1, &json!(3), &json!("verified")),
        "{told}"
    );
    let (code, told) = answer(folder.path(), &["verify", "--json", "--copy", "b.csv", "none.csv"]);
    assert_eq!((code, &told["copies"][1]["verdict"]), (2, &json!("not_checked")), "{told}");
    let (code, told) = answer(folder.path(), &["verify", "--json", "--db", "campaigns.db"]);
    assert_eq!(
        (code, &told["verdict"], &told["campaigns"][0]["entries"]),
        (0, &json!("verified"), &json!(6)),
        "{told}"
    );
}

#[test]
fn the_page_that_checks_copies_is_one_file() {
    let (folder, _) = played();
    fine(folder.path(), &["verifier", "--out", "verify.html"]);
    let page = std::fs::read_to_string(folder.path().join("verify.html")).expect("text");
    assert!(page.starts_with("<!doctype html>") && page.len() < 100_000, "{} bytes", page.len());
    assert_eq!(ran(folder.path(), &["verifier", "--out", "verify.html"]).code, 2, "never over a file");
}

#[test]
fn checkpoints_are_signed_and_a_changed_one_or_one_without_the_key_is_found() {
    let (folder, _) = played();
    let (home, path) = (tempfile::TempDir::new().expect("a folder"), folder.path());
    let key = home.path().join("mine.key");
    let key = key.to_str().expect("text");
    let public = fine(path, &["witness", "key", "--out", key]).out.trim().to_owned();
    fine(path, &["witness", "key", "--out", "near.key"]);
    let near = ran(path, &["export", "--db", "campaigns.db", "--out", "no.jsonl", "--signing-key", "near.key"]);
    assert!(near.code == 2 && near.err.contains("Move it elsewhere"), "{near:?}");
    let none = ran(path, &["verify", "--db", "campaigns.db", "--key", &public]);
    assert!(none.code == 1 && none.out.contains("no checkpoint of this database is signed by"), "{none:?}");
    fine(path, &["export", "--db", "campaigns.db", "--out", "a.jsonl", "--signing-key", key]);
    let checkpoints = path.join("checkpoints.log");
    let text = std::fs::read_to_string(&checkpoints).expect("text");
    assert!(text.lines().last().expect("a line").contains(&public), "{text}");
    fine(path, &["verify", "--db", "campaigns.db", "--key", &public]);
    let unsigned = text.lines().last().map(|line| {
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        line.as_object_mut().expect("an object").remove("signed");
        line
    });
    std::fs::write(&checkpoints, format!("{text}{}\n", unsigned.expect("a line"))).expect("is written");
    let more = ran(path, &["verify", "--db", "campaigns.db", "--key", &public]);
    assert!(more.code == 1 && more.out.contains("are not signed by it"), "{more:?}");
    let (before, last) = text.rsplit_once("\"at\":").expect("a time");
    std::fs::write(&checkpoints, format!("{before}\"at\":1{last}")).expect("is written");
    let changed = ran(path, &["verify", "--db", "campaigns.db"]);
    assert!(changed.code == 1 && changed.out.contains("the signature does not fit"), "{changed:?}");
}

/// A database whose two sessions were served with a key, the folder in which the key lies, the key and its public part.
fn signed() -> (Arc<TempDir>, TempDir, String, String) {
    let (folder, home) = (Arc::new(TempDir::new().expect("a folder")), TempDir::new().expect("a folder"));
    let key = home.path().join("gm.key").display().to_string();
    let public = fine(folder.path(), &["witness", "key", "--out", &key]).out.trim().to_owned();
    let mut command = rollbook(folder.path());
    command.args(["serve", "--adventure", LOCKHOUSE, "--detail", "full", "--signing-key", &key]);
    let mut server = Process::started(command, folder.clone());
    server.initialize();
    for _ in 0..2 {
        server.done("roll_dice", json!({"expression": "2d6"}));
        server.done("manage_session", json!({"action": "end"}));
    }
    assert!(server.end().0.success());
    (folder, home, key, public)
}

#[test]
fn every_command_that_leaves_checkpoints_signs_them_with_the_key() {
    let (folder, home, key, public) = signed();
    let path = folder.path();
    let other = home.path().join("other.db").display().to_string();
    for command in [
        &["archive", "--before", "2", "--db", "campaigns.db"][..],
        &["backup", "--out", "night.db", "--db", "campaigns.db"],
        &["export", "--out", "a.jsonl", "--db", "campaigns.db"],
        &["restore", "night.db", "--db", "campaigns.db"],
        &["campaigns", "rename", "lockhouse", "vault", "--db", "campaigns.db"],
        &["verify", "--db", "campaigns.db", "--key", &public],
    ] {
        let more: &[&str] = if command[0] == "verify" { &[] } else { &["--signing-key", &key] };
        let came = fine(path, &[command, more].concat());
        assert!(!came.err.contains("note:"), "{came:?}");
    }
    // Where it arrives the key would lie beside it.
    let copy = ["copy", "--from", "campaigns.db", "--to", &other, "--signing-key", &key];
    let near = ran(path, &copy);
    assert!(near.code == 2 && near.err.contains("Move it elsewhere"), "{near:?}");
    let other = path.join("elsewhere/other.db").display().to_string();
    fine(path, &["copy", "--from", "campaigns.db", "--to", &other, "--signing-key", &key]);
    fine(path, &["verify", "--db", &other, "--key", &public]);
    let remove = ["campaigns", "remove", "vault", "--export", "kept.db", "--db", &other, "--signing-key", &key];
    fine(path, &remove);
    fine(path, &["verify", "--db", &other, "--key", &public]);
}

#[test]
fn a_command_without_the_key_says_that_its_checkpoints_will_not_be_signed() {
    let (folder, _home, _, public) = signed();
    let path = folder.path();
    let came = fine(path, &["archive", "--before", "2", "--db", "campaigns.db"]);
    let told =
        format!("note: checkpoints of campaigns.db are signed by {}…. Without --signing-key FILE ", &public[..39]);
    assert!(came.err.starts_with(&told), "{came:?}");
    let found = ran(path, &["verify", "--db", "campaigns.db", "--key", &public]);
    let told = "are not signed by it: they were written without the key, by somebody else or by a command without --signing-key";
    assert!(found.code == 1 && found.out.contains(told), "{found:?}");
    // What signs nothing has nothing to say.
    let (folder, _) = played();
    let came = fine(folder.path(), &["export", "--db", "campaigns.db", "--out", "a.jsonl"]);
    assert!(!came.err.contains("note:"), "{came:?}");
}

#[test]
fn a_witness_vouches_for_a_log_and_a_league_has_its_index() {
    let (folder, _) = played();
    let (home, path) = (tempfile::TempDir::new().expect("a folder"), folder.path());
    let [key, signed, league] =
        ["w.key", "witness.log", "league.html"].map(|name| home.path().join(name).display().to_string());
    let public = fine(path, &["witness", "key", "--out", &key]).out.trim().to_owned();
    fine(path, &["witness", "sign", "--key", &key, "--out", &signed, "--db", "campaigns.db"]);
    let (code, told) = answer(path, &["verify", "--json", "--db", "campaigns.db", "--witness", &signed]);
    assert_eq!((code, &told["campaigns"][0]["witnessed"]), (0, &json!({"entry": 6, "key": public})), "{told}");
    let all = ["verify", "--all", ".", "--json", "--witness", &signed, "--index", &league];
    let (code, told) = answer(path, &all);
    assert_eq!((code, told["databases"].as_array().expect("a list").len()), (0, 1), "{told}");
    assert_eq!(fine(path, &["verify", "--all", "."]).err, "", "how far it is stands on a terminal alone");
    let page = std::fs::read_to_string(&league).expect("text");
    assert!(page.contains("1 of 1 database in") && page.contains("up to #6") && page.contains(&public), "{page}");

    std::fs::write(path.join("other.db"), "no database").expect("is written");
    let (code, told) = answer(path, &all);
    assert_eq!((code, &told["databases"][1]["verdict"]), (2, &json!("not_checked")), "{told}");
    std::fs::remove_file(path.join("other.db")).expect("is removed");

    let text = std::fs::read_to_string(&signed).expect("text");
    let mut line: Value = serde_json::from_str(text.trim()).expect("JSON");
    line["chain"] = json!("0".repeat(64));
    std::fs::write(&signed, format!("{line}\n")).expect("is written");
    let forged = ran(path, &["verify", "--db", "campaigns.db", "--witness", &signed]);
    assert!(forged.code == 1 && forged.out.contains("the signature does not fit"), "{forged:?}");
    std::fs::write(&signed, text).expect("is written");
    let another = played().0;
    let later = another.path().join("campaigns.db").display().to_string();
    let stranger = fine(path, &["verify", "--db", &later, "--witness", &signed]);
    assert!(stranger.out.contains("note: the witness's file has no signed line that fits lockhouse"), "{stranger:?}");
    assert!(!stranger.out.contains("vouches"), "another campaign is nothing that the witness knows: {stranger:?}");
}
