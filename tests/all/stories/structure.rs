//! Fights with turns, without, and changing over between the two.

use rollbook::rules::Structure;
use serde_json::{Value, json};

use crate::table::{Answer, Table};

/// Ann and Bob, by these lines of the Combat section.
fn table(combat: &str) -> Table {
    let rules = format!(
        "# Any\n\n## Dice\nRoll 1d20.\n\n## Attributes\n- Dexterity (DEX)\n- Range: 1 to 20\n\n## Health\n- Hit points: max `5`, from 0\n\n\
         ## Conditions\n- Dazed: -1 on checks for 1 round\n\n## Combat\n{combat}\n"
    );
    let mut table = Table::of_rules(Some(&rules));
    for name in ["Ann", "Bob"] {
        table.manage_character(json!({"action": "create", "name": name, "attributes": {"DEX": 10}})).is_fine();
    }
    table
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
    let summary = answer.refused(code)["summary"].as_str().expect("a summary").to_owned();
    for word in words {
        assert!(summary.contains(word), "{word}: {summary}");
    }
}

#[test]
fn a_narrative_fight_has_sides_and_no_order() {
    let mut table = table("- Combat: narrative");
    let begun = table.manage_combat(json!({"action": "start", "combatants": all()}));
    assert_eq!((&begun["current"], &begun["structure"]), (&Value::Null, &json!("narrative")));
    for action in ["next_turn", "previous_turn", "delay", "return", "ready"] {
        says(&go(&mut table, action), "no_turns", &["System.md:17", "Just act, without end_turn", "next_round"]);
    }
    let status = go(&mut table, "status");
    let said = "The fight goes on; nobody waits for a turn. players: Ann 5/5, Bob 5/5, foes: Rat 2/2.";
    assert_eq!(status["summary"], said);
    assert_eq!(
        status["player_text"], "The fight goes on; nobody waits for a turn. Ann 5/5, Bob 5/5, Rat unhurt.",
        "players are told of no sides"
    );
    says(&go(&mut table, "structure"), "fixed_structure", &["narrative (System.md:17)", "Just act"]);
    says(
        &table.skill_check(json!({"character": "Ann", "difficulty": 1, "end_turn": true})),
        "no_turns",
        &["without end_turn"],
    );
    table.manage_combat(json!({"action": "end"})).is_fine();
    table.record().is_sound();
}

#[test]
fn a_round_without_turns_counts_every_effect_once() {
    let mut table = table("- Combat: narrative");
    table.manage_combat(json!({"action": "start", "combatants": all()})).is_fine();
    effect(&mut table, "bless", "Ann", "2 rounds");
    effect(&mut table, "web", "Rat", "1 turn");
    table.apply_damage(json!({"target": "Bob", "apply_conditions": ["Dazed"]})).is_fine();
    let second = go(&mut table, "next_round");
    assert_eq!(second["ended"], json!(["Dazed on Bob", "web on Rat"]));
    assert!(second.text("summary").ends_with("Round 2 begins."), "{}", second["summary"]);
    assert_eq!(second["round"], 2);
    let status = go(&mut table, "status");
    assert!(status.text("summary").starts_with("The fight goes on, round 2;"), "{}", status["summary"]);
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(go(&mut table, "status")["round"], 1);
    for ended in [json!(["Dazed on Bob", "web on Rat"]), json!(["bless on Ann"]), Value::Null] {
        assert_eq!(go(&mut table, "next_round")["ended"], ended);
    }
    table.record().is_sound();
}

#[test]
fn a_hybrid_fight_changes_over_and_back() {
    let mut table = hybrid();
    let begun = table.dice([15, 10, 5]).manage_combat(json!({"action": "start", "combatants": all()}));
    assert_eq!((&begun["current"], &begun["structure"]), (&json!("Ann"), &Value::Null));
    effect(&mut table, "bless", "Ann", "2 rounds");
    effect(&mut table, "web", "Rat", "1 round");
    go(&mut table, "next_turn").is_fine();
    go(&mut table, "delay").is_fine();
    let loose = go(&mut table, "structure");
    assert_eq!((&loose["current"], &loose["structure"]), (&Value::Null, &json!("narrative")));
    assert!(loose.text("summary").ends_with("The fight goes on without turns."), "{}", loose["summary"]);
    says(&go(&mut table, "next_turn"), "no_turns", &["\"structure\" begins turns"]);
    says(&go(&mut table, "roll_initiative"), "no_turns", &["structure"]);
    says(
        &table.manage_combat(json!({"action": "structure", "structure": "narrative"})),
        "no_effect",
        &["narrative already", "turn-based"],
    );
    // Ann, Bob and the rat have had their turns: the round counts nothing again.
    assert_eq!(go(&mut table, "next_round")["ended"], Value::Null);
    let joined = table.manage_combat(json!({"action": "add", "combatants": [{"name": "Owl", "hp": 1}]}));
    assert!(joined["order"].as_array().expect("an order").iter().any(|own| own["initiative"].is_null()));
    let back = table.dice([20]).manage_combat(json!({"action": "structure", "structure": "turn-based"}));
    assert_eq!((&back["current"], &back["round"]), (&json!("Owl"), &json!(2)), "only the owl rolls");
    for (who, round) in [("Ann", 2), ("Bob", 2), ("Rat", 2), ("Owl", 3)] {
        let turn = go(&mut table, "next_turn");
        assert_eq!((&turn["current"], &turn["round"]), (&json!(who), &json!(round)));
    }
    table.record().is_sound();
}

