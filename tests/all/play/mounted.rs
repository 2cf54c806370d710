//! Tools of others: a server that is started, in a category of its own, and apart from the
//! campaign.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rollbook::play::model::Api;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::fake::{Fake, calls, says};
use super::piped::{piped, play};
use super::rig::{KEY, answers, results};
use crate::process::LOCKHOUSE;
use crate::table::has;

/// A server of the protocol as another program would be: a second Rollbook, which plays for itself.
fn other() -> String {
    format!(
        "other=env > seen.txt; exec '{}' serve --adventure '{LOCKHOUSE}' --db other.db --campaign Elsewhere",
        env!("CARGO_BIN_EXE_rollbook")
    )
}

#[test]
fn tools_of_another_server_are_called_by_their_own_names_and_see_nothing_of_the_campaign() {
    let folder = TempDir::new().unwrap();
    let script = answers([
        calls([
            ("other_roll_dice", json!({"expression": "4 + 5"})),
            ("other_roll_dice", json!({"expression": "bad dice"})),
            ("roll_dice", json!({"expression": "7"})),
        ]),
        says("Two tables."),
    ]);
    let fake = Fake::saying(Api::Anthropic, script);
    let mut command = play(folder.path());
    command
        .args([
            "--with",
            &other(),
            "--model",
            "claude-test",
            "--endpoint",
            &fake.endpoint,
        ])
        .env("ANTHROPIC_API_KEY", KEY)
        .env("PGPASSWORD", "pw");
    let output = piped(
        command,
        "Roll at both\n/call other_manage_session action=status\n/session\n",
    );
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{out}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    has(
        &out,
        &[
            "Two tables.",
            "Elsewhere (The Lockhouse",
            "lockhouse (The Lockhouse",
        ],
    );
    let asked = fake.asked();
    let named: Vec<&str> = asked[0].body["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert!(
        named.contains(&"other_roll_dice") && named.contains(&"roll_dice"),
        "{named:?}"
    );
    let back = results(&asked[1].body);
    assert!(
        back[0].contains("4; + 5 = 9")
            && back[1].contains("roll_dice of other failed")
            && back[2].contains("7 = 7"),
        "{back:?}"
    );
    let seen = std::fs::read_to_string(folder.path().join("seen.txt")).unwrap();
    assert!(
        seen.contains("PATH=") && !seen.contains(KEY) && !seen.contains("PGPASSWORD"),
        "{seen}"
    );
}

#[test]
fn a_server_that_is_none_is_refused_with_what_to_send() {
    let refused = |with: &str| {
        let folder = TempDir::new().unwrap();
        let mut command = play(folder.path());
        command.args(["--with", with]);
        let output = piped(command, "");
        assert_eq!(output.status.code(), Some(2), "{with}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(
        refused("weather=no-such-program-here")
            .contains("--with weather: the server did not answer")
    );
    // `false` ends at once: nothing of the library after it is named.
    assert!(
        !refused("weather=false").contains("rmcp"),
        "{}",
        refused("weather=false")
    );
    assert!(
        refused("weather=echo hello").contains("See that `echo hello` is a server of the protocol")
    );
    assert!(refused("weather").contains("a name and a command are wanted"));
    assert!(refused("combat=x").contains("Take another name"));
    let folder = TempDir::new().unwrap();
    let mut command = play(folder.path());
    command.args(["--with", "odd=true", "--with", "odd=true"]);
    let output = piped(command, "");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() == Some(2) && err.contains("--with odd: two servers are named odd"),
        "{err}"
    );
    assert!(
        !folder.path().join("campaigns.db").exists(),
        "and nothing was made"
    );
}

/// A server that a shell plays: it lists these tools, and answers each call with a result of that
/// text.
#[cfg(unix)]
fn written(folder: &Path, tools: &Value, text: &str) {
    let reply = |result: Value| format!("{{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{result}}}");
    let hello = reply(json!({
        "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "odd", "version": "1"},
    }));
    let list = reply(json!({"tools": tools}));
    let result = reply(json!({"content": [{"type": "text", "text": text}]}));
    let script = format!(
        "sleep 600 & echo $! > sleeper.txt\n\
         while read -r line; do\n\
           id=$(printf '%s' \"$line\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/')\n\
           case \"$line\" in\n\
             *'\"initialize\"'*) printf '%s' \"$line\" > hello.txt; echo '{hello}';;\n\
             *'\"tools/list\"'*) echo '{list}';;\n\
             *'\"tools/call\"'*) echo '{result}';;\n\
           esac\n\
         done\n"
    );
    std::fs::write(folder.join("odd.sh"), script).unwrap();
}

