//! The story of a session, written again for players and for the GM; and what the GM writes down
//! for it.

use rollbook_game::view::Audience;
use rollbook_record::export::Format;
use serde_json::{Value, json};

use crate::table::{Answer, Table, with};

/// The story of a session, written again: for players from what they saw, for the GM with
/// everything.
fn note(table: &mut Table, text: &str, more: Value) -> u64 {
    table.manage_session(with(json!({"action": "note", "text": text}), more))["log"]
        .as_u64()
        .expect("a number")
}

fn recap(table: &mut Table, more: Value) -> String {
    table
        .manage_session(with(json!({"action": "recap"}), more))
        .text("summary")
        .to_owned()
}

#[test]
fn a_recap_tells_threads_first_and_then_what_happened_in_its_order() {
    let mut table = Table::with_party();
    table.manage_session(json!({"action": "end"})).is_fine();
    table
        .manage_session(json!({"action": "start", "title": "Half past nine"}))
        .is_fine();
    let boat = note(&mut table, "Whose boat is it?", json!({"kind": "thread"}));
    let bell = note(&mut table, "Who rings the bell?", json!({"kind": "thread"}));
    let scene = note(
        &mut table,
        "The boathouse at night",
        json!({"kind": "scene"}),
    );
    let fight = json!({"action": "start", "title": "The boathouse", "combatants": [{"name": "Jory", "initiative": 12},
        {"name": "Wrecker", "hp": 3, "initiative": 4}]});
    table.manage_combat(fight).is_fine();
    let hit =
        table.apply_damage(json!({"target": "Wrecker", "amount": 9, "apply_conditions": ["dead"]}));
    let over =
        table.manage_combat(json!({"action": "end", "outcome": "the others flee"}))["log"].clone();
    let award =
        table.manage_character(json!({"action": "award", "character": "Jory", "xp": 50}))["log"]
            .clone();
    let tide = note(
        &mut table,
        "The tide rings it",
        json!({"kind": "discovery", "closes": bell}),
    );
    let wrong = note(&mut table, "It was the reeve", json!({}));
    table
        .manage_session(json!({"action": "undo", "entry": wrong}))
        .is_fine();
    note(&mut table, "The reeve lies", json!({"visibility": "gm"}));

    let players = recap(&mut table, json!({}));
    let expected = "Session 2: Half past nine\n\nOpen threads:\n- Whose boat is it?\n\nClocks and what all share, as they stand now:\n- Rising tide 1/12\n\nWhat happened:\n- Open thread: Who rings the bell?\n\
        - Scene: The boathouse at night.\n- A fight begins: The boathouse.\n";
    assert!(players.starts_with(expected), "{players}");
    let rest = "- The fight ends: the others flee.\n- Jory: xp 0 to 50.\n- Discovery: The tide rings it. Closed: Who rings the bell?";
    assert!(players.ends_with(rest), "{players}");
    assert!(
        players.contains("\n- Wrecker takes damage") && players.contains("dead."),
        "{players}"
    );
    assert!(
        !players.contains("reeve") && !players.contains('#') && !players.contains("9"),
        "{players}"
    );
    let reply = table.manage_session(json!({"action": "recap"}));
    assert_eq!(
        (&reply["session"], &reply["player_text"]),
        (&json!(2), &reply["summary"])
    );

    let gm = recap(&mut table, json!({"audience": "gm"}));
    for line in [
        format!("- #{boat} Whose boat is it?\n"),
        format!("- #{scene} Scene: The boathouse at night.\n"),
        " A fight begins: The boathouse.".to_owned(),
        format!("- #{} Wrecker takes 9 damage", hit["log"]),
        format!("- #{over} The fight ends: the others flee.\n"),
        format!("- #{award} Jory: xp 0 to 50.\n"),
        format!("- #{tide} Discovery: The tide rings it. Closed #{bell}: Who rings the bell?\n"),
        " (GM) Note: The reeve lies.".to_owned(),
    ] {
        assert!(gm.contains(&line), "{line} in {gm}");
    }
    assert!(
        !gm.contains("It was the reeve"),
        "what was taken back is not told: {gm}"
    );
    let quiet = table.manage_session(json!({"action": "recap", "audience": "gm"}));
    assert_eq!(quiet["player_text"], Value::Null);
}

