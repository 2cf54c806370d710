//! Standard streams of every kind: who reads standard error may be gone or stop reading, and a
//! launcher may give sockets that are non-blocking. All is answered, nothing ends, and the streams
//! stay as they were given.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::sync::Arc;

use rustix::fs::{Mode, OFlags, fcntl_getfl, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::{LOCKHOUSE, Process, call, rollbook};

/// What becomes of those who read standard error.
#[derive(Debug, Clone, Copy)]
enum Reader {
    Gone,
    TerminalClosed,
    Stopped,
}

impl Reader {
    const ALL: [Reader; 3] = [Reader::Gone, Reader::TerminalClosed, Reader::Stopped];

    /// A standard error, and what has to be kept open for it.
    fn stream(self) -> (Stdio, Option<UnixStream>) {
        match self {
            Reader::Gone => (
                Stdio::from(OwnedFd::from(UnixStream::pair().expect("a pair").0)),
                None,
            ),
            Reader::TerminalClosed => {
                let (terminal, end) = terminal();
                drop(terminal);
                (Stdio::from(end), None)
            }
            Reader::Stopped => {
                let (mut server_side, other) = UnixStream::pair().expect("a pair");
                server_side.set_nonblocking(true).expect("set");
                while server_side.write(&[b'.'; 4096]).is_ok() {}
                while server_side.write(b".").is_ok() {}
                server_side.set_nonblocking(false).expect("set");
                (Stdio::from(OwnedFd::from(server_side)), Some(other))
            }
        }
    }
}

/// A terminal, and the end that a program gets.
fn terminal() -> (OwnedFd, OwnedFd) {
    let terminal =
        openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
    grantpt(&terminal)
        .and_then(|()| unlockpt(&terminal))
        .expect("can be opened");
    let name = ptsname(&terminal, Vec::new()).expect("a name");
    let end = open(
        name,
        OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC,
        Mode::empty(),
    )
    .expect("opens");
    (terminal, end)
}

/// A non-blocking stream, a second handle of it, and the client's end.
fn socket() -> (Stdio, UnixStream, UnixStream) {
    let (server_side, clients) = UnixStream::pair().expect("a pair");
    server_side.set_nonblocking(true).expect("set");
    let again = server_side.try_clone().expect("a second handle");
    (Stdio::from(OwnedFd::from(server_side)), again, clients)
}

fn is_non_blocking(stream: &UnixStream) -> bool {
    fcntl_getfl(stream.as_fd())
        .expect("flags")
        .contains(OFlags::NONBLOCK)
}

/// The demo's evening up to the middle of its fight.
fn evening(server: &mut Process) {
    server.initialize();
    server.done(
        "manage_session",
        json!({"action": "start", "title": "The dark lamp"}),
    );
    for name in ["Jory Penrake", "Sabeth Quoin"] {
        let attributes = json!({"STR": 15, "DEX": 12, "CON": 14, "INT": 8, "WIS": 13, "CHA": 10});
        let skills = json!({"Melee": 3, "Lockpicking": 3, "Perception": 2});
        let character =
            json!({"action": "create", "name": name, "attributes": attributes, "skills": skills});
        server.done("manage_character", character);
    }
    for (skill, visibility) in [("Lockpicking", "public"), ("Perception", "gm")] {
        let check = json!({"skill": skill, "character": "Sabeth Quoin", "difficulty": 12, "visibility": visibility});
        server.done("skill_check", check);
    }
    let wreckers = json!({"name": "Wrecker", "count": 2, "hp": 7, "attributes": {"STR": 12, "DEX": 12, "WIS": 8}});
    let all = json!([{"name": "Jory Penrake"}, {"name": "Sabeth Quoin"}, wreckers]);
    server.done(
        "manage_combat",
        json!({"action": "start", "title": "The Mess", "combatants": all}),
    );
    for _ in 0..3 {
        let roll = server.done(
            "roll_dice",
            json!({"expression": "1d4", "context": "the wave"}),
        )["log"]
            .clone();
        server.done(
            "apply_damage",
            json!({"target": "Wrecker 1", "roll": roll, "damage_type": "cold"}),
        );
        server.done("manage_combat", json!({"action": "next_turn"}));
    }
}

/// More than a socket holds, asked for before any of it is read.
fn twelve_at_once(server: &mut Process) {
    for id in 0..12 {
        server.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"}));
    }
    let answers: Vec<Value> = (0..12)
        .map(|_| server.receive().expect("an answer"))
        .collect();
    let bytes: usize = answers.iter().map(|answer| answer.to_string().len()).sum();
    assert!(bytes > 400_000, "{bytes}");
    let mut ids: Vec<i64> = answers
        .iter()
        .filter_map(|answer| answer["id"].as_i64())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..12).collect::<Vec<i64>>());
}

