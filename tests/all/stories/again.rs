//! Which rolls may be followed, how often, and by what.

use serde_json::json;

use crate::table::Table;

const RULES: &str = "# Zero\n\n## Attributes\n- Wits\n- Range: 1 to 5\n\n## Checks\n\n### Pool\n- Roll: `{attribute}d6`\n- Count: 6\n- Target: `1`\n\
     - Again Push: reroll all but 1s, 6s; after failure; not with Luck\n- Again Luck: add {amount}; asks amount 1 to 3\n\
     - Again Help: add {amount}; asks amount 1; twice\n- Flag stress: 1s; after Push\n- Flag odd: 1s 2+\n";

fn table() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    for name in ["Ann", "Bo"] {
        table.manage_character(json!({"action": "create", "name": name, "attributes": {"Wits": 2}})).is_fine();
    }
    table
}

fn pool(table: &mut Table, who: &str, dice: [i64; 2]) -> serde_json::Value {
    table.dice(dice).skill_check(json!({"character": who, "attribute": "Wits"}))["log"].clone()
}

#[test]
fn the_last_check_is_the_characters_own() {
    let mut table = table();
    table.skill_check(json!({"character": "Ann", "again": "last push"})).refused("unknown_entry");
    let ann = pool(&mut table, "Ann", [2, 3]);
    let bo = pool(&mut table, "Bo", [4, 3]);
    table.skill_check(json!({"again": "last push"})).refused("which_character");
    let pushed = table.dice([6, 6]).skill_check(json!({"character": "Ann", "again": "last push"}));
    assert_eq!(pushed["again"]["entry"], ann);
    let helped = table.skill_check(json!({"character": "Ann", "again": "Last help", "values": {"amount": 1}}));
    assert_eq!(helped["again"]["entry"], pushed["log"], "what follows is a check, too");
    let other = table.skill_check(json!({"character": "Ann", "again": format!("#{bo} push")}));
    let advice = other.refused("invalid_parameters")["summary"].to_string();
    assert!(advice.contains("is Bo's check, not Ann's"), "{advice}");
    table.record().is_sound();
}

#[test]
fn never_both_however_they_are_reached() {
    let mut table = table();
    let first = pool(&mut table, "Ann", [2, 3]);
    let pushed = table.dice([2, 3]).skill_check(json!({"again": format!("#{first} push")}));
    let helped = table.skill_check(json!({"again": format!("#{} help", pushed["log"]), "values": {"amount": 1}}));
    for entry in [&first, &pushed["log"], &helped["log"]] {
        let refused = table.skill_check(json!({"again": format!("#{entry} luck"), "values": {"amount": 1}}));
        let advice = refused.refused("already_followed")["summary"].to_string();
        assert!(advice.contains("never used with it on one roll"), "{advice}");
    }
    let other = pool(&mut table, "Ann", [2, 3]);
    table.skill_check(json!({"again": format!("#{other} luck"), "values": {"amount": 0}})).refused("missing_value");
    table.skill_check(json!({"again": format!("#{other} luck"), "values": {"amount": 1}})).is_fine();
    table.skill_check(json!({"again": format!("#{other} push")})).refused("already_followed");
    table.record().is_sound();
}

#[test]
fn twice_is_twice_for_a_roll_and_all_that_follow_it() {
    let mut table = table();
    let first = pool(&mut table, "Ann", [2, 3]);
    let help = |entry: &serde_json::Value| json!({"again": format!("#{entry} help"), "values": {"amount": 1}});
    let once = table.skill_check(help(&first))["log"].clone();
    let twice = table.skill_check(help(&once))["log"].clone();
    for entry in [first, once, twice] {
        table.skill_check(help(&entry)).refused("already_followed");
    }
}

#[test]
fn a_success_is_not_pushed_where_only_failures_are() {
    let mut table = table();
    let first = pool(&mut table, "Ann", [6, 3]);
    let refused = table.skill_check(json!({"again": format!("#{first} push")}));
    let advice = refused.refused("wrong_outcome")["summary"].to_string();
    assert!(advice.contains("is a success, and Push follows only a failure (System.md:"), "{advice}");
}

#[test]
fn a_flag_may_wait_for_the_push() {
    let mut table = table();
    let first = table.dice([1, 1]).skill_check(json!({"character": "Ann", "attribute": "Wits"}));
    assert_eq!(first["flags"], json!(["odd"]));
    let helped = table.skill_check(json!({"character": "Ann", "again": "last help", "values": {"amount": 1}}));
    assert_eq!(helped["flags"], json!(["odd"]), "helped is not pushed");
    let first = table.dice([1, 3]).skill_check(json!({"character": "Ann", "attribute": "Wits"}));
    assert_eq!(first["flags"], serde_json::Value::Null);
    let pushed = table.dice([2]).skill_check(json!({"character": "Ann", "again": "last push"}));
    assert_eq!(pushed["flags"], json!(["stress"]));
    let helped = table.skill_check(json!({"character": "Ann", "again": "last help", "values": {"amount": 1}}));
    assert_eq!(helped["flags"], json!(["stress"]), "it was pushed on the way here");
    table.record().is_sound();
}

#[test]
fn a_rule_knows_what_its_call_gives_and_the_values_of_the_first_roll() {
    let rules = "## Attributes\n- Luck (0 to 9)\n\n## Checks\n### Test\n- Roll: `2d6 + {edge}`\n- Target: 8\n- Asks: edge 0 to 3\n- Value low: `lowest`\n\
                 - Again Swap: set `{low} * 4 + {edge}`\n- Again Boost: add {points}; asks points 1 to {Luck}; if {points} 2+ and {low} 2+\n";
    let mut table = Table::of_rules(Some(rules));
    table.manage_character(json!({"action": "create", "name": "Ana", "attributes": {"Luck": 4}})).is_fine();
    let first = json!({"character": "Ana", "values": {"edge": 1}});
    table.dice([2, 3]).skill_check(first.clone()).is_fine();
    let boost = |points: i64| json!({"again": "last Boost", "values": {"points": points}});
    table.skill_check(boost(1)).refused("not_while");
    let boosted = table.skill_check(boost(3));
    assert_eq!((&boosted["roll"]["total"], &boosted["outcome"]), (&json!(9), &json!("success")));
    table.dice([2, 3]).skill_check(first).is_fine();
    let swapped = table.skill_check(json!({"again": "last Swap"}));
    assert_eq!((&swapped["roll"]["total"], &swapped["outcome"]), (&json!(9), &json!("success")));
    table.record().is_sound();
}
