//! Copies that tell only how many entries are hidden: what the second chain proves, and what it does not.

use std::path::PathBuf;

use rollbook_game::view::Audience;
use rollbook_record::export::{self, Checked, Format, Seal, Wanted};
use serde_json::{Value, json};

use super::evening;
use super::forged::forge;
use crate::table::{NOW, Table};

/// An evening that ended, with a roll behind it; and the receipt of the session's end.
fn ended() -> (Table, String) {
    let mut table = evening();
    let receipt = table.manage_session(json!({"action": "end"})).text("receipt").to_owned();
    table.dice([4]).roll_dice(json!({"expression": "d6"})).is_fine();
    (table, receipt)
}

fn total(table: &Table, name: &str) -> PathBuf {
    total_as(table, Format::Jsonl, name)
}

fn total_as(table: &Table, format: Format, name: &str) -> PathBuf {
    let path = table.path(name);
    let wanted = Wanted { seal: Seal::Total, ..Wanted::of(Audience::Player, format) };
    table.wait(export::export(table.location(), &wanted, &path, NOW)).expect("is written");
    path
}

fn check(table: &Table, lines: &[String], receipt: Option<&str>) -> Checked {
    let path = table.path("edited.jsonl");
    std::fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).expect("is written");
    table.wait(export::check_copy(&path, receipt)).expect("can be checked")
}

fn lines(path: &PathBuf) -> Vec<String> {
    std::fs::read_to_string(path).expect("text").lines().map(str::to_owned).collect()
}

#[test]
fn the_end_of_a_session_binds_the_lines_before_it_and_nothing_says_where_hidden_ones_stand() {
    let (table, receipt) = ended();
    table.record().is_sound();
    let lines = lines(&total(&table, "total.jsonl"));
    let checked = check(&table, &lines, Some(&receipt));
    let hidden = table.record().number("select count(*) from log where cast(public as text) like '{\"hidden\":true%'");
    let count = u64::try_from(lines.len()).expect("a count") - 1;
    // Behind it stand the end itself, the next session and a roll.
    assert_eq!((checked.findings.as_slice(), checked.bound, checked.shown), (&[][..], Some(count - 3), count));
    assert_eq!(i64::try_from(checked.sealed).expect("a count"), hidden);
    assert_eq!(checked.receipted, Some(checked.head.seq));
    let numbered = lines.iter().filter(|line| line.contains("\"seq\"")).count();
    assert_eq!(numbered, 1, "the end of the session alone has its number");
    for line in &lines[1..] {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert!(line["proof"]["seen"].is_string() && line["proof"].get("seq").is_none(), "{line}");
    }
    let bound = checked.head.seq;
    // An older receipt is as honest, and a later one says that something is missing.
    let older = check(&table, &lines, Some("#3 9f3c21d07a44b81e6d05"));
    assert!(older.findings.is_empty() && older.receipted.is_none(), "{older:?}");
    assert!(older.incomparable.is_some_and(|why| why.contains(&format!("only that of #{bound},"))));
    let later = check(&table, &lines, Some(&format!("#{} 9f3c21d07a44b81e6d05", bound + 1)));
    assert!(later.findings.len() == 1 && later.findings[0].contains("cut off"), "{later:?}");
}

#[test]
fn a_table_has_the_name_that_its_sentences_tell() {
    let (table, _) = ended();
    let named = |path: PathBuf| table.wait(export::check_copy(&path, None)).expect("can be checked").campaign;
    let name = named(total(&table, "total.jsonl"));
    assert_eq!(named(total_as(&table, Format::Csv, "total.csv")), name);
}

#[test]
fn whatever_is_edited_in_it_is_found() {
    let (table, receipt) = ended();
    let whole = lines(&total(&table, "total.jsonl"));
    let bound = whole.iter().position(|line| line.contains("\"bound\"")).expect("is bound");
    let edited = |line: usize, from: &str, to: &str| {
        let mut edited = whole.clone();
        assert!(edited[line].contains(from), "{from} in {}", edited[line]);
        edited[line] = edited[line].replacen(from, to, 1);
        let checked = check(&table, &edited, Some(&receipt));
        checked.findings.into_iter().chain(checked.incomparable).collect::<Vec<_>>()
    };
    for (line, from, to) in [
        (5, "\"text\":\"", "\"text\":\"Well, "),
        (5, "\"n\":5", "\"n\":6"),
        (5, "\"seen\":\"", "\"seen\":\"0"),
        (5, "\"proof\":", "\"note\":1,\"proof\":"),
        (bound, "\"salt\":\"", "\"salt\":\"0"),
        (bound, "\"prev\":\"", "\"prev\":\"0"),
        (bound, "\"commitment\":\"", "\"commitment\":\"0"),
        (bound, "\"body\":{", "\"body\":{ "),
        (bound, "\"seq\":", "\"seq\":1"),
        (0, "\"seal\":\"total\"", "\"seal\":\"none\""),
        (0, "\"seal\":\"total\",", ""),
    ] {
        assert!(!edited(line, from, to).is_empty(), "{line}: {from} to {to}");
    }
    for line in 1..bound {
        let mut shorter = whole.clone();
        shorter.remove(line);
        assert!(!check(&table, &shorter, Some(&receipt)).findings.is_empty(), "line {line} was left out");
    }
    let mut swapped = whole.clone();
    swapped.swap(3, 4);
    assert!(!check(&table, &swapped, Some(&receipt)).findings.is_empty());
    let cut: Vec<String> = whole[..bound].to_vec();
    let found = check(&table, &cut, Some(&receipt)).findings;
    assert_eq!(found, ["no end of a session binds it, so that no receipt can be compared with it"]);
    // What stands behind the end of the session is not bound yet.
    assert!(check(&table, &whole[..bound + 1], Some(&receipt)).findings.is_empty());
}

#[test]
fn an_end_of_a_session_that_names_other_lines_is_found_in_the_database() {
    let (table, _) = ended();
    let end =
        u64::try_from(table.record().number("select seq from log where kind = 'session_ended'")).expect("a number");
    let report = forge(&table, |seq, body| {
        if seq == end {
            body["event"]["seen"]["n"] = json!(3);
        }
    });
    let names_it = |words: &str| report.findings.iter().any(|own| own.seq == end && own.what.contains(words));
    assert!(
        names_it("players had seen") && report.findings.len() == 2,
        "beside the checkpoint's: {:?}",
        report.findings
    );
}
