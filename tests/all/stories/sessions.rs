//! Sessions: opened, closed, resumed in one short text, with a receipt now and then; and campaigns
//! by name.

use rollbook_game::view::Audience;
use rollbook_record::export;
use rollbook_record::export::{Format, Wanted};
use serde_json::{Value, json};

use crate::table::{Answer, NOW, Table, has, with};

#[test]
fn a_sitting_begins_and_ends_with_a_checkpoint() {
    let mut table = Table::lockhouse();
    let begun = table.manage_session(json!({"action": "start", "title": "Half past nine"}));
    assert_eq!(
        (&begun["session"], begun.player_text()),
        (&json!(1), "Session 1 begins: Half past nine.")
    );
    table
        .manage_session(json!({"action": "start"}))
        .refused("session_open");
    let ended = table.manage_session(json!({"action": "end"}));
    assert_eq!(ended["summary"], "Session 1 ends.");
    table
        .manage_session(json!({"action": "end"}))
        .refused("no_session");
    let lines = std::fs::read_to_string(table.path("checkpoints.log")).expect("a checkpoint");
    let line: Value = serde_json::from_str(lines.trim()).expect("one line");
    assert_eq!(line["seq"], ended["log"]);
    let receipt = ended
        .text("receipt")
        .split(' ')
        .nth(1)
        .expect("hex")
        .to_owned();
    assert!(
        line["chain"].as_str().expect("hex").starts_with(&receipt),
        "{line} {receipt}"
    );
    assert_eq!(table.record().verify().checkpoints, 1);
}

