//! The RPG system: rules in System.md, characters, checks, damage and fights.
//!
//! Its calls are sent with its own parameter names. Its replies are compared by the names that it
//! gives, in full replies; brief ones have fewer fields. Answered otherwise on purpose, each for
//! the reason that is at its test or here:
//!
//! - `logId` is the entry's number, "#128", and no UUID: every parameter for an entry takes it.
//! - An attribute that a skill does not have and a margin without a difficulty are left out rather
//!   than made up.
//! - The log is never cut, and no fight is ended by a timer: both would take something away that
//!   nobody asked to lose.
//! - Fields of `properties` with a fraction are kept as text, since the log's proofs are over whole
//!   numbers.

mod requirements;

use std::collections::BTreeSet;

use rollbook_game::view::Audience;
use rollbook_record::export::Format;
use serde_json::{Value, json};

use crate::table::{Answer, Table, each};

/// Its System.md: headings and bullets as they are there, descriptions in other words.
const SYSTEM: &str = include_str!("rpg_system/System.md");

/// Scores that the rules allow; DEX 14 is worth +2.
fn scores() -> Value {
    json!({"STR": 14, "DEX": 14, "CON": 12, "INT": 10, "WIS": 13, "CHA": 8})
}

/// A table by its System.md, and one player character with hit points.
fn table() -> Table {
    let mut table = Table::of_rules(Some(SYSTEM));
    table.create(
        "Aria",
        json!({"stats": scores(), "skills": {"Stealth": 5, "Persuasion": 2},
        "hp": {"current": 24, "max": 24}}),
    );
    table
}

/// Its example of a fight: everybody by name, with initiative and side.
fn fight() -> Value {
    json!({"action": "start", "combatants": [
        {"name": "Aria", "initiativeRoll": 17, "isPlayer": true},
        {"name": "Goblin", "initiativeRoll": 12, "isPlayer": false},
    ]})
}

/// The reply names its entry as `logId` and says in `message` what happened.
#[track_caller]
fn is_logged(answer: &Answer) {
    assert_eq!(answer["message"], answer["summary"]);
    assert_eq!(answer["logId"], json!(format!("#{}", answer.number("log"))));
}

/// Its result of a roll: `expression`, `individualRolls`, `modifiers`, `total`, `visible`, `logId`.
#[track_caller]
fn is_roll(roll: &Value, expected: Value, log: i64) {
    let names = [
        "expression",
        "individualRolls",
        "modifiers",
        "total",
        "visible",
    ];
    let found: serde_json::Map<String, Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), roll[*name].clone()))
        .collect();
    assert_eq!(Value::Object(found), expected);
    assert_eq!(roll["logId"], format!("#{log}"));
}

#[test]
fn its_system_loads_without_errors() {
    let mut table = Table::of_rules(Some(SYSTEM));
    let status = table.manage_session(json!({"action": "status"}));
    assert_eq!(status["rules"], "Adventure System");
    let problems = status["problems"].as_array().expect("a list");
    assert!(
        problems
            .iter()
            .all(|problem| !problem.to_string().contains(" error")),
        "{problems:#?}"
    );
    let rules = table.call("get_rules", json!({}));
    for part in ["Dice", "Attributes", "Skills", "Combat"] {
        assert!(rules.value().to_string().contains(part), "{part}");
    }
}

#[test]
fn its_system_plays_a_check_a_fight_and_its_end() {
    let mut table = table();
    let check = table
        .dice([13])
        .skill_check(json!({"skill": "Stealth", "difficulty": 15}));
    assert_eq!(
        (&check["outcome"], &check["attribute"]),
        (&json!("success"), &json!("Dexterity"))
    );
    let start = table.dice([10, 8]).manage_combat(json!({"action": "start", "combatants": [
        {"name": "Aria", "isPlayer": true}, {"name": "Goblin", "isPlayer": false, "attributes": {"DEX": 8}},
    ]}));
    let numbers: Vec<&str> = each(&start["rolls"])
        .filter_map(|roll| roll["expression"].as_str())
        .collect();
    assert!(
        numbers.len() == 2 && numbers.iter().all(|number| number.starts_with("1d20")),
        "initiative is a d20: {numbers:?}"
    );
    let ended = table.manage_combat(json!({"action": "end"}));
    assert_eq!(ended["status"], "ended");
    table.record().is_sound();
}

