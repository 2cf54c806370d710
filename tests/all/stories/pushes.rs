//! Pushes whose dice stay by colour, which add dice and cost something.

use serde_json::{Value, json};

use crate::table::Table;

const RULES: &str = "# Mine\n\n## Attributes\n- Body\n- Range: 1 to 5\n\n## Checks\n\n### Work\n\
    - Roll: `{attribute}d6[body] + {gear=0}d6[gear] + {Stress}d6[stress]`\n- Asks: gear 0 to 5\n- Count: 6\n- Target: `1`\n\
    - Again Push: reroll all but 6s, body 1s, gear 1s; twice; adds 1 stress; costs Stress +1; costs Vigour -`body 1s`\n\
    - Flag panic: stress 1s 1+; after Push\n\n\
    | Outcome | When | Noise |\n|---|---|---|\n| Success | margin 0+ | |\n| Failure | otherwise | +1 |\n\n\
    ## Health\n- Vigour: max 3\n- Stress: 2 boxes, full: gain shaking\n- Noise: 6 boxes\n- Damage: Vigour\n\n## Conditions\n- shaking\n";

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
fn stand<const MANY: usize>(table: &mut Table, wanted: [(&str, i64); MANY]) {
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
    assert!(told.contains("costs Stress +1") && told.contains("Ann has Stress 2/2"), "{told}");
    stand(&mut table, [("Vigour", 3), ("Stress", 2), ("Noise", 1)]);
    table.record().is_sound();
}

#[test]
fn a_push_is_advised_to_whoever_can_pay_for_it_and_to_nobody_else() {
    // The price of the check comes before that of the push; what the row of the first roll marked is taken back.
    let rules = "# Mine\n\n## Attributes\n- Body\n\n## Checks\n\n### Work\n- Roll: `{attribute}d6`\n- Count: 6\n- Target: `1`\n- Costs: Stress +1\n\
        - Again Push: reroll all but 6s; costs Stress +1\n\n| Outcome | When | Stress |\n|---|---|---|\n| Success | margin 0+ | |\n| Failure | otherwise | +1 |\n\n\
        ## Health\n- Vigour: max 4\n- Stress: 4 boxes\n- Damage: Vigour\n";
    let mut table = Table::of_rules(Some(rules));
    table.manage_character(json!({"action": "create", "name": "Ann", "attributes": {"Body": 2}})).is_fine();
    let work = json!({"character": "Ann", "attribute": "Body"});
    let pushed = json!({"character": "Ann", "attribute": "Body", "again": "Push"});
    table.apply_damage(json!({"target": "Ann", "amount": 2, "track": "Stress"})).is_fine();
    let failed = table.dice([2, 3]).skill_check(work.clone());
    stand(&mut table, [("Stress", 4)]);
    assert_eq!(failed["follow_ups"].as_array().map(Vec::len), Some(1), "{failed:?}");
    table.dice([6, 3]).skill_check(json!({"again": "last"})).is_fine();
    stand(&mut table, [("Stress", 4)]);
    table.apply_damage(json!({"target": "Ann", "amount": -1, "track": "Stress"})).is_fine();
    let odds = table.call("odds", pushed.clone());
    assert!(odds["again"]["percent"].as_str().expect("a chance").starts_with("0.0"), "{odds:?}");
    assert_eq!(
        odds["noted"],
        json!(["Push (System.md:13) costs Stress +1, and Ann has Stress 3/4, so no roll is followed."])
    );
    let alone = table.call("odds", work.clone());
    assert_eq!((&odds["outcomes"], &alone["noted"]), (&alone["outcomes"], &Value::Null));
    let failed = table.dice([2, 3]).skill_check(work.clone());
    assert_eq!((&failed["follow_ups"], &failed["next"]), (&Value::Null, &Value::Null), "{failed:?}");
    table.skill_check(json!({"again": "last"})).refused("not_enough");
    let odds = table.call("odds", work.clone());
    let told = "Work costs 1 Stress (System.md:12), and Ann has Stress 4/4, so the check is refused at the table.";
    assert_eq!(odds["noted"], json!([told]));
    table.skill_check(work).refused("not_enough");
    table.record().is_sound();
}
