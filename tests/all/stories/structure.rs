//! Fights with turns, without, and changing over between the two.

use rollbook_rules::Structure;
use serde_json::{Value, json};

use crate::table::{Answer, Table, each};

/// Ann and Bob, by these lines of the Combat section.
fn table(combat: &str) -> Table {
    let rules = format!(
        "# Any\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Attributes\n- Dexterity (DEX)\n- Range: 1 to 20\n\n## Health\n- Hit points: max 5\n\
         - Damage: Hit points\n\n## Conditions\n- Dazed: -1 on checks, for 1 round\n\n## Combat\n{combat}\n"
    );
    Table::of_people(&rules, &["Ann", "Bob"], json!({"attributes": {"DEX": 10}}))
}

const ROLLED: &str = "- Initiative: `1d20`, highest first, once per fight";

fn hybrid() -> Table {
    table(&format!("- Combat: hybrid\n{ROLLED}"))
}

fn all() -> Value {
    json!([{"name": "Ann"}, {"name": "Bob"}, {"name": "Rat", "hp": 2}])
}

fn go(table: &mut Table, action: &str) -> Answer {
    table.manage_combat(json!({"action": action}))
}

fn effect(table: &mut Table, name: &str, on: &str, duration: &str) {
    let call = json!({"action": "add_effect", "name": name, "on": on, "duration": duration});
    table.manage_combat(call).is_fine();
}

fn says(answer: &Answer, code: &str, words: &[&str]) {
    let summary = answer.refusal_text(code).to_owned();
    for word in words {
        assert!(summary.contains(word), "{word}: {summary}");
    }
}

#[test]
fn a_narrative_fight_has_sides_and_no_order() {
    let mut table = table("- Combat: narrative");
    let begun = table.manage_combat(json!({"action": "start", "combatants": all()}));
    assert_eq!(
        (&begun["current"], &begun["structure"]),
        (&Value::Null, &json!("narrative"))
    );
    for action in ["next_turn", "previous_turn", "delay", "return", "ready"] {
        says(
            &go(&mut table, action),
            "no_turns",
            &["System.md:18", "Just act, without end_turn", "next_round"],
        );
    }
    let status = go(&mut table, "status");
    let text =
        "The fight goes on; nobody waits for a turn. players: Ann 5/5, Bob 5/5, foes: Rat 2/2.";
    assert_eq!(status["summary"], text);
    let expected = "The fight goes on; nobody waits for a turn. Ann 5/5, Bob 5/5, Rat unhurt.";
    assert_eq!(
        status["player_text"], expected,
        "players are told of no sides"
    );
    says(
        &go(&mut table, "structure"),
        "fixed_structure",
        &["narrative (System.md:18)", "Just act"],
    );
    let call = json!({"character": "Ann", "difficulty": 1, "end_turn": true});
    says(&table.skill_check(call), "no_turns", &["without end_turn"]);
    table.manage_combat(json!({"action": "end"})).is_fine();
}

