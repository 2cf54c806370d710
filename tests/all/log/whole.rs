//! What no chain can show: a campaign that was taken out, a schema that was changed, a file that
//! was replaced.

use rollbook_store::verify::Verified;
use serde_json::json;

use super::evening;
use crate::table::Table;

/// Takes a campaign with everything of it out of the file, as a thorough vandal would.
const DELETE: &str = "drop trigger log_is_never_deleted; drop trigger requests_are_never_deleted;
    delete from log; delete from requests; delete from sessions; delete from characters; delete from tracks; delete from
    conditions; delete from combats; delete from combatants; delete from clocks; delete from roll_rows; delete from words; delete from seen; delete from campaigns;";
const DELETE_TRIGGERS: &str = "
    create trigger log_is_never_deleted before delete on log
begin
    select raise(abort, 'the log is append-only: entries are never removed');
end;
    create trigger requests_are_never_deleted before delete on requests
begin
    select raise(abort, 'answers are kept as they were given');
end;";

fn campaign_two(table: &mut Table) -> String {
    let rolled = table
        .dice([4])
        .roll_dice(json!({"expression": "d6", "campaign": "two"}));
    rolled.text("receipt").to_owned()
}

#[track_caller]
fn found(verified: &Verified, words: &str) {
    assert!(
        verified
            .findings
            .iter()
            .any(|finding| finding.contains(words)),
        "no \"{words}\" in {verified:?}"
    );
    assert!(!verified.is_sound());
}

#[test]
fn a_campaign_that_was_deleted_is_known_by_its_checkpoint() {
    let mut table = evening();
    table.manage_session(json!({"action": "end"})).is_fine();
    let record = table.record();
    record
        .execute(&format!("{DELETE} {DELETE_TRIGGERS}"))
        .expect("the vandal succeeds");
    let verified = record.verified(None);
    found(&verified, "campaign \"lockhouse\"");
    assert_eq!(
        (verified.findings.len(), verified.campaigns.len()),
        (1, 0),
        "{verified:?}"
    );
    // Another file beside the same checkpoints, with a campaign of its own, is not accused.
    let mut another = table.next_to("other.db");
    campaign_two(&mut another);
    another.record().is_sound();
    drop(another);
    record
        .execute("pragma wal_checkpoint(truncate)")
        .expect("all of it lies in the file");
    // Who renames the file keeps the book's name in it.
    let renamed = table.path("renamed.db");
    std::fs::copy(table.database(), &renamed).expect("a copy");
    let verified = table
        .wait(rollbook_store::verify::verify(&renamed, None, None))
        .expect("can be verified");
    found(&verified, "campaign \"lockhouse\"");
    // Who puts another file in its place keeps the file's name.
    std::fs::copy(table.path("other.db"), table.database()).expect("the vandal succeeds");
    found(&table.record().verified(None), "campaign \"lockhouse\"");
}

#[test]
fn one_campaign_of_two_that_was_deleted_is_found_though_the_other_verifies() {
    let mut table = evening();
    table.manage_session(json!({"action": "end"})).is_fine();
    campaign_two(&mut table);
    let record = table.record();
    record.is_sound_beside(2);
    let gone = DELETE.replace(
        "delete from campaigns",
        "delete from campaigns where name = 'lockhouse'",
    );
    let gone = [
        "log",
        "requests",
        "sessions",
        "characters",
        "tracks",
        "combats",
        "combatants",
        "clocks",
        "roll_rows",
        "seen",
    ]
    .iter()
    .fold(gone, |sql, name| {
        sql.replace(
            &format!("from {name};"),
            &format!("from {name} where campaign = 1;"),
        )
    });
    record
        .execute(&format!(
            "pragma foreign_keys = on; {gone} {DELETE_TRIGGERS}"
        ))
        .expect("the vandal succeeds");
    let verified = record.verified(None);
    found(&verified, "campaign \"lockhouse\"");
    assert!(
        verified.campaigns.len() == 1 && verified.campaigns[0].findings.is_empty(),
        "{verified:?}"
    );
    // Nor is it begun anew by the next roll, whatever its capitals; another is, and what is left is
    // played on.
    table.restart();
    let before = table.record().everything();
    for arguments in [
        json!({"expression": "d6"}),
        json!({"expression": "d6", "campaign": "LockHouse"}),
    ] {
        let refused = table.roll_dice(arguments);
        refused.refused_with(
            "campaign_lost",
            &["reached entry #23", "send another name as campaign"],
        );
    }
    assert_eq!(table.record().everything(), before);
    campaign_two(&mut table);
    table
        .dice([4])
        .roll_dice(json!({"expression": "d6", "campaign": "three"}))
        .is_fine();
}

