//! What players keep: receipts, the page that checks copies; and a folder of databases.

use std::path::Path;

use serde_json::{Value, json};

use super::verdicts::played;
use super::{Came, ran};

fn fine(folder: &Path, arguments: &[&str]) -> Came {
    let came = ran(folder, arguments);
    assert_eq!(came.code, 0, "{arguments:?}: {came:?}");
    came
}

fn answer(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let came = ran(folder, arguments);
    (
        came.code,
        serde_json::from_str(&came.out).unwrap_or_else(|error| panic!("{error}: {came:?}")),
    )
}

#[test]
fn a_receipt_is_printed_and_drawn() {
    let (folder, _) = played();
    let receipt = fine(folder.path(), &["receipt", "--db", "campaigns.db"]).out;
    assert!(
        receipt.starts_with("#6 ") && receipt.trim().len() == 23,
        "{receipt}"
    );
    fine(
        folder.path(),
        &[
            "verify",
            "--db",
            "campaigns.db",
            "--receipt",
            receipt.trim(),
        ],
    );
    let drawn = fine(folder.path(), &["receipt", "--db", "campaigns.db", "--qr"]).out;
    assert!(
        drawn.ends_with(&receipt) && drawn.contains('▀') && drawn.lines().count() > 15,
        "{drawn}"
    );
    let reply = answer(
        folder.path(),
        &[
            "receipt",
            "--db",
            "campaigns.db",
            "--json",
            "--campaign",
            "lockhouse",
        ],
    );
    assert_eq!(
        reply,
        (
            0,
            json!({"campaign": "lockhouse", "entry": 6, "receipt": receipt.trim()})
        )
    );
    let none = ran(
        folder.path(),
        &["receipt", "--db", "campaigns.db", "--campaign", "two"],
    );
    assert!(
        none.code == 2 && none.err.contains("there is no campaign \"two\""),
        "{none:?}"
    );
}

#[test]
fn several_copies_are_checked_and_reported_to_programs() {
    let (folder, receipt) = played();
    for (name, format) in [("a.jsonl", "jsonl"), ("b.csv", "csv"), ("c.db", "db")] {
        fine(
            folder.path(),
            &[
                "export",
                "--db",
                "campaigns.db",
                "--format",
                format,
                "--out",
                name,
            ],
        );
    }
    let all = [
        "verify",
        "--json",
        "--receipt",
        &receipt,
        "--copy",
        "a.jsonl",
        "b.csv",
        "c.db",
    ];
    let (code, reply) = answer(folder.path(), &all);
    let copies = reply["copies"].as_array().expect("a list");
    assert_eq!((code, copies.len()), (0, 3), "{reply}");
    for copy in copies {
        let expected = json!(["verified", "lockhouse", 5]);
        assert_eq!(
            json!([
                copy["verdict"],
                copy["campaign"],
                copy["receipt_fits_entry"]
            ]),
            expected
        );
    }
    let piped = fine(
        folder.path(),
        &["verify", "--copy", "a.jsonl", "b.csv", "c.db"],
    );
    assert_eq!(piped.err, "", "how far it is stands on a terminal alone");
    let text = std::fs::read_to_string(folder.path().join("a.jsonl")).expect("text");
    std::fs::write(
        folder.path().join("a.jsonl"),
        text.replacen("\"n\":\"P2\"", "\"n\":\"P7\"", 1),
    )
    .expect("is written");
    let (code, reply) = answer(folder.path(), &all);
    let expected = json!([1, 3, "verified"]);
    assert_eq!(
        json!([
            code,
            reply["copies"][0]["first_bad"],
            reply["copies"][1]["verdict"]
        ]),
        expected,
        "{reply}"
    );
    let (code, reply) = answer(
        folder.path(),
        &["verify", "--json", "--copy", "b.csv", "none.csv"],
    );
    assert_eq!(
        (code, &reply["copies"][1]["verdict"]),
        (2, &json!("not_checked")),
        "{reply}"
    );
    let (code, reply) = answer(folder.path(), &["verify", "--json", "--db", "campaigns.db"]);
    assert_eq!(
        json!([code, reply["verdict"], reply["campaigns"][0]["entries"]]),
        json!([0, "verified", 6]),
        "{reply}"
    );
}

#[test]
fn the_page_that_checks_copies_is_one_file() {
    let (folder, _) = played();
    fine(folder.path(), &["verifier", "--out", "verify.html"]);
    let page = std::fs::read_to_string(folder.path().join("verify.html")).expect("text");
    assert!(
        page.starts_with("<!doctype html>") && page.len() < 100_000,
        "{} bytes",
        page.len()
    );
    assert_eq!(
        ran(folder.path(), &["verifier", "--out", "verify.html"]).code,
        2,
        "never over a file"
    );
}

#[test]
fn every_database_of_a_folder_is_verified() {
    let (folder, _) = played();
    let path = folder.path();
    let all = ["verify", "--all", ".", "--json"];
    let (code, reply) = answer(path, &all);
    assert_eq!(
        (code, reply["databases"].as_array().expect("a list").len()),
        (0, 1),
        "{reply}"
    );
    assert_eq!(
        fine(path, &["verify", "--all", "."]).err,
        "",
        "how far it is stands on a terminal alone"
    );

    std::fs::write(path.join("other.db"), "no database").expect("is written");
    let (code, reply) = answer(path, &all);
    assert_eq!(
        (code, &reply["databases"][1]["verdict"]),
        (2, &json!("not_checked")),
        "{reply}"
    );
}
