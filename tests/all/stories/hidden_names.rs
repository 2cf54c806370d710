//! Players read no free text that names a combatant whom they do not see.

use serde_json::{Value, json};

use crate::table::{Table, with};

/// Sabeth, Jory and a rat in the open; Kell and a guard out of sight, a guard captain in it.
fn ambush() -> Table {
    let mut table = Table::with_party();
    table.start(json!([
        {"name": "Sabeth", "initiative": 9}, {"name": "Jory", "initiative": 8}, {"name": "Rat", "hp": 9, "initiative": 7},
        {"name": "Guard Captain", "hp": 9, "initiative": 6},
        {"name": "Kéll", "hp": 9, "initiative": 5, "hidden": true}, {"name": "Guard", "hp": 9, "initiative": 4, "hidden": true},
    ]));
    table
}

#[test]
fn a_text_that_names_a_hidden_combatant_is_refused_in_whatever_players_would_read() {
    let mut table = ambush();
    let before = table.record().everything();
    let calls = [
        (
            "roll_dice",
            json!({"expression": "1d6", "context": "an arrow from kell"}),
        ),
        (
            "roll_dice",
            json!({"expression": "1d6", "context": "KELL'S arrow", "visibility": "outcome_only"}),
        ),
        ("roll_dice", json!({"expression": "1d6 # for Kell"})),
        (
            "roll_multiple",
            json!({"rolls": [{"expression": "d6"}], "count": 2, "context": "Kéll and the rat"}),
        ),
        (
            "skill_check",
            json!({"character": "Jory", "skill": "Melee", "difficulty": 9, "context": "spots Kell"}),
        ),
        (
            "apply_damage",
            json!({"target": "Jory", "amount": 2, "reason": "Kell's arrow"}),
        ),
        (
            "apply_damage",
            json!({"target": "Jory", "amount": 2, "damage_type": "kell"}),
        ),
        (
            "apply_damage",
            json!({"target": "Jory", "apply_conditions": ["marked by Kell"]}),
        ),
        (
            "manage_character",
            json!({"action": "add_condition", "character": "Jory", "condition": "Kell's mark"}),
        ),
        (
            "manage_character",
            json!({"action": "update", "character": "Jory", "notes": "owes Kell"}),
        ),
        (
            "manage_character",
            json!({"action": "award", "character": "Jory", "inventory": [{"name": "Kell's ring"}]}),
        ),
        (
            "manage_character",
            json!({"action": "award", "character": "Jory", "xp": 5, "override_reason": "for Kell"}),
        ),
        (
            "manage_combat",
            json!({"action": "ready", "combatant": "Sabeth", "trigger": "when Kell comes"}),
        ),
        (
            "manage_combat",
            json!({"action": "add_effect", "name": "Kell's curse", "on": "Jory"}),
        ),
        (
            "manage_combat",
            json!({"action": "end", "outcome": "Kell fled"}),
        ),
        (
            "manage_character",
            json!({"action": "update", "character": "Jory", "name": "Jory, friend of Kell"}),
        ),
        (
            "manage_character",
            json!({"action": "create", "name": "Kell's daughter", "kind": "npc"}),
        ),
        (
            "manage_session",
            json!({"action": "note", "text": "it rains", "request_id": "kell-1"}),
        ),
    ];
    for (tool, call) in calls {
        let answer = table.call(tool, call.clone());
        assert!(answer.is_refused(), "{tool} {call}: {}", answer.value());
        answer.refused_with(
            "names_hidden",
            &["names Kéll, whom players do not see", " name, or "],
        );
        if ["roll_dice", "roll_multiple", "skill_check"].contains(&tool) {
            table.endless_dice(7);
            table
                .call(tool, with(call, json!({"visibility": "gm"})))
                .is_fine();
        }
    }
    let log = table.record().everything();
    assert_eq!(log["conditions"], before["conditions"]);
}