#[test]
fn rows_that_belong_to_no_campaign_are_found() {
    let table = evening();
    table
        .record()
        .execute("pragma foreign_keys = off; delete from campaigns")
        .expect("the vandal succeeds");
    let verified = table.record().verified(None);
    for rows in [
        "rows of log",
        "rows of roll_rows",
        "1 rows of requests",
        "rows of characters",
    ] {
        found(&verified, rows);
    }
}

#[test]
fn a_changed_schema_is_found() {
    for (sql, words) in [
        (
            "drop trigger log_is_never_updated",
            "the schema's trigger log_is_never_updated is gone",
        ),
        (
            "drop trigger log_grows_by_one_link; create trigger log_grows_by_one_link before insert on log begin select 1; end",
            "the schema's trigger log_grows_by_one_link is not the one",
        ),
        (
            "drop view entries; create view entries as select 'nothing happened' as body",
            "the schema's view entries is not",
        ),
        (
            "create trigger more after insert on log begin delete from roll_rows; end",
            "the trigger more on log was added",
        ),
        (
            "create unique index one on roll_rows (total, seq)",
            "the index one on roll_rows was added",
        ),
        (
            "alter table roll_rows add column forged integer",
            "the schema's table roll_rows is not",
        ),
        ("drop table book", "the schema's table book is gone"),
        (
            "drop table roll_rows",
            "the schema's table roll_rows is gone",
        ),
        (
            "pragma foreign_keys = off; drop table campaigns",
            "the schema's table campaigns is gone",
        ),
    ] {
        let table = evening();
        table.record().execute(sql).expect(sql);
        found(&table.record().verified(None), words);
    }
}

#[test]
fn what_a_user_added_is_noted() {
    let table = evening();
    let mine = "create table mine (n integer); create index mine_n on mine (n); create view high as select * from rolls; analyze";
    table.record().execute(mine).expect("is added");
    let verified = table.record().verified(None);
    assert!(verified.is_sound(), "{verified:?}");
    assert_eq!(verified.notes.len(), 2, "{verified:?}");
}

#[test]
fn a_bad_line_of_the_checkpoints_is_a_finding_a_torn_last_one_a_note_and_the_others_still_count() {
    let mut table = evening();
    table.manage_session(json!({"action": "end"})).is_fine();
    let file = table.path("checkpoints.log");
    let line = std::fs::read_to_string(&file).expect("text");
    table.spoil();
    std::fs::write(
        &file,
        [b"{\"campaign\":\xff\n", line.as_bytes(), b"{\"camp"].concat(),
    )
    .expect("is written");
    let verified = table.record().verified(None);
    assert_eq!(
        (verified.findings.len(), verified.notes.len()),
        (1, 1),
        "{verified:?}"
    );
    found(&verified, "line 1 is no checkpoint");
    assert!(
        verified.notes[0].contains("line 3 was torn by a crash; the next checkpoint mends it"),
        "{verified:?}"
    );
    assert_eq!(verified.campaigns[0].checkpoints, 1);
}

#[test]
fn a_receipt_accuses_only_the_campaign_it_is_of() {
    let mut table = evening();
    let receipt = campaign_two(&mut table);
    let verified = table.record().verified(Some(&receipt));
    assert!(verified.is_sound(), "{verified:?}");
    assert_eq!(verified.notes, [format!("the receipt {receipt} is of two")]);
    let forged = format!("{}ffffff", &receipt[..receipt.len() - 6]);
    let verified = table.record().verified(Some(&forged));
    found(&verified, "fits none of these campaigns: lockhouse, two");
    assert!(
        verified
            .campaigns
            .iter()
            .all(|report| report.findings.is_empty()),
        "{verified:?}"
    );
}

#[test]
fn a_database_that_was_emptied_or_taken_away_is_not_made_anew() {
    let mut table = evening();
    table.manage_session(json!({"action": "end"})).is_fine();
    let database = table.database().to_owned();
    for vandal in [
        |path: &std::path::Path| std::fs::write(path, b""),
        |path: &std::path::Path| std::fs::remove_file(path),
    ] {
        vandal(&database).expect("the vandal succeeds");
        table.spoil();
        let mut beside = table.beside();
        let answer = beside.roll_dice(json!({"expression": "d6"}));
        answer.refused_with("not_opened", &["up to entry #"]);
        let verified = table.wait(rollbook_store::verify::verify(&database, None, None));
        let why = verified.expect_err("cannot be verified").to_string();
        assert!(why.contains("move checkpoints.log"), "{why}");
    }
}

