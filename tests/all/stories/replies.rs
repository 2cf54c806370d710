//! Full replies with every die and source, and brief ones, with what they cost.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::table::{Answer, Table, each, with};

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
    assert!(
        roll["rng"]["source"].is_string() && roll["rng"]["nonce"].is_string(),
        "{roll}"
    );
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
    let call =
        json!({"expression": "3d6r1!kh2 + 2", "context": "the fall", "request_id": "fall-1"});
    let rolled = table.dice([1, 6, 4, 3, 2]).roll_dice(call);
    assert_full(rolled.value());
    let expected = json!(["fall-1", "3d6r1!kh2 + 2", "the fall"]);
    assert_eq!(
        json!([rolled["request_id"], rolled["input"], rolled["context"]]),
        expected
    );
    for name in ["normalized_expression", "operation"] {
        assert_eq!(rolled[name], rolled["expression"]);
    }
    let expected = json!([
        {"die": 1, "sides": 6, "rolls": [1, 6], "value": 6, "kept": true, "special": "rerolled, exploded"},
        {"die": 2, "sides": 6, "rolls": [4], "value": 4, "kept": true, "special": "extra"},
        {"die": 3, "sides": 6, "rolls": [3], "value": 3, "kept": false, "special": null},
        {"die": 4, "sides": 6, "rolls": [2], "value": 2, "kept": false, "special": null},
    ]);
    assert_eq!(rolled["dice"], expected);
    assert_eq!(
        (&rolled["total_dice"], &rolled["total"]),
        (&Value::Null, &json!(12))
    );
    assert_eq!(
        rolled["parameters"],
        json!({"expression": "3d6r1!kh2 + 2", "context": "the fall"})
    );
    let structured = table
        .dice([8, 3])
        .roll_dice(json!({"dice_count": 2, "dice_sides": 10, "target_number": 7}));
    assert_eq!(
        structured["parameters"],
        json!({"dice_count": 2, "dice_sides": 10, "target_number": 7})
    );
    assert_eq!(
        (&structured["total_dice"], &structured["successes"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(
        structured["request_id"], structured["roll_id"],
        "it has one in any case"
    );
    let brief = table
        .dice([3])
        .roll_dice(json!({"expression": "d6", "detail": "brief"}));
    assert!(
        brief["parameters"].is_null() && brief["dice"].is_null(),
        "{}",
        brief.value()
    );
}

#[test]
fn every_tool_that_rolls_shows_its_rolls_in_full() {
    let mut table = Table::with_party();
    let set = table.dice([3, 5]).call(
        "roll_multiple",
        json!({"rolls": [{"expression": "d6"}, {"expression": "d8"}]}),
    );
    each(&set["rolls"]).for_each(assert_full);
    assert_eq!(set["rolls"][1]["input"], "d8");
    let check = table
        .dice([13])
        .skill_check(json!({"skill": "Lockpicking", "difficulty": 15, "character": "Sabeth"}));
    assert_full(&check["roll"]);
    assert_eq!(check["roll"]["context"], "Lockpicking");
    assert_eq!(
        check["parameters"],
        json!({"skill": "Lockpicking", "difficulty": 15, "character": "Sabeth"})
    );
    let fight =
        json!({"action": "start", "combatants": [{"name": "Jory"}, {"name": "Rat", "hp": 5}]});
    let begun = table.dice([12, 3]).manage_combat(fight);
    assert_eq!(begun["rolls"].as_array().map(Vec::len), Some(2));
    each(&begun["rolls"]).for_each(assert_full);
    assert_eq!(begun["rolls"][0]["context"], "initiative");
    let hurt = table
        .dice([2])
        .apply_damage(json!({"target": "Rat", "amount": "1d4"}));
    assert_full(&hurt["rolls"][0]);
    let call = json!({"action": "create", "name": "Wat", "kind": "npc", "roll_attributes": "3d6"});
    let made = table.dice([3; 18]).manage_character(call);
    assert_eq!(made["rolls"].as_array().map(Vec::len), Some(6));
    each(&made["rolls"]).for_each(assert_full);
}

#[test]
fn rolls_beyond_those_that_are_listed_are_counted_and_long_parameters_are_cut() {
    let mut table = Table::with_party();
    let fight = json!({"action": "start", "combatants": [{"name": "Rat", "hp": 5, "count": 45, "side": "foes"}]});
    let begun = table.dice([3; 45]).manage_combat(fight);
    let listed = begun["rolls"].as_array().map(Vec::len);
    assert_eq!((listed, &begun["rolls_left_out"]), (Some(40), &json!(5)));
    let brief = table
        .dice([2])
        .apply_damage(json!({"target": "Rat 1", "amount": "1d4", "detail": "brief"}));
    assert!(
        brief["rolls"].is_null() && brief["rolls_left_out"].is_null(),
        "{}",
        brief.value()
    );
    let hurt = table
        .dice([2])
        .apply_damage(json!({"target": "Rat 1", "amount": "1d4"}));
    assert_eq!(
        (
            hurt["rolls"].as_array().map(Vec::len),
            &hurt["rolls_left_out"]
        ),
        (Some(1), &Value::Null)
    );
    let notes = "A long life. ".repeat(290);
    let made = table.manage_character(
        json!({"action": "create", "name": "Wat", "kind": "npc", "notes": notes}),
    );
    let echoed = made["parameters"]["notes"].as_str().expect("notes");
    assert!(
        echoed.len() < 400 && echoed.ends_with("… (3770 bytes)"),
        "{echoed}"
    );
}

#[test]
fn an_entry_is_had_in_full_later_by_its_number() {
    let mut table = Table::with_party();
    let roll = table
        .dice([6, 2])
        .roll_dice(json!({"expression": "2d6+1", "context": "the dive", "character": "Jory"}));
    let later = entry(&mut table, &roll["log"], "gm");
    for name in FIELDS
        .into_iter()
        .chain(["roll_id", "modifiers", "summary", "player_text", "log"])
    {
        assert_eq!(later[name], roll[name], "{name}");
    }
    assert_eq!(
        (&later["kind"], &later["actor"]),
        (&json!("roll"), &json!("Jory"))
    );
    let brief =
        table.manage_session(json!({"action": "entry", "entry": roll["log"], "detail": "brief"}));
    assert_eq!(brief["dice"], roll["dice"], "it is what was asked for");

    let set = table.dice([3, 5]).call(
        "roll_multiple",
        json!({"rolls": [{"expression": "d6"}, {"expression": "d8"}]}),
    );
    let later = entry(&mut table, &set["log"], "gm");
    assert_eq!(
        (&later["rolls"], &later["totals"]),
        (&set["rolls"], &set["totals"])
    );

    let check = table
        .dice([13])
        .skill_check(json!({"skill": "Lockpicking", "difficulty": 15, "character": "Sabeth"}));
    let later = entry(&mut table, &check["log"], "gm");
    for name in [
        "roll",
        "outcome",
        "label",
        "margin",
        "difficulty",
        "modifiers",
        "check",
        "skill",
        "character",
    ] {
        assert_eq!(later[name], check[name], "{name}");
    }
    let hurt = table.apply_damage(json!({"target": "Jory", "amount": 3, "reason": "a fall"}));
    let later = entry(&mut table, &hurt["log"], "gm");
    for name in [
        "target",
        "amount",
        "steps",
        "tracks",
        "triggers",
        "incapacitated",
    ] {
        assert_eq!(later[name], hurt[name], "{name}");
    }
    table
        .manage_session(json!({"action": "entry"}))
        .refused("invalid_parameters");
    table
        .manage_session(json!({"action": "entry", "entry": 999}))
        .refused("unknown_entry");
    table
        .manage_session(json!({"action": "entry", "entry": 0}))
        .refused("unknown_entry");
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
    let secret = table
        .dice([17])
        .roll_dice(json!({"expression": "d20", "context": "the reeve lies", "visibility": "gm"}));
    let seen = entry(&mut table, &secret["log"], "player");
    assert_eq!(seen["summary"], "Players see nothing of it.");
    assert!(
        !besides_when(seen.value()).contains("17") && seen["kind"].is_null(),
        "{}",
        seen.value()
    );
    // Once it was opened they see it.
    table
        .manage_session(json!({"action": "reveal", "entry": secret["log"]}))
        .is_fine();
    let seen = entry(&mut table, &secret["log"], "player");
    let summary = seen["summary"].as_str().expect("text");
    assert!(
        summary.starts_with("Opened")
            && summary.contains("the reeve lies")
            && summary.contains("[17]"),
        "{summary}"
    );
    assert_eq!(
        json!([seen["kind"], seen["visibility"], seen["rolls"][0]["total"]]),
        json!(["roll", "revealed", 17])
    );
    let blind = table.dice([17]).roll_dice(
        json!({"expression": "d20", "context": "the reeve lies", "visibility": "blind"}),
    );
    let seen = entry(&mut table, &blind["log"], "player");
    assert_eq!(
        (&seen["summary"], &seen["rolls"]),
        (&blind["player_text"], &json!([]))
    );
    let text = besides_when(seen.value());
    assert!(!text.contains("reeve") && !text.contains("17"), "{text}");
    let open = table
        .dice([9])
        .roll_dice(json!({"expression": "d20", "character": "Jory"}));
    let seen = entry(&mut table, &open["log"], "player");
    assert_full(&seen["rolls"][0]);
    assert!(
        seen["log"].is_null() && seen["parameters"].is_null(),
        "{}",
        seen.value()
    );
    // A foe's armour is a number of its sheet.
    table.start(json!([
        {"name": "Jory", "initiative": 20}, {"name": "Rat", "hp": 5, "initiative": 10, "attributes": {"DEX": 12}},
    ]));
    let hit = table.apply_damage(json!({"target": "Rat", "amount": 2}));
    let seen = entry(&mut table, &hit["log"], "player");
    assert_eq!(seen["summary"], hit["player_text"]);
    assert!(
        seen["amount"].is_null() && seen["tracks"].is_null(),
        "{}",
        seen.value()
    );
}

// What a brief reply costs, and that it says what counts; and the short way of a fight beside the
// long one.

/// Calls with brief replies. Its bytes are those of the structured content, which is what clients
/// show the model.
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
    let wreckers =
        json!({"name": "Wrecker", "count": 10, "hp": 27, "attributes": {"STR": 12, "DEX": 12}});
    table.start(json!([{"name": "Jory", "initiative": 40}, {"name": "Sabeth"}, wreckers]));
    table
}

#[test]
fn brief_replies_keep_to_their_budgets() {
    let mut table = crowd();
    let call =
        json!({"expression": "8d6+4", "context": "the ceiling comes down", "character": "Jory"});
    let (roll, bytes) = brief(&mut table, "roll_dice", call);
    assert!(
        bytes <= 350 && roll["roll_id"].is_string() && roll["total"].is_i64(),
        "{bytes} {roll}"
    );
    let check = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15, "context": "the harbour-master's lock", "advantage": true});
    let (check, bytes) = brief(&mut table, "skill_check", check);
    assert!(
        bytes <= 350
            && ["outcome", "label", "margin"]
                .iter()
                .all(|field| !check[field].is_null()),
        "{bytes} {check}"
    );
    let attack = json!({"character": "Jory", "skill": "Melee", "target": "Wrecker 10", "damage": "1d12+2", "end_turn": true});
    let (attack, bytes) = brief(&mut table, "skill_check", attack);
    assert!(
        bytes <= 400 && attack["current"].is_string() && attack["round"].is_i64(),
        "{bytes} {attack}"
    );
    let (turn, bytes) = brief(&mut table, "manage_combat", json!({"action": "next_turn"}));
    assert!(
        bytes <= 300 && turn["current"].is_string(),
        "{bytes} {turn}"
    );
    let (status, bytes) = brief(&mut table, "manage_combat", json!({"action": "status"}));
    assert!(
        bytes <= 1200 && status["summary"].to_string().contains("Wrecker 10"),
        "{bytes} {status}"
    );
    let (sheet, bytes) = brief(&mut table, "get_character", json!({"character": "Jory"}));
    assert!(
        bytes <= 500 && sheet["summary"].to_string().contains("Melee 3"),
        "{bytes} {sheet}"
    );
}

