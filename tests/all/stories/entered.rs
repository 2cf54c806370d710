//! Dice that people rolled by hand: all of a call, in the order in which they fall.

use serde_json::{Value, json};

use super::blows::{hit_points, ring};
use crate::table::{Table, with};

#[test]
fn a_check_takes_dice_that_people_rolled() {
    let mut table = Table::with_party();
    let check = |entered: serde_json::Value| json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15, "entered": entered});
    let own = table.dice([]).skill_check(check(json!([13])));
    assert_eq!((&own["outcome"], &own["roll"]["rng"]["source"]), (&json!("success"), &json!("entered")));
    assert!(own.text("summary").contains("(entered by hand)"), "{}", own["summary"]);
    let better = with(check(json!([4, 13])), json!({"advantage": true}));
    assert_eq!(table.dice([]).skill_check(better)["roll"]["total"], own["roll"]["total"]);
    let before = table.record().everything();
    let one = with(check(json!([4])), json!({"advantage": true}));
    for (call, words) in [
        (one, "after 1 one more is needed, a d20. It takes 2 of d20"),
        (check(json!([4, 5])), "1 of 2 numbers are left over. It takes 1 of d20"),
        (check(json!([21])), "1 to 20"),
        (
            with(check(json!([4])), json!({"character": ["Sabeth", "Jory"]})),
            "It takes 1 of d20 for the check, 1 of d20 for the check",
        ),
    ] {
        let refused = table.skill_check(call).refused("invalid_parameters")["summary"].as_str().unwrap().to_owned();
        assert!(refused.contains(words), "{words}: {refused}");
    }
    assert_eq!(table.record().everything(), before);
    table.record().is_sound();
}

/// Ann strikes with these dice of hers.
fn strike(table: &mut Table, target: &str, dice: &[i64]) -> crate::table::Answer {
    let strike = json!({"character": "Ann", "check": "Strike", "skill": "Melee", "target": target, "damage": "1d8+1", "entered": dice});
    table.dice([]).skill_check(strike)
}

#[test]
fn an_attack_takes_the_dice_of_its_damage_after_those_of_its_check() {
    let mut table = ring();
    for (dice, dealt) in
        [(vec![20, 4, 6], 11), (vec![15, 4], 5), (vec![14, 4, 6], 11), (vec![12], 9), (vec![10, 4], 2), (vec![3], 0)]
    {
        let answer = strike(&mut table, "Wolf 1", &dice);
        assert_eq!(hit_points(&mut table, "Wolf 1"), 30 - dealt, "{}", answer.value());
        assert!(answer.text("summary").contains("entered by hand"), "{}", answer["summary"]);
        if dealt > 0 {
            table.manage_session(json!({"action": "undo"})).is_fine();
        }
    }
    assert_eq!(table.record().number("select count(*) from rolls where source != 'entered' and purpose = 'roll'"), 0);
    table.record().is_sound();
}

#[test]
fn a_refusal_of_an_attacks_dice_says_which_dice_its_outcome_asks_for() {
    let mut table = ring();
    let before = table.record().everything();
    for (target, dice, words) in [
        (
            "Wolf 1",
            vec![15],
            "after 1 one more is needed, a d8. It takes 1 of d20 for the check, 1 of d8 for the damage (Hit)",
        ),
        ("Wolf 1", vec![20, 4], "It takes 1 of d20 for the check, 1 of d8, 1 of d8 for the damage (Critical)"),
        ("Wolf 1", vec![15, 9], "1 to 8"),
        (
            "Wolf 1",
            vec![3, 4],
            "1 of 2 numbers are left over. It takes 1 of d20 for the check, none for the damage (Miss)",
        ),
        ("Wolf 1", vec![12, 4], "It takes 1 of d20 for the check, none for the damage (Perfect)"),
        (
            "foes",
            vec![15, 4, 15],
            "It takes 1 of d20 for the check, 1 of d8 for the damage (Hit), 1 of d20 for the check, 1 of d8 for the damage (Hit)",
        ),
    ] {
        let refused = strike(&mut table, target, &dice);
        let summary = refused.refused("invalid_parameters")["summary"].as_str().unwrap().to_owned();
        assert!(summary.contains(words), "{words}: {summary}");
    }
    assert_eq!(table.record().everything(), before);
}

