//! A client that does not read, calls that wait or are cancelled, ids that are used twice, and
//! calls that are sent twice.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::runtime::Runtime;

use crate::process::{Process, call, runtime};
use crate::table::Record;

/// Another process's write lock, held by a connection of this one.
struct Lock {
    runtime: Runtime,
    connection: Option<SqliteConnection>,
}

impl Lock {
    fn of(database: &Path) -> Lock {
        let runtime = runtime();
        let connection = runtime.block_on(async {
            let mut connection = SqliteConnectOptions::new()
                .filename(database)
                .connect()
                .await
                .expect("opens");
            sqlx::query("begin immediate")
                .execute(&mut connection)
                .await
                .expect("takes the lock");
            connection
        });
        Lock {
            runtime,
            connection: Some(connection),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(mut connection) = self.connection.take() {
            self.runtime.block_on(async {
                sqlx::query("rollback")
                    .execute(&mut connection)
                    .await
                    .expect("lets go");
                connection.close().await.expect("closes");
            });
        }
    }
}

/// A server whose campaign was written to, so that it has five entries.
fn begun() -> Process {
    let mut server = Process::start_and_greet();
    server.done("roll_dice", json!({"expression": "d20"}));
    assert_eq!(
        server.done(
            "manage_character",
            json!({"action": "create", "name": "Ada", "kind": "player"})
        )["log"],
        5
    );
    server
}

fn length(server: &mut Process) -> Value {
    server.done("manage_session", json!({"action": "status"}))["log_length"].clone()
}

fn cancel(id: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
}

#[test]
fn reading_goes_on_and_a_cancelled_call_rolls_nothing_while_another_process_writes() {
    let mut server = begun();
    let lock = Lock::of(&server.database());
    let roll = |id: &str| {
        call(
            json!(id),
            "roll_dice",
            json!({"expression": "d20", "context": id}),
        )
    };
    server.send(&roll("cancelled"));
    server.send(&roll("kept"));
    server.send(&roll("cancelled in line"));
    let began = Instant::now();
    assert_eq!(length(&mut server), 5);
    server.done("get_character", json!({"character": "Ada"}));
    server.done("odds", json!({"expression": "2d6"}));
    server.done("get_rules", json!({}));
    let foretold = json!({"target": "Ada", "apply_conditions": ["unconscious"], "preview": true});
    assert_eq!(
        server.done("apply_damage", foretold)["conditions"],
        json!(["unconscious"])
    );
    for method in ["tools/list", "ping"] {
        assert_eq!(
            server.ask(json!({"jsonrpc": "2.0", "id": method, "method": method}))["id"],
            method
        );
    }
    assert!(
        began.elapsed() < Duration::from_secs(2),
        "reading waited: {:?}",
        began.elapsed()
    );
    server.send(&cancel(&json!("cancelled")));
    server.send(&cancel(&json!("cancelled in line")));
    // The answer to a ping shows that both were read.
    server.ask(json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}));
    drop(lock);
    let kept = server.receive().expect("an answer");
    assert_eq!(
        (&kept["id"], &kept["result"]["structuredContent"]["log"]),
        (&json!("kept"), &json!(6)),
        "{kept}"
    );
    assert_eq!(length(&mut server), 6);
    let (status, rest) = server.end();
    assert!(status.success() && rest.is_empty(), "{status} {rest:?}");
}

#[test]
fn a_call_whose_client_leaves_while_it_waits_rolls_nothing() {
    let mut server = begun();
    let folder = server.folder();
    let lock = Lock::of(&server.database());
    for id in 0..3 {
        server.send(&call(json!(id), "roll_dice", json!({"expression": "d20"})));
    }
    let began = Instant::now();
    let (status, rest) = server.end();
    assert!(
        status.success() && began.elapsed() < Duration::from_secs(4),
        "{status} after {:?}",
        began.elapsed()
    );
    assert_eq!(rest.len(), 3, "{rest:?}");
    for answer in rest {
        assert_eq!(
            answer["result"]["structuredContent"]["code"], "cancelled",
            "{answer}"
        );
    }
    drop(lock);
    assert_eq!(length(&mut Process::hello(folder)), 5);
}

#[test]
fn the_second_of_two_calls_with_one_id_is_refused() {
    let mut server = begun();
    let lock = Lock::of(&server.database());
    server.send(&call(json!(7), "roll_dice", json!({"expression": "d20"})));
    let refused = server.ask(call(json!(7), "roll_dice", json!({"expression": "d6"})));
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&json!(7), &json!(-32600)),
        "{refused}"
    );
    // A text is another id than a number.
    assert_eq!(
        server.ask(json!({"jsonrpc": "2.0", "id": "7", "method": "ping"}))["id"],
        "7"
    );
    drop(lock);
    assert_eq!(
        server.receive().expect("an answer")["result"]["structuredContent"]["log"],
        6
    );
    let sent = json!({"expression": "d6"});
    assert_eq!(
        server.ask(call(json!(7), "roll_dice", sent))["result"]["structuredContent"]["log"],
        7
    );
}

