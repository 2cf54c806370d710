//! A history that is lost: the database is replaced by an older copy, and nobody plays on in
//! silence.

use std::path::{Path, PathBuf};

use rollbook_game::view::Audience;
use rollbook_record::export::{self, Format, Wanted};
use rollbook_store::verify::Verified;
use serde_json::{Value, json};

use crate::table::Table;

/// An evening of which an older copy was kept: it ends at the first number, the database at the
/// second.
pub fn evening() -> (Table, PathBuf, u64, u64) {
    let mut table = Table::with_party();
    let ends = table.manage_session(json!({"action": "end"}))["log"]
        .as_u64()
        .expect("a number");
    let older = kept(&mut table, "older.db");
    for face in [3, 4, 5] {
        table
            .dice([face])
            .roll_dice(json!({"expression": "d6"}))
            .is_fine();
    }
    let reached = table.manage_session(json!({"action": "end"}))["log"]
        .as_u64()
        .expect("a number");
    (table, older, ends, reached)
}

/// A copy of the database, taken while no server has it open.
pub fn kept(table: &mut Table, name: &str) -> PathBuf {
    table.restart();
    let copy = table.path("copies").join(name);
    std::fs::create_dir_all(table.path("copies")).expect("a folder");
    std::fs::copy(table.database(), &copy).expect("a copy");
    copy
}

/// Puts another file in the place of the database, and starts the server anew.
pub fn replace(table: &mut Table, by: &Path) {
    table.restart();
    table.spoil();
    std::fs::remove_file(table.database()).expect("it was there");
    std::fs::copy(by, table.database()).expect("is put there");
}

fn history_lost(table: &mut Table) -> Value {
    table.manage_session(json!({"action": "status"}))["history_lost"].clone()
}

#[test]
fn an_older_copy_is_reported_and_not_written_until_the_loss_is_accepted_and_the_log_says_so_for_ever()
 {
    let (mut table, older, ends, reached) = evening();
    replace(&mut table, &older);
    let before = table.record().everything();
    let sentence = format!(
        "The log ends at #{ends}, and a checkpoint of 2026-11-20T19:30:00.000000Z knows entry #{reached}"
    );
    for action in [
        json!({"action": "start"}),
        json!({"action": "undo"}),
        json!({"action": "end"}),
    ] {
        let refused = table.manage_session(action);
        let summary = refused.refusal_text("history_lost");
        assert!(
            summary.starts_with(&sentence)
                && summary.contains("send manage_session action=\"accept_loss\""),
            "{summary}"
        );
    }
    table
        .roll_dice(json!({"expression": "d6"}))
        .refused("history_lost");
    table
        .manage_character(json!({"action": "award", "character": "Jory", "xp": 1}))
        .refused("history_lost");
    assert_eq!(table.record().everything(), before, "nothing was written");
    let sheet = table.get_character(json!({"character": "Jory"}));
    assert_eq!(sheet["character"]["name"], "Jory", "reading goes on");
    assert!(
        sheet.text("history_lost").starts_with(&sentence)
            && sheet.text("summary").starts_with(&sentence)
    );
    assert!(
        history_lost(&mut table)
            .as_str()
            .expect("text")
            .starts_with(&sentence)
    );
    // Another campaign of the same database has a log of its own.
    table
        .dice([2])
        .roll_dice(json!({"expression": "d6", "campaign": "two"}))
        .is_fine();

    let asks = table.manage_session(json!({"action": "accept_loss"}));
    let summary = asks.refusal_text("not_confirmed").to_owned();
    assert!(summary.contains("confirm=\"accept loss\""), "{summary}");
    let accepted = table.manage_session(json!({"action": "accept_loss", "confirm": "accept loss"}));
    assert_eq!(accepted["log"], ends + 1);
    let summary = accepted.text("summary");
    assert!(
        summary.starts_with("The loss of history is accepted, and play goes on. The log ends at #"),
        "{summary}"
    );
    assert_eq!(
        accepted["player_text"],
        "A part of the log is lost, and play goes on without it."
    );
    assert_eq!(accepted["history_lost"], Value::Null);
    table
        .dice([6])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
    table
        .manage_session(json!({"action": "accept_loss", "confirm": "accept loss"}))
        .refused("no_loss");
    table
        .manage_session(json!({"action": "undo", "entry": ends + 1}))
        .is_refused();
    table.restart();
    assert_eq!(
        history_lost(&mut table),
        Value::Null,
        "it is not asked again"
    );
    table
        .dice([6])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    table.restart();
    table
        .dice([6])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();

    let event = table
        .record()
        .bodies()
        .into_iter()
        .find(|body| body["event"]["kind"] == "loss_accepted");
    let event = event.expect("an entry")["event"].clone();
    assert_eq!(
        json!([event["log_ends"], event["reached"], event["known_by"]]),
        json!([ends, reached, "checkpoint"])
    );
    let verified = table.record().verified(None);
    assert!(
        verified.is_sound(),
        "what the log accepts is no finding: {verified:?}"
    );
    let known = format!(
        "entries #{} to #{reached} were lost, as this entry says: 1 checkpoint knows of it, and the last that the log holds",
        ends + 1
    );
    let notes = |verified: &Verified, words: &str| {
        verified.campaigns[0]
            .notes
            .iter()
            .any(|note| note.seq == ends + 1 && note.what.starts_with(words))
    };
    assert!(notes(&verified, &known), "{verified:?}");
    let accepts = |verified: &Verified| {
        let mut notes = verified.campaigns.iter().flat_map(|report| &report.notes);
        notes.any(|note| {
            note.seq == ends + 1
                && note
                    .what
                    .starts_with("it accepts a loss. The log ends at #")
        })
    };
    assert!(accepts(&verified), "{verified:?}");
    // Without the checkpoints, the log itself still says it.
    std::fs::remove_file(table.path("checkpoints.log")).expect("is removed");
    let verified = table.record().verified(None);
    assert!(verified.is_sound() && accepts(&verified), "{verified:?}");
    table.restart();
    table
        .dice([6])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
}

