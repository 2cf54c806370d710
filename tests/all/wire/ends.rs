//! How the server begins and ends: in both eras of the protocol, from `.mcp.json`, and over a pipe
//! that takes little at a time.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rollbook_server::mcp;
use rollbook_table::session::Host;
use rollbook_table::session::adventure::Adventure;
use rollbook_table::tools::Registry;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use crate::process::{LOCKHOUSE, Process, block_on, call};
use crate::table::{NOW, Script, Scripted};

/// A server that has written something, so that there is a log file of SQLite's to clean up.
fn in_the_middle() -> Process {
    let mut server = Process::start();
    server.initialize();
    server.done("roll_dice", json!({"expression": "d20"}));
    assert!(
        server.folder().path().join("campaigns.db-wal").exists(),
        "SQLite's own log is there while it plays"
    );
    server
}

/// Nothing beside the database but what belongs there.
fn assert_tidy(folder: &std::path::Path) {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("lists")
        .flatten()
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["campaigns.db", "campaigns.db.lock"]);
}

#[test]
fn the_end_of_input_ends_it() {
    let server = in_the_middle();
    let folder = server.folder();
    let (status, rest) = server.end();
    assert_eq!(status.code(), Some(0));
    assert!(rest.is_empty(), "{rest:?}");
    assert_tidy(folder.path());
}

#[test]
fn sigterm_and_sigint_end_it() {
    for signal in ["TERM", "INT"] {
        let mut server = in_the_middle();
        let folder = server.folder();
        server.signal(signal);
        let (status, rest) = server.wait();
        assert_eq!(status.code(), Some(0), "{signal}");
        assert_eq!(String::from_utf8_lossy(&rest), "", "{signal}");
        assert_tidy(folder.path());
    }
}

#[test]
fn the_end_of_input_or_a_signal_before_anything_began_ends_it_too() {
    let (status, rest) = Process::start().end();
    assert_eq!((status.code(), rest.len()), (Some(0), 0));
    for signal in ["TERM", "INT"] {
        let mut server = Process::start();
        // An answer shows that it is up and listens to signals.
        server.ask(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
        server.signal(signal);
        let (status, rest) = server.wait();
        assert_eq!((status.code(), rest.len()), (Some(0), 0), "{signal}");
    }
}

#[test]
fn a_call_that_is_under_way_at_the_end_of_input_is_whole_or_absent() {
    let mut server = in_the_middle();
    let folder = server.folder();
    for id in 0..20 {
        server.send(&crate::process::call(
            json!(id),
            "roll_dice",
            json!({"expression": "d20"}),
        ));
    }
    let (status, answered) = server.end();
    assert_eq!(status.code(), Some(0));
    assert_tidy(folder.path());
    let mut again = Process::hello(folder);
    let status = again.done("manage_session", json!({"action": "status"}));
    let length = status["log_length"].as_u64().expect("a number");
    assert!(
        length >= 4 + answered.len() as u64,
        "{length} entries, {} answers",
        answered.len()
    );
}

// Both eras of the protocol: clients that begin with `initialize`, and those of 2026-07-28 that do
// not.

/// What a request of the era without `initialize` carries.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "a client of 2026", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn with_meta(mut request: Value, meta: Value) -> Value {
    request["params"]["_meta"] = meta;
    request
}

#[test]
fn every_version_with_initialize_is_spoken() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut server = Process::start();
        let hello = server.ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "old", "version": "0"},
        }}));
        assert_eq!(hello["result"]["protocolVersion"], version);
        server.done("manage_session", json!({"action": "status"}));
    }
}

#[test]
fn a_version_nobody_knows_is_answered_with_one_that_works() {
    for version in ["1999-01-01", "2026-07-28", "2099-12-31"] {
        let mut server = Process::start();
        let hello = server.ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "odd", "version": "0"},
        }}));
        assert_eq!(hello["result"]["protocolVersion"], "2025-11-25", "{hello}");
        server.done("manage_session", json!({"action": "status"}));
    }
}

#[test]
fn a_client_of_2026_needs_no_initialize() {
    let mut server = Process::start();
    let found = server.ask(with_meta(
        json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}}),
        meta(),
    ));
    assert!(
        found["result"]["supportedVersions"]
            .as_array()
            .expect("versions")
            .contains(&json!("2026-07-28")),
        "{found}"
    );
    let listed = server.ask(with_meta(
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}),
        meta(),
    ));
    assert_eq!(
        listed["result"]["tools"].as_array().map(Vec::len),
        Some(Registry::default().all().len())
    );
    let rolled = server.ask(with_meta(
        call(json!("a"), "roll_dice", json!({"expression": "d20"})),
        meta(),
    ));
    assert_eq!(rolled["result"]["structuredContent"]["log"], 4, "{rolled}");
    let again = server.ask(with_meta(
        call(json!("b"), "roll_dice", json!({"expression": "d20"})),
        meta(),
    ));
    assert_eq!(again["result"]["structuredContent"]["log"], 5, "{again}");
    let (status, rest) = server.end();
    assert!(status.success() && rest.is_empty(), "{status} {rest:?}");
}