/// The triggers of the table `book`, taken away and put back word for word around a change.
fn rebook(change: &str) -> String {
    let named = |event: &str, name: &str| {
        format!(
            "create trigger {name} before {event} on book\nbegin\n    select raise(abort, 'a book keeps its name');\nend;"
        )
    };
    let triggers = [
        ("update", "book_is_never_updated"),
        ("delete", "book_is_never_deleted"),
        ("insert", "book_has_one_name"),
    ];
    let drop: String = triggers
        .iter()
        .map(|(_, name)| format!("drop trigger {name};"))
        .collect();
    let put_back: String = triggers
        .iter()
        .map(|(event, name)| named(event, name))
        .collect();
    format!("{drop} {change}; {put_back}")
}

#[test]
fn a_changed_name_of_the_book_is_found() {
    for (change, words) in [
        ("update book set id = id", ""),
        ("delete from book", "the table book has 0 rows"),
        (
            "insert into book values (lower(hex(randomblob(16))))",
            "the table book has 2 rows",
        ),
        (
            "update book set id = lower(hex(randomblob(16)))",
            "checkpoints of this file name the book",
        ),
    ] {
        let mut table = evening();
        table.manage_session(json!({"action": "end"})).is_fine();
        table.record().execute(&rebook(change)).expect(change);
        match words {
            "" => table.record().is_sound(),
            words => found(&table.record().verified(None), words),
        }
    }
}

#[test]
fn a_database_that_is_not_here_any_more_is_noted() {
    let mut table = evening();
    table.manage_session(json!({"action": "end"})).is_fine();
    campaign_two(&mut table);
    let renamed = table.path("d.db");
    let anew = rebook("update book set id = lower(hex(randomblob(16)))");
    table
        .record()
        .execute(&format!(
            "pragma wal_checkpoint(truncate); {anew} pragma wal_checkpoint(truncate)"
        ))
        .expect(&anew);
    std::fs::copy(table.database(), &renamed).expect("a copy");
    let noted = |table: &Table| {
        table
            .wait(rollbook_store::verify::verify(&renamed, None, None))
            .expect("a verdict")
    };
    assert_eq!(
        noted(&table).notes,
        [""; 0],
        "campaigns.db is still there, and these are its checkpoints"
    );
    std::fs::remove_file(table.database()).expect("is removed");
    let verified = noted(&table);
    let [note] = &verified.notes[..] else {
        panic!("{verified:?}")
    };
    assert!(
        note.contains("the database campaigns.db, which is not here any more; it held lockhouse."),
        "{note}"
    );
    assert!(verified.is_sound(), "{verified:?}");
}

#[test]
fn ended_sessions_without_any_checkpoint_are_noted() {
    let mut table = evening();
    table.spoil();
    table.record().is_sound();
    table.manage_session(json!({"action": "end"})).is_fine();
    table.record().is_sound();
    for vandal in [
        |path: &std::path::Path| std::fs::write(path, b""),
        |path: &std::path::Path| std::fs::remove_file(path),
    ] {
        vandal(&table.path("checkpoints.log")).expect("the vandal succeeds");
        let verified = table.record().verified(None);
        let [note] = &verified.notes[..] else {
            panic!("{verified:?}")
        };
        assert!(
            note.contains("no line of campaign \"lockhouse\", though 1 of its sessions ended"),
            "{note}"
        );
        assert!(verified.is_sound(), "{verified:?}");
    }
}

/// A file that was renamed or removed stays open, and a roll into it would be acknowledged and
/// lost.
#[cfg(unix)]
#[test]
fn nothing_is_written_into_a_file_that_was_moved_removed_or_replaced() {
    let mut table = evening();
    let (database, aside) = (table.database().to_owned(), table.path("aside.db"));
    let calls = |table: &mut Table| {
        let status = table.manage_session(json!({"action": "status"}));
        let roll = table.roll_dice(json!({"expression": "d6", "request_id": "again"}));
        for answer in [status, roll] {
            answer.refused_with("moved", &["campaigns.db", "Put the file back in its place"]);
        }
    };
    std::fs::rename(&database, &aside).expect("is moved");
    calls(&mut table);
    std::fs::copy(&aside, &database).expect("is copied");
    calls(&mut table);
    std::fs::rename(&aside, &database).expect("is moved back");
    let roll = json!({"expression": "d6", "request_id": "again"});
    table.dice([4]).roll_dice(roll).is_fine();
    table.record().is_sound();
    std::fs::remove_file(&database).expect("is removed");
    table.spoil();
    calls(&mut table);
    assert!(!database.exists());
}
