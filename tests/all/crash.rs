//! What survives: a killed server, two servers at once, twenty that start at once.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rollbook_record::export::Format;
use rollbook_store::verify::{self, Report};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::{Process, block_on, call, rollbook};
use crate::table::{Record, has};

fn folder() -> Arc<TempDir> {
    Arc::new(TempDir::new().expect("a folder"))
}

fn verified(folder: &TempDir) -> Report {
    let verified = block_on(verify::verify(
        &folder.path().join("campaigns.db"),
        None,
        None,
    ))
    .expect("can be verified");
    assert!(verified.is_sound(), "{verified:?}");
    let [report] = <[Report; 1]>::try_from(verified.campaigns).expect("one campaign");
    report
}

/// A fight of several entries, so that half a call would show.
fn fight() -> Value {
    json!({"action": "start", "combatants": [{"name": "Rat", "count": 4, "hp": 1}]})
}

#[test]
fn a_server_killed_between_calls_loses_nothing_it_answered() {
    let folder = folder();
    let mut receipts: Vec<Value> = Vec::new();
    for round in 0..12u64 {
        let mut server = Process::hello(folder.clone());
        let status = server.done("manage_session", json!({"action": "status"}));
        let last = receipts.last().cloned().unwrap_or_default();
        assert_eq!(
            status["receipt"], last,
            "round {round}: what was answered is there, and nothing else"
        );
        receipts.push(server.done("roll_dice", json!({"expression": "2d6"}))["receipt"].clone());
        server.signal("KILL");
        let (status, _) = server.wait();
        assert!(!status.success());
    }
    assert_eq!(verified(&folder).head.seq, 3 + 12);
}

#[test]
fn a_server_killed_in_the_midst_of_calls_leaves_whole_calls_only() {
    let folder = folder();
    let mut first = Process::hello(folder.clone());
    let mut answered = first.done("manage_session", json!({"action": "start"}))["log"]
        .as_u64()
        .expect("a number");
    first.end();
    for round in 0..40usize {
        let mut server = Process::hello(folder.clone());
        // Fights are begun and ended without waiting; the server dies after some answers, at a moment of its own.
        for id in 0..12 {
            let combat = if id % 2 == 0 {
                fight()
            } else {
                json!({"action": "end"})
            };
            server.send(&call(json!(id), "manage_combat", combat));
        }
        for _ in 0..round % 7 {
            let answer = server.receive().expect("an answer");
            let content = &answer["result"]["structuredContent"];
            let last = content["entries"][1]
                .as_u64()
                .or(content["log"].as_u64())
                .unwrap_or(0);
            answered = answered.max(last);
        }
        server.signal("KILL");
        let (_, rest) = server.wait();
        for line in rest
            .split(|byte| *byte == b'\n')
            .filter_map(|line| serde_json::from_slice::<Value>(line).ok())
        {
            let content = &line["result"]["structuredContent"];
            let last = content["entries"][1]
                .as_u64()
                .or(content["log"].as_u64())
                .unwrap_or(0);
            answered = answered.max(last);
        }
        let mut server = Process::hello(folder.clone());
        let status = server.done("manage_session", json!({"action": "status"}));
        let length = status["log_length"].as_u64().expect("a number");
        assert!(
            length >= answered,
            "round {round}: #{answered} was answered, and the log ends at #{length}"
        );
        whole_calls(&folder);
        server.call("manage_combat", json!({"action": "end"}));
        let (status, _) = server.end();
        assert!(status.success());
    }
    assert!(verified(&folder).head.seq > 100);
}

/// Every fight that began has its four combatants: no call is there by half.
fn whole_calls(folder: &TempDir) {
    let record = Record::of(folder.path().join("campaigns.db"));
    let fights = record.number("select count(*) from combats");
    assert_eq!(record.number("select count(*) from combatants"), 4 * fights);
    let rolls = record.number("select count(*) from rolls");
    let expected = (4 * fights, 4 * fights);
    assert_eq!(
        (
            record.number("select count(*) from log where kind = 'combatant_joined'"),
            rolls
        ),
        expected
    );
}

