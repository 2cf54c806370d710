//! Words: what is reported and to whom, names and texts that are not what they look like, and what
//! the author wrote.

use serde_json::{Value, json};

use crate::table::{Table, cases, has, text};

#[test]
fn a_wound_that_players_see_in_part_is_not_reported_as_dice() {
    let mut table = Table::with_party();
    table.start(json!([{"name": "Pell", "hp": 9, "initiative": 1}]));
    let part =
        table.apply_damage(json!({"target": "Pell", "amount": 2, "visibility": "outcome_only"}));
    assert_eq!(part["player_text"], "Pell takes damage and is hurt.");
    let blind = table.apply_damage(json!({"target": "Pell", "amount": 2, "visibility": "blind"}));
    assert_eq!(blind["player_text"], "Something happens behind the screen.");
}

#[test]
fn why_a_rule_was_set_aside_is_the_gms_affair() {
    let mut table = Table::with_party();
    let call = json!({"action": "update", "character": "Jory", "attributes": {"STR": 25}, "override_reason": "he is the lost prince"});
    let answer = table.manage_character(call);
    assert!(
        answer.text("summary").contains("lost prince"),
        "{}",
        answer["summary"]
    );
    has(answer.text("player_text"), &["Strength 15 to 25"]);
    assert!(
        !answer.text("player_text").contains("prince"),
        "{}",
        answer.text("player_text")
    );
    let public = table
        .record()
        .rows("select cast(public as text) as public from log order by seq desc limit 1");
    assert!(!public[0].to_string().contains("prince"), "{public:?}");
}

#[test]
fn a_character_the_players_never_met_is_not_named_to_them() {
    let mut table = Table::with_party();
    table.create("The Traitor", json!({"kind": "npc", "hp": 9}));
    let unseen = table.apply_damage(json!({"target": "The Traitor", "amount": 2}));
    assert_eq!(unseen["player_text"], Value::Null);
    let shown =
        table.apply_damage(json!({"target": "The Traitor", "amount": 2, "visibility": "public"}));
    assert_eq!(
        shown["player_text"],
        "The Traitor takes damage and is hurt."
    );
    table.start(json!([{"name": "The Traitor", "initiative": 1}]));
    assert!(
        table.apply_damage(json!({"target": "The Traitor", "amount": 1}))["player_text"]
            .is_string()
    );
}

#[test]
fn a_call_that_hides_and_shows_is_refused() {
    let mut table = Table::with_party();
    for (visible, visibility) in [
        (false, "public"),
        (true, "gm"),
        (true, "blind"),
        (true, "outcome_only"),
    ] {
        for (tool, call) in [
            ("roll_dice", json!({"expression": "d6"})),
            ("roll_multiple", json!({"rolls": [{"expression": "d6"}]})),
            (
                "skill_check",
                json!({"character": "Jory", "skill": "Melee", "difficulty": 9}),
            ),
        ] {
            let mut call = call;
            call["visible"] = json!(visible);
            call["visibility"] = json!(visibility);
            table.call(tool, call).refused("invalid_parameters");
        }
    }
    let both = table
        .dice([3])
        .roll_dice(json!({"expression": "d6", "visible": false, "visibility": "blind"}));
    assert_eq!(both["visibility"], "blind");
    let sent = json!({"expression": "d6", "visible": true, "visibility": "public"});
    assert_eq!(table.dice([3]).roll_dice(sent)["visible"], true);
}

#[test]
fn who_is_down_is_not_shown_as_acting() {
    let mut table = Table::with_party();
    table.start(
        json!([{"name": "Jory", "initiative": 9}, {"name": "Rat", "hp": 3, "initiative": 1}]),
    );
    table
        .apply_damage(json!({"target": "Jory", "amount": 14}))
        .is_fine();
    let status = table.manage_combat(json!({"action": "status"}));
    assert_eq!(
        status["next"],
        "Jory is down; manage_combat action=\"next_turn\" goes on with whoever is up."
    );
    let expected = "Round 1, and Jory, whose turn it was, is down. Jory 0/14, Rat unhurt. Rising tide 0/12, Ward sluice 0/1, Basin sluice 0/1, Marsh sluice 0/1, Dog drawn 0/1.";
    assert_eq!(status["player_text"], expected);
    table
        .apply_damage(json!({"target": "Rat", "amount": 3}))
        .is_fine();
    let status = table.manage_combat(json!({"action": "status"}));
    assert!(
        status.text("next").starts_with("Everybody is down"),
        "{}",
        status["next"]
    );
    assert!(
        status
            .text("summary")
            .starts_with("Round 1, and everybody is down."),
        "{}",
        status["summary"]
    );
}

