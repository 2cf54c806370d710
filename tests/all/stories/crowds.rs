//! Two hundred in one fight, which is as many as there may be.

use serde_json::json;

use crate::table::Table;

#[test]
fn two_hundred_fight_a_round() {
    let mut table = Table::with_party();
    let horde = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 30}, {"name": "Rat", "count": 199, "hp": 2, "initiative": 5}]});
    let fight = table.manage_combat(horde);
    let listed = |field: &str| fight[field].as_array().map(Vec::len);
    assert_eq!((listed("order"), listed("others")), (Some(6), Some(194)));
    assert!(fight.value().to_string().len() < 12_000, "{} bytes", fight.value().to_string().len());
    assert!(fight.text("summary").chars().count() <= 2000, "{}", fight["summary"]);
    table.record().is_sound();
    table.apply_damage(json!({"target": "Rat 1", "amount": 2})).is_fine();
    let turn = table.manage_combat(json!({"action": "next_turn"}));
    assert_eq!((&turn["current"], &turn["round"]), (&json!("Rat 2"), &json!(1)));
    table.restart();
    for _ in 0..197 {
        table.manage_combat(json!({"action": "next_turn"})).is_fine();
    }
    let turn = table.manage_combat(json!({"action": "next_turn"}));
    assert_eq!((&turn["current"], &turn["round"]), (&json!("Jory"), &json!(2)));
    let many = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 1}, {"name": "Bat", "count": 200, "hp": 2, "initiative": 5}]});
    table.manage_combat(json!({"action": "end"})).is_fine();
    table.manage_combat(many).refused("limit_exceeded");
}
