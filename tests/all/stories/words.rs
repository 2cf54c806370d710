//! What is said, and to whom.

use serde_json::{Value, json};

use crate::table::Table;

#[test]
fn a_wound_that_players_see_in_part_is_not_told_as_dice() {
    let mut table = Table::with_party();
    table
        .manage_combat(json!({"action": "start", "combatants": [{"name": "Pell", "hp": 9, "initiative": 1}]}))
        .is_fine();
    let part = table.apply_damage(json!({"target": "Pell", "amount": 2, "visibility": "outcome_only"}));
    assert_eq!(part["player_text"], "Pell takes damage and is hurt.");
    let blind = table.apply_damage(json!({"target": "Pell", "amount": 2, "visibility": "blind"}));
    assert_eq!(blind["player_text"], "Something happens behind the screen.");
    table.record().is_sound();
}

#[test]
fn why_a_rule_was_set_aside_is_the_gms_affair() {
    let mut table = Table::with_party();
    let call = json!({"action": "update", "character": "Jory", "attributes": {"STR": 25}, "override_reason": "he is the lost prince"});
    let told = table.manage_character(call);
    assert!(told.text("summary").contains("lost prince"), "{}", told["summary"]);
    assert!(
        told.text("player_text").contains("Strength 15 to 25") && !told.text("player_text").contains("prince"),
        "{}",
        told["player_text"]
    );
    let public = table.record().rows("select cast(public as text) as public from log order by seq desc limit 1");
    assert!(!public[0].to_string().contains("prince"), "{public:?}");
    table.record().is_sound();
}

#[test]
fn somebody_the_players_never_met_is_not_named_to_them() {
    let mut table = Table::with_party();
    table.manage_character(json!({"action": "create", "name": "The Traitor", "kind": "npc", "hp": 9})).is_fine();
    let unseen = table.apply_damage(json!({"target": "The Traitor", "amount": 2}));
    assert_eq!(unseen["player_text"], Value::Null);
    let shown = table.apply_damage(json!({"target": "The Traitor", "amount": 2, "visibility": "public"}));
    assert_eq!(shown["player_text"], "The Traitor takes damage and is hurt.");
    table.manage_combat(json!({"action": "start", "combatants": [{"name": "The Traitor", "initiative": 1}]})).is_fine();
    assert!(table.apply_damage(json!({"target": "The Traitor", "amount": 1}))["player_text"].is_string());
}

#[test]
fn a_call_that_hides_and_shows_is_refused() {
    let mut table = Table::with_party();
    for (visible, visibility) in [(false, "public"), (true, "gm"), (true, "blind"), (true, "outcome_only")] {
        for (tool, call) in [
            ("roll_dice", json!({"expression": "d6"})),
            ("roll_multiple", json!({"rolls": [{"expression": "d6"}]})),
            ("skill_check", json!({"character": "Jory", "skill": "Melee", "difficulty": 9})),
        ] {
            let mut call = call;
            call["visible"] = json!(visible);
            call["visibility"] = json!(visibility);
            table.call(tool, call).refused("invalid_parameters");
        }
    }
    let both = table.dice([3]).roll_dice(json!({"expression": "d6", "visible": false, "visibility": "blind"}));
    assert_eq!(both["visibility"], "blind");
    assert_eq!(
        table.dice([3]).roll_dice(json!({"expression": "d6", "visible": true, "visibility": "public"}))["visible"],
        true
    );
}

#[test]
fn whoever_is_down_is_not_said_to_act() {
    let mut table = Table::with_party();
    let fight = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 9}, {"name": "Rat", "hp": 3, "initiative": 1}]});
    table.manage_combat(fight).is_fine();
    table.apply_damage(json!({"target": "Jory", "amount": 14})).is_fine();
    let status = table.manage_combat(json!({"action": "status"}));
    assert_eq!(status["next"], "Jory is down; manage_combat action=\"next_turn\" goes on with whoever is up.");
    assert_eq!(
        status["player_text"],
        "Round 1, and Jory, whose turn it was, is down. Jory 0/14, Rat unhurt. Rising tide 0/12."
    );
    table.apply_damage(json!({"target": "Rat", "amount": 3})).is_fine();
    let status = table.manage_combat(json!({"action": "status"}));
    assert!(status.text("next").starts_with("Everybody is down"), "{}", status["next"]);
    assert!(status.text("summary").starts_with("Round 1, and everybody is down."), "{}", status["summary"]);
}

#[test]
fn whoever_is_healed_in_time_acts_late_in_the_same_round() {
    let mut table = Table::with_party();
    table.apply_damage(json!({"target": "Jory", "amount": 14})).is_fine();
    let fight = json!({"action": "start", "combatants": [
        {"name": "Jory", "initiative": 20}, {"name": "Sabeth", "initiative": 10}, {"name": "Rat", "hp": 3, "initiative": 1},
    ]});
    assert_eq!(table.manage_combat(fight)["current"], "Sabeth", "passed over while down");
    table.apply_damage(json!({"target": "Jory", "amount": -5})).is_fine();
    let mut turn = || {
        let turn = table.manage_combat(json!({"action": "next_turn"}));
        format!("{} {}", turn["round"], turn.text("current"))
    };
    assert_eq!([turn(), turn(), turn(), turn()], ["1 Jory", "1 Rat", "2 Jory", "2 Sabeth"]);
}

#[test]
fn what_no_rule_decided_cites_none() {
    let mut table = Table::of_rules(None);
    let fight = table.manage_combat(json!({"action": "start", "combatants": [{"name": "Rat", "hp": 2}]}));
    assert_eq!(fight["rule"], Value::Null);
}

#[test]
fn a_refusal_advises_nothing_that_its_tool_does_not_take() {
    let mut table = Table::with_party();
    let rat = |attributes: Value| json!({"action": "start", "combatants": [{"name": "Rat", "hp": 1, "attributes": attributes}]});
    let refusal = table.manage_combat(rat(json!({"LUK": 3})));
    assert!(!refusal.refused("invalid_parameters")["summary"].to_string().contains("override_reason"));
    let refusal = table.manage_combat(rat(json!({"STR": 99})));
    assert!(refusal.refused("invalid_parameters")["summary"].to_string().contains("manage_character keeps"));
}

#[test]
fn a_context_may_be_any_sentence() {
    let mut table = Table::with_party();
    for (context, told) in [
        ("does Lisk look in", "The GM rolls (does Lisk look in): 1d6: [2] = 2."),
        ("Does Lisk look in?", "The GM rolls (Does Lisk look in?): 1d6: [2] = 2."),
        ("Climb the wet ladder.", "The GM rolls (Climb the wet ladder): 1d6: [2] = 2."),
        ("the tide", "The GM rolls (the tide): 1d6: [2] = 2."),
        ("  ", "The GM rolls 1d6: [2] = 2."),
    ] {
        let rolled = table.dice([2]).roll_dice(json!({"expression": "1d6", "context": context}));
        assert_eq!(rolled.text("summary"), told);
        let call = json!({"expression": "1d6", "context": context, "visibility": "outcome_only"});
        let rolled = table.dice([2]).roll_dice(call);
        assert_eq!(rolled.told(), "The GM rolls.", "what an outcome is of, the GM tells");
        let set = json!({"rolls": [{"expression": "1d6"}], "context": context});
        let rolled = table.dice([2]).call("roll_multiple", set);
        assert_eq!(rolled.text("summary"), told, "a set of one is told as that roll");
    }
    table.record().is_sound();
}