#[test]
fn several_targets_take_their_dice_one_after_the_other() {
    let mut table = ring();
    strike(&mut table, "foes", &[15, 4, 3]).is_fine();
    assert_eq!((hit_points(&mut table, "Wolf 1"), hit_points(&mut table, "Wolf 2")), (25, 30));
    strike(&mut table, "foes", &[3, 20, 1, 2]).is_fine();
    assert_eq!((hit_points(&mut table, "Wolf 1"), hit_points(&mut table, "Wolf 2")), (25, 26));
    table.record().is_sound();
}

#[test]
fn dice_after_those_of_an_opponent_are_refused_before_any_falls() {
    let mut table = ring();
    let call = json!({"character": "Ann", "check": "Strike", "skill": "Melee", "target": "Wolf 1", "damage": "1d8",
        "opposed_by": {"character": "Wolf 1", "skill": "Melee"}, "entered": [15, 4]});
    let refused = table.dice([]).skill_check(call.clone()).refused("invalid_parameters")["summary"].to_string();
    assert!(refused.contains("without damage and attack"), "{refused}");
    let advised = with(call, json!({"damage": null, "entered": [15]}));
    table.dice([2]).skill_check(advised).is_fine();
    table.dice([]).roll_dice(json!({"expression": "1d8", "entered": [4]})).is_fine();
    table.apply_damage(json!({"target": "Wolf 1", "roll": "last"})).is_fine();
    assert_eq!(hit_points(&mut table, "Wolf 1"), 26);
    table.record().is_sound();
}

#[test]
fn every_kind_of_dice_takes_its_faces_in_the_order_they_fall() {
    let mut table = Table::of_rules(None);
    for (expression, dice, total) in [
        ("1d100", json!([47]), 47),
        ("1d%", json!([100]), 100),
        ("4d6kh3", json!([1, 6, 5, 4]), 15),
        ("2d6!", json!([6, 3, 2]), 11),
        ("2d20kh1", json!([4, 17]), 17),
        ("1d20 adv", json!([4, 17]), 17),
        ("4dF", json!([-1, 0, 1, 1]), 1),
        ("2d6r1", json!([1, 4, 3]), 7),
    ] {
        let rolled = table.dice([]).roll_dice(json!({"expression": expression, "entered": dice}));
        assert_eq!((&rolled["total"], &rolled["rng"]["source"]), (&json!(total), &json!("entered")), "{expression}");
    }
    for (expression, dice, words) in [
        ("1d100", json!([40, 7]), "It takes 1 of d100 (each one number from 1 to 100)"),
        ("1d%", json!([0]), "each one number from 1 to 100"),
        ("2d6!", json!([6, 3]), "after 2 one more is needed, a d6"),
        ("4d6kh3", json!([6, 5, 4]), "It takes 4 of d6"),
    ] {
        let refused = table.roll_dice(json!({"expression": expression, "entered": dice}));
        let summary = refused.refused("invalid_parameters")["summary"].as_str().unwrap().to_owned();
        assert!(summary.contains(words), "{words}: {summary}");
    }
    table.record().is_sound();
}

#[test]
fn a_pushed_roll_takes_the_dice_that_were_rolled_again() {
    const RULES: &str = "# Zero\n\n## Attributes\n- Wits\n- Range: 1 to 5\n\n## Checks\n\n### Pool\n- Roll: `{attribute}d6`\n- Count: 6\n- Target: `1`\n\
         - Again Push: reroll all but 1s, 6s; after failure\n";
    let mut table = Table::of_rules(Some(RULES));
    table.manage_character(json!({"action": "create", "name": "Ann", "attributes": {"Wits": 3}})).is_fine();
    table.dice([]).skill_check(json!({"attribute": "Wits", "entered": [1, 2, 3]})).is_fine();
    let push = |dice: Value| json!({"again": "last push", "entered": dice});
    for (dice, words) in
        [(json!([6]), "It takes 2 of d6 that are rolled again"), (json!([6, 5, 4]), "1 of 3 numbers are left over")]
    {
        let refused = table.skill_check(push(dice)).refused("invalid_parameters")["summary"].to_string();
        assert!(refused.contains(words), "{refused}");
    }
    let pushed = table.skill_check(push(json!([6, 5])));
    assert_eq!((&pushed["successes"], &pushed["roll"]["rng"]["source"]), (&json!(1), &json!("entered")));
    table.record().is_sound();
}
