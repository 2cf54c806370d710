//! What the GM writes down: notes, scenes, discoveries, and threads that are open until a note closes them.

use rollbook_game::view::Audience;
use rollbook_record::export::Format;
use serde_json::{Value, json};

use crate::table::{Answer, Table, with};

fn note(table: &mut Table, text: &str, more: Value) -> Answer {
    table.manage_session(with(json!({"action": "note", "text": text}), more))
}

/// The rows of the table of notes: text, kind, visibility, what closed it.
fn rows(table: &Table) -> Vec<(String, String, String, Value)> {
    let text = |row: &Value, column: &str| row[column].as_str().expect("text").to_owned();
    let rows = table
        .record()
        .rows("select *, case when hidden then 'gm' else 'public' end as visibility from notes order by id");
    rows.iter()
        .map(|row| (text(row, "text"), text(row, "kind"), text(row, "visibility"), row["closed_by"].clone()))
        .collect()
}

#[test]
fn a_note_is_logged_as_it_was_written_and_read_by_whom_it_is_for() {
    let mut table = Table::with_party();
    for (kind, head) in [("note", "Note"), ("scene", "Scene"), ("discovery", "Discovery"), ("thread", "Open thread")] {
        let seen = note(&mut table, "The bell\n rings", json!({"kind": kind}));
        assert_eq!(seen["summary"], format!("{head}: The bell rings."));
        assert_eq!(seen["player_text"], seen["summary"]);
        let secret = note(&mut table, "Who rang it?", json!({"kind": kind, "visibility": "gm"}));
        assert_eq!(
            (&secret["summary"], &secret["player_text"]),
            (&json!(format!("{head}: Who rang it?")), &Value::Null)
        );
    }
    let plain = note(&mut table, "Said \"enough.\"", json!({"visible": null}));
    assert_eq!(plain["summary"], "Note: Said \"enough.\"", "a note, public, and no second full stop");
    assert_eq!(rows(&table)[0], ("The bell\n rings".to_owned(), "note".to_owned(), "public".to_owned(), Value::Null));
    assert_eq!(rows(&table).len(), 9);
    table.restart();
    table.record().is_sound();
}

#[test]
fn a_thread_is_closed_by_its_number_or_by_words_that_it_alone_has() {
    let mut table = Table::with_party();
    let key = note(&mut table, "Who holds the harbour key?", json!({"kind": "thread"})).number("log");
    let bell = note(&mut table, "The drowned bell rings at the harbour", json!({"kind": "thread"})).number("log");
    let found = note(&mut table, "The reeve has it.", json!({"kind": "discovery", "closes": "harbour key"}));
    assert_eq!(found["summary"], format!("Discovery: The reeve has it. Closed #{key}: Who holds the harbour key?"));
    assert_eq!(found["player_text"], "Discovery: The reeve has it. Closed: Who holds the harbour key?");
    for (closes, says) in [
        (json!(key), format!("#{key} was closed by #{}. Open are #{bell} \"The drowned bell", found["log"])),
        (json!("key"), format!("No open thread has the words \"key\". Open are #{bell} ")),
        (json!(found["log"]), format!("#{} is a note and no thread. Open are #{bell}", found["log"])),
        (
            json!(1),
            format!("#1 is no thread. Open are #{bell} \"The drowned bell rings at the harbour\". Send closes={bell},"),
        ),
    ] {
        let before = table.record().everything();
        let refused = note(&mut table, "So be it.", json!({"closes": closes}));
        let words = refused.refused("unknown_entry")["summary"].as_str().expect("text").to_owned();
        assert!(words.starts_with(&says), "{words}");
        assert_eq!(table.record().everything(), before);
    }
    let second = note(&mut table, "Another bell at the harbour", json!({"kind": "thread"})).number("log");
    let several = note(&mut table, "It is cracked.", json!({"closes": "at the harbour"}));
    let words = several.refused("ambiguous_name")["summary"].as_str().expect("text").to_owned();
    assert!(
        words.contains(&format!("#{bell} \"The drowned")) && words.contains(&format!("#{second} \"Another")),
        "{words}"
    );
    for closes in [json!(format!("#{bell}")), json!(second.to_string())] {
        note(&mut table, "It is cracked.", json!({"closes": closes})).is_fine();
    }
    let none = note(&mut table, "So be it.", json!({"closes": bell}));
    assert!(none.refused("unknown_entry")["summary"].as_str().expect("text").contains("leave closes out"));
    note(&mut table, "So be it.", json!({"closes": ""})).is_fine();
    table.record().is_sound();
}

