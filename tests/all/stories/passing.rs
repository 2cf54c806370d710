//! What time does to what all share: each round of a fight, its end, the end of a session; and a turn taken back.

use serde_json::json;

use crate::table::Table;

const RULES: &str = "# Any\n\n## Attributes\n- Might (MIG, -1 to 5)\n\n## Checks\n### Strike\n- Roll: `1d20 + {MIG} + {escalation}`\n- Target: `{difficulty}`\n\n\
     ## Health\n- Hit points: max 10\n- Damage: Hit points\n\n## Company\n- Escalation: 6 boxes\n  - Each round: +1\n  - End of fight: to 0\n\
     - Torches: max 3\n  - End of session: -1\n\n## Clocks\n- The thing: 3 boxes, hidden\n  - Each round: +1\n- Smoke: 2 boxes, full: gain Blinded\n  \
     - Each round: +1\n\n## Conditions\n- Blinded: -2 on checks\n\n## Combat\n- Initiative: {MIG}, highest first\nCOMBAT";

fn table(combat: &str) -> Table {
    let mut table = Table::of_rules(Some(&RULES.replace("COMBAT", combat)));
    for (name, might) in [("Ann", 2), ("Bea", 1)] {
        let sheet = json!({"action": "create", "name": name, "attributes": {"MIG": might}});
        table.manage_character(sheet).is_fine();
    }
    table.manage_combat(json!({"action": "start", "combatants": [{"name": "Ann"}, {"name": "Bea"}]})).is_fine();
    table
}

fn shared(table: &mut Table) -> [i64; 4] {
    let company = table.get_character(json!({"character": "company"}))["company"].clone();
    let all = company.as_array().expect("tracks").clone();
    ["Escalation", "Torches", "The thing", "Smoke"]
        .map(|name| all.iter().find(|own| own["name"] == name).and_then(|own| own["value"].as_i64()).expect(name))
}

fn conditions(table: &mut Table) -> serde_json::Value {
    table.get_character(json!({"character": "Ann"}))["character"]["conditions"].clone()
}

#[test]
fn each_round_moves_what_all_share_and_a_turn_taken_back_moves_it_back() {
    let mut table = table("");
    let turn = |table: &mut Table, action: &str| table.manage_combat(json!({"action": action}));
    turn(&mut table, "next_turn").is_fine();
    assert_eq!(shared(&mut table), [0, 3, 0, 0], "the first round goes on");
    let round = turn(&mut table, "next_turn");
    assert_eq!(shared(&mut table), [1, 3, 1, 1]);
    let (summary, told) = (round.text("summary"), round.text("player_text"));
    assert!(told.contains("Escalation 0 to 1/6 (Each round)."), "{told}");
    assert!(summary.contains("The thing") && !told.contains("thing"), "{summary} {told}");
    let hit = table.dice([10]).skill_check(json!({"character": "Ann", "difficulty": 13}));
    assert_eq!((&hit["margin"], &hit["modifiers"][1]["from"]), (&json!(0), &json!("Escalation of all")));
    let said = table.dice([10]).skill_check(json!({"character": "Ann", "difficulty": 13, "values": {"escalation": 4}}));
    assert_eq!(said["margin"], 3, "a call may say otherwise");
    turn(&mut table, "next_turn").is_fine();
    turn(&mut table, "next_turn").is_fine();
    assert_eq!((shared(&mut table), conditions(&mut table)), ([2, 3, 2, 2], json!(["Blinded"])));
    let back = turn(&mut table, "previous_turn");
    assert_eq!((shared(&mut table), conditions(&mut table)), ([1, 3, 1, 1], json!([])), "{}", back["summary"]);
    turn(&mut table, "next_turn").is_fine();
    assert_eq!((shared(&mut table), conditions(&mut table)), ([2, 3, 2, 2], json!(["Blinded"])));
    table.manage_session(json!({"action": "undo"})).is_fine();
    for _ in 0..12 {
        turn(&mut table, "next_turn").is_fine();
    }
    assert_eq!(shared(&mut table), [6, 3, 3, 2], "no further than the end");
    turn(&mut table, "end").is_fine();
    assert_eq!(shared(&mut table), [0, 3, 3, 2]);
    table.record().is_sound();
}

#[test]
fn what_was_moved_since_is_left_by_a_turn_taken_back() {
    let mut table = table("");
    for _ in 0..2 {
        table.manage_combat(json!({"action": "next_turn"})).is_fine();
    }
    table.manage_session(json!({"action": "clock", "name": "Escalation", "value": 5})).is_fine();
    table.manage_combat(json!({"action": "previous_turn"})).is_fine();
    assert_eq!(shared(&mut table), [5, 3, 0, 0]);
    table.record().is_sound();
}

#[test]
fn rounds_that_the_gm_counts_and_sessions_move_it_too() {
    let mut table = table("- Combat: narrative\n");
    table.manage_combat(json!({"action": "next_round"})).is_fine();
    assert_eq!(shared(&mut table), [1, 3, 1, 1]);
    table.manage_combat(json!({"action": "end"})).is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    assert_eq!(shared(&mut table), [0, 2, 1, 1]);
    table.record().is_sound();
}
