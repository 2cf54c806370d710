//! Keys: made, listed, revoked, expired; what needs one; what nobody learns.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::json;

use super::web::{Web, meta, send};
use crate::process::rollbook;

const GM: [&str; 4] = ["--campaign", "North", "--seat", "gm"];

pub fn key(folder: &Path, arguments: &[&str]) -> Output {
    let mut command: Command = rollbook(folder);
    command.arg("key").args(arguments).arg("--db").arg(folder.join("campaigns.db"));
    command.output().expect("it ends")
}

/// Makes a key; it stands alone on standard output.
#[track_caller]
pub fn made(folder: &Path, arguments: &[&str]) -> String {
    let mut all = vec!["new"];
    all.extend(arguments);
    let output = key(folder, &all);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let key = String::from_utf8(output.stdout).expect("text");
    let key = key.strip_suffix('\n').expect("one line").to_owned();
    assert!(!key.contains(char::is_whitespace), "{key:?}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains(&key), "it is said once");
    key
}

pub fn bearer(key: &str) -> String {
    format!("Bearer {key}")
}

#[test]
fn a_key_makes_the_database_and_the_campaign_and_opens_that_alone() {
    let folder = std::sync::Arc::new(tempfile::tempdir().expect("a folder"));
    let north = made(folder.path(), &["--campaign", "North", "--seat", "gm"]);
    let south = made(folder.path(), &["--campaign", "South", "--seat", "gm"]);
    let server = Web::on(folder.clone(), &["--rate", "off"]);
    let (north, south) = (bearer(&north), bearer(&south));
    for (key, word) in [(&north, "reindeer"), (&south, "penguins")] {
        let roll = json!({"expression": "1d6", "context": word});
        let rolled = server.call(&[("Authorization", key)], "roll_dice", roll).content();
        assert_eq!((&rolled["log"], &rolled["campaign"]), (&json!(4), &json!(null)), "each its own log: {rolled}");
    }
    let other =
        server.call(&[("Authorization", &north)], "roll_dice", json!({"expression": "1d6", "campaign": "South"}));
    assert_eq!(other.json()["result"]["structuredContent"]["code"], "unknown_campaign");
    let read = |key: &str| {
        let params = json!({"uri": "rollbook://log/last", "_meta": meta()});
        server.request(&[("Authorization", key)], "resources/read", Some("rollbook://log/last"), params).body
    };
    assert!(read(&north).contains("reindeer") && !read(&north).contains("penguins"));
    assert!(read(&south).contains("penguins") && !read(&south).contains("reindeer"));
}

#[test]
fn where_a_key_exists_every_request_needs_one() {
    let folder = std::sync::Arc::new(tempfile::tempdir().expect("a folder"));
    let good = made(folder.path(), &["--campaign", "North", "--seat", "gm"]);
    let server = Web::on(folder.clone(), &["--rate", "off"]);
    let roll = json!({"expression": "1d6"}).to_string();
    let id = good.split('_').nth(1).expect("an id");
    let wrong = [
        None,
        Some("Basic dXNlcjpwYXNz".to_owned()),
        Some(bearer("")),
        Some(bearer("rollbook")),
        Some(bearer(&format!("{good}0"))),
        Some(bearer(&good.replace(id, "000000000000"))),
        Some(bearer(&format!("rollbook_{id}_{}", "0".repeat(64)))),
        Some(good.clone()),
    ];
    for header in &wrong {
        for (method, path) in [
            ("POST", "/mcp"),
            ("GET", "/mcp"),
            ("DELETE", "/mcp"),
            ("POST", "/api/roll"),
            ("POST", "/api/odds"),
            ("GET", "/metrics"),
            ("GET", "/api"),
        ] {
            let headers: Vec<(&str, &str)> = header.iter().map(|value| ("Authorization", value.as_str())).collect();
            let refused = server.ask(method, path, &headers, roll.as_bytes());
            // Whoever tries many is slowed down.
            assert!([401, 429].contains(&refused.status), "{method} {path} {header:?}: {refused:?}");
            if refused.status == 401 {
                let challenge = &refused.headers["www-authenticate"];
                let known = format!(
                    "Bearer resource_metadata=\"http://{}/.well-known/oauth-protected-resource/mcp\"",
                    server.address
                );
                assert_eq!(challenge, &known);
            }
        }
    }
    assert_eq!((server.get("/healthz").status, server.get("/readyz").status), (200, 200));
    let described = server.get("/.well-known/oauth-protected-resource/mcp").json();
    assert_eq!(described["resource"], format!("http://{}/mcp", server.address));
    let rolled = server.ask("POST", "/api/roll", &[("Authorization", &bearer(&good))], roll.as_bytes());
    assert_eq!(rolled.status, 200, "guesses of others do not lock out who has a key");
    let metrics = server.ask("GET", "/metrics", &[("Authorization", &bearer(&good))], b"").body;
    assert!(metrics.contains("rollbook_entries_total 3\n"), "the one roll and what opens a sitting: {metrics}");
    let secret = good.rsplit('_').next().expect("a secret");
    server.signal("TERM");
    let said = server.says("rollbook serves");
    assert!(!said.contains(secret) && !said.contains(id), "{said}");
}

#[test]
fn keys_are_listed_revoked_and_expire() {
    let folder = std::sync::Arc::new(tempfile::tempdir().expect("a folder"));
    let gm = made(folder.path(), &["--campaign", "North", "--seat", "gm"]);
    let player =
        made(folder.path(), &["--campaign", "north", "--seat", "player", "--character", "Jory", "--expires", "30d"]);
    let server = Web::on(folder.clone(), &["--rate", "off"]);
    let listed = String::from_utf8(key(folder.path(), &["list"]).stdout).expect("text");
    let lines: Vec<&str> = listed.lines().collect();
    assert!(lines.len() == 2 && lines[0].contains("North  gm") && lines[1].contains("North  player Jory"), "{listed}");
    assert!(lines[0].ends_with("good") && lines[1].contains("good until"), "{listed}");
    for secret in [&gm, &player] {
        assert!(!listed.contains(secret.rsplit('_').next().expect("a secret")), "{listed}");
    }
    let database = std::fs::read(server.database()).expect("read");
    let secret = gm.rsplit('_').next().expect("a secret").as_bytes();
    assert!(!database.windows(secret.len()).any(|window| window == secret), "only the hash is kept");

    let ask = || server.ask("GET", "/metrics", &[("Authorization", &bearer(&gm))], b"").status;
    assert_eq!(ask(), 200);
    assert!(key(folder.path(), &["revoke", gm.split('_').nth(1).expect("an id")]).status.success());
    std::thread::sleep(std::time::Duration::from_millis(1100));
    assert_eq!(ask(), 401, "a revoked key opens nothing after a second");
    assert!(String::from_utf8_lossy(&key(folder.path(), &["list"]).stdout).contains("revoked"));
    let unknown = key(folder.path(), &["revoke", "000000000000"]);
    assert_eq!(unknown.status.code(), Some(2));
    for wrong in [
        &["--campaign", "North", "--seat", "player"][..],
        &["--campaign", "North", "--seat", "gm", "--character", "Jory"],
        &["--campaign", "", "--seat", "gm"],
        &["--campaign", "North", "--seat", "gm", "--expires", "1999-12-31"],
        &["--campaign", "North", "--seat", "gm", "--expires", "soon"],
    ] {
        let mut all = vec!["new"];
        all.extend(wrong);
        let refused = key(folder.path(), &all);
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(2), 0), "{wrong:?}");
    }
}

