//! What a server over HTTP writes to standard error, and what `rollbook healthy` answers about it.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Output, Stdio};
use std::sync::Arc;

use serde_json::{Value, json};

use super::keys::{bearer, made};
use super::web::Web;
use crate::process::{LOCKHOUSE, Process, rollbook};

#[test]
fn it_says_its_address_and_then_errors_alone() {
    let server = Web::start();
    assert_eq!(
        server
            .ask("GET", "/mcp", &[("Host", "evil.example")], b"")
            .status,
        403
    );
    assert_eq!(server.get("/readyz").status, 200);
    std::fs::write(server.database(), "a shopping list").expect("written");
    assert_eq!(server.get("/readyz").status, 503);
    let printed = server.says("not ready");
    assert!(
        printed.starts_with(&format!("rollbook serves http://{}/mcp\n", server.address)),
        "{printed}"
    );
    assert_eq!(printed.lines().count(), 2, "{printed}");
}

#[test]
fn it_serves_on_when_nobody_reads_what_it_logs() {
    for is_gone in [true, false] {
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        let mut command = Web::command(&folder, "127.0.0.1:0", &["--rate", "off"]);
        command.env("ROLLBOOK_LOG", "info,rollbook::address=info");
        let (server, errors) = Web::unheard(command, folder);
        let errors = (!is_gone).then_some(errors);
        // Each is a line of the log; together they are more than a pipe holds.
        for _ in 0..1_000 {
            assert_eq!(
                server
                    .ask("GET", "/healthz", &[("Host", "evil.example")], b"")
                    .status,
                403
            );
        }
        let id = server.session(&[]);
        let headers = [
            ("Mcp-Session-Id", id.as_str()),
            ("MCP-Protocol-Version", "2025-11-25"),
        ];
        let params = json!({"name": "roll_dice", "arguments": {"expression": "1d20"}});
        let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
        assert_eq!(
            server.message(&headers, &call).content()["log"],
            4,
            "{is_gone}"
        );
        server.signal("TERM");
        assert_eq!(server.wait().code(), Some(0), "{is_gone}");
        drop(errors);
    }
}

#[test]
fn every_line_is_json_where_that_is_asked_for() {
    let server = Web::with(&["--log-format", "json"]);
    std::fs::write(server.database(), "a shopping list").expect("written");
    assert_eq!(server.get("/readyz").status, 503);
    let printed = server.says("not ready");
    let lines: Vec<Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let address = format!("rollbook serves http://{}/mcp", server.address);
    assert_eq!(
        (&lines[0]["level"], &lines[0]["message"]),
        (&json!("INFO"), &json!(address)),
        "{printed}"
    );
    assert_eq!(
        (&lines[1]["level"], lines.len()),
        (&json!("ERROR"), 2),
        "{printed}"
    );
}

#[test]
fn no_line_holds_a_key_or_what_was_rolled_for() {
    for format in ["text", "json"] {
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        let gm = made(folder.path(), &["--campaign", "North", "--seat", "gm"]);
        let mut command = Web::command(&folder, "127.0.0.1:0", &["--log-format", format]);
        command.env("ROLLBOOK_LOG", "trace");
        let server = Web::of(command, folder);
        let guess = "rollbook_0123456789ab_guessguessguess";
        let key = bearer(&gm);
        assert_eq!(
            server
                .ask("POST", "/mcp", &[("Authorization", &bearer(guess))], b"{}")
                .status,
            401
        );
        assert_eq!(
            server
                .ask(
                    "GET",
                    "/api",
                    &[("Authorization", &key), ("Cookie", "biscuit")],
                    b""
                )
                .status,
            200
        );
        assert_eq!(
            server
                .ask("GET", "/metrics", &[("Authorization", &key)], b"")
                .status,
            200
        );
        let printed = server.says("a request was turned away");
        let secret = gm.rsplit('_').next().expect("a secret");
        for hidden in [secret, "guessguessguess", "biscuit"] {
            assert!(!printed.contains(hidden), "{hidden} in {printed}");
        }
    }
}

