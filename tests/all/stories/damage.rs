//! Somebody is hurt, and healed, and what the rules do at the ends.

use serde_json::{Value, json};

use crate::table::Table;

#[test]
fn a_wound_is_itemised() {
    let mut table = Table::with_party();
    let wound =
        table.apply_damage(json!({"target": "Jory", "amount": 5, "damage_type": "cold", "reason": "the sluice"}));
    assert_eq!(wound["amount"], 5);
    assert_eq!(wound["steps"], json!([{"step": "Hit points", "before": 14, "after": 9}]));
    assert_eq!(wound["tracks"], json!([{"name": "Hit points", "before": 14, "after": 9, "max": 14}]));
    assert_eq!(wound["summary"], "Jory takes 5 cold damage (the sluice): Hit points 14 to 9/14.");
    assert_eq!((&wound["triggers"], &wound["incapacitated"]), (&json!([]), &json!(false)));
}

#[test]
fn half_is_rounded_down_and_healing_stops_at_the_maximum() {
    let mut table = Table::with_party();
    let half = table.apply_damage(json!({"target": "Jory", "amount": 7, "half": true}));
    assert_eq!(half["steps"][0], json!({"step": "half, rounded down", "before": 7, "after": 3}));
    assert_eq!(half["tracks"][0]["after"], 11);
    let healed = table.apply_damage(json!({"target": "Jory", "amount": -10}));
    assert_eq!(healed["tracks"][0]["after"], 14);
    assert_eq!(healed["steps"][1], json!({"step": "past the end of the track", "before": 7, "after": 0}));
    assert_eq!(healed["summary"], "Jory recovers 3 (10 before the maximum): Hit points 11 to 14/14.");
}

#[test]
fn a_preview_changes_nothing() {
    let mut table = Table::with_party();
    let before = table.record().everything();
    let foretold = table.apply_damage(json!({"target": "Jory", "amount": 20, "preview": true}));
    assert_eq!(foretold["preview"], true);
    assert_eq!(foretold["conditions"], json!(["unconscious"]));
    assert_eq!(foretold["tracks"][0]["after"], 0);
    assert!(foretold.text("summary").contains("Nothing was changed"), "{}", foretold["summary"]);
    assert_eq!((&foretold["log"], &foretold["receipt"]), (&Value::Null, &Value::Null));
    assert_eq!(table.record().everything(), before);
    assert_eq!(table.apply_damage(json!({"target": "Jory", "amount": 1}))["tracks"][0]["before"], 14);
}

#[test]
fn a_roll_named_by_its_entry_decides_the_amount() {
    let mut table = Table::with_party();
    let roll = table.dice([6]).roll_dice(json!({"expression": "1d6+1", "context": "cudgel"}));
    let seq = roll.number("log");
    let wound = table.apply_damage(json!({"target": "Jory", "roll": seq}));
    assert_eq!(wound["amount"], 7);
    let body = table.record().bodies().pop().expect("an entry");
    assert_eq!(body["event"]["roll"], seq);
    let written = table.apply_damage(json!({"target": "Jory", "roll": format!("#{seq}"), "amount": 2}));
    assert_eq!(written["amount"], 2, "the GM's amount wins, the roll is still named");
    table.apply_damage(json!({"target": "Jory", "roll": 99})).refused("unknown_entry");
    table.apply_damage(json!({"target": "Jory", "roll": wound.number("log")})).refused("invalid_parameters");
    table.record().is_sound();
}

#[test]
fn at_zero_one_falls_once_and_rises_when_healed() {
    let mut table = Table::with_party();
    let felled = table.apply_damage(json!({"target": "Jory", "amount": 14}));
    assert_eq!(felled["conditions"], json!(["unconscious"]));
    assert_eq!(felled["triggers"].as_array().map(Vec::len), Some(1));
    assert_eq!(felled["incapacitated"], true);
    assert_eq!(felled["rule"], "System.md:87");
    let again = table.apply_damage(json!({"target": "Jory", "amount": 3}));
    assert_eq!(again["triggers"], json!([]), "the bound was crossed before, not now");
    assert_eq!(again["conditions"], json!(["unconscious"]));
    let healed = table.apply_damage(json!({"target": "Jory", "amount": -4}));
    assert_eq!((&healed["conditions"], &healed["tracks"][0]["after"]), (&json!([]), &json!(4)));
    assert!(healed.text("summary").contains("no longer unconscious"), "{}", healed["summary"]);
    let second = table.apply_damage(json!({"target": "Jory", "amount": 4}));
    assert_eq!(second["triggers"].as_array().map(Vec::len), Some(1), "a new crossing fires again");
    table.record().is_sound();
}

#[test]
fn enough_left_over_is_death_and_nothing_reaches_the_dead() {
    let mut table = Table::with_party();
    let short = table.apply_damage(json!({"target": "Jory", "amount": 27, "preview": true}));
    assert_eq!(short["conditions"], json!(["unconscious"]), "13 left over of a maximum of 14");
    let killed = table.apply_damage(json!({"target": "Jory", "amount": 28}));
    assert_eq!(killed["conditions"], json!(["dead", "unconscious"]));
    for amount in [1, -5] {
        table.apply_damage(json!({"target": "Jory", "amount": amount})).refused("target_dead");
    }
    let back = table.apply_damage(json!({"target": "Jory", "amount": -1, "remove_conditions": ["dead"]}));
    assert_eq!((&back["conditions"], &back["tracks"][0]["after"]), (&json!([]), &json!(1)));
    table.record().is_sound();
}