#[test]
fn the_last_sitting_with_something_to_tell_is_reported() {
    let mut table = Table::with_party();
    note(&mut table, "First", json!({"kind": "scene"}));
    table.manage_session(json!({"action": "end"})).is_fine();
    table.manage_session(json!({"action": "start"})).is_fine();
    note(&mut table, "A plan", json!({"visibility": "gm"}));
    table
        .dice([3])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
    assert_eq!(
        recap(&mut table, json!({})),
        "Session 1\n\nWhat happened:\n- Scene: First."
    );
    assert!(
        recap(&mut table, json!({"audience": "gm"})).contains("A plan"),
        "the GM's is the second"
    );
    assert_eq!(
        recap(&mut table, json!({"session": 2})),
        "Session 2\n\nNothing to tell yet."
    );
    table
        .manage_session(json!({"action": "recap", "session": 3}))
        .refused_with("no_session", &["the last is 2"]);
    let mut nothing = Table::lockhouse();
    assert_eq!(
        recap(&mut nothing, json!({})),
        "Nothing was played yet, so there is nothing to tell."
    );
    nothing
        .manage_session(json!({"action": "recap", "session": 1}))
        .is_fine();
}

#[test]
fn an_undo_in_a_later_sitting_is_believed_and_one_that_was_undone_is_not() {
    let mut table = Table::with_party();
    let gone = note(
        &mut table,
        "The reeve is dead",
        json!({"kind": "discovery"}),
    );
    let kept = note(
        &mut table,
        "The bell is cracked",
        json!({"kind": "discovery"}),
    );
    table.manage_session(json!({"action": "end"})).is_fine();
    table.manage_session(json!({"action": "start"})).is_fine();
    table
        .manage_session(json!({"action": "undo", "entry": gone}))
        .is_fine();
    let undo = table.manage_session(json!({"action": "undo", "entry": kept}));
    table
        .manage_session(json!({"action": "undo", "entry": undo["log"]}))
        .is_fine();
    for audience in ["player", "gm"] {
        let text = recap(&mut table, json!({"session": 1, "audience": audience}));
        assert!(
            text.contains("cracked") && !text.contains("reeve"),
            "{text}"
        );
    }
}

#[test]
fn a_thread_that_the_gm_closed_alone_is_open_for_players() {
    let mut table = Table::with_party();
    let boat = note(&mut table, "Whose boat?", json!({"kind": "thread"}));
    let by = note(
        &mut table,
        "The reeve's",
        json!({"closes": boat, "visibility": "gm"}),
    );
    assert!(recap(&mut table, json!({})).contains("Open threads:\n- Whose boat?"));
    let gm = recap(&mut table, json!({"audience": "gm"}));
    assert!(!gm.contains("Open threads:"), "{gm}");
    let resumed = json!({"action": "resume", "audience": "player"});
    let players = table.manage_session(resumed.clone());
    assert!(
        players
            .text("summary")
            .contains("Open threads:\n- Whose boat?"),
        "{}",
        players["summary"]
    );
    // Nobody can close it a second time, and the refusal says what to do.
    let again = table
        .manage_session(json!({"action": "note", "text": "It is the reeve's", "closes": "boat"}));
    again.refused_with(
        "unknown_entry",
        &[
            &format!("closed by #{by}, which players do not see"),
            &format!("entry={by}"),
        ],
    );
    // Once the note is opened, players know.
    table
        .manage_session(json!({"action": "reveal", "entry": by}))
        .is_fine();
    assert!(!recap(&mut table, json!({})).contains("Open threads:"));
    assert!(
        !table
            .manage_session(resumed)
            .text("summary")
            .contains("Open threads:")
    );
}

#[test]
fn a_recap_keeps_to_its_budget_and_to_what_matters_most() {
    let mut table = Table::with_party();
    for nth in 0..30 {
        note(
            &mut table,
            &format!("Thread {nth} {}", "ö".repeat(100)),
            json!({"kind": "thread"}),
        );
        note(
            &mut table,
            &format!("Aside {nth} {}", "ß".repeat(100)),
            json!({}),
        );
    }
    note(&mut table, "The last scene", json!({"kind": "scene"}));
    for budget in [500, 501, 777, 2000, 4000, 20_000] {
        for audience in ["player", "gm"] {
            let reply = table
                .manage_session(json!({"action": "recap", "budget": budget, "audience": audience}));
            let text = reply.text("summary");
            assert!(text.len() <= budget, "{} of {budget}: {text}", text.len());
            assert!(text.contains("The last scene"), "{budget}: {text}");
            assert_eq!(
                text.contains("more have no room"),
                budget < 20_000,
                "{budget}: {text}"
            );
            assert_eq!(reply["next"].is_string(), budget < 20_000);
        }
    }
    let whole = recap(&mut table, json!({"budget": 20_000}));
    assert!(
        whole.contains("Thread 0 ") && whole.contains("Aside 29 "),
        "{whole}"
    );
    for budget in [0, 499, 20_001] {
        table
            .manage_session(json!({"action": "recap", "budget": budget}))
            .refused("limit_exceeded");
    }
}