#[test]
fn a_score_of_14_is_worth_2() {
    let mut table = Table::of_people(SYSTEM, &["Aria"], json!({"attributes": scores()}));
    let check = table
        .dice([13])
        .skill_check(json!({"skill": "Stealth", "difficulty": 15}));
    assert_eq!(check["modifier"], 2, "a score of 14 is worth +2");
}

#[test]
fn a_score_of_25_is_out_of_the_range_8_to_18() {
    let mut table = Table::of_rules(Some(SYSTEM));
    let refused = table
        .manage_character(json!({"action": "create", "name": "Aria", "attributes": {"STR": 25}}));
    let summary = &refused.refused("invalid_parameters")["summary"];
    assert!(
        summary
            .as_str()
            .is_some_and(|text| text.contains("8 to 18")),
        "{summary}"
    );
}

#[test]
fn initiative_is_a_d20_and_the_dex_modifier() {
    let mut table = table();
    let start = json!({"action": "start", "combatants": [{"name": "Aria", "isPlayer": true}]});
    let start = table.dice([10]).manage_combat(start);
    assert_eq!(
        start["order"][0]["initiative"], 12,
        "initiative adds the DEX modifier"
    );
}

#[test]
fn fudge_dice_add_the_skill_once() {
    let rules =
        "# Ladder\n\n## Dice\nRoll 4dF + skill vs difficulty ladder.\n\n## Skills\n- Stealth\n";
    let mut table = Table::of_people(rules, &["Aria"], json!({"skills": {"Stealth": 2}}));
    let check = table
        .dice([0, 0, 1, 1])
        .skill_check(json!({"skill": "Stealth", "difficulty": 2}));
    assert_eq!(check["roll"]["total"], 4, "the skill is added once");
}

#[test]
fn two_dice_add_the_stat_once() {
    let rules =
        "# Moves\n\n## Dice\nRoll 2d6 + stat.\n\n## Attributes\n- Cool: nerve\n- Hard: force\n";
    let mut table = Table::of_people(
        rules,
        &["Aria"],
        json!({"attributes": {"Cool": 2, "Hard": 0}}),
    );
    let check = table.dice([4, 3]).skill_check(json!({"attribute": "Cool"}));
    assert_eq!(check["roll"]["total"], 9, "the stat is added once");
}

#[test]
fn its_lock_is_picked() {
    // Its example needs rules with Lockpicking and a modifier of +2: those of the lockhouse.
    let mut table = Table::lockhouse();
    table.create("Aria", json!({"attributes": scores()}));
    let call = json!({"skill": "Lockpicking", "difficulty": 15, "attribute": "Dexterity"});
    let check = table.dice([13]).skill_check(call);
    assert_eq!(
        [
            &check["skill"],
            &check["attribute"],
            &check["modifier"],
            &check["difficulty"],
            &check["outcome"],
            &check["margin"]
        ],
        [
            &json!("Lockpicking"),
            &json!("Dexterity"),
            &json!(2),
            &json!(15),
            &json!("success"),
            &json!(0)
        ]
    );
    let expected = json!({"expression": "1d20 + 2", "individualRolls": [13], "modifiers": 2, "total": 15, "visible": true});
    is_roll(&check["roll"], expected, check.number("log"));
    is_logged(&check);
    let hard = table
        .dice([13])
        .skill_check(json!({"skill": "Lockpicking", "difficulty": "Hard"}));
    assert_eq!(
        (&hard["difficulty"], &hard["outcome"]),
        (&json!(15), &json!("success"))
    );
}

#[test]
fn the_five_outcomes_are_its_words() {
    // A plain d20 has two degrees; all five are those of rules that declare them.
    let rules = "# Five\n\n## Checks\n\n### Test\n- Roll: `1d20`\n- Target: `10`\n\n| Outcome | When |\n|---|---|\n\
                 | Critical success | margin 10+ |\n| Success | margin 0+ |\n| Partial success | margin -2+ |\n\
                 | Failure | margin -8+ |\n| Critical failure | otherwise |\n";
    let mut table = Table::of_people(rules, &["Aria"], json!({}));
    let words = [
        "critical_success",
        "success",
        "partial_success",
        "failure",
        "critical_failure",
    ];
    for (face, word) in [20, 10, 8, 3, 1].into_iter().zip(words) {
        let check = table.dice([face]).skill_check(json!({"check": "Test"}));
        assert_eq!(
            (&check["outcome"], &check["margin"]),
            (&json!(word), &json!(face - 10))
        );
    }
}

