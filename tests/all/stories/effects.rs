//! Effects in a fight: how long they last, whose turns count them, what they do to checks, and which exclude one another.

use serde_json::{Value, json};

use crate::table::{Answer, Table, with};

fn fight(table: &mut Table) {
    table
        .manage_combat(json!({"action": "start", "combatants": [
            {"name": "Jory", "initiative": 20}, {"name": "Sabeth", "initiative": 15}, {"name": "Rat", "hp": 5, "initiative": 10},
        ]}))
        .is_fine();
}

fn next(table: &mut Table) -> Answer {
    table.manage_combat(json!({"action": "next_turn"}))
}

fn put(table: &mut Table, effect: Value) -> Answer {
    let call = with(json!({"action": "add_effect"}), effect);
    table.manage_combat(call)
}

fn conditions(answer: &Answer, name: &str) -> Value {
    let order = answer["order"].as_array().expect("an order");
    order.iter().find(|place| place["name"] == name).expect("in the fight")["conditions"].clone()
}

#[test]
fn an_effect_ends_at_the_start_or_end_of_the_turn_that_counts_it() {
    let mut table = Table::with_party();
    fight(&mut table);
    let begun = put(
        &mut table,
        json!({"name": "Blessed", "on": "Sabeth", "duration": "for 2 rounds", "anchor": "Jory", "ends": "start"}),
    );
    assert_eq!(begun["began"], json!(["blessed on Sabeth"]));
    assert_eq!(begun["player_text"], "blessed on Sabeth begins, 2 rounds.");
    assert_eq!(conditions(&begun, "Sabeth"), json!(["blessed (2 rounds)"]));
    put(&mut table, json!({"name": "Slowed", "on": "Rat", "duration": "for 1 round"})).is_fine();
    assert_eq!(next(&mut table)["current"], "Sabeth");
    assert_eq!(next(&mut table)["current"], "Rat");
    let over = next(&mut table);
    assert_eq!((&over["current"], &over["round"]), (&json!("Jory"), &json!(2)));
    assert_eq!(over["ended"], json!(["slowed on Rat"]), "at the end of the rat's turn");
    assert_eq!(conditions(&over, "Sabeth"), json!(["blessed (1 round)"]));
    assert_eq!(over["player_text"], "slowed on Rat ends. Round 2: Jory's turn.");
    for _ in 0..2 {
        assert_eq!(next(&mut table)["ended"], Value::Null);
    }
    assert_eq!(next(&mut table)["ended"], json!(["blessed on Sabeth"]), "at the second start of Jory's turn");

    let back = table.manage_combat(json!({"action": "previous_turn"}));
    assert_eq!((&back["current"], &back["round"]), (&json!("Rat"), &json!(2)));
    assert_eq!(back["began"], json!(["blessed on Sabeth"]), "it lasts on");
    assert_eq!(back["player_text"], "Jory's turn is taken back. blessed on Sabeth lasts on.");
    assert_eq!(next(&mut table)["ended"], json!(["blessed on Sabeth"]), "and is counted once");
    table.record().is_sound();
}

const DAZE: &str = "\
# Daze

## Dice
Roll 1d20 + modifiers against a difficulty.

## Attributes
- Nerve (NRV): all there is
- Range: 1 to 20

## Health
- Hit points: max 10
- Death marks: 3 boxes, full: gain Dead
- Damage: Hit points
- At 0 Hit points: gain Dying

## Conditions
- Shaken: -2 on checks, for 2 turns
- Dazed: disadvantage on checks, until start of source's turn
- Winded: -1 on checks, until end of fight
- Numb: -1 on checks, until end of bearer's next turn

## Combat
- Initiative: none said here
";

fn ann_and_ghoul() -> Table {
    let mut table = Table::of_rules(Some(DAZE));
    table.manage_character(json!({"action": "create", "name": "Ann", "attributes": {"NRV": 10}})).is_fine();
    table
        .manage_combat(json!({"action": "start", "combatants": [
            {"name": "Ann", "initiative": 5}, {"name": "Ghoul", "hp": 9, "initiative": 1, "attributes": {"NRV": 10}},
        ]}))
        .is_fine();
    table
}

