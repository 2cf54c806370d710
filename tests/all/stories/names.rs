//! Names and texts that are not what they look like.

use serde_json::{Value, json};

use crate::table::Table;

#[test]
fn a_name_that_cannot_be_seen_is_no_name() {
    let mut table = Table::with_party();
    let before = table.record().everything();
    for name in ["\u{200b}", "\u{feff}\u{2060}", "A\u{202e}nn", "A\u{200b}nn", "---", "Ann\u{2066}", "\u{7}"] {
        for (tool, call) in [
            ("manage_character", json!({"action": "create", "name": name})),
            ("manage_character", json!({"action": "update", "character": "Jory", "name": name})),
            ("manage_character", json!({"action": "update", "character": "Jory", "tracks": {name: 3}})),
            ("manage_combat", json!({"action": "start", "combatants": [{"name": name, "hp": 3, "initiative": 1}]})),
            (
                "manage_combat",
                json!({"action": "start", "combatants": [{"name": "Rat", "hp": 3, "initiative": 1, "side": name}]}),
            ),
            (
                "manage_combat",
                json!({"action": "start", "title": name, "combatants": [{"name": "Jory", "initiative": 1}]}),
            ),
            ("manage_session", json!({"action": "start", "title": name})),
            ("apply_damage", json!({"target": "Jory", "apply_conditions": [name]})),
            ("roll_dice", json!({"expression": "d6", "campaign": name})),
            ("skill_check", json!({"character": "Jory", "skill": "Melee", "difficulty": 9, "values": {name: 3}})),
        ] {
            let refusal = table.call(tool, call).refused("limit_exceeded").clone();
            assert!(!refusal.to_string().contains(['\u{202e}', '\u{2066}']), "{refusal}");
        }
    }
    for context in ["over\u{202e}turned", "\u{2067}"] {
        table.roll_dice(json!({"expression": "d6", "context": context})).refused("limit_exceeded");
        table.apply_damage(json!({"target": "Jory", "amount": 1, "reason": context})).refused("limit_exceeded");
    }
    assert_eq!(table.record().everything(), before);
}

#[test]
fn accents_are_kept_as_written_and_never_asked_for() {
    let mut table = Table::with_party();
    table.manage_character(json!({"action": "create", "name": "E\u{301}lodie Żak", "kind": "npc", "hp": 5})).is_fine();
    for name in ["Élodie Żak", "elodie zak", "ELODIE_Z\u{307}AK", "e\u{301}lodie-żak"] {
        assert_eq!(
            table.get_character(json!({"character": name, "view": "brief"})).text("summary").split(',').next(),
            Some("E\u{301}lodie Żak")
        );
    }
    table.manage_character(json!({"action": "create", "name": "Elodie Zak"})).refused("duplicate_name");
    let dazed = table.apply_damage(json!({"target": "Jory", "apply_conditions": ["Étourdi"]}));
    assert_eq!(dazed["conditions"], json!(["étourdi"]));
    let twice = table.apply_damage(json!({"target": "Jory", "amount": 1, "apply_conditions": ["etourdi"]}));
    assert_eq!(twice["conditions"], json!(["étourdi"]));
    assert_eq!(
        table.apply_damage(json!({"target": "Jory", "remove_conditions": ["ETOURDI"]}))["conditions"],
        json!([])
    );
    for name in ["李小龍", "علی\u{200c}رضا", "🐉"] {
        table.manage_character(json!({"action": "create", "name": name})).is_fine();
        assert_eq!(table.get_character(json!({"character": name}))["character"]["name"], name);
    }
    table.record().is_sound();
}

#[test]
fn words_that_mean_somebody_else_are_no_names() {
    let mut table = Table::with_party();
    for name in ["npc", "NPC", "Player", "gm", "system"] {
        table.manage_character(json!({"action": "create", "name": name})).refused("duplicate_name");
    }
}

#[test]
fn however_much_is_sent_little_comes_back() {
    let mut table = Table::with_party();
    let long = "x".repeat(50_000);
    let before = table.record().everything();
    for (tool, call) in [
        ("apply_damage", json!({"target": long, "amount": 1})),
        ("apply_damage", json!({"target": "Jory", "amount": 1, "track": long})),
        ("apply_damage", json!({"target": "Jory", "remove_conditions": [long]})),
        ("skill_check", json!({"character": "Jory", "skill": long})),
        ("skill_check", json!({"character": "Jory", "attribute": long})),
        ("skill_check", json!({"character": "Jory", "check": long})),
        ("skill_check", json!({"character": "Jory", "skill": "Melee", "values": {&long: 3}})),
        ("manage_character", json!({"action": "create", "name": "Ann", "attributes": {&long: 3}})),
        ("manage_character", json!({"action": long.clone()})),
        ("manage_combat", json!({"action": "start", "combatants": [{"name": "Rat", "hp": 1, "side": long}]})),
        ("roll_dice", json!({&long: 1})),
        ("roll_dice", json!({"expression": long})),
        ("roll_dice", json!({"expression": "d6", "campaign": long})),
        ("get_character", json!({"character": "Jory", "campaign": long})),
        ("get_character", json!({"character": long})),
        ("odds", json!({"expression": long})),
        ("roll_multiple", json!({"rolls": vec![json!({&long: 1}); 30]})),
    ] {
        let answer = table.call(tool, call);
        assert!(answer.is_refused(), "{tool}");
        let told = answer.value().to_string();
        let summary = answer.value()["summary"].as_str().expect("text").chars().count();
        assert!(
            summary <= 600 && told.len() <= 8000,
            "{tool}: {summary} of {}: {}",
            told.len(),
            &told[..told.len().min(1500)]
        );
    }
    assert_eq!(table.record().everything(), before);
    let noted = table.dice([3]).roll_dice(json!({"expression": "d6", "visible": "yes", "after": "0"}));
    assert_eq!(noted["noted"].as_array().map(Vec::len), Some(2));
}

#[test]
fn an_empty_key_tells_no_calls_apart() {
    let mut table = Table::with_party();
    for key in ["", " ", "\u{200b}"] {
        let refusal = table.roll_dice(json!({"expression": "d6", "request_id": key}));
        let summary = refusal.refused("invalid_parameters")["summary"].as_str().expect("text");
        assert!(summary.contains("request_id=\""), "{summary}");
    }
}

#[test]
fn what_came_since_is_told_by_a_status_too() {
    let mut table = Table::with_party();
    let known = table.dice([3]).roll_dice(json!({"expression": "d6"})).number("log");
    table.dice([4]).roll_dice(json!({"expression": "d6"})).is_fine();
    for tool in ["manage_combat", "manage_session"] {
        let status = table.call(tool, json!({"action": "status", "after": known}));
        assert_eq!(status["since"].as_array().map(Vec::len), Some(1), "{tool}: {}", status.value());
        assert_eq!(table.call(tool, json!({"action": "status"}))["since"], Value::Null);
    }
}
