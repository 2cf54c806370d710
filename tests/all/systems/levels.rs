//! A target of three times a level, effort that is paid for, and effects beside the outcome.

use rollbook_rules::Outcome::{Failure, Success};

use serde_json::json;

use super::table::{Faces, Game, Says, says};
use crate::table::Table;

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let &[difficulty, ease, effort, limit, edge] = values else { panic!("five numbers") };
    let effort = effort.min(limit);
    let price = match effort {
        0 => 0,
        _ => (3 + 2 * (effort - 1) - edge).max(0),
    };
    let die = faces.die(20);
    let margin = die - 3 * (difficulty - ease - effort);
    let told = if margin >= 0 { says(Success, "Success", margin) } else { says(Failure, "Failure", margin) };
    let flags = match die {
        1 => vec!["intrusion"],
        19 if margin >= 0 => vec!["minor effect"],
        20 if margin >= 0 => vec!["major effect"],
        _ => Vec::new(),
    };
    Says { flags, values: vec![("price", price)], ..told }
}

#[test]
fn a_task() {
    let varies = [("difficulty", 0, 10), ("ease", -1, 4), ("effort", 0, 6), ("Effort limit", 1, 6), ("skill", 0, 4)];
    Game { rules: include_str!("levels.md"), check: "Task", varies: &varies, reference }.holds(&[
        ("1d20 + ", "1d30 + "),
        ("1d20 + 3 * min({effort=0}, {Effort limit})", "1d20 + 3 * {effort=0}"),
        ("3 * ({difficulty} - {ease=0})", "3 * {difficulty} - {ease=0}"),
        ("min(1, {effort=0}) * max", "max"),
        ("1 + 2 * min", "2 + min"),
        (" - {skill=0}", ""),
        ("natural 19 and margin 0+", "natural 19"),
        ("intrusion: natural 1", "intrusion: natural 1-2"),
    ]);
}

#[test]
fn effort_is_paid_from_the_pool_of_the_edge() {
    let mut table = Table::of_rules(Some(include_str!("levels.md")));
    let attributes = json!({"Might": 12, "Speed": 8, "Wits": 10, "Effort limit": 2});
    let ana = json!({"action": "create", "name": "Ana", "attributes": attributes, "skills": {"Might edge": 1}});
    table.manage_character(ana).is_fine();
    let call = |effort: i64| json!({"skill": "Might edge", "difficulty": 5, "values": {"effort": effort}});
    let made = table.dice([9]).skill_check(call(6));
    assert_eq!((&made["margin"], &made["results"]["price"]), (&json!(0), &json!(4)), "two levels are the limit");
    table.dice([15]).skill_check(call(0)).is_fine();
    table.dice([15]).skill_check(call(2)).is_fine();
    table.dice([15]).skill_check(call(1)).is_fine();
    table.skill_check(call(2)).refused("not_enough");
    let tracks = table.get_character(json!({"character": "Ana"}))["character"]["tracks"].clone();
    assert_eq!([&tracks[0]["value"], &tracks[1]["value"], &tracks[2]["value"]], [2, 8, 10]);
}