#[test]
fn a_session_answers_only_to_whom_it_was_opened_for() {
    let folder = std::sync::Arc::new(tempfile::tempdir().expect("a folder"));
    let (one, other) = (
        bearer(&made(folder.path(), &["--campaign", "North", "--seat", "gm"])),
        bearer(&made(folder.path(), &["--campaign", "South", "--seat", "gm"])),
    );
    let server = Web::on(folder, &["--rate", "off"]);
    let id = server.session(&[("Authorization", &one)]);
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    let ask = |key: &str| server.message(&[("Authorization", key), ("Mcp-Session-Id", &id)], &list).status;
    assert_eq!((ask(&other), ask(&one)), (404, 200));
    let stolen = [("Authorization", other.as_str()), ("Mcp-Session-Id", &id), ("Accept", "text/event-stream")];
    assert_eq!(server.ask("GET", "/mcp", &stolen, b"").status, 404);
    assert_eq!(server.ask("DELETE", "/mcp", &stolen, b"").status, 404);
    assert_eq!(ask(&one), 200, "nobody else can end it");
}

#[test]
fn other_networks_are_served_once_there_is_a_key() {
    let folder = std::sync::Arc::new(tempfile::tempdir().expect("a folder"));
    made(folder.path(), &["--campaign", "North", "--seat", "gm"]);
    let server = Web::at(folder, "0.0.0.0:0", &[]);
    assert_eq!(server.get("/healthz").status, 200);
    assert_eq!(server.get("/metrics").status, 401);
}

#[test]
fn open_streams_end_with_their_key() {
    let folder = std::sync::Arc::new(tempfile::tempdir().expect("a folder"));
    let (kept, lost) = (made(folder.path(), &GM), made(folder.path(), &GM));
    let server = Web::on(folder.clone(), &["--rate", "off"]);
    let stream = |key: &str| {
        let key = bearer(key);
        let session = server.session(&[("Authorization", &key)]);
        let own = [("Authorization", key.as_str()), ("Mcp-Session-Id", &session), ("Accept", "text/event-stream")];
        let mut first = server.connect();
        send(&mut first, &server.head("GET", "/mcp", &own, 0), b"");
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
            "notifications": {"resourcesListChanged": true}, "_meta": meta(),
        }});
        let body = body.to_string();
        let own = [
            ("Authorization", key.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "subscriptions/listen"),
        ];
        let mut second = server.connect();
        send(&mut second, &server.head("POST", "/mcp", &own, body.len()), body.as_bytes());
        for stream in [&first, &second] {
            stream.set_read_timeout(Some(std::time::Duration::from_secs(12))).expect("a limit");
        }
        [first, second]
    };
    let (mut open, ending) = (stream(&kept), stream(&lost));
    let id = lost.split('_').nth(1).expect("an id");
    assert!(key(folder.path(), &["revoke", id]).status.success());
    let revoked = std::time::Instant::now();
    for mut stream in ending {
        let mut all = Vec::new();
        let ended = stream.read_to_end(&mut all);
        assert!(ended.is_ok() && all.starts_with(b"HTTP/1.1 200"), "{ended:?}: {}", String::from_utf8_lossy(&all));
    }
    assert!(revoked.elapsed().as_secs() < 2, "within a second, and one for a busy machine: {:?}", revoked.elapsed());
    for stream in &mut open {
        stream.set_read_timeout(Some(std::time::Duration::from_millis(300))).expect("a limit");
        let ended = stream.read_to_end(&mut Vec::new());
        assert!(ended.is_err(), "the stream of another key stays open");
    }
}

#[test]
fn the_metadata_of_the_resource_names_no_authorization_server() {
    let server = Web::start();
    for path in ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"] {
        let metadata = server.get(path).json();
        let resource = format!("http://{}/mcp", server.address);
        assert_eq!((&metadata["resource"], metadata.get("authorization_servers")), (&json!(resource), None));
    }
}
