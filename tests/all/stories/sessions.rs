//! Sittings: opened, closed, opened by themselves.

use serde_json::{Value, json};

use crate::table::Table;

#[test]
fn a_sitting_begins_and_ends_with_a_checkpoint() {
    let mut table = Table::lockhouse();
    let begun = table.manage_session(json!({"action": "start", "title": "Half past nine"}));
    assert_eq!((&begun["session"], begun.told()), (&json!(1), "Session 1 begins: Half past nine."));
    table.manage_session(json!({"action": "start"})).refused("session_open");
    let ended = table.manage_session(json!({"action": "end"}));
    assert_eq!(ended["summary"], "Session 1 ends.");
    table.manage_session(json!({"action": "end"})).refused("no_session");
    let lines = std::fs::read_to_string(table.path("checkpoints.log")).expect("a checkpoint");
    let line: Value = serde_json::from_str(lines.trim()).expect("one line");
    assert_eq!(line["seq"], ended["log"]);
    let receipt = ended.text("receipt").split(' ').nth(1).expect("hex").to_owned();
    assert!(line["chain"].as_str().expect("hex").starts_with(&receipt), "{line} {receipt}");
    assert_eq!(table.record().verify().checkpoints, 1);
}

#[test]
fn a_write_outside_a_sitting_opens_one() {
    let mut table = Table::lockhouse();
    let roll = table.dice([3]).roll_dice(json!({"expression": "d6"}));
    assert_eq!(roll["log"], 4, "campaign, rules, session, roll");
    assert_eq!(roll["entries"], Value::Null, "what opened by itself is not the call's own");
    table.manage_session(json!({"action": "end"})).is_fine();
    let next = table.dice([3]).roll_dice(json!({"expression": "d6"}));
    assert_eq!(next["log"], 7, "session 2 opened before it");
    let kinds = table.record().rows("select kind, session from log order by seq");
    let kinds: Vec<String> =
        kinds.iter().map(|row| format!("{} {}", row["kind"].as_str().expect("text"), row["session"])).collect();
    assert_eq!(
        kinds,
        [
            "campaign_created 0",
            "rules_loaded 0",
            "session_started 1",
            "roll 1",
            "session_ended 1",
            "session_started 2",
            "roll 2",
        ]
    );
}

#[test]
fn status_says_where_the_game_stands_and_writes_nothing() {
    let mut table = Table::lockhouse();
    let empty = table.manage_session(json!({"action": "status"}));
    assert_eq!((&empty["log_length"], &empty["session"], &empty["receipt"]), (&json!(0), &Value::Null, &Value::Null));
    assert_eq!((&empty["campaign"], &empty["adventure"]), (&json!("lockhouse"), &json!("lockhouse")));
    assert_eq!(empty["rules"], "The Lockhouse: rules of play");
    assert_eq!(empty["problems"], json!([]));
    assert_eq!(table.record().length(), 0);

    let mut table = Table::with_party();
    let before = table.record().everything();
    let status = table.manage_session(json!({"action": "status"}));
    assert_eq!(
        status["party"],
        json!(["Sabeth, player, level 1: Hit points 13/13.", "Jory, player, level 1: Hit points 14/14.",])
    );
    assert_eq!((&status["session"], &status["log_length"]), (&json!(1), &json!(5)));
    assert_eq!(status["session_started"], "2026-11-20T19:30:00.000000Z");
    assert_eq!(table.record().everything(), before);
}

#[test]
fn a_sitting_and_everybody_in_it_is_there_after_a_restart() {
    let mut table = Table::with_party();
    let before = table.manage_session(json!({"action": "status"})).value().clone();
    table.restart();
    assert_eq!(table.manage_session(json!({"action": "status"})).value(), &before);
    assert_eq!(table.dice([1]).roll_dice(json!({"expression": "d6"}))["log"], 6, "the sitting goes on");
}

#[test]
fn campaigns_in_one_database_know_nothing_of_each_other() {
    let mut table = Table::with_party();
    let other = table.dice([4]).roll_dice(json!({"expression": "d6", "campaign": "Thursday"}));
    assert_eq!(other["log"], 4, "a chain of its own");
    assert_eq!(other["campaign"], "Thursday");
    table.get_character(json!({"character": "Jory", "campaign": "thursday"})).refused("no_character");
    assert_eq!(table.manage_session(json!({"action": "status", "campaign": "THURSDAY"}))["log_length"], 4);
    assert_eq!(table.manage_session(json!({"action": "status"}))["log_length"], 5);
    assert_eq!(table.record().number("select count(*) from campaigns"), 2);
}