#[test]
fn what_players_hear_is_reported_once() {
    let mut table = Table::with_party();
    table.endless_dice(3);
    let open = brief(
        &mut table,
        "roll_dice",
        json!({"expression": "d20", "character": "Jory"}),
    )
    .0;
    assert_eq!(
        (&open["players"], &open["player_text"]),
        (&json!("same"), &Value::Null)
    );
    let secret = brief(
        &mut table,
        "roll_dice",
        json!({"expression": "d20", "visibility": "gm"}),
    )
    .0;
    assert_eq!(
        (&secret["players"], &secret["player_text"]),
        (&json!("nothing"), &Value::Null)
    );
    let blind = brief(
        &mut table,
        "roll_dice",
        json!({"expression": "d20", "visibility": "blind"}),
    )
    .0;
    assert_eq!(
        (&blind["players"], &blind["player_text"]),
        (&Value::Null, &json!("Dice fall behind the screen."))
    );
}

#[test]
fn how_much_is_wanted_does_not_tell_two_requests_apart() {
    let mut table = Table::with_party();
    table.endless_dice(3);
    let call = json!({"expression": "d20", "request_id": "once"});
    let first = brief(&mut table, "roll_dice", call.clone()).0;
    let again = table.roll_dice(with(call, json!({"detail": "full"})));
    assert_eq!(
        (&again["replayed"], &again["roll_id"]),
        (&json!(true), &first["roll_id"])
    );
    assert!(
        again["terms"].is_array(),
        "all of it is kept: {}",
        again.value()
    );
}

