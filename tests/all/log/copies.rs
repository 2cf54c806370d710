//! Copies for players: they verify on their own, and an edited one does not.

use std::path::PathBuf;

use rollbook::export::{self, Format};
use rollbook::game::visibility::Audience;
use serde_json::{Value, json};

use super::evening;
use crate::table::{NOW, Table};

fn copy(table: &Table, audience: Audience, name: &str) -> PathBuf {
    let out = table.path(name);
    let exported =
        table.wait(export::export(table.database(), None, audience, Format::Jsonl, &out, NOW)).expect("is written");
    assert_eq!(exported.out, out);
    out
}

fn lines(path: &PathBuf) -> Vec<String> {
    std::fs::read_to_string(path).expect("text").lines().map(str::to_owned).collect()
}

/// What is wrong with a copy that holds these lines.
fn findings(table: &Table, lines: &[String]) -> Vec<String> {
    let path = table.path("edited.jsonl");
    std::fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).expect("is written");
    export::check_copy(&path, None).map_or_else(|error| vec![error.to_string()], |(_, findings)| findings)
}

#[test]
fn a_players_copy_verifies_and_reaches_the_head() {
    let table = evening();
    for audience in [Audience::Player, Audience::Gm] {
        let path = copy(&table, audience, &format!("{audience:?}.jsonl"));
        let (head, findings) = export::check_copy(&path, None).expect("is a copy");
        assert_eq!(findings, Vec::<String>::new());
        assert_eq!((head.seq, head), (table.record().verify().head.seq, table.record().verify().head));
    }
}

#[test]
fn nothing_hidden_is_in_a_players_copy() {
    let table = evening();
    let text = std::fs::read_to_string(copy(&table, Audience::Player, "players.jsonl")).expect("text");
    assert!(!text.contains("Mag Sorley"), "the GM's notes");
    for told in ["[17]", "by 8", "= 20"] {
        assert!(!text.contains(told), "the hidden roll: {told}");
    }
    for line in text.lines().skip(1) {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(
            line["proof"]["body"].is_object(),
            line["proof"]["salt"].is_string(),
            "salt and body go together: {line}"
        );
        assert_eq!(line["n"].is_number(), line["public"].is_object(), "{line}");
    }
    let numbers: Vec<u64> =
        text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()?["n"].as_u64()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<u64>>(), "numbered without gaps");
}

#[test]
fn an_edited_copy_is_found_out() {
    let table = evening();
    let whole = lines(&copy(&table, Audience::Player, "players.jsonl"));
    assert_eq!(findings(&table, &whole), Vec::<String>::new());
    let at =
        |text: &str| whole.iter().position(|line| line.contains(text)).unwrap_or_else(|| panic!("{text} is there"));
    let edited = |line: usize, from: &str, to: &str| {
        let mut edited = whole.clone();
        assert!(edited[line].contains(from), "{from} in {}", edited[line]);
        edited[line] = edited[line].replace(from, to);
        findings(&table, &edited)
    };
    let check = at("success by 3");
    for (from, to) in [
        ("success by 3", "success by 4"),
        ("\"seq\":6", "\"seq\":66"),
        ("\"chain\":\"", "\"chain\":\"0"),
        ("\"salt\":\"", "\"salt\":\"0"),
    ] {
        assert!(!edited(check, from, to).is_empty(), "{from} to {to}");
    }
    assert!(!edited(check, "\"body\":{", "\"body\":{ ").is_empty(), "even a space");
    let without = |line: usize| {
        let mut shorter = whole.clone();
        shorter.remove(line);
        findings(&table, &shorter)
    };
    for line in 0..whole.len() - 1 {
        assert!(!without(line).is_empty(), "line {line} was left out");
    }
    let mut swapped = whole.clone();
    swapped.swap(5, 6);
    assert!(!findings(&table, &swapped).is_empty(), "two lines swapped");
    let mut doubled = whole.clone();
    doubled.insert(5, whole[5].clone());
    assert!(!findings(&table, &doubled).is_empty(), "a line twice");
    let mut torn = whole.clone();
    torn[7].truncate(40);
    assert!(!findings(&table, &torn).is_empty(), "half a line");
}

#[test]
fn a_copy_without_its_last_lines_is_found_out_by_a_receipt() {
    let mut table = evening();
    let early = table.dice([4]).roll_dice(json!({"expression": "d6"})).text("receipt").to_owned();
    let last = table.dice([4]).roll_dice(json!({"expression": "d6"})).text("receipt").to_owned();
    let path = copy(&table, Audience::Player, "players.jsonl");
    let whole = lines(&path);
    let shorter = table.path("shorter.jsonl");
    std::fs::write(&shorter, whole[..whole.len() - 1].iter().map(|line| format!("{line}\n")).collect::<String>())
        .expect("is written");
    let found = |path, receipt: &str| export::check_copy(path, Some(receipt)).expect("is a copy").1;
    assert_eq!(found(&path, &last), Vec::<String>::new());
    assert_eq!(found(&shorter, &early), Vec::<String>::new(), "what the receipt speaks of is there");
    let cut = found(&shorter, &last);
    assert!(cut.len() == 1 && cut[0].contains("it was cut off"), "{cut:?}");
    let forged = format!("{}ffffff", &last[..last.len() - 6]);
    assert_eq!(found(&path, &forged).len(), 1);
    assert!(export::check_copy(&path, Some("128")).is_err());
}
