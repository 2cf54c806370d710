//! The story of a sitting, told again: for players from what they saw, for the GM with everything.

use serde_json::{Value, json};

use crate::table::{Table, with};

fn note(table: &mut Table, text: &str, more: Value) -> u64 {
    table.manage_session(with(json!({"action": "note", "text": text}), more))["log"].as_u64().expect("a number")
}

fn recap(table: &mut Table, more: Value) -> String {
    table.manage_session(with(json!({"action": "recap"}), more)).text("summary").to_owned()
}

#[test]
fn a_recap_tells_threads_first_and_then_what_happened_in_its_order() {
    let mut table = Table::with_party();
    table.manage_session(json!({"action": "end"})).is_fine();
    table.manage_session(json!({"action": "start", "title": "Half past nine"})).is_fine();
    let boat = note(&mut table, "Whose boat is it?", json!({"kind": "thread"}));
    let bell = note(&mut table, "Who rings the bell?", json!({"kind": "thread"}));
    let scene = note(&mut table, "The boathouse at night", json!({"kind": "scene"}));
    let fight = json!({"action": "start", "title": "The boathouse", "combatants": [{"name": "Jory", "initiative": 12},
        {"name": "Wrecker", "hp": 3, "initiative": 4}]});
    table.manage_combat(fight).is_fine();
    let blow = table.apply_damage(json!({"target": "Wrecker", "amount": 9, "apply_conditions": ["dead"]}));
    let over = table.manage_combat(json!({"action": "end", "outcome": "the others flee"}))["log"].clone();
    let award = table.manage_character(json!({"action": "award", "character": "Jory", "xp": 50}))["log"].clone();
    let tide = note(&mut table, "The tide rings it", json!({"kind": "discovery", "closes": bell}));
    let wrong = note(&mut table, "It was the reeve", json!({}));
    table.manage_session(json!({"action": "undo", "entry": wrong})).is_fine();
    note(&mut table, "The reeve lies", json!({"visibility": "gm"}));

    let players = recap(&mut table, json!({}));
    let expected = "Session 2: Half past nine\n\nOpen threads:\n- Whose boat is it?\n\nWhat happened:\n- Open thread: Who rings the bell?\n\
        - Scene: The boathouse at night.\n- A fight begins: The boathouse.\n";
    assert!(players.starts_with(expected), "{players}");
    let rest = "- The fight ends: the others flee.\n- Jory: xp 0 to 50.\n- Discovery: The tide rings it. Closed: Who rings the bell?";
    assert!(players.ends_with(rest), "{players}");
    assert!(players.contains("\n- Wrecker takes damage") && players.contains("dead."), "{players}");
    assert!(!players.contains("reeve") && !players.contains('#') && !players.contains("9"), "{players}");
    let reply = table.manage_session(json!({"action": "recap"}));
    assert_eq!((&reply["session"], &reply["player_text"]), (&json!(2), &reply["summary"]));

    let gm = recap(&mut table, json!({"audience": "gm"}));
    for line in [
        format!("- #{boat} Whose boat is it?\n"),
        format!("- #{scene} Scene: The boathouse at night.\n"),
        " A fight begins: The boathouse.".to_owned(),
        format!("- #{} Wrecker takes 9 damage", blow["log"]),
        format!("- #{over} The fight ends: the others flee.\n"),
        format!("- #{award} Jory: xp 0 to 50.\n"),
        format!("- #{tide} Discovery: The tide rings it. Closed #{bell}: Who rings the bell?\n"),
        " (GM) Note: The reeve lies.".to_owned(),
    ] {
        assert!(gm.contains(&line), "{line} in {gm}");
    }
    assert!(!gm.contains("It was the reeve"), "what was taken back is not told: {gm}");
    let quiet = table.manage_session(json!({"action": "recap", "audience": "gm"}));
    assert_eq!(quiet["player_text"], Value::Null);
}