#[test]
fn the_demos_evening_is_played_whatever_the_streams_are() {
    for reader in Reader::ALL {
        demo(Some(reader));
        let folder = Arc::new(TempDir::new().expect("a folder"));
        // The project's folder of campaigns cannot be made: that is logged at the start.
        std::fs::write(folder.path().join(".rollbook"), "a file").expect("written");
        let mut command = rollbook(folder.path());
        command.env_remove("XDG_DATA_HOME").args([
            "serve",
            "--detail",
            "full",
            "--adventure",
            LOCKHOUSE,
        ]);
        let (errors, _kept) = reader.stream();
        let mut server = Process::spawned(
            command
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(errors),
            &folder,
        );
        evening(&mut server);
        twelve_at_once(&mut server);
        // No checkpoint can be written: that is logged while the call is answered.
        let checkpoints = folder.path().join(".local/share/rollbook/checkpoints.log");
        let _ = std::fs::remove_file(&checkpoints);
        std::fs::create_dir(&checkpoints).expect("made");
        let ended = server.done("manage_session", json!({"action": "end"}));
        assert!(
            ended["next"]
                .as_str()
                .is_some_and(|next| next.contains("No checkpoint")),
            "{reader:?}: {ended}"
        );
        let (status, rest) = server.end();
        assert!(
            status.success() && rest.is_empty(),
            "{reader:?}: {status} {rest:?}"
        );
    }

    demo(None);
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let (input, own_input, to_server) = socket();
    let (output, own_output, from_server) = socket();
    let (errors, own_errors, _said) = socket();
    let mut command = rollbook(folder.path());
    command
        .args(["serve", "--detail", "full", "--adventure", LOCKHOUSE])
        .stdin(input)
        .stdout(output)
        .stderr(errors);
    let mut server = Process::over(&mut command, &folder, to_server, from_server);
    drop(command);
    evening(&mut server);
    twelve_at_once(&mut server);
    server.send_raw(&[b'x'; 400_000]);
    server.send_raw(b"\n");
    assert_eq!(
        server.receive().expect("an answer")["error"]["code"],
        -32700
    );
    for stream in [&own_input, &own_output, &own_errors] {
        assert!(is_non_blocking(stream), "{stream:?}");
    }
    // The client leaves; the handles that are kept here would hold its streams open.
    drop((own_input, own_output, own_errors));
    let last = call(json!("last"), "manage_session", json!({"action": "end"}));
    assert_eq!(server.ask(last)["id"], "last");
    let (status, rest) = server.end();
    assert!(status.success() && rest.is_empty(), "{status} {rest:?}");
}

/// `rollbook demo`, whose servers have its standard error, with all that can be logged; without a
/// reader on non-blocking sockets.
fn demo(reader: Option<Reader>) {
    let folder = TempDir::new().expect("a folder");
    let mut command = rollbook(folder.path());
    command
        .args(["demo", "--keep-in", "demo"])
        .env("ROLLBOOK_LOG", "trace");
    let printed = match reader {
        Some(reader) => {
            let (errors, _kept) = reader.stream();
            let done = command
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(errors)
                .spawn()
                .expect("starts");
            let done = done.wait_with_output().expect("ends");
            assert_eq!(done.status.code(), Some(0), "{reader:?}");
            String::from_utf8(done.stdout).expect("text")
        }
        None => {
            let ((input, ..), (output, server_side, mut printed), (errors, _, _said)) =
                (socket(), socket(), socket());
            let mut demo = command
                .stdin(input)
                .stdout(output)
                .stderr(errors)
                .spawn()
                .expect("starts");
            drop((command, server_side));
            let mut text = String::new();
            printed.read_to_string(&mut text).expect("text");
            assert_eq!(demo.wait().expect("ends").code(), Some(0));
            text
        }
    };
    assert!(
        printed.contains("The power fails") && printed.contains("After the session"),
        "{printed}"
    );
    assert!(folder.path().join("demo/players.jsonl").is_file());
}

#[test]
fn the_demo_says_what_it_will_prove_and_proved_and_leaves_nothing_behind() {
    let folder = TempDir::new().expect("a folder");
    let mut command = rollbook(folder.path());
    let done = command.arg("demo").env("TMPDIR", folder.path()).output();
    let done = done.expect("ends");
    let printed = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{done:?}");
    let last = printed.lines().rev().take(3).collect::<String>();
    assert!(
        printed.starts_with("A scene is played")
            && last.contains("Proven: ")
            && last.contains("`rollbook init`"),
        "{printed}"
    );
    let left = std::fs::read_dir(folder.path()).expect("is read").next();
    assert!(left.is_none(), "{left:?}");
}

#[test]
fn typed_into_a_terminal_it_says_what_it_waits_for() {
    let folder = TempDir::new().expect("a folder");
    let (keyboard, input) = terminal();
    let mut command = rollbook(folder.path());
    command
        .args(["serve", "--adventure", LOCKHOUSE])
        .stdin(Stdio::from(input));
    let mut server = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    drop(command);
    let mut errors = BufReader::new(server.stderr.take().expect("a pipe"));
    let mut text = String::new();
    while !text.contains("Ctrl-C") {
        assert_ne!(errors.read_line(&mut text).expect("text"), 0, "{text}");
    }
    for what in [
        "waits for an MCP client",
        "rollbook init",
        "rollbook play",
        "rollbook try",
    ] {
        assert!(text.contains(what), "{what} is not in {text}");
    }
    // What it says to type is answered.
    let line = text
        .split("type ")
        .nth(1)
        .and_then(|rest| rest.split(';').next())
        .expect("a line");
    rustix::io::write(&keyboard, format!("{line}\n").as_bytes()).expect("typed");
    let mut answer = String::new();
    BufReader::new(server.stdout.take().expect("a pipe"))
        .read_line(&mut answer)
        .expect("text");
    assert_eq!(answer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    drop(keyboard);
    assert!(server.wait().expect("ends").success());
}