#[test]
fn changing_over_is_one_call_that_undo_takes_back() {
    let mut table = hybrid();
    let start = json!({"action": "start", "combatants": all(), "structure": "narrative"});
    assert_eq!(table.manage_combat(start)["structure"], "narrative", "the call may say how it begins");
    let before = table.record().everything();
    table.dice([3, 2, 1]).manage_combat(json!({"action": "structure"})).is_fine();
    says(&go(&mut table, "previous_turn"), "no_previous_turn", &["undo"]);
    table.manage_session(json!({"action": "undo"})).is_fine();
    let after = table.record().everything();
    assert_eq!((&before["combats"], &before["combatants"]), (&after["combats"], &after["combatants"]));
    assert_eq!(go(&mut table, "status")["structure"], "narrative");
    table.record().is_sound();
}

#[test]
fn whoever_acted_before_turns_ended_waits_for_the_next_round() {
    let mut table = hybrid();
    table.dice([15, 10, 5]).manage_combat(json!({"action": "start", "combatants": all()})).is_fine();
    go(&mut table, "next_turn").is_fine();
    go(&mut table, "structure").is_fine();
    let turn = go(&mut table, "structure");
    assert_eq!((&turn["current"], &turn["round"]), (&json!("Rat"), &json!(1)));
    let turn = go(&mut table, "next_turn");
    assert_eq!((&turn["current"], &turn["round"]), (&json!("Ann"), &json!(2)));
    table.record().is_sound();
}

#[test]
fn rules_with_turns_only_refuse_the_other_structure_and_say_what_to_do() {
    for combat in [format!("- Combat: turn-based\n{ROLLED}"), "Turn-based combat with initiative (1d20).".to_owned()] {
        let mut table = table(&combat);
        let start = json!({"action": "start", "combatants": all(), "structure": "narrative"});
        says(&table.manage_combat(start), "fixed_structure", &["turn-based (System.md:17)"]);
        table.dice([3, 2, 1]).manage_combat(json!({"action": "start", "combatants": all()})).is_fine();
        says(&go(&mut table, "structure"), "fixed_structure", &["turn-based (System.md:17)", "next_turn", "hybrid"]);
        says(&go(&mut table, "next_round"), "no_effect", &["next_turn"]);
        table.record().is_sound();
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
    table.record().is_sound();
}

#[test]
fn where_the_rules_say_nothing_the_game_master_may_change_over() {
    let mut table = table(ROLLED);
    table.dice([3, 2, 1]).manage_combat(json!({"action": "start", "combatants": all()})).is_fine();
    assert_eq!(go(&mut table, "structure")["structure"], "narrative");
    let resumed = table.manage_session(json!({"action": "resume"}));
    assert!(resumed.value().to_string().contains("round 1, without turns"), "{}", resumed.value());
    table.record().is_sound();
}

#[test]
fn the_words_of_rules_are_read_as_they_are_meant() {
    let cases = [
        ("- Combat: turn-based", Structure::TurnBased, false),
        ("- Combat: Narrative", Structure::Narrative, false),
        ("- Combat: hybrid", Structure::TurnBased, true),
        ("- Combat: hybrid, narrative first", Structure::Narrative, true),
        ("- Combat: hybrid, narrative until steel is drawn, then turns", Structure::Narrative, true),
        ("- Combat: hybrid; begins turn-based", Structure::TurnBased, true),
        ("Combat is narrative. Whoever speaks acts.", Structure::Narrative, false),
        ("- Initiative: none", Structure::Narrative, false),
        ("Somebody acts.", Structure::TurnBased, true),
    ];
    for (combat, first, changes) in cases {
        let text = format!("# T\n\n## Dice\nRoll 1d20.\n\n## Combat\n{combat}\n");
        let reading = rollbook::rules::read(vec![rollbook::diagnostic::SourceFile::new("System.md", text)]);
        assert_eq!(
            (reading.system.first_structure(), reading.system.changes_structure()),
            (first, changes),
            "{combat}"
        );
    }
}
