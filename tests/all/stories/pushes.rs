//! Pushes whose dice stay by colour, which add dice and cost something.

use serde_json::{Value, json};

use crate::table::Table;

const RULES: &str = "# Mine\n\n## Attributes\n- Body\n- Range: 1 to 5\n\n## Checks\n\n### Work\n\
    - Roll: `{attribute}d6[body] + {gear=0}d6[gear] + {Stress}d6[stress]`\n- Count: 6\n- Target: `1`\n\
    - Push: reroll all but 6s, body 1s and gear 1s; twice; adds one stress die; costs 1 stress and 1 vigour for each body 1\n\
    - Flag panic: stress ones 1+; after Push\n\n\
    | Outcome | When | Noise |\n|---|---|---|\n| Success | margin 0+ | |\n| Failure | otherwise | 1 more |\n\n\
    ## Health\n- Vigour: max `3`, from 0\n- Stress: 2 boxes; full: shaking\n- Noise: 6 boxes\n";

fn mine() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    table.manage_character(json!({"action": "create", "name": "Ann", "attributes": {"Body": 3}})).is_fine();
    table
}

fn tracks(table: &mut Table) -> Vec<(String, i64)> {
    let sheet = table.get_character(json!({"character": "Ann"}))["character"]["tracks"].clone();
    let own = |track: &Value| {
        (track["name"].as_str().expect("a name").to_owned(), track["value"].as_i64().expect("a number"))
    };
    sheet.as_array().expect("tracks").iter().map(own).collect()
}

#[track_caller]
fn stand(table: &mut Table, wanted: [(&str, i64); 3]) {
    let now = tracks(table);
    for (name, value) in wanted {
        assert!(now.contains(&(name.to_owned(), value)), "{name} {value} in {now:?}");
    }
}

#[test]
fn what_stays_goes_by_colour_and_the_price_is_paid_once() {
    let mut table = mine();
    let first =
        table.dice([1, 4, 5, 1]).skill_check(json!({"character": "Ann", "attribute": "Body", "values": {"gear": 1}}));
    assert_eq!(first["outcome"], "failure");
    stand(&mut table, [("Vigour", 3), ("Stress", 0), ("Noise", 1)]);
    // The ones of body and gear stay; two dice of the body and one of stress fall.
    let pushed = table.dice([1, 3, 1]).skill_check(json!({"again": "last"}));
    assert_eq!(pushed["again"]["redrawn"], 2);
    assert_eq!(pushed["again"]["added"], "1d6[stress]");
    assert_eq!(pushed["flags"], json!(["panic"]));
    assert_eq!(pushed["outcome"], "failure");
    let told = pushed.text("summary");
    for part in
        ["Ann (Work, Push): Stress 0 to 1/2.", "Ann (Work, Push (body 1s)): Vigour 3 to 1/3.", "Noise 0 to 1/6."]
    {
        assert!(told.contains(part), "{part} in {told}");
    }
    stand(&mut table, [("Vigour", 1), ("Stress", 1), ("Noise", 1)]);
    // Once more: what the ones cost is reckoned anew, the stress of the first push is not given back.
    let again = table.dice([6, 2, 2]).skill_check(json!({"again": "last"}));
    assert_eq!(again["outcome"], "success");
    assert_eq!(again["conditions"], json!(["shaking"]));
    stand(&mut table, [("Vigour", 1), ("Stress", 2), ("Noise", 0)]);
    table.manage_session(json!({"action": "undo"})).is_fine();
    stand(&mut table, [("Vigour", 1), ("Stress", 1), ("Noise", 1)]);
    table.record().is_sound();
}

#[test]
fn a_push_that_cannot_be_paid_is_refused_unrolled() {
    let mut table = mine();
    table.apply_damage(json!({"target": "Ann", "amount": 2, "track": "Stress"})).is_fine();
    table.dice([2, 4, 5, 3, 3]).skill_check(json!({"character": "Ann", "attribute": "Body"})).is_fine();
    let refused = table.skill_check(json!({"again": "last"}));
    let told = refused.refused("not_enough")["summary"].to_string();
    assert!(told.contains("costs 1 stress") && told.contains("Ann has Stress 2/2"), "{told}");
    stand(&mut table, [("Vigour", 3), ("Stress", 2), ("Noise", 1)]);
    table.record().is_sound();
}
