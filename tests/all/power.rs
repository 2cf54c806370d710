//! A server is killed, or power is lost, at any moment of a flood of calls: all that was answered
//! before is there, once, and nothing is there by half.
//!
//! For a loss of power a real server plays while [`record`] notes what it does to its files and what
//! it answers; then the disk is made as a loss may leave it ([`disk`]), and the program begins on it
//! again. `ROLLBOOK_FAULTS=1000` tries so many moments of each kind. A failure prints the seed; `PROPTEST_RNG_SEED`
//! repeats it.

mod disk;
mod record;

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use tempfile::TempDir;

use self::record::{Change, Record, Step};
use crate::faults::faults;
use crate::process::{LOCKHOUSE, Process, call, ran, rollbook};
use crate::table;

const LIVES: usize = 2;
const CAMPAIGNS: usize = 3;

/// The calls of a server's life, all sent before any is answered: so some share a commit. In the
/// first one the log file (WAL) grows until it is written into the database, and is begun anew.
fn calls(life: usize) -> Vec<(&'static str, Value)> {
    let count = [126, 18][life];
    let rats = json!([{"name": "Rat", "count": 4, "hp": 1}]);
    let calls = (0..count).map(|nth| match nth / CAMPAIGNS % 6 {
        2 => (
            "manage_combat",
            json!({"action": "start", "combatants": rats}),
        ),
        4 => ("manage_combat", json!({"action": "end"})),
        1 | 5 => (
            "manage_session",
            json!({"action": "note", "text": "The reeve's rat. ".repeat(230)}),
        ),
        _ => ("roll_dice", json!({"expression": "20d100"})),
    });
    // Its end begins a backup, and a line in the file of checkpoints.
    let end = ("manage_session", json!({"action": "end"}));
    let mut calls: Vec<_> = calls.chain([end]).collect();
    for (nth, (_, arguments)) in calls.iter_mut().enumerate() {
        arguments["campaign"] = json!(format!("table {}", nth % CAMPAIGNS));
        arguments["request_id"] = json!(format!("{life}.{nth}"));
    }
    calls
}

/// Sends the calls of a life, and waits for none of them.
fn send(server: &mut Process, life: usize) {
    for (tool, arguments) in calls(life) {
        let id = arguments["request_id"].clone();
        server.send(&call(id, tool, arguments));
    }
}

/// Two lives of a server; `None` where they cannot be recorded.
fn played() -> Option<(Record, TempDir)> {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let place = folder.path().join("played");
    std::fs::create_dir(&place).expect("is made");
    let mut record = Record::of(&place);
    for life in 0..LIVES {
        let mut command = rollbook(&place);
        command.args(["serve", "--adventure", LOCKHOUSE, "--db"]);
        command.arg(place.join("campaigns.db"));
        let trace = folder.path().join("trace");
        let mut server = Process::serving(record.tracing(&command, &trace)?, folder.clone());
        server.initialize();
        send(&mut server, life);
        for _ in calls(life) {
            let answer = server.receive().expect("an answer");
            assert_ne!(answer["result"]["isError"], true, "{answer}");
        }
        assert!(server.end().0.success());
        record.add(&std::fs::read_to_string(&trace).expect("a trace"));
    }
    Some((record, Arc::into_inner(folder).expect("nobody else has it")))
}

/// After how many steps each answer was begun.
fn answers(record: &Record) -> Vec<usize> {
    let steps = (1..).zip(&record.steps);
    let answers = steps.filter(|(_, step)| matches!(step, Step::Answered(_)));
    answers.map(|(steps, _)| steps).collect()
}

/// What was written to the client in the first so many steps.
fn output(record: &Record, steps: usize) -> Vec<u8> {
    let written = record.steps[..steps].iter().map(|step| match step {
        Step::Answered(bytes) => &bytes[..],
        Step::Named { .. }
        | Step::Removed(_)
        | Step::Changed { .. }
        | Step::Synced { .. }
        | Step::SyncedNames { .. } => &[],
    });
    written.collect::<Vec<_>>().concat()
}

/// The content of each answer that is whole, by the `request_id` of its call.
fn by_request(bytes: &[u8]) -> BTreeMap<String, Value> {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let whole = lines.filter(|line| line.ends_with(b"\n"));
    let messages = whole.map(|line| serde_json::from_slice::<Value>(line).expect("a message"));
    messages
        .filter_map(|message| {
            let id = message["id"].as_str()?.to_owned();
            Some((id, message["result"]["structuredContent"].clone()))
        })
        .collect()
}