#[test]
fn of_a_hidden_target_with_a_roll_for_each_the_parameter_that_was_sent_is_named() {
    let mut table = ambush();
    let before = table.record().everything();
    let summary =
        |answer: crate::table::Answer| answer.refused("names_hidden")["summary"].to_string();
    let both = json!({"target": ["Rat", "Kell"], "amount": "1d6", "each": true});
    let words = summary(table.apply_damage(both.clone()));
    assert!(
        words.contains("target names Kéll") && !words.contains("context"),
        "{words}"
    );
    for call in [
        json!({"target": ["Rat", "Jory"], "amount": "1d6", "each": true, "reason": "Kell's bees"}),
        json!({"target": ["Rat", "Jory"], "amount": "1d6", "reason": "Kell's bees"}),
    ] {
        let words = summary(table.apply_damage(call));
        assert!(
            words.contains("reason names Kéll") && !words.contains("context"),
            "{words}"
        );
    }
    assert_eq!(table.record().everything(), before);
    // As they say.
    table
        .endless_dice(7)
        .apply_damage(with(both, json!({"visibility": "gm"})))
        .is_fine();
    table
        .apply_damage(json!({"target": ["Rat"], "amount": "1d6", "each": true, "reason": "bees"}))
        .is_fine();
}

#[test]
fn ordinary_words_and_longer_names_are_read_as_they_are_meant() {
    let mut table = ambush();
    let fine = |table: &mut Table, context: &str| {
        table
            .dice([3])
            .roll_dice(json!({"expression": "1d6", "context": context}))
            .is_fine();
    };
    for context in [
        "Guarded blow",
        "the vanguard",
        "a blow at the Guard Captain",
        "Kellmoor road",
    ] {
        fine(&mut table, context);
    }
    for context in ["the guard", "the Guard Captain and the guard"] {
        table
            .roll_dice(json!({"expression": "1d6", "context": context}))
            .refused("names_hidden");
    }
    // What players do not read may name anybody.
    let secret = json!({"target": "Rat", "amount": 1, "reason": "Kell's arrow"});
    assert!(
        !table
            .apply_damage(secret)
            .text("player_text")
            .contains("Kell")
    );
    table
        .manage_combat(json!({"action": "reveal", "combatant": "Kell"}))
        .is_fine();
    fine(&mut table, "an arrow from Kell");
    table
        .manage_combat(json!({"action": "hide", "combatant": "Rat"}))
        .is_fine();
    table
        .roll_dice(json!({"expression": "1d6", "context": "the rat"}))
        .refused("names_hidden");
}

#[test]
fn a_title_names_nobody_whom_the_same_call_hides() {
    let mut table = Table::with_party();
    let fight = |title: &str| {
        json!({"action": "start", "title": title, "combatants": [
            {"name": "Jory", "initiative": 8}, {"name": "Kell", "hp": 9, "initiative": 5, "hidden": true},
        ]})
    };
    let before = table.record().everything();
    let refused = table.manage_combat(fight("Kell's ambush"));
    let words = refused.refusal_text("names_hidden").to_owned();
    assert!(
        words.contains("Send title without the name. "),
        "nobody can be shown before the fight: {words}"
    );
    assert_eq!(table.record().everything(), before);
    table.manage_combat(fight("The ambush")).is_fine();
    assert_eq!(
        table.manage_combat(json!({"action": "end", "outcome": "over"}))["noted"],
        Value::Null
    );
}

#[test]
fn one_word_of_a_hidden_name_names_its_bearer_unless_players_know_the_word() {
    let mut table = Table::with_party();
    table.start(json!([
        {"name": "Jory", "initiative": 8}, {"name": "Grey Rat", "hp": 9, "initiative": 7},
        {"name": "Lore Taker of the Fen", "hp": 9, "initiative": 5, "hidden": true},
        {"name": "Grey Sabeth-Eater", "hp": 9, "initiative": 4, "hidden": true},
    ]));
    for context in [
        "the taker listens",
        "TAKER'S knife",
        "out of the Fen",
        "a Sabeth-Eater",
        "an eater of names",
    ] {
        for (tool, call) in [
            (
                "roll_dice",
                json!({"expression": "1d6", "context": context}),
            ),
            (
                "skill_check",
                json!({"character": "Jory", "skill": "Melee", "difficulty": 9, "context": context}),
            ),
            (
                "apply_damage",
                json!({"target": "Jory", "amount": 1, "reason": context}),
            ),
            (
                "manage_combat",
                json!({"action": "ready", "combatant": "Jory", "trigger": context}),
            ),
        ] {
            table.call(tool, call).refused_with(
                "names_hidden",
                &[", whom players do not see", "without the name"],
            );
        }
        let secret = json!({"expression": "1d6", "context": context, "visibility": "gm"});
        table.dice([3]).roll_dice(secret).is_fine();
    }
    // Sabeth is of the party, a rat is grey, Lore is a skill, "of" is nobody, a fen is a place.
    for context in [
        "a grey evening of rain",
        "Sabeth sees",
        "by lore",
        "he takes it",
        "a kind of trick, for the road",
        "out of the fen",
    ] {
        table
            .dice([3])
            .roll_dice(json!({"expression": "1d6", "context": context}))
            .is_fine();
    }
    let kind = json!({"target": "Jory", "amount": 1, "damage_type": "eater"});
    table.apply_damage(kind).refused("names_hidden");
}