#[cfg(unix)]
#[test]
fn one_odd_tool_is_left_out_by_name_and_words_are_bounded() {
    let folder = TempDir::new().unwrap();
    let object = json!({"type": "object"});
    let long = "long words ".repeat(1_000);
    let tools = json!([
        {"name": "good", "description": long, "inputSchema": object},
        {"name": "null", "inputSchema": null},
        {"name": "list", "inputSchema": []},
        {"name": "absent"},
        {"name": "a blank", "inputSchema": object},
        {"name": "good", "inputSchema": object},
        {"name": "vast", "inputSchema": {"type": "object", "description": "x".repeat(20_001)}},
    ]);
    written(folder.path(), &tools, &"so much ".repeat(10_000));
    let fake = Fake::saying(
        Api::Anthropic,
        answers([calls([("odd_good", json!({}))]), says("Well.")]),
    );
    let mut command = play(folder.path());
    command.args([
        "--with",
        "odd=sh odd.sh",
        "--model",
        "claude-test",
        "--endpoint",
        &fake.endpoint,
        "--audience",
        "gm",
    ]);
    command.env("ANTHROPIC_API_KEY", KEY);
    let output = piped(command, "Go\n/call odd_good\n");
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(
        output.status.success() && out.contains("Well."),
        "{out}{err}"
    );
    for name in [
        "\"null\"",
        "\"list\"",
        "\"absent\"",
        "odd_a blank",
        "odd_good",
        "\"vast\"",
    ] {
        assert!(
            err.lines()
                .any(|line| line.contains("a tool is left out") && line.contains(name)),
            "{name}: {err}"
        );
    }
    assert!(err.contains("the server lists odd_good twice"), "{err}");
    let asked = fake.asked();
    let mounted: Vec<&Value> = asked[0].body["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|tool| tool["name"].as_str().unwrap().starts_with("odd_"))
        .collect();
    assert_eq!(
        (mounted.len(), &mounted[0]["name"]),
        (1, &json!("odd_good"))
    );
    assert!(
        mounted[0]["description"].as_str().unwrap().chars().count() < 2_100,
        "{}",
        mounted[0]
    );
    // What it answers is cut for everybody.
    assert!(
        out.len() < 60_000 && out.contains("(cut: ask for less)"),
        "{}",
        out.len()
    );
    let hello = std::fs::read_to_string(folder.path().join("hello.txt")).unwrap();
    assert!(
        hello.contains(&format!(
            "\"name\":\"rollbook\",\"version\":\"{}\"",
            env!("CARGO_PKG_VERSION")
        )),
        "{hello}"
    );
    assert!(
        has_ended(folder.path()),
        "what the server started ends with it"
    );
}

/// Whether the process that the server started has ended, at once or soon.
#[cfg(unix)]
fn has_ended(folder: &Path) -> bool {
    let sleeper = std::fs::read_to_string(folder.join("sleeper.txt")).unwrap();
    let sleeper = rustix::process::Pid::from_raw(sleeper.trim().parse().unwrap()).unwrap();
    (0..50).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        // Who has ended and was not waited for yet has no command line any more.
        let line = std::fs::read(format!("/proc/{}/cmdline", sleeper.as_raw_nonzero()));
        rustix::process::test_kill_process(sleeper).is_err()
            || line.is_ok_and(|line| line.is_empty())
    })
}

#[cfg(unix)]
#[test]
fn a_server_that_does_not_start_is_reported_with_its_last_words() {
    let folder = TempDir::new().unwrap();
    let mut command = play(folder.path());
    let with = "weather=sleep 600 </dev/null >/dev/null 2>&1 & echo $! > sleeper.txt; for n in 1 2 3 4 5 6; do echo line $n >&2; done; \
                printf 'no \\033[31mkey\\n' >&2; exit 3";
    command.args(["--with", with]);
    let output = piped(command, "");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    for wanted in [
        "See that `sleep 600",
        "exit status: 3",
        "line 6 | no \\u{1b}[31mkey",
    ] {
        assert!(err.contains(wanted), "{wanted}: {err}");
    }
    assert!(!err.contains("line 2") && !err.contains('\u{1b}'), "{err}");
    assert!(
        has_ended(folder.path()),
        "what the server started ends with it"
    );
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_mounted_server_too() {
    let folder = TempDir::new().unwrap();
    written(
        folder.path(),
        &json!([{"name": "good", "inputSchema": {"type": "object"}}]),
        "well",
    );
    let mut command = play(folder.path());
    command
        .args(["--with", "odd=sh odd.sh"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let is_there = (0..300).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        folder.path().join("hello.txt").exists()
    });
    assert!(is_there);
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    child.wait().unwrap();
    assert!(has_ended(folder.path()));
}