#[test]
fn conditions_come_and_go_by_name() {
    let mut table = Table::with_party();
    let soaked =
        table.apply_damage(json!({"target": "Jory", "amount": 0, "apply_conditions": ["Soaked", "Half-Blind"]}));
    assert_eq!(soaked["conditions"], json!(["half-blind", "soaked"]));
    assert_eq!(soaked["tracks"], json!([]));
    let twice = table.apply_damage(json!({"target": "Jory", "amount": 1, "apply_conditions": ["soaked"]}));
    assert_eq!(twice["conditions"], json!(["half-blind", "soaked"]));
    let dry = table.apply_damage(json!({"target": "Jory", "remove_conditions": ["SOAKED"]}));
    assert_eq!(dry["conditions"], json!(["half-blind"]));
    table.apply_damage(json!({"target": "Jory", "remove_conditions": ["soaked"]})).refused("unknown_condition");
    table.apply_damage(json!({"target": "Jory", "amount": 0})).refused("no_effect");
}

#[test]
fn the_only_player_and_an_npc_may_be_named_by_what_they_are() {
    let mut table = Table::lockhouse();
    table.apply_damage(json!({"target": "player", "amount": 1})).refused("no_character");
    table.manage_character(crate::table::jory()).is_fine();
    assert_eq!(table.apply_damage(json!({"target": "player", "amount": 1}))["target"], "Jory");
    table
        .manage_character(json!({"action": "create", "name": "Pell", "kind": "npc", "tracks": {"Hit points": 9}}))
        .is_fine();
    assert_eq!(table.apply_damage(json!({"target": "npc", "npc_name": "pell", "amount": 1}))["target"], "Pell");
    table.apply_damage(json!({"target": "npc", "amount": 1})).refused("invalid_parameters");
}

#[test]
fn another_track_may_be_named_and_an_unknown_one_is_refused() {
    let mut table = Table::with_party();
    table.manage_character(json!({"action": "update", "character": "Jory", "tracks": {"Lantern oil": 6}})).is_fine();
    let burnt = table.apply_damage(json!({"target": "Jory", "track": "lantern oil", "amount": 2}));
    assert_eq!(burnt["tracks"], json!([{"name": "Lantern oil", "before": 6, "after": 4, "max": 6}]));
    let refused = table.apply_damage(json!({"target": "Jory", "track": "Luck", "amount": 2}));
    assert_eq!(refused.refused("unknown_track")["did_you_mean"], json!(["Hit points", "Lantern oil"]));
    let burnt_out = table.apply_damage(json!({"target": "Jory", "track": "Lantern oil", "amount": 4}));
    assert_eq!(burnt_out["conditions"], json!([]), "an empty lantern knocks nobody out");
}

#[test]
fn a_foes_wound_is_told_to_players_in_words() {
    let mut table = Table::with_party();
    table
        .manage_combat(json!({"action": "start", "combatants": [{"name": "Pell", "hp": 9, "initiative": 1}]}))
        .is_fine();
    let hurt = table.apply_damage(json!({"target": "Pell", "amount": 2}));
    assert_eq!(hurt["summary"], "Pell takes 2 damage: Hit points 9 to 7/9.");
    assert_eq!(hurt["player_text"], "Pell takes damage and is hurt.");
    let bloodied = table.apply_damage(json!({"target": "Pell", "amount": 3, "damage_type": "fire"}));
    assert_eq!(bloodied["player_text"], "Pell takes fire damage and is bloodied.");
    let down = table.apply_damage(json!({"target": "Pell", "amount": 4}));
    assert_eq!(down["player_text"], "Pell takes damage and is down; now unconscious.");
}

#[test]
fn a_blow_for_the_gm_alone_says_where_players_see_its_result() {
    let mut table = Table::with_party();
    let secret = |table: &mut Table, target: &str, amount: i64| {
        let call = json!({"target": target, "amount": amount, "visibility": "gm"});
        let hit = table.apply_damage(call);
        assert!(hit["player_text"].is_null(), "{}", hit.value());
        hit["noted"].to_string()
    };
    let noted = secret(&mut table, "Jory", 2);
    assert!(
        noted.contains("players are not told what happened, and the sheet has Jory 12/14, which they see"),
        "{noted}"
    );
    // What the note says players see, they see.
    let sheet = table.get_character(json!({"character": "Jory", "view": "sheet"}));
    assert!(sheet.value().to_string().contains("12/14"), "{}", sheet.value());
    let all = json!([{"name": "Jory", "initiative": 12}, {"name": "Rat", "hp": 30, "initiative": 4},
        {"name": "Ghoul", "hp": 30, "initiative": 3, "hidden": true}]);
    table.manage_combat(json!({"action": "start", "combatants": all})).is_fine();
    let noted = secret(&mut table, "Jory", 1);
    assert!(noted.contains("the sheet and the fight's status have Jory 11/14"), "{noted}");
    let noted = secret(&mut table, "Rat", 1);
    assert!(noted.contains("the fight's status has Rat hurt"), "{noted}");
    let status = table.manage_combat(json!({"action": "status"}));
    assert!(status.text("player_text").contains("Jory 11/14, Rat hurt"), "{}", status["player_text"]);
    // Players see no difference, or nobody.
    assert_eq!(secret(&mut table, "Rat", 1), "null");
    assert_eq!(secret(&mut table, "Ghoul", 20), "null");
    let open = table.apply_damage(json!({"target": "Jory", "amount": 1}));
    assert_eq!(open["noted"], Value::Null);
    table.record().is_sound();
}
