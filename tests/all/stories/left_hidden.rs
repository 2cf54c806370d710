//! Whoever was hidden when a fight was over stays so, until the GM shows them.

use rollbook_game::view::Audience;
use rollbook_record::export::Format;
use serde_json::{Value, json};

use crate::table::{Answer, Table, with};

/// A fight that is over, of which players saw the rat, and neither Kell nor the two who lurked.
fn over() -> Table {
    let mut table = Table::with_party();
    let fight = json!({"action": "start", "combatants": [
        {"name": "Jory", "initiative": 9}, {"name": "Rat", "hp": 9, "initiative": 7},
        {"name": "Kell", "hp": 9, "initiative": 5, "hidden": true},
        {"name": "Lurker", "count": 2, "hp": 9, "initiative": 4, "hidden": true},
    ]});
    table.manage_combat(fight).is_fine();
    table.manage_combat(json!({"action": "end", "outcome": "the rat fled"})).is_fine();
    table
}

/// Calls whose words players would read.
fn calls() -> [(&'static str, Value); 7] {
    [
        ("roll_dice", json!({"expression": "1d6", "context": "an arrow from Kell"})),
        ("skill_check", json!({"character": "Jory", "skill": "Perception", "difficulty": 9, "context": "Kell?"})),
        ("apply_damage", json!({"target": "Jory", "amount": 1, "reason": "Kell's arrow"})),
        ("manage_character", json!({"action": "update", "character": "Jory", "notes": "owes Kell"})),
        ("manage_session", json!({"action": "note", "text": "Kell is gone."})),
        ("manage_session", json!({"action": "clock", "name": "Kell's patience", "segments": 4})),
        ("manage_combat", json!({"action": "start", "title": "Kell again", "combatants": [{"name": "Jory"}]})),
    ]
}

fn refused(answer: &Answer) -> String {
    answer.refused("names_hidden")["summary"].as_str().expect("text").to_owned()
}

#[test]
fn the_name_of_somebody_hidden_is_not_free_when_the_fight_is_over() {
    let mut table = over();
    for (tool, call) in calls() {
        table.endless_dice(7);
        assert!(refused(&table.call(tool, call.clone())).contains("Kell, whom players do not see"), "{tool} {call}");
    }
    let secret = with(json!({"action": "note", "text": "Kell is gone."}), json!({"visibility": "gm"}));
    let note = table.manage_session(secret)["log"].clone();
    table.manage_session(json!({"action": "reveal", "entry": note})).refused("names_hidden");
    // Of what becomes of them players read nothing.
    for call in [
        json!({"action": "add_condition", "character": "Kell", "condition": "poisoned", "free": true}),
        json!({"action": "remove_condition", "character": "Kell", "condition": "poisoned"}),
        json!({"action": "update", "character": "Kell", "level": 2}),
    ] {
        let answer = table.manage_character(call);
        assert_eq!(answer.is_fine()["player_text"], Value::Null);
    }
    assert_eq!(table.apply_damage(json!({"target": "Kell", "amount": 2})).is_fine()["player_text"], Value::Null);
    for format in Format::ALL {
        let copy = table.export(Audience::Player, *format, &format!("players.{}", format.name()));
        let bytes = std::fs::read(copy).expect("is read");
        assert!(!bytes.windows(4).any(|own| own.eq_ignore_ascii_case(b"kell")), "{format:?}");
    }
    table.record().is_sound();
}

#[test]
fn the_gm_shows_them_after_the_fight_and_then_they_are_named() {
    let mut table = over();
    let shown = table.manage_combat(json!({"action": "reveal", "combatant": "Kell"}));
    assert_eq!(shown.text("player_text"), "Kell appears.");
    for (tool, call) in calls() {
        table.endless_dice(7).call(tool, call).is_fine();
    }
    table.manage_combat(json!({"action": "end"})).is_fine();
    // A numbered one gets a name that does not count those who are still hidden.
    let ambiguous = table.manage_combat(json!({"action": "reveal", "combatant": "Lurker"}));
    ambiguous.refused("ambiguous_name");
    let shown = table.manage_combat(json!({"action": "reveal", "combatant": "Unseen Lurker 2"}));
    assert_eq!(shown.text("player_text"), "Lurker 1 appears.");
    table.manage_combat(json!({"action": "reveal", "combatant": "Kell"})).is_refused();
    table.manage_session(json!({"action": "undo"})).is_fine();
    table.roll_dice(json!({"expression": "1d6", "context": "a lurker"})).refused("names_hidden");
    table.record().is_sound();
}

#[test]
fn in_another_fight_whoever_is_seen_is_free_and_the_others_are_not() {
    let mut table = over();
    let fight = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 9}, {"name": "Kell", "initiative": 3}]});
    table.manage_combat(fight).is_fine();
    let context = |words: &str| json!({"expression": "1d6", "context": words});
    table.dice([1]).roll_dice(context("Kell's arrow")).is_fine();
    table.roll_dice(context("a lurker")).refused("names_hidden");
    table.manage_combat(json!({"action": "reveal", "combatant": "Unseen Lurker 1"})).is_fine();
    table.manage_combat(json!({"action": "end"})).is_fine();
    table.dice([1]).roll_dice(context("Kell's arrow")).is_fine();
    table.record().is_sound();
}

#[test]
fn one_who_is_taken_out_of_the_fight_unseen_stays_hidden_and_one_of_the_party_does_not() {
    let mut table = Table::with_party();
    let fight = json!({"action": "start", "combatants": [
        {"name": "Jory", "initiative": 9, "hidden": true}, {"name": "Sabeth", "initiative": 8}, {"name": "Kell", "hp": 9, "initiative": 5, "hidden": true},
    ]});
    table.manage_combat(fight).is_fine();
    for who in ["Kell", "Jory"] {
        table.manage_combat(json!({"action": "remove", "combatant": who})).is_fine();
    }
    let context = |words: &str| json!({"expression": "1d6", "context": words});
    let look = |table: &mut Table| {
        table.roll_dice(context("Kell's arrow")).refused("names_hidden");
        table.dice([1]).roll_dice(context("Jory's arrow")).is_fine();
    };
    look(&mut table);
    table.manage_combat(json!({"action": "end"})).is_fine();
    look(&mut table);
    table.record().is_sound();
}

#[test]
fn a_gift_to_somebody_whom_players_never_met_names_nobody() {
    let mut table = Table::with_party();
    table.manage_character(json!({"action": "create", "name": "Vex Marrow", "kind": "npc", "hp": 5})).is_fine();
    table.manage_character(json!({"action": "award", "character": "Jory", "inventory": [{"name": "ring"}]})).is_fine();
    let give = |from: &str, to: &str| json!({"action": "give", "character": from, "item": "ring", "to": to});
    let given = table.manage_character(give("Jory", "Vex Marrow"));
    assert_eq!(given.is_fine()["player_text"], Value::Null);
    assert!(given["noted"].to_string().contains("players do not know Vex Marrow"), "{given:?}");
    let back = table.manage_character(give("Vex Marrow", "Jory"));
    assert_eq!(back.is_fine()["player_text"], Value::Null);
    // Whom they have met in a fight they know.
    let fight = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 9}, {"name": "Vex Marrow", "initiative": 3}]});
    table.manage_combat(fight).is_fine();
    table.manage_combat(json!({"action": "end"})).is_fine();
    assert_eq!(table.manage_character(give("Jory", "Vex Marrow")).text("player_text"), "Jory gives Vex Marrow ring.");
    table.record().is_sound();
}