#[test]
fn a_first_call_without_discover_is_answered_too() {
    let mut server = Process::start();
    let rolled = server.ask(with_meta(
        call(json!(1), "roll_dice", json!({"expression": "d20"})),
        meta(),
    ));
    assert_eq!(rolled["result"]["structuredContent"]["log"], 4, "{rolled}");
}

#[test]
fn a_version_without_initialize_that_nobody_knows_is_refused_with_those_that_work() {
    let mut server = Process::start();
    let mut odd = meta();
    odd["io.modelcontextprotocol/protocolVersion"] = json!("2099-12-31");
    let refused = server.ask(with_meta(
        call(json!(1), "roll_dice", json!({"expression": "d20"})),
        odd,
    ));
    assert_eq!(refused["id"], 1);
    assert!(refused["error"]["message"].is_string(), "{refused}");
    assert!(
        refused["error"].to_string().contains("2026-07-28"),
        "{refused}"
    );
    let rolled = server.ask(with_meta(
        call(json!(2), "roll_dice", json!({"expression": "d20"})),
        meta(),
    ));
    assert_eq!(rolled["result"]["structuredContent"]["log"], 4, "{rolled}");
}

#[test]
fn half_the_metadata_is_an_error_and_a_stray_notification_after_it_ends_nothing() {
    let mut server = Process::start();
    let half = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    let refused = server.ask(with_meta(
        call(json!(1), "roll_dice", json!({"expression": "d20"})),
        half,
    ));
    assert!(refused["error"]["code"].is_number(), "{refused}");
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let hello = server.initialize();
    assert_eq!(hello["result"]["serverInfo"]["name"], "rollbook");
}

/// What `.mcp.json` starts: the built program at once, and nothing in between.
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The command of `.mcp.json`, run in that folder.
fn command(root: &Path) -> Command {
    let text = std::fs::read_to_string(format!("{ROOT}/.mcp.json")).expect("is there");
    let config: Value = serde_json::from_str(&text).expect("JSON");
    let server = &config["mcpServers"]["rollbook"];
    let mut command = Command::new(server["command"].as_str().expect("a command"));
    command.args(
        server["args"]
            .as_array()
            .expect("arguments")
            .iter()
            .filter_map(Value::as_str),
    );
    command
        .current_dir(root)
        .env_remove("CLAUDE_PROJECT_DIR")
        .env_remove("CARGO_TARGET_DIR");
    command
}

/// A checkout in which that program was built.
fn checkout(program: Option<&Path>) -> TempDir {
    let root = TempDir::new().expect("a folder");
    for folder in ["target/debug", "src", "adventures"] {
        std::fs::create_dir_all(root.path().join(folder)).expect("is made");
    }
    std::fs::copy(format!("{ROOT}/serve.sh"), root.path().join("serve.sh")).expect("is copied");
    #[cfg(unix)]
    std::os::unix::fs::symlink(
        format!("{ROOT}/adventures/lockhouse"),
        root.path().join("adventures/lockhouse"),
    )
    .expect("is made");
    if let Some(program) = program {
        std::fs::copy(program, root.path().join("target/debug/rollbook")).expect("is copied");
    }
    root
}

#[cfg(target_os = "linux")]
#[test]
fn the_built_program_answers_at_once_though_its_sources_are_newer_and_no_process_is_between() {
    let root = checkout(Some(Path::new(env!("CARGO_BIN_EXE_rollbook"))));
    std::fs::write(root.path().join("src/lib.rs"), "this does not compile").expect("is written");
    let began = Instant::now();
    let mut server = Process::started(
        command(root.path()),
        Arc::new(TempDir::new().expect("a folder")),
    );
    server.initialize();
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "{:?}",
        began.elapsed()
    );
    let program = std::fs::read_link(format!("/proc/{}/exe", server.id())).expect("is there");
    assert!(
        program.ends_with("target/debug/rollbook"),
        "{}",
        program.display()
    );
    let (status, rest) = server.end();
    assert!(status.success() && rest.is_empty(), "{status} {rest:?}");
}

#[cfg(unix)]
#[test]
fn where_nothing_is_built_it_says_what_to_build() {
    let root = checkout(None);
    let output = command(root.path())
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        (output.status.code(), output.stdout.len()),
        (Some(2), 0),
        "{text}"
    );
    assert!(text.contains("cargo build --release"), "{text}");
}