#[test]
fn calls_after_many_that_wait_can_be_cancelled_and_pings_are_answered() {
    let mut server = begun();
    let lock = Lock::of(&server.database());
    for id in 0..500 {
        server.send(&call(json!(id), "roll_dice", json!({"expression": "d20"})));
    }
    assert_eq!(
        server.ask(json!({"jsonrpc": "2.0", "id": "still there", "method": "ping"}))["id"],
        "still there"
    );
    for id in (0..500).filter(|id| id % 100 != 0) {
        server.send(&cancel(&json!(id)));
    }
    server.ask(json!({"jsonrpc": "2.0", "id": "read", "method": "ping"}));
    drop(lock);
    for id in [0, 100, 200, 300, 400] {
        assert_eq!(server.receive().expect("an answer")["id"], id);
    }
    assert_eq!(length(&mut server), 10);
}

/// Resident memory in KiB.
#[cfg(target_os = "linux")]
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("is there");
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .expect("a line");
    line.split_whitespace()
        .nth(1)
        .and_then(|number| number.parse().ok())
        .expect("a number")
}

/// Calls that are written and not read: what the process takes is bounded, and then every answer comes, in order.
#[cfg(target_os = "linux")]
#[test]
fn a_client_that_does_not_read_fills_its_own_pipe_and_not_the_server() {
    const CALLS: usize = 90_000;
    let mut server = begun();
    let process = server.id();
    let before = resident(process);
    let mut input = server.take_input();
    let writer = std::thread::spawn(move || {
        for id in 0..CALLS {
            // Bad arguments are answered without a write, which would take a minute.
            let line = call(
                json!(id),
                "roll_dice",
                json!({"expression": "d20", "dice_sides": 6, "context": "x".repeat(100)}),
            );
            if writeln!(input, "{line}").is_err() {
                return false;
            }
        }
        true
    });
    // The writer stops by itself.
    let mut seen = 0;
    for _ in 0..400 {
        std::thread::sleep(Duration::from_millis(50));
        let now = resident(process);
        assert!(now < before + 60_000, "{now} KiB, {before} before");
        if now == seen {
            break;
        }
        seen = now;
    }
    for id in 0..CALLS {
        let answer = server.receive().expect("an answer");
        assert_eq!(answer["id"], id, "answers come in the order of the calls");
    }
    assert!(writer.join().expect("no panic"), "everything was taken");
    let (status, rest) = server.end();
    assert!(status.success() && rest.is_empty(), "{status} {rest:?}");
}

/// A server with more to answer than its output holds, and its input.
fn full() -> (Process, impl Write) {
    let mut server = begun();
    let mut input = server.take_input();
    for id in 0..3000 {
        writeln!(input, "{}", call(json!(id), "get_rules", json!({}))).expect("is taken");
    }
    (server, input)
}

