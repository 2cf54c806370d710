//! A segment is a database that every reading command takes, and a log with segments is read as if it were whole.

use std::path::Path;

use super::{archived, copies, play, sound_file};
use crate::process::rollbook;
use crate::table::{Record, Table};

/// What a command says that must be done: its answer, and what else it says.
#[track_caller]
fn well(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = rollbook(folder).args(arguments).output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {out} {err}");
    (out, err)
}

/// The whole report of a campaign, for each audience.
fn reports(folder: &Path, db: &str, name: &str) -> Vec<String> {
    let mut reports = Vec::new();
    for audience in ["player", "gm"] {
        for session in ["1", "2", "all"] {
            let out = format!("{name}-{audience}-{session}.md");
            let common = ["report", "--db", db, "--format", "markdown", "--audience", audience];
            well(folder, &[&common[..], &["--session", session, "--out", &out]].concat());
            reports.push(std::fs::read_to_string(folder.join(out)).expect("is read"));
        }
    }
    reports
}

#[test]
fn copies_and_reports_of_an_archived_log_are_those_of_the_whole_one() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        archived(&mut table, 2);
        archived(&mut table, 3);
        let (folder, db) = (table.path(""), table.location().to_string());
        let checkpoints = folder.display().to_string();
        let common = ["copy", "--from", &db, "--checkpoints", &checkpoints];
        // Everything comes back into one log, which knows where parts of it lay.
        let whole = folder.join("elsewhere/whole.db");
        std::fs::create_dir(folder.join("elsewhere")).expect("a folder");
        well(&folder, &[&common[..], &["--to", &whole.display().to_string()]].concat());
        let record = Record::new(table.runtime(), whole.clone());
        assert_eq!(record.number("select min(seq) from log"), 1);
        assert_eq!(record.number("select count(*) from segments"), 0);
        let whole_text = whole.display().to_string();
        let exported = |db: &str, name: &str| {
            let mut copies = Vec::new();
            for (audience, format) in [("player", "jsonl"), ("gm", "jsonl"), ("player", "csv"), ("gm", "csv")] {
                let out = format!("{name}-{audience}.{format}");
                well(&folder, &["export", "--db", db, "--audience", audience, "--format", format, "--out", &out]);
                copies.push(std::fs::read(folder.join(out)).expect("is read"));
            }
            let out = format!("{name}-total.jsonl");
            well(&folder, &["export", "--db", db, "--audience", "player", "--seal", "total", "--out", &out]);
            copies.push(std::fs::read(folder.join(out)).expect("is read"));
            copies
        };
        assert_eq!(exported(&db, "parts"), exported(&whole_text, "whole"));
        assert_eq!(reports(&folder, &db, "parts"), reports(&folder, &whole_text, "whole"));
        for session in ["1", "2", "3"] {
            let part = |db: &str, name: &str| {
                let out = format!("{name}-{session}.jsonl");
                let common = ["export", "--db", db, "--audience", "player", "--session", session];
                well(&folder, &[&common[..], &["--out", &out]].concat());
                std::fs::read(folder.join(out)).expect("is read")
            };
            assert_eq!(part(&db, "part"), part(&whole_text, "of-whole"), "session {session}");
        }
        // What came back is archived again.
        well(&folder, &["archive", "--before", "2", "--db", &whole_text]);
        let (said, _) = well(&folder, &["verify", "--db", &whole_text]);
        assert!(said.contains("lockhouse: verified"), "{said}");
        // A GM's database of the one campaign is whole, too.
        let out = table.export(rollbook::game::view::Audience::Gm, rollbook::export::Format::Db, "gm.db");
        assert_eq!(Record::new(table.runtime(), out.clone()).number("select min(seq) from log"), 1);
        sound_file(&table, &out);
        let (_, said) = well(&folder, &["backup", "--db", &db, "--out", "copy.backup"]);
        assert!(said.contains("archive: keep a copy of that folder"), "{said}");
        let remove = ["campaigns", "remove", "lockhouse", "--export", "gone.db", "--db", &db];
        table.away(|table| {
            well(&folder, &remove);
            sound_file(table, &folder.join("gone.db"));
        });
        for rows in ["log", "segments", "archived", "roll_rows"] {
            assert_eq!(table.record().number(&format!("select count(*) from {rows}")), 0, "{rows}");
        }
    }
}

