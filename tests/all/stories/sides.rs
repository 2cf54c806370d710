//! Whole sides that act together have one number, whoever of them it is rolled for or said of.

use serde_json::{Value, json};

use crate::table::{Answer, Table};

fn table(initiative: &str) -> Table {
    let rules = format!(
        "# Any\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Health\n- Hit points: max 5\n- Damage: Hit points\n\n## Combat\n- Initiative: {initiative}\n\
         - Ties: players\n"
    );
    let mut table = Table::of_rules(Some(&rules));
    for name in ["Ann", "Bob"] {
        table.manage_character(json!({"action": "create", "name": name})).is_fine();
    }
    table
}

fn combat(table: &mut Table, arguments: Value) -> Answer {
    table.manage_combat(arguments)
}

/// Everybody in the order, with their numbers.
fn order(table: &mut Table) -> Vec<(String, Option<i64>)> {
    let status = combat(table, json!({"action": "status"}));
    let order = status["order"].as_array().expect("an order").iter();
    order.map(|own| (own["name"].as_str().expect("a name").to_owned(), own["initiative"].as_i64())).collect()
}

fn places<const N: usize>(places: [(&str, i64); N]) -> Vec<(String, Option<i64>)> {
    places.into_iter().map(|(name, number)| (name.to_owned(), Some(number))).collect()
}

#[test]
fn what_is_rolled_or_said_for_one_is_so_for_its_side() {
    let mut table = table("per side `1d6`, highest first, each round");
    let fighters = json!([{"name": "Ann"}, {"name": "Bob"}, {"name": "Rat", "count": 2, "hp": 2}]);
    table.dice([4, 2]).manage_combat(json!({"action": "start", "combatants": fighters})).is_fine();
    let said =
        combat(&mut table, json!({"action": "set_initiative", "combatants": [{"name": "Rat 2", "initiative": 5}]}));
    assert_eq!(said["summary"], "Rat 2 stands at initiative 5. Rat 1 stands at initiative 5.");
    assert_eq!(order(&mut table), places([("Rat 1", 5), ("Rat 2", 5), ("Ann", 4), ("Bob", 4)]));
    // One die for the side, though both are named.
    let both = json!({"action": "roll_initiative", "combatants": [{"name": "Bob"}, {"name": "Ann"}]});
    table.dice([6]).manage_combat(both).is_fine();
    assert_eq!(order(&mut table), places([("Ann", 6), ("Bob", 6), ("Rat 1", 5), ("Rat 2", 5)]));
    // Whoever falls and is up again acts with its side.
    combat(&mut table, json!({"action": "defeat", "combatant": "Rat 1"})).is_fine();
    for _ in 0..2 {
        combat(&mut table, json!({"action": "next_turn"})).is_fine();
    }
    table.dice([1, 3]).manage_combat(json!({"action": "next_turn"})).is_fine();
    assert_eq!(order(&mut table), places([("Rat 1", 3), ("Rat 2", 3), ("Ann", 1), ("Bob", 1)]));
    table.record().is_sound();
}

#[test]
fn whoever_changes_sides_acts_with_the_new_one() {
    let mut table = table("per side `1d6`, highest first, once per fight");
    let fighters = json!([{"name": "Ann"}, {"name": "Rat", "hp": 2}, {"name": "Imp", "hp": 2, "side": "demons"}]);
    table.dice([4, 4, 6]).manage_combat(json!({"action": "start", "combatants": fighters})).is_fine();
    assert_eq!(order(&mut table), places([("Imp", 6), ("Ann", 4), ("Rat", 4)]));
    combat(&mut table, json!({"action": "update", "combatants": [{"name": "Imp", "side": "players"}]})).is_fine();
    assert_eq!(order(&mut table), places([("Ann", 4), ("Imp", 4), ("Rat", 4)]), "by the players' number and tie");
    assert_eq!(combat(&mut table, json!({"action": "status"}))["current"], "Imp", "nobody's turn moves");
    table.record().is_sound();
}