/// Jory in the open; two out of sight whose names hold common words.
fn prowlers() -> Table {
    let mut table = Table::with_party();
    table.start(json!([
        {"name": "Jory", "initiative": 9}, {"name": "Rat", "hp": 30, "initiative": 8},
        {"name": "Lady in Grey", "hp": 9, "initiative": 5, "hidden": true},
        {"name": "Vex Marrow", "hp": 9, "initiative": 4, "hidden": true},
    ]));
    table
}

#[test]
fn one_rule_says_what_names_the_hidden_in_every_text_that_players_read() {
    let calls = |text: &str| {
        [
            ("roll_dice", json!({"expression": "1d6", "context": text})),
            (
                "roll_multiple",
                json!({"rolls": [{"expression": "d6"}], "context": text}),
            ),
            (
                "skill_check",
                json!({"character": "Jory", "skill": "Melee", "difficulty": 9, "context": text}),
            ),
            (
                "apply_damage",
                json!({"target": "Jory", "amount": 1, "reason": text}),
            ),
            (
                "apply_damage",
                json!({"target": "Jory", "amount": 1, "damage_type": text}),
            ),
            (
                "apply_damage",
                json!({"target": "Jory", "apply_conditions": [text], "free": true}),
            ),
            (
                "manage_character",
                json!({"action": "add_condition", "character": "Jory", "condition": text, "free": true}),
            ),
            (
                "manage_character",
                json!({"action": "award", "character": "Jory", "inventory": [{"name": text}]}),
            ),
            (
                "manage_character",
                json!({"action": "update", "character": "Jory", "notes": text}),
            ),
            (
                "manage_combat",
                json!({"action": "add_effect", "name": text, "on": "Jory"}),
            ),
            (
                "manage_combat",
                json!({"action": "ready", "combatant": "Jory", "trigger": text}),
            ),
            ("manage_combat", json!({"action": "end", "outcome": text})),
        ]
    };
    for text in [
        "Lady's curse",
        "the lady waits",
        "Marrow curse",
        "a vex",
        "a cut from Grey",
        "VEX",
    ] {
        let mut table = prowlers();
        let before = table.record().everything();
        for (tool, call) in calls(text) {
            // Conditions and effects of one's own are written in small letters, whatever was sent.
            let is_small = ["condition", "apply_conditions", "name"]
                .iter()
                .any(|field| !call[*field].is_null());
            if is_small && text == "a cut from Grey" {
                continue;
            }
            table
                .endless_dice(3)
                .call(tool, call)
                .refused_with("names_hidden", &[", whom players do not see"]);
        }
        assert_eq!(table.record().everything(), before, "{text}");
    }
    // What describes names nobody, be it in small letters, at the beginning of a sentence, or in
    // another name.
    for text in [
        "grey skies",
        "Grey skies over the quay",
        "Mark of the Grey Skies",
        "He waits. Grey light falls",
        "vexing",
    ] {
        let mut table = prowlers();
        for (tool, call) in calls(text) {
            let answer = table.endless_dice(3).call(tool, call.clone());
            let is_there_already = answer.is_refused() && answer.value()["code"] == "no_effect";
            assert!(
                !answer.is_refused() || is_there_already,
                "{tool} {call}: {}",
                answer.value()
            );
        }
    }
}

