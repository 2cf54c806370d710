//! Rests and the ends of scenes, on the shipped adventures.

use serde_json::json;

use crate::table::Table;

#[test]
fn a_rest_rolls_what_it_gives_and_wakes_who_lay_at_zero() {
    let mut table = Table::with_party();
    table
        .apply_damage(json!({"target": "Jory", "amount": 14}))
        .is_fine();
    let short = table
        .dice([4])
        .manage_character(json!({"action": "rest", "character": "Jory", "kind": "short rest"}));
    let wanted = json!([
        {"field": "Hit points", "before": "0/14", "after": "4/14"},
        {"field": "conditions", "before": "unconscious", "after": "none"},
    ]);
    assert_eq!(short["changed"], wanted);
    let expected = "Jory, short rest (1d6: [4] = 4): Hit points 0/14 to 4/14; conditions unconscious to none. Rising tide 0 to 1/12 (Short rest).";
    assert_eq!(short["summary"], expected);
    let bodies = table.record().bodies();
    let [.., body, _] = bodies.as_slice() else {
        panic!("the rest, and the clock behind it");
    };
    assert_eq!(
        (&body["event"]["kind"], &body["rolls"][0]["purpose"]),
        (&json!("rested"), &json!("rest"))
    );
}

#[test]
fn everybody_on_the_players_side_rests_and_the_dead_do_not() {
    let mut table = Table::with_party();
    for name in ["Sabeth", "Jory"] {
        table
            .apply_damage(json!({"target": name, "amount": 3}))
            .is_fine();
    }
    table
        .apply_damage(json!({"target": "Sabeth", "amount": 0, "apply_conditions": ["dead"]}))
        .is_fine();
    table
        .manage_character(json!({"action": "rest", "kind": "Long rest"}))
        .is_fine();
    let jory = table.get_character(json!({"character": "Jory"}));
    assert_eq!(jory["character"]["tracks"][0]["value"], 14);
    let sabeth = table.get_character(json!({"character": "Sabeth"}));
    assert_ne!(
        sabeth["character"]["tracks"][0]["value"],
        sabeth["character"]["tracks"][0]["max"]
    );
    let call = json!({"action": "rest", "character": "Sabeth", "kind": "Long rest"});
    table.manage_character(call).refused("target_dead");
    table
        .manage_character(json!({"action": "rest", "character": "Jory", "kind": "Log rest"}))
        .refused("unknown_rest");
    table
        .manage_character(json!({"action": "rest", "character": "Jory"}))
        .refused("unknown_rest");
    let call = json!({"action": "update", "character": "Jory", "kind": "porter"});
    table.manage_character(call).refused("invalid_parameters");
}

#[test]
fn the_end_of_a_scene_clears_boxes_and_what_lasts_until_then() {
    let mut table = Table::shipped("quorum");
    table.create("Bao", json!({}));
    let hit = json!({"target": "Bao", "track": "Physical stress", "amount": 5, "apply_conditions": ["Spun", "Short of air"]});
    table.apply_damage(hit).is_fine();
    let ended = table.manage_character(json!({"action": "rest", "kind": "End of scene"}));
    let expected = json!([
        {"field": "Physical stress (3)", "before": "1/1", "after": "0/1"},
        {"field": "conditions", "before": "Short of air, Spun", "after": "Short of air"},
    ]);
    assert_eq!(ended["changed"], expected, "a consequence stays");
}

#[test]
fn what_a_trigger_says_of_tracks_is_done_and_goes_round_in_no_circle() {
    let rules = "# T\n\n## Health\n\n- Hit points: max 9\n- Stress: 4 boxes, full: gain trauma, Stress to 0\n- Damage: Hit points\n\
                 - One hit `{Hit points max} / 2`+: gain shaken\n- At 0 Hit points: gain down, gain Dying if {shaken}\n\n\
                 ## Conditions\n- trauma\n- shaken\n- down\n";
    let mut table = Table::of_people(rules, &["Ida"], json!({}));
    let burned = table.apply_damage(json!({"target": "Ida", "track": "Stress", "amount": 4}));
    assert_eq!(burned["conditions"], json!(["trauma"]));
    assert_eq!(
        burned["tracks"],
        json!([{"name": "Stress", "before": 0, "after": 0, "max": 4}])
    );
    let felled = table.apply_damage(json!({"target": "Ida", "amount": 9}));
    assert_eq!(
        felled["conditions"],
        json!(["down", "dying", "shaken", "trauma"]),
        "a blow of this very hit counts"
    );
}