#[test]
fn who_is_healed_in_time_acts_late_in_the_same_round() {
    let mut table = Table::with_party();
    table
        .apply_damage(json!({"target": "Jory", "amount": 14}))
        .is_fine();
    let fight = json!({"action": "start", "combatants": [
        {"name": "Jory", "initiative": 20}, {"name": "Sabeth", "initiative": 10}, {"name": "Rat", "hp": 3, "initiative": 1},
    ]});
    assert_eq!(
        table.manage_combat(fight)["current"],
        "Sabeth",
        "passed over while down"
    );
    table
        .apply_damage(json!({"target": "Jory", "amount": -5}))
        .is_fine();
    let mut turn = || {
        let turn = table.manage_combat(json!({"action": "next_turn"}));
        format!("{} {}", turn["round"], turn.text("current"))
    };
    assert_eq!(
        [turn(), turn(), turn(), turn()],
        ["1 Jory", "1 Rat", "2 Jory", "2 Sabeth"]
    );
}

#[test]
fn what_no_rule_decided_cites_none() {
    let mut table = Table::of_rules(None);
    let fight =
        table.manage_combat(json!({"action": "start", "combatants": [{"name": "Rat", "hp": 2}]}));
    assert_eq!(fight["rule"], Value::Null);
}

#[test]
fn a_refusal_advises_nothing_that_its_tool_does_not_take() {
    let mut table = Table::with_party();
    let rat = |attributes: Value| json!({"action": "start", "combatants": [{"name": "Rat", "hp": 1, "attributes": attributes}]});
    let refusal = table.manage_combat(rat(json!({"LUK": 3})));
    assert!(
        !refusal
            .refusal_text("invalid_parameters")
            .contains("override_reason")
    );
    table
        .manage_combat(rat(json!({"STR": 99})))
        .refused_with("invalid_parameters", &["manage_character keeps"]);
}

#[test]
fn a_context_may_be_any_sentence() {
    let mut table = Table::with_party();
    for (context, expected) in [
        (
            "does Lisk look in",
            "The GM rolls (does Lisk look in): 1d6: [2] = 2.",
        ),
        (
            "Does Lisk look in?",
            "The GM rolls (Does Lisk look in?): 1d6: [2] = 2.",
        ),
        (
            "Climb the wet ladder.",
            "The GM rolls (Climb the wet ladder): 1d6: [2] = 2.",
        ),
        ("the tide", "The GM rolls (the tide): 1d6: [2] = 2."),
        ("  ", "The GM rolls 1d6: [2] = 2."),
    ] {
        let rolled = table
            .dice([2])
            .roll_dice(json!({"expression": "1d6", "context": context}));
        assert_eq!(rolled.text("summary"), expected);
        let call = json!({"expression": "1d6", "context": context, "visibility": "outcome_only"});
        let rolled = table.dice([2]).roll_dice(call);
        assert_eq!(
            rolled.player_text(),
            "The GM rolls.",
            "what an outcome is of, the GM tells"
        );
        let set = json!({"rolls": [{"expression": "1d6"}], "context": context});
        let rolled = table.dice([2]).call("roll_multiple", set);
        assert_eq!(
            rolled.text("summary"),
            expected,
            "a set of one is told as that roll"
        );
    }
}

/// Names and texts that are not what they look like.
#[test]
fn a_name_that_cannot_be_seen_is_no_name() {
    let mut table = Table::with_party();
    let before = table.record().everything();
    for name in [
        "\u{200b}",
        "\u{feff}\u{2060}",
        "A\u{202e}nn",
        "A\u{200b}nn",
        "---",
        "Ann\u{2066}",
        "\u{7}",
    ] {
        for [tool, call] in cases(json!([
            ["manage_character", {"action": "create", "name": name}],
            ["manage_character", {"action": "update", "character": "Jory", "name": name}],
            ["manage_character", {"action": "update", "character": "Jory", "tracks": {name: 3}}],
            ["manage_combat", {"action": "start", "combatants": [{"name": name, "hp": 3, "initiative": 1}]}],
            ["manage_combat",
             {"action": "start", "combatants": [{"name": "Rat", "hp": 3, "initiative": 1, "side": name}]}],
            ["manage_combat", {"action": "start", "title": name, "combatants": [{"name": "Jory", "initiative": 1}]}],
            ["manage_session", {"action": "start", "title": name}],
            ["apply_damage", {"target": "Jory", "apply_conditions": [name]}],
            ["roll_dice", {"expression": "d6", "campaign": name}],
            ["skill_check", {"character": "Jory", "skill": "Melee", "difficulty": 9, "values": {name: 3}}],
        ])) {
            let refusal = table
                .call(text(&tool), call)
                .refused("limit_exceeded")
                .clone();
            assert!(
                !refusal.to_string().contains(['\u{202e}', '\u{2066}']),
                "{refusal}"
            );
        }
    }
    for context in ["over\u{202e}turned", "\u{2067}"] {
        table
            .roll_dice(json!({"expression": "d6", "context": context}))
            .refused("limit_exceeded");
        table
            .apply_damage(json!({"target": "Jory", "amount": 1, "reason": context}))
            .refused("limit_exceeded");
    }
    assert_eq!(table.record().everything(), before);
}

