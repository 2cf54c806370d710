//! Campaigns by name: a slip of the pen begins no second game unseen, and fills no server.

use serde_json::{Value, json};

use crate::table::Table;

#[test]
fn a_misspelt_campaign_cannot_be_read() {
    let mut table = Table::with_party();
    for (tool, call) in [
        ("get_character", json!({"list": true})),
        ("manage_session", json!({"action": "status"})),
        ("manage_combat", json!({"action": "status"})),
        ("apply_damage", json!({"target": "Jory", "amount": 1, "preview": true})),
    ] {
        let mut call = call;
        call["campaign"] = json!("lockhuose");
        let refusal = table.call(tool, call).refused("unknown_campaign").clone();
        assert_eq!(refusal["did_you_mean"], json!(["lockhouse"]), "{tool}");
    }
    assert_eq!(table.record().number("select count(*) from campaigns"), 1);
}

#[test]
fn a_write_that_makes_a_campaign_says_so_with_the_near_ones() {
    let mut table = Table::with_party();
    let made = table.dice([4]).roll_dice(json!({"expression": "d6", "campaign": "Lockhuose", "request_id": "one"}));
    let summary = made.text("summary");
    assert!(summary.starts_with("A new campaign, \"Lockhuose\", is made by this call (near: lockhouse)."), "{summary}");
    assert_eq!(made["campaign"], "Lockhuose");
    let again = table.roll_dice(json!({"expression": "d6", "campaign": "Lockhuose", "request_id": "one"}));
    assert_eq!((&again["replayed"], &again["summary"]), (&json!(true), &made["summary"]));
    let second = table.dice([4]).roll_dice(json!({"expression": "d6", "campaign": "lockHUOSE"}));
    assert!(!second.text("summary").contains("new campaign"), "{}", second["summary"]);
    assert_eq!(second["campaign"], "Lockhuose");
    assert_eq!(
        table.dice([4]).roll_dice(json!({"expression": "d6"}))["campaign"],
        Value::Null,
        "the default needs no name"
    );
}

#[test]
fn more_campaigns_than_are_kept_open_take_turns() {
    let mut table = Table::with_party();
    for nth in 0..40 {
        let name = format!("unmade {nth}");
        table.get_character(json!({"list": true, "campaign": name})).refused("unknown_campaign");
        table.apply_damage(json!({"target": "Nobody", "amount": 1, "campaign": name})).refused("no_character");
    }
    for nth in 0..40 {
        table.dice([3]).roll_dice(json!({"expression": "d6", "campaign": format!("Table {nth}")})).is_fine();
    }
    let back = table.dice([5]).roll_dice(json!({"expression": "d6", "campaign": "Table 0"}));
    assert_eq!(back["log"], 5, "closed to make room, opened again where it was");
    assert_eq!(table.get_character(json!({"list": true}))["characters"].as_array().map(Vec::len), Some(2));
}