#[test]
fn an_export_of_an_older_copy_tells_of_the_loss() {
    let (mut table, older, ends, reached) = evening();
    let lost = |table: &Table, name: &str| {
        let out = table.path(name);
        let exported = table
            .wait(export::export(
                table.database(),
                &Wanted::of(Audience::Player, Format::Jsonl),
                &out,
                0,
            ))
            .expect("is written");
        let text = std::fs::read_to_string(&out).expect("text");
        let header: Value =
            serde_json::from_str(text.lines().next().expect("a header")).expect("JSON");
        let copy = table
            .wait(export::check_copy(&out, None))
            .expect("can be checked");
        assert!(copy.findings.is_empty(), "{:?}", copy.findings);
        assert_eq!(
            header["rollbook"]["history_lost"],
            json!(exported.history_lost)
        );
        assert_eq!(copy.history_lost, exported.history_lost);
        let all = table.wait(export::export_all(
            table.database(),
            &table.path(&format!("{name}.db")),
            0,
        ));
        assert_eq!(all.expect("is written")[0].2, exported.history_lost);
        exported.history_lost
    };
    assert_eq!(lost(&table, "whole.jsonl"), None);
    replace(&mut table, &older);
    let sentence = lost(&table, "older.jsonl").expect("is told");
    assert!(
        sentence.starts_with(&format!("The log ends at #{ends}, and a checkpoint of ")),
        "{sentence}"
    );
    assert!(
        sentence.contains(&format!("knows entry #{reached}")),
        "{sentence}"
    );
}

#[test]
fn the_newer_file_is_put_back_and_play_goes_on_without_accepting_anything() {
    let (mut table, older, _, reached) = evening();
    let newer = kept(&mut table, "newer.db");
    replace(&mut table, &older);
    table
        .roll_dice(json!({"expression": "d6"}))
        .refused("history_lost");
    replace(&mut table, &newer);
    assert_eq!(history_lost(&mut table), Value::Null);
    let rolled = table.dice([6]).roll_dice(json!({"expression": "d6"}));
    assert_eq!(rolled["log"], reached + 2, "a session opens, and the roll");
    table
        .manage_session(json!({"action": "accept_loss", "confirm": "accept loss"}))
        .refused("no_loss");
    table.record().is_sound();
}

#[test]
fn an_older_copy_that_was_played_on_elsewhere_is_reported_though_its_log_is_longer() {
    let (mut table, older, _, reached) = evening();
    replace(&mut table, &older);
    let (checkpoints, aside) = (table.path("checkpoints.log"), table.path("aside.log"));
    std::fs::rename(&checkpoints, &aside).expect("is moved");
    for _ in 0..9 {
        table
            .dice([1])
            .roll_dice(json!({"expression": "d6"}))
            .is_fine();
    }
    table.restart();
    std::fs::rename(&aside, &checkpoints).expect("is moved back");
    let refused = table.roll_dice(json!({"expression": "d6"}));
    let summary = refused.refusal_text("history_lost");
    assert!(
        summary.starts_with(&format!(
            "Entry #{reached} is not the one that a checkpoint of "
        )),
        "{summary}"
    );
    table
        .manage_session(json!({"action": "accept_loss", "confirm": "accept loss"}))
        .is_fine();
    table.restart();
    table
        .dice([1])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
}

