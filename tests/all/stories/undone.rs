//! Undo: all that one call did, from the last change backwards, and never a die.

use serde_json::{Value, json};

use crate::table::Table;

#[test]
fn a_hit_is_taken_back_with_all_it_caused_and_done_again() {
    let mut table = Table::with_party();
    let fight = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 12}, {"name": "Rat", "hp": 3, "initiative": 4}]});
    table.manage_combat(fight).is_fine();
    let before = table.get_character(json!({"character": "Jory"}))["character"].clone();
    let roll = table.dice([9, 9]).roll_dice(json!({"expression": "2d10"}));
    let hit = table.apply_damage(json!({"target": "Jory", "roll": roll["log"]}));
    assert_eq!(hit["incapacitated"], true);
    assert_eq!(hit["undo"], hit["log"]);
    let back = table.manage_session(json!({"action": "undo"}));
    let turn = "Now it is round 1, Jory's turn.";
    let summary = format!(
        "Taken back, #{}: {} {turn} Jory 14/14.",
        hit["log"],
        hit["summary"].as_str().unwrap()
    );
    assert_eq!(back["summary"], summary);
    assert_eq!(
        back["player_text"],
        format!(
            "Taken back: {} {turn}",
            hit["player_text"].as_str().unwrap()
        )
    );
    assert_eq!(
        table.get_character(json!({"character": "Jory"}))["character"],
        before
    );
    let call = json!({"action": "status"});
    assert!(
        table.manage_combat(call)["order"][0]["defeated"].is_null(),
        "and back in the fight"
    );
    let again = table.manage_session(json!({"action": "undo", "entry": back["log"]}));
    let summary = format!(
        "Done again, #{}: {} {turn} Jory 0/14, unconscious.",
        back["log"],
        hit["summary"].as_str().unwrap()
    );
    assert_eq!(again["summary"], summary);
    assert_ne!(
        table.get_character(json!({"character": "Jory"}))["character"],
        before
    );
}

#[test]
fn undoing_twice_goes_two_steps_back() {
    let mut table = Table::with_party();
    table
        .apply_damage(json!({"target": "Jory", "amount": 2}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Sabeth", "amount": 3}))
        .is_fine();
    let hit_points = |table: &mut Table, who: &str| {
        table.get_character(json!({"character": who}))["character"]["tracks"][0]["value"].clone()
    };
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(
        (
            hit_points(&mut table, "Jory"),
            hit_points(&mut table, "Sabeth")
        ),
        (json!(12), json!(13))
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(hit_points(&mut table, "Jory"), json!(14));
    table.manage_session(json!({"action": "undo"})).is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    let nobody = table
        .manage_session(json!({"action": "undo"}))
        .refused("nothing_to_undo")
        .clone();
    assert!(
        nobody["summary"]
            .as_str()
            .unwrap()
            .contains("rolls and checks stay"),
        "{}",
        nobody["summary"]
    );
    assert_eq!(
        table.get_character(json!({"list": true}))["characters"],
        json!([]),
        "both are unmade"
    );
}

#[test]
fn what_was_built_upon_is_not_taken_away_beneath_it() {
    let mut table = Table::with_party();
    let first = table.apply_damage(json!({"target": "Jory", "amount": 2}));
    let second = table.apply_damage(json!({"target": "Jory", "amount": 1}));
    let refused = table
        .manage_session(json!({"action": "undo", "entry": first["log"]}))
        .refused("changed_since")
        .clone();
    let words = refused["summary"].as_str().unwrap();
    assert!(
        words.contains(&format!("Undo #{} first", second["log"]))
            && words.contains("Jory was changed"),
        "{words}"
    );
    table
        .manage_session(json!({"action": "undo", "entry": second["log"]}))
        .is_fine();
    table
        .manage_session(json!({"action": "undo", "entry": second["log"]}))
        .refused("already_undone");
    table
        .manage_session(json!({"action": "undo", "entry": first["log"]}))
        .is_fine();
    let roll = table.dice([3]).roll_dice(json!({"expression": "1d6"}));
    table
        .manage_session(json!({"action": "undo", "entry": roll["log"]}))
        .refused("nothing_to_undo");
    table
        .manage_session(json!({"action": "undo", "entry": 1}))
        .refused("nothing_to_undo");
    table
        .manage_session(json!({"action": "undo", "entry": 999}))
        .refused("unknown_entry");
}

#[test]
fn names_and_places_that_were_taken_since_hold_an_undo_up() {
    let mut table = Table::with_party();
    let renamed =
        table.manage_character(json!({"action": "update", "character": "Jory", "name": "Jorian"}));
    table.create("Jory", json!({"kind": "npc"}));
    table
        .manage_session(json!({"action": "undo", "entry": renamed["log"]}))
        .refused("still_needed");
    let made =
        table.manage_character(json!({"action": "create", "name": "Eel", "kind": "npc", "hp": 4}));
    table.start(json!([{"name": "Eel", "initiative": 3}, {"name": "Sabeth", "initiative": 8}]));
    table
        .manage_session(json!({"action": "undo", "entry": made["log"]}))
        .refused("still_needed");
    table.manage_combat(json!({"action": "end"})).is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    table
        .manage_combat(json!({"action": "next_turn"}))
        .is_fine();
}

#[test]
fn a_whole_fight_is_one_step_and_an_ended_session_goes_on() {
    let mut table = Table::with_party();
    let fight = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 12}, {"name": "Rat", "count": 30, "hp": 3, "initiative": 4}]});
    let begun = table.manage_combat(fight);
    let last = begun["entries"][1].clone();
    let back = table.manage_session(json!({"action": "undo", "entry": last}));
    assert!(
        back["summary"].as_str().unwrap().len() < 2000,
        "{}",
        back["summary"]
    );
    assert_eq!(
        table.manage_combat(json!({"action": "status"}))["status"],
        "none"
    );
    assert_eq!(
        table.get_character(json!({"list": true}))["characters"]
            .as_array()
            .unwrap()
            .len(),
        2,
        "no rat is left"
    );

    table.manage_session(json!({"action": "end"})).is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(
        table.manage_session(json!({"action": "status"}))["session"],
        1,
        "the same sitting"
    );
    table.manage_session(json!({"action": "end"})).is_fine();
    let opened = table.manage_session(json!({"action": "start"}));
    table
        .manage_session(json!({"action": "undo", "entry": opened["log"]}))
        .refused("nothing_to_undo");
}