/// One turn: at which foe, with which die.
type Turn = (usize, usize);

const DICE: [&str; 4] = ["1d6", "1d12+2", "2d4+1", "1d8-2"];

/// A fight of the party against three, each turn as `act` makes it.
fn fight(seed: u64, turns: &[Turn], act: impl Fn(&mut Table, &str, &str, &Turn)) -> Vec<Value> {
    let mut table = Table::with_party();
    table.endless_dice(seed);
    let wreckers =
        json!({"name": "Wrecker", "count": 3, "hp": 15, "attributes": {"STR": 12, "DEX": 12}});
    table.start(json!([{"name": "Jory"}, {"name": "Sabeth"}, wreckers]));
    for turn in turns {
        let status = table.manage_combat(json!({"action": "status"}));
        let places: Vec<Value> = status["order"].as_array().expect("an order").clone();
        let Some(current) = status["current"].as_str().map(str::to_owned) else {
            break;
        };
        let side = places
            .iter()
            .find(|place| place["name"] == *current)
            .expect("is in it")["side"]
            .clone();
        let others = places
            .iter()
            .filter(|place| place["side"] != side && place["defeated"] != true);
        let mut names: Vec<String> = others
            .map(|place| place["name"].as_str().expect("a name").to_owned())
            .collect();
        names.sort();
        if names.is_empty() {
            break;
        }
        act(&mut table, &current, &names[turn.0 % names.len()], turn);
    }
    table.record().is_sound();
    table.record().bodies()
}