#[test]
fn advantage_keeps_the_better_and_disadvantage_the_worse() {
    let mut table = table();
    let call = |kind: &str| json!({"skill": "Stealth", "attribute": "Dexterity", "difficulty": 15, kind: true});
    let better = table.dice([3, 18]).skill_check(call("advantage"));
    let worse = table.dice([3, 18]).skill_check(call("disadvantage"));
    assert_eq!(better.number("margin") - worse.number("margin"), 15);
    assert_eq!(better["roll"]["individualRolls"], json!([3, 18]));
}

#[test]
fn dice_are_rolled_with_its_three_parameters() {
    let mut table = table();
    let call = json!({"expression": "2d6+3", "context": "Attack roll", "visible": true});
    let roll = table.dice([4, 2]).roll_dice(call);
    let expected = json!({"expression": "2d6 + 3", "individualRolls": [4, 2], "modifiers": 3, "total": 9, "visible": true});
    is_roll(roll.value(), expected, roll.number("log"));
    is_logged(&roll);
    assert_eq!(roll["context"], "Attack roll");
    for (expression, faces, total) in [
        ("4dF", vec![1, 0, -1, 1], 1),
        ("1d20-2", vec![12], 10),
        ("2d6+1d4+5", vec![3, 4, 2], 14),
        ("d100", vec![77], 77),
    ] {
        let roll = table
            .dice(faces.clone())
            .roll_dice(json!({"expression": expression}));
        assert_eq!(
            (&roll["total"], &roll["individualRolls"]),
            (&json!(total), &json!(faces)),
            "{expression}"
        );
    }
}

#[test]
fn bad_dice_are_refused_with_what_to_send() {
    let mut table = table();
    let d7 = table.roll_dice(json!({"expression": "d7"}));
    let summary = d7.refusal_text("invalid_die");
    for die in ["d4", "d6", "d8", "d10", "d12", "d20", "d100", "dF"] {
        assert!(summary.contains(die), "{die} is a valid type: {summary}");
    }
    for (expression, code) in [
        ("2d-6", "invalid_die"),
        ("0d6", "invalid_die"),
        ("two swords", "unparseable_input"),
    ] {
        let refused = table.roll_dice(json!({"expression": expression}));
        refused.refused_with(code, &["Example"]);
    }
    table
        .roll_dice(json!({"dice_count": -2, "dice_sides": 6}))
        .refused("invalid_parameters");
    // A sign before dice takes them off, as before a number.
    let minus = table.dice([4]).roll_dice(json!({"expression": "-1d6"}));
    assert_eq!(minus["total"], -4);
}

#[test]
fn damage_and_healing_reach_the_player_and_a_named_npc() {
    let mut table = table();
    table.create("Goblin", json!({"kind": "npc", "hp": 7}));
    let burnt = table.apply_damage(json!({
        "target": "player", "amount": 7, "damageType": "fire", "applyConditions": ["burning"],
    }));
    assert_eq!(
        (&burnt["target"], &burnt["incapacitated"]),
        (&json!("Aria"), &json!(false))
    );
    assert_eq!(
        burnt["tracks"],
        json!([{"name": "Hit points", "before": 24, "after": 17, "max": 24}])
    );
    assert_eq!(burnt["conditions"], json!(["burning"]));
    is_logged(&burnt);
    // Never above the maximum, and never below zero.
    let healed = table.apply_damage(json!({"target": "player", "amount": -30}));
    assert_eq!(healed["tracks"][0]["after"], 24);
    let down = table.apply_damage(
        json!({"target": "npc", "npcName": "Goblin", "amount": 9, "damageType": "slashing"}),
    );
    assert_eq!(
        (&down["tracks"][0]["after"], &down["incapacitated"]),
        (&json!(0), &json!(true))
    );
    table
        .apply_damage(json!({"target": "npc", "amount": 1}))
        .refused("invalid_parameters");
}