#[test]
fn a_rest_takes_one_mark_away_and_ends_conditions() {
    let rules = "# Marks\n\n## Health\n- Stress: soak 1, 2\n- Lesser harm: 2 boxes, over: Severe harm +1\n- Severe harm: 1 box, over: gain Dead\n\
                 - Wounds: 3 boxes, over: gain Incapacitated\n- Damage: Stress\n- Short rest: Wounds -1, Stress -1\n\
                 - Long rest: Wounds to 0, Lesser harm to 0, Severe harm to 0, lose Dazed\n\n\
                 ## Conditions\n- Dazed: -1 on checks\n";
    let mut table = Table::of_people(rules, &["Ida"], json!({}));
    for (track, amount) in [
        ("Wounds", 2),
        ("Stress", 1),
        ("Stress", 2),
        ("Lesser harm", 1),
        ("Severe harm", 1),
    ] {
        table
            .apply_damage(json!({"target": "Ida", "track": track, "amount": amount}))
            .is_fine();
    }
    table
        .apply_damage(json!({"target": "Ida", "amount": 0, "apply_conditions": ["dazed"]}))
        .is_fine();
    let short = table.manage_character(json!({"action": "rest", "kind": "short rest"}));
    assert_eq!(
        short["summary"], "Ida, short rest: Wounds 2/3 to 1/3; Stress (2) 1/1 to 0/1.",
        "the dearest box"
    );
    let long = table.manage_character(json!({"action": "rest", "kind": "long rest"}));
    assert_eq!(
        long["summary"],
        "Ida, long rest: Wounds 1/3 to 0/3; Lesser harm 1/2 to 0/2; Severe harm 1/1 to 0/1; conditions Dazed to none."
    );
}

#[test]
fn a_rest_moves_what_all_share_once_who_rests() {
    let rules = "# Mine\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n## Health\n- Nerve: max 3\n- Damage: Nerve\n\
        - Long rest: Nerve to max, Supplies to max, Alarm to 0\n- Short rest: Supplies +2\n- End of session: Watch to 0\n\n\
        ## Company\n- Supplies: max 10\n\n## Clocks\n- Alarm: 6 boxes\n- Watch: 4 boxes, hidden\n";
    let mut table = Table::of_people(rules, &["Ann", "Bo"], json!({"kind": "player"}));
    let numbers = |table: &mut Table| -> Vec<i64> {
        let shared = table.get_character(json!({"character": "company"}))["company"].clone();
        shared
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|row| row["value"].as_i64())
            .collect()
    };
    for (name, value) in [("Supplies", 5), ("Alarm", 4), ("Watch", 2)] {
        table
            .manage_session(json!({"action": "clock", "name": name, "value": value}))
            .is_fine();
    }
    let short = table.manage_character(json!({"action": "rest", "kind": "Short rest"}));
    assert!(
        short
            .text("summary")
            .contains("Supplies 5 to 7/10 (Short rest)."),
        "{short:?}"
    );
    assert_eq!(numbers(&mut table), [7, 4, 2], "once, though two rest");
    let long =
        table.manage_character(json!({"action": "rest", "kind": "Long rest", "character": "Bo"}));
    for part in [
        "Supplies 7 to 10/10 (Long rest).",
        "Alarm 4 to 0/6 (Long rest).",
    ] {
        assert!(long.text("summary").contains(part), "{long:?}");
    }
    assert_eq!(numbers(&mut table), [10, 0, 2]);
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(
        numbers(&mut table),
        [7, 4, 2],
        "the whole call is taken back"
    );
    let ended = table.manage_session(json!({"action": "end"}));
    assert!(
        !ended
            .value()
            .get("player_text")
            .is_some_and(|text| text.to_string().contains("Watch")),
        "{ended:?}"
    );
    assert_eq!(numbers(&mut table), [7, 4, 0]);
}

#[test]
fn nobody_takes_a_long_rest_in_a_fight() {
    let mut table = Table::of_rules(Some(
        "# T\n\n## Attributes\n- Grit\n\n## Health\n- Hit points: max 10\n- Damage: Hit points\n- Breather: Hit points +1\n\
         - Long rest: 8 hours pass, Hit points to max\n",
    ));
    table.create("Ana", json!({"attributes": {"Grit": 1}}));
    table
        .apply_damage(json!({"target": "Ana", "amount": 5}))
        .is_fine();
    table.start(
        json!([{"name": "Ana", "initiative": 3}, {"name": "Rat", "hp": 4, "initiative": 1}]),
    );
    let rest = json!({"action": "rest", "character": "Ana", "kind": "Long rest"});
    table
        .manage_character(rest.clone())
        .refused_with("combat_running", &["manage_combat action=\"end\""]);
    table
        .manage_character(json!({"action": "rest", "character": "Ana", "kind": "Breather"}))
        .is_fine();
    table.manage_combat(json!({"action": "end"})).is_fine();
    table.manage_character(rest).is_fine();
}