#[test]
fn a_write_outside_a_sitting_opens_one() {
    let mut table = Table::lockhouse();
    let roll = table.dice([3]).roll_dice(json!({"expression": "d6"}));
    assert_eq!(roll["log"], 4, "campaign, rules, session, roll");
    assert_eq!(
        roll["entries"],
        Value::Null,
        "what opened by itself is not the call's own"
    );
    table.manage_session(json!({"action": "end"})).is_fine();
    let next = table.dice([3]).roll_dice(json!({"expression": "d6"}));
    assert_eq!(next["log"], 7, "session 2 opened before it");
    let kinds = table
        .record()
        .rows("select kind, session from log order by seq");
    let kinds: Vec<String> = kinds
        .iter()
        .map(|row| format!("{} {}", row["kind"].as_str().expect("text"), row["session"]))
        .collect();
    let expected = [
        "campaign_created 0",
        "rules_loaded 0",
        "session_started 1",
        "roll 1",
        "session_ended 1",
        "session_started 2",
        "roll 2",
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn status_says_where_the_game_is_and_writes_nothing() {
    let mut table = Table::lockhouse();
    let empty = table.manage_session(json!({"action": "status"}));
    assert_eq!(
        (&empty["log_length"], &empty["session"], &empty["receipt"]),
        (&json!(0), &Value::Null, &Value::Null)
    );
    assert_eq!(
        (&empty["campaign"], &empty["adventure"]),
        (&json!("lockhouse"), &json!("lockhouse"))
    );
    assert_eq!(empty["rules"], "The Lockhouse: rules of play");
    assert_eq!(empty["problems"], json!([]));
    assert_eq!(table.record().length(), 0);

    let mut table = Table::with_party();
    let before = table.record().everything();
    let status = table.manage_session(json!({"action": "status"}));
    let expected = json!([
        "Sabeth, player, level 1: Hit points 13/13.",
        "Jory, player, level 1: Hit points 14/14.",
    ]);
    assert_eq!(status["party"], expected);
    assert_eq!(
        (&status["session"], &status["log_length"]),
        (&json!(1), &json!(5))
    );
    assert_eq!(status["session_started"], "2026-11-20T19:30:00.000000Z");
    assert_eq!(table.record().everything(), before);
}

#[test]
fn a_sitting_and_everybody_in_it_is_there_after_a_restart() {
    let mut table = Table::with_party();
    let before = table
        .manage_session(json!({"action": "status"}))
        .value()
        .clone();
    table.restart();
    assert_eq!(
        table.manage_session(json!({"action": "status"})).value(),
        &before
    );
    assert_eq!(
        table.dice([1]).roll_dice(json!({"expression": "d6"}))["log"],
        6,
        "the sitting goes on"
    );
}

#[test]
fn campaigns_in_one_database_know_nothing_of_each_other() {
    let mut table = Table::with_party();
    let other = table
        .dice([4])
        .roll_dice(json!({"expression": "d6", "campaign": "Thursday"}));
    assert_eq!(other["log"], 4, "a chain of its own");
    assert_eq!(other["campaign"], "Thursday");
    table
        .get_character(json!({"character": "Jory", "campaign": "thursday"}))
        .refused("no_character");
    assert_eq!(
        table.manage_session(json!({"action": "status", "campaign": "THURSDAY"}))["log_length"],
        4
    );
    assert_eq!(
        table.manage_session(json!({"action": "status"}))["log_length"],
        5
    );
    assert_eq!(table.record().number("select count(*) from campaigns"), 2);
}

/// Going on where the game stopped: everything that is needed, in one text that stays short.
fn resume(table: &mut Table) -> String {
    let reply = table.manage_session(json!({"action": "resume"}));
    assert_eq!(reply["player_text"], Value::Null, "it is for the GM");
    let text = reply.text("summary").to_owned();
    assert!(text.len() < 2600, "{} bytes: {text}", text.len());
    text
}

#[test]
fn resume_says_where_who_whose_turn_and_what_happened_last() {
    let mut table = Table::lockhouse();
    assert!(resume(&mut table).starts_with("Nothing was played in lockhouse yet."));
    let mut table = Table::with_party();
    let note = |table: &mut Table, text: &str, more: Value| {
        table
            .manage_session(with(json!({"action": "note", "text": text}), more))
            .number("log")
    };
    note(&mut table, "The quay", json!({"kind": "scene"}));
    let scene = note(
        &mut table,
        "The boathouse at night",
        json!({"kind": "scene"}),
    );
    let boat = note(&mut table, "Whose boat?", json!({"kind": "thread"}));
    let secret = note(
        &mut table,
        "Who pays the reeve?",
        json!({"kind": "thread", "visibility": "gm"}),
    );
    let fight = json!({"action": "start", "title": "On the slip", "combatants": [{"name": "Jory", "initiative": 12},
        {"name": "Wrecker", "hp": 7, "initiative": 9, "hidden": true}, {"name": "Rat", "hp": 1, "initiative": 4}]});
    table.manage_combat(fight).is_fine();
    let call =
        json!({"action": "add_effect", "name": "bless", "on": "Jory", "duration": "for 3 rounds"});
    table.manage_combat(call).is_fine();
    table
        .apply_damage(json!({"target": "Rat", "amount": 1}))
        .is_fine();
    let hurt = table
        .apply_damage(json!({"target": "Jory", "amount": 3}))
        .number("log");
    let text = resume(&mut table);
    for part in [
        "Session 1 is open.",
        &format!("Scene (#{scene}): The boathouse at night"),
        "On the slip, round 1, Jory's turn:\n- Jory 11/14, bless (3 rounds",
        "\n- Wrecker 7/7, hidden",
        "\n- down: Rat 0/1",
        "Not in the fight:\n- Sabeth 13/13",
        &format!("Open threads:\n- #{secret} (GM) Who pays the reeve?\n- #{boat} Whose boat?"),
        &format!("Last, newest first:\n- #{hurt} Jory takes 3 damage"),
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    table.manage_combat(json!({"action": "end"})).is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    let text = resume(&mut table);
    assert!(
        text.contains("Session 1 has ended; manage_session action=\"start\""),
        "{text}"
    );
    assert!(
        text.contains("Party:\n- ") && !text.contains("On the slip, round"),
        "{text}"
    );
}

#[test]
fn resume_stays_short_in_a_fight_of_sixty_with_long_names() {
    let mut table = Table::with_party();
    table.endless_dice(3);
    let long = |name: &str| format!("{name} {}", "ü".repeat((79 - name.len()) / 2));
    let foes: Vec<Value> = (0..60)
        .map(|nth| json!({"name": long(&format!("Wrecker {nth}")), "hp": 7, "initiative": nth}))
        .collect();
    table
        .manage_combat(json!({"action": "start", "title": "x".repeat(80), "combatants": foes}))
        .is_fine();
    for nth in 0..20 {
        let text = format!("{nth} {}", "é".repeat(1990));
        for kind in ["thread", "scene"] {
            table
                .manage_session(
                    json!({"action": "note", "text": text, "kind": kind, "visibility": "gm"}),
                )
                .is_fine();
        }
        table
            .manage_character(json!({"action": "create", "name": long(&format!("Friend {nth}"))}))
            .is_fine();
        table.apply_damage(json!({"target": "Jory", "amount": 0, "apply_conditions": [format!("{nth} {}", "ä".repeat(35))], "free": true}))
            .is_fine();
        table
            .dice([])
            .roll_dice(json!({"expression": "40d6", "context": "ö".repeat(200)}))
            .is_fine();
    }
    let text = resume(&mut table);
    assert!(
        text.contains("Wrecker 59")
            && text.contains("\n- and ")
            && text.contains("Last, newest first:"),
        "{text}"
    );
    has(&text, &["Open threads:", "Not in the fight:", "Scene (#"]);
    let (_, last) = text
        .split_once("Last, newest first:")
        .expect("the last part");
    assert_eq!(last.matches("\n- #").count(), 10, "ten things: {text}");
}

/// Players get a receipt as a session begins and ends, and once in 25 entries.
fn roll(table: &mut Table, visibility: &str) -> Answer {
    table
        .dice([4])
        .roll_dice(json!({"expression": "d6", "visibility": visibility}))
}

/// The receipt in the words for players, which has to be the reply's own.
fn receipt_of(answer: &Answer) -> Option<String> {
    let receipt = answer.is_fine()["receipt_for_players"]
        .as_str()
        .map(str::to_owned);
    let text = answer["player_text"].as_str().unwrap_or_default();
    assert_eq!(
        receipt.is_some(),
        text.contains(" Receipt: #"),
        "{answer:?}"
    );
    assert!(
        receipt
            .iter()
            .all(|receipt_of_call| answer["receipt"] == **receipt_of_call
                && text.ends_with(&format!(" Receipt: {receipt_of_call}."))),
        "{answer:?}"
    );
    receipt
}

#[test]
fn a_session_that_opens_by_itself_tells_one_with_the_next_words_for_players() {
    let mut table = Table::lockhouse();
    assert_eq!(
        receipt_of(&roll(&mut table, "public")),
        None,
        "before it nothing was written"
    );
    assert!(receipt_of(&table.manage_session(json!({"action": "end"}))).is_some());
    assert!(
        receipt_of(&roll(&mut table, "public")).is_some(),
        "session 2 opens with it"
    );
    assert_eq!(receipt_of(&roll(&mut table, "public")), None);
    table.manage_session(json!({"action": "end"})).is_fine();
    // Of what players hear nothing of they get none, and it is not forgotten.
    assert_eq!(receipt_of(&roll(&mut table, "gm")), None);
    assert!(receipt_of(&roll(&mut table, "public")).is_some());
    assert_eq!(receipt_of(&roll(&mut table, "public")), None);
}

#[test]
fn one_is_reported_in_25_entries() {
    let mut table = Table::lockhouse();
    let receipts: Vec<i64> = (0..60)
        .filter_map(|_| {
            let answer = roll(&mut table, "public");
            receipt_of(&answer).map(|_| answer.number("log"))
        })
        .collect();
    assert_eq!(receipts, [25, 50]);
}

#[test]
fn an_older_receipt_is_noted_as_before_a_part_and_is_no_finding() {
    let mut table = Table::lockhouse();
    let early = roll(&mut table, "public").text("receipt").to_owned();
    table.manage_session(json!({"action": "end"})).is_fine();
    roll(&mut table, "public").is_fine();
    table.restart();
    let wanted = Wanted {
        session: Some(export::Sitting::Last),
        ..Wanted::of(Audience::Player, Format::Jsonl)
    };
    let part = table.path("part.jsonl");
    table
        .wait(export::export(table.location(), &wanted, &part, NOW))
        .expect("is written");
    let checked = table
        .wait(export::check_copy(&part, Some(&early)))
        .expect("is checked");
    assert_eq!(
        (checked.findings.as_slice(), checked.receipted),
        (&[][..], None)
    );
    assert!(
        checked
            .incomparable
            .as_ref()
            .is_some_and(|why| why.contains(&format!(
                " is of {}, which",
                &early[..early.find(' ').expect("a number")]
            ))),
        "{checked:?}"
    );
}

/// Campaigns by name: a slip of the pen begins no second game unseen, and fills no server.
#[test]
fn a_misspelt_campaign_cannot_be_read() {
    let mut table = Table::with_party();
    for (tool, call) in [
        ("get_character", json!({"list": true})),
        ("manage_session", json!({"action": "status"})),
        ("manage_combat", json!({"action": "status"})),
        (
            "apply_damage",
            json!({"target": "Jory", "amount": 1, "preview": true}),
        ),
    ] {
        let mut call = call;
        call["campaign"] = json!("lockhuose");
        let refusal = table.call(tool, call).refused("unknown_campaign").clone();
        assert_eq!(refusal["did_you_mean"], json!(["lockhouse"]), "{tool}");
    }
    assert_eq!(table.record().number("select count(*) from campaigns"), 1);
}

#[test]
fn a_write_that_makes_a_campaign_says_so_with_the_near_ones() {
    let mut table = Table::with_party();
    let made = table
        .dice([4])
        .roll_dice(json!({"expression": "d6", "campaign": "Lockhuose", "request_id": "one"}));
    let summary = made.text("summary");
    assert!(
        summary
            .starts_with("A new campaign, \"Lockhuose\", is made by this call (near: lockhouse)."),
        "{summary}"
    );
    assert_eq!(made["campaign"], "Lockhuose");
    let again =
        table.roll_dice(json!({"expression": "d6", "campaign": "Lockhuose", "request_id": "one"}));
    assert_eq!(
        (&again["replayed"], &again["summary"]),
        (&json!(true), &made["summary"])
    );
    let second = table
        .dice([4])
        .roll_dice(json!({"expression": "d6", "campaign": "lockHUOSE"}));
    assert!(
        !second.text("summary").contains("new campaign"),
        "{}",
        second["summary"]
    );
    assert_eq!(second["campaign"], "Lockhuose");
    let call = json!({"expression": "d6"});
    assert_eq!(
        table.dice([4]).roll_dice(call)["campaign"],
        Value::Null,
        "the default needs no name"
    );
}

#[test]
fn more_campaigns_than_are_kept_open_take_turns() {
    let mut table = Table::with_party();
    for nth in 0..40 {
        let name = format!("unmade {nth}");
        table
            .get_character(json!({"list": true, "campaign": name}))
            .refused("unknown_campaign");
        table
            .apply_damage(json!({"target": "Nobody", "amount": 1, "campaign": name}))
            .refused("no_character");
    }
    for nth in 0..40 {
        table
            .dice([3])
            .roll_dice(json!({"expression": "d6", "campaign": format!("Table {nth}")}))
            .is_fine();
    }
    let back = table
        .dice([5])
        .roll_dice(json!({"expression": "d6", "campaign": "Table 0"}));
    assert_eq!(
        back["log"], 5,
        "closed to make room, opened again where it was"
    );
    assert_eq!(
        table.get_character(json!({"list": true}))["characters"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
}
