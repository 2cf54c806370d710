//! The tables of a players' copy, where players have a sentence of what happened and not its body.

use std::path::Path;

use rollbook_game::view::Audience;
use rollbook_record::export::{Format, check_copy};
use serde_json::{Value, json};

use super::{CANARY, in_file};
use crate::report::rig::report;
use crate::stories::hits::ring;
use crate::table::{Table, with};

/// A fight against a foe with secrets, a hidden one among them, what was awarded, and two hidden
/// rolls that are opened.
fn guarded() -> Table {
    let mut table = Table::with_party();
    table.start(json!([{"name": "Jory", "initiative": 12}, {"name": "Sabeth", "initiative": 10}, {"name": "Rat", "hp": 12, "initiative": 8},
        {"name": CANARY, "hp": 5, "hidden": true, "initiative": 4}]));
    let hit = json!({"character": "Jory", "check": "Check", "skill": "Lockpicking", "target": "Rat", "difficulty": 5, "damage": "1d6+1", "damage_type": "fire"});
    table.dice([9, 4]).skill_check(hit).is_fine();
    for _ in 0..5 {
        table
            .manage_combat(json!({"action": "next_turn"}))
            .is_fine();
    }
    let hidden = table
        .dice([3])
        .roll_dice(json!({"expression": "1d4", "visibility": "gm", "character": "Rat"}));
    table
        .apply_damage(json!({"target": "Jory", "roll": hidden["log"], "amount": 3}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Rat", "amount": 20}))
        .is_fine();
    let call =
        json!({"action": "award", "name": "Sabeth", "items": [{"name": "rope", "quantity": 2}]});
    table.manage_character(call).is_fine();
    let sealed = table
        .dice([17])
        .roll_dice(json!({"expression": "1d20", "visibility": "gm", "context": "the reeve lies"}));
    table
        .manage_session(json!({"action": "reveal", "entry": sealed["log"]}))
        .is_fine();
    let blind = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15, "visibility": "blind"});
    let blind = table.dice([18]).skill_check(blind);
    table
        .manage_session(json!({"action": "reveal", "entry": blind["log"]}))
        .is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    table
}

#[test]
fn players_tables_have_what_their_sentences_say_where_the_body_is_not_theirs() {
    let table = guarded();
    let players = table.export(Audience::Player, Format::Db, "players.db");
    let gm = table.export(Audience::Gm, Format::Db, "gm.db");
    let ask = |file: &Path, sql: &str| json!(in_file(file, |record| record.rows(sql)));
    let blows =
        "select attacker, target, rolled, amount, damage_type, applied from damage order by n";
    let wanted = json!([
        {"attacker": "Jory", "target": "Rat", "rolled": 5, "amount": null, "damage_type": "fire", "applied": null},
        {"attacker": null, "target": "Jory", "rolled": null, "amount": 3, "damage_type": null, "applied": 3},
        {"attacker": null, "target": "Rat", "rolled": null, "amount": null, "damage_type": null, "applied": null},
    ]);
    assert_eq!(ask(&players, blows), wanted);
    // Hidden turns are no turns of theirs, and every other one is in its fight and round.
    let fights = "select count(distinct fight) as fights, min(fight) as fight, max(round) as rounds, count(*) as turns, sum(who is null) as unknown
        from turns where what = 'turn'";
    let fought = ask(&players, fights);
    assert_eq!(
        json!([
            fought[0]["fights"],
            fought[0]["rounds"],
            fought[0]["unknown"]
        ]),
        json!([1, 2, 0]),
        "{fought}"
    );
    let first = ask(
        &players,
        "select min(n) as n from entries where kind = 'combat_started'",
    );
    assert_eq!(fought[0]["fight"], first[0]["n"]);
    assert_eq!(ask(&gm, fights)[0]["rounds"], 2);
    let opened = "select total, what_for, who, visibility from rolls where visibility = 'revealed' order by n";
    let wanted = json!([
        {"total": 17, "what_for": "the reeve lies", "who": "gm", "visibility": "revealed"},
        {"total": 23, "what_for": "skill check", "who": "Sabeth", "visibility": "revealed"},
    ]);
    assert_eq!(ask(&players, opened), wanted);
    let expected = json!([{"value": 17}, {"value": 18}]);
    assert_eq!(
        ask(
            &players,
            "select value from dice where visibility = 'revealed' order by n"
        ),
        expected
    );
    // The one of which they knew before is counted once.
    assert_eq!(
        ask(
            &players,
            "select count(*) as n from entries where kind = 'revealed'"
        ),
        json!([{"n": 1}])
    );
    assert_eq!(
        ask(&players, "select text from story where what = 'items'"),
        json!([{"text": "Sabeth: rope 2."}])
    );
    let expected = json!([{"who": "Sabeth", "text": "Sabeth: rope 2."}]);
    assert_eq!(
        ask(&gm, "select who, text from story where what = 'items'"),
        expected
    );
    let bytes = std::fs::read(&players).expect("bytes");
    assert!(
        !bytes
            .windows(CANARY.len())
            .any(|window| window == CANARY.as_bytes())
    );
    let checked = table.wait(check_copy(&players, None)).expect("is checked");
    assert_eq!(checked.findings, [""; 0].map(str::to_owned));
    // The table `told` is in no proof, and is made of them again.
    in_file(&players, |record| {
        record.execute("update told set body = json_set(body, '$.event.subject.name', 'Jory')")
    })
    .expect("is changed");
    let checked = table.wait(check_copy(&players, None)).expect("is checked");
    assert_eq!(
        checked.findings,
        ["its table told is not what its proofs make"]
    );
}