#[test]
fn a_round_without_turns_counts_every_effect_once() {
    let mut table = table("- Combat: narrative");
    table
        .manage_combat(json!({"action": "start", "combatants": all()}))
        .is_fine();
    effect(&mut table, "bless", "Ann", "for 2 rounds");
    effect(&mut table, "web", "Rat", "for 1 turn");
    table
        .apply_damage(json!({"target": "Bob", "apply_conditions": ["Dazed"]}))
        .is_fine();
    let second = go(&mut table, "next_round");
    assert_eq!(second["ended"], json!(["Dazed on Bob", "web on Rat"]));
    assert!(
        second.text("summary").ends_with("Round 2 begins."),
        "{}",
        second["summary"]
    );
    assert_eq!(second["round"], 2);
    let status = go(&mut table, "status");
    assert!(
        status
            .text("summary")
            .starts_with("The fight goes on, round 2;"),
        "{}",
        status["summary"]
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(go(&mut table, "status")["round"], 1);
    for ended in [
        json!(["Dazed on Bob", "web on Rat"]),
        json!(["bless on Ann"]),
        Value::Null,
    ] {
        assert_eq!(go(&mut table, "next_round")["ended"], ended);
    }
}

#[test]
fn a_hybrid_fight_changes_over_and_back() {
    let mut table = hybrid();
    let begun = table
        .dice([15, 10, 5])
        .manage_combat(json!({"action": "start", "combatants": all()}));
    assert_eq!(
        (&begun["current"], &begun["structure"]),
        (&json!("Ann"), &Value::Null)
    );
    effect(&mut table, "bless", "Ann", "for 2 rounds");
    effect(&mut table, "web", "Rat", "for 1 round");
    go(&mut table, "next_turn").is_fine();
    go(&mut table, "delay").is_fine();
    let loose = go(&mut table, "structure");
    assert_eq!(
        (&loose["current"], &loose["structure"]),
        (&Value::Null, &json!("narrative"))
    );
    assert!(
        loose
            .text("summary")
            .ends_with("The fight goes on without turns."),
        "{}",
        loose["summary"]
    );
    says(
        &go(&mut table, "next_turn"),
        "no_turns",
        &["\"structure\" begins turns"],
    );
    says(
        &go(&mut table, "roll_initiative"),
        "no_turns",
        &["structure"],
    );
    let call = json!({"action": "structure", "structure": "narrative"});
    says(
        &table.manage_combat(call),
        "no_effect",
        &["narrative already", "turn-based"],
    );
    // The round ends the rat's interrupted turn, and counts nothing of Ann and Bob again.
    assert_eq!(go(&mut table, "next_round")["ended"], json!(["web on Rat"]));
    let joined =
        table.manage_combat(json!({"action": "add", "combatants": [{"name": "Owl", "hp": 1}]}));
    assert!(each(&joined["order"]).any(|place| place["initiative"].is_null()));
    let back = table
        .dice([20])
        .manage_combat(json!({"action": "structure", "structure": "turn-based"}));
    assert_eq!(
        (&back["current"], &back["round"]),
        (&json!("Owl"), &json!(2)),
        "only the owl rolls"
    );
    for (who, round) in [("Ann", 2), ("Bob", 2), ("Rat", 2), ("Owl", 3)] {
        let turn = go(&mut table, "next_turn");
        assert_eq!(
            (&turn["current"], &turn["round"]),
            (&json!(who), &json!(round))
        );
    }
}

#[test]
fn changing_over_is_one_call_that_undo_takes_back() {
    let mut table = hybrid();
    let start = json!({"action": "start", "combatants": all(), "structure": "narrative"});
    assert_eq!(
        table.manage_combat(start)["structure"],
        "narrative",
        "the call may say how it begins"
    );
    let before = table.record().everything();
    table
        .dice([3, 2, 1])
        .manage_combat(json!({"action": "structure"}))
        .is_fine();
    says(
        &go(&mut table, "previous_turn"),
        "no_previous_turn",
        &["undo"],
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    let after = table.record().everything();
    assert_eq!(
        (&before["combats"], &before["combatants"]),
        (&after["combats"], &after["combatants"])
    );
    assert_eq!(go(&mut table, "status")["structure"], "narrative");
}

/// Ann, Bob and the rat in this order, and Bob is up.
fn bob_is_up() -> Table {
    let mut table = hybrid();
    table
        .dice([15, 10, 5])
        .manage_combat(json!({"action": "start", "combatants": all()}))
        .is_fine();
    go(&mut table, "next_turn").is_fine();
    table
}

fn passes(table: &mut Table, turns: &[(&str, u32)]) {
    for (who, round) in turns {
        let turn = go(table, "next_turn");
        assert_eq!(
            (&turn["current"], &turn["round"]),
            (&json!(who), &json!(round)),
            "{}",
            turn.value()
        );
    }
}

#[test]
fn who_was_up_when_turns_ended_is_up_again_when_they_begin_again_in_that_round() {
    let mut table = bob_is_up();
    effect(&mut table, "bless", "Bob", "for 1 round");
    let loose = go(&mut table, "structure");
    assert!(
        loose
            .value()
            .to_string()
            .contains("Bob's turn goes on if turns begin again in this round."),
        "{}",
        loose.value()
    );
    assert_eq!(loose["ended"], Value::Null, "the turn has not ended");
    let back = go(&mut table, "structure");
    assert_eq!(
        (&back["current"], &back["round"], &back["ended"]),
        (&json!("Bob"), &json!(1), &Value::Null)
    );
    assert!(
        back.text("summary").contains("Round 1: Bob goes on."),
        "{}",
        back["summary"]
    );
    let turn = go(&mut table, "next_turn");
    assert_eq!(
        (&turn["current"], &turn["ended"]),
        (&json!("Rat"), &Value::Null),
        "a round is not over with the turn in which it began"
    );
    passes(&mut table, &[("Ann", 2), ("Bob", 2)]);
    assert_eq!(
        go(&mut table, "next_turn")["ended"],
        json!(["bless on Bob"]),
        "it ends once"
    );
}

#[test]
fn a_delay_outlives_a_change_of_structure_within_its_round() {
    let mut table = bob_is_up();
    go(&mut table, "delay").is_fine();
    for _ in 0..2 {
        go(&mut table, "structure").is_fine();
    }
    assert_eq!(go(&mut table, "status")["current"], "Rat");
    go(&mut table, "return").is_fine();
    passes(&mut table, &[("Bob", 1), ("Ann", 2)]);
}

#[test]
fn an_interrupted_turn_is_over_with_its_round() {
    let mut table = bob_is_up();
    effect(&mut table, "bless", "Bob", "for 1 round");
    go(&mut table, "structure").is_fine();
    let round = go(&mut table, "next_round");
    assert_eq!(
        (&round["round"], &round["ended"]),
        (&json!(2), &Value::Null),
        "a round is not over with the turn in which it began"
    );
    let back = go(&mut table, "structure");
    assert_eq!(
        (&back["current"], &back["round"]),
        (&json!("Ann"), &json!(2))
    );
    passes(&mut table, &[("Bob", 2), ("Rat", 2), ("Ann", 3)]);
}

#[test]
fn where_who_was_up_is_down_or_gone_the_next_one_acts() {
    for gone in ["defeat", "remove"] {
        let mut table = bob_is_up();
        go(&mut table, "structure").is_fine();
        table
            .manage_combat(json!({"action": gone, "combatant": "Bob"}))
            .is_fine();
        assert_eq!(go(&mut table, "structure")["current"], "Rat", "{gone}");
        passes(&mut table, &[("Ann", 2)]);
    }
}

#[test]
fn players_learn_nothing_of_a_hidden_one_whose_turn_is_interrupted() {
    let mut table = hybrid();
    table
        .dice([5, 15])
        .start(json!([{"name": "Ann"}, {"name": "Ghost", "hp": 2, "hidden": true}]));
    for _ in 0..2 {
        let over = go(&mut table, "structure");
        assert!(
            !over["player_text"].to_string().contains("Ghost"),
            "{}",
            over["player_text"]
        );
    }
    assert_eq!(go(&mut table, "status")["current"], "Ghost");
}

#[test]
fn rules_with_turns_only_refuse_the_other_structure_and_say_what_to_do() {
    for combat in [
        format!("- Combat: turn-based\n{ROLLED}"),
        "Turn-based combat with initiative (1d20).".to_owned(),
    ] {
        let mut table = table(&combat);
        let start = json!({"action": "start", "combatants": all(), "structure": "narrative"});
        says(
            &table.manage_combat(start),
            "fixed_structure",
            &["turn-based (System.md:18)"],
        );
        table
            .dice([3, 2, 1])
            .manage_combat(json!({"action": "start", "combatants": all()}))
            .is_fine();
        says(
            &go(&mut table, "structure"),
            "fixed_structure",
            &["turn-based (System.md:18)", "next_turn", "hybrid"],
        );
        says(&go(&mut table, "next_round"), "no_effect", &["next_turn"]);
    }
}

#[test]
fn turns_without_initiative_go_round_in_the_order_of_entry() {
    let mut table = table("- Combat: turn-based\n- Initiative: none");
    let begun = table.manage_combat(json!({"action": "start", "combatants": all()}));
    assert_eq!(begun["current"], "Ann");
    for who in ["Bob", "Rat", "Ann"] {
        assert_eq!(go(&mut table, "next_turn")["current"], who);
    }
}

#[test]
fn where_the_rules_say_nothing_the_game_master_may_change_over() {
    let mut table = table(ROLLED);
    table
        .dice([3, 2, 1])
        .manage_combat(json!({"action": "start", "combatants": all()}))
        .is_fine();
    assert_eq!(go(&mut table, "structure")["structure"], "narrative");
    let resumed = table.manage_session(json!({"action": "resume"}));
    let resumed = resumed.value().to_string();
    assert!(
        resumed
            .contains("round 1, without turns (Ann's goes on if turns begin again in this round)"),
        "{resumed}"
    );
    assert!(
        resumed.contains("The fight goes on without turns."),
        "{resumed}"
    );
    for audience in ["gm", "player"] {
        let recap = table.manage_session(json!({"action": "recap", "audience": audience}));
        let recap = recap.value().to_string();
        assert!(
            recap.contains("The fight goes on without turns."),
            "{audience}: {recap}"
        );
    }
}

#[test]
fn the_words_of_rules_are_read_as_they_are_meant() {
    let cases = [
        ("- Combat: turn-based", Structure::TurnBased, false),
        ("- Combat: Narrative", Structure::Narrative, false),
        ("- Combat: hybrid", Structure::TurnBased, true),
        (
            "Combat is narrative. Whoever speaks acts.",
            Structure::TurnBased,
            true,
        ),
        (
            "Turn-based combat with initiative (1d20).",
            Structure::TurnBased,
            false,
        ),
        ("- Initiative: none", Structure::Narrative, false),
        ("Somebody acts.", Structure::TurnBased, true),
    ];
    for (combat, first, changes) in cases {
        let text = format!("# T\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Combat\n{combat}\n");
        let reading = rollbook_rules::read(vec![rollbook_text::diagnostic::SourceFile::new(
            "System.md",
            text,
        )]);
        assert_eq!(
            (
                reading.system.first_structure(),
                reading.system.changes_structure()
            ),
            (first, changes),
            "{combat}"
        );
    }
}