#[test]
fn a_segment_answers_every_reading_command_and_sql() {
    let mut table = Table::with_party();
    play(&mut table);
    let before = copies(&table, "before");
    archived(&mut table, 2);
    let own = archived(&mut table, 3);
    let (folder, db) = (table.path(""), own.path.display().to_string());
    let bytes = std::fs::read(&own.path).expect("is read");
    let (lines, _) = well(&folder, &["log", "--db", &db, "--audience", "gm", "--text", "lantern"]);
    assert_eq!(lines.lines().count(), 1, "{lines}");
    let (lines, said) = well(&folder, &["log", "--db", &db]);
    assert!(lines.contains("night 2") && said.contains("what was before session 2 is archived"), "{lines}{said}");
    well(&folder, &["report", "--db", &db, "--session", "2", "--out", "night.html"]);
    well(&folder, &["export", "--db", &db, "--audience", "player", "--out", "two.jsonl"]);
    let players = std::fs::read(folder.join("two.jsonl")).expect("is read");
    assert!(before[0].starts_with(&players), "its copy is the first part of the whole one");
    well(&folder, &["verify", "--copy", "two.jsonl", "--receipt", &receipt(&own)]);
    well(&folder, &["verify", "--db", &db]);
    well(&folder, &["receipt", "--db", &db]);
    let record = Record::new(table.runtime(), own.path.clone());
    assert_eq!(record.number("select count(*) from rolls"), 4, "one session's");
    assert_eq!(record.number("select count(*) from story where text like '%lantern%night 2%'"), 1);
    assert_eq!(record.number("select count(*) from dice where n > 0"), 5);
    assert_eq!(std::fs::read(&own.path).expect("is read"), bytes, "reading changes nothing");
}

fn receipt(own: &rollbook::session::archive::Archived) -> String {
    let hex = base16ct::lower::encode_string(&own.segment.chain);
    format!("#{} {}", own.segment.last, &hex[..20])
}

#[test]
fn the_log_says_where_the_rest_is_and_a_backup_and_doctor_know_of_it() {
    let mut table = Table::with_party();
    play(&mut table);
    let own = archived(&mut table, 3);
    let folder = table.path("");
    let (lines, said) = well(&folder, &["log", "--db", "campaigns.db", "--session", "1"]);
    assert!(lines.is_empty() && said.contains("campaigns.db.archive/lockhouse-"), "{lines}{said}");
    let (lines, said) = well(&folder, &["log", "--db", "campaigns.db", "--session", "3"]);
    assert!(lines.contains("night 3") && !said.contains("archived"), "{lines}{said}");

    std::fs::create_dir(folder.join("backups")).expect("a folder");
    let (_, said) = well(&folder, &["backup", "--db", "campaigns.db", "--out", "backups/one.db"]);
    assert!(said.contains("campaigns.db.archive: keep a copy"), "{said}");
    well(&folder, &["verify", "--db", "backups/one.db"]);
    let doctor = || {
        let output = rollbook(&folder).args(["doctor", "--db", "campaigns.db"]).output().expect("the program starts");
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(doctor().contains("1 segment as sealed"), "{}", doctor());
    // Put back on another computer, with its segments beside it.
    let other = folder.join("other");
    std::fs::create_dir_all(other.join("campaigns.db.archive")).expect("a folder");
    std::fs::copy(folder.join("backups/one.db"), other.join("one.db")).expect("is copied");
    let carried = other.join("campaigns.db.archive").join(own.path.file_name().expect("a name"));
    std::fs::rename(&own.path, &carried).expect("is moved");
    assert!(doctor().contains("is missing, which holds #1 to"), "{}", doctor());
    std::fs::create_dir(other.join("campaigns.db.backups")).expect("a folder");
    table.away(|table| {
        well(&other, &["restore", "one.db", "--db", "campaigns.db"]);
        sound_file(table, &other.join("campaigns.db"));
        std::fs::remove_file(other.join("one.db")).expect("is removed");
        // A backup that was made beside the database finds them, too.
        well(&other, &["backup", "--db", "campaigns.db", "--out", "campaigns.db.backups/two.db"]);
        sound_file(table, &other.join("campaigns.db.backups/two.db"));
        let (all, _) = well(&folder, &["verify", "--all", "other", "--json"]);
        let all: serde_json::Value = serde_json::from_str(&all).expect("JSON");
        assert_eq!(all["databases"].as_array().expect("a list").len(), 1, "segments are part of a log: {all}");
        std::fs::rename(&carried, &own.path).expect("is moved");
    });
    let renamed = well(&folder, &["campaigns", "rename", "lockhouse", "Winter", "--db", "campaigns.db"]);
    assert!(renamed.0.contains("Winter"), "{renamed:?}");
    table.away(|table| {
        well(&folder, &["campaigns", "remove", "Winter", "--export", "whole.db", "--db", "campaigns.db"]);
        sound_file(table, &folder.join("whole.db"));
    });
}
