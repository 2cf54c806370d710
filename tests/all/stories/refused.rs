//! Bad input is refused and writes nothing; a call that is sent twice acts once.

use serde_json::{Value, json};

use crate::table::{Table, cases, each, jory, text};

/// The call is refused with `code`, not a row is written, and the table plays on.
#[track_caller]
fn refuses(table: &mut Table, tool: &str, arguments: Value, code: &str) -> Value {
    let before = table.record().everything();
    let refusal = table.call(tool, arguments).refused(code).clone();
    assert_eq!(
        table.record().everything(),
        before,
        "a refusal writes nothing"
    );
    let rolled = table.dice([4]).roll_dice(json!({"expression": "d6"}));
    assert_eq!(rolled["total"], 4);
    refusal
}

#[test]
fn dice_that_are_not_of_this_table() {
    let mut table = Table::with_party();
    let refusal = refuses(
        &mut table,
        "roll_dice",
        json!({"expression": "2d7"}),
        "invalid_die",
    );
    let summary = refusal["summary"].as_str().expect("text");
    assert!(
        summary.contains("d4, d6, d8, d10, d12, d20, d100") && summary.contains("Example: \"2d6"),
        "{summary}"
    );
    refuses(
        &mut table,
        "roll_dice",
        json!({"expression": "d20 + 1d3"}),
        "invalid_die",
    );
}

#[test]
fn what_is_no_expression() {
    let mut table = Table::with_party();
    for expression in [
        "2d-6",
        "",
        "d",
        "2d6+",
        "0d6",
        "2d0",
        "the red one",
        "1d20; drop table log",
        "🎲",
        "2d6)(",
    ] {
        let refusal = table.roll_dice(json!({"expression": expression}));
        let refusal = if refusal.is_refused() {
            refusal.value().clone()
        } else {
            panic!("{expression} was rolled")
        };
        let code = refusal["code"].as_str().expect("a code").to_owned();
        let codes = [
            "empty",
            "unparseable_input",
            "limit_exceeded",
            "invalid_parameters",
            "invalid_die",
        ];
        assert!(codes.contains(&code.as_str()), "{expression}: {refusal}");
        let again = refuses(
            &mut table,
            "roll_dice",
            json!({"expression": expression}),
            &code,
        );
        assert!(
            again["summary"]
                .as_str()
                .is_some_and(|text| text.contains("Example")),
            "{expression}: {again}"
        );
    }
}

#[test]
fn more_dice_than_anybody_needs() {
    let mut table = Table::with_party();
    for expression in [
        "100000d6",
        "99999999999999999999d6",
        "1d20 + 9999999999999999999",
    ] {
        refuses(
            &mut table,
            "roll_dice",
            json!({"expression": expression}),
            "limit_exceeded",
        );
    }
    let long = "1+".repeat(5000) + "1";
    refuses(
        &mut table,
        "roll_dice",
        json!({"expression": long}),
        "limit_exceeded",
    );
}

#[test]
fn an_unknown_skill_is_answered_with_the_near_ones_and_where_they_are() {
    let mut table = Table::with_party();
    let call = json!({"character": "Sabeth", "skill": "Lockpick", "difficulty": 15});
    let refusal = refuses(&mut table, "skill_check", call, "unknown_skill");
    assert_eq!(refusal["source"], "System.md:42-56");
    assert_eq!(refusal["did_you_mean"][0], "Lockpicking");
    assert!(
        refusal["summary"]
            .as_str()
            .is_some_and(|text| text.contains("Send skill=\"Lockpicking\"")),
        "{refusal}"
    );
    let sent = json!({"character": "Jory", "attribute": "LUK", "difficulty": 9});
    refuses(&mut table, "skill_check", sent, "unknown_attribute");
    refuses(
        &mut table,
        "skill_check",
        json!({"character": "Jory", "check": "Save", "skill": "Lore"}),
        "unknown_check",
    );
}

#[test]
fn nobody_is_there_yet() {
    let mut table = Table::lockhouse();
    for (tool, call) in [
        (
            "skill_check",
            json!({"skill": "Lockpicking", "difficulty": 15}),
        ),
        ("get_character", json!({})),
        ("apply_damage", json!({"target": "player", "amount": 3})),
        (
            "manage_character",
            json!({"action": "update", "character": "Bo", "level": 2}),
        ),
    ] {
        let refusal = table.call(tool, call).refused("no_character").clone();
        let summary = refusal["summary"].as_str().expect("text");
        assert!(
            summary.contains("STR 3 to 20")
                && summary.contains("manage_character action=\"create\""),
            "{summary}"
        );
        assert_eq!(refusal["source"], "System.md:28");
        assert_eq!(table.record().length(), 0);
    }
    table.manage_character(jory()).is_fine();
}

