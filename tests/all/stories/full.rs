//! Full replies: every die and every source of a number, when the call is made and later by the entry's number.

use serde_json::{Value, json};

use crate::table::{Answer, Table};

/// What a full reply says of each roll.
const FIELDS: [&str; 15] = [
    "request_id",
    "timestamp",
    "input",
    "expression",
    "normalized_expression",
    "rng",
    "terms",
    "explanation",
    "operation",
    "description",
    "total",
    "dice",
    "individual_rolls",
    "visibility",
    "visible",
];

fn assert_full(roll: &Value) {
    for name in FIELDS {
        assert!(!roll[name].is_null(), "{name} is missing: {roll}");
    }
    assert!(roll["rng"]["source"].is_string() && roll["rng"]["nonce"].is_string(), "{roll}");
    for die in roll["dice"].as_array().unwrap() {
        for name in ["die", "sides", "rolls", "value", "kept"] {
            assert!(!die[name].is_null(), "{name} is missing: {die}");
        }
    }
}

fn entry(table: &mut Table, number: &Value, audience: &str) -> Answer {
    table.manage_session(json!({"action": "entry", "entry": number, "audience": audience}))
}

#[test]
fn a_full_roll_says_what_was_asked_and_what_became_of_each_die() {
    let mut table = Table::with_party();
    let call = json!({"expression": "3d6r1!kh2 + 2", "context": "the fall", "request_id": "fall-1"});
    let rolled = table.dice([1, 6, 4, 3, 2]).roll_dice(call);
    assert_full(rolled.value());
    assert_eq!(
        (&rolled["request_id"], &rolled["input"], &rolled["context"]),
        (&json!("fall-1"), &json!("3d6r1!kh2 + 2"), &json!("the fall"))
    );
    for name in ["normalized_expression", "operation"] {
        assert_eq!(rolled[name], rolled["expression"]);
    }
    assert_eq!(
        rolled["dice"],
        json!([
            {"die": 1, "sides": 6, "rolls": [1, 6], "value": 6, "kept": true, "special": "rerolled, exploded"},
            {"die": 2, "sides": 6, "rolls": [4], "value": 4, "kept": true, "special": "extra"},
            {"die": 3, "sides": 6, "rolls": [3], "value": 3, "kept": false, "special": null},
            {"die": 4, "sides": 6, "rolls": [2], "value": 2, "kept": false, "special": null},
        ])
    );
    assert_eq!((&rolled["total_dice"], &rolled["total"]), (&Value::Null, &json!(12)));
    assert_eq!(rolled["parameters"], json!({"expression": "3d6r1!kh2 + 2", "context": "the fall"}));
    let structured = table.dice([8, 3]).roll_dice(json!({"dice_count": 2, "dice_sides": 10, "target_number": 7}));
    assert_eq!(structured["parameters"], json!({"dice_count": 2, "dice_sides": 10, "target_number": 7}));
    assert_eq!((&structured["total_dice"], &structured["successes"]), (&json!(2), &json!(1)));
    assert_eq!(structured["request_id"], structured["roll_id"], "it has one in any case");
    let brief = table.dice([3]).roll_dice(json!({"expression": "d6", "detail": "brief"}));
    assert!(brief["parameters"].is_null() && brief["dice"].is_null(), "{}", brief.value());
}

#[test]
fn every_tool_that_rolls_shows_its_rolls_in_full() {
    let mut table = Table::with_party();
    let set = table.dice([3, 5]).call("roll_multiple", json!({"rolls": [{"expression": "d6"}, {"expression": "d8"}]}));
    set["rolls"].as_array().unwrap().iter().for_each(assert_full);
    assert_eq!(set["rolls"][1]["input"], "d8");
    let check = table.dice([13]).skill_check(json!({"skill": "Lockpicking", "difficulty": 15, "character": "Sabeth"}));
    assert_full(&check["roll"]);
    assert_eq!(check["roll"]["context"], "Lockpicking");
    assert_eq!(check["parameters"], json!({"skill": "Lockpicking", "difficulty": 15, "character": "Sabeth"}));
    let fight = json!({"action": "start", "combatants": [{"name": "Jory"}, {"name": "Rat", "hp": 5}]});
    let begun = table.dice([12, 3]).manage_combat(fight);
    assert_eq!(begun["rolls"].as_array().map(Vec::len), Some(2));
    begun["rolls"].as_array().unwrap().iter().for_each(assert_full);
    assert_eq!(begun["rolls"][0]["context"], "initiative");
    let hurt = table.dice([2]).apply_damage(json!({"target": "Rat", "amount": "1d4"}));
    assert_full(&hurt["rolls"][0]);
    let call = json!({"action": "create", "name": "Wat", "kind": "npc", "roll_attributes": "3d6"});
    let made = table.dice([3; 18]).manage_character(call);
    assert_eq!(made["rolls"].as_array().map(Vec::len), Some(6));
    made["rolls"].as_array().unwrap().iter().for_each(assert_full);
}