#[track_caller]
fn ends_within(server: &mut Process, seconds: u64, or: &str) {
    let began = Instant::now();
    while server.is_running() {
        assert!(began.elapsed() < Duration::from_secs(seconds), "{or}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_signal_ends_a_server_whose_output_is_full() {
    let (mut server, input) = full();
    server.signal("TERM");
    ends_within(&mut server, 10, "it goes on");
    drop(input);
}

#[test]
fn the_end_of_a_client_that_never_read_ends_the_server() {
    // Its input is closed, its output stays open and full.
    let (mut server, input) = full();
    drop(input);
    ends_within(&mut server, 20, "it goes on");
    // It is killed: both ends are closed at once, with much that was not read.
    let (mut server, input) = full();
    server.stop_reading_after(100);
    ends_within(&mut server, 5, "it goes on, though nobody can read");
    drop(input);
}

/// Another program, which opens the database, reads the length of the log of the default campaign
/// and closes it.
fn looked_at(database: &Path) -> i64 {
    Record::of(database).number("select max(seq) from log")
}

#[test]
fn another_program_that_closes_the_database_takes_nothing_from_a_server_that_has_two_campaigns_or_made_a_backup()
 {
    let mut server = begun();
    let database = server.database();
    let is_kept = |server: &mut Process, when: &str| {
        // The first look may take the log file away, the second does not find what was written into
        // it then.
        looked_at(&database);
        let last = server.done("roll_dice", json!({"expression": "d20"}))["log"].clone();
        assert_eq!(json!(looked_at(&database)), last, "{when}");
    };
    is_kept(&mut server, "one campaign");
    server.done(
        "roll_dice",
        json!({"expression": "d20", "campaign": "another"}),
    );
    is_kept(&mut server, "two campaigns");
    server.done("manage_session", json!({"action": "end"}));
    let backups = database.with_file_name("campaigns.db.backups");
    let began = Instant::now();
    while !std::fs::read_dir(&backups).is_ok_and(|files| {
        files
            .flatten()
            .any(|file| file.path().extension().is_some_and(|end| end == "db"))
    }) {
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "no backup was made"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    is_kept(&mut server, "a backup");
}

// A client's own id of a call, as Claude Code sends it: a call that is sent twice acts once, though
// nobody wrote a request_id.

/// The result of a call that carries that id.
fn sent(server: &mut Process, id: Value, tool: &str, arguments: Value) -> Value {
    let mut request = call(json!(9), tool, arguments);
    request["params"]["_meta"] = json!({"claudecode/toolUseId": id, "progressToken": 3});
    let result = server.ask(request)["result"].clone();
    assert_ne!(result["isError"], true, "{result}");
    result["structuredContent"].clone()
}

/// How many entries the log has.
fn retries_length(server: &mut Process) -> Value {
    server.done("manage_session", json!({"action": "status"}))["log_length"].clone()
}

#[test]
fn a_call_that_is_sent_again_acts_once_also_after_a_restart() {
    let mut server = Process::start_and_greet();
    let id = json!("toolu_01A09q90qw90lq917835lq9");
    let first = sent(
        &mut server,
        id.clone(),
        "roll_dice",
        json!({"expression": "20d6"}),
    );
    assert_eq!(first["replayed"], Value::Null);
    let (folder, before) = (server.folder(), retries_length(&mut server));
    for _ in 0..2 {
        let mut again = sent(
            &mut server,
            id.clone(),
            "roll_dice",
            json!({"expression": "20d6"}),
        );
        assert_eq!(again["replayed"], true);
        again.as_object_mut().expect("an object").remove("replayed");
        assert_eq!(again, first);
        assert_eq!(retries_length(&mut server), before);
        assert!(server.end().0.success());
        server = Process::hello(folder.clone());
    }
}

#[test]
fn an_id_that_is_used_for_another_call_is_a_new_call() {
    let mut server = Process::start_and_greet();
    let id = json!("call_1");
    let one = sent(
        &mut server,
        id.clone(),
        "roll_dice",
        json!({"expression": "2d6"}),
    );
    let other = sent(
        &mut server,
        id.clone(),
        "roll_dice",
        json!({"expression": "2d8"}),
    );
    assert_eq!(
        (&other["replayed"], other["log"].as_u64()),
        (&Value::Null, one["log"].as_u64().map(|log| log + 1))
    );
    let set = json!({"rolls": [{"expression": "2d6"}], "count": 2});
    assert_eq!(
        sent(&mut server, id.clone(), "roll_multiple", set)["replayed"],
        Value::Null
    );
    let verified = server.folder();
    assert!(server.end().0.success());
    let status = crate::process::rollbook(verified.path())
        .args(["verify", "--db", "campaigns.db"])
        .status();
    assert!(
        status.expect("it runs").success(),
        "one id in two calls is no finding"
    );
}

#[test]
fn a_request_id_that_was_written_wins() {
    let mut server = Process::start_and_greet();
    let call = json!({"expression": "20d6", "request_id": "the tide"});
    let first = sent(&mut server, json!("toolu_1"), "roll_dice", call.clone());
    let other = sent(
        &mut server,
        json!("toolu_1"),
        "roll_dice",
        json!({"expression": "20d6", "request_id": "the ebb"}),
    );
    assert_eq!(
        other["replayed"],
        Value::Null,
        "the same id of the client means nothing beside it"
    );
    let again = sent(&mut server, json!("toolu_2"), "roll_dice", call);
    assert_eq!(
        (&again["replayed"], &again["roll_id"]),
        (&json!(true), &first["roll_id"])
    );
}

#[test]
fn an_id_that_cannot_serve_is_ignored() {
    let mut server = Process::start_and_greet();
    for id in [
        json!(7),
        json!(null),
        json!(""),
        json!(" "),
        json!("\u{202e}x"),
        json!("a\u{0}b"),
        json!({}),
        json!("x".repeat(201)),
    ] {
        let first = sent(
            &mut server,
            id.clone(),
            "roll_dice",
            json!({"expression": "2d6"}),
        );
        let second = sent(
            &mut server,
            id.clone(),
            "roll_dice",
            json!({"expression": "2d6"}),
        );
        let expected = json!([null, first["log"].as_u64().map(|log| log + 1)]);
        assert_eq!(
            json!([second["replayed"], second["log"].as_u64()]),
            expected,
            "{id}"
        );
    }
    let status = json!({"action": "status"});
    for log in [false, true] {
        let read = sent(
            &mut server,
            json!("toolu_3"),
            "manage_session",
            status.clone(),
        );
        assert_eq!(
            read["replayed"],
            Value::Null,
            "what only reads is read again"
        );
        assert!(!(log && read["log_length"] == 0));
        sent(
            &mut server,
            json!("toolu_4"),
            "get_character",
            json!({"list": true}),
        );
        server.done("roll_dice", json!({"expression": "d6"}));
    }
}