#[test]
fn a_character_is_made_with_its_fields() {
    let mut table = Table::of_rules(Some(SYSTEM));
    let made = table.manage_character(json!({
        "action": "create", "name": "Aria", "stats": scores(), "skills": {"Stealth": 5, "Persuasion": 2},
        "hp": {"current": 9, "max": 24}, "conditions": ["poisoned", "frightened"], "xp": 300, "level": 2,
    }));
    is_logged(&made);
    let character = table.get_character(json!({}));
    let sheet = &character["character"];
    assert_eq!(sheet["name"], "Aria");
    assert_eq!(sheet["hp"], json!({"current": 9, "max": 24}));
    assert_eq!(sheet["skills"], json!({"Persuasion": 2, "Stealth": 5}));
    assert_eq!(sheet["attributes"]["Strength"]["score"], 14);
    let conditions: BTreeSet<&str> = each(&sheet["conditions"])
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(conditions, BTreeSet::from(["poisoned", "frightened"]));
    assert_eq!((&sheet["xp"], &sheet["level"]), (&json!(300), &json!(2)));
    table.record().is_sound();
}

#[test]
fn hit_points_are_within_their_bounds() {
    let mut table = Table::of_rules(Some(SYSTEM));
    for hp in [
        json!({"current": 9, "max": 4}),
        json!({"current": -1, "max": 4}),
        json!({"max": 0}),
        json!({"now": 4}),
    ] {
        let call = json!({"action": "create", "name": "Aria", "hp": hp});
        table.manage_character(call).refused("invalid_parameters");
    }
    table.create("Aria", json!({"hp": "{\"current\": 3, \"max\": 6}"}));
    assert_eq!(
        table.get_character(json!({}))["character"]["hp"],
        json!({"current": 3, "max": 6})
    );
    // Where the rules work the maximum out, they do so for players: another one is refused with
    // what sets how many are left.
    let mut table = Table::lockhouse();
    let refused = table.manage_character(
        json!({"action": "create", "name": "Aria", "hp": {"current": 3, "max": 6}}),
    );
    refused.refused_with("invalid_parameters", &["tracks={\"Hit points\": 3}"]);
    table.create(
        "Goblin",
        json!({"kind": "npc", "hp": {"current": 3, "max": 6}}),
    );
    assert_eq!(
        table.get_character(json!({"character": "Goblin"}))["character"]["hp"],
        json!({"current": 3, "max": 6})
    );
}

#[test]
fn conditions_at_creation_are_those_of_the_rules() {
    let rules = "# Cold\n\n## Conditions\n- Chilled\n- Prone\n";
    let mut table = Table::of_rules(Some(rules));
    let made =
        |conditions: Value| json!({"action": "create", "name": "Aria", "conditions": conditions});
    table
        .manage_character(made(json!(["Chiled"])))
        .refused_with("unknown_condition", &["conditions=[\"Chilled\"]"]);
    assert_eq!(
        table.get_character(json!({"list": true}))["characters"],
        json!([]),
        "nobody was made"
    );
    table.manage_character(made(json!(["Chilled"]))).is_fine();
    assert_eq!(
        table.get_character(json!({}))["character"]["conditions"],
        json!(["Chilled"])
    );
}

