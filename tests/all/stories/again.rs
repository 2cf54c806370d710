//! Rolls that are followed: which, how often and by what; pushes, and checks that cost something.

use serde_json::{Value, json};

use crate::table::Table;

/// Which rolls may be followed, how often, and by what.
const RULES: &str = "# Zero\n\n## Attributes\n- Wits\n- Range: 1 to 5\n\n## Checks\n\n### Pool\n- Roll: `{attribute}d6`\n- Count: 6\n- Target: `1`\n\
     - Again Push: reroll all but 1s, 6s; after failure; not with Luck\n- Again Luck: add {amount}; asks amount 1 to 3\n\
     - Again Help: add {amount}; asks amount 1; twice\n- Flag stress: 1s; after Push\n- Flag odd: 1s 2+\n";

fn table() -> Table {
    Table::of_people(RULES, &["Ann", "Bo"], json!({"attributes": {"Wits": 2}}))
}

fn pool(table: &mut Table, who: &str, dice: [i64; 2]) -> serde_json::Value {
    table
        .dice(dice)
        .skill_check(json!({"character": who, "attribute": "Wits"}))["log"]
        .clone()
}

#[test]
fn the_last_check_is_the_characters_own() {
    let mut table = table();
    table
        .skill_check(json!({"character": "Ann", "again": "last push"}))
        .refused("unknown_entry");
    let ann = pool(&mut table, "Ann", [2, 3]);
    let bo = pool(&mut table, "Bo", [4, 3]);
    table
        .skill_check(json!({"again": "last push"}))
        .refused("which_character");
    let pushed = table
        .dice([6, 6])
        .skill_check(json!({"character": "Ann", "again": "last push"}));
    assert_eq!(pushed["again"]["entry"], ann);
    let helped = table
        .skill_check(json!({"character": "Ann", "again": "Last help", "values": {"amount": 1}}));
    assert_eq!(
        helped["again"]["entry"], pushed["log"],
        "what follows is a check, too"
    );
    let other = table.skill_check(json!({"character": "Ann", "again": format!("#{bo} push")}));
    other.refused_with("invalid_parameters", &["is Bo's check, not Ann's"]);
}

#[test]
fn never_both_however_they_are_reached() {
    let mut table = table();
    let first = pool(&mut table, "Ann", [2, 3]);
    let pushed = table
        .dice([2, 3])
        .skill_check(json!({"again": format!("#{first} push")}));
    let helped = table
        .skill_check(json!({"again": format!("#{} help", pushed["log"]), "values": {"amount": 1}}));
    for entry in [&first, &pushed["log"], &helped["log"]] {
        let refused =
            table.skill_check(json!({"again": format!("#{entry} luck"), "values": {"amount": 1}}));
        refused.refused_with("already_followed", &["never used with it on one roll"]);
    }
    let other = pool(&mut table, "Ann", [2, 3]);
    table
        .skill_check(json!({"again": format!("#{other} luck"), "values": {"amount": 0}}))
        .refused("missing_value");
    table
        .skill_check(json!({"again": format!("#{other} luck"), "values": {"amount": 1}}))
        .is_fine();
    table
        .skill_check(json!({"again": format!("#{other} push")}))
        .refused("already_followed");
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
    refused.refused_with(
        "wrong_outcome",
        &["is a success, and Push follows only a failure (System.md:"],
    );
}

#[test]
fn a_flag_may_wait_for_the_push() {
    let mut table = table();
    let first = table
        .dice([1, 1])
        .skill_check(json!({"character": "Ann", "attribute": "Wits"}));
    assert_eq!(first["flags"], json!(["odd"]));
    let helped = table
        .skill_check(json!({"character": "Ann", "again": "last help", "values": {"amount": 1}}));
    assert_eq!(helped["flags"], json!(["odd"]), "helped is not pushed");
    let first = table
        .dice([1, 3])
        .skill_check(json!({"character": "Ann", "attribute": "Wits"}));
    assert_eq!(first["flags"], serde_json::Value::Null);
    let pushed = table
        .dice([2])
        .skill_check(json!({"character": "Ann", "again": "last push"}));
    assert_eq!(pushed["flags"], json!(["stress"]));
    let helped = table
        .skill_check(json!({"character": "Ann", "again": "last help", "values": {"amount": 1}}));
    assert_eq!(
        helped["flags"],
        json!(["stress"]),
        "it was pushed on the way here"
    );
}