#[test]
fn a_condition_of_the_rules_counts_in_checks_and_lasts_as_they_say() {
    let mut table = ann_and_ghoul();
    table.apply_damage(json!({"target": "Ghoul", "apply_conditions": ["Shaken"]})).is_fine();
    let begun = put(&mut table, json!({"name": "dazed", "on": "Ghoul"}));
    assert_eq!(conditions(&begun, "Ghoul"), json!(["Dazed (1 turn)", "Shaken (2 turns)"]), "as the rules declare them");
    next(&mut table).is_fine();
    let check = table.dice([15, 4]).skill_check(json!({"character": "Ghoul", "attribute": "NRV", "difficulty": 5}));
    assert_eq!(check["roll"]["total"], 2, "the lower die, and two less");
    let anns = next(&mut table);
    assert_eq!(anns["ended"], json!(["Dazed on Ghoul"]), "at the start of the turn of whoever caused it");
    next(&mut table).is_fine();
    assert_eq!(next(&mut table)["ended"], json!(["Shaken on Ghoul"]));
    table.apply_damage(json!({"target": "Ann", "apply_conditions": ["Winded"]})).is_fine();
    put(&mut table, json!({"name": "Warded", "on": "Ann", "duration": "for 9 rounds"})).is_fine();
    put(&mut table, json!({"name": "Marked", "on": "Ann"})).is_fine();
    let ended = table.manage_combat(json!({"action": "end"}));
    assert_eq!(ended["ended"], json!(["Winded on Ann", "warded on Ann"]), "not what nobody counts");
    table.record().is_sound();
}

#[test]
fn the_end_of_the_next_turn_is_not_the_end_of_this_one() {
    let mut table = ann_and_ghoul();
    for name in ["Ann", "Ghoul"] {
        table.apply_damage(json!({"target": name, "apply_conditions": ["Numb"]})).is_fine();
    }
    assert_eq!(next(&mut table)["ended"], Value::Null, "Ann's own turn is not her next");
    assert_eq!(next(&mut table)["ended"], json!(["Numb on Ghoul"]));
    assert_eq!(next(&mut table)["ended"], json!(["Numb on Ann"]));
    table.record().is_sound();
}

#[test]
fn whoever_concentrates_does_so_on_one_thing() {
    let mut table = Table::with_party();
    fight(&mut table);
    for on in ["Jory", "Sabeth"] {
        put(&mut table, json!({"name": "bless", "on": on, "duration": "for 10 rounds", "exclusive": "concentration"}))
            .is_fine();
    }
    let other =
        put(&mut table, json!({"name": "web", "on": "Rat", "exclusive": "concentration", "combatant": "Sabeth"}));
    assert_eq!(other["ended"], Value::Null, "somebody else's");
    let web =
        put(&mut table, json!({"name": "fog", "on": "Rat", "duration": "for 10 rounds", "exclusive": "Concentration"}));
    assert_eq!(web["ended"], json!(["bless on Sabeth", "bless on Jory"]));
    let gone = table.manage_combat(json!({"action": "remove_effect", "name": "Fog"}));
    assert_eq!(gone["ended"], json!(["fog on Rat"]));
    table.manage_combat(json!({"action": "remove_effect", "name": "wep", "on": "Rat"})).refused("unknown_effect");
    put(&mut table, json!({"name": "fog", "on": "Rat", "duration": "a while"})).refused("invalid_parameters");
    put(&mut table, json!({"name": "fog", "on": "Rat", "ends": "start"})).refused("invalid_parameters");
    put(&mut table, json!({"on": "Rat"})).refused("missing_value");
    table.record().is_sound();
}

#[test]
fn a_round_without_a_turn_counts_rounds_and_not_turns() {
    let mut table = Table::with_party();
    fight(&mut table);
    put(&mut table, json!({"name": "fear", "on": "Jory", "duration": "for 2 rounds", "anchor": "Rat"})).is_fine();
    put(&mut table, json!({"name": "grip", "on": "Jory", "duration": "for 1 turn", "anchor": "Rat"})).is_fine();
    table.manage_combat(json!({"action": "defeat", "combatant": "Rat"})).is_fine();
    next(&mut table).is_fine();
    let second = next(&mut table);
    assert_eq!(conditions(&second, "Jory"), json!(["fear (1 round)", "grip (1 turn)"]));
    next(&mut table).is_fine();
    assert_eq!(next(&mut table)["ended"], json!(["fear on Jory"]));
    let left = table.manage_combat(json!({"action": "remove", "combatant": "Rat"}));
    assert_eq!(left["ended"], json!(["grip on Jory"]), "nobody is left who counts it");
    table.record().is_sound();
}

#[test]
fn death_saves_are_a_track_like_any_other() {
    let mut table = ann_and_ghoul();
    let down = table.apply_damage(json!({"target": "Ann", "amount": 10}));
    assert_eq!((&down["conditions"], &down["incapacitated"]), (&json!(["dying"]), &json!(true)));
    for mark in 1..=2 {
        let failed = table.apply_damage(json!({"target": "Ann", "track": "Death marks", "amount": 1}));
        assert_eq!((&failed["tracks"][0]["after"], &failed["conditions"]), (&json!(mark), &json!(["dying"])));
    }
    let third = table.apply_damage(json!({"target": "Ann", "track": "Death marks", "amount": 1}));
    assert_eq!(third["conditions"], json!(["dead", "dying"]));
    table.record().is_sound();
}