#[test]
fn nobody_hidden_rolls_or_is_hit_in_the_open() {
    let mut table = prowlers();
    let of_vex = |parameter: &str| {
        format!("they would read {parameter}. Send visibility=\"gm\", or show Vex Marrow first")
    };
    for visibility in ["public", "outcome_only"] {
        for (tool, parameter, call) in [
            (
                "skill_check",
                "character",
                json!({"character": "Vex", "skill": "Melee", "difficulty": 9}),
            ),
            (
                "roll_dice",
                "character",
                json!({"character": "Vex", "expression": "1d6"}),
            ),
            (
                "roll_multiple",
                "character",
                json!({"character": "Vex", "rolls": [{"expression": "1d6"}]}),
            ),
            (
                "apply_damage",
                "target",
                json!({"target": "Vex", "amount": 1}),
            ),
        ] {
            let before = table.record().everything();
            let open = with(call.clone(), json!({"visibility": visibility}));
            let words = table
                .call(tool, open.clone())
                .refusal_text("names_hidden")
                .to_owned();
            assert!(words.contains(&of_vex(parameter)), "{words}");
            assert_eq!(table.record().everything(), before, "{tool}");
            for quiet in [
                call.clone(),
                with(call.clone(), json!({"visibility": "gm"})),
            ] {
                let answer = table.endless_dice(9).call(tool, quiet);
                assert_eq!(answer.is_fine()["player_text"], Value::Null, "{tool}");
            }
        }
    }
    table
        .manage_combat(json!({"action": "reveal", "combatant": "Vex Marrow"}))
        .is_fine();
    let open =
        json!({"character": "Vex", "skill": "Melee", "difficulty": 9, "visibility": "public"});
    assert!(
        table
            .endless_dice(9)
            .skill_check(open)
            .text("player_text")
            .starts_with("Vex Marrow, Melee")
    );
}

#[test]
fn a_foe_of_a_fight_that_is_only_prepared_is_named_to_players_by_nothing() {
    let mut table = Table::with_party();
    let prepared = json!({"action": "create", "combatants": [{"name": "Jory"}, {"name": "Gorm the Pale", "hp": 30}]});
    table.manage_combat(prepared).is_fine();
    let against = json!({"character": "Gorm", "skill": "Melee"});
    for (tool, call) in [
        ("apply_damage", json!({"target": "Gorm", "amount": 1})),
        (
            "apply_damage",
            json!({"target": "Gorm", "apply_conditions": ["frightened"]}),
        ),
        (
            "manage_character",
            json!({"action": "add_condition", "character": "Gorm", "condition": "wet"}),
        ),
        (
            "manage_character",
            json!({"action": "remove_condition", "character": "Gorm", "condition": "wet"}),
        ),
        ("manage_session", json!({"action": "undo"})),
        (
            "roll_dice",
            json!({"character": "Gorm", "expression": "1d6"}),
        ),
        (
            "skill_check",
            with(against.clone(), json!({"difficulty": 9})),
        ),
        (
            "skill_check",
            json!({"character": "Jory", "skill": "Melee", "difficulty": 9, "opposed_by": against}),
        ),
    ] {
        let answer = table.endless_dice(5).call(tool, call.clone());
        let seen = answer.is_fine()["player_text"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        assert!(!seen.contains("Gorm"), "{tool} {call}: {seen}");
    }
    for context in ["Gorm waits", "a gorm"] {
        table
            .roll_dice(json!({"expression": "1d6", "context": context}))
            .refused("names_hidden");
    }
    // A fight that was prepared and dropped has shown nobody; one that began has.
    table.manage_combat(json!({"action": "end"})).is_fine();
    let hit = table.apply_damage(json!({"target": "Gorm", "amount": 1}));
    assert_eq!(hit.is_fine()["player_text"], Value::Null);
    let sent = json!({"action": "start", "combatants": [{"name": "Jory"}, {"name": "Gorm"}]});
    table.endless_dice(5).manage_combat(sent).is_fine();
    let sent = json!({"target": "Gorm", "amount": 1});
    assert!(
        table
            .apply_damage(sent)
            .text("player_text")
            .starts_with("Gorm the Pale takes")
    );
}
