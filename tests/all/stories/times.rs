//! The time a call has.

use std::time::Duration;

use serde_json::json;

use crate::table::Table;

#[test]
fn a_call_beyond_its_time_is_taken_back_whole() {
    let mut table = Table::with_party();
    let before = table.record().everything();
    table.restart_with_limit(Duration::ZERO);
    // Whether the die falls before the time is over depends on whether the file is known to be sound by then.
    table.endless_dice(6);
    std::thread::sleep(Duration::from_millis(300));
    let late = table.roll_dice(json!({"expression": "d6", "request_id": "late"}));
    let summary = late.refused("timed_out")["summary"].as_str().expect("text");
    assert!(summary.contains("Send it again"), "{summary}");
    table
        .manage_combat(json!({"action": "start", "combatants": [{"name": "Rat", "hp": 1, "initiative": 3}]}))
        .refused("timed_out");
    assert_eq!(table.record().everything(), before, "nothing of it was written");
    assert_eq!(
        table.get_character(json!({"list": true}))["characters"].as_array().map(Vec::len),
        Some(2),
        "no rat is left"
    );

    table.restart_with_limit(Duration::from_secs(30));
    let again = table.roll_dice(json!({"expression": "d6", "request_id": "late"}));
    let next = before["log"].len() + 1;
    assert_eq!((&again["log"], &again["replayed"]), (&json!(next), &json!(null)), "the first one never was");
    table.record().is_sound();
}