#[test]
fn the_last_sitting_with_something_to_tell_is_told() {
    let mut table = Table::with_party();
    note(&mut table, "First", json!({"kind": "scene"}));
    table.manage_session(json!({"action": "end"})).is_fine();
    table.manage_session(json!({"action": "start"})).is_fine();
    note(&mut table, "A plan", json!({"visibility": "gm"}));
    table.dice([3]).roll_dice(json!({"expression": "d6"})).is_fine();
    assert_eq!(recap(&mut table, json!({})), "Session 1\n\nWhat happened:\n- Scene: First.");
    assert!(recap(&mut table, json!({"audience": "gm"})).contains("A plan"), "the GM's is the second");
    assert_eq!(recap(&mut table, json!({"session": 2})), "Session 2\n\nNothing to tell yet.");
    let refused = table.manage_session(json!({"action": "recap", "session": 3}));
    assert!(refused.refused("no_session")["summary"].as_str().expect("text").contains("the last is 2"));
    let mut nothing = Table::lockhouse();
    assert_eq!(recap(&mut nothing, json!({})), "Nothing was played yet, so there is nothing to tell.");
    nothing.manage_session(json!({"action": "recap", "session": 1})).is_fine();
}

#[test]
fn an_undo_in_a_later_sitting_is_believed_and_one_that_was_undone_is_not() {
    let mut table = Table::with_party();
    let gone = note(&mut table, "The reeve is dead", json!({"kind": "discovery"}));
    let kept = note(&mut table, "The bell is cracked", json!({"kind": "discovery"}));
    table.manage_session(json!({"action": "end"})).is_fine();
    table.manage_session(json!({"action": "start"})).is_fine();
    table.manage_session(json!({"action": "undo", "entry": gone})).is_fine();
    let undo = table.manage_session(json!({"action": "undo", "entry": kept}));
    table.manage_session(json!({"action": "undo", "entry": undo["log"]})).is_fine();
    for audience in ["player", "gm"] {
        let told = recap(&mut table, json!({"session": 1, "audience": audience}));
        assert!(told.contains("cracked") && !told.contains("reeve"), "{told}");
    }
}

#[test]
fn a_thread_that_the_gm_closed_alone_is_open_for_players() {
    let mut table = Table::with_party();
    let boat = note(&mut table, "Whose boat?", json!({"kind": "thread"}));
    let by = note(&mut table, "The reeve's", json!({"closes": boat, "visibility": "gm"}));
    assert!(recap(&mut table, json!({})).contains("Open threads:\n- Whose boat?"));
    let gm = recap(&mut table, json!({"audience": "gm"}));
    assert!(!gm.contains("Open threads:"), "{gm}");
    let resumed = json!({"action": "resume", "audience": "player"});
    let players = table.manage_session(resumed.clone());
    assert!(players.text("summary").contains("Open threads:\n- Whose boat?"), "{}", players["summary"]);
    // Nobody can close it a second time, and the refusal says what to do.
    let again = table.manage_session(json!({"action": "note", "text": "It is the reeve's", "closes": "boat"}));
    let refused = again.refused("unknown_entry")["summary"].as_str().expect("text").to_owned();
    assert!(
        refused.contains(&format!("closed by #{by}, which players do not see"))
            && refused.contains(&format!("entry={by}")),
        "{refused}"
    );
    // Once the note is opened, players know.
    table.manage_session(json!({"action": "reveal", "entry": by})).is_fine();
    assert!(!recap(&mut table, json!({})).contains("Open threads:"));
    assert!(!table.manage_session(resumed).text("summary").contains("Open threads:"));
}

#[test]
fn a_recap_keeps_to_its_budget_and_to_what_matters_most() {
    let mut table = Table::with_party();
    for nth in 0..30 {
        note(&mut table, &format!("Thread {nth} {}", "ö".repeat(100)), json!({"kind": "thread"}));
        note(&mut table, &format!("Aside {nth} {}", "ß".repeat(100)), json!({}));
    }
    note(&mut table, "The last scene", json!({"kind": "scene"}));
    for budget in [500, 501, 777, 2000, 4000, 20_000] {
        for audience in ["player", "gm"] {
            let reply = table.manage_session(json!({"action": "recap", "budget": budget, "audience": audience}));
            let text = reply.text("summary");
            assert!(text.len() <= budget, "{} of {budget}: {text}", text.len());
            assert!(text.contains("The last scene"), "{budget}: {text}");
            assert_eq!(text.contains("more have no room"), budget < 20_000, "{budget}: {text}");
            assert_eq!(reply["next"].is_string(), budget < 20_000);
        }
    }
    let whole = recap(&mut table, json!({"budget": 20_000}));
    assert!(whole.contains("Thread 0 ") && whole.contains("Aside 29 "), "{whole}");
    for budget in [0, 499, 20_001] {
        table.manage_session(json!({"action": "recap", "budget": budget})).refused("limit_exceeded");
    }
}