#[test]
fn a_rule_knows_what_its_call_gives_and_the_values_of_the_first_roll() {
    let rules = "## Attributes\n- Luck (0 to 9)\n\n## Checks\n### Test\n- Roll: `2d6 + {edge}`\n- Target: 8\n- Asks: edge 0 to 3\n- Value low: `lowest`\n\
                 - Again Swap: set `{low} * 4 + {edge}`\n- Again Boost: add {points}; asks points 1 to {Luck}; if {points} 2+ and {low} 2+\n";
    let mut table = Table::of_people(rules, &["Ana"], json!({"attributes": {"Luck": 4}}));
    let first = json!({"character": "Ana", "values": {"edge": 1}});
    table.dice([2, 3]).skill_check(first.clone()).is_fine();
    let boost = |points: i64| json!({"again": "last Boost", "values": {"points": points}});
    table.skill_check(boost(1)).refused("not_while");
    let boosted = table.skill_check(boost(3));
    assert_eq!(
        (&boosted["roll"]["total"], &boosted["outcome"]),
        (&json!(9), &json!("success"))
    );
    table.dice([2, 3]).skill_check(first).is_fine();
    let swapped = table.skill_check(json!({"again": "last Swap"}));
    assert_eq!(
        (&swapped["roll"]["total"], &swapped["outcome"]),
        (&json!(9), &json!("success"))
    );
}

/// Pushes whose dice stay by colour, which add dice and cost something.
const PUSH_RULES: &str = "# Mine\n\n## Attributes\n- Body\n- Range: 1 to 5\n\n## Checks\n\n### Work\n\
    - Roll: `{attribute}d6[body] + {gear=0}d6[gear] + {Stress}d6[stress]`\n- Asks: gear 0 to 5\n- Count: 6\n- Target: `1`\n\
    - Again Push: reroll all but 6s, body 1s, gear 1s; twice; adds 1 stress; costs Stress +1; costs Vigour -`body 1s`\n\
    - Flag panic: stress 1s 1+; after Push\n\n\
    | Outcome | When | Noise |\n|---|---|---|\n| Success | margin 0+ | |\n| Failure | otherwise | +1 |\n\n\
    ## Health\n- Vigour: max 3\n- Stress: 2 boxes, full: gain shaking\n- Noise: 6 boxes\n- Damage: Vigour\n\n## Conditions\n- shaking\n";

fn pushed() -> Table {
    Table::of_people(PUSH_RULES, &["Ann"], json!({"attributes": {"Body": 3}}))
}

fn tracks_of(table: &mut Table) -> Vec<(String, i64)> {
    let sheet = table.get_character(json!({"character": "Ann"}))["character"]["tracks"].clone();
    let moved = |track: &Value| {
        (
            track["name"].as_str().expect("a name").to_owned(),
            track["value"].as_i64().expect("a number"),
        )
    };
    sheet
        .as_array()
        .expect("tracks")
        .iter()
        .map(moved)
        .collect()
}

#[track_caller]
fn stand<const MANY: usize>(table: &mut Table, wanted: [(&str, i64); MANY]) {
    let now = tracks_of(table);
    for (name, value) in wanted {
        assert!(
            now.contains(&(name.to_owned(), value)),
            "{name} {value} in {now:?}"
        );
    }
}

#[test]
fn what_stays_goes_by_colour_and_the_price_is_paid_once() {
    let mut table = pushed();
    let first = table
        .dice([1, 4, 5, 1])
        .skill_check(json!({"character": "Ann", "attribute": "Body", "values": {"gear": 1}}));
    assert_eq!(first["outcome"], "failure");
    stand(&mut table, [("Vigour", 3), ("Stress", 0), ("Noise", 1)]);
    // The ones of body and gear stay; two dice of the body and one of stress fall.
    let pushed = table.dice([1, 3, 1]).skill_check(json!({"again": "last"}));
    assert_eq!(pushed["again"]["redrawn"], 2);
    assert_eq!(pushed["again"]["added"], "1d6[stress]");
    assert_eq!(pushed["flags"], json!(["panic"]));
    assert_eq!(pushed["outcome"], "failure");
    let summary = pushed.text("summary");
    for part in [
        "Ann (Work, Push): Stress 0 to 1/2.",
        "Ann (Work, Push (body 1s)): Vigour 3 to 1/3.",
        "Noise 0 to 1/6.",
    ] {
        assert!(summary.contains(part), "{part} in {summary}");
    }
    stand(&mut table, [("Vigour", 1), ("Stress", 1), ("Noise", 1)]);
    // Once more: what the ones cost is reckoned anew, the stress of the first push is not given
    // back.
    let again = table.dice([6, 2, 2]).skill_check(json!({"again": "last"}));
    assert_eq!(again["outcome"], "success");
    assert_eq!(again["conditions"], json!(["shaking"]));
    stand(&mut table, [("Vigour", 1), ("Stress", 2), ("Noise", 0)]);
    table.manage_session(json!({"action": "undo"})).is_fine();
    stand(&mut table, [("Vigour", 1), ("Stress", 1), ("Noise", 1)]);
}