/// What may differ between the two ways: which call an entry belongs to, what links them, and
/// words.
fn same_for_both(body: &Value) -> Value {
    let mut body = body.clone();
    let fields = body.as_object_mut().expect("an object");
    for name in ["call", "answer", "request_id", "at"] {
        fields.remove(name);
    }
    for roll in fields
        .get_mut("rolls")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        for name in ["roll_id", "nonce"] {
            roll.as_object_mut().expect("a roll").remove(name);
        }
    }
    let event = fields
        .get_mut("event")
        .and_then(Value::as_object_mut)
        .expect("an event");
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
            let hit = json!({"character": who, "skill": "Melee", "target": target, "damage": DICE[*dice], "end_turn": true});
            table.skill_check(hit).is_fine();
        });
        assert_eq!(long.len(), short.len());
        for (long, short) in long.iter().zip(&short) {
            assert_eq!(same_for_both(long), same_for_both(short));
        }
    }

    #[test]
    fn turns_in_one_call_write_what_calls_of_their_own_do(
        seed: u64,
        turns in prop::collection::vec((0usize..5, 0usize..DICE.len()), 1..20),
    ) {
        let sent = std::cell::RefCell::new(Vec::new());
        let single = fight(seed, &turns, |table, who, target, (_, dice)| {
            let hit = json!({"character": who, "skill": "Melee", "target": target, "damage": DICE[*dice]});
            table.skill_check(with(hit.clone(), json!({"end_turn": true}))).is_fine();
            sent.borrow_mut().push(hit);
        });
        let sent = sent.into_inner();
        let together = fight(seed, &turns[..sent.len().min(1)], |table, _, _, _| {
            for turns in sent.chunks(12) {
                let taken = table.skill_check(json!({"turns": turns}));
                assert_eq!(taken["left"], Value::Null);
            }
        });
        let bare = |body: &Value| {
            let call = body["call"].clone();
            (call, same_for_both(body))
        };
        let [single, together] = [single, together].map(|all| all.iter().map(bare).collect::<Vec<_>>());
        assert_eq!(single, together);
    }
}