#[test]
fn sittings_are_listed_with_their_entries() {
    let mut table = Table::lockhouse();
    assert_eq!(
        table.manage_session(json!({"action": "list"}))["sessions"],
        json!([])
    );
    table
        .manage_session(json!({"action": "start", "title": "Half past nine"}))
        .is_fine();
    for _ in 0..5 {
        table
            .dice([3])
            .roll_dice(json!({"expression": "d6"}))
            .is_fine();
    }
    table.manage_session(json!({"action": "end"})).is_fine();
    table
        .dice([3])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
    let listed = table.manage_session(json!({"action": "list"}));
    let now = "2026-11-20T19:30:00.000000Z";
    let expected = json!([
        {"number": 1, "title": "Half past nine", "from": now, "to": now, "entries": [3, 9]},
        {"number": 2, "from": now, "entries": [10, 11]},
    ]);
    assert_eq!(listed["sessions"], expected);
    assert_eq!(listed["summary"], "2 sessions; Session 2 is open.");
}

#[test]
fn a_recap_names_who_went_down() {
    let mut table = Table::with_party();
    table.start(
        json!([{"name": "Jory", "initiative": 12}, {"name": "Wrecker", "hp": 3, "initiative": 4}]),
    );
    table
        .apply_damage(json!({"target": "Jory", "amount": 2, "reason": "a scratch"}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Jory", "amount": 12, "reason": "the fall"}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Wrecker", "amount": 9}))
        .is_fine();
    let text = recap(&mut table, json!({}));
    assert!(
        text.contains("(the fall)") && text.contains("Wrecker") && !text.contains("a scratch"),
        "{text}"
    );
}

#[test]
fn what_was_opened_is_reported_in_a_recap() {
    let mut table = Table::with_party();
    let secret = note(&mut table, "The reeve lies", json!({"visibility": "gm"}));
    assert!(!recap(&mut table, json!({})).contains("reeve"));
    table
        .manage_session(json!({"action": "reveal", "entry": secret}))
        .is_fine();
    let players = recap(&mut table, json!({}));
    assert!(
        players.contains("- Opened, from session 1: Note: The reeve lies."),
        "{players}"
    );
    let gm = recap(&mut table, json!({"audience": "gm"}));
    assert!(
        gm.contains(&format!(
            "Opened to players, #{secret}: Note: The reeve lies."
        )),
        "{gm}"
    );
}

#[test]
fn what_was_opened_is_reported_in_whole_sentences() {
    let mut table = Table::lockhouse();
    table.manage_character(crate::table::jory()).is_fine();
    let opened = |table: &mut Table, entry: u64| {
        table
            .manage_session(json!({"action": "reveal", "entry": entry}))
            .text("player_text")
            .to_owned()
    };
    // Nobody saw what was undone, so the undo is hidden, too.
    table.create("Mag", json!({"kind": "npc", "hp": 9}));
    table
        .apply_damage(json!({"target": "Mag", "amount": 2}))
        .is_fine();
    let undone = table.manage_session(json!({"action": "undo"}));
    let text = opened(&mut table, undone["log"].as_u64().expect("a number"));
    assert!(
        text.starts_with("Opened, from session 1: Taken back: Mag takes 2 damage"),
        "{text}"
    );
    // A hidden thing.
    let ring = json!({"action": "award", "character": "Jory", "inventory": [{"name": "ring", "hidden": true}]});
    let ring = table.manage_character(ring)["log"]
        .as_u64()
        .expect("a number");
    assert_eq!(
        opened(&mut table, ring),
        "Opened, from session 1: Jory: ring 1, hidden."
    );
    // What was before the first session is of none. Rules of which the GM alone reads a part are
    // not opened.
    table
        .manage_session(json!({"action": "reveal", "entry": 2}))
        .refused("not_sealed");
    let mut table = Table::of_rules(Some("# Small\n\n## Checks\n\n- Roll: `1d20 + {skill}`\n"));
    table
        .dice([4])
        .roll_dice(json!({"expression": "1d20"}))
        .is_fine();
    let rules = table
        .record()
        .rows("select seq from log where kind = 'rules_loaded'")[0]["seq"]
        .as_u64();
    let text = opened(&mut table, rules.expect("a number"));
    assert!(
        text.starts_with("Opened, from before the first session: Rules in force: "),
        "{text}"
    );
}

