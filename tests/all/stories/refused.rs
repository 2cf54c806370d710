//! Bad input: each gets a refusal with its code, writes nothing, and the next call works.

use serde_json::{Value, json};

use crate::table::{Table, jory};

/// The call is refused with `code`, not a row is written, and the table plays on.
#[track_caller]
fn refuses(table: &mut Table, tool: &str, arguments: Value, code: &str) -> Value {
    let before = table.record().everything();
    let refusal = table.call(tool, arguments).refused(code).clone();
    assert_eq!(table.record().everything(), before, "a refusal writes nothing");
    let rolled = table.dice([4]).roll_dice(json!({"expression": "d6"}));
    assert_eq!(rolled["total"], 4);
    refusal
}

#[test]
fn dice_that_are_not_of_this_table() {
    let mut table = Table::with_party();
    let refusal = refuses(&mut table, "roll_dice", json!({"expression": "2d7"}), "invalid_die");
    let summary = refusal["summary"].as_str().expect("text");
    assert!(summary.contains("d4, d6, d8, d10, d12, d20, d100") && summary.contains("Example: \"2d6"), "{summary}");
    refuses(&mut table, "roll_dice", json!({"expression": "d20 + 1d3"}), "invalid_die");
}

#[test]
fn what_is_no_expression() {
    let mut table = Table::with_party();
    for expression in ["2d-6", "", "d", "2d6+", "0d6", "2d0", "the red one", "1d20; drop table log", "🎲", "2d6)("] {
        let refusal = table.roll_dice(json!({"expression": expression}));
        let refusal = if refusal.is_refused() { refusal.value().clone() } else { panic!("{expression} was rolled") };
        let code = refusal["code"].as_str().expect("a code").to_owned();
        let codes = ["empty", "unparseable_input", "limit_exceeded", "invalid_parameters", "invalid_die"];
        assert!(codes.contains(&code.as_str()), "{expression}: {refusal}");
        let again = refuses(&mut table, "roll_dice", json!({"expression": expression}), &code);
        assert!(again["summary"].as_str().is_some_and(|text| text.contains("Example")), "{expression}: {again}");
    }
}

#[test]
fn more_dice_than_anybody_needs() {
    let mut table = Table::with_party();
    for expression in ["100000d6", "99999999999999999999d6", "1d20 + 9999999999999999999"] {
        refuses(&mut table, "roll_dice", json!({"expression": expression}), "limit_exceeded");
    }
    let long = "1+".repeat(5000) + "1";
    refuses(&mut table, "roll_dice", json!({"expression": long}), "limit_exceeded");
}

#[test]
fn an_unknown_skill_is_answered_with_the_near_ones_and_where_they_stand() {
    let mut table = Table::with_party();
    let call = json!({"character": "Sabeth", "skill": "Lockpick", "difficulty": 15});
    let refusal = refuses(&mut table, "skill_check", call, "unknown_skill");
    assert_eq!(refusal["source"], "System.md:42-55");
    assert_eq!(refusal["did_you_mean"][0], "Lockpicking");
    assert!(refusal["summary"].as_str().is_some_and(|text| text.contains("Send skill=\"Lockpicking\"")), "{refusal}");
    refuses(
        &mut table,
        "skill_check",
        json!({"character": "Jory", "attribute": "LUK", "difficulty": 9}),
        "unknown_attribute",
    );
    refuses(&mut table, "skill_check", json!({"character": "Jory", "check": "Save", "skill": "Lore"}), "unknown_check");
}

#[test]
fn nobody_is_there_yet() {
    let mut table = Table::lockhouse();
    for (tool, call) in [
        ("skill_check", json!({"skill": "Lockpicking", "difficulty": 15})),
        ("get_character", json!({})),
        ("apply_damage", json!({"target": "player", "amount": 3})),
        ("manage_character", json!({"action": "update", "character": "Jory", "level": 2})),
    ] {
        let refusal = table.call(tool, call).refused("no_character").clone();
        let summary = refusal["summary"].as_str().expect("text");
        assert!(summary.contains("STR 3 to 20") && summary.contains("manage_character action=\"create\""), "{summary}");
        assert_eq!(refusal["source"], "System.md:28");
        assert_eq!(table.record().length(), 0);
    }
    table.manage_character(jory()).is_fine();
}