#[test]
fn what_a_check_rolled_is_called_alike_for_both_audiences() {
    let mut table = ring();
    let attacks = json!([{"name": "Boat hook (long)", "bonus": 4, "damage": "1d6"}]);
    table
        .manage_character(json!({"action": "update", "character": "Ann", "attacks": attacks}))
        .is_fine();
    for call in [
        json!({"attack": "Boat hook (long)", "target": "Wolf 1", "context": "at the rail"}),
        json!({"attribute": "STR", "target": "Wolf 2", "damage": "1d6"}),
        json!({"skill": "Melee", "target": "Wolf 2", "damage": "1d6"}),
    ] {
        let call = with(json!({"character": "Ann", "check": "Strike"}), call);
        table.dice([3]).skill_check(call).is_fine();
    }
    let sentence = table.record().rows(
        "select json_extract(public, '$.text') as text from log where kind = 'check' order by seq",
    );
    let sentence = sentence[0]["text"].as_str().expect("a sentence");
    assert!(
        sentence.starts_with("Ann, Boat hook (long) at Wolf 1 (at the rail): "),
        "{sentence}"
    );
    let found = table.call("search_log", json!({"skill": "boat"}));
    assert_eq!(
        found.is_fine()["found"].as_array().expect("a list").len(),
        1
    );
    for audience in [Audience::Player, Audience::Gm] {
        let copy = table.export(audience, Format::Db, &format!("{audience:?}.db"));
        for sql in [
            "select skill, against from checks order by n",
            "select rolls.skill, against from rolls join checks using (n) order by rolls.n",
        ] {
            let expected = json!([
                {"skill": "Boat hook (long)", "against": "Wolf 1"},
                {"skill": "Strength", "against": "Wolf 2"},
                {"skill": "Melee", "against": "Wolf 2"},
            ]);
            assert_eq!(
                json!(in_file(&copy, |record| record.rows(sql))),
                expected,
                "{audience:?}: {sql}"
            );
        }
        let report = report(&table, audience, rollbook_record::report::Format::Markdown);
        assert!(
            report.contains("| Ann | Boat hook (long) | 1 |"),
            "{report}"
        );
    }
}

