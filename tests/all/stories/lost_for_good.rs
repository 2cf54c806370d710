//! A loss that the log records: it is noted for ever, and takes nothing from what else was kept.

use std::path::PathBuf;

use rollbook_game::view::Audience;
use rollbook_record::report::Format;
use rollbook_store::verify::Verified;
use serde_json::json;

use super::lost::{evening, kept, replace};
use crate::report::rig::report;
use crate::table::Table;

fn accept(table: &mut Table) -> u64 {
    let accepted = table.manage_session(json!({"action": "accept_loss", "confirm": "accept loss"}));
    accepted.is_fine()["log"].as_u64().expect("a number")
}

/// Rolls so many dice, and ends the session, which leaves a checkpoint. Answers its entry.
fn play(table: &mut Table, rolls: i64) -> u64 {
    for _ in 0..rolls {
        table
            .dice([6])
            .roll_dice(json!({"expression": "d6"}))
            .is_fine();
    }
    table.manage_session(json!({"action": "end"})).is_fine()["log"]
        .as_u64()
        .expect("a number")
}

fn findings(verified: &Verified) -> Vec<String> {
    let all = verified
        .campaigns
        .iter()
        .flat_map(|report| &report.findings)
        .map(ToString::to_string);
    verified.findings.iter().cloned().chain(all).collect()
}

fn losses(verified: &Verified) -> Vec<(u64, u64, u64)> {
    verified.campaigns[0]
        .losses
        .iter()
        .map(|lost| (lost.by, lost.log_ends, lost.reached))
        .collect()
}

/// A table that accepted a loss and played on: what was kept before, and the entries of `evening`.
fn accepted() -> (Table, PathBuf, u64, u64) {
    let (mut table, older, ends, reached) = evening();
    replace(&mut table, &older);
    assert_eq!(accept(&mut table), ends + 1);
    play(&mut table, 1);
    (table, older, ends, reached)
}

#[test]
fn the_same_copy_may_be_put_back_twice() {
    let (mut table, older, ends, reached) = accepted();
    let further = play(&mut table, 9);
    assert!(further > reached, "the second history is the longer one");
    for _ in 0..2 {
        replace(&mut table, &older);
        assert_eq!(accept(&mut table), ends + 1);
        play(&mut table, 1);
        table.restart();
        let verified = table.record().verified(None);
        assert_eq!(
            (findings(&verified), losses(&verified)),
            (vec![], vec![(ends + 1, ends, further)])
        );
    }
}

#[test]
fn the_newest_copy_may_be_put_back_after_an_older_one_was_played_on() {
    let (mut table, older, _, _) = evening();
    let newest = kept(&mut table, "newest.db");
    let head = table.record().length();
    replace(&mut table, &older);
    accept(&mut table);
    play(&mut table, 1);
    replace(&mut table, &newest);
    assert_eq!(
        i64::try_from(accept(&mut table)),
        Ok(head + 1),
        "the other history is given up"
    );
    play(&mut table, 1);
    table.restart();
    let verified = table.record().verified(None);
    assert_eq!(findings(&verified), Vec::<String>::new());
    assert!(
        verified.campaigns[0].losses[0]
            .summary()
            .contains("of another history up to #"),
        "{verified:?}"
    );
}

#[test]
fn what_checkpoints_know_beyond_what_was_accepted_is_found() {
    let (mut table, older, ends, _) = accepted();
    let further = play(&mut table, 9);
    table.restart();
    // Cut off once more, after the loss that was accepted, and nobody says so.
    let cut = |table: &Table, sql: &str| table.record().execute(sql).expect("is changed");
    let triggers = table
        .record()
        .rows("select name from sqlite_schema where type = 'trigger' and tbl_name = 'log'");
    for trigger in triggers {
        cut(
            &table,
            &format!("drop trigger {}", trigger["name"].as_str().expect("a name")),
        );
    }
    cut(&table, &format!("delete from log where seq > {}", ends + 3));
    let verified = table.record().verified(None);
    let says = format!(
        "says the log reached #{further}, and it ends at #{}",
        ends + 3
    );
    assert!(
        findings(&verified)
            .iter()
            .any(|finding| finding.contains(&says)),
        "{verified:?}"
    );
    // An older copy that nobody accepted says nothing of the loss.
    replace(&mut table, &older);
    let verified = table.record().verified(None);
    assert!(
        findings(&verified)
            .iter()
            .any(|finding| finding.contains("its tail was cut off")),
        "{verified:?}"
    );
}