#[test]
fn a_push_that_cannot_be_paid_is_refused_unrolled() {
    let mut table = pushed();
    table
        .apply_damage(json!({"target": "Ann", "amount": 2, "track": "Stress"}))
        .is_fine();
    table
        .dice([2, 4, 5, 3, 3])
        .skill_check(json!({"character": "Ann", "attribute": "Body"}))
        .is_fine();
    table
        .skill_check(json!({"again": "last"}))
        .refused_with("not_enough", &["costs Stress +1", "Ann has Stress 2/2"]);
    stand(&mut table, [("Vigour", 3), ("Stress", 2), ("Noise", 1)]);
}

#[test]
fn a_push_is_advised_to_who_can_pay_for_it_and_to_nobody_else() {
    // The price of the check comes before that of the push; what the row of the first roll marked
    // is taken back.
    let rules = "# Mine\n\n## Attributes\n- Body\n\n## Checks\n\n### Work\n- Roll: `{attribute}d6`\n- Count: 6\n- Target: `1`\n- Costs: Stress +1\n\
        - Again Push: reroll all but 6s; costs Stress +1\n\n| Outcome | When | Stress |\n|---|---|---|\n| Success | margin 0+ | |\n| Failure | otherwise | +1 |\n\n\
        ## Health\n- Vigour: max 4\n- Stress: 4 boxes\n- Damage: Vigour\n";
    let mut table = Table::of_people(rules, &["Ann"], json!({"attributes": {"Body": 2}}));
    let work = json!({"character": "Ann", "attribute": "Body"});
    let pushed = json!({"character": "Ann", "attribute": "Body", "again": "Push"});
    table
        .apply_damage(json!({"target": "Ann", "amount": 2, "track": "Stress"}))
        .is_fine();
    let failed = table.dice([2, 3]).skill_check(work.clone());
    stand(&mut table, [("Stress", 4)]);
    assert_eq!(
        failed["follow_ups"].as_array().map(Vec::len),
        Some(1),
        "{failed:?}"
    );
    table
        .dice([6, 3])
        .skill_check(json!({"again": "last"}))
        .is_fine();
    stand(&mut table, [("Stress", 4)]);
    table
        .apply_damage(json!({"target": "Ann", "amount": -1, "track": "Stress"}))
        .is_fine();
    let odds = table.call("odds", pushed.clone());
    assert!(
        odds["again"]["percent"]
            .as_str()
            .expect("a chance")
            .starts_with("0.0"),
        "{odds:?}"
    );
    let expected = json!([
        "Push (System.md:13) costs Stress +1, and Ann has Stress 3/4, so no roll is followed."
    ]);
    assert_eq!(odds["noted"], expected);
    let alone = table.call("odds", work.clone());
    assert_eq!(
        (&odds["outcomes"], &alone["noted"]),
        (&alone["outcomes"], &Value::Null)
    );
    let failed = table.dice([2, 3]).skill_check(work.clone());
    assert_eq!(
        (&failed["follow_ups"], &failed["next"]),
        (&Value::Null, &Value::Null),
        "{failed:?}"
    );
    table
        .skill_check(json!({"again": "last"}))
        .refused("not_enough");
    let odds = table.call("odds", work.clone());
    let summary = "Work costs 1 Stress (System.md:12), and Ann has Stress 4/4, so the check is refused at the table.";
    assert_eq!(odds["noted"], json!([summary]));
    table.skill_check(work).refused("not_enough");
}

#[test]
fn an_attack_that_hurt_another_is_not_offered_to_be_followed() {
    let rules = "# Mine\n\n## Attributes\n- Body\n\n## Checks\n\n### Strike\n- Roll: `1d20`\n- Target: `10`\n\
        - Again Push: reroll all; after success, failure\n\n## Health\n- Vigour: max 9\n- Damage: Vigour\n";
    let mut table = Table::of_people(rules, &["Ann", "Bo"], json!({"attributes": {"Body": 2}}));
    let strike = json!({"character": "Ann", "target": "Bo", "damage": "1d4"});
    let hit = table.dice([15, 2]).skill_check(strike.clone());
    assert_eq!(hit["follow_ups"], Value::Null, "{hit:?}");
    table
        .skill_check(json!({"again": "last", "character": "Ann"}))
        .refused("changed_since");
    let missed = table.dice([3]).skill_check(strike);
    assert_eq!(missed["follow_ups"].as_array().map(Vec::len), Some(1));
    table
        .dice([4])
        .skill_check(json!({"again": "last", "character": "Ann"}))
        .is_fine();
}

