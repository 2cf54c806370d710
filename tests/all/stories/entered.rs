//! Dice that people rolled by hand, and random tables of the adventure.

use serde_json::{Value, json};

use super::hits::{hit_points, ring};
use crate::table::{Table, cases, each, text, with};

#[test]
fn a_check_takes_dice_that_people_rolled() {
    let mut table = Table::with_party();
    let check = |entered: serde_json::Value| json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15, "entered": entered});
    let rolled = table.dice([]).skill_check(check(json!([13])));
    assert_eq!(
        (&rolled["outcome"], &rolled["roll"]["rng"]["source"]),
        (&json!("success"), &json!("entered"))
    );
    assert!(
        rolled.text("summary").contains("(entered by hand)"),
        "{}",
        rolled["summary"]
    );
    let better = with(check(json!([4, 13])), json!({"advantage": true}));
    assert_eq!(
        table.dice([]).skill_check(better)["roll"]["total"],
        rolled["roll"]["total"]
    );
    let before = table.record().everything();
    let one = with(check(json!([4])), json!({"advantage": true}));
    for (call, words) in [
        (one, "after 1 one more is needed, a d20. It takes 2 of d20"),
        (
            check(json!([4, 5])),
            "1 of 2 numbers are left over. It takes 1 of d20",
        ),
        (check(json!([21])), "1 to 20"),
        (
            with(check(json!([4])), json!({"character": ["Sabeth", "Jory"]})),
            "It takes 1 of d20 for the check, 1 of d20 for the check",
        ),
    ] {
        table
            .skill_check(call)
            .refused_with("invalid_parameters", &[words]);
    }
    assert_eq!(table.record().everything(), before);
}

/// Ann strikes with these dice of hers.
fn strike(table: &mut Table, target: &str, dice: &[i64]) -> crate::table::Answer {
    let strike = json!({"character": "Ann", "check": "Strike", "skill": "Melee", "target": target, "damage": "1d8+1", "entered": dice});
    table.dice([]).skill_check(strike)
}

#[test]
fn an_attack_takes_the_dice_of_its_damage_after_those_of_its_check() {
    let mut table = ring();
    for (dice, dealt) in [
        (vec![20, 4, 6], 11),
        (vec![15, 4], 5),
        (vec![14, 4, 6], 11),
        (vec![12], 9),
        (vec![10, 4], 2),
        (vec![3], 0),
    ] {
        let answer = strike(&mut table, "Wolf 1", &dice);
        assert_eq!(
            hit_points(&mut table, "Wolf 1"),
            30 - dealt,
            "{}",
            answer.value()
        );
        assert!(
            answer.text("summary").contains("entered by hand"),
            "{}",
            answer["summary"]
        );
        if dealt > 0 {
            table.manage_session(json!({"action": "undo"})).is_fine();
        }
    }
    assert_eq!(
        table
            .record()
            .number("select count(*) from rolls where source != 'entered' and purpose = 'roll'"),
        0
    );
}

#[test]
fn a_refusal_of_an_attacks_dice_says_which_dice_its_outcome_asks_for() {
    let mut table = ring();
    let before = table.record().everything();
    for [target, dice, words] in cases(json!([
        [
            "Wolf 1",
            [15],
            "after 1 one more is needed, a d8. It takes 1 of d20 for the check, 1 of d8 for the damage (Hit)"
        ],
        [
            "Wolf 1",
            [20, 4],
            "It takes 1 of d20 for the check, 1 of d8, 1 of d8 for the damage (Critical)"
        ],
        ["Wolf 1", [15, 9], "1 to 8"],
        [
            "Wolf 1",
            [3, 4],
            "1 of 2 numbers are left over. It takes 1 of d20 for the check, none for the damage (Miss)"
        ],
        [
            "Wolf 1",
            [12, 4],
            "It takes 1 of d20 for the check, none for the damage (Perfect)"
        ],
        [
            "foes",
            [15, 4, 15],
            "It takes 1 of d20 for the check, 1 of d8 for the damage (Hit), 1 of d20 for the check, 1 of d8 for the damage (Hit)"
        ],
    ])) {
        let dice: Vec<i64> = each(&dice).filter_map(Value::as_i64).collect();
        strike(&mut table, text(&target), &dice)
            .refused_with("invalid_parameters", &[text(&words)]);
    }
    assert_eq!(table.record().everything(), before);
}

#[test]
fn several_targets_take_their_dice_one_after_the_other() {
    let mut table = ring();
    strike(&mut table, "foes", &[15, 4, 3]).is_fine();
    assert_eq!(
        (
            hit_points(&mut table, "Wolf 1"),
            hit_points(&mut table, "Wolf 2")
        ),
        (25, 30)
    );
    strike(&mut table, "foes", &[3, 20, 1, 2]).is_fine();
    assert_eq!(
        (
            hit_points(&mut table, "Wolf 1"),
            hit_points(&mut table, "Wolf 2")
        ),
        (25, 26)
    );
}

