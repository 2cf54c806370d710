//! Dice with faces of their own in play: rolled by name, entered by hand, opposed, and on the record.

use serde_json::{Value, json};

use crate::table::Table;

const RULES: &str = "# Mine\n\n## Dice\n- Dice: d6\n- Dice chain: d4, d6, d8\n- Symbol S: success\n- Symbol F: failure\n- Symbol A: edge\n\
    - Die Talent: blank, S, SS, SA\n- Die Hazard: blank, F, FF\n- Die Fuel: 0, 1, 1\n- Cancel: S against F\n\n## Attributes\n- Wits\n- Range: 1 to 4\n\n\
    ## Checks\n\n### Venture\n- Roll: `{attribute} Talent + {difficulty=1} Hazard`\n- Value lead: `success - failure`\n\
    - Opposed: higher {lead}, higher edge; ties nobody\n- Again Push: reroll all\n\n\
    | Outcome | When | Lamp |\n|---|---|---|\n| Success | success 1+ | |\n| Failure | otherwise | -1 step |\n\n\
    ## Health\n- Lamp: max 8\n- Damage: none\n- At 0 Lamp: gain dark\n\n## Conditions\n- dark\n";

fn mine() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    for (name, wits) in [("Ann", 2), ("Bo", 1)] {
        table.manage_character(json!({"action": "create", "name": name, "attributes": {"Wits": wits}})).is_fine();
    }
    table
}

fn lamp(table: &mut Table) -> Value {
    let sheet = table.get_character(json!({"character": "Ann"}))["character"]["tracks"].clone();
    sheet.as_array().expect("tracks").iter().find(|own| own["name"] == "Lamp").expect("the lamp")["value"].clone()
}

#[test]
fn what_fell_is_named_and_what_is_left_decides() {
    let mut table = mine();
    let venture = json!({"character": "Ann", "attribute": "Wits"});
    let made = table.dice([4, 3, 2]).skill_check(venture.clone());
    assert_eq!(made["outcome"], "success");
    assert_eq!(made["results"], json!({"success": 2, "failure": 0, "edge": 1, "lead": 2}));
    assert_eq!(made["roll"]["explanation"], "2 Talent: [SA, SS]; + 1 Hazard: [F] = 3 S, 1 A, 1 F");
    assert_eq!(made["roll"]["individual_rolls"], json!([4, 3, 2]));
    assert!(made.text("summary").contains("2 Talent: [SA, SS]"), "{}", made["summary"]);
    // The lamp's die goes down with a failure: from eight sides to six, to four, to none.
    for (value, dice) in [(6, [1, 1, 1]), (4, [1, 2, 3]), (0, [1, 1, 2])] {
        assert_eq!(table.dice(dice).skill_check(venture.clone())["outcome"], "failure");
        assert_eq!(lamp(&mut table), value);
    }
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(lamp(&mut table), 4);
    assert_eq!(table.dice([1, 1, 2]).skill_check(venture.clone())["outcome"], "failure");
    assert_eq!(lamp(&mut table), 0);
    let pushed = table.dice([3, 3, 1]).skill_check(json!({"character": "Ann", "again": "last"}));
    assert_eq!(pushed["results"]["lead"], 4);
    table.record().is_sound();
}

#[test]
fn they_are_rolled_by_name_and_entered_by_the_place_of_a_face() {
    let mut table = mine();
    let rolled = table.dice([2, 4, 3]).call("roll_dice", json!({"expression": "2 Talents + 1 hazard"}));
    assert_eq!(rolled["expression"], "2d{-,S,SS,SA}[Talent] + 1d{-,F,FF}[Hazard]");
    assert_eq!(rolled["explanation"], "2 Talent: [S, SA]; + 1 Hazard: [FF] = 2 S, 1 A, 2 F");
    assert_eq!((&rolled["input"], &rolled["total"]), (&json!("2 Talents + 1 hazard"), &json!(0)));
    let fuel = table.dice([1, 0]).call("roll_multiple", json!({"rolls": [{"expression": "2 Fuel + 1"}]}));
    assert_eq!(fuel["totals"], json!([2]));
    let check = |entered: Value| json!({"character": "Bo", "attribute": "Wits", "entered": entered});
    assert_eq!(table.dice([]).skill_check(check(json!([4, 1])))["results"]["edge"], 1);
    let told = table.skill_check(check(json!([5, 1]))).refused("invalid_parameters")["summary"].to_string();
    assert!(told.contains("1 to 4"), "{told}");
    let told = table.call("roll_dice", json!({"expression": "2 Tallent"}));
    told.refused("unparseable_input");
    let odds = table.call("odds", json!({"character": "Bo", "attribute": "Wits"}));
    let row =
        odds["outcomes"].as_array().expect("outcomes").iter().find(|row| row["outcome"] == "success").expect("a row");
    // Of twelve falls four leave a success: one or one with an edge against nothing, two against nothing or one.
    assert_eq!(row["fraction"], "1/3", "{odds:?}", odds = odds.value());
    table.record().is_sound();
}

#[test]
fn two_who_meet_compare_what_is_left() {
    let mut table = mine();
    let call = json!({"character": "Ann", "attribute": "Wits", "opposed_by": {"character": "Bo", "attribute": "Wits"}});
    let met = table.dice([2, 1, 1, 4, 1]).skill_check(call.clone());
    assert_eq!((&met["results"]["lead"], &met["opposed"]["results"]["lead"]), (&json!(1), &json!(1)));
    assert_eq!(met["contest"], "lost", "the edge is the other's");
    let met = table.dice([3, 1, 1, 4, 1]).skill_check(call);
    assert_eq!(met["contest"], "won");
    table.record().is_sound();
}
