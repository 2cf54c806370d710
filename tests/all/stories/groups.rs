//! Labelled groups of dice of which one is empty, at a table.

use serde_json::json;

use crate::table::Table;

const RULES: &str = "# Thirst\n\n## Attributes\n- Hunger: red dice\n- Range: 0 to 5\n\n## Checks\n\n### Pool\n- Roll: `1d10 + {Hunger}d10[hunger]`\n\
     - Count: 6+\n- Again Push: reroll all but 1s; any number of times\n- Flag clean: hunger 10s 0\n\n\
     | Outcome | When |\n|---|---|\n| Messy (critical success) | hunger 10s and successes {difficulty}+ |\n\
     | Win (success) | hunger 10s 0 and successes {difficulty}+ |\n| Failure | otherwise |\n\n\
     ### Counted\n- Roll: `{Hunger}d10t8`\n\n| Outcome | When |\n|---|---|\n| Quiet (success) | successes 0 |\n| Loud (failure) | otherwise |\n";

#[test]
fn nobody_hungry_has_no_red_tens_in_outcomes_flags_odds_and_pushes() {
    let mut table = Table::of_rules(Some(RULES));
    table.manage_character(json!({"action": "create", "name": "Ann", "attributes": {"Hunger": 0}})).is_fine();
    let call = json!({"difficulty": 1});
    let odds = table.call("odds", json!({"check": "Pool", "difficulty": 1}));
    assert_eq!(odds["outcomes"][0]["label"], "Win");
    assert_eq!(odds["outcomes"][0]["fraction"], "1/2");
    let fell = table.dice([6]).skill_check(call);
    assert_eq!((fell.text("label"), &fell["flags"]), ("Win", &json!(["clean"])));
    let pushed = table.dice([9]).skill_check(json!({"again": "last push"}));
    assert_eq!((pushed.text("label"), &pushed["flags"]), ("Win", &json!(["clean"])), "{}", pushed["summary"]);
    let quiet = table.skill_check(json!({"check": "Counted"}));
    assert_eq!(quiet["label"], "Quiet");
    table.manage_character(json!({"action": "update", "character": "Ann", "attributes": {"Hunger": 1}})).is_fine();
    let messy = table.dice([6, 10]).skill_check(json!({"difficulty": 2}));
    assert_eq!((messy.text("label"), &messy["flags"]), ("Messy", &serde_json::Value::Null));
    table.record().is_sound();
}