#[test]
fn a_check_without_a_difficulty() {
    let mut table = Table::with_party();
    let refusal = refuses(&mut table, "skill_check", json!({"character": "Jory", "skill": "Melee"}), "missing_value");
    assert!(refusal["summary"].as_str().is_some_and(|text| text.contains("difficulty=15")), "{refusal}");
}

#[test]
fn a_dead_target_and_an_unknown_one() {
    let mut table = Table::with_party();
    table.apply_damage(json!({"target": "Jory", "amount": 28})).is_fine();
    refuses(&mut table, "apply_damage", json!({"target": "Jory", "amount": 1}), "target_dead");
    let refusal = refuses(&mut table, "apply_damage", json!({"target": "Sabet", "amount": 1}), "unknown_character");
    assert_eq!(refusal["did_you_mean"], json!(["Sabeth"]));
}

#[test]
fn a_second_start_during_a_fight() {
    let mut table = Table::with_party();
    let start = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 3}]});
    table.manage_combat(start.clone()).is_fine();
    refuses(&mut table, "manage_combat", start, "combat_running");
    table.manage_combat(json!({"action": "end"})).is_fine();
    refuses(&mut table, "manage_combat", json!({"action": "end"}), "no_combat");
}

#[test]
fn every_bad_argument_is_listed_at_once() {
    let mut table = Table::with_party();
    let call = json!({"skill": 7.5, "difficulty": [15, 16], "advantage": "perhaps", "modifer": 2, "values": [1], "visibility": "secret"});
    let refusal = refuses(&mut table, "skill_check", call, "invalid_parameters");
    let mut bad: Vec<&str> =
        refusal["details"].as_array().expect("details").iter().filter_map(|bad| bad["parameter"].as_str()).collect();
    bad.sort_unstable();
    assert_eq!(bad, ["advantage", "difficulty", "modifer", "values", "visibility"], "{refusal}");
    let refusal = refuses(&mut table, "roll_dice", json!({}), "invalid_parameters");
    assert_eq!(refusal["details"][0]["parameter"], "expression");
    refuses(&mut table, "manage_combat", json!({"action": "flee"}), "invalid_parameters");
}

#[test]
fn numbers_names_and_texts_beyond_their_bounds() {
    let mut table = Table::with_party();
    for (tool, call, code) in [
        ("apply_damage", json!({"target": "Jory", "amount": i64::MAX}), "limit_exceeded"),
        ("apply_damage", json!({"target": "Jory", "amount": i64::MIN}), "limit_exceeded"),
        ("apply_damage", json!({"target": "Jory", "amount": 1e300}), "invalid_parameters"),
        ("apply_damage", json!({"target": "Jory", "amount": 1.5}), "invalid_parameters"),
        ("apply_damage", json!({"target": "Jory", "roll": -1}), "invalid_parameters"),
        ("apply_damage", json!({"target": "Jory", "apply_conditions": ["x\u{7}"]}), "limit_exceeded"),
        ("manage_character", json!({"action": "create", "name": "x".repeat(81)}), "limit_exceeded"),
        ("manage_character", json!({"action": "create", "name": "two\nlines"}), "limit_exceeded"),
        ("manage_character", json!({"action": "create", "name": "  "}), "limit_exceeded"),
        ("manage_character", json!({"action": "create", "name": "Ann", "level": -1}), "invalid_parameters"),
        (
            "manage_character",
            json!({"action": "create", "name": "Ann", "tracks": {"Hit points": -1}}),
            "invalid_parameters",
        ),
        (
            "manage_character",
            json!({"action": "update", "character": "Jory", "tracks": {"Hit points": 15}}),
            "invalid_parameters",
        ),
        (
            "manage_character",
            json!({"action": "update", "character": "Jory", "notes": "x".repeat(4001)}),
            "limit_exceeded",
        ),
        (
            "manage_combat",
            json!({"action": "start", "combatants": [{"name": "Rat", "count": 100000, "hp": 1}]}),
            "limit_exceeded",
        ),
        (
            "manage_combat",
            json!({"action": "start", "combatants": [{"name": "Rat", "count": 0, "hp": 1}]}),
            "limit_exceeded",
        ),
        ("manage_combat", json!({"action": "start", "combatants": [{"name": "Rat", "hp": 0}]}), "invalid_parameters"),
        ("roll_dice", json!({"expression": "d6", "context": "x".repeat(501)}), "limit_exceeded"),
        ("roll_dice", json!({"expression": "d6", "request_id": "x".repeat(201)}), "invalid_parameters"),
        ("roll_dice", json!({"expression": "d6", "character": "Nobody"}), "unknown_character"),
        ("roll_dice", json!({"expression": "d6", "campaign": ""}), "limit_exceeded"),
        ("skill_check", json!({"character": "Jory", "skill": "Melee", "difficulty": 2_000_000}), "limit_exceeded"),
    ] {
        refuses(&mut table, tool, call, code);
    }
}

