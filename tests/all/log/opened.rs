//! What was hidden is opened later: players get what was sealed then, and anything else is found
//! out.

use std::path::PathBuf;

use rollbook_game::view::Audience;
use rollbook_record::export::{self, Checked, Format};
use rollbook_store::verify::{Opened, Report};
use serde_json::{Value, json};

use super::evening;
use super::forged::forge;
use crate::process::rollbook;
use crate::table::{Answer, Table};

/// An evening at whose end its hidden check, #7, is opened.
fn opened() -> (Table, Answer) {
    let mut table = evening();
    let hidden = hidden(&table);
    let answer = table.manage_session(json!({"action": "reveal", "entry": hidden}));
    answer.is_fine();
    (table, answer)
}

fn hidden(table: &Table) -> u64 {
    number(
        table,
        "select min(seq) from log where kind = 'check' and visibility = 'gm'",
    )
}

fn number(table: &Table, sql: &str) -> u64 {
    u64::try_from(table.record().number(sql)).expect("a number")
}

/// Every copy there is, checked.
fn copies(table: &Table) -> Vec<(PathBuf, Checked)> {
    let both = |format: &Format| [(Audience::Player, *format), (Audience::Gm, *format)];
    let all = Format::ALL.iter().flat_map(both);
    all.map(|(audience, format)| {
        let path = table.export(audience, format, &format!("{audience:?}.{}", format.name()));
        let checked = table
            .wait(export::check_copy(&path, None))
            .expect("can be checked");
        (path, checked)
    })
    .collect()
}

#[test]
fn players_get_what_was_sealed_and_can_see_that_it_is_the_same() {
    let (table, answer) = opened();
    let (entry, by) = (
        hidden(&table),
        u64::try_from(answer.number("log")).expect("a number"),
    );
    let seen = answer.text("player_text");
    assert!(
        seen.starts_with("Opened, from session 1: Jory, Perception: ") && seen.contains("= 20"),
        "{seen}"
    );
    assert!(
        !seen.contains('#'),
        "players know no entry by its number: {seen}"
    );
    assert!(
        answer
            .text("summary")
            .starts_with(&format!("Opened to players, #{entry}: Jory")),
        "{answer:?}"
    );
    let report = table.record().verify();
    let opened = vec![Opened {
        entry,
        by,
        in_part: false,
    }];
    assert_eq!((report.findings.len(), &report.opened), (0, &opened));
    for (path, checked) in copies(&table) {
        assert_eq!(
            (checked.findings.as_slice(), &checked.opened),
            (&[][..], &opened),
            "{path:?}"
        );
        let bytes = std::fs::read(&path).expect("bytes");
        let holds = |text: &str| {
            bytes
                .windows(text.len())
                .any(|part| part == text.as_bytes())
        };
        assert!(holds("20"), "{path:?}");
        assert!(
            checked.audience == Audience::Gm || !holds("Mag Sorley"),
            "{path:?}: what else is hidden stays so"
        );
    }
}

