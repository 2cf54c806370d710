//! Numbers by level, by a score and by wounds: looked up as the sheet stands, and what no row is for.

use serde_json::json;

use crate::table::Table;

const RULES: &str = "# Any\n\n## Attributes\n- Strength (STR, 3 to 18)\n\n| STR | Doors |\n|---|---|\n| 16+ | 3 |\n| 9+ | 2 |\n| 8 or less | 1 |\n\n\
     ## Checks\n### Save\n- Roll: `1d20 + {Loss}`\n- Target: `{skill}`\n\n| Level | Poison | Wands |\n|---|---|---|\n| 1-3 | 12 | 13 |\n| 4-6 | 10 | 11 |\n\n\
     ### Force\n- Roll: `1d6`\n- Target: {Doors} or less\n\n## Health\n- Wounds: 3 boxes\n- Damage: Wounds\n\n\
     | Wounds | Loss |\n|---|---|\n| 0 | 0 |\n| 1+ | -2 |\n";

fn table() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    let ann = json!({"action": "create", "name": "Ann", "attributes": {"STR": 16}, "level": 3});
    table.manage_character(ann).is_fine();
    table
}

#[test]
fn what_follows_from_a_level_changes_with_it() {
    let mut table = table();
    let save = json!({"skill": "Poison"});
    let first = table.dice([11]).skill_check(save.clone());
    assert_eq!((&first["target"], &first["outcome"]), (&json!(12), &json!("failure")));
    table.manage_character(json!({"action": "update", "character": "Ann", "level": 4})).is_fine();
    let second = table.dice([11]).skill_check(save.clone());
    assert_eq!((&second["target"], &second["outcome"]), (&json!(10), &json!("success")));
    table.apply_damage(json!({"target": "Ann", "track": "Wounds", "amount": 1})).is_fine();
    let hurt = table.dice([11]).skill_check(save.clone());
    assert_eq!((&hurt["margin"], &hurt["modifiers"][0]["from"]), (&json!(-1), &json!("Wounds 1, System.md:30")));
    assert_eq!(table.dice([3]).skill_check(json!({"check": "Force"}))["margin"], 0);
    table.manage_character(json!({"action": "update", "character": "Ann", "level": 7})).is_fine();
    let beyond = table.skill_check(save.clone());
    let words = beyond.refused("missing_value")["summary"].as_str().expect("words").to_owned();
    assert!(words.starts_with("Poison goes by Level, and no row of the table (System.md:17) is for 7."), "{words}");
    table.manage_character(json!({"action": "update", "character": "Ann", "skills": {"Poison": 8}})).is_fine();
    assert_eq!(table.dice([10]).skill_check(save)["margin"], 0, "as the refusal says");
    table.record().is_sound();
}

#[test]
fn a_sheet_without_the_score_is_asked_for_the_number() {
    let mut table = table();
    table.manage_character(json!({"action": "create", "name": "Rat", "kind": "npc"})).is_fine();
    let lacking = table.skill_check(json!({"character": "Rat", "check": "Force"}));
    let words = lacking.refused("missing_value")["summary"].as_str().expect("words").to_owned();
    assert!(words.contains("values={\"Doors\": …}"), "{words}");
    let said = json!({"character": "Rat", "check": "Force", "values": {"Doors": 2}});
    assert_eq!(table.dice([2]).skill_check(said)["margin"], 0);
    table.record().is_sound();
}

#[test]
fn whoever_is_of_no_class_is_asked_for_it_and_the_entry_says_of_which_somebody_is() {
    let rules = "# Any\n\n## Checks\n### Save\n- Roll: `1d20`\n- Target: `{skill}`\n\n| Class | Level | Death |\n|---|---|---|\n\
         | Fighter | 1-3 | 12 |\n| | 4+ | 10 |\n| Dwarf | 1+ | 8 |\n\n### Blow\n- Roll: `1d20 + {Death}`\n- Target: `15`\n";
    let mut table = Table::of_rules(Some(rules));
    table.manage_character(json!({"action": "create", "name": "Ann", "level": 4})).is_fine();
    let save = json!({"character": "Ann", "skill": "Death"});
    let words = table.skill_check(save.clone()).refused("missing_value")["summary"].as_str().expect("words").to_owned();
    assert!(words.contains("(Fighter, Dwarf)") && words.contains("skills={\"Fighter\": 1}"), "{words}");
    table.manage_character(json!({"action": "update", "character": "Ann", "skills": {"Fighter": 1}})).is_fine();
    assert_eq!(table.dice([10]).skill_check(save.clone())["margin"], 0, "as the refusal says");
    table
        .manage_character(json!({"action": "update", "character": "Ann", "skills": {"Fighter": 0, "Dwarf": 1}}))
        .is_fine();
    assert_eq!(table.dice([10]).skill_check(save)["margin"], 2);
    let blow = table.dice([7]).skill_check(json!({"character": "Ann", "check": "Blow"}));
    assert_eq!(blow["modifiers"][0]["from"], "Dwarf, Level 4, System.md:8");
    table.record().is_sound();
}

#[test]
fn a_save_is_rolled_by_the_check_that_its_table_stands_below() {
    let rules = "# Any\n\n## Skills\n- Melee\n\n## Checks\n### Attack\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty=10}`\n\n\
         ### Save\n- Roll: `1d20`\n- Target: `{skill}`\n\n| Level | Death | Wands |\n|---|---|---|\n| 1-3 | 12 | 13 |\n| 4+ | 10 | 11 |\n";
    let mut table = Table::of_rules(Some(rules));
    table.manage_character(json!({"action": "create", "name": "Ann", "level": 2})).is_fine();
    let saved = table.dice([12]).skill_check(json!({"skill": "Death"}));
    assert_eq!((&saved["check"], &saved["target"], &saved["margin"]), (&json!("Save"), &json!(12), &json!(0)));
    let struck = table.dice([9]).skill_check(json!({"skill": "Melee"}));
    assert_eq!((&struck["check"], &struck["margin"]), (&json!("Attack"), &json!(-1)));
    let named = table.dice([2]).skill_check(json!({"skill": "Death", "check": "Attack"}));
    assert_eq!((&named["check"], &named["margin"]), (&json!("Attack"), &json!(4)), "a named check is rolled");
    let odds = table.call("odds", json!({"skill": "Wands"}));
    assert_eq!(odds["check"], "Save");
    table.record().is_sound();
}