/// The client is a process of its own that is killed: everything of its server goes with it.
#[cfg(target_os = "linux")]
#[test]
fn the_server_goes_when_its_client_is_killed() {
    let root = checkout(Some(Path::new(env!("CARGO_BIN_EXE_rollbook"))));
    // The shell is the client. Its other child holds the server's input open, so that the end of
    // the client is all there is.
    let script = "exec 3> >(exec sh serve.sh > answers); printf '%s\\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}' >&3; echo $!; sleep 30";
    let mut client = Command::new("bash");
    client
        .args(["-c", script])
        .current_dir(root.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut client = client
        .env_remove("CARGO_TARGET_DIR")
        .spawn()
        .expect("bash runs");
    let mut line = String::new();
    let mut output = std::io::BufReader::new(client.stdout.take().expect("its output"));
    std::io::BufRead::read_line(&mut output, &mut line).expect("a line");
    let alive = || {
        std::fs::read_link(format!("/proc/{}/exe", line.trim()))
            .is_ok_and(|program| program.ends_with("rollbook"))
    };
    let within = |seconds: u64, what: &dyn Fn() -> bool| {
        let began = Instant::now();
        while !what() {
            assert!(
                began.elapsed() < Duration::from_secs(seconds),
                "too long; the server is {}",
                line.trim()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    within(20, &|| {
        std::fs::read_to_string(root.path().join("answers"))
            .is_ok_and(|answers| answers.contains("\"id\":1"))
    });
    assert!(alive());
    client.kill().expect("is killed");
    client.wait().expect("ends");
    within(10, &|| !alive());
}

/// A pipe that takes little at a time: answers wait, and none is cut by another.
#[test]
fn an_answer_to_nonsense_is_not_cut_by_the_answer_to_a_call() {
    rollbook::migrations::MIGRATIONS.hand_down();
    let folder = TempDir::new().expect("a folder");
    let script = Script::default();
    script.add([11; 20]);
    let (lines, status) = block_on(async {
        let adventure = Adventure::read(LOCKHOUSE.as_ref()).expect("the adventure");
        let chance = move || Ok(Box::new(Scripted::new(script.clone())) as Box<_>);
        let database = folder.path().join("campaigns.db");
        let host = Arc::new(Host::new(
            adventure,
            database.clone(),
            None,
            Box::new(chance),
            || NOW,
        ));
        let (mut to_server, input) = tokio::io::duplex(1024 * 1024);
        let (output, from_server) = tokio::io::duplex(8);
        let served = tokio::spawn(mcp::serve(
            host,
            Default::default(),
            input,
            output,
            std::future::pending(),
        ));
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "slow", "version": "1"},
        }});
        let mut all = format!("{hello}\n");
        for id in 1..=20 {
            all += &format!(
                "{}\nnonsense\n",
                call(json!(id), "roll_dice", json!({"expression": "d20"}))
            );
        }
        to_server.write_all(all.as_bytes()).await.expect("is taken");
        // The reader stops in the midst of the first answer to nonsense until the first call is in
        // the book and wants to be answered too.
        let mut lines = Vec::new();
        let mut reader = BufReader::with_capacity(3, from_server).lines();
        lines.extend(reader.next_line().await.expect("UTF-8"));
        let patience = Instant::now() + Duration::from_secs(60);
        while written(&database).await < 4 {
            assert!(
                Instant::now() < patience,
                "the first call is not in the book: {lines:?}"
            );
        }
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        while lines.len() < 41 {
            match reader.next_line().await.expect("UTF-8") {
                Some(line) => lines.push(line),
                None => break,
            }
        }
        drop(to_server);
        while let Some(line) = reader.next_line().await.expect("UTF-8") {
            lines.push(line);
        }
        (lines, served.await.expect("no panic"))
    });
    assert_eq!(status, Ok(()));
    let messages: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    assert_eq!(messages.len(), 41);
    assert_eq!(
        messages
            .iter()
            .filter(|message| message["error"]["code"] == -32700)
            .count(),
        20
    );
    let mut ids: Vec<i64> = messages
        .iter()
        .filter_map(|message| message["id"].as_i64())
        .collect();
    ids.sort_unstable();
    assert_eq!(
        ids,
        (0..=20).collect::<Vec<i64>>(),
        "each call is answered once"
    );
}

/// Entries in the log; 0 before it is made.
async fn written(database: &Path) -> i64 {
    let connection = SqliteConnectOptions::new()
        .filename(database)
        .read_only(true)
        .connect()
        .await;
    let Ok(mut connection) = connection else {
        return 0;
    };
    let count = sqlx::query_scalar("select count(*) from log")
        .fetch_one(&mut connection)
        .await;
    connection.close().await.expect("closes");
    count.unwrap_or(0)
}