#[test]
fn what_models_are_known_to_send_is_read_as_meant_and_said_so() {
    let mut table = Table::with_party();
    let check = table
        .dice([10, 11])
        .skill_check(json!({"character": "Sabeth", "skill_name": "LOCKPICKING", "dc": "15", "advantage": "true"}));
    assert_eq!(check["outcome"], "success");
    assert_eq!(check["noted"], json!(["advantage: \"true\" read as true", "dc: \"15\" read as 15"]));
    let fight =
        table.manage_combat(json!({"action": "start", "combatants": "[{\"name\": \"Jory\", \"initiative\": 3}]"}));
    assert_eq!(fight["current"], "Jory");
}

#[test]
fn a_call_refused_half_way_is_forgotten_whole() {
    // Refused behind what opens by itself, before anything was ever written.
    let mut table = Table::lockhouse();
    table
        .manage_character(json!({"action": "create", "name": "Ann", "attributes": {"STR": 99}}))
        .refused("invalid_parameters");
    let rolled = table.dice([4]).roll_dice(json!({"expression": "d6"}));
    assert_eq!(rolled["log"], 4, "campaign, rules and session are written now, once");
    table.record().is_sound();

    // Refused behind foes that were made for it.
    let mut table = Table::with_party();
    let half = json!({"action": "start", "combatants": [{"name": "Rat", "count": 2, "hp": 1}, {"name": "Wrecker"}]});
    refuses(&mut table, "manage_combat", half, "missing_value");
    assert_eq!(table.get_character(json!({"list": true}))["characters"].as_array().map(Vec::len), Some(2));
    let fight =
        table.manage_combat(json!({"action": "start", "combatants": [{"name": "Rat", "hp": 1, "initiative": 1}]}));
    assert_eq!(fight["order"][0]["name"], "Rat", "no number: there never was another");
    table.record().is_sound();
}

#[test]
fn more_dice_than_a_call_may_roll_are_refused_before_one_falls() {
    let mut table = Table::with_party();
    let before = table.record().everything();
    for call in [
        json!({"rolls": vec![json!({"expression": "1000d6"}); 11]}),
        json!({"rolls": [{"expression": "1000d6"}], "count": 11}),
        json!({"rolls": [{"expression": "repeat(100d6, 10)"}], "count": 11}),
    ] {
        let refusal = table.call("roll_multiple", call).refused("limit_exceeded").clone();
        assert!(refusal["summary"].as_str().is_some_and(|text| text.contains("at most 10000")), "{refusal}");
    }
    assert_eq!(table.record().everything(), before);
}
