//! What a brief reply costs, and that it says what counts; and the short way of a fight beside the long one.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::table::{Table, with};

/// Calls with brief replies. Its bytes are those of the structured content, which is what clients show the model.
fn brief(table: &mut Table, tool: &str, call: Value) -> (Value, usize) {
    let answer = table.call(tool, with(call, json!({"detail": "brief"})));
    answer.is_fine();
    let bytes = answer.value().to_string().len();
    (answer.value().clone(), bytes)
}

/// The party before twelve, and Jory's turn.
fn crowd() -> Table {
    let mut table = Table::with_party();
    table.endless_dice(7);
    let wreckers = json!({"name": "Wrecker", "count": 10, "hp": 27, "attributes": {"STR": 12, "DEX": 12}});
    let start =
        json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 40}, {"name": "Sabeth"}, wreckers]});
    table.manage_combat(start).is_fine();
    table
}

#[test]
fn brief_replies_keep_to_their_budgets() {
    let mut table = crowd();
    let (roll, bytes) = brief(
        &mut table,
        "roll_dice",
        json!({"expression": "8d6+4", "context": "the ceiling comes down", "character": "Jory"}),
    );
    assert!(bytes <= 350 && roll["roll_id"].is_string() && roll["total"].is_i64(), "{bytes} {roll}");
    let check = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15, "context": "the harbour-master's lock", "advantage": true});
    let (check, bytes) = brief(&mut table, "skill_check", check);
    assert!(
        bytes <= 350 && ["outcome", "label", "margin"].iter().all(|field| !check[field].is_null()),
        "{bytes} {check}"
    );
    let attack =
        json!({"character": "Jory", "skill": "Melee", "target": "Wrecker 10", "damage": "1d12+2", "end_turn": true});
    let (attack, bytes) = brief(&mut table, "skill_check", attack);
    assert!(bytes <= 400 && attack["current"].is_string() && attack["round"].is_i64(), "{bytes} {attack}");
    let (turn, bytes) = brief(&mut table, "manage_combat", json!({"action": "next_turn"}));
    assert!(bytes <= 300 && turn["current"].is_string(), "{bytes} {turn}");
    let (status, bytes) = brief(&mut table, "manage_combat", json!({"action": "status"}));
    assert!(bytes <= 1200 && status["summary"].to_string().contains("Wrecker 10"), "{bytes} {status}");
    let (sheet, bytes) = brief(&mut table, "get_character", json!({"character": "Jory"}));
    assert!(bytes <= 500 && sheet["summary"].to_string().contains("Melee 3"), "{bytes} {sheet}");
}

#[test]
fn what_players_hear_is_said_once() {
    let mut table = Table::with_party();
    table.endless_dice(3);
    let open = brief(&mut table, "roll_dice", json!({"expression": "d20", "character": "Jory"})).0;
    assert_eq!((&open["players"], &open["player_text"]), (&json!("same"), &Value::Null));
    let secret = brief(&mut table, "roll_dice", json!({"expression": "d20", "visibility": "gm"})).0;
    assert_eq!((&secret["players"], &secret["player_text"]), (&json!("nothing"), &Value::Null));
    let blind = brief(&mut table, "roll_dice", json!({"expression": "d20", "visibility": "blind"})).0;
    assert_eq!((&blind["players"], &blind["player_text"]), (&Value::Null, &json!("Dice fall behind the screen.")));
}

#[test]
fn how_much_is_wanted_does_not_tell_two_requests_apart() {
    let mut table = Table::with_party();
    table.endless_dice(3);
    let call = json!({"expression": "d20", "request_id": "once"});
    let first = brief(&mut table, "roll_dice", call.clone()).0;
    let again = table.roll_dice(with(call, json!({"detail": "full"})));
    assert_eq!((&again["replayed"], &again["roll_id"]), (&json!(true), &first["roll_id"]));
    assert!(again["terms"].is_array(), "all of it is kept: {}", again.value());
}

/// One turn: at which foe, with which die.
type Turn = (usize, usize);

const DICE: [&str; 4] = ["1d6", "1d12+2", "2d4+1", "1d8-2"];

/// A fight of the party against three, each turn as `act` makes it.
fn fight(seed: u64, turns: &[Turn], act: impl Fn(&mut Table, &str, &str, &Turn)) -> Vec<Value> {
    let mut table = Table::with_party();
    table.endless_dice(seed);
    let wreckers = json!({"name": "Wrecker", "count": 3, "hp": 15, "attributes": {"STR": 12, "DEX": 12}});
    let start = json!({"action": "start", "combatants": [{"name": "Jory"}, {"name": "Sabeth"}, wreckers]});
    table.manage_combat(start).is_fine();
    for turn in turns {
        let status = table.manage_combat(json!({"action": "status"}));
        let places: Vec<Value> = status["order"].as_array().expect("an order").clone();
        let Some(current) = status["current"].as_str().map(str::to_owned) else { break };
        let side = places.iter().find(|own| own["name"] == *current).expect("is in it")["side"].clone();
        let others = places.iter().filter(|own| own["side"] != side && own["defeated"] != true);
        let mut names: Vec<String> = others.map(|own| own["name"].as_str().expect("a name").to_owned()).collect();
        names.sort();
        if names.is_empty() {
            break;
        }
        act(&mut table, &current, &names[turn.0 % names.len()], turn);
    }
    table.record().is_sound();
    table.record().bodies()
}

/// What may differ between the two ways: which call an entry belongs to, what links them, and words.
fn same_for_both(body: &Value) -> Value {
    let mut body = body.clone();
    let fields = body.as_object_mut().expect("an object");
    for name in ["call", "answer", "request_id", "at"] {
        fields.remove(name);
    }
    for roll in fields.get_mut("rolls").and_then(Value::as_array_mut).into_iter().flatten() {
        for name in ["roll_id", "nonce"] {
            roll.as_object_mut().expect("a roll").remove(name);
        }
    }
    let event = fields.get_mut("event").and_then(Value::as_object_mut).expect("an event");
    for name in ["check", "attack", "against", "by"] {
        if event["kind"] == "roll" || name != "check" {
            event.remove(name);
        }
    }
    body
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_short_way_writes_the_same_dice_steps_and_images(
        seed: u64,
        turns in prop::collection::vec((0usize..5, 0usize..DICE.len()), 1..12),
    ) {
        let long = fight(seed, &turns, |table, who, target, (_, dice)| {
            let check = table.skill_check(json!({"character": who, "skill": "Melee", "target": target}));
            if check["outcome"] == "success" {
                let roll = json!({"expression": DICE[*dice], "character": who, "context": "damage"});
                let seq = table.roll_dice(roll)["log"].clone();
                table.apply_damage(json!({"target": target, "roll": seq})).is_fine();
            }
            table.manage_combat(json!({"action": "next_turn"})).is_fine();
        });
        let short = fight(seed, &turns, |table, who, target, (_, dice)| {
            let blow = json!({"character": who, "skill": "Melee", "target": target, "damage": DICE[*dice], "end_turn": true});
            table.skill_check(blow).is_fine();
        });
        assert_eq!(long.len(), short.len());
        for (long, short) in long.iter().zip(&short) {
            assert_eq!(same_for_both(long), same_for_both(short));
        }
    }
}
