//! What the author wrote comes back as it was written, and in that order.

use serde_json::json;

use crate::table::Table;

const RULES: &str = "\
# The Quiet Room

## Skills

- Notice
- Will

## Checks

### Try

- Roll: `1d6 + {skill=0}`
- Target: `4`

| Outcome | When | What it means | In a fight |
|---|---|---|---|
| Done (success) | margin 0+ | Done. | Damage, and you move. |
| Not done (failure) | otherwise | Nothing. | |

## Health

- Vigour: max 6
- Aplomb: max 3
- Damage: Vigour

## Conditions

- Spun Round: -1 on checks

## Combat

- Initiative: {Notice}, highest first
- Ties: higher Will, players, as entered
";

fn table() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    for (name, will) in [("Ann", 1), ("Bo", 3)] {
        let skills = json!({"Notice": 2, "Will": will});
        table.manage_character(json!({"action": "create", "name": name, "skills": skills})).is_fine();
    }
    table
}

#[test]
fn a_tie_is_broken_by_a_skill() {
    let mut table = table();
    let fight = table.manage_combat(json!({"action": "start", "combatants": [{"name": "Ann"}, {"name": "Bo"}]}));
    assert_eq!(fight["order"][0]["name"], "Bo", "Will 3 before Will 1, though Ann entered first");
    table.record().is_sound();
}

#[test]
fn tracks_stand_in_the_order_of_the_rules_and_by_name() {
    let mut table = table();
    let fight = table.manage_combat(json!({"action": "start", "combatants": [{"name": "Ann"}]}));
    assert_eq!(fight["order"][0]["health"], "Vigour 6/6, Aplomb 3/3");
    let sheet = table.get_character(json!({"character": "Ann"}));
    let names = |value: &serde_json::Value| value["tracks"].as_array().expect("tracks")[0]["name"].clone();
    assert_eq!(names(&sheet["character"]), "Vigour", "{}", sheet.value());
}

#[test]
fn a_condition_is_spelt_as_the_author_spells_it() {
    let mut table = table();
    let spun = table.apply_damage(json!({"target": "Ann", "amount": 0, "apply_conditions": ["spun  round"]}));
    assert_eq!(spun["conditions"], json!(["Spun Round"]));
    let check = table.dice([4]).skill_check(json!({"character": "Ann", "skill": "Notice"}));
    assert_eq!(check["modifier"], -1, "and it is the same condition");
    let over = table.apply_damage(json!({"target": "Ann", "amount": 0, "remove_conditions": ["SPUN ROUND"]}));
    assert_eq!(over["conditions"], json!([]));
    table.record().is_sound();
}

#[test]
fn a_row_with_two_columns_has_a_line_for_each() {
    let mut table = table();
    let done = table.dice([6]).skill_check(json!({"character": "Ann"}));
    assert_eq!(done["row_text"], "What it means: Done.\nIn a fight: Damage, and you move.");
    let not = table.dice([1]).skill_check(json!({"character": "Ann"}));
    assert_eq!(not["row_text"], "Nothing.");
}