#[test]
fn a_caller_that_knows_more_than_the_log_is_notified_and_puts_a_slip_right_by_sending_what_is_advised()
 {
    let mut table = Table::lockhouse();
    let last = table.dice([3]).roll_dice(json!({"expression": "d6"}))["log"]
        .as_u64()
        .expect("a number");
    let roll = |after: u64| json!({"expression": "d6", "after": after});
    let refused = table.roll_dice(roll(last + 9));
    let summary = refused.refusal_text("history_lost");
    assert!(
        summary.contains(&format!("after={} knows entry #{}", last + 9, last + 9)),
        "{summary}"
    );
    assert!(
        summary.contains(&format!("If the number is a slip, send after={last}.")),
        "{summary}"
    );
    // It is not forgotten by the next call, which knows of nothing.
    table
        .roll_dice(json!({"expression": "d6"}))
        .refused("history_lost");
    assert!(
        history_lost(&mut table)
            .as_str()
            .expect("text")
            .contains("knows entry")
    );
    table.dice([4]).roll_dice(roll(last)).is_fine();
    assert_eq!(history_lost(&mut table), Value::Null);
    // What is truly lost is accepted.
    table.roll_dice(roll(50)).refused("history_lost");
    let sheet = table.manage_session(json!({"action": "status", "after": 50}));
    assert!(
        sheet
            .text("history_lost")
            .contains("after=50 knows entry #50"),
        "what is noted is told to a reader"
    );
    table
        .dice([4])
        .roll_dice(json!({"expression": "d6", "campaign": "two", "request_id": "one"}))
        .is_fine();
    table
        .manage_session(json!({"action": "accept_loss", "confirm": "accept loss"}))
        .is_fine();
    table
        .dice([4])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
    // A campaign of which nothing is there is not begun by a caller who knows it.
    table
        .roll_dice(json!({"expression": "d6", "campaign": "three", "after": 7}))
        .refused("history_lost");
    table
        .manage_session(json!({"action": "status", "campaign": "three"}))
        .refused("unknown_campaign");
}

#[test]
fn a_loss_that_a_caller_knows_of_a_campaign_without_an_entry_is_not_forgotten() {
    let mut table = Table::lockhouse();
    table
        .roll_dice(json!({"expression": "d6", "after": 500}))
        .refused("history_lost");
    assert!(
        history_lost(&mut table)
            .as_str()
            .expect("text")
            .contains("knows entry #500")
    );
    table
        .roll_dice(json!({"expression": "d6"}))
        .refused("history_lost");
    table
        .roll_dice(json!({"expression": "d6", "after": 500}))
        .refused("history_lost");
    table
        .manage_session(json!({"action": "accept_loss", "confirm": "accept loss"}))
        .is_fine();
    assert_eq!(history_lost(&mut table), Value::Null);
    table
        .dice([4])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
    // The same number as a slip.
    let mut table = Table::lockhouse();
    table
        .roll_dice(json!({"expression": "d6", "after": 500}))
        .refused("history_lost");
    table
        .dice([4])
        .roll_dice(json!({"expression": "d6", "after": 0}))
        .is_fine();
    assert_eq!(history_lost(&mut table), Value::Null);
}

#[test]
fn a_read_is_refused_with_a_number_beyond_the_log_and_locks_nothing() {
    let mut table = Table::with_party();
    let mut last = table.record().length();
    let reads = [
        ("manage_combat", json!({"action": "status", "after": 500})),
        ("manage_session", json!({"action": "status", "after": 500})),
        (
            "manage_session",
            json!({"action": "resume", "after": last + 9}),
        ),
        (
            "manage_session",
            json!({"action": "recap", "after": i64::MAX}),
        ),
        (
            "manage_session",
            json!({"action": "list", "after": 1_000_000_000_000_u64}),
        ),
        (
            "manage_session",
            json!({"action": "entry", "entry": 1, "after": 500}),
        ),
    ];
    for (tool, mut call) in reads {
        let refused = table.call(tool, call.clone());
        let summary = refused.refusal_text("invalid_parameters").to_owned();
        assert!(
            summary.contains(&format!("the last entry is #{last}. Send after={last}")),
            "{call}: {summary}"
        );
        assert_eq!(history_lost(&mut table), Value::Null, "{call}");
        call["after"] = json!(last);
        table.call(tool, call).is_fine();
        last = table.dice([4]).roll_dice(json!({"expression": "d6"}))["log"]
            .as_i64()
            .expect("a number");
    }
    // Of a campaign without an entry.
    let status = json!({"action": "status", "campaign": "two", "after": 7});
    table.manage_session(status).refused("unknown_campaign");
    let mut table = Table::lockhouse();
    let refused = table.manage_session(json!({"action": "status", "after": 500}));
    refused.refused_with("invalid_parameters", &["nothing is in the log yet"]);
    table
        .dice([4])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
}

