//! Several rolls in one call: all of them or none.

use serde_json::{Value, json};

use crate::table::Table;

#[test]
fn six_scores_are_rolled_in_one_call() {
    let mut table = Table::with_party();
    let faces = [[6, 5, 4, 1], [3, 3, 3, 3], [1, 1, 1, 6], [2, 4, 6, 5], [6, 6, 6, 6], [5, 1, 2, 2]];
    let call = json!({"rolls": [{"expression": "4d6kh3"}], "count": 6, "context": "scores", "character": "Jory"});
    let rolled = table.dice(faces.concat()).call("roll_multiple", call);
    assert_eq!(rolled["totals"], json!([15, 9, 8, 15, 18, 9]));
    assert_eq!(table.record().number("select count(*) from rolls"), 6);
    table.record().is_sound();
}

#[test]
fn one_bad_roll_and_none_is_made() {
    let mut table = Table::with_party();
    let before = table.record().everything();
    let call = json!({"rolls": [{"expression": "d20"}, {"expression": "d7"}, {"expression": "d20"}]});
    table.call("roll_multiple", call).refused("invalid_die");
    let eleven = vec![json!({"expression": "d6"}); 11];
    for call in [
        json!({"rolls": []}),
        json!({"rolls": [{"expression": "d6"}], "count": 101}),
        json!({"rolls": eleven, "count": 100}),
    ] {
        assert!(table.call("roll_multiple", call.clone()).is_refused(), "{call}");
    }
    assert_eq!(table.record().everything(), before);
}

#[test]
fn each_roll_of_a_set_has_its_own_character_context_and_visibility() {
    let mut table = Table::with_party();
    table.call("manage_character", json!({"action": "create", "name": "Reeve", "kind": "npc"})).is_fine();
    let call = json!({
        "rolls": [
            {"expression": "d20", "character": "Sabeth"},
            {"expression": "d20+3", "character": "Reeve", "context": "does he lie"},
            {"expression": "d6", "visibility": "gm"},
            {"expression": "d8"},
        ],
        "count": 2, "character": "Jory", "context": "watching the gate",
    });
    let rolled = table.dice([11, 7, 2, 8, 12, 17, 5, 1]).call("roll_multiple", call);
    assert_eq!(rolled["totals"], json!([11, 10, 2, 8, 12, 20, 5, 1]));
    let field =
        |name: &str| rolled["rolls"].as_array().unwrap().iter().map(|own| own[name].clone()).collect::<Vec<_>>();
    let once = |of: [&'static str; 4]| of.repeat(2);
    assert_eq!(field("character"), once(["Sabeth", "Reeve", "Jory", "Jory"]));
    assert_eq!(field("visibility"), once(["public", "gm", "gm", "public"]));
    let watching = "watching the gate";
    assert_eq!(field("context"), once([watching, "does he lie", watching, watching]));
    assert_eq!((&rolled["visibility"], &rolled["visible"]), (&Value::Null, &json!(false)));
    let players = rolled["player_text"].as_str().unwrap();
    assert_eq!(
        players,
        "Sabeth makes 2 rolls (watching the gate): 1d20: [11] = 11 | 1d20: [12] = 12. Jory makes 2 rolls (watching the gate): 1d8: \
         [8] = 8 | 1d8: [1] = 1."
    );
    assert_eq!(rolled["parameters"]["rolls"].as_array().map(Vec::len), Some(4));
    table.record().is_sound();
}

#[test]
fn what_is_wrong_with_each_roll_of_a_set_is_said_at_once() {
    let mut table = Table::with_party();
    let before = table.record().everything();
    let call = json!({"rolls": [
        {"expression": "d20"},
        {"expression": "d7"},
        {"expression": "d20", "character": "Nobody"},
        {"expression": "d20", "visibility": "public", "visible": false},
    ]});
    let refusal = table.call("roll_multiple", call).refused("invalid_die").clone();
    let summary = refusal["summary"].as_str().unwrap();
    for part in ["rolls[1]: d7", "rolls[2]:", "\"Nobody\"", "rolls[3]: visible=false"] {
        assert!(summary.contains(part), "{part}: {summary}");
    }
    let shared = json!({"rolls": [{"expression": "d20"}, {"expression": "d6"}], "character": "Nobody"});
    let refusal = table.call("roll_multiple", shared).refused("unknown_character").clone();
    let summary = refusal["summary"].as_str().unwrap();
    assert!(summary.matches("\"Nobody\"").count() == 1 && !summary.contains("rolls["), "{summary}");
    assert_eq!(table.record().everything(), before);
}

#[test]
fn the_rolls_of_a_hidden_character_are_no_part_of_the_public_ones() {
    let mut table = Table::with_party();
    table.call("manage_character", json!({"action": "create", "name": "Ghoul", "kind": "npc"})).is_fine();
    let fight = json!({"action": "start", "combatants": [
        {"name": "Jory", "initiative": 10}, {"name": "Ghoul", "initiative": 5, "hp": 9, "hidden": true},
    ]});
    table.manage_combat(fight).is_fine();
    let call =
        json!({"rolls": [{"expression": "d20"}, {"expression": "d20", "character": "Ghoul"}], "character": "Jory"});
    let alone = json!({"rolls": [{"expression": "d20"}], "character": "Jory"});
    let both = table.dice([4, 19]).call("roll_multiple", call);
    let one = table.dice([4]).call("roll_multiple", alone);
    assert_eq!(both["player_text"], one["player_text"]);
    assert_eq!(
        (&both["totals"], &both["rolls"][0]["visible"], &both["rolls"][1]["visible"]),
        (&json!([4, 19]), &json!(true), &json!(false))
    );
    let shown = json!({"rolls": [{"expression": "d20", "character": "Ghoul"}], "visibility": "public"});
    assert!(table.call("roll_multiple", shown).is_refused());
    table.record().is_sound();
}
