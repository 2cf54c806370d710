//! What survives: a killed server, two servers at once, twenty that start at once.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rollbook::export::Format;
use rollbook::store::verify::{self, Report};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::{Process, call, rollbook};

fn folder() -> Arc<TempDir> {
    Arc::new(TempDir::new().expect("a folder"))
}

fn verified(folder: &TempDir) -> Report {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let verified =
        runtime.block_on(verify::verify(&folder.path().join("campaigns.db"), None, None)).expect("can be verified");
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
        assert_eq!(status["receipt"], last, "round {round}: what was answered is there, and nothing else");
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
    let mut answered = first.done("manage_session", json!({"action": "start"}))["log"].as_u64().expect("a number");
    first.end();
    for round in 0..40usize {
        let mut server = Process::hello(folder.clone());
        // Fights are begun and ended without waiting; the server dies after some answers, at a moment of its own.
        for id in 0..12 {
            server.send(&call(
                json!(id),
                "manage_combat",
                if id % 2 == 0 { fight() } else { json!({"action": "end"}) },
            ));
        }
        for _ in 0..round % 7 {
            let answer = server.receive().expect("an answer");
            let content = &answer["result"]["structuredContent"];
            let last = content["entries"][1].as_u64().or(content["log"].as_u64()).unwrap_or(0);
            answered = answered.max(last);
        }
        server.signal("KILL");
        let (_, rest) = server.wait();
        for line in rest.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok()) {
            let content = &line["result"]["structuredContent"];
            let last = content["entries"][1].as_u64().or(content["log"].as_u64()).unwrap_or(0);
            answered = answered.max(last);
        }
        let mut server = Process::hello(folder.clone());
        let status = server.done("manage_session", json!({"action": "status"}));
        let length = status["log_length"].as_u64().expect("a number");
        assert!(length >= answered, "round {round}: #{answered} was answered, and the log ends at #{length}");
        whole_calls(&folder);
        server.call("manage_combat", json!({"action": "end"}));
        let (status, _) = server.end();
        assert!(status.success());
    }
    assert!(verified(&folder).head.seq > 100);
}

/// Every fight that began has its four combatants: no call is there by half.
fn whole_calls(folder: &TempDir) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let database = folder.path().join("campaigns.db");
    let record = crate::table::Record::new(&runtime, &database);
    let fights = record.number("select count(*) from combats");
    assert_eq!(record.number("select count(*) from combatants"), 4 * fights);
    let rolls = record.number("select count(*) from rolls");
    assert_eq!(
        (record.number("select count(*) from log where kind = 'combatant_joined'"), rolls),
        (4 * fights, 4 * fights)
    );
}

#[test]
fn a_first_start_killed_at_any_moment_is_begun_again_and_leaves_nothing_behind() {
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
        let mut server = if round % 2 == 0 { Process::on(folder.clone()) } else { Process::hello(folder.clone()) };
        thread::sleep(Duration::from_micros(1500 * round));
        server.signal("KILL");
        server.wait();
        let server = Process::hello(folder.clone());
        assert!(server.end().0.success());
        assert_eq!(names(folder.path()), [""; 0], "round {round}: a start that is never used leaves nothing");
    }
}

#[cfg(unix)]
#[test]
fn a_start_that_is_told_to_end_before_its_first_call_leaves_nothing() {
    for wait in [0, 3, 100] {
        let folder = folder();
        let mut server = Process::hello(folder.clone());
        thread::sleep(Duration::from_millis(wait));
        server.signal("TERM");
        assert!(server.wait().0.success());
        assert_eq!(names(folder.path()), [""; 0]);
    }
}