#[test]
fn sittings_are_listed_with_their_entries() {
    let mut table = Table::lockhouse();
    assert_eq!(table.manage_session(json!({"action": "list"}))["sessions"], json!([]));
    table.manage_session(json!({"action": "start", "title": "Half past nine"})).is_fine();
    for _ in 0..5 {
        table.dice([3]).roll_dice(json!({"expression": "d6"})).is_fine();
    }
    table.manage_session(json!({"action": "end"})).is_fine();
    table.dice([3]).roll_dice(json!({"expression": "d6"})).is_fine();
    let listed = table.manage_session(json!({"action": "list"}));
    let now = "2026-11-20T19:30:00.000000Z";
    assert_eq!(
        listed["sessions"],
        json!([
            {"number": 1, "title": "Half past nine", "from": now, "to": now, "entries": [3, 9]},
            {"number": 2, "from": now, "entries": [10, 11]},
        ])
    );
    assert_eq!(listed["summary"], "2 sessions; Session 2 is open.");
}

#[test]
fn a_recap_tells_who_fell() {
    let mut table = Table::with_party();
    let fight = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 12}, {"name": "Wrecker", "hp": 3, "initiative": 4}]});
    table.manage_combat(fight).is_fine();
    table.apply_damage(json!({"target": "Jory", "amount": 2, "reason": "a scratch"})).is_fine();
    table.apply_damage(json!({"target": "Jory", "amount": 12, "reason": "the fall"})).is_fine();
    table.apply_damage(json!({"target": "Wrecker", "amount": 9})).is_fine();
    let told = recap(&mut table, json!({}));
    assert!(told.contains("(the fall)") && told.contains("Wrecker") && !told.contains("a scratch"), "{told}");
}

#[test]
fn what_was_opened_is_told_in_a_recap() {
    let mut table = Table::with_party();
    let secret = note(&mut table, "The reeve lies", json!({"visibility": "gm"}));
    assert!(!recap(&mut table, json!({})).contains("reeve"));
    table.manage_session(json!({"action": "reveal", "entry": secret})).is_fine();
    let players = recap(&mut table, json!({}));
    assert!(players.contains("- Opened, from session 1: Note: The reeve lies."), "{players}");
    let gm = recap(&mut table, json!({"audience": "gm"}));
    assert!(gm.contains(&format!("Opened to players, #{secret}: Note: The reeve lies.")), "{gm}");
}

#[test]
fn what_was_opened_is_told_in_whole_sentences() {
    let mut table = Table::lockhouse();
    table.manage_character(crate::table::jory()).is_fine();
    let opened = |table: &mut Table, entry: u64| {
        table.manage_session(json!({"action": "reveal", "entry": entry})).text("player_text").to_owned()
    };
    // Nobody saw what was undone, so the undo is hidden, too.
    let foe = json!({"action": "create", "name": "Mag", "kind": "npc", "hp": 9});
    table.manage_character(foe).is_fine();
    table.apply_damage(json!({"target": "Mag", "amount": 2})).is_fine();
    let undone = table.manage_session(json!({"action": "undo"}));
    let text = opened(&mut table, undone["log"].as_u64().expect("a number"));
    assert!(text.starts_with("Opened, from session 1: Taken back: Mag takes 2 damage"), "{text}");
    // A hidden thing.
    let ring = json!({"action": "award", "character": "Jory", "inventory": [{"name": "ring", "hidden": true}]});
    let ring = table.manage_character(ring)["log"].as_u64().expect("a number");
    assert_eq!(opened(&mut table, ring), "Opened, from session 1: Jory: ring 1, hidden.");
    // What was before the first session is of none. Rules of which the GM alone reads a part are not opened.
    table.manage_session(json!({"action": "reveal", "entry": 2})).refused("not_sealed");
    let mut table = Table::of_rules(Some("# Small\n\n## Checks\n\n- Roll: `1d20 + {skill}`\n"));
    table.dice([4]).roll_dice(json!({"expression": "1d20"})).is_fine();
    let rules = table.record().rows("select seq from log where kind = 'rules_loaded'")[0]["seq"].as_u64();
    let text = opened(&mut table, rules.expect("a number"));
    assert!(text.starts_with("Opened, from before the first session: Rules in force: "), "{text}");
    table.record().is_sound();
}