#[test]
fn what_is_not_hidden_or_open_already_or_has_the_gms_notes_is_refused_and_nothing_is_written() {
    let (mut table, answer) = opened();
    let length = table.record().length();
    let mut refused = |entry: Value, code: &str, words: &str| {
        let answer = table.manage_session(json!({"action": "reveal", "entry": entry}));
        let summary = answer.refused(code)["summary"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        assert!(summary.contains(words), "{summary}");
    };
    refused(
        json!(hidden(&evening())),
        "not_sealed",
        &format!("#{} opened it", answer.number("log")),
    );
    refused(json!(6), "not_sealed", "Players see all of entry #6");
    refused(answer["log"].clone(), "not_sealed", "Players see all of");
    refused(json!(9999), "unknown_entry", "There is no entry #9999");
    refused(json!(0), "unknown_entry", "There is no entry #0");
    refused(Value::Null, "invalid_parameters", "entry=128");
    let noted = number(
        &evening(),
        "select max(seq) from log where kind = 'character_updated'",
    );
    refused(json!(noted), "not_sealed", "the GM's notes on Sabeth");
    assert_eq!(table.record().length(), length);
}

#[test]
fn an_opening_is_not_undone_and_opens_no_session() {
    let (mut table, answer) = opened();
    let named = table.manage_session(json!({"action": "undo", "entry": answer["log"]}));
    named.refused_with("nothing_to_undo", &["What they have seen they know"]);
    table
        .manage_session(json!({"action": "undo"}))
        .refused("nothing_to_undo");
    table.manage_session(json!({"action": "end"})).is_fine();
    let blind = number(
        &table,
        "select min(seq) from log where visibility = 'blind'",
    );
    table
        .manage_session(json!({"action": "reveal", "entry": blind}))
        .is_fine();
    assert_eq!(
        table
            .record()
            .number("select count(*) from log where kind = 'session_started'"),
        1
    );
}

/// Changes what the opening shows, and hashes everything anew.
fn forged(change: impl Fn(&mut Value)) -> (Report, Vec<(PathBuf, Checked)>, u64, u64) {
    let (table, answer) = opened();
    let by = u64::try_from(answer.number("log")).expect("a number");
    let report = forge(&table, |seq, body| {
        if seq == by {
            change(&mut body["event"]);
        }
    });
    let copies = copies(&table);
    (report, copies, hidden(&table), by)
}

#[test]
fn a_forged_opening_is_found_in_the_database_and_in_every_copy() {
    let other_total = |event: &mut Value| {
        let body = event["body"]
            .as_str()
            .expect("text")
            .replace("\"total\":20", "\"total\":3");
        event["body"] = json!(body);
    };
    let other_salt = |event: &mut Value| event["salt"] = json!("00".repeat(32));
    let no_salt = |event: &mut Value| event["salt"] = json!("none");
    let other_entry = |event: &mut Value| event["entry"] = json!(8);
    type Forger<'a> = &'a dyn Fn(&mut Value);
    let forgers: [(Forger<'_>, &str); 4] = [
        (&other_total, "what it opens is not what was sealed in #7"),
        (&other_salt, "what it opens is not what was sealed in #7"),
        (&no_salt, "what it opens is not what was sealed in #7"),
        (&other_entry, "what it opens is not what was sealed in #8"),
    ];
    for (forger, words) in forgers {
        let (report, copies, _, by) = forged(forger);
        let [finding] = &report.findings[..] else {
            panic!("one fault is one finding: {:?}", report.findings)
        };
        assert_eq!((finding.seq, finding.what.as_str()), (by, words));
        assert_eq!(report.opened, []);
        for (path, checked) in copies {
            assert_eq!(
                (checked.findings, checked.opened),
                (vec![format!("#{by}: {words}")], vec![]),
                "{path:?}"
            );
        }
    }
    for (entry, words) in [
        (9999, "it opens #9999, and there is no such"),
        (0, "it opens #0, and there is no such"),
    ] {
        let (report, copies, ..) = forged(|event| event["entry"] = json!(entry));
        assert!(
            report
                .findings
                .iter()
                .any(|finding| finding.what.contains(words)),
            "{:?}",
            report.findings
        );
        for (path, checked) in copies {
            assert!(
                checked
                    .findings
                    .iter()
                    .any(|finding| finding.contains(words)),
                "{path:?}: {:?}",
                checked.findings
            );
        }
    }
}

#[test]
fn what_players_saw_in_part_is_named_apart_from_what_was_sealed() {
    let (mut table, answer) = opened();
    let (gm, gm_by) = (hidden(&table), answer.number("log"));
    let blind = number(
        &table,
        "select min(seq) from log where visibility = 'blind'",
    );
    let blind_by = table
        .manage_session(json!({"action": "reveal", "entry": blind}))
        .number("log");
    for (path, checked) in copies(&table) {
        let in_part: Vec<(u64, bool)> = checked
            .opened
            .iter()
            .map(|opening| (opening.entry, opening.in_part))
            .collect();
        assert_eq!(in_part, [(gm, false), (blind, true)], "{path:?}");
    }
    let copy = table.path("Player.jsonl");
    let came = rollbook(copy.parent().expect("a folder"))
        .args(["verify", "--copy", "Player.jsonl"])
        .output()
        .expect("runs");
    let words = String::from_utf8(came.stdout).expect("text");
    let apart = format!(
        "none missing. Opened, each as it was sealed: #{gm} (by #{gm_by}).\nOpened of what players saw in part, each as it was sealed: #{blind} (by #{blind_by}).\n"
    );
    assert!(words.contains(&apart), "{apart} in {words}");
}

#[test]
fn what_names_a_character_who_is_still_hidden_stays_closed() {
    let mut table = Table::with_party();
    let lurker = json!({"name": "Zannith", "hp": 8, "initiative": 9, "hidden": true});
    table.start(json!([{"name": "Jory", "initiative": 3}, lurker]));
    table
        .manage_session(json!({"action": "note", "text": "Zannith waits.", "visibility": "gm"}))
        .is_fine();
    let note = number(&table, "select max(seq) from log where kind = 'note'");
    let turn = number(&table, "select max(seq) from log where kind = 'turn_began'");
    for entry in [note, turn] {
        table
            .manage_session(json!({"action": "reveal", "entry": entry}))
            .refused("names_hidden");
    }
    table
        .manage_combat(json!({"action": "reveal", "combatant": "Zannith"}))
        .is_fine();
    let opened = table.manage_session(json!({"action": "reveal", "entry": note}));
    assert!(opened.text("player_text").contains("Zannith waits."));
}

#[test]
fn damage_by_a_roll_that_stays_sealed_is_not_opened_before_it() {
    let mut table = evening();
    let roll = table
        .dice([3])
        .roll_dice(json!({"expression": "1d6", "visibility": "gm"}))
        .number("log");
    table
        .apply_damage(json!({"target": "Jory", "roll": roll, "amount": 2}))
        .is_fine();
    let hidden = table
        .apply_damage(json!({"target": "Jory", "roll": roll, "amount": 1, "visibility": "gm"}))
        .number("log");
    let reveal = |table: &mut Table, entry: i64| {
        table.manage_session(json!({"action": "reveal", "entry": entry}))
    };
    reveal(&mut table, hidden)
        .refused_with("not_sealed", &[&format!("entry={roll}, then this one")]);
    let copy =
        std::fs::read_to_string(table.export(Audience::Player, Format::Jsonl, "sealed.jsonl"))
            .expect("is read");
    assert!(
        !copy.contains("roll_note"),
        "what the roll came to is in no body"
    );
    reveal(&mut table, roll).is_fine();
    reveal(&mut table, hidden).is_fine();
}