/// Whoever copies the one file behind a stop in good order copies all of it; the backup that a session's end began is whole.
#[test]
fn a_server_that_ends_right_after_a_session_leaves_one_whole_file_and_a_backup() {
    let folder = folder();
    let mut server = Process::hello(folder.clone());
    server.done("roll_dice", json!({"expression": "d20"}));
    server.done("manage_session", json!({"action": "end"}));
    assert!(server.end().0.success());
    let mut left = names(folder.path());
    left.sort();
    assert_eq!(left, ["campaigns.db", "campaigns.db.backups", "campaigns.db.lock", "checkpoints.log"]);
    let backups = folder.path().join("campaigns.db.backups");
    let made = names(&backups);
    assert!(made.len() == 1 && made[0].starts_with("000001-") && made[0].ends_with("Z.db"), "{made:?}");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let copy = runtime.block_on(verify::verify(&backups.join(&made[0]), None, None)).expect("can be verified");
    assert!(copy.is_sound() && copy.campaigns[0].entries == 5, "{copy:?}");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect()
}

/// Killed at moments of their own, exports leave what the next one removes; one that runs meanwhile is let alone.
#[test]
fn a_killed_export_leaves_nothing_that_the_next_one_does_not_remove() {
    let folder = folder();
    let mut server = Process::hello(folder.clone());
    for _ in 0..20 {
        server.done("roll_multiple", json!({"rolls": [{"expression": "20d6"}], "count": 20}));
    }
    assert!(server.end().0.success());
    let export = |out: &str, format: &str| {
        let mut command = rollbook(folder.path());
        let audience = if format == "db" { "gm" } else { "player" };
        command.args(["export", "--db", "campaigns.db", "--audience", audience, "--format", format, "--out", out]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let mut half_done = 0;
    for round in 0..24u64 {
        let format = Format::ALL[round as usize % Format::ALL.len()].name();
        let mut child = export(&format!("killed-{round}"), format).spawn().expect("starts");
        thread::sleep(Duration::from_millis(2 + round * 2));
        child.kill().expect("is killed");
        child.wait().expect("ends");
        half_done += usize::from(names(folder.path()).iter().any(|name| name.ends_with(".part")));
    }
    assert!(half_done > 0, "some were killed in their midst");
    let mut both = ["one.db", "two.db"].map(|out| export(out, "db").spawn().expect("starts"));
    for export in &mut both {
        assert!(export.wait().expect("ends").success());
    }
    let left = names(folder.path());
    assert!(!left.iter().any(|name| name.contains(".part")), "{left:?}");
    assert!(["one.db", "two.db"].iter().all(|out| left.iter().any(|name| name == out)), "{left:?}");
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
                        let rolled =
                            server.done("roll_dice", json!({"expression": "2d6", "context": format!("{side} {nth}")}));
                        rolled["log"].as_u64().expect("a number")
                    })
                    .collect();
                assert!(server.end().0.success());
                numbers
            })
        })
        .collect();
    let mut numbers: Vec<u64> = players.into_iter().flat_map(|player| player.join().expect("plays")).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (4..4 + 2 * CALLS as u64).collect::<Vec<u64>>(), "every call has an entry, none has two");
    let report = verified(&folder);
    assert_eq!((report.entries, report.rolls), (3 + 2 * CALLS as u64, 2 * CALLS as u64));
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
    let mut numbers: Vec<u64> = players.into_iter().map(|player| player.join().expect("plays")).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (4..24).collect::<Vec<u64>>());
    assert_eq!(verified(&folder).head.seq, 23);
}

#[test]
fn a_server_that_finds_no_database_it_can_read_makes_none() {
    for (content, code) in [
        (&b"this is no database, it is a shopping list"[..], "not_opened"),
        (b"SQLite format 3\0and then nothing of the sort", "damaged"),
    ] {
        let folder = folder();
        let file = folder.path().join("campaigns.db");
        std::fs::write(&file, content).expect("a file");
        let mut server = Process::hello(folder.clone());
        let refused = server.call("roll_dice", json!({"expression": "d20"}));
        assert_eq!(refused["structuredContent"]["code"], code, "{refused}");
        assert_eq!(std::fs::read(&file).expect("is still there"), content, "nothing was changed");
    }
}
