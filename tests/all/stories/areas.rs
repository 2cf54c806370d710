//! Several at once: damage on a list or a side, with dice and saves; and checks of a group.

use serde_json::json;

use crate::table::{Table, with};

/// Jory and Sabeth before three wreckers of 20 hit points, DEX 12.
fn stairs() -> Table {
    let mut table = Table::with_party();
    let wreckers =
        json!({"name": "Wrecker", "count": 3, "hp": 20, "attributes": {"STR": 12, "DEX": 12}});
    table
        .dice([18, 17, 5, 4, 3])
        .start(json!([{"name": "Jory"}, {"name": "Sabeth"}, wreckers]));
    table
}

fn fireball() -> serde_json::Value {
    json!({"target": "foes", "amount": "4d6", "damage_type": "fire", "reason": "fireball",
        "save": {"attribute": "DEX", "difficulty": 12, "success": "half", "failure": {"conditions": ["unconscious"]}}})
}

#[test]
fn a_fireball_is_one_call_and_falls_once_for_all() {
    let mut table = stairs();
    let before = table.record().length();
    let burnt = table.dice([3, 3, 3, 2, 11, 2, 20]).apply_damage(fireball());
    let expected = json!([
        {"who": "Wrecker 1", "saved": "success", "amount": 5},
        {"who": "Wrecker 2", "saved": "failure", "amount": 11},
        {"who": "Wrecker 3", "saved": "success", "amount": 5},
    ]);
    assert_eq!(burnt["hits"], expected, "{}", burnt.value());
    assert_eq!(burnt["targets"][1]["conditions"], json!(["unconscious"]));
    assert_eq!(
        table.record().length(),
        before + 7,
        "a roll, and a save and a hit each"
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    for name in ["Wrecker 1", "Wrecker 2", "Wrecker 3"] {
        assert_eq!(
            table.get_character(json!({"character": name}))["character"]["tracks"][0]["value"],
            20
        );
    }
}

#[test]
fn dice_may_fall_for_each_and_a_save_may_let_nothing_through() {
    let mut table = stairs();
    let darts = json!({"target": ["Wrecker 1", "Wrecker 2"], "amount": "1d4+1", "each": true});
    let hit = table.dice([1, 4]).apply_damage(darts);
    assert_eq!(
        hit["hits"],
        json!([{"who": "Wrecker 1", "amount": 2}, {"who": "Wrecker 2", "amount": 5}])
    );
    let call = json!({"save": {"attribute": "DEX", "difficulty": 12, "success": "none"}, "target": "Wrecker 3"});
    let evaded = with(fireball(), call);
    let nothing = table.dice([6, 6, 6, 6, 15]).apply_damage(evaded);
    assert_eq!(
        nothing["hits"],
        json!([{"who": "Wrecker 3", "saved": "success", "amount": 0}]),
        "{}",
        nothing.value()
    );
}

#[test]
fn one_roll_hits_several_and_healing_and_conditions_too() {
    let mut table = stairs();
    let roll = table.dice([4]).roll_dice(json!({"expression": "1d6"}))["log"].clone();
    let hit = table.apply_damage(json!({"target": "party", "roll": roll}));
    assert_eq!(
        hit["hits"],
        json!([{"who": "Sabeth", "amount": 4}, {"who": "Jory", "amount": 4}]),
        "{}",
        hit.value()
    );
    table
        .apply_damage(json!({"target": "party", "amount": -2}))
        .is_fine();
    let both = table.apply_damage(
        json!({"target": ["Jory", "Sabeth"], "apply_conditions": ["tired"], "free": true}),
    );
    assert_eq!(
        both["targets"][0]["conditions"],
        json!(["tired"]),
        "{}",
        both.value()
    );
}

#[test]
fn whatever_one_of_them_is_refused_for_is_refused_for_all_before_a_die_falls() {
    let mut table = stairs();
    let before = table.record().length();
    for (more, code) in [
        (
            json!({"target": ["Wrecker 1", "Bob", "Jim"]}),
            "unknown_character",
        ),
        (json!({"target": []}), "invalid_parameters"),
        (json!({"amount": "4d6>=5"}), "invalid_parameters"),
        (json!({"amount": "4d7"}), "invalid_die"),
        (json!({"amount": 5, "each": true}), "invalid_parameters"),
        (json!({"save": {"attribute": "DEX"}}), "missing_value"),
        (
            json!({"save": {"attribute": "LUCK", "difficulty": 5}}),
            "unknown_attribute",
        ),
        (json!({"preview": true}), "invalid_parameters"),
    ] {
        table.apply_damage(with(fireball(), more)).refused(code);
    }
    assert_eq!(table.record().length(), before);
}

#[test]
fn a_group_makes_its_checks_in_one_call() {
    let mut table = Table::with_party();
    let sneak = json!({"character": "party", "skill": "Stealth", "difficulty": 12});
    for (group, dice, outcome) in [
        (json!(null), [15, 2], json!(null)),
        (json!("each"), [15, 2], json!(null)),
        (json!("all"), [15, 2], json!("failure")),
        (json!("all"), [15, 16], json!("success")),
        (json!("half"), [15, 2], json!("success")),
        (json!("half"), [1, 2], json!("failure")),
        (json!("best"), [1, 18], json!("success")),
    ] {
        let came = table
            .dice(dice)
            .skill_check(with(sneak.clone(), json!({"group": group})));
        assert_eq!(came["outcome"], outcome, "{}", came.value());
        assert_eq!(
            (&came["outcomes"][0]["who"], &came["outcomes"][1]["who"]),
            (&json!("Sabeth"), &json!("Jory"))
        );
        let summary = came["summary"].to_string();
        assert_eq!(
            summary.contains("Together: "),
            !outcome.is_null(),
            "{summary}"
        );
    }
    let two = json!({"character": ["Jory", "Sabeth"], "skill": "Stealth", "difficulty": 12, "end_turn": true});
    let mut fight = stairs();
    fight.skill_check(two.clone()).refused("invalid_parameters");
    let call = json!({"character": ["Jory", "Nobody"], "end_turn": false});
    table
        .skill_check(with(two, call))
        .refused("unknown_character");
}

#[test]
fn a_foe_whose_stress_is_marked_begins_unhurt() {
    let rules = "# Marks\n\n## Dice\nRoll d6s.\n\n## Health\n- Stress: 9 boxes, full: gain out\n- Damage: Stress\n\n## Conditions\n- out\n";
    let mut table = Table::of_people(rules, &["Wick"], json!({"kind": "player"}));
    table.start(json!([{"name": "Wick"}, {"name": "Bailiff", "hp": 4}]));
    let hurt = table.apply_damage(json!({"target": "Bailiff", "amount": 1}));
    assert_eq!(
        hurt["tracks"][0],
        json!({"name": "Stress", "before": 0, "after": 1, "max": 4}),
        "{}",
        hurt.value()
    );
}

#[test]
fn a_turn_is_ended_by_name_only_where_it_is_theirs() {
    let mut table = stairs();
    table
        .manage_combat(json!({"action": "next_turn", "combatant": "Wrecker 1"}))
        .refused("not_their_turn");
    table
        .manage_combat(json!({"action": "next_turn", "combatant": "Nobody"}))
        .refused("unknown_character");
    table
        .manage_combat(json!({"action": "next_turn", "combatant": "Sabeth"}))
        .is_fine();
}

/// The notes of a reply, one a line.
fn noted(answer: &crate::table::Answer) -> String {
    let notes = answer["noted"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(serde_json::Value::as_str);
    notes.collect::<Vec<&str>>().join("\n")
}

#[test]
fn healing_and_conditions_reach_those_down_of_a_side_and_a_hit_says_whom_it_left_out() {
    let mut table = stairs();
    table
        .apply_damage(json!({"target": "party", "amount": 1}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Sabeth", "amount": 12}))
        .is_fine();
    let hit = table.apply_damage(json!({"target": "party", "amount": 1}));
    assert_eq!(
        (&hit["target"], noted(&hit).as_str()),
        (&json!("Jory"), "Left out of party: Sabeth (down).")
    );
    assert!(
        !hit.text("player_text").contains("Sabeth"),
        "{}",
        hit.value()
    );
    let tired =
        json!({"action": "add_condition", "on": "party", "condition": "tired", "free": true});
    let added = table.manage_character(tired);
    assert!(
        added.text("summary").contains("Sabeth") && !noted(&added).contains("Left out"),
        "{}",
        added.value()
    );
    let effect =
        json!({"action": "add_effect", "on": "party", "name": "Bless", "duration": "for 3 rounds"});
    assert!(
        table
            .manage_combat(effect)
            .text("summary")
            .contains("Sabeth")
    );
    let removed = table.apply_damage(json!({"target": "party", "remove_conditions": ["tired"]}));
    assert_eq!(
        removed["hits"].as_array().map(Vec::len),
        Some(2),
        "{}",
        removed.value()
    );
    let healed = table.apply_damage(json!({"target": "party", "amount": -2}));
    assert_eq!(
        healed["hits"],
        json!([{"who": "Sabeth", "amount": -2}, {"who": "Jory", "amount": -2}])
    );
    assert!(!noted(&healed).contains("Left out"), "{}", healed.value());
    table
        .apply_damage(json!({"target": "Sabeth", "apply_conditions": ["dead"], "free": true}))
        .is_fine();
    let late = table.apply_damage(json!({"target": "party", "amount": -1}));
    assert_eq!(
        (&late["target"], noted(&late).contains("Sabeth (dead)")),
        (&json!("Jory"), true),
        "{}",
        late.value()
    );
}

#[test]
fn only_the_gm_reads_that_a_side_left_out_the_hidden_and_what_reaches_them() {
    let mut table = stairs();
    let lurker = json!([{"name": "Lurker", "hp": 20, "hidden": true, "initiative": 1, "attributes": {"DEX": 12}}]);
    table
        .manage_combat(json!({"action": "add", "combatants": lurker}))
        .is_fine();
    let out = "Left out of foes: Lurker (hidden). target=[\"Lurker\"] reaches the hidden.";
    let burnt = table
        .dice([3, 3, 3, 2, 20, 20, 20])
        .apply_damage(fireball());
    assert_eq!(
        (
            burnt["hits"].as_array().map(Vec::len),
            noted(&burnt).contains(out)
        ),
        (Some(3), true)
    );
    let effect =
        json!({"action": "add_effect", "on": "foes", "name": "Bless", "duration": "for 3 rounds"});
    let blessed = table.manage_combat(effect);
    assert!(
        noted(&blessed).contains("on=[\"Lurker\"]"),
        "{}",
        blessed.value()
    );
    let check = json!({"character": "foes", "attribute": "STR", "difficulty": 10});
    let checked = table.dice([9, 9, 9]).skill_check(check);
    assert!(
        noted(&checked).contains("character=[\"Lurker\"]"),
        "{}",
        checked.value()
    );
    for answer in [burnt, blessed, checked] {
        assert!(
            !answer["player_text"].to_string().contains("Lurker"),
            "{}",
            answer.value()
        );
    }
    let all = table.apply_damage(json!({"target": ["foes", "Lurker"], "amount": 1}));
    assert_eq!(
        (
            all["hits"].as_array().map(Vec::len),
            noted(&all).contains("Left out")
        ),
        (Some(4), false)
    );
}

#[test]
fn the_company_is_named_alone() {
    let mut table = Table::with_party();
    let refused = table.apply_damage(json!({"target": ["Jory", "company"], "amount": 1}));
    let refused = refused.refused("invalid_parameters").to_string();
    assert!(refused.contains("stands alone"), "{refused}");
}