#[test]
fn a_check_without_a_difficulty() {
    let mut table = Table::with_party();
    let refusal = refuses(
        &mut table,
        "skill_check",
        json!({"character": "Jory", "skill": "Melee"}),
        "missing_value",
    );
    assert!(
        refusal["summary"]
            .as_str()
            .is_some_and(|text| text.contains("difficulty=15")),
        "{refusal}"
    );
}

#[test]
fn a_dead_target_and_an_unknown_one() {
    let mut table = Table::with_party();
    table
        .apply_damage(json!({"target": "Jory", "amount": 28}))
        .is_fine();
    refuses(
        &mut table,
        "apply_damage",
        json!({"target": "Jory", "amount": 1}),
        "target_dead",
    );
    let refusal = refuses(
        &mut table,
        "apply_damage",
        json!({"target": "Sabet", "amount": 1}),
        "unknown_character",
    );
    assert_eq!(refusal["did_you_mean"], json!(["Sabeth"]));
}

#[test]
fn a_second_start_during_a_fight() {
    let mut table = Table::with_party();
    let start = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 3}]});
    table.manage_combat(start.clone()).is_fine();
    refuses(&mut table, "manage_combat", start, "combat_running");
    table.manage_combat(json!({"action": "end"})).is_fine();
    refuses(
        &mut table,
        "manage_combat",
        json!({"action": "end"}),
        "no_combat",
    );
}

#[test]
fn every_bad_argument_is_listed_at_once() {
    let mut table = Table::with_party();
    let call = json!({"skill": 7.5, "difficulty": [15, 16], "advantage": "perhaps", "modifer": 2, "values": [1], "visibility": [1]});
    let refusal = refuses(&mut table, "skill_check", call, "invalid_parameters");
    let mut bad: Vec<&str> = each(&refusal["details"])
        .filter_map(|bad| bad["parameter"].as_str())
        .collect();
    bad.sort_unstable();
    assert_eq!(
        bad,
        ["advantage", "difficulty", "modifer", "values", "visibility"],
        "{refusal}"
    );
    let refusal = refuses(&mut table, "roll_dice", json!({}), "invalid_parameters");
    assert_eq!(refusal["details"][0]["parameter"], "expression");
    refuses(
        &mut table,
        "manage_combat",
        json!({"action": "flee"}),
        "invalid_parameters",
    );
}

#[test]
fn numbers_names_and_texts_beyond_their_bounds() {
    let mut table = Table::with_party();
    for [tool, call, code] in cases(json!([
        ["apply_damage", {"target": "Jory", "amount": i64::MAX}, "limit_exceeded"],
        ["apply_damage", {"target": "Jory", "amount": i64::MIN}, "limit_exceeded"],
        ["apply_damage", {"target": "Jory", "amount": 1e300}, "invalid_parameters"],
        ["apply_damage", {"target": "Jory", "amount": 1.5}, "invalid_parameters"],
        ["apply_damage", {"target": "Jory", "roll": -1}, "invalid_parameters"],
        ["apply_damage", {"target": "Jory", "apply_conditions": ["x\u{7}"]}, "limit_exceeded"],
        ["manage_character", {"action": "create", "name": "x".repeat(81)}, "limit_exceeded"],
        ["manage_character", {"action": "create", "name": "two\nlines"}, "limit_exceeded"],
        ["manage_character", {"action": "create", "name": "  "}, "limit_exceeded"],
        ["manage_character", {"action": "create", "name": "Ann", "level": -1}, "invalid_parameters"],
        ["manage_character", {"action": "create", "name": "Ann", "tracks": {"Hit points": -1}}, "invalid_parameters"],
        ["manage_character", {"action": "update", "character": "Jory", "tracks": {"Hit points": 15}},
         "invalid_parameters"],
        ["manage_character", {"action": "update", "character": "Jory", "notes": "x".repeat(4001)}, "limit_exceeded"],
        ["manage_combat", {"action": "start", "combatants": [{"name": "Rat", "count": 100000, "hp": 1}]},
         "limit_exceeded"],
        ["manage_combat", {"action": "start", "combatants": [{"name": "Rat", "count": 0, "hp": 1}]}, "limit_exceeded"],
        ["manage_combat", {"action": "start", "combatants": [{"name": "Rat", "hp": 0}]}, "invalid_parameters"],
        ["roll_dice", {"expression": "d6", "context": "x".repeat(501)}, "limit_exceeded"],
        ["roll_dice", {"expression": "d6", "request_id": "x".repeat(201)}, "invalid_parameters"],
        ["roll_dice", {"expression": "d6", "character": "Nobody"}, "unknown_character"],
        ["roll_dice", {"expression": "d6", "campaign": ""}, "limit_exceeded"],
        ["skill_check", {"character": "Jory", "skill": "Melee", "difficulty": 2_000_000}, "limit_exceeded"],
    ])) {
        refuses(&mut table, text(&tool), call, text(&code));
    }
}

