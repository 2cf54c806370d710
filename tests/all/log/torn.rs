//! Copies that lost, doubled or mixed up lines: one fault is one finding, and the rest is still checked.

use std::path::PathBuf;

use rollbook_game::view::Audience;
use rollbook_record::export::{self, Checked, Format};
use serde_json::json;

use super::evening;
use crate::table::Table;

const AUDIENCES: [Audience; 2] = [Audience::Player, Audience::Gm];

fn lines(table: &Table, audience: Audience) -> Vec<String> {
    let path: PathBuf = table.export(audience, Format::Jsonl, &format!("{audience:?}.jsonl"));
    std::fs::read_to_string(path).expect("text").lines().map(str::to_owned).collect()
}

fn check(table: &Table, lines: &[String], receipt: Option<&str>) -> Checked {
    let path = table.path("edited.jsonl");
    std::fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).expect("is written");
    table.wait(export::check_copy(&path, receipt)).expect("is a copy")
}

/// Edits the copy of either audience in every place, and demands one finding that names the entry.
#[track_caller]
fn one(edit: impl Fn(&mut Vec<String>, usize), words: impl Fn(usize) -> String, but: usize) {
    let table = evening();
    for audience in AUDIENCES {
        let whole = lines(&table, audience);
        // Line 0 is the header, so that line n holds entry n.
        for line in 1..whole.len() - but {
            let mut edited = whole.clone();
            edit(&mut edited, line);
            let found = check(&table, &edited, None).findings;
            let [finding] = &found[..] else { panic!("{audience:?}, line {line}: {found:#?}") };
            assert!(finding.contains(&words(line)), "{audience:?}, line {line}: {finding}");
        }
    }
}

#[test]
fn a_dropped_line_is_one_finding() {
    one(|lines, at| drop(lines.remove(at)), |at| format!("#{}: entry #{at} is missing before it", at + 1), 1);
}

#[test]
fn several_dropped_lines_behind_each_other_are_one_finding() {
    one(
        |lines, at| drop(lines.drain(at..at + 3)),
        |at| format!("#{}: entries #{at} to #{} are missing before it", at + 3, at + 2),
        3,
    );
}

#[test]
fn two_dropped_lines_apart_are_two_findings() {
    let table = evening();
    for audience in AUDIENCES {
        let mut edited = lines(&table, audience);
        edited.remove(10);
        edited.remove(4);
        let found = check(&table, &edited, None).findings;
        assert_eq!(found.len(), 2, "{found:#?}");
        assert!(
            found[0].starts_with("#5: entry #4 is missing") && found[1].starts_with("#11: entry #10"),
            "{found:#?}"
        );
    }
}

#[test]
fn a_torn_line_is_one_finding() {
    one(
        |lines, at| lines[at].truncate(40),
        |at| format!("#{}: entry #{at} is missing before it: a line there cannot be read", at + 1),
        1,
    );
    // A line that was broken in two.
    one(
        |lines, at| {
            let rest = lines[at].split_off(40);
            lines.insert(at + 1, rest);
        },
        |at| format!("#{}: entry #{at} is missing before it: a line there cannot be read", at + 1),
        1,
    );
}

#[test]
fn a_line_that_is_no_entry_is_one_finding() {
    one(|lines, at| lines.insert(at, "{}".to_owned()), |at| format!("after #{}: a line cannot be read", at - 1), 0);
}

#[test]
fn a_doubled_line_is_one_finding() {
    one(|lines, at| lines.insert(at, lines[at].clone()), |at| format!("#{at}: it stands there a second time"), 0);
}

#[test]
fn two_swapped_lines_are_one_finding() {
    one(|lines, at| lines.swap(at, at + 1), |at| format!("#{at}: it stands out of place, behind later ones"), 1);
}

#[test]
fn a_number_that_was_changed_is_one_finding() {
    one(
        |lines, at| {
            let proof = lines[at].find("\"proof\":{").expect("a proof");
            let proof = lines[at].split_off(proof);
            lines[at].push_str(&proof.replacen(&format!("\"seq\":{at}"), "\"seq\":9999", 1));
        },
        |at| format!("#{at}: its number was changed to 9999"),
        0,
    );
}

#[test]
fn the_last_line_is_one_finding_by_a_receipt_whether_it_is_dropped_or_torn() {
    let mut table = evening();
    let receipt = table.dice([4]).roll_dice(json!({"expression": "d6"})).text("receipt").to_owned();
    for audience in AUDIENCES {
        let whole = lines(&table, audience);
        let last = whole.len() - 1;
        assert_eq!(check(&table, &whole, Some(&receipt)).receipted, u64::try_from(last).ok());
        let dropped = check(&table, &whole[..last], Some(&receipt)).findings;
        let [finding] = &dropped[..] else { panic!("{dropped:#?}") };
        assert!(finding.starts_with(&format!("#{last}: the receipt says the log reached it")), "{finding}");
        let mut torn = whole.clone();
        torn[last].truncate(40);
        let torn = check(&table, &torn, Some(&receipt)).findings;
        let [finding] = &torn[..] else { panic!("{torn:#?}") };
        assert!(finding.starts_with(&format!("after #{}: a line cannot be read", last - 1)), "{finding}");
    }
}

#[test]
fn an_edit_behind_a_dropped_line_is_still_found() {
    let table = evening();
    for audience in AUDIENCES {
        let mut edited = lines(&table, audience);
        let line = &mut edited[12];
        *line = line.replacen("\"commitment\":\"", "\"commitment\":\"0", 1);
        edited.remove(4);
        let found = check(&table, &edited, None).findings;
        assert!(found.iter().any(|finding| finding.starts_with("#12: its chain value does not follow")), "{found:#?}");
        assert!(found.iter().any(|finding| finding.starts_with("#5: entry #4 is missing")), "{found:#?}");
    }
}