#[test]
fn undos_that_players_only_read_of_mark_what_they_took_back() {
    let mut table = Table::with_party();
    table.start(
        json!([{"name": "Jory", "initiative": 12}, {"name": "Rat", "hp": 30, "initiative": 8},
        {"name": CANARY, "hp": 30, "hidden": true, "initiative": 4}]),
    );
    table
        .apply_damage(json!({"target": "Rat", "amount": 16}))
        .is_fine();
    for _ in 0..2 {
        table
            .apply_damage(json!({"target": "Rat", "amount": 1}))
            .is_fine();
    }
    table
        .apply_damage(json!({"target": "Jory", "amount": 1}))
        .is_fine();
    table
        .apply_damage(json!({"target": CANARY, "amount": 1, "visibility": "gm"}))
        .is_fine();
    for _ in 0..3 {
        table.manage_session(json!({"action": "undo"})).is_fine();
    }
    let back = table.manage_session(json!({"action": "undo"}));
    table
        .manage_session(json!({"action": "undo", "entry": back["log"]}))
        .is_fine();
    let all = json!({"target": ["Jory", "Rat"], "amount": "1d4", "each": true});
    table.dice([2, 3]).apply_damage(all.clone()).is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    table.dice([4, 1]).apply_damage(all).is_fine();
    let many = json!({"target": ["Jory", "Rat"], "amount": "1d4", "reason": "a gust"});
    table.dice([3]).apply_damage(many).is_fine();
    let blows = "select target, undone, rolled from damage where target <> $1 order by n"
        .replace("$1", &format!("'{CANARY}'"));
    let gm = table.export(Audience::Gm, Format::Db, "gm.db");
    let players = table.export(Audience::Player, Format::Db, "players.db");
    let ask = |file: &Path, sql: &str| json!(in_file(file, |record| record.rows(sql)));
    let expected = json!([
        {"target": "Rat", "undone": 0, "rolled": null}, {"target": "Rat", "undone": 0, "rolled": null},
        {"target": "Rat", "undone": 1, "rolled": null}, {"target": "Jory", "undone": 1, "rolled": null},
        {"target": "Jory", "undone": 1, "rolled": 2}, {"target": "Rat", "undone": 1, "rolled": 3},
        {"target": "Jory", "undone": 0, "rolled": 4}, {"target": "Rat", "undone": 0, "rolled": 1},
        {"target": "Jory", "undone": 0, "rolled": 3}, {"target": "Rat", "undone": 0, "rolled": 3},
    ]);
    assert_eq!(ask(&gm, &blows), expected);
    assert_eq!(
        ask(&players, &blows),
        expected,
        "{}",
        ask(&players, "select n, kind, text from entries")
    );
    let checked = table.wait(check_copy(&players, None)).expect("is checked");
    assert_eq!(checked.findings, [""; 0].map(str::to_owned));
}

#[test]
fn a_thread_that_was_taken_back_and_then_opened_is_not_open() {
    let mut table = Table::with_party();
    let note =
        json!({"action": "note", "text": "Who rang it?", "kind": "thread", "visibility": "gm"});
    let note = table.manage_session(note);
    table.manage_session(json!({"action": "undo"})).is_fine();
    let opened = table.manage_session(json!({"action": "reveal", "entry": note["log"]}));
    assert!(
        opened
            .text("player_text")
            .ends_with("Who rang it? It was taken back before it was opened."),
        "{opened:?}"
    );
    for (audience, name) in [(Audience::Gm, "gm.db"), (Audience::Player, "players.db")] {
        let copy = table.export(audience, Format::Db, name);
        let open = "select text from notes where kind = 'thread' and closed_by is null";
        assert_eq!(
            in_file(&copy, |record| record.rows(open)),
            Vec::<Value>::new(),
            "{audience:?}"
        );
        let story = "select undone from story where text like '%rang%' order by n";
        assert!(
            in_file(&copy, |record| record.rows(story))
                .iter()
                .all(|row| row["undone"] == 1),
            "{audience:?}"
        );
    }
}