#[test]
fn a_first_start_killed_at_any_moment_is_begun_again_and_leaves_nothing() {
    for round in 0..40 {
        let folder = folder();
        let mut server = Process::hello(folder.clone());
        server.send(&call(json!(1), "roll_dice", json!({"expression": "d20"})));
        thread::sleep(Duration::from_micros(500 * round));
        server.signal("KILL");
        server.wait();
        let mut server = Process::hello(folder.clone());
        let rolled = server.call("roll_dice", json!({"expression": "d20"}));
        assert_ne!(rolled["isError"], true, "round {round}: {rolled}");
        assert!(server.end().0.success());
        let mut left = names(folder.path());
        left.retain(|name| !["campaigns.db", "campaigns.db.lock"].contains(&name.as_str()));
        assert_eq!(left, [""; 0], "round {round}");
        verified(&folder);
    }
}

/// A database is made when the first call needs it, and not before.
#[test]
fn a_start_killed_before_its_first_call_leaves_nothing_that_the_next_one_does_not_remove() {
    for round in 0..8 {
        let folder = folder();
        let mut server = if round % 2 == 0 {
            Process::on(folder.clone())
        } else {
            Process::hello(folder.clone())
        };
        thread::sleep(Duration::from_micros(1500 * round));
        server.signal("KILL");
        server.wait();
        let server = Process::hello(folder.clone());
        assert!(server.end().0.success());
        assert_eq!(
            names(folder.path()),
            [""; 0],
            "round {round}: a start that is never used leaves nothing"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_start_that_is_asked_to_end_before_its_first_call_leaves_nothing() {
    for wait in [0, 3, 100] {
        let folder = folder();
        let mut server = Process::hello(folder.clone());
        thread::sleep(Duration::from_millis(wait));
        server.signal("TERM");
        assert!(server.wait().0.success());
        assert_eq!(names(folder.path()), [""; 0]);
    }
}

/// Who copies the one file after a stop in good order copies all of it; the backup that a session's
/// end began is whole.
#[test]
fn a_server_that_ends_right_after_a_session_leaves_one_whole_file_and_a_backup() {
    let folder = folder();
    let mut server = Process::hello(folder.clone());
    server.done("roll_dice", json!({"expression": "d20"}));
    server.done("manage_session", json!({"action": "end"}));
    assert!(server.end().0.success());
    let mut left = names(folder.path());
    left.sort();
    assert_eq!(
        left,
        [
            "campaigns.db",
            "campaigns.db.backups",
            "campaigns.db.lock",
            "checkpoints.log"
        ]
    );
    let backups = folder.path().join("campaigns.db.backups");
    let made = names(&backups);
    assert!(
        made.len() == 1 && made[0].starts_with("000001-") && made[0].ends_with("Z.db"),
        "{made:?}"
    );
    let copy =
        block_on(verify::verify(&backups.join(&made[0]), None, None)).expect("can be verified");
    assert!(
        copy.is_sound() && copy.campaigns[0].entries == 5,
        "{copy:?}"
    );
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect()
}

/// Killed at moments of their own, exports leave what the next one removes; one that runs meanwhile
/// is let alone.
#[test]
fn a_killed_export_leaves_nothing_that_the_next_one_does_not_remove() {
    let folder = folder();
    let mut server = Process::hello(folder.clone());
    for _ in 0..20 {
        server.done(
            "roll_multiple",
            json!({"rolls": [{"expression": "20d6"}], "count": 20}),
        );
    }
    assert!(server.end().0.success());
    let export = |out: &str, format: &str| {
        let mut command = rollbook(folder.path());
        let audience = if format == "db" { "gm" } else { "player" };
        command.args([
            "export",
            "--db",
            "campaigns.db",
            "--audience",
            audience,
            "--format",
            format,
            "--out",
            out,
        ]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let mut half_done = 0;
    for round in 0..24u64 {
        let format = Format::ALL[round as usize % Format::ALL.len()].name();
        let mut child = export(&format!("killed-{round}"), format)
            .spawn()
            .expect("starts");
        thread::sleep(Duration::from_millis(2 + round * 2));
        child.kill().expect("is killed");
        child.wait().expect("ends");
        half_done += usize::from(
            names(folder.path())
                .iter()
                .any(|name| name.ends_with(".part")),
        );
    }
    assert!(half_done > 0, "some were killed in their midst");
    let mut both = ["one.db", "two.db"].map(|out| export(out, "db").spawn().expect("starts"));
    for export in &mut both {
        assert!(export.wait().expect("ends").success());
    }
    let left = names(folder.path());
    assert!(!left.iter().any(|name| name.contains(".part")), "{left:?}");
    assert!(
        ["one.db", "two.db"]
            .iter()
            .all(|out| left.iter().any(|name| name == out)),
        "{left:?}"
    );
}

#[test]
fn two_servers_that_write_at_once_keep_one_chain() {
    const CALLS: usize = 60;
    let folder = folder();
    let players: Vec<_> = ["left", "right"]
        .into_iter()
        .map(|side| {
            let folder = folder.clone();
            thread::spawn(move || {
                let mut server = Process::hello(folder);
                let numbers: Vec<u64> = (0..CALLS)
                    .map(|nth| {
                        let rolled = server.done(
                            "roll_dice",
                            json!({"expression": "2d6", "context": format!("{side} {nth}")}),
                        );
                        rolled["log"].as_u64().expect("a number")
                    })
                    .collect();
                assert!(server.end().0.success());
                numbers
            })
        })
        .collect();
    let mut numbers: Vec<u64> = players
        .into_iter()
        .flat_map(|player| player.join().expect("plays"))
        .collect();
    numbers.sort_unstable();
    assert_eq!(
        numbers,
        (4..4 + 2 * CALLS as u64).collect::<Vec<u64>>(),
        "every call has an entry, none has two"
    );
    let report = verified(&folder);
    assert_eq!(
        (report.entries, report.rolls),
        (3 + 2 * CALLS as u64, 2 * CALLS as u64)
    );
}

#[test]
fn twenty_first_starts_at_once_all_work() {
    let folder = folder();
    let servers: Vec<Process> = (0..20).map(|_| Process::hello(folder.clone())).collect();
    let players: Vec<_> = servers
        .into_iter()
        .map(|mut server| {
            thread::spawn(move || {
                let rolled = server.done("roll_dice", json!({"expression": "d20"}));
                assert!(server.end().0.success());
                rolled["log"].as_u64().expect("a number")
            })
        })
        .collect();
    let mut numbers: Vec<u64> = players
        .into_iter()
        .map(|player| player.join().expect("plays"))
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (4..24).collect::<Vec<u64>>());
    assert_eq!(verified(&folder).head.seq, 23);
}

#[test]
fn a_server_that_finds_no_database_it_can_read_makes_none() {
    for (content, code) in [
        (
            &b"this is no database, it is a shopping list"[..],
            "not_opened",
        ),
        (b"SQLite format 3\0and then nothing of the sort", "damaged"),
    ] {
        let folder = folder();
        let file = folder.path().join("campaigns.db");
        std::fs::write(&file, content).expect("a file");
        let mut server = Process::hello(folder.clone());
        let refused = server.call("roll_dice", json!({"expression": "d20"}));
        assert_eq!(refused["structuredContent"]["code"], code, "{refused}");
        assert_eq!(
            std::fs::read(&file).expect("is still there"),
            content,
            "nothing was changed"
        );
    }
}

/// What the server answers to a roll that it cannot keep.
fn refused(server: &mut Process) -> Value {
    let call = json!({"expression": "1d6", "request_id": "once"});
    let refused = server.call("roll_dice", call)["structuredContent"].clone();
    assert!(refused["log"].is_null(), "{refused}");
    refused
}

#[cfg(unix)]
#[test]
fn a_log_file_that_is_removed_under_a_server_costs_nothing_that_was_answered() {
    let folder = folder();
    let mut server = Process::hello(folder.clone());
    for _ in 0..5 {
        assert!(server.done("roll_dice", json!({"expression": "2d6"}))["log"].is_u64());
    }
    std::fs::remove_file(folder.path().join("campaigns.db-wal")).expect("is removed");
    for _ in 0..2 {
        let answer = refused(&mut server);
        let words = answer["summary"].as_str().expect("a text");
        assert_eq!(answer["code"], "moved", "{answer}");
        has(
            words,
            &[
                "campaigns.db-wal was removed or replaced",
                "Stop this server in good order",
            ],
        );
    }
    // As the refusal says: what it still holds is written.
    server.end();
    assert_eq!(verified(&folder).head.seq, 3 + 5);
}

#[cfg(unix)]
#[test]
fn a_database_or_a_log_file_that_is_cut_to_nothing_under_a_server_is_seen_at_the_next_call() {
    for (file, words) in [
        ("campaigns.db", "shorter than its own pages"),
        ("campaigns.db-wal", "its log file was cut to nothing"),
    ] {
        let folder = folder();
        let mut server = Process::hello(folder.clone());
        for _ in 0..3 {
            assert!(server.done("roll_dice", json!({"expression": "2d6"}))["log"].is_u64());
        }
        let cut = std::fs::OpenOptions::new()
            .write(true)
            .open(folder.path().join(file))
            .expect("opens");
        cut.set_len(0).expect("is cut");
        let answer = refused(&mut server);
        assert_eq!(answer["code"], "moved", "{answer}");
        assert!(
            answer["summary"]
                .as_str()
                .is_some_and(|text| text.contains(words)),
            "{answer}"
        );
        server.signal("KILL");
        server.wait();
    }
}

/// Another program may write the log file into the database and empty it, as those that copy
/// databases do.
#[cfg(unix)]
#[test]
fn a_log_file_that_another_program_emptied_in_good_order_stops_nobody() {
    let folder = folder();
    let mut server = Process::hello(folder.clone());
    let file = folder.path().join("campaigns.db");
    for _ in 0..3 {
        assert!(server.done("roll_dice", json!({"expression": "2d6"}))["log"].is_u64());
        Record::of(&file)
            .execute("pragma wal_checkpoint(truncate)")
            .expect("is written");
        assert_eq!(
            std::fs::metadata(folder.path().join("campaigns.db-wal"))
                .expect("is there")
                .len(),
            0
        );
    }
    assert!(server.done("roll_dice", json!({"expression": "2d6"}))["log"].is_u64());
    server.end();
    verified(&folder);
}

/// A disk that takes what is written and fails to sync it: whether the entry is there after a crash
/// nobody knows, and the reply says so.
#[cfg(target_os = "linux")]
#[test]
fn a_write_that_the_disk_does_not_confirm_is_not_reported_as_undone() {
    let folder = folder();
    let place = folder.path();
    let shim = "#include <errno.h>\n#include <unistd.h>\n\
                static int fails(void) { return access(\"fails\", F_OK) == 0; }\n\
                int fsync(int fd) { if (fails()) { errno = EIO; return -1; } return 0; }\n\
                int fdatasync(int fd) { if (fails()) { errno = EIO; return -1; } return 0; }\n";
    std::fs::write(place.join("shim.c"), shim).expect("is written");
    let made = std::process::Command::new("cc")
        .args(["-shared", "-fPIC", "-o", "shim.so", "shim.c"])
        .current_dir(place)
        .status();
    assert!(made.expect("cc runs").success());
    let mut command = rollbook(place);
    command.env("LD_PRELOAD", place.join("shim.so"));
    let mut server = Process::of(command, folder.clone());
    server.initialize();
    assert!(server.done("roll_dice", json!({"expression": "2d6"}))["log"].is_u64());
    std::fs::write(place.join("fails"), "").expect("is written");
    let answer = refused(&mut server);
    let words = answer["summary"].as_str().expect("a text");
    assert_eq!(
        (&answer["code"], &answer["rolled"]),
        (&json!("disk"), &Value::Null),
        "{answer}"
    );
    has(words, &["is not known", "same request_id"]);
    assert!(!words.contains("Nothing was rolled"), "{words}");
    server.signal("KILL");
    server.wait();
    std::fs::remove_file(place.join("fails")).expect("is removed");
    // Sent again as the refusal says, it acts once, whether it was there or not.
    let mut server = Process::hello(folder.clone());
    let again = json!({"expression": "1d6", "request_id": "once"});
    let first = server.done("roll_dice", again.clone())["log"].clone();
    assert!(first.is_u64());
    assert_eq!(server.done("roll_dice", again)["log"], first);
    server.end();
    assert_eq!(verified(&folder).rolls, 2);
}