#[test]
fn rolls_beyond_those_that_are_listed_are_counted_and_long_parameters_are_cut() {
    let mut table = Table::with_party();
    let fight = json!({"action": "start", "combatants": [{"name": "Rat", "hp": 5, "count": 45, "side": "foes"}]});
    let begun = table.dice([3; 45]).manage_combat(fight);
    let listed = begun["rolls"].as_array().map(Vec::len);
    assert_eq!((listed, &begun["rolls_left_out"]), (Some(40), &json!(5)));
    let brief = table.dice([2]).apply_damage(json!({"target": "Rat 1", "amount": "1d4", "detail": "brief"}));
    assert!(brief["rolls"].is_null() && brief["rolls_left_out"].is_null(), "{}", brief.value());
    let hurt = table.dice([2]).apply_damage(json!({"target": "Rat 1", "amount": "1d4"}));
    assert_eq!((hurt["rolls"].as_array().map(Vec::len), &hurt["rolls_left_out"]), (Some(1), &Value::Null));
    let notes = "A long life. ".repeat(290);
    let made = table.manage_character(json!({"action": "create", "name": "Wat", "kind": "npc", "notes": notes}));
    let echoed = made["parameters"]["notes"].as_str().expect("notes");
    assert!(echoed.len() < 400 && echoed.ends_with("… (3770 bytes)"), "{echoed}");
}

#[test]
fn an_entry_is_had_in_full_later_by_its_number() {
    let mut table = Table::with_party();
    let roll = table.dice([6, 2]).roll_dice(json!({"expression": "2d6+1", "context": "the dive", "character": "Jory"}));
    let later = entry(&mut table, &roll["log"], "gm");
    for name in FIELDS.into_iter().chain(["roll_id", "modifiers", "summary", "player_text", "log"]) {
        assert_eq!(later[name], roll[name], "{name}");
    }
    assert_eq!((&later["kind"], &later["actor"]), (&json!("roll"), &json!("Jory")));
    let sent = json!({"expression": "2d6+1", "context": "the dive", "character": "Jory", "visibility": "public"});
    assert_eq!(later["parameters"], sent);
    let brief = table.manage_session(json!({"action": "entry", "entry": roll["log"], "detail": "brief"}));
    assert_eq!(brief["dice"], roll["dice"], "it is what was asked for");

    let set = table.dice([3, 5]).call("roll_multiple", json!({"rolls": [{"expression": "d6"}, {"expression": "d8"}]}));
    let later = entry(&mut table, &set["log"], "gm");
    assert_eq!((&later["rolls"], &later["totals"]), (&set["rolls"], &set["totals"]));

    let check = table.dice([13]).skill_check(json!({"skill": "Lockpicking", "difficulty": 15, "character": "Sabeth"}));
    let later = entry(&mut table, &check["log"], "gm");
    for name in ["roll", "outcome", "label", "margin", "difficulty", "modifiers", "check", "skill", "character"] {
        assert_eq!(later[name], check[name], "{name}");
    }
    let hurt = table.apply_damage(json!({"target": "Jory", "amount": 3, "reason": "a fall"}));
    let later = entry(&mut table, &hurt["log"], "gm");
    for name in ["target", "amount", "steps", "tracks", "triggers", "incapacitated"] {
        assert_eq!(later[name], hurt[name], "{name}");
    }
    table.manage_session(json!({"action": "entry"})).refused("invalid_parameters");
    table.manage_session(json!({"action": "entry", "entry": 999})).refused("unknown_entry");
    table.manage_session(json!({"action": "entry", "entry": 0})).refused("unknown_entry");
}

/// All of an answer but when it was written, whose digits are the clock's.
fn besides_when(seen: &Value) -> String {
    let mut seen = seen.clone();
    seen.as_object_mut().expect("an answer").remove("timestamp");
    seen.to_string()
}

#[test]
fn of_an_entry_players_get_what_they_saw() {
    let mut table = Table::with_party();
    let secret =
        table.dice([17]).roll_dice(json!({"expression": "d20", "context": "the reeve lies", "visibility": "gm"}));
    let seen = entry(&mut table, &secret["log"], "player");
    assert_eq!(seen["summary"], "Players see nothing of it.");
    assert!(!besides_when(seen.value()).contains("17") && seen["kind"].is_null(), "{}", seen.value());
    // Once it was opened they see it.
    table.manage_session(json!({"action": "reveal", "entry": secret["log"]})).is_fine();
    let seen = entry(&mut table, &secret["log"], "player");
    let told = seen["summary"].as_str().expect("text");
    assert!(told.starts_with("Opened") && told.contains("the reeve lies") && told.contains("[17]"), "{told}");
    assert_eq!(
        (&seen["kind"], &seen["visibility"], &seen["rolls"][0]["total"]),
        (&json!("roll"), &json!("revealed"), &json!(17))
    );
    let blind =
        table.dice([17]).roll_dice(json!({"expression": "d20", "context": "the reeve lies", "visibility": "blind"}));
    let seen = entry(&mut table, &blind["log"], "player");
    assert_eq!((&seen["summary"], &seen["rolls"]), (&blind["player_text"], &json!([])));
    let told = besides_when(seen.value());
    assert!(!told.contains("reeve") && !told.contains("17"), "{told}");
    let open = table.dice([9]).roll_dice(json!({"expression": "d20", "character": "Jory"}));
    let seen = entry(&mut table, &open["log"], "player");
    assert_full(&seen["rolls"][0]);
    assert!(seen["log"].is_null() && seen["parameters"].is_null(), "{}", seen.value());
    // A foe's armour is a number of its sheet.
    let fight = json!({"action": "start", "combatants": [
        {"name": "Jory", "initiative": 20}, {"name": "Rat", "hp": 5, "initiative": 10, "attributes": {"DEX": 12}},
    ]});
    table.manage_combat(fight).is_fine();
    let hit = table.apply_damage(json!({"target": "Rat", "amount": 2}));
    let seen = entry(&mut table, &hit["log"], "player");
    assert_eq!(seen["summary"], hit["player_text"]);
    assert!(seen["amount"].is_null() && seen["tracks"].is_null(), "{}", seen.value());
}
