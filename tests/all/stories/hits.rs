//! The roll that decides a blow.

use serde_json::json;

use crate::table::Table;

#[test]
fn a_roll_below_zero_is_a_hit_of_nothing_and_heals_nobody() {
    let mut table = Table::with_party();
    table.apply_damage(json!({"target": "Jory", "amount": 5})).is_fine();
    let roll = table.dice([1]).roll_dice(json!({"expression": "1d4-3"}));
    let hit = table.apply_damage(json!({"target": "Jory", "roll": roll["log"]}));
    assert_eq!((&hit["amount"], &hit["tracks"][0]["after"]), (&json!(0), &json!(9)));
    assert_eq!(hit["steps"][0], json!({"step": "a roll below 0 is a hit of 0", "before": -2, "after": 0}));
    assert_eq!(hit["summary"], "Jory takes no damage.");
    let body = table.record().bodies().pop().expect("an entry");
    assert_eq!((&body["event"]["kind"], &body["event"]["roll"]), (&json!("damage"), &roll["log"]), "the hit is logged");
    let nobody = table.apply_damage(json!({"target": "Jorry", "roll": roll["log"]}));
    let summary = nobody.refused("unknown_character")["summary"].as_str().expect("text");
    assert!(summary.contains("Send target=\"Jory\""), "in this tool's own word: {summary}");
    table.record().is_sound();
}

#[test]
fn a_roll_of_zero_is_a_hit_too() {
    let mut table = Table::with_party();
    let roll = table.dice([2]).roll_dice(json!({"expression": "1d4-2"}));
    let hit = table.apply_damage(json!({"target": "Jory", "roll": roll["log"], "damage_type": "cold"}));
    assert_eq!(hit["summary"], "Jory takes no cold damage.");
    table.apply_damage(json!({"target": "Jory", "amount": 0})).refused("no_effect");
}

#[test]
fn only_a_roll_says_how_much() {
    let mut table = Table::with_party();
    let check = table.dice([10]).skill_check(json!({"character": "Jory", "skill": "Melee", "difficulty": 10}));
    let set = table.dice([1, 2]).call("roll_multiple", json!({"rolls": [{"expression": "d6"}], "count": 2}));
    for (entry, why) in
        [(&check["log"], "is a check (Strike)"), (&set["log"], "holds 2 rolls"), (&json!(4), "is no roll")]
    {
        let refusal = table.apply_damage(json!({"target": "Sabeth", "roll": entry}));
        let summary = refusal.refused("invalid_parameters")["summary"].as_str().expect("text");
        assert!(summary.contains(why) && summary.contains("roll_dice"), "{summary}");
    }
    let named = table.apply_damage(json!({"target": "Sabeth", "roll": check["log"], "amount": 3}));
    let advice = named.refused("invalid_parameters")["summary"].as_str().expect("text").to_owned();
    assert!(advice.contains("send it as amount and leave roll out"), "{advice}");
    assert_eq!(table.apply_damage(json!({"target": "Sabeth", "amount": 3}))["amount"], 3);
    table.record().is_sound();
}

#[test]
fn what_the_players_copy_says_of_a_cause_the_players_were_told() {
    let mut table = Table::with_party();
    let hit = table.apply_damage(json!({"target": "Jory", "amount": 2, "reason": "the innkeeper's wine"}));
    assert!(hit.text("player_text").starts_with("Jory takes 2 damage (the innkeeper's wine): "), "{}", hit.value());
    let check = json!({"character": "Jory", "skill": "Melee", "difficulty": 9, "context": "at the weir"});
    let check = table.dice([10]).skill_check(check);
    assert!(check.text("player_text").starts_with("Jory, Melee (at the weir): "), "{}", check.value());
}
