//! A lock is picked; something is noticed, or not.

use serde_json::{Value, json};

use crate::table::{Table, with};

#[test]
fn a_lock_is_picked_and_every_number_says_where_it_came_from() {
    let mut table = Table::with_party();
    let check = table.dice([13]).skill_check(json!({
        "character": "Sabeth", "skill": "Lockpicking", "difficulty": 15, "modifier": -1, "context": "the harbour-master's lock",
    }));
    assert_eq!(
        check["modifiers"],
        json!([
            {"name": "Dexterity", "value": 2, "from": "score 15, System.md:29"},
            {"name": "Lockpicking", "value": 3, "from": "Sabeth's sheet, System.md:45"},
            {"name": "situational", "value": -1, "from": "the call"},
        ])
    );
    assert_eq!(check["modifier"], 4);
    assert_eq!(check["roll"]["total"], 17);
    assert_eq!(check["roll"]["individual_rolls"], json!([13]));
    assert_eq!(check["difficulty"], 15);
    assert_eq!(check["target"], 15);
    assert_eq!(check["margin"], 2);
    assert_eq!(check["outcome"], "success");
    assert_eq!(check["rule"], "System.md:59");
    assert_eq!(
        check["summary"],
        "Sabeth, Lockpicking (the harbour-master's lock): 1d20: [13]; + 4 = 17 against 15: success by 2."
    );
    assert_eq!(check["player_text"], check["summary"]);
    table.record().is_sound();
}

#[test]
fn the_number_itself_is_enough_and_one_less_is_not() {
    let mut table = Table::with_party();
    let pick = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15});
    let enough = table.dice([10]).skill_check(pick.clone());
    assert_eq!((&enough["outcome"], &enough["margin"]), (&json!("success"), &json!(0)));
    let short = table.dice([9]).skill_check(pick);
    assert_eq!((&short["outcome"], &short["margin"]), (&json!("failure"), &json!(-1)));
}

#[test]
fn who_never_learned_a_skill_has_the_attribute_alone() {
    let mut table = Table::with_party();
    let check = table.dice([10]).skill_check(json!({"character": "Jory", "skill": "Lockpicking", "difficulty": 12}));
    assert_eq!(
        check["modifiers"],
        json!([
            {"name": "Dexterity", "value": 1, "from": "score 12, System.md:29"},
            {"name": "Lockpicking", "value": 0, "from": "untrained, System.md:45"},
        ])
    );
    assert_eq!(check["outcome"], "failure");
}

#[test]
fn a_low_score_takes_away() {
    let mut table = Table::with_party();
    let check = table.dice([10]).skill_check(json!({"character": "Jory", "attribute": "INT", "difficulty": 9}));
    assert_eq!(check["modifiers"][0]["value"], -1);
    assert_eq!((&check["roll"]["total"], &check["outcome"]), (&json!(9), &json!("success")));
}

#[test]
fn advantage_keeps_the_higher_disadvantage_the_lower_and_both_cancel() {
    let mut table = Table::with_party();
    let edged = |edge: Value| with(json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15}), edge);
    let high = table.dice([7, 15]).skill_check(edged(json!({"advantage": true})));
    assert_eq!((&high["roll"]["total"], &high["roll"]["individual_rolls"]), (&json!(20), &json!([7, 15])));
    let low = table.dice([15, 7]).skill_check(edged(json!({"disadvantage": true})));
    assert_eq!((&low["roll"]["total"], &low["roll"]["individual_rolls"]), (&json!(12), &json!([15, 7])));
    let both = table.dice([9]).skill_check(edged(json!({"advantage": true, "disadvantage": true})));
    assert_eq!((&both["roll"]["total"], &both["roll"]["individual_rolls"]), (&json!(14), &json!([9])));
    table.record().is_sound();
}

#[test]
fn a_hidden_perception_roll_says_nothing_to_players() {
    let mut table = Table::with_party();
    let hidden = table.dice([17]).skill_check(json!({
        "character": "Jory", "skill": "Perception", "difficulty": 12, "visible": false, "context": "the boat in the reeds",
    }));
    assert_eq!(hidden["player_text"], Value::Null, "absent, not blank");
    assert_eq!(hidden["roll"]["visibility"], "gm");
    assert_eq!(hidden["roll"]["visible"], false);
    assert!(hidden.text("summary").contains("success by 8"), "the GM reads it all: {}", hidden["summary"]);

    let record = table.record();
    let seq = hidden.number("log");
    let rows = record.rows(&format!("select cast(public as text) as public, visibility from log where seq = {seq}"));
    assert_eq!(rows, [json!({"public": format!("{{\"hidden\":true,\"seq\":{seq}}}"), "visibility": "gm"})]);
    assert_eq!(record.rows(&format!("select visible from rolls where seq = {seq}")), [json!({"visible": 0})]);
}

#[test]
fn between_hidden_and_public_players_learn_what_was_allowed_and_no_more() {
    let mut table = Table::with_party();
    let call = |visibility: &str| json!({"character": "Jory", "skill": "Perception", "difficulty": 12, "visibility": visibility});
    let blind = table.dice([17]).skill_check(call("blind"));
    assert_eq!(blind["player_text"], "Dice fall behind the screen.");
    let outcome = table.dice([17]).skill_check(call("outcome_only"));
    assert_eq!(outcome["player_text"], "Jory, Perception: success.");
    for answer in [blind, outcome] {
        let seq = answer.number("log");
        let public = table.record().rows(&format!("select cast(public as text) as public from log where seq = {seq}"));
        let public: Value = serde_json::from_str(public[0]["public"].as_str().expect("text")).expect("JSON");
        assert_eq!(public["rolls"], Value::Null);
        assert!(!public["text"].as_str().expect("text").contains(char::is_numeric), "{public}");
    }
}

#[test]
fn a_bare_roll_is_told_die_by_die() {
    let mut table = Table::with_party();
    let roll = table
        .dice([4, 2, 6, 3])
        .roll_dice(json!({"expression": "4d6kh3 + 1", "context": "rubble", "character": "Jory"}));
    assert_eq!(roll["total"], 14);
    assert_eq!(roll["individual_rolls"], json!([4, 2, 6, 3]));
    assert_eq!(roll["modifiers"], 1);
    assert_eq!(roll["input"], "4d6kh3 + 1");
    assert_eq!(roll["context"], "rubble");
    assert_eq!(roll["timestamp"], "2026-11-20T19:30:00.000000Z");
    assert_eq!(roll["rng"]["source"], "pinned");
    assert!(roll.text("explanation").ends_with("= 14"), "{}", roll["explanation"]);
}

#[test]
fn who_won_is_an_outcome_that_players_learn() {
    let mut table = Table::with_party();
    let call = json!({"character": "Jory", "skill": "Stealth", "opposed_by": {"character": "Sabeth", "skill": "Perception"}, "visibility": "outcome_only"});
    let check = table.dice([19, 2]).skill_check(call);
    let told = check["player_text"].as_str().expect("words");
    assert!(told.starts_with("Jory, Stealth: ") && told.ends_with("; wins against Sabeth."), "{told}");
    assert!(!told.contains(char::is_numeric), "{told}");
    table.record().is_sound();
}