#[test]
fn players_do_not_hear_of_an_undo_of_what_they_did_not_hear() {
    let mut table = Table::with_party();
    table.start(
        json!([{"name": "Jory", "initiative": 12}, {"name": "Ghoul", "hp": 30, "initiative": 4, "hidden": true}]),
    );
    table
        .apply_damage(json!({"target": "Ghoul", "amount": 3, "visibility": "gm"}))
        .is_fine();
    let back = table.manage_session(json!({"action": "undo"}));
    assert!(back["player_text"].is_null(), "{}", back["player_text"]);
    table
        .manage_combat(json!({"action": "reveal", "combatant": "Ghoul"}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Ghoul", "amount": 3}))
        .is_fine();
    let back = table.manage_session(json!({"action": "undo"}));
    assert_eq!(
        back["player_text"],
        "Taken back: Ghoul takes damage and is hurt. Now it is round 1, Jory's turn."
    );
}

#[test]
fn dice_that_were_rolled_since_are_not_read_for_an_undo() {
    let mut table = Table::with_party();
    let hit = table.apply_damage(json!({"target": "Jory", "amount": 2}));
    for _ in 0..40 {
        table
            .dice([1; 6])
            .roll_dice(json!({"expression": "6d6"}))
            .is_fine();
        let sent = json!({"rolls": [{"expression": "d6"}, {"expression": "d6"}]});
        table.dice([1, 2]).call("roll_multiple", sent).is_fine();
        table
            .dice([3])
            .skill_check(json!({"character": "Jory", "skill": "Perception", "difficulty": 12}))
            .is_fine();
    }
    // Bodies that cannot be read would stop an undo that reads them.
    let unreadable = "drop trigger log_is_never_updated; update log set body = x'7b' where kind in ('roll', 'roll_set')";
    table
        .record()
        .execute(unreadable)
        .expect("the vandal succeeds");
    let refused = table
        .manage_session(json!({"action": "undo"}))
        .refused("nothing_to_undo")
        .clone();
    let advice = format!("send manage_session action=\"undo\" entry={}.", hit["log"]);
    assert!(
        refused["summary"].as_str().unwrap().contains(&advice),
        "{refused}"
    );
    let back = table.manage_session(json!({"action": "undo", "entry": hit["log"]}));
    let summary = format!(
        "Taken back, #{}: {} Jory 14/14.",
        hit["log"],
        hit["summary"].as_str().unwrap()
    );
    assert_eq!(back["summary"], summary);
    let again = table.manage_session(json!({"action": "undo", "entry": back["log"]}));
    let summary = format!(
        "Done again, #{}: {} Jory 12/14.",
        back["log"],
        hit["summary"].as_str().unwrap()
    );
    assert_eq!(again["summary"], summary);
}

#[test]
fn a_change_after_many_that_do_not_hold_is_found() {
    let mut table = Table::with_party();
    let hit = table.apply_damage(json!({"target": "Jory", "amount": 2}));
    for _ in 0..30 {
        table
            .apply_damage(json!({"target": "Sabeth", "amount": 1}))
            .is_fine();
        table.manage_session(json!({"action": "undo"})).is_fine();
    }
    let back = table.manage_session(json!({"action": "undo"}));
    let summary = format!(
        "Taken back, #{}: {} Jory 14/14.",
        hit["log"],
        hit["summary"].as_str().unwrap()
    );
    assert_eq!(back["summary"], summary);
}

#[test]
fn a_roll_that_is_named_for_an_undo_changed_nothing() {
    let mut table = Table::with_party();
    let roll = table.dice([3]).roll_dice(json!({"expression": "1d6"}));
    table
        .apply_damage(json!({"target": "Jory", "amount": 2}))
        .is_fine();
    let named = table
        .manage_session(json!({"action": "undo", "entry": roll["log"]}))
        .refused("nothing_to_undo")
        .clone();
    assert!(
        named["summary"]
            .as_str()
            .unwrap()
            .contains("dice stay as they fell"),
        "{named}"
    );
}

/// Jory, a rat that players see, and a ghoul that they do not.
fn seen_and_hidden() -> Table {
    let mut table = Table::with_party();
    table.start(
        json!([{"name": "Jory", "initiative": 12}, {"name": "Rat", "hp": 30, "initiative": 4},
        {"name": "Ghoul", "hp": 30, "initiative": 3, "hidden": true}]),
    );
    table
}

#[test]
fn players_learn_what_is_taken_back_of_those_whom_they_see_and_nothing_of_the_hidden() {
    let mut table = seen_and_hidden();
    let both = json!(["Rat", "Ghoul"]);
    let web =
        json!({"action": "add_effect", "name": "web", "on": both, "duration": "for 2 rounds"});
    let attack = json!({"character": "Jory", "skill": "Melee", "target": both, "damage": "3"});
    let cases = [
        (
            "apply_damage",
            json!({"target": both, "amount": 3}),
            "Rat takes damage and is hurt.",
        ),
        ("skill_check", attack, "Rat takes damage and is hurt."),
        (
            "manage_combat",
            web,
            "web on Rat begins, until the end of Rat's turn in round 2.",
        ),
        (
            "manage_combat",
            json!({"action": "remove_effect", "name": "web", "on": both}),
            "web on Rat ends.",
        ),
    ];
    for (tool, call, seen) in cases {
        if tool == "skill_check" {
            table.dice([19, 19]).call(tool, call).is_fine();
        } else {
            table.call(tool, call).is_fine();
        }
        for what in ["Taken back:", "Done again:"] {
            let entry = table.record().length();
            let back = table.manage_session(json!({"action": "undo", "entry": entry}));
            let text = back.text("player_text");
            assert!(
                text.starts_with(what) && text.contains(seen) && !text.contains("Ghoul"),
                "{what} {seen}: {text}"
            );
        }
    }
}

#[test]
fn who_is_hidden_since_is_not_named_when_something_is_taken_back() {
    let mut table = seen_and_hidden();
    let attack = json!({"character": "Jory", "skill": "Melee", "target": "Rat", "damage": "3"});
    let hit = table.dice([19]).skill_check(attack);
    let web = json!({"action": "add_effect", "name": "web", "on": ["Rat", "Jory"], "duration": "for 2 rounds"});
    let begun = table.manage_combat(web);
    let ended = table
        .manage_combat(json!({"action": "remove_effect", "name": "web", "on": ["Rat", "Jory"]}));
    table
        .manage_combat(json!({"action": "hide", "combatant": "Rat"}))
        .is_fine();
    let cases = [
        (&ended, "web on Jory ends."),
        (
            &begun,
            "web on Jory begins, until the end of Jory's turn in round 3.",
        ),
        (&hit, "Jory, Melee: 1d20: [19]; + 5 = 24"),
    ];
    for (call, seen) in cases {
        let back = table.manage_session(json!({"action": "undo", "entry": call["log"]}));
        let text = back.text("player_text");
        assert!(text.contains(seen) && !text.contains("Rat"), "{text}");
    }
}

#[test]
fn an_undo_after_a_beginning_advises_nothing_that_would_be_refused() {
    let mut table = Table::with_party();
    table.manage_session(json!({"action": "end"})).is_fine();
    table.manage_session(json!({"action": "start"})).is_fine();
    table
        .dice([3])
        .roll_dice(json!({"expression": "1d6"}))
        .is_fine();
    let refused = table
        .manage_session(json!({"action": "undo"}))
        .refused("nothing_to_undo")
        .clone();
    let summary = refused["summary"].as_str().expect("text");
    assert!(
        summary.contains("begins") && !summary.contains("entry="),
        "{summary}"
    );
    assert!(
        summary.contains("That is not undone either: there is nothing to take back."),
        "{summary}"
    );
}

#[test]
fn an_undo_after_something_that_changed_nothing_says_what_it_would_take_back() {
    let check = json!({"character": "Jory", "skill": "Perception", "difficulty": 12});
    let cases: [(&str, &str, Value, bool); 4] = [
        ("skill_check", "Jory, Perception", check, true),
        (
            "roll_dice",
            "The GM rolls 1d6: [3] = 3.",
            json!({"expression": "1d6"}),
            true,
        ),
        ("get_character", "", json!({"character": "Jory"}), false),
        ("manage_combat", "", json!({"action": "status"}), false),
    ];
    for (tool, came, call, refuses) in cases {
        let mut table = Table::with_party();
        table
            .apply_damage(json!({"target": "Sabeth", "amount": 1}))
            .is_fine();
        let hit = table.apply_damage(json!({"target": "Jory", "amount": 2}));
        if refuses {
            table.dice([3]).call(tool, call).is_fine();
        } else {
            table.call(tool, call).is_fine();
        }
        let mut undo = json!({"action": "undo"});
        if refuses {
            let last = table.record().length();
            let before = table.record().everything();
            let refused = table
                .manage_session(undo.clone())
                .refused("nothing_to_undo")
                .clone();
            let summary = refused["summary"].as_str().expect("text");
            assert!(
                summary.starts_with(&format!(
                    "#{last} P{} came last and changed nothing",
                    last - 1
                )),
                "{summary}"
            );
            assert!(
                summary.contains(came) && summary.contains("Jory takes 2 damage"),
                "{summary}"
            );
            assert_eq!(table.record().everything(), before);
            let (_, advice) = summary
                .split_once("action=\"undo\" entry=")
                .expect("what to send");
            undo["entry"] = advice
                .split('.')
                .next()
                .expect("a number")
                .parse()
                .expect("a number");
            assert_eq!(undo["entry"], hit["log"]);
        }
        let back = table.manage_session(undo);
        assert!(
            back.text("summary").contains("Jory 14/14"),
            "{tool}: {}",
            back["summary"]
        );
        // The next step back is as far as it was, whatever was taken back meanwhile.
        let next = table.manage_session(json!({"action": "undo"}));
        if refuses {
            next.refused("nothing_to_undo");
        } else {
            next.is_fine();
        }
    }
}

#[test]
fn an_entry_is_named_by_its_number_in_the_log_or_by_that_of_players() {
    let mut table = Table::with_party();
    table
        .dice([5])
        .roll_dice(json!({"expression": "d6", "visibility": "gm"}))
        .is_fine();
    let hits: Vec<i64> = [2, 3]
        .map(|amount| {
            let hit = table.apply_damage(json!({"target": "Jory", "amount": amount}));
            hit["log"].as_i64().expect("a number")
        })
        .to_vec();
    // The rules and the roll are hidden.
    let players = |seq: i64| format!("P{}", seq - 2);
    let shown = table.call("search_log", json!({"entry": players(hits[1])}));
    assert_eq!(shown["log"], hits[1]);
    assert_eq!(shown["players_entry"], players(hits[1]));
    let found = table.call("search_log", json!({"kind": "damage"}));
    assert_eq!(found["found"][0]["entry"], hits[1]);
    assert_eq!(found["found"][0]["players_entry"], players(hits[1]));
    for (entry, code, words) in [
        (json!("P99"), "unknown_entry", "no entry P99; the last is P"),
        (json!("P"), "invalid_parameters", "\"P8\" as players count"),
        (json!(-3), "invalid_parameters", "\"P8\" as players count"),
    ] {
        table
            .manage_session(json!({"action": "undo", "entry": entry}))
            .refused_with(code, &[words]);
    }
    // The same digits are another entry.
    let undo = |entry: Value| json!({"action": "undo", "entry": entry});
    let back = table.manage_session(undo(json!(players(hits[1]))));
    assert!(
        back.text("summary").contains("Jory 12/14"),
        "{}",
        back["summary"]
    );
    let back = table.manage_session(undo(json!(hits[0])));
    assert!(
        back.text("summary").contains("Jory 14/14"),
        "{}",
        back["summary"]
    );
}