#[test]
fn what_models_are_known_to_send_is_read_as_meant_and_noted() {
    let mut table = Table::with_party();
    let call = json!({"character": "Sabeth", "skill_name": "LOCKPICKING", "dc": "15", "advantage": "true"});
    let check = table.dice([10, 11]).skill_check(call);
    assert_eq!(check["outcome"], "success");
    assert_eq!(
        check["noted"],
        json!(["advantage: \"true\" read as true", "dc: \"15\" read as 15"])
    );
    let fight = table.manage_combat(
        json!({"action": "start", "combatants": "[{\"name\": \"Jory\", \"initiative\": 3}]"}),
    );
    assert_eq!(fight["current"], "Jory");
}

#[test]
fn a_call_refused_half_way_is_forgotten_whole() {
    // Refused after what opens by itself, before anything was ever written.
    let mut table = Table::lockhouse();
    let call = json!({"action": "create", "name": "Ann", "attributes": {"STR": 99}});
    table.manage_character(call).refused("invalid_parameters");
    let rolled = table.dice([4]).roll_dice(json!({"expression": "d6"}));
    assert_eq!(
        rolled["log"], 4,
        "campaign, rules and session are written now, once"
    );
    table.record().is_sound();

    // Refused after foes that were made for it.
    let mut table = Table::with_party();
    let half = json!({"action": "start", "combatants": [{"name": "Rat", "count": 2, "hp": 1}, {"name": "Wrecker"}]});
    refuses(&mut table, "manage_combat", half, "missing_value");
    assert_eq!(
        table.get_character(json!({"list": true}))["characters"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    let fight = table.manage_combat(
        json!({"action": "start", "combatants": [{"name": "Rat", "hp": 1, "initiative": 1}]}),
    );
    assert_eq!(
        fight["order"][0]["name"], "Rat",
        "no number: there never was another"
    );
}

#[test]
fn more_dice_than_a_call_may_roll_are_refused_before_one_falls() {
    let mut table = Table::with_party();
    let before = table.record().everything();
    for call in [
        json!({"rolls": vec![json!({"expression": "1000d6"}); 11]}),
        json!({"rolls": [{"expression": "1000d6"}], "count": 11}),
        json!({"rolls": [{"expression": "repeat(100d6, 10)"}], "count": 11}),
    ] {
        let refusal = table
            .call("roll_multiple", call)
            .refused("limit_exceeded")
            .clone();
        assert!(
            refusal["summary"]
                .as_str()
                .is_some_and(|text| text.contains("at most 10000")),
            "{refusal}"
        );
    }
    assert_eq!(table.record().everything(), before);
}

/// A call that is sent twice, and one whose answer got lost.
#[test]
fn the_same_request_id_acts_once_and_answers_the_same() {
    let mut table = Table::with_party();
    let call = json!({"expression": "2d6", "character": "Jory", "request_id": "turn 3, boat hook"});
    let first = table.dice([5, 6]).roll_dice(call.clone()).value().clone();
    let before = table.record().everything();
    for round in 0..2 {
        let mut again = table.roll_dice(call.clone()).value().clone();
        assert_eq!(again["replayed"], true);
        again.as_object_mut().expect("an object").remove("replayed");
        assert_eq!(again, first);
        assert_eq!(
            table.record().everything(),
            before,
            "no die was rolled, nothing was written"
        );
        if round == 0 {
            table.restart();
        }
    }
}

#[test]
fn the_same_request_id_for_something_else_is_refused() {
    let mut table = Table::with_party();
    table
        .dice([5])
        .roll_dice(json!({"expression": "d6", "request_id": "one"}))
        .is_fine();
    let before = table.record().everything();
    table
        .roll_dice(json!({"expression": "d8", "request_id": "one"}))
        .refused("request_id_conflict");
    table
        .apply_damage(json!({"target": "Jory", "amount": 1, "request_id": "one"}))
        .refused("request_id_conflict");
    assert_eq!(table.record().everything(), before);
    table
        .dice([5])
        .roll_dice(json!({"expression": "d8", "request_id": "two"}))
        .is_fine();
    table
        .dice([5])
        .roll_dice(json!({"expression": "d8", "request_id": "one", "campaign": "Thursday"}))
        .is_fine();
}

#[test]
fn a_refusal_is_not_kept_so_the_mended_call_may_use_its_id() {
    let mut table = Table::with_party();
    table
        .roll_dice(json!({"expression": "2d7", "request_id": "one"}))
        .refused("invalid_die");
    let call = json!({"expression": "2d6", "request_id": "one"});
    assert_eq!(table.dice([5, 5]).roll_dice(call)["replayed"], Value::Null);
}

#[test]
fn the_same_call_in_other_words_is_the_same_call() {
    let mut table = Table::with_party();
    table
        .apply_damage(json!({"target": "Jory", "amount": 3, "request_id": "one"}))
        .is_fine();
    let again = table.apply_damage(
        json!({"request_id": "one", "damage": "3", "target": "Jory", "reason": null}),
    );
    assert_eq!(
        again["replayed"], true,
        "order, aliases, text for numbers and nulls do not make it another"
    );
}

#[test]
fn a_replayed_start_of_a_fight_starts_no_second_one() {
    let mut table = Table::with_party();
    let call = json!({"action": "start", "request_id": "fight", "combatants": [{"name": "Jory"}, {"name": "Eel", "hp": 18}]});
    let first = table
        .dice([10, 5])
        .manage_combat(call.clone())
        .value()
        .clone();
    table
        .manage_combat(json!({"action": "next_turn"}))
        .is_fine();
    let again = table.manage_combat(call);
    assert_eq!(
        (&again["replayed"], &again["current"]),
        (&json!(true), &first["current"]),
        "as it was answered then"
    );
    assert_eq!(table.record().number("select count(*) from combats"), 1);
}

#[test]
fn after_tells_what_was_written_since() {
    let mut table = Table::with_party();
    let known = table.record().length();
    table
        .dice([2])
        .roll_dice(json!({"expression": "d6", "visibility": "gm", "context": "the tide"}))
        .is_fine();
    let next = table
        .dice([3])
        .roll_dice(json!({"expression": "d6", "after": known}));
    assert_eq!(
        next["since"],
        json!([format!(
            "#{} The GM rolls (the tide): 1d6: [2] = 2.",
            known + 1
        )])
    );
    let quiet = table
        .dice([3])
        .roll_dice(json!({"expression": "d6", "after": next["log"]}));
    assert_eq!(quiet["since"], Value::Null);
    // Of a log that ends before it, see the stories of a lost history.
    table
        .roll_dice(json!({"expression": "d6", "after": 9_000_000}))
        .refused("history_lost");
}

#[test]
fn a_lost_answer_is_found_by_its_id_or_by_after() {
    let mut table = Table::with_party();
    let known = table.record().length();
    let call = json!({"expression": "d8", "request_id": "lost", "context": "knife"});
    let lost = table.dice([4]).roll_dice(call).value().clone();
    table.restart();
    let found = table.roll_dice(
        json!({"expression": "d8", "request_id": "lost", "context": "knife", "after": known}),
    );
    assert_eq!(
        (&found["roll_id"], &found["receipt"]),
        (&lost["roll_id"], &lost["receipt"])
    );
    assert!(
        found["since"][0]
            .as_str()
            .is_some_and(|text| text.contains("knife")),
        "{}",
        found["since"]
    );
}

#[test]
fn two_servers_at_one_database_see_each_others_writes() {
    let mut here = Table::with_party();
    let mut there = here.beside();
    let call = json!({"character": "Jory", "view": "brief"});
    assert_eq!(
        there.get_character(call)["summary"],
        "Jory, player, level 1: Hit points 14/14."
    );
    here.apply_damage(json!({"target": "Jory", "amount": 4, "request_id": "one"}))
        .is_fine();
    assert_eq!(
        there.apply_damage(json!({"target": "Jory", "amount": 1}))["tracks"][0]["before"],
        10
    );
    assert_eq!(
        there.apply_damage(json!({"target": "Jory", "amount": 4, "request_id": "one"}))["replayed"],
        true
    );
    let call = json!({"character": "Jory", "view": "brief"});
    assert_eq!(
        here.get_character(call)["summary"],
        "Jory, player, level 1: Hit points 9/14."
    );
}