#[test]
fn dice_after_those_of_an_opponent_are_refused_before_any_falls() {
    let mut table = ring();
    let call = json!({"character": "Ann", "check": "Strike", "skill": "Melee", "target": "Wolf 1", "damage": "1d8",
        "opposed_by": {"character": "Wolf 1", "skill": "Melee"}, "entered": [15, 4]});
    table
        .dice([])
        .skill_check(call.clone())
        .refused_with("invalid_parameters", &["without damage and attack"]);
    let advised = with(call, json!({"damage": null, "entered": [15]}));
    table.dice([2]).skill_check(advised).is_fine();
    table
        .dice([])
        .roll_dice(json!({"expression": "1d8", "entered": [4]}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Wolf 1", "roll": "last"}))
        .is_fine();
    assert_eq!(hit_points(&mut table, "Wolf 1"), 26);
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
        let rolled = table
            .dice([])
            .roll_dice(json!({"expression": expression, "entered": dice}));
        assert_eq!(
            (&rolled["total"], &rolled["rng"]["source"]),
            (&json!(total), &json!("entered")),
            "{expression}"
        );
    }
    for (expression, dice, words) in [
        (
            "1d100",
            json!([40, 7]),
            "It takes 1 of d100 (each one number from 1 to 100)",
        ),
        ("1d%", json!([0]), "each one number from 1 to 100"),
        ("2d6!", json!([6, 3]), "after 2 one more is needed, a d6"),
        ("4d6kh3", json!([6, 5, 4]), "It takes 4 of d6"),
    ] {
        let refused = table.roll_dice(json!({"expression": expression, "entered": dice}));
        refused.refused_with("invalid_parameters", &[words]);
    }
}

#[test]
fn a_pushed_roll_takes_the_dice_that_were_rolled_again() {
    const RULES: &str = "# Zero\n\n## Attributes\n- Wits\n- Range: 1 to 5\n\n## Checks\n\n### Pool\n- Roll: `{attribute}d6`\n- Count: 6\n- Target: `1`\n\
         - Again Push: reroll all but 1s, 6s; after failure\n";
    let mut table = Table::of_people(RULES, &["Ann"], json!({"attributes": {"Wits": 3}}));
    table
        .dice([])
        .skill_check(json!({"attribute": "Wits", "entered": [1, 2, 3]}))
        .is_fine();
    let push = |dice: Value| json!({"again": "last push", "entered": dice});
    for (dice, words) in [
        (json!([6]), "It takes 2 of d6 that are rolled again"),
        (json!([6, 5, 4]), "1 of 3 numbers are left over"),
    ] {
        table
            .skill_check(push(dice))
            .refused_with("invalid_parameters", &[words]);
    }
    let pushed = table.skill_check(push(json!([6, 5])));
    assert_eq!(
        (&pushed["successes"], &pushed["roll"]["rng"]["source"]),
        (&json!(1), &json!("entered"))
    );
}

/// Random tables of the adventure, and dice that people rolled by hand.
const NIGHT: &str = "# Night\n\n## Rumours\n\n| d6 | Rumour |\n|---|---|\n| 1-2 | A bell under the water |\n| 3-5 | 1d4 wolves, and roll on the [Weather](Day.md) table |\n\
                     | 6 | Roll on Rumours |\n\n## Names\n\n| d2 | Name |\n|---|---|\n| 1 | Bea |\n| 2 | Cid |\n";
const DAY: &str = "# Day\n\n## Weather\n\n| Roll 2d6 | Sky |\n|---|---|\n| 2-7 | Rain; roll on Rumours |\n| 8+ | Clear |\n\n## Names\n\n| d2 | Name |\n|---|---|\n| 1 | Dot |\n\
                   | 2 | Eve |\n";

fn table() -> Table {
    let table = Table::of_rules(Some(
        "# Any\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n",
    ));
    for (name, text) in [("Night.md", NIGHT), ("Day.md", DAY)] {
        std::fs::write(table.path("adventure").join(name), text).expect("a page");
    }
    table
}

#[test]
fn a_row_is_logged_with_its_place_and_what_it_says_is_carried_out() {
    let mut table = table();
    let plain = table.dice([2]).roll_dice(json!({"table": "rumours"}));
    assert_eq!(
        plain["summary"],
        "The GM rolls on Rumours: 1d6: [2] = 2 (Night.md:7): A bell under the water."
    );
    assert_eq!(plain["rows"][0]["row"], "1-2");
    assert!(
        plain["player_text"].is_null(),
        "the GM's rolls on tables are the GM's: {}",
        plain.value()
    );
    // 3 on the table, 4 wolves, 3 + 4 on Weather, whose row leads back and is not followed.
    let nested = table
        .dice([3, 4, 3, 4])
        .roll_dice(json!({"table": "Rumours", "visibility": "public"}));
    let expected = "The GM rolls on Rumours: 1d6: [3] = 3 (Night.md:8): 4 wolves, and roll on the Weather table. On Weather: 2d6: [3, 4] = 7 (Day.md:7): \
     Rain; roll on Rumours.";
    assert_eq!(nested["summary"], expected);
    assert!(
        !nested.text("player_text").contains("Night.md"),
        "{}",
        nested["player_text"]
    );
    let circle = table.dice([6]).roll_dice(json!({"table": "Rumours"}));
    assert_eq!(circle["rows"].as_array().unwrap().len(), 1);
    for cut in [&nested, &circle] {
        assert!(
            cut["noted"]
                .to_string()
                .contains("none back to a table that it came from"),
            "{}",
            cut.value()
        );
    }
    assert!(plain["noted"].is_null(), "{}", plain.value());
    table.record().is_sound();
}

#[test]
fn an_unknown_or_ambiguous_table_is_refused_with_what_there_is() {
    let mut table = table();
    let several = table.roll_dice(json!({"table": "Names"}));
    let summary = several.refusal_text("ambiguous_name").to_owned();
    assert!(
        summary.contains("Day.md#Names (Day.md:12), Night.md#Names (Night.md:13)"),
        "{summary}"
    );
    assert_eq!(
        table.dice([1]).roll_dice(json!({"table": "Day.md#Names"}))["rows"][0]["result"],
        "Dot"
    );
    table
        .roll_dice(json!({"table": "Rumors"}))
        .refused_with("unknown_page", &["Send table=\"Rumours\""]);
    table
        .roll_dice(json!({"table": "Rumours", "expression": "1d6"}))
        .refused("invalid_parameters");
    table.record().is_sound();
}

#[test]
fn dice_that_people_rolled_are_marked_for_ever_and_must_fit() {
    let mut table = table();
    let entered = table
        .dice([])
        .roll_dice(json!({"expression": "1d20 + 1d4 + 2", "entered": [13, 4]}));
    assert_eq!(
        entered["summary"],
        "The GM rolls 1d20: [13]; + 1d4: [4]; + 2 = 19 (entered by hand)."
    );
    assert_eq!(
        (&entered["total"], &entered["rng"]["source"]),
        (&json!(19), &json!("entered"))
    );
    for (dice, words) in [
        (json!([13]), "one more is needed"),
        (json!([13, 4, 1]), "1 of 3 numbers are left over"),
        (json!([13, 5]), "1 to 4"),
    ] {
        let refused = table.roll_dice(json!({"expression": "1d20 + 1d4", "entered": dice}));
        refused.refused_with("invalid_parameters", &[words]);
    }
    let on_table = table
        .dice([])
        .roll_dice(json!({"table": "Rumours", "entered": [1]}));
    assert_eq!(on_table["rows"][0]["result"], "A bell under the water");
    assert_eq!(
        table
            .record()
            .number("select count(*) from rolls where source = 'entered'"),
        2
    );
    table.record().is_sound();
}

#[test]
fn a_row_that_says_roll_twice_is_carried_out_within_bounds() {
    let mut table = Table::of_rules(Some(
        "# Any\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n",
    ));
    let page = "# Loot\n\n| d6 | Loot |\n|---|---|\n| 1-5 | a coin |\n| 6 | Roll twice, ignoring 6 |\n\n## Storm\n\n| d4 | Sky |\n|---|---|\n\
                | 1-3 | wind |\n| 4 | Roll again |\n\n## Timetable\n\n| Hour | Ferry |\n|---|---|\n| 1-6 | none |\n| 7-12 | one |\n";
    std::fs::write(table.path("adventure").join("Loot.md"), page).expect("a page");
    let loot = table.dice([6, 2, 6, 3]).roll_dice(json!({"table": "Loot"}));
    let results: Vec<&str> = each(&loot["rows"])
        .map(|row| row["result"].as_str().unwrap())
        .collect();
    assert_eq!(
        results,
        [
            "Roll twice, ignoring 6",
            "a coin",
            "6 is ignored, and rolled again",
            "a coin"
        ]
    );
    let storm = table
        .dice([4, 4, 4, 4])
        .roll_dice(json!({"table": "Storm"}));
    assert_eq!(
        storm["rows"].as_array().map(Vec::len),
        Some(4),
        "{}",
        storm.value()
    );
    assert!(
        storm["noted"]
            .to_string()
            .contains("more rolls than one call makes"),
        "{}",
        storm.value()
    );
    table
        .roll_dice(json!({"table": "Timetable"}))
        .refused("unknown_page");
    table.record().is_sound();
}
