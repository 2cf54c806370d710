//! Going on where the game stopped: everything that is needed, in one text that stays short.

use serde_json::{Value, json};

use crate::table::{Table, with};

fn resume(table: &mut Table) -> String {
    let reply = table.manage_session(json!({"action": "resume"}));
    assert_eq!(reply["player_text"], Value::Null, "it is for the GM");
    let text = reply.text("summary").to_owned();
    assert!(text.len() < 2600, "{} bytes: {text}", text.len());
    text
}

#[test]
fn resume_says_where_who_whose_turn_and_what_happened_last() {
    let mut table = Table::lockhouse();
    assert!(resume(&mut table).starts_with("Nothing was played in lockhouse yet."));
    let mut table = Table::with_party();
    let note = |table: &mut Table, text: &str, more: Value| {
        table.manage_session(with(json!({"action": "note", "text": text}), more)).number("log")
    };
    note(&mut table, "The quay", json!({"kind": "scene"}));
    let scene = note(&mut table, "The boathouse at night", json!({"kind": "scene"}));
    let boat = note(&mut table, "Whose boat?", json!({"kind": "thread"}));
    let secret = note(&mut table, "Who pays the reeve?", json!({"kind": "thread", "visibility": "gm"}));
    let fight = json!({"action": "start", "title": "On the slip", "combatants": [{"name": "Jory", "initiative": 12},
        {"name": "Wrecker", "hp": 7, "initiative": 9, "hidden": true}, {"name": "Rat", "hp": 1, "initiative": 4}]});
    table.manage_combat(fight).is_fine();
    table
        .manage_combat(json!({"action": "add_effect", "name": "bless", "on": "Jory", "duration": "for 3 rounds"}))
        .is_fine();
    table.apply_damage(json!({"target": "Rat", "amount": 1})).is_fine();
    let hurt = table.apply_damage(json!({"target": "Jory", "amount": 3})).number("log");
    let text = resume(&mut table);
    for part in [
        "Session 1 is open.",
        &format!("Scene (#{scene}): The boathouse at night"),
        "On the slip, round 1, Jory's turn:\n- Jory 11/14, bless (3 rounds",
        "\n- Wrecker 7/7, hidden",
        "\n- down: Rat 0/1",
        "Not in the fight:\n- Sabeth 13/13",
        &format!("Open threads:\n- #{secret} (GM) Who pays the reeve?\n- #{boat} Whose boat?"),
        &format!("Last, newest first:\n- #{hurt} Jory takes 3 damage"),
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    table.manage_combat(json!({"action": "end"})).is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    let text = resume(&mut table);
    assert!(text.contains("Session 1 has ended; manage_session action=\"start\""), "{text}");
    assert!(text.contains("Party:\n- ") && !text.contains("On the slip, round"), "{text}");
}

#[test]
fn resume_stays_short_in_a_fight_of_sixty_with_long_names() {
    let mut table = Table::with_party();
    table.endless_dice(3);
    let long = |name: &str| format!("{name} {}", "ü".repeat((79 - name.len()) / 2));
    let foes: Vec<Value> =
        (0..60).map(|nth| json!({"name": long(&format!("Wrecker {nth}")), "hp": 7, "initiative": nth})).collect();
    table.manage_combat(json!({"action": "start", "title": "x".repeat(80), "combatants": foes})).is_fine();
    for nth in 0..20 {
        let text = format!("{nth} {}", "é".repeat(1990));
        for kind in ["thread", "scene"] {
            table.manage_session(json!({"action": "note", "text": text, "kind": kind, "visibility": "gm"})).is_fine();
        }
        table.manage_character(json!({"action": "create", "name": long(&format!("Friend {nth}"))})).is_fine();
        table.apply_damage(json!({"target": "Jory", "amount": 0, "apply_conditions": [format!("{nth} {}", "ä".repeat(35))], "free": true}))
            .is_fine();
        table.dice([]).roll_dice(json!({"expression": "40d6", "context": "ö".repeat(200)})).is_fine();
    }
    let text = resume(&mut table);
    assert!(text.contains("Wrecker 59") && text.contains("\n- and ") && text.contains("Last, newest first:"), "{text}");
    assert!(
        text.contains("Open threads:") && text.contains("Not in the fight:") && text.contains("Scene (#"),
        "{text}"
    );
    let (_, last) = text.split_once("Last, newest first:").expect("the last part");
    assert_eq!(last.matches("\n- #").count(), 10, "ten things: {text}");
}