#[test]
fn accents_are_kept_as_written_and_never_asked_for() {
    let mut table = Table::with_party();
    table.create("E\u{301}lodie Żak", json!({"kind": "npc", "hp": 5}));
    for name in [
        "Élodie Żak",
        "elodie zak",
        "ELODIE_Z\u{307}AK",
        "e\u{301}lodie-żak",
    ] {
        let call = json!({"character": name, "view": "brief"});
        assert_eq!(
            table.get_character(call).text("summary").split(',').next(),
            Some("E\u{301}lodie Żak")
        );
    }
    table
        .manage_character(json!({"action": "create", "name": "Elodie Zak"}))
        .refused("duplicate_name");
    let dazed = table.apply_damage(json!({"target": "Jory", "apply_conditions": ["Étourdi"]}));
    assert_eq!(dazed["conditions"], json!(["étourdi"]));
    let twice =
        table.apply_damage(json!({"target": "Jory", "amount": 1, "apply_conditions": ["etourdi"]}));
    assert_eq!(twice["conditions"], json!(["étourdi"]));
    let call = json!({"target": "Jory", "remove_conditions": ["ETOURDI"]});
    assert_eq!(table.apply_damage(call)["conditions"], json!([]));
    for name in ["李小龍", "علی\u{200c}رضا", "🐉"] {
        table
            .manage_character(json!({"action": "create", "name": name}))
            .is_fine();
        assert_eq!(
            table.get_character(json!({"character": name}))["character"]["name"],
            name
        );
    }
}

#[test]
fn words_that_mean_another_character_are_no_names() {
    let mut table = Table::with_party();
    for name in ["npc", "NPC", "Player", "gm", "system"] {
        table
            .manage_character(json!({"action": "create", "name": name}))
            .refused("duplicate_name");
    }
}

#[test]
fn however_much_is_sent_little_comes_back() {
    let mut table = Table::with_party();
    let long = "x".repeat(50_000);
    let before = table.record().everything();
    for (tool, call) in [
        ("apply_damage", json!({"target": long, "amount": 1})),
        (
            "apply_damage",
            json!({"target": "Jory", "amount": 1, "track": long}),
        ),
        (
            "apply_damage",
            json!({"target": "Jory", "remove_conditions": [long]}),
        ),
        ("skill_check", json!({"character": "Jory", "skill": long})),
        (
            "skill_check",
            json!({"character": "Jory", "attribute": long}),
        ),
        ("skill_check", json!({"character": "Jory", "check": long})),
        (
            "skill_check",
            json!({"character": "Jory", "skill": "Melee", "values": {&long: 3}}),
        ),
        (
            "manage_character",
            json!({"action": "create", "name": "Ann", "attributes": {&long: 3}}),
        ),
        ("manage_character", json!({"action": long.clone()})),
        (
            "manage_combat",
            json!({"action": "start", "combatants": [{"name": "Rat", "hp": 1, "side": long}]}),
        ),
        ("roll_dice", json!({&long: 1})),
        ("roll_dice", json!({"expression": long})),
        ("roll_dice", json!({"expression": "d6", "campaign": long})),
        (
            "get_character",
            json!({"character": "Jory", "campaign": long}),
        ),
        ("get_character", json!({"character": long})),
        ("odds", json!({"expression": long})),
        (
            "roll_multiple",
            json!({"rolls": vec![json!({&long: 1}); 30]}),
        ),
    ] {
        let answer = table.call(tool, call);
        assert!(answer.is_refused(), "{tool}");
        let text = answer.value().to_string();
        let summary = answer.value()["summary"]
            .as_str()
            .expect("text")
            .chars()
            .count();
        assert!(
            summary <= 600 && text.len() <= 8000,
            "{tool}: {summary} of {}: {}",
            text.len(),
            &text[..text.len().min(1500)]
        );
    }
    assert_eq!(table.record().everything(), before);
    let noted = table
        .dice([3])
        .roll_dice(json!({"expression": "d6", "visible": "yes", "after": "0"}));
    assert_eq!(noted["noted"].as_array().map(Vec::len), Some(2));
}