/// What the GM writes down: notes, scenes, discoveries, and threads that are open until a note
/// closes them.
fn noted(table: &mut Table, text: &str, more: Value) -> Answer {
    table.manage_session(with(json!({"action": "note", "text": text}), more))
}

/// The rows of the table of notes: text, kind, visibility, what closed it.
fn note_rows(table: &Table) -> Vec<(String, String, String, Value)> {
    let text = |row: &Value, column: &str| row[column].as_str().expect("text").to_owned();
    let rows = table
        .record()
        .rows("select *, case when hidden then 'gm' else 'public' end as visibility from notes order by id");
    rows.iter()
        .map(|row| {
            (
                text(row, "text"),
                text(row, "kind"),
                text(row, "visibility"),
                row["closed_by"].clone(),
            )
        })
        .collect()
}

#[test]
fn a_note_is_logged_as_it_was_written_and_read_by_whom_it_is_for() {
    let mut table = Table::with_party();
    for (kind, head) in [
        ("note", "Note"),
        ("scene", "Scene"),
        ("discovery", "Discovery"),
        ("thread", "Open thread"),
    ] {
        let seen = noted(&mut table, "The bell\n rings", json!({"kind": kind}));
        assert_eq!(seen["summary"], format!("{head}: The bell rings."));
        assert_eq!(seen["player_text"], seen["summary"]);
        let secret = noted(
            &mut table,
            "Who rang it?",
            json!({"kind": kind, "visibility": "gm"}),
        );
        assert_eq!(
            json!([secret["summary"], secret["player_text"]]),
            json!([format!("{head}: Who rang it?"), null])
        );
    }
    let plain = noted(&mut table, "Said \"enough.\"", json!({"visible": null}));
    assert_eq!(
        plain["summary"], "Note: Said \"enough.\"",
        "a note, public, and no second full stop"
    );
    assert_eq!(
        note_rows(&table)[0],
        (
            "The bell\n rings".to_owned(),
            "note".to_owned(),
            "public".to_owned(),
            Value::Null
        )
    );
    assert_eq!(note_rows(&table).len(), 9);
    table.restart();
}

#[test]
fn a_thread_is_closed_by_its_number_or_by_words_that_it_alone_has() {
    let mut table = Table::with_party();
    let key = noted(
        &mut table,
        "Who holds the harbour key?",
        json!({"kind": "thread"}),
    )
    .number("log");
    let bell = noted(
        &mut table,
        "The drowned bell rings at the harbour",
        json!({"kind": "thread"}),
    )
    .number("log");
    let found = noted(
        &mut table,
        "The reeve has it.",
        json!({"kind": "discovery", "closes": "harbour key"}),
    );
    assert_eq!(
        found["summary"],
        format!("Discovery: The reeve has it. Closed #{key}: Who holds the harbour key?")
    );
    assert_eq!(
        found["player_text"],
        "Discovery: The reeve has it. Closed: Who holds the harbour key?"
    );
    for (closes, says) in [
        (
            json!(key),
            format!(
                "#{key} was closed by #{}. Open are #{bell} \"The drowned bell",
                found["log"]
            ),
        ),
        (
            json!("key"),
            format!("No open thread has the words \"key\". Open are #{bell} "),
        ),
        (
            json!(found["log"]),
            format!(
                "#{} is a note and no thread. Open are #{bell}",
                found["log"]
            ),
        ),
        (
            json!(1),
            format!(
                "#1 is no thread. Open are #{bell} \"The drowned bell rings at the harbour\". Send closes={bell},"
            ),
        ),
    ] {
        let before = table.record().everything();
        let refused = noted(&mut table, "So be it.", json!({"closes": closes}));
        let words = refused.refusal_text("unknown_entry").to_owned();
        assert!(words.starts_with(&says), "{words}");
        assert_eq!(table.record().everything(), before);
    }
    let second = noted(
        &mut table,
        "Another bell at the harbour",
        json!({"kind": "thread"}),
    )
    .number("log");
    let several = noted(
        &mut table,
        "It is cracked.",
        json!({"closes": "at the harbour"}),
    );
    several.refused_with(
        "ambiguous_name",
        &[
            &format!("#{bell} \"The drowned"),
            &format!("#{second} \"Another"),
        ],
    );
    for closes in [json!(format!("#{bell}")), json!(second.to_string())] {
        noted(&mut table, "It is cracked.", json!({"closes": closes})).is_fine();
    }
    let none = noted(&mut table, "So be it.", json!({"closes": bell}));
    none.refused_with("unknown_entry", &["leave closes out"]);
    noted(&mut table, "So be it.", json!({"closes": ""})).is_fine();
}