/// The program goes on with what is in the folder: it has every one of these answers, and answers
/// the other calls; no call is there by half, and none twice.
fn goes_on(folder: &Arc<TempDir>, answered: &BTreeMap<String, Value>) {
    let mut server = Process::hello(folder.clone());
    // Of each campaign the last roll that was answered, and the first one that was not.
    let mut again: BTreeMap<(String, bool), (Value, Option<&Value>)> = BTreeMap::new();
    let rolls = (0..LIVES)
        .flat_map(calls)
        .filter(|(tool, _)| *tool == "roll_dice");
    for (_, arguments) in rolls {
        let campaign = arguments["campaign"].to_string();
        let known = answered.get(arguments["request_id"].as_str().expect("text"));
        match known {
            Some(_) => drop(again.insert((campaign, true), (arguments, known))),
            None => drop(again.entry((campaign, false)).or_insert((arguments, known))),
        }
    }
    for (arguments, known) in again.into_values() {
        let content = server.done("roll_dice", arguments);
        assert!(content["log"].is_u64(), "{content}");
        if let Some(known) = known {
            assert_eq!(
                (&content["log"], &content["total"]),
                (&known["log"], &known["total"])
            );
        }
    }
    assert!(server.end().0.success());
    ran(folder.path(), &["verify", "--db", "campaigns.db"]).ends(0);
    let record = table::Record::of(folder.path().join("campaigns.db"));
    let kept =
        record.rows("select request_id, seq, chain from requests join log using (campaign, seq)");
    let receipt = |row: &Value| {
        Some(format!(
            "#{} {}",
            row["seq"],
            row["chain"].as_str()?.get(..20)?
        ))
    };
    let kept: BTreeMap<_, _> = kept
        .iter()
        .map(|row| (row["request_id"].as_str().expect("text"), receipt(row)))
        .collect();
    for (id, content) in answered {
        let receipt = content["receipt"].as_str().map(str::to_owned);
        assert_eq!(kept.get(id.as_str()), Some(&receipt), "{id}: {content}");
    }
    for half in [
        "select count(*) from log left join requests using (campaign, seq)
            where kind = 'roll' and request_id is null",
        "select count(*) from combats where 4 <> (select count(*) from combatants
            where combatants.campaign = combats.campaign and combat = combats.id)",
    ] {
        assert_eq!(record.number(half), 0, "{half}");
    }
    let backups = folder.path().join("campaigns.db.backups");
    for backup in std::fs::read_dir(&backups).into_iter().flatten() {
        let backup = backup.expect("an entry").path();
        if backup.is_file() {
            let backup = backup.to_str().expect("a path");
            ran(folder.path(), &["verify", "--db", backup]).ends(0);
        }
    }
}

#[test]
fn a_server_killed_in_a_flood_of_calls_loses_nothing_that_it_answered() {
    for round in 0..faults(12) {
        let folder = Arc::new(TempDir::new().expect("a folder"));
        let mut server = Process::hello(folder.clone());
        send(&mut server, 0);
        let mut output = Vec::new();
        for _ in 0..round * 7 % calls(0).len() {
            let answer = server.receive().expect("an answer");
            output.extend(format!("{answer}\n").into_bytes());
        }
        server.signal("KILL");
        output.extend(server.wait().1);
        goes_on(&folder, &by_request(&output));
    }
}

#[test]
fn a_loss_of_power_at_any_moment_costs_nothing_that_was_answered() {
    let Some((record, _folder)) = played() else {
        return;
    };
    let answers = answers(&record);
    for (name, content) in record.files(record.steps.len(), None) {
        let is = std::fs::read(&name).expect("is there");
        assert!(is == content, "{} was not recorded", name.display());
    }
    let count = |is: fn(&&Step) -> bool| record.steps.iter().filter(is).count();
    let syncs = count(|step| matches!(step, Step::Synced { .. }));
    let answered = by_request(&output(&record, record.steps.len()));
    assert!(syncs < answered.len(), "calls share commits");
    // The first 32 bytes of a log file say which of its entries hold.
    let begun = count(
        |step| matches!(step, Step::Changed { change: Change::Written { at: 0, bytes }, .. } if bytes.len() == 32),
    );
    assert!(begun > LIVES, "a log file is begun anew");
    let config = Config {
        failure_persistence: None,
        max_shrink_iters: 0,
        ..Config::with_cases(u32::try_from(faults(40)).expect("a number"))
    };
    let cases = (any::<Index>(), 0..3, any::<u64>());
    let tried = TestRunner::new(config).run(&cases, |(at, moment, seed)| {
        let steps = match moment {
            0 => answers[at.index(answers.len())],
            // Before the first call is answered, and the one that says hello is.
            1 => at.index(answers[1]),
            _ => at.index(record.steps.len() + 1),
        };
        let folder = Arc::new(TempDir::new().expect("a folder"));
        for (name, content) in record.files(steps, Some(seed)) {
            let name = record.moved(&name, folder.path());
            std::fs::create_dir_all(name.parent().expect("a folder")).expect("is made");
            std::fs::write(name, content).expect("is written");
        }
        goes_on(&folder, &by_request(&output(&record, steps)));
        Ok(())
    });
    tried.unwrap_or_else(|broken| panic!("{broken}"));
}