#[test]
fn no_other_number_that_a_read_takes_locks_a_campaign() {
    let mut table = Table::with_party();
    for number in [
        0,
        500,
        u64::from(u32::MAX),
        i64::MAX as u64,
        i64::MAX as u64 + 1,
        u64::MAX,
    ] {
        for (name, action) in [
            ("entry", "entry"),
            ("session", "recap"),
            ("budget", "recap"),
        ] {
            let mut call = json!({"action": action});
            call[name] = json!(number);
            let answer = table.manage_session(call.clone());
            if let Some(code) = answer.value()["code"].as_str() {
                let expected = [
                    "invalid_parameters",
                    "limit_exceeded",
                    "unknown_entry",
                    "no_session",
                ]
                .into_iter()
                .find(|known| *known == code);
                answer.refused(expected.unwrap_or("one of these"));
            }
        }
        table
            .dice([4])
            .roll_dice(json!({"expression": "d6"}))
            .is_fine();
    }
    assert_eq!(history_lost(&mut table), Value::Null);
}

#[test]
fn the_odds_of_a_check_tell_of_a_loss_as_every_reply_about_the_game_does() {
    let mut table = Table::with_party();
    let odds = json!({"character": "Jory", "skill": "Melee", "difficulty": 9});
    assert_eq!(
        table.call("odds", odds.clone()).is_fine()["history_lost"],
        Value::Null
    );
    table
        .roll_dice(json!({"expression": "d6", "after": 500}))
        .refused("history_lost");
    assert!(
        table
            .call("odds", odds)
            .text("history_lost")
            .contains("knows entry #500")
    );
    // What looks at no game tells of none.
    assert_eq!(
        table.call("odds", json!({"expression": "d6"})).is_fine()["history_lost"],
        Value::Null
    );
}

#[test]
fn what_a_running_server_has_read_and_is_gone_is_reported() {
    let (mut table, _, ends, reached) = evening();
    assert_eq!(history_lost(&mut table), Value::Null);
    std::fs::remove_file(table.path("checkpoints.log")).expect("is removed");
    let cut = format!(
        "drop trigger log_is_never_deleted; pragma foreign_keys = off; delete from log where seq > {ends}"
    );
    table.record().execute(&cut).expect("the vandal succeeds");
    let refused = table.roll_dice(json!({"expression": "d6"}));
    let summary = refused.refusal_text("history_lost");
    assert!(
        summary.starts_with(&format!(
            "The log ends at #{ends}, and this server knows entry #{reached}"
        )),
        "{summary}"
    );
}

#[test]
fn copies_renamed_files_and_shared_folders_raise_no_false_alarm() {
    let (mut table, older, ends, _) = evening();
    // A copy beside the database that the checkpoints name: what it lacks is not lost.
    std::fs::copy(&older, table.path("copy.db")).expect("a copy");
    let mut copy = table.next_to("copy.db");
    copy.spoil();
    assert_eq!(history_lost(&mut copy), Value::Null);
    copy.dice([1])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
    // Another book in the same folder, with a campaign of the same name.
    let mut other = table.next_to("other.db");
    other
        .dice([1])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
    drop((copy, other));
    // The database under another name is itself.
    table.restart();
    table.spoil();
    std::fs::rename(table.database(), table.path("renamed.db")).expect("is renamed");
    let mut renamed = table.next_to("renamed.db");
    renamed.spoil();
    assert_eq!(history_lost(&mut renamed), Value::Null);
    renamed
        .dice([1])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
    renamed.restart();
    // And an older copy in its place is one, whatever it is called.
    std::fs::copy(&older, table.path("renamed.db")).expect("is replaced");
    assert!(
        history_lost(&mut renamed)
            .as_str()
            .expect("text")
            .contains(&format!("The log ends at #{ends}"))
    );
    // In a folder of its own it has no checkpoints to be behind.
    drop(renamed);
}
