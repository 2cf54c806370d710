//! Checks that cost something: it is paid once, and nobody rolls what they cannot pay for.

use serde_json::json;

use crate::table::Table;

const RULES: &str = "# Mine\n\n## Attributes\n- Might\n- Wits\n- Range: 0 to 20\n- Modifier: `{score}`\n\n## Checks\n\n### Task\n\
    - Roll: `1d20 + {effort=0}`\n- Target: `{difficulty=10}`\n- Asks: effort 0 to 9\n- Costs: {attribute} -`2 * {effort=0}`\n\
    - Again Push: reroll all; costs Supplies -1\n\n### Meal\n- Roll: `1d6`\n- Costs: Supplies -2\n\n\
    ## Health\n- Damage: Might, Wits\n\n## Company\n- Supplies: max 3\n";

fn mine() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    for name in ["Ann", "Bo"] {
        let attributes = json!({"Might": 9, "Wits": 3});
        table.manage_character(json!({"action": "create", "name": name, "attributes": attributes})).is_fine();
    }
    table
}

fn might(table: &mut Table, who: &str) -> i64 {
    let sheet = table.get_character(json!({"character": who}));
    sheet["character"]["tracks"][0]["value"].as_i64().expect("a number")
}

#[test]
fn it_is_paid_when_the_check_is_made_and_a_push_neither_gives_it_back_nor_takes_it_again() {
    let mut table = mine();
    let call = json!({"character": "Ann", "attribute": "Might", "values": {"effort": 3}});
    let made = table.dice([2]).skill_check(call);
    assert!(made.text("summary").contains("Ann (price of Task): Might 9 to 3/9."), "{}", made.text("summary"));
    table.dice([12]).skill_check(json!({"character": "Ann", "again": "last"})).is_fine();
    assert_eq!(might(&mut table, "Ann"), 3);
    table.manage_session(json!({"action": "undo"})).is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(might(&mut table, "Ann"), 9);
}

#[test]
fn without_the_points_it_is_refused_before_a_die_falls_and_what_costs_nothing_is_not() {
    let mut table = mine();
    let call = |effort: i64| json!({"character": "Ann", "attribute": "Wits", "values": {"effort": effort}});
    let refused = table.skill_check(call(2)).refused("not_enough")["summary"].to_string();
    assert!(refused.contains("costs 4 Wits (System.md:15), and Ann has Wits 3/3"), "{refused}");
    table.dice([2]).skill_check(call(1)).is_fine();
    table.dice([2]).skill_check(json!({"character": "Ann"})).is_fine();
    table.skill_check(json!({"character": "Ann", "values": {"effort": 1}})).refused("missing_value");
}

#[test]
fn what_all_share_is_paid_with_too() {
    let mut table = mine();
    table.dice([2]).skill_check(json!({"character": "Ann", "check": "Meal"})).is_fine();
    let refused = table.skill_check(json!({"character": "Ann", "check": "Meal"}));
    let refused = refused.refused("not_enough")["summary"].to_string();
    assert!(refused.contains("all share Supplies 1/3"), "{refused}");
    table.dice([2]).skill_check(json!({"character": "Ann", "attribute": "Wits"})).is_fine();
    table.dice([2]).skill_check(json!({"character": "Ann", "again": "last"})).is_fine();
    table.dice([2]).skill_check(json!({"character": "Ann", "attribute": "Wits"})).is_fine();
    table.skill_check(json!({"character": "Ann", "again": "last"})).refused("not_enough");
}

#[test]
fn both_sides_of_a_contest_pay_for_themselves() {
    let mut table = mine();
    let other = json!({"character": "Bo", "attribute": "Might", "values": {"effort": 1}});
    let call = json!({"character": "Ann", "attribute": "Might", "values": {"effort": 2}, "opposed_by": other});
    table.dice([9, 9]).skill_check(call).is_fine();
    assert_eq!([might(&mut table, "Ann"), might(&mut table, "Bo")], [5, 7]);
}