#[test]
fn an_effect_is_put_on_several_and_ended_on_several_in_one_call() {
    let mut table = Table::with_party();
    fight(&mut table);
    let begun = put(
        &mut table,
        json!({"name": "bless", "on": ["Jory", "Sabeth"], "combatant": "Sabeth", "duration": "for 10 rounds", "exclusive": "concentration"}),
    );
    assert_eq!(begun["began"], json!(["bless on Jory", "bless on Sabeth"]));
    let other = json!({"name": "haste", "on": "players", "combatant": "Sabeth", "exclusive": "concentration"});
    let other = put(&mut table, other);
    assert_eq!(other["ended"], json!(["bless on Sabeth", "bless on Jory"]), "each once");
    table.manage_combat(json!({"action": "add_effect", "name": "soaked", "on": "Jory"})).is_fine();
    let off = table.manage_combat(json!({"action": "remove_effect", "name": "soaked", "on": "party"}));
    assert_eq!(off["ended"], json!(["soaked on Jory"]), "of a side, on those who have it");
    let off = table.manage_combat(json!({"action": "remove_effect", "name": "haste", "on": ["Sabeth", "Jory"]}));
    assert_eq!(off["ended"].as_array().map(Vec::len), Some(2));
    let taken = table.manage_session(json!({"action": "undo"}));
    assert!(taken.is_fine()["summary"].as_str().unwrap().contains("haste"), "{}", taken.value());
    table.record().is_sound();
}

#[test]
fn of_several_bearers_every_fault_is_told_and_nothing_is_changed() {
    let mut table = Table::with_party();
    fight(&mut table);
    put(&mut table, json!({"name": "soaked", "on": "Rat"})).is_fine();
    let before = table.record().everything();
    let faults = |answer: &Answer| answer.value()["summary"].as_str().unwrap().to_owned();
    for (call, parts) in [
        (
            json!({"action": "add_effect", "name": "wet", "on": ["Jory", "Nobody", "Nobodi"]}),
            vec!["\"Nobody\"", "\"Nobodi\""],
        ),
        (
            json!({"action": "remove_effect", "name": "soaked", "on": ["Jory", "Rat", "Sabeth"]}),
            vec!["Jory does not", "Sabeth does not"],
        ),
        (json!({"action": "add_effect", "name": "wet", "on": []}), vec!["names nobody"]),
    ] {
        let refused = table.manage_combat(call.clone());
        assert!(refused.is_refused(), "{call}");
        for part in parts {
            assert!(faults(&refused).contains(part), "{part}: {}", faults(&refused));
        }
    }
    for (call, parts) in [
        (
            json!({"action": "add_condition", "condition": "prone", "on": ["Jory", "Nobody", "Nobodi"]}),
            vec!["\"Nobody\"", "\"Nobodi\""],
        ),
        (
            json!({"action": "remove_condition", "condition": "soaked", "on": ["Jory", "Rat", "Sabeth"]}),
            vec!["Jory", "Sabeth"],
        ),
        (json!({"action": "add_condition", "condition": "prone", "on": "Jory", "character": "Rat"}), vec!["on alone"]),
        (json!({"action": "update", "on": "Jory", "character": "Rat"}), vec!["update does not take this: on"]),
    ] {
        let refused = table.manage_character(call.clone());
        assert!(refused.is_refused(), "{call}");
        for part in parts {
            assert!(faults(&refused).contains(part), "{part}: {}", faults(&refused));
        }
    }
    assert_eq!(table.record().everything(), before);
}

#[test]
fn a_condition_is_put_on_several_and_taken_from_several_in_one_call() {
    let mut table = Table::with_party();
    let call = json!({"action": "add_condition", "condition": "soaked", "free": true, "on": ["Jory", "Sabeth"]});
    let put = table.manage_character(call);
    assert_eq!(put["character"], "Jory, Sabeth");
    let fields: Vec<&Value> = put["changed"].as_array().unwrap().iter().map(|own| &own["field"]).collect();
    assert_eq!(fields, ["Jory: condition", "Sabeth: condition"]);
    table.manage_character(json!({"action": "remove_condition", "condition": "soaked", "character": "Jory"})).is_fine();
    let off = table.manage_character(json!({"action": "remove_condition", "condition": "soaked", "on": "party"}));
    assert_eq!(off["character"], "Sabeth", "of a side, from those who have it");
    table.record().is_sound();
}