#[test]
fn an_empty_key_tells_no_calls_apart() {
    let mut table = Table::with_party();
    for key in ["", " ", "\u{200b}"] {
        let refusal = table.roll_dice(json!({"expression": "d6", "request_id": key}));
        refusal.refused_with("invalid_parameters", &["request_id=\""]);
    }
}

#[test]
fn what_came_since_is_reported_by_a_status_too() {
    let mut table = Table::with_party();
    let known = table
        .dice([3])
        .roll_dice(json!({"expression": "d6"}))
        .number("log");
    table
        .dice([4])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
    for tool in ["manage_combat", "manage_session"] {
        let status = table.call(tool, json!({"action": "status", "after": known}));
        assert_eq!(
            status["since"].as_array().map(Vec::len),
            Some(1),
            "{tool}: {}",
            status.value()
        );
        assert_eq!(
            table.call(tool, json!({"action": "status"}))["since"],
            Value::Null
        );
    }
}

/// What the author wrote comes back as it was written, and in that order.
const RULES: &str = "\
# The Quiet Room

## Skills

- Notice
- Will

## Checks

### Try

- Roll: `1d6 + {skill=0}`
- Target: `4`

| Outcome | When | What it means | In a fight |
|---|---|---|---|
| Done (success) | margin 0+ | Done. | Damage, and you move. |
| Not done (failure) | otherwise | Nothing. | |

## Health

- Vigour: max 6
- Aplomb: max 3
- Damage: Vigour

## Conditions

- Spun Round: -1 on checks

## Combat

- Initiative: {Notice}, highest first
- Ties: higher Will, players, as entered
";

fn shown_table() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    for (name, will) in [("Ann", 1), ("Bo", 3)] {
        let skills = json!({"Notice": 2, "Will": will});
        table
            .manage_character(json!({"action": "create", "name": name, "skills": skills}))
            .is_fine();
    }
    table
}

#[test]
fn a_tie_is_broken_by_a_skill() {
    let mut table = shown_table();
    let fight = table
        .manage_combat(json!({"action": "start", "combatants": [{"name": "Ann"}, {"name": "Bo"}]}));
    assert_eq!(
        fight["order"][0]["name"], "Bo",
        "Will 3 before Will 1, though Ann entered first"
    );
}

#[test]
fn tracks_are_in_the_order_of_the_rules_and_by_name() {
    let mut table = shown_table();
    let fight = table.manage_combat(json!({"action": "start", "combatants": [{"name": "Ann"}]}));
    assert_eq!(fight["order"][0]["health"], "Vigour 6/6, Aplomb 3/3");
    let sheet = table.get_character(json!({"character": "Ann"}));
    let names =
        |value: &serde_json::Value| value["tracks"].as_array().expect("tracks")[0]["name"].clone();
    assert_eq!(names(&sheet["character"]), "Vigour", "{}", sheet.value());
}

#[test]
fn a_condition_is_spelt_as_the_author_spells_it() {
    let mut table = shown_table();
    let spun = table
        .apply_damage(json!({"target": "Ann", "amount": 0, "apply_conditions": ["spun  round"]}));
    assert_eq!(spun["conditions"], json!(["Spun Round"]));
    let check = table
        .dice([4])
        .skill_check(json!({"character": "Ann", "skill": "Notice"}));
    assert_eq!(check["modifier"], -1, "and it is the same condition");
    let over = table
        .apply_damage(json!({"target": "Ann", "amount": 0, "remove_conditions": ["SPUN ROUND"]}));
    assert_eq!(over["conditions"], json!([]));
}

#[test]
fn a_row_with_two_columns_has_a_line_for_each() {
    let mut table = shown_table();
    let done = table.dice([6]).skill_check(json!({"character": "Ann"}));
    assert_eq!(
        done["row_text"],
        "What it means: Done.\nIn a fight: Damage, and you move."
    );
    let not = table.dice([1]).skill_check(json!({"character": "Ann"}));
    assert_eq!(not["row_text"], "Nothing.");
}