#[test]
fn a_note_is_taken_back_and_a_thread_it_closed_is_open_again() {
    let mut table = Table::with_party();
    let thread = noted(&mut table, "Who rang it?", json!({"kind": "thread"}));
    let open = note_rows(&table);
    let closing = noted(&mut table, "The tide did.", json!({"closes": "rang"}));
    let early = table.manage_session(json!({"action": "undo", "entry": thread["log"]}));
    early.refused_with(
        "changed_since",
        &[&format!(
            "the note #{} was changed since, by #{}",
            thread["log"], closing["log"]
        )],
    );
    let back = table.manage_session(json!({"action": "undo"}));
    assert_eq!(
        back["player_text"],
        "Taken back: Note: The tide did. Closed: Who rang it?"
    );
    assert_eq!(note_rows(&table), open);
    table
        .manage_session(json!({"action": "undo", "entry": back["log"]}))
        .is_fine();
    assert_eq!(note_rows(&table)[0].3, closing["log"], "done again");
    table.manage_session(json!({"action": "undo"})).is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(note_rows(&table), []);
    noted(&mut table, "Hush", json!({"visibility": "gm"})).is_fine();
    let hushed = table.manage_session(json!({"action": "undo"}));
    assert_eq!(
        hushed["player_text"],
        Value::Null,
        "players learn nothing of a note that they never saw"
    );
}

#[test]
fn no_word_of_the_gms_notes_reaches_the_players_copies() {
    let mut table = Table::with_party();
    noted(
        &mut table,
        "Canary in a thread",
        json!({"kind": "thread", "visibility": "gm"}),
    )
    .is_fine();
    noted(&mut table, "Canary in a note", json!({"visibility": "gm"})).is_fine();
    let seen = noted(
        &mut table,
        "The cellar is empty.",
        json!({"kind": "scene", "closes": "thread"}),
    );
    assert_eq!(
        seen["player_text"], "Scene: The cellar is empty.",
        "nor of a thread that they do not know"
    );
    assert!(seen.text("summary").contains("Canary in a thread"));
    noted(&mut table, "Whose boat?", json!({"kind": "thread"})).is_fine();
    let quiet = noted(
        &mut table,
        "Canary: the reeve's",
        json!({"closes": "boat", "visibility": "gm"}),
    );
    assert!(
        quiet["noted"][0]
            .as_str()
            .expect("a note")
            .contains("for them the thread stays open")
    );
    for format in [Format::Jsonl, Format::Csv, Format::Db] {
        let bytes = |audience| {
            let path = table.export(audience, format, &format!("{audience:?}{format:?}"));
            String::from_utf8_lossy(&std::fs::read(path).expect("a copy")).into_owned()
        };
        let (players, gm) = (bytes(Audience::Player), bytes(Audience::Gm));
        assert!(
            gm.matches("Canary").count() >= 3,
            "{format:?}: the GM's copy has them"
        );
        assert!(!players.contains("Canary"), "{format:?}");
        assert!(
            players.contains("Scene: The cellar is empty.") && players.contains("Whose boat?"),
            "{format:?}"
        );
    }
}

#[test]
fn a_public_note_does_not_name_whom_players_do_not_see() {
    let mut table = Table::with_party();
    table.start(json!([{"name": "Jory", "initiative": 12},
        {"name": "Ida Marl", "hp": 5, "initiative": 3, "hidden": true}]));
    let refused = noted(
        &mut table,
        "Ida Marl waits in the loft",
        json!({"kind": "scene"}),
    );
    refused.refused_with("names_hidden", &["visibility=\"gm\""]);
    let kept = noted(
        &mut table,
        "Ida Marl waits in the loft",
        json!({"kind": "scene", "visibility": "gm"}),
    );
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
        noted(&mut table, text, more).refused(code);
    }
    table
        .manage_session(json!({"action": "note"}))
        .refused("invalid_parameters");
    table
        .manage_session(json!({"action": "end", "text": "x", "session": 2}))
        .refused("invalid_parameters");
    noted(&mut table, &"ä".repeat(2000), json!({})).is_fine();
}
