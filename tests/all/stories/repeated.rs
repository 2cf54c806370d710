//! A call that is sent twice, and one whose answer got lost.

use serde_json::{Value, json};

use crate::table::Table;

#[test]
fn the_same_request_id_acts_once_and_answers_the_same() {
    let mut table = Table::with_party();
    let call = json!({"expression": "2d6", "character": "Jory", "request_id": "turn 3, boat hook"});
    let first = table.dice([5, 6]).roll_dice(call.clone()).value().clone();
    let before = table.record().everything();
    for round in 0..2 {
        let mut again = table.roll_dice(call.clone()).value().clone();
        assert_eq!(again["replayed"], true);
        again.as_object_mut().expect("an object").remove("replayed");
        assert_eq!(again, first);
        assert_eq!(table.record().everything(), before, "no die was rolled, nothing was written");
        if round == 0 {
            table.restart();
        }
    }
}

#[test]
fn the_same_request_id_for_something_else_is_refused() {
    let mut table = Table::with_party();
    table.dice([5]).roll_dice(json!({"expression": "d6", "request_id": "one"})).is_fine();
    let before = table.record().everything();
    table.roll_dice(json!({"expression": "d8", "request_id": "one"})).refused("request_id_conflict");
    table.apply_damage(json!({"target": "Jory", "amount": 1, "request_id": "one"})).refused("request_id_conflict");
    assert_eq!(table.record().everything(), before);
    table.dice([5]).roll_dice(json!({"expression": "d8", "request_id": "two"})).is_fine();
    table.dice([5]).roll_dice(json!({"expression": "d8", "request_id": "one", "campaign": "Thursday"})).is_fine();
}

#[test]
fn a_refusal_is_not_kept_so_the_mended_call_may_use_its_id() {
    let mut table = Table::with_party();
    table.roll_dice(json!({"expression": "2d7", "request_id": "one"})).refused("invalid_die");
    assert_eq!(
        table.dice([5, 5]).roll_dice(json!({"expression": "2d6", "request_id": "one"}))["replayed"],
        Value::Null
    );
}

#[test]
fn the_same_call_in_other_words_is_the_same_call() {
    let mut table = Table::with_party();
    table.apply_damage(json!({"target": "Jory", "amount": 3, "request_id": "one"})).is_fine();
    let again = table.apply_damage(json!({"request_id": "one", "damage": "3", "target": "Jory", "reason": null}));
    assert_eq!(again["replayed"], true, "order, aliases, text for numbers and nulls do not make it another");
}

#[test]
fn a_replayed_start_of_a_fight_starts_no_second_one() {
    let mut table = Table::with_party();
    let call =
        json!({"action": "start", "request_id": "fight", "combatants": [{"name": "Jory"}, {"name": "Eel", "hp": 18}]});
    let first = table.dice([10, 5]).manage_combat(call.clone()).value().clone();
    table.manage_combat(json!({"action": "next_turn"})).is_fine();
    let again = table.manage_combat(call);
    assert_eq!((&again["replayed"], &again["current"]), (&json!(true), &first["current"]), "as it was answered then");
    assert_eq!(table.record().number("select count(*) from combats"), 1);
}

#[test]
fn after_tells_what_was_written_since() {
    let mut table = Table::with_party();
    let known = table.record().length();
    table.dice([2]).roll_dice(json!({"expression": "d6", "visibility": "gm", "context": "the tide"})).is_fine();
    let next = table.dice([3]).roll_dice(json!({"expression": "d6", "after": known}));
    assert_eq!(next["since"], json!([format!("#{} The GM rolls (the tide): 1d6: [2] = 2.", known + 1)]));
    let quiet = table.dice([3]).roll_dice(json!({"expression": "d6", "after": next["log"]}));
    assert_eq!(quiet["since"], Value::Null);
    // Of a log that ends before it, see the stories of a lost history.
    let ahead = table.roll_dice(json!({"expression": "d6", "after": 9_000_000}));
    ahead.refused("history_lost");
}

#[test]
fn a_lost_answer_is_found_by_its_id_or_by_after() {
    let mut table = Table::with_party();
    let known = table.record().length();
    let lost = table
        .dice([4])
        .roll_dice(json!({"expression": "d8", "request_id": "lost", "context": "knife"}))
        .value()
        .clone();
    table.restart();
    let found = table.roll_dice(json!({"expression": "d8", "request_id": "lost", "context": "knife", "after": known}));
    assert_eq!((&found["roll_id"], &found["receipt"]), (&lost["roll_id"], &lost["receipt"]));
    assert!(found["since"][0].as_str().is_some_and(|text| text.contains("knife")), "{}", found["since"]);
}

#[test]
fn two_servers_at_one_database_see_each_others_writes() {
    let mut here = Table::with_party();
    let mut there = here.beside();
    assert_eq!(
        there.get_character(json!({"character": "Jory", "view": "brief"}))["summary"],
        "Jory, player, level 1: Hit points 14/14."
    );
    here.apply_damage(json!({"target": "Jory", "amount": 4, "request_id": "one"})).is_fine();
    assert_eq!(there.apply_damage(json!({"target": "Jory", "amount": 1}))["tracks"][0]["before"], 10);
    assert_eq!(there.apply_damage(json!({"target": "Jory", "amount": 4, "request_id": "one"}))["replayed"], true);
    assert_eq!(
        here.get_character(json!({"character": "Jory", "view": "brief"}))["summary"],
        "Jory, player, level 1: Hit points 9/14."
    );
    here.record().is_sound();
}