#[test]
fn what_people_wrote_is_not_logged_over_http_nor_over_stdio() {
    let calls = [
        (
            "manage_character",
            json!({"action": "create", "name": "Ysolde", "kind": "player", "notes": "a scar of glass"}),
        ),
        (
            "skill_check",
            json!({"skill": "Perception", "character": "Ysolde", "difficulty": 9, "context": "the widow"}),
        ),
        (
            "roll_dice",
            json!({"expression": "1d6 + nonsense", "context": "the widow"}),
        ),
        ("get_character", json!({"character": "Ysold"})),
        ("search_log", json!({"text": "widow"})),
    ];
    for level in ["debug", "trace,rmcp=trace,sqlx=trace"] {
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        let mut command = Web::command(&folder, "127.0.0.1:0", &["--rate", "off"]);
        command.env("ROLLBOOK_LOG", level);
        let server = Web::of(command, folder.clone());
        let id = server.session(&[]);
        let headers = [
            ("Mcp-Session-Id", id.as_str()),
            ("MCP-Protocol-Version", "2025-11-25"),
        ];
        for (tool, arguments) in &calls {
            let params = json!({"name": tool, "arguments": arguments});
            let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
            assert_eq!(server.message(&headers, &call).status, 200);
            assert_eq!(server.call(&[], tool, arguments.clone()).status, 200);
        }
        // The last line shows that all before it were written.
        assert_eq!(
            server
                .ask("GET", "/healthz", &[("Host", "evil.example")], b"")
                .status,
            403
        );
        let printed = server.says("a request was turned away");

        let errors = folder.path().join("errors");
        let mut command = rollbook(folder.path());
        command
            .args(["serve", "--adventure", LOCKHOUSE, "--db", "stdio.db"])
            .env("ROLLBOOK_LOG", level);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(&errors).expect("made"));
        let mut server = Process::spawned(&mut command, &folder);
        server.initialize();
        for (tool, arguments) in &calls {
            server.call(tool, arguments.clone());
        }
        assert!(server.end().0.success());
        let printed = printed + &std::fs::read_to_string(errors).expect("text");
        for hidden in ["Ysold", "scar of glass", "widow", "nonsense"] {
            assert!(!printed.contains(hidden), "{hidden} in {printed}");
        }
    }
}

#[test]
fn a_server_whose_open_database_was_overwritten_is_not_ready() {
    let server = Web::start();
    assert_eq!(
        server.get("/readyz").status,
        200,
        "there is none yet, and one can be made"
    );
    server
        .call(&[], "roll_dice", json!({"expression": "1d6"}))
        .content();
    assert_eq!(server.get("/readyz").status, 200);
    std::fs::write(server.database(), "a shopping list").expect("written");
    // What was found a moment ago is answered for a second.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    assert_eq!(
        (server.get("/healthz").status, server.get("/readyz").status),
        (200, 503)
    );
    server.says("not ready");
}

/// `rollbook healthy`: what it answers about servers that are well, ill, gone or something else.
fn healthy(url: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    rollbook(folder.path())
        .arg("healthy")
        .arg(url)
        .output()
        .expect("it ends")
}

#[track_caller]
fn says(url: &str, code: i32, words: &str) {
    let output = healthy(url);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(code) && text.contains(words),
        "{url}: {output:?}"
    );
    assert!(
        output.stdout.is_empty() && (code != 0 || text.is_empty()),
        "{output:?}"
    );
}

#[test]
fn a_server_that_answers_is_healthy() {
    let server = Web::start();
    for url in [
        format!("http://{}", server.address),
        format!("http://{}/healthz", server.address),
    ] {
        says(&url, 0, "");
    }
    let ready = format!("http://localhost:{}/readyz", server.address.port());
    says(&ready, 0, "");
    std::fs::write(server.database(), "a shopping list").expect("written");
    says(&format!("http://{}", server.address), 0, "");
    says(&ready, 1, "it answered 503");
}

#[test]
fn what_is_gone_or_something_else_is_not_healthy() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("an address");
    let address = listener.local_addr().expect("an address");
    let other = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("it asks");
        let _ = stream.read(&mut [0; 1024]);
        stream.write_all(b"SSH-2.0-other\r\n").expect("it is sent");
    });
    says(
        &format!("http://{address}/healthz"),
        1,
        "does not speak HTTP",
    );
    other.join().expect("no panic");
    // Nobody listens there any more.
    says(&format!("http://{address}/healthz"), 1, "is not healthy");
    says(
        "https://localhost/healthz",
        2,
        "curl --fail https://localhost/healthz",
    );
    says("localhost:7878", 2, "http://127.0.0.1:7878/healthz");
}