#[test]
fn a_note_is_taken_back_and_a_thread_it_closed_is_open_again() {
    let mut table = Table::with_party();
    let thread = note(&mut table, "Who rang it?", json!({"kind": "thread"}));
    let open = rows(&table);
    let closing = note(&mut table, "The tide did.", json!({"closes": "rang"}));
    let early = table.manage_session(json!({"action": "undo", "entry": thread["log"]}));
    let words = early.refused("changed_since")["summary"].as_str().expect("text").to_owned();
    assert!(
        words.contains(&format!("the note #{} was changed since, by #{}", thread["log"], closing["log"])),
        "{words}"
    );
    let back = table.manage_session(json!({"action": "undo"}));
    assert_eq!(back["player_text"], "Taken back: Note: The tide did. Closed: Who rang it?");
    assert_eq!(rows(&table), open);
    table.manage_session(json!({"action": "undo", "entry": back["log"]})).is_fine();
    assert_eq!(rows(&table)[0].3, closing["log"], "done again");
    table.manage_session(json!({"action": "undo"})).is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(rows(&table), []);
    note(&mut table, "Hush", json!({"visibility": "gm"})).is_fine();
    let hushed = table.manage_session(json!({"action": "undo"}));
    assert_eq!(hushed["player_text"], Value::Null, "players learn nothing of a note that they never saw");
    table.record().is_sound();
}

#[test]
fn no_word_of_the_gms_notes_reaches_the_players_copies() {
    let mut table = Table::with_party();
    note(&mut table, "Canary in a thread", json!({"kind": "thread", "visibility": "gm"})).is_fine();
    note(&mut table, "Canary in a note", json!({"visibility": "gm"})).is_fine();
    let seen = note(&mut table, "The cellar is empty.", json!({"kind": "scene", "closes": "thread"}));
    assert_eq!(seen["player_text"], "Scene: The cellar is empty.", "nor of a thread that they do not know");
    assert!(seen.text("summary").contains("Canary in a thread"));
    note(&mut table, "Whose boat?", json!({"kind": "thread"})).is_fine();
    let quiet = note(&mut table, "Canary: the reeve's", json!({"closes": "boat", "visibility": "gm"}));
    assert!(quiet["noted"][0].as_str().expect("a note").contains("for them the thread stays open"));
    for format in [Format::Jsonl, Format::Csv, Format::Db] {
        let bytes = |audience| {
            let path = table.export(audience, format, &format!("{audience:?}{format:?}"));
            String::from_utf8_lossy(&std::fs::read(path).expect("a copy")).into_owned()
        };
        let (players, gm) = (bytes(Audience::Player), bytes(Audience::Gm));
        assert!(gm.matches("Canary").count() >= 3, "{format:?}: the GM's copy has them");
        assert!(!players.contains("Canary"), "{format:?}");
        assert!(players.contains("Scene: The cellar is empty.") && players.contains("Whose boat?"), "{format:?}");
    }
    table.record().is_sound();
}

#[test]
fn a_public_note_does_not_name_whom_players_do_not_see() {
    let mut table = Table::with_party();
    let fight = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 12},
        {"name": "Ida Marl", "hp": 5, "initiative": 3, "hidden": true}]});
    table.manage_combat(fight).is_fine();
    let refused = note(&mut table, "Ida Marl waits in the loft", json!({"kind": "scene"}));
    let words = refused.refused("names_hidden")["summary"].as_str().expect("text").to_owned();
    assert!(words.contains("visibility=\"gm\""), "{words}");
    let kept = note(&mut table, "Ida Marl waits in the loft", json!({"kind": "scene", "visibility": "gm"}));
    assert_eq!(kept["player_text"], Value::Null);
}

#[test]
fn what_is_no_note_is_refused() {
    let mut table = Table::with_party();
    for (text, more, code) in [
        ("", json!({}), "invalid_parameters"),
        (" \n", json!({}), "invalid_parameters"),
        ("x", json!({"kind": "rumour"}), "invalid_parameters"),
        ("x", json!({"visibility": "blind"}), "invalid_parameters"),
        ("x", json!({"title": "no"}), "invalid_parameters"),
        ("x", json!({"budget": 900}), "invalid_parameters"),
        ("a\u{202e}b", json!({}), "limit_exceeded"),
        (&"x".repeat(4001), json!({}), "limit_exceeded"),
    ] {
        note(&mut table, text, more).refused(code);
    }
    table.manage_session(json!({"action": "note"})).refused("invalid_parameters");
    table.manage_session(json!({"action": "end", "text": "x", "session": 2})).refused("invalid_parameters");
    note(&mut table, &"ä".repeat(2000), json!({})).is_fine();
}
