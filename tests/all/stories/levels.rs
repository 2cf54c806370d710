//! Conditions that the rules count, on the Long Pour.

use std::path::Path;

use serde_json::json;

use crate::table::Table;

fn tam() -> Table {
    let mut table = Table::of(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures/long-pour")));
    let scores = json!({"STR": 0, "DEX": 3, "CON": 1, "INT": 1, "WIS": 2, "CHA": 2});
    let tam = json!({"action": "create", "name": "Tam", "attributes": scores, "skills": {"Stealth": 5}});
    table.manage_character(tam).is_fine();
    table
}

#[test]
fn a_level_counts_in_checks_and_changes_in_place() {
    let mut table = tam();
    let add =
        |level: i64| json!({"action": "add_condition", "character": "Tam", "condition": "Frightened", "level": level});
    let first = table.manage_character(add(2));
    assert_eq!(first["changed"], json!([{"field": "condition", "before": null, "after": "Frightened 2"}]));
    assert!(first.text("sheet").contains("- *Conditions*: Frightened 2"), "{}", first["sheet"]);
    let modifier = |table: &mut Table| {
        let check = table.dice([8]).skill_check(json!({"character": "Tam", "skill": "Stealth", "difficulty": 15}));
        check["modifier"].as_i64().expect("a number")
    };
    assert_eq!(modifier(&mut table), 6);
    let worse = table.apply_damage(json!({"target": "Tam", "apply_conditions": ["Frightened 3"]}));
    assert_eq!(worse["conditions"], json!(["Frightened 3"]));
    assert_eq!(modifier(&mut table), 5);
    let foretold = table.apply_damage(json!({"target": "Tam", "apply_conditions": ["Frightened 1"], "preview": true}));
    assert_eq!(foretold["conditions"], json!(["Frightened 1"]));
    let same = table.apply_damage(json!({"target": "Tam", "amount": 1, "apply_conditions": ["Frightened"]}));
    assert_eq!(same["conditions"], json!(["Frightened 3"]), "named without a level it stays as it is");
    let gone =
        table.manage_character(json!({"action": "remove_condition", "character": "Tam", "condition": "Frightened"}));
    assert_eq!(gone["changed"], json!([{"field": "condition", "before": "Frightened", "after": null}]));
    assert_eq!(modifier(&mut table), 8);
    table.record().is_sound();
}

#[test]
fn a_level_is_one_that_the_rules_give_it() {
    let mut table = tam();
    let before = table.record().everything();
    let wild = json!({"action": "add_condition", "character": "Tam", "condition": "Frightened", "level": 4});
    table.manage_character(wild).refused("invalid_parameters");
    table.manage_character(json!({"action": "add_condition", "character": "Tam"})).refused("invalid_parameters");
    assert_eq!(table.record().everything(), before);
    let least = table.manage_character(json!({"action": "add_condition", "condition": "frightened"}));
    assert_eq!(least["changed"][0]["after"], "Frightened 1");
}

#[test]
fn of_two_levels_that_one_hit_brings_the_higher_stays() {
    let rules = "# Plain\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Health\n- Hits: max 10\n- Damage: Hits\n- At 5 Hits: gain Frightened 1\n\
                 - At 2 Hits: gain Frightened 3\n\n## Conditions\n- Frightened (1-3): -{Frightened} on checks\n";
    let mut table = Table::of_rules(Some(rules));
    table.manage_character(json!({"action": "create", "name": "Tam"})).is_fine();
    let hit = table.apply_damage(json!({"target": "Tam", "amount": 9}));
    assert_eq!(hit["conditions"], json!(["Frightened 3"]), "{}", hit.value());
    assert!(
        hit.text("summary").contains("Frightened 3") && !hit.text("summary").contains("Frightened 1"),
        "{}",
        hit["summary"]
    );
    assert_eq!(table.record().bodies().pop().expect("an entry")["event"]["gained"], json!(["Frightened 3"]));
    table.record().is_sound();
}