#[test]
fn a_fight_needs_no_more_than_names() {
    // In an adventure without rules, before anybody was made.
    let mut table = Table::of_rules(None);
    let start = table.manage_combat(fight());
    assert_eq!(
        (&start["status"], &start["round"], &start["current"]),
        (&json!("running"), &json!(1), &json!("Aria"))
    );
    let places: Vec<(&str, i64, &str)> = each(&start["order"])
        .map(|place| {
            (
                place["name"].as_str().unwrap(),
                place["initiative"].as_i64().unwrap(),
                place["side"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(places, [("Aria", 17, "players"), ("Goblin", 12, "foes")]);
    is_logged(&start);
    assert_eq!(
        table.manage_combat(json!({"action": "next_turn"}))["current"],
        "Goblin"
    );
    let round = table.manage_combat(json!({"action": "next_turn"}));
    assert_eq!(
        (&round["round"], &round["current"]),
        (&json!(2), &json!("Aria"))
    );
    // Without hit points there is nothing to take, and the refusal says how to give some.
    let hurt = table.apply_damage(json!({"target": "npc", "npcName": "Goblin", "amount": 3}));
    hurt.refused_with("unknown_track", &["tracks={\"Hit points\": 8}"]);
    assert_eq!(
        table.manage_combat(json!({"action": "end", "outcome": "it flees"}))["status"],
        "ended"
    );
    assert_eq!(table.get_character(json!({}))["character"]["name"], "Aria");
    table.record().is_sound();
}

#[test]
fn is_player_says_whose_side() {
    let mut table = table();
    table.create("Bo", json!({"kind": "player"}));
    let start = table.manage_combat(json!({"action": "start", "combatants": [
        {"name": "Aria", "initiativeRoll": 17, "isPlayer": true},
        {"name": "Bo", "initiativeRoll": 15, "isPlayer": false},
        {"name": "Goblin", "initiativeRoll": 12, "hp": 7, "isPlayer": true},
        {"name": "Wolf", "count": 2, "initiativeRoll": 9, "isPlayer": false, "side": "the pack"},
    ]}));
    let sides: Vec<&str> = each(&start["order"])
        .filter_map(|place| place["side"].as_str())
        .collect();
    assert_eq!(
        sides,
        ["players", "foes", "players", "the pack", "the pack"]
    );
    let both = json!({"action": "add", "combatants": [{"name": "Owl", "hp": 3, "side": "foes", "isPlayer": true}]});
    table.manage_combat(both).refused("invalid_parameters");
    table
        .manage_combat(
            json!({"action": "update", "combatants": [{"name": "Bo", "isPlayer": true}]}),
        )
        .is_fine();
    let status = table.manage_combat(json!({"action": "status"}));
    assert_eq!(status["order"][1]["side"], "players");
    // A name that is nearly a known one is a slip, whatever side it is on.
    table.manage_combat(json!({"action": "end"})).is_fine();
    let slip = json!({"action": "start", "combatants": [{"name": "Aira", "initiativeRoll": 3, "isPlayer": true}]});
    assert_eq!(
        table.manage_combat(slip).refused("missing_value")["did_you_mean"],
        json!(["Aria"])
    );
}

#[test]
fn without_a_character_a_check_says_how_to_make_one() {
    let mut table = Table::of_rules(Some(SYSTEM));
    let refused = table.skill_check(json!({"skill": "Stealth", "difficulty": 15}));
    let summary = refused.refusal_text("no_character");
    assert!(
        summary.contains("manage_character action=\"create\""),
        "{summary}"
    );
    let read = table.get_character(json!({}));
    read.refused_with("no_character", &["manage_character action=\"create\""]);
}

#[test]
fn hidden_rolls_are_logged_and_do_not_appear_to_players() {
    let mut table = table();
    let roll = table.dice([17]).roll_dice(
        json!({"expression": "1d20", "context": "the lurker listens", "visible": false}),
    );
    assert_eq!(
        (&roll["visible"], &roll["player_text"]),
        (&json!(false), &Value::Null)
    );
    let call = json!({"skill": "Perception", "difficulty": 5, "visible": false, "context": "the lurker's steps"});
    let check = table.dice([2]).skill_check(call);
    assert_eq!(
        (&check["roll"]["visible"], &check["player_text"]),
        (&json!(false), &Value::Null)
    );
    let seen = table
        .dice([11])
        .roll_dice(json!({"expression": "1d20", "context": "in the open"}));
    assert_eq!(seen["visible"], true);
    let read = |table: &Table, audience, name: &str| {
        std::fs::read_to_string(table.export(audience, Format::Jsonl, name)).expect("is read")
    };
    let (gm, players) = (
        read(&table, Audience::Gm, "gm.jsonl"),
        read(&table, Audience::Player, "players.jsonl"),
    );
    assert!(
        gm.contains("the lurker listens") && gm.contains("the lurker's steps"),
        "the audit log has all rolls"
    );
    assert!(
        players.contains("in the open") && !players.contains("lurker"),
        "{players}"
    );
}

#[test]
fn characters_and_a_fight_survive_a_reload_and_its_end_is_kept() {
    let mut table = table();
    table.manage_combat(fight()).is_fine();
    table
        .apply_damage(json!({"target": "player", "amount": 4, "applyConditions": ["poisoned"]}))
        .is_fine();
    table
        .manage_combat(json!({"action": "next_turn"}))
        .is_fine();
    let (sheet, status) = (
        table.get_character(json!({})),
        table.manage_combat(json!({"action": "status"})),
    );
    table.restart();
    assert_eq!(table.get_character(json!({})).value(), sheet.value());
    assert_eq!(
        table.manage_combat(json!({"action": "status"})).value(),
        status.value()
    );
    assert_eq!(status["current"], "Goblin");
    let ended = table.manage_combat(json!({"action": "end", "outcome": "victory"}));
    let kept = table.manage_session(json!({"action": "entry", "entry": ended["logId"]}));
    assert!(
        kept.text("summary").contains("victory"),
        "{}",
        kept["summary"]
    );
    assert_eq!(
        table.manage_combat(json!({"action": "status"}))["status"],
        "ended"
    );
}

#[test]
fn a_fight_is_called_idle_after_ten_minutes_and_nothing_ends_it() {
    let mut table = table();
    table.manage_combat(fight()).is_fine();
    let says = |table: &mut Table, words: &str| -> bool {
        let texts = ["resume", "status"].map(|action| {
            table
                .manage_session(json!({"action": action}))
                .text("summary")
                .to_owned()
        });
        let times = texts.iter().filter(|text| text.contains(words)).count();
        assert!(times != 1, "one of the two says {words}: {texts:#?}");
        times == 2
    };
    assert!(!says(table.minutes_pass(9), "idle"));
    assert!(says(table.minutes_pass(1), "idle for 10 minutes"));
    assert!(says(
        table.minutes_pass(95),
        "idle for 1 hour and 45 minutes"
    ));
    // Players do not learn when a hidden character acted.
    let players = table.manage_session(json!({"action": "resume", "audience": "player"}));
    assert!(
        !players.text("summary").contains("idle"),
        "{}",
        players["summary"]
    );
    table.minutes_pass(60 * 24 * 30);
    assert_eq!(
        table.manage_combat(json!({"action": "status"}))["status"],
        "running"
    );
    table
        .manage_combat(json!({"action": "next_turn"}))
        .is_fine();
    assert!(!says(&mut table, "idle"));
}

#[test]
fn without_rules_the_adventure_is_narrative() {
    let mut table = Table::of_rules(None);
    let status = table.manage_session(json!({"action": "status"}));
    assert!(
        status["rules"].is_null() && status.text("summary").contains("narrative"),
        "{}",
        status["summary"]
    );
    assert_eq!(
        table.dice([11]).roll_dice(json!({"expression": "d20+2"}))["total"],
        13
    );
    table.create("Aria", json!({"hp": {"current": 4, "max": 6}}));
    assert_eq!(
        table.get_character(json!({}))["character"]["hp"],
        json!({"current": 4, "max": 6})
    );
    let check = table.skill_check(json!({"skill": "Stealth", "difficulty": 15}));
    assert!(
        check.refused("no_rules")["summary"]
            .as_str()
            .is_some_and(|text| text.contains("roll_dice"))
    );
}

#[test]
fn malformed_rules_are_a_warning_with_file_and_place_and_play_goes_on() {
    let rules = format!("{SYSTEM}\n## Health\n- Hit points: max `8 + {{CON}} +`\n");
    let line = rules
        .lines()
        .position(|line| line.contains("8 + {CON}"))
        .expect("a line")
        + 1;
    let mut table = Table::of_rules(Some(&rules));
    let status = table.manage_session(json!({"action": "status"}));
    let problems = status["problems"].as_array().expect("a list");
    let place = format!("System.md:{line}:");
    assert!(
        problems
            .iter()
            .any(|text| text.as_str().is_some_and(|text| text.starts_with(&place))),
        "{problems:#?}"
    );
    assert_eq!(
        table.dice([11]).roll_dice(json!({"expression": "d20"}))["total"],
        11
    );
    table.create("Aria", json!({"attributes": scores()}));
    table
        .dice([13])
        .skill_check(json!({"skill": "Stealth", "difficulty": 15}))
        .is_fine();
}

#[test]
fn npcs_have_what_player_characters_have_and_are_rewarded_for() {
    let mut table = Table::of_rules(Some(SYSTEM));
    let made = |name: &str, kind: &str| {
        json!({"action": "create", "name": name, "kind": kind, "attributes": scores(), "skills": {"Stealth": 5}, "hp": 12,
            "conditions": ["wary"], "inventory": [{"name": "rope"}]})
    };
    table.manage_character(made("Aria", "player")).is_fine();
    table.manage_character(made("Marek", "npc")).is_fine();
    table.restart();
    let sheet = |table: &mut Table, name: &str| {
        table.get_character(json!({"character": name}))["character"].clone()
    };
    let (mut player, mut npc) = (sheet(&mut table, "Aria"), sheet(&mut table, "Marek"));
    for sheet in [&mut player, &mut npc] {
        sheet
            .as_object_mut()
            .expect("a sheet")
            .retain(|name, _| !["name", "kind"].contains(&name.as_str()));
    }
    assert_eq!(player, npc);
    // What is earned by overcoming one is awarded, with its reason in the log.
    table
        .apply_damage(json!({"target": "Marek", "amount": 12}))
        .is_fine();
    let award = json!({"action": "award", "character": "Aria", "xp": 50, "override_reason": "Marek is overcome"});
    table.manage_character(award).is_fine();
    assert_eq!(sheet(&mut table, "Aria")["xp"], 50);
}

#[test]
fn properties_of_an_item_are_kept_shown_exported_and_replayed() {
    let mut table = table();
    let properties = json!({"damage": "1d8", "magic": {"bonus": 1, "attuned": true}, "tags": ["sharp", "old | *worn*"], "weight": 2.5});
    let sword =
        json!({"name": "Longsword", "quantity": 1, "equipped": true, "properties": properties});
    let given = table
        .manage_character(json!({"action": "update", "character": "Aria", "inventory": [sword]}));
    // The log has whole numbers.
    assert!(
        given["noted"].to_string().contains("weight"),
        "{}",
        given["noted"]
    );
    let mut kept = properties.clone();
    kept["weight"] = json!("2.5");
    let kept_sheet = |table: &mut Table, who: &str| {
        table.get_character(json!({"character": who}))["character"]["inventory"][0]["properties"]
            .clone()
    };
    assert_eq!(kept_sheet(&mut table, "Aria"), kept);
    table.restart();
    assert_eq!(kept_sheet(&mut table, "Aria"), kept);
    for (format, name) in [("json", "Bo"), ("markdown", "Cy")] {
        let out = table
            .manage_character(json!({"action": "export", "character": "Aria", "format": format}));
        assert!(out.text("document").contains("1d8"), "{}", out["document"]);
        let back = json!({"action": "import", "text": out["document"], "name": name});
        table.manage_character(back).is_fine();
        assert_eq!(kept_sheet(&mut table, name), kept, "{format}");
    }
    // Other fields of the item leave them alone; an empty object takes them away.
    let change = |more: Value| json!({"action": "update", "character": "Aria", "inventory": [crate::table::with(json!({"name": "Longsword"}), more)]});
    table
        .manage_character(change(json!({"quantity": 2})))
        .is_fine();
    assert_eq!(kept_sheet(&mut table, "Aria"), kept);
    table
        .manage_character(change(json!({"properties": {}})))
        .is_fine();
    assert_eq!(kept_sheet(&mut table, "Aria"), Value::Null);
    // What was logged is what the tables hold.
    table.record().is_sound();
}

#[test]
fn hostile_properties_are_refused() {
    let mut table = table();
    let deep = json!({"a": {"b": {"c": {"d": {"e": {"f": 1}}}}}});
    let many: serde_json::Map<String, Value> = (0..500)
        .map(|nth| (format!("field {nth}"), json!(nth)))
        .collect();
    let before = table.record().length();
    for (properties, code) in [
        (deep, "invalid_parameters"),
        (Value::Object(many), "limit_exceeded"),
        (json!({"text": "x".repeat(2000)}), "limit_exceeded"),
        (json!({"text": "\u{1b}[2J"}), "limit_exceeded"),
        (json!({"one\ntwo": 1}), "limit_exceeded"),
        (json!({"turned": "\u{202e}"}), "limit_exceeded"),
        (json!("1d8"), "invalid_parameters"),
    ] {
        let call = json!({"action": "award", "character": "Aria", "inventory": [{"name": "Longsword", "properties": properties}]});
        table.manage_character(call).refused(code);
    }
    assert_eq!(table.record().length(), before);
    // A text that is imported is held to the same.
    let out = table.manage_character(json!({"action": "export", "character": "Aria"}));
    let mut sheet: Value = serde_json::from_str(out.text("document")).expect("JSON");
    for properties in [
        json!({"weight": 2.5}),
        json!({"a": {"b": {"c": {"d": {"e": 1}}}}}),
    ] {
        let item = json!({"name": "axe", "quantity": 1, "equipped": false, "uses": null, "notes": "", "properties": properties});
        sheet["character"]["items"] = json!([item]);
        let call = json!({"action": "import", "text": sheet.to_string(), "name": "Bo"});
        table.manage_character(call).refused("limit_exceeded");
    }
}
