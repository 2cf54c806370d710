//! Sessions of the protocol: clients that come back to one find it, whatever became of the server
//! meanwhile.

use std::io::{Chain, Cursor, Read as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::keys::{bearer, made};
use super::web::{Answer, Web, meta, receive, send};

/// Sessions that one key may have open.
const OF_KEY: usize = 100;

fn roll(server: &Web, key: &str, session: &str) -> Answer {
    let headers = [
        ("Authorization", key),
        ("Mcp-Session-Id", session),
        ("MCP-Protocol-Version", "2025-11-25"),
    ];
    let params = json!({"name": "roll_dice", "arguments": {"expression": "1d20"}});
    server.message(
        &headers,
        &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}),
    )
}

fn two_keys() -> (Arc<TempDir>, String, String) {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let key = || {
        bearer(&made(
            folder.path(),
            &["--campaign", "North", "--seat", "gm"],
        ))
    };
    let (one, other) = (key(), key());
    (folder, one, other)
}

#[test]
fn a_session_goes_on_after_the_server_was_killed_and_started_anew() {
    let (folder, one, other) = two_keys();
    let server = Web::on(folder.clone(), &["--rate", "off"]);
    let id = server.session(&[("Authorization", &one)]);
    let ended = server.session(&[("Authorization", &one)]);
    assert_eq!(roll(&server, &one, &id).content()["log"], 4);
    let address = server.address.to_string();
    server.signal("KILL");
    server.wait();

    let server = Web::at(folder, &address, &["--rate", "off"]);
    assert_eq!(
        roll(&server, &one, &id).content()["log"],
        5,
        "the client noticed nothing"
    );
    let headers = [("Authorization", one.as_str()), ("Mcp-Session-Id", &ended)];
    assert_eq!(server.ask("DELETE", "/mcp", &headers, b"").status, 204);
    assert_eq!(
        roll(&server, &one, &ended).status,
        404,
        "what its client ended stays ended"
    );
    assert_eq!(roll(&server, &other, &id).status, 404, "it is another's");
    assert_eq!(roll(&server, &one, "no-name-of-ours").status, 404);
}

#[test]
fn the_oldest_session_of_a_key_makes_room_and_comes_back() {
    let (folder, one, other) = two_keys();
    let server = Web::on(folder, &["--rate", "off"]);
    let of_other = server.session(&[("Authorization", &other)]);
    let first = server.session(&[("Authorization", &one)]);
    for _ in 0..OF_KEY {
        // What is no call has a rate of its own, also where calls have none.
        std::thread::sleep(Duration::from_millis(40));
        server.session(&[("Authorization", &one)]);
    }
    let count = || {
        let metrics = server
            .ask("GET", "/metrics", &[("Authorization", &one)], b"")
            .body;
        let line = metrics
            .lines()
            .find_map(|line| line.strip_prefix("rollbook_sessions "));
        line.expect("a count").parse::<usize>().expect("a number")
    };
    assert_eq!(
        count(),
        OF_KEY + 1,
        "those of one key and that of the other"
    );
    assert_eq!(roll(&server, &one, &first).content()["log"], 4);
    assert_eq!(roll(&server, &other, &of_other).content()["log"], 5);
    assert_eq!(count(), OF_KEY + 1);
}

#[test]
fn who_waits_for_news_is_answered_when_the_server_ends() {
    let (folder, one, _) = two_keys();
    let server = Web::on(folder, &["--rate", "off"]);
    let id = server.session(&[("Authorization", &one)]);
    roll(&server, &one, &id).content();
    let mut params =
        json!({"name": "manage_session", "arguments": {"action": "status", "wait_s": 25}});
    params["_meta"] = json!({"progressToken": "one"});
    let with_session = [
        ("Mcp-Session-Id", id.as_str()),
        ("MCP-Protocol-Version", "2025-11-25"),
    ];
    let with_session = begun(&server, &one, &with_session, &params);
    params["_meta"] = meta();
    params["_meta"]["progressToken"] = json!("two");
    let without = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "manage_session"),
    ];
    let without = begun(&server, &one, &without, &params);
    server.signal("TERM");
    for mut answer in [with_session, without] {
        let answer = receive(&mut answer);
        assert!(
            answer.content()["summary"]
                .as_str()
                .is_some_and(|text| text.contains("4 entries in the log")),
            "{answer:?}"
        );
    }
    assert_eq!(server.wait().code(), Some(0));
}

/// Sends a call, and waits until something of its answer comes: word that it is under way.
fn begun(
    server: &Web,
    key: &str,
    headers: &[(&str, &str)],
    params: &Value,
) -> Chain<Cursor<[u8; 1]>, TcpStream> {
    let body =
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}).to_string();
    let mut all = vec![
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    all.push(("Authorization", key));
    all.extend(headers);
    let mut stream = server.connect();
    send(
        &mut stream,
        &server.head("POST", "/mcp", &all, body.len()),
        body.as_bytes(),
    );
    let mut first = [0];
    stream.read_exact(&mut first).expect("it begins");
    Cursor::new(first).chain(stream)
}