/// Checks that cost something: it is paid once, and nobody rolls what they cannot pay for.
const PRICE_RULES: &str = "# Mine\n\n## Attributes\n- Might\n- Wits\n- Range: 0 to 20\n- Modifier: `{score}`\n\n## Checks\n\n### Task\n\
    - Roll: `1d20 + {effort=0}`\n- Target: `{difficulty=10}`\n- Asks: effort 0 to 9\n- Costs: {attribute} -`2 * {effort=0}`\n\
    - Again Push: reroll all; costs Supplies -1\n\n### Meal\n- Roll: `1d6`\n- Costs: Supplies -2\n\n\
    ## Health\n- Damage: Might, Wits\n\n## Company\n- Supplies: max 3\n";

fn priced() -> Table {
    let mut table = Table::of_rules(Some(PRICE_RULES));
    for name in ["Ann", "Bo"] {
        let attributes = json!({"Might": 9, "Wits": 3});
        table
            .manage_character(json!({"action": "create", "name": name, "attributes": attributes}))
            .is_fine();
    }
    table
}

fn might(table: &mut Table, who: &str) -> i64 {
    let sheet = table.get_character(json!({"character": who}));
    sheet["character"]["tracks"][0]["value"]
        .as_i64()
        .expect("a number")
}

#[test]
fn it_is_paid_when_the_check_is_made_and_a_push_neither_gives_it_back_nor_takes_it_again() {
    let mut table = priced();
    let call = json!({"character": "Ann", "attribute": "Might", "values": {"effort": 3}});
    let made = table.dice([2]).skill_check(call);
    assert!(
        made.text("summary")
            .contains("Ann (price of Task): Might 9 to 3/9."),
        "{}",
        made.text("summary")
    );
    table
        .dice([12])
        .skill_check(json!({"character": "Ann", "again": "last"}))
        .is_fine();
    assert_eq!(might(&mut table, "Ann"), 3);
    table.manage_session(json!({"action": "undo"})).is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(might(&mut table, "Ann"), 9);
}

#[test]
fn without_the_points_it_is_refused_before_a_die_falls_and_what_costs_nothing_is_not() {
    let mut table = priced();
    let call = |effort: i64| json!({"character": "Ann", "attribute": "Wits", "values": {"effort": effort}});
    let refused = table.skill_check(call(2)).refused("not_enough")["summary"].to_string();
    assert!(
        refused.contains("costs 4 Wits (System.md:15), and Ann has Wits 3/3"),
        "{refused}"
    );
    table.dice([2]).skill_check(call(1)).is_fine();
    table
        .dice([2])
        .skill_check(json!({"character": "Ann"}))
        .is_fine();
    table
        .skill_check(json!({"character": "Ann", "values": {"effort": 1}}))
        .refused("missing_value");
}

#[test]
fn what_all_share_is_paid_with_too() {
    let mut table = priced();
    table
        .dice([2])
        .skill_check(json!({"character": "Ann", "check": "Meal"}))
        .is_fine();
    let refused = table.skill_check(json!({"character": "Ann", "check": "Meal"}));
    let refused = refused.refused("not_enough")["summary"].to_string();
    assert!(refused.contains("all share Supplies 1/3"), "{refused}");
    table
        .dice([2])
        .skill_check(json!({"character": "Ann", "attribute": "Wits"}))
        .is_fine();
    table
        .dice([2])
        .skill_check(json!({"character": "Ann", "again": "last"}))
        .is_fine();
    table
        .dice([2])
        .skill_check(json!({"character": "Ann", "attribute": "Wits"}))
        .is_fine();
    table
        .skill_check(json!({"character": "Ann", "again": "last"}))
        .refused("not_enough");
}

#[test]
fn both_sides_of_a_contest_pay_for_themselves() {
    let mut table = priced();
    let other = json!({"character": "Bo", "attribute": "Might", "values": {"effort": 1}});
    let call = json!({"character": "Ann", "attribute": "Might", "values": {"effort": 2}, "opposed_by": other});
    table.dice([9, 9]).skill_check(call).is_fine();
    assert_eq!([might(&mut table, "Ann"), might(&mut table, "Bo")], [5, 7]);
}