#[test]
fn a_log_that_was_rewritten_does_not_excuse_itself() {
    let (mut table, older, _, reached) = evening();
    let (checkpoints, aside) = (table.path("checkpoints.log"), table.path("aside.log"));
    replace(&mut table, &older);
    std::fs::rename(&checkpoints, &aside).expect("is moved");
    // Another history in the place of the first, as long, before anybody is asked.
    play(&mut table, 9);
    table.restart();
    std::fs::rename(&aside, &checkpoints).expect("is moved back");
    accept(&mut table);
    table.restart();
    let verified = table.record().verified(None);
    let says = format!("#{reached}: a checkpoint of campaigns.db names another chain value");
    assert!(
        findings(&verified)
            .iter()
            .any(|finding| finding.starts_with(&says)),
        "{verified:?}"
    );
}

#[test]
fn a_receipt_of_what_was_lost_is_a_finding_that_says_so() {
    let (mut table, older, ends, reached) = evening();
    let receipt = head(&table);
    replace(&mut table, &older);
    let before = head(&table);
    let by = accept(&mut table);
    for more in [1, 12] {
        play(&mut table, more);
        table.restart();
        let verified = table.record().verified(Some(&receipt));
        let [finding] = &findings(&verified)[..] else {
            panic!("{verified:?}")
        };
        let says = format!(
            "It may be of what was lost: entries #{} to #{reached} were lost, and the log says so since #{by} of ",
            ends + 1
        );
        assert!(
            finding.starts_with(&format!("#{reached}: the receipt ")) && finding.contains(&says),
            "{finding}"
        );
        assert!(table.record().verified(Some(&before)).is_sound());
    }
}

fn head(table: &Table) -> String {
    let row = &table
        .record()
        .rows("select seq, lower(hex(chain)) as chain from log order by seq desc limit 1")[0];
    format!(
        "#{} {}",
        row["seq"],
        &row["chain"].as_str().expect("hex")[..20]
    )
}

#[test]
fn the_report_and_the_players_copy_say_that_something_was_lost() {
    let (mut table, _, ends, reached) = accepted();
    table.restart();
    for (audience, says) in [
        (
            Audience::Gm,
            format!(
                "entries #{} to #{reached} were lost, and the log says so since #{}",
                ends + 1,
                ends + 1
            ),
        ),
        (
            Audience::Player,
            "Play went on without it, and the log says so since ".to_owned(),
        ),
    ] {
        let page = report(&table, audience, Format::Markdown);
        let seal = page
            .split("## Story")
            .next()
            .expect("the seal")
            .replace('\\', "");
        assert!(
            seal.contains("The log holds.") && seal.contains("A part of the log was lost."),
            "{seal}"
        );
        assert!(seal.contains(&says), "{seal}");
    }
    let copy = table.export(
        Audience::Player,
        rollbook_record::export::Format::Jsonl,
        "players.jsonl",
    );
    let text = std::fs::read_to_string(copy).expect("text");
    assert!(
        text.contains("A part of the log is lost, and play goes on without it."),
        "{text}"
    );
}

#[test]
fn a_players_copy_says_that_a_receipt_may_be_of_what_was_lost() {
    let (mut table, older, ends, reached) = evening();
    let lost = head(&table);
    replace(&mut table, &older);
    let by = accept(&mut table);
    play(&mut table, 12);
    table.restart();
    for format in rollbook_record::export::Format::ALL {
        let copy = table.export(
            Audience::Player,
            *format,
            &format!("players.{}", format.name()),
        );
        let checked = table
            .wait(rollbook_record::export::check_copy(&copy, Some(&lost)))
            .expect("is checked");
        let says = format!(
            "#{reached}: the receipt names another chain value for it. It may be of an entry that was lost: #{by} says"
        );
        assert!(
            by == ends + 1
                && checked
                    .findings
                    .iter()
                    .any(|finding| finding.starts_with(&says)),
            "{:?}",
            checked.findings
        );
    }
}

#[test]
fn a_copy_that_was_played_on_beside_its_original_is_named_as_such() {
    let (mut table, older, _, _) = evening();
    table.spoil();
    table.restart();
    let verified = |database: &std::path::Path| {
        let mut command = crate::process::rollbook(database.parent().expect("a folder"));
        let output = command
            .args(["verify", "--db"])
            .arg(database)
            .output()
            .expect("it ends");
        (
            output.status.code(),
            String::from_utf8(output.stdout).expect("text"),
        )
    };
    let beside = table.path("branch.db");
    std::fs::copy(&older, &beside).expect("a copy");
    let original = table
        .database()
        .file_name()
        .expect("a name")
        .to_str()
        .expect("text")
        .to_owned();
    let (code, text) = verified(&beside);
    let hint = format!(
        "its tail was cut off, or {original} was played on apart from it: then put this file into another folder"
    );
    assert!(code == Some(1) && text.contains(&hint), "{text}");
    // In its own place it is an older copy, and in a folder of its own nothing knows more.
    assert_eq!(verified(&older).0, Some(0));
    replace(&mut table, &older);
    let (code, text) = verified(table.database());
    assert!(
        code == Some(1) && text.contains("its tail was cut off") && !text.contains("apart"),
        "{text}"
    );
}