#[test]
fn points_that_are_before_others_end_at_a_rest_and_dying_ends_when_a_character_is_stable() {
    let mut table = Table::of_rules(Some(
        "# T\n\n## Attributes\n- Grit\n\n## Health\n- Hit points: max 10, from -10\n- Temporary hit points: from 0, keeps larger\n\
         - Saves: 3 boxes, full: gain Stable, lose Dying\n- Damage: Temporary hit points, Hit points\n- Halving: rounded up\n\
         - At 0 Hit points: gain Unconscious, gain Dying\n- At `-{Hit points max} / 2` Hit points: gain Dead\n\
         - Damage at 0 or less Hit points: Saves to 0\n- Long rest: Temporary hit points to 0\n",
    ));
    table.create("Ana", json!({"attributes": {"Grit": 1}}));
    table
        .apply_damage(json!({"target": "Ana", "track": "Temporary hit points", "amount": -4}))
        .is_fine();
    table
        .manage_character(json!({"action": "rest", "character": "Ana", "kind": "Long rest"}))
        .is_fine();
    let hit = table.apply_damage(json!({"target": "Ana", "amount": 21, "half": true}));
    assert_eq!(
        (&hit["tracks"][0]["after"], &hit["conditions"]),
        (&json!(-1), &json!(["dying", "unconscious"]))
    );
    table
        .apply_damage(json!({"target": "Ana", "track": "Saves", "amount": 2}))
        .is_fine();
    let again = table.apply_damage(json!({"target": "Ana", "amount": 1}));
    assert_eq!(
        again["triggers"],
        json!(["Saves to 0"]),
        "damage to who lies there takes them back"
    );
    let stable = table.apply_damage(json!({"target": "Ana", "track": "Saves", "amount": 3}));
    assert_eq!(stable["conditions"], json!(["stable", "unconscious"]));
    let dead = table.apply_damage(json!({"target": "Ana", "amount": 3}));
    assert_eq!(dead["tracks"][0]["after"], -5);
    assert!(
        dead["conditions"]
            .as_array()
            .is_some_and(|all| all.contains(&json!("dead")))
    );
}

#[test]
fn armour_wears_and_harm_without_room_is_worse_harm() {
    let mut table = Table::of_rules(Some(
        "# T\n\n## Attributes\n- Grit\n\n## Health\n- Mail: max 2\n- Hit points: max 20\n- Damage: Hit points\n- Plates: subtract {Mail} for all\n\
         - One hit 5+: Mail -1\n",
    ));
    table.create("Ana", json!({"attributes": {"Grit": 1}}));
    let taken = |table: &mut Table| {
        table.apply_damage(json!({"target": "Ana", "amount": 7}))["tracks"].clone()
    };
    assert_eq!(taken(&mut table)[0]["after"], 15, "two are taken off");
    assert_eq!(taken(&mut table)[0]["after"], 9, "the mail is worn by one");
    assert_eq!(taken(&mut table)[0]["after"], 2);
}

#[test]
fn a_maximum_is_raised_for_a_time() {
    let mut table = Table::of_rules(Some(
        "# T\n\n## Attributes\n- Grit\n\n## Health\n- Hit points: max `8 + {Grit}`\n- Damage: Hit points\n- Breather: Hit points max +5 until long rest, Hit points +5\n\
         - Long rest: Hit points max -2, Hit points to max\n",
    ));
    table.create("Ana", json!({"attributes": {"Grit": 2}}));
    let sheet = |table: &mut Table| {
        let track =
            table.get_character(json!({"character": "Ana"}))["character"]["tracks"][0].clone();
        (track["value"].as_i64(), track["max"].as_i64())
    };
    table
        .manage_character(json!({"action": "rest", "character": "Ana", "kind": "Breather"}))
        .is_fine();
    assert_eq!(sheet(&mut table), (Some(15), Some(15)));
    table
        .manage_character(
            json!({"action": "update", "character": "Ana", "attributes": {"Grit": 3}}),
        )
        .is_fine();
    assert_eq!(
        sheet(&mut table),
        (Some(16), Some(16)),
        "what follows from the sheet follows still"
    );
    let call =
        json!({"action": "remove_condition", "character": "Ana", "condition": "Hit points max"});
    table.manage_character(call).is_fine();
    assert_eq!(sheet(&mut table), (Some(11), Some(11)));
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(sheet(&mut table), (Some(16), Some(16)));
}
