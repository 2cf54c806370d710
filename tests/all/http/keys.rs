//! Keys: made, listed, revoked, expired; campaigns of a server with keys that are renamed, and how
//! much one may hold.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::web::{Web, meta, send};
use crate::process::{ran, rollbook};

/// Keys: made, listed, revoked, expired; what needs one; what nobody learns.
const GM: [&str; 4] = ["--campaign", "North", "--seat", "gm"];

pub fn key(folder: &Path, arguments: &[&str]) -> Output {
    let mut command: Command = rollbook(folder);
    command
        .arg("key")
        .args(arguments)
        .arg("--db")
        .arg(folder.join("campaigns.db"));
    command.output().expect("it ends")
}

/// Makes a key; it is alone on standard output.
#[track_caller]
pub fn made(folder: &Path, arguments: &[&str]) -> String {
    let mut all = vec!["new"];
    all.extend(arguments);
    let output = key(folder, &all);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let key = String::from_utf8(output.stdout).expect("text");
    let key = key.strip_suffix('\n').expect("one line").to_owned();
    assert!(!key.contains(char::is_whitespace), "{key:?}");
    assert!(
        !String::from_utf8_lossy(&output.stderr).contains(&key),
        "it is said once"
    );
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
        let rolled = server
            .call(&[("Authorization", key)], "roll_dice", roll)
            .content();
        assert_eq!(
            (&rolled["log"], &rolled["campaign"]),
            (&json!(4), &json!(null)),
            "each its own log: {rolled}"
        );
    }
    let other = server.call(
        &[("Authorization", &north)],
        "roll_dice",
        json!({"expression": "1d6", "campaign": "South"}),
    );
    assert_eq!(
        other.json()["result"]["structuredContent"]["code"],
        "unknown_campaign"
    );
    let read = |key: &str| {
        let params = json!({"uri": "rollbook://log/last", "_meta": meta()});
        server
            .request(
                &[("Authorization", key)],
                "resources/read",
                Some("rollbook://log/last"),
                params,
            )
            .body
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
            let headers: Vec<(&str, &str)> = header
                .iter()
                .map(|value| ("Authorization", value.as_str()))
                .collect();
            let refused = server.ask(method, path, &headers, roll.as_bytes());
            // Who tries many is slowed down.
            assert!(
                [401, 429].contains(&refused.status),
                "{method} {path} {header:?}: {refused:?}"
            );
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
    assert_eq!(
        (server.get("/healthz").status, server.get("/readyz").status),
        (200, 200)
    );
    let described = server
        .get("/.well-known/oauth-protected-resource/mcp")
        .json();
    assert_eq!(
        described["resource"],
        format!("http://{}/mcp", server.address)
    );
    let rolled = server.ask(
        "POST",
        "/api/roll",
        &[("Authorization", &bearer(&good))],
        roll.as_bytes(),
    );
    assert_eq!(
        rolled.status, 200,
        "guesses of others do not lock out who has a key"
    );
    let metrics = server
        .ask("GET", "/metrics", &[("Authorization", &bearer(&good))], b"")
        .body;
    assert!(
        metrics.contains("rollbook_entries_total 3\n"),
        "the one roll and what opens a sitting: {metrics}"
    );
    let secret = good.rsplit('_').next().expect("a secret");
    server.signal("TERM");
    let printed = server.says("rollbook serves");
    assert!(
        !printed.contains(secret) && !printed.contains(id),
        "{printed}"
    );
}

#[test]
fn keys_are_listed_revoked_and_expire() {
    let folder = std::sync::Arc::new(tempfile::tempdir().expect("a folder"));
    let gm = made(folder.path(), &["--campaign", "North", "--seat", "gm"]);
    let player = made(
        folder.path(),
        &[
            "--campaign",
            "north",
            "--seat",
            "player",
            "--character",
            "Jory",
            "--expires",
            "30d",
        ],
    );
    let server = Web::on(folder.clone(), &["--rate", "off"]);
    let listed = String::from_utf8(key(folder.path(), &["list"]).stdout).expect("text");
    let lines: Vec<&str> = listed.lines().collect();
    assert!(
        lines.len() == 2
            && lines[0].contains("North  gm")
            && lines[1].contains("North  player Jory"),
        "{listed}"
    );
    assert!(
        lines[0].ends_with("good") && lines[1].contains("good until"),
        "{listed}"
    );
    for secret in [&gm, &player] {
        assert!(
            !listed.contains(secret.rsplit('_').next().expect("a secret")),
            "{listed}"
        );
    }
    let database = std::fs::read(server.database()).expect("read");
    let secret = gm.rsplit('_').next().expect("a secret").as_bytes();
    assert!(
        !database
            .windows(secret.len())
            .any(|window| window == secret),
        "only the hash is kept"
    );

    let ask = || {
        server
            .ask("GET", "/metrics", &[("Authorization", &bearer(&gm))], b"")
            .status
    };
    assert_eq!(ask(), 200);
    assert!(
        key(
            folder.path(),
            &["revoke", gm.split('_').nth(1).expect("an id")]
        )
        .status
        .success()
    );
    std::thread::sleep(std::time::Duration::from_millis(1100));
    assert_eq!(ask(), 401, "a revoked key opens nothing after a second");
    assert!(String::from_utf8_lossy(&key(folder.path(), &["list"]).stdout).contains("revoked"));
    let unknown = key(folder.path(), &["revoke", "000000000000"]);
    assert_eq!(unknown.status.code(), Some(2));
    for wrong in [
        &["--campaign", "North", "--seat", "player"][..],
        &["--campaign", "North", "--seat", "gm", "--character", "Jory"],
        &["--campaign", "", "--seat", "gm"],
        &[
            "--campaign",
            "North",
            "--seat",
            "gm",
            "--expires",
            "1999-12-31",
        ],
        &["--campaign", "North", "--seat", "gm", "--expires", "soon"],
    ] {
        let mut all = vec!["new"];
        all.extend(wrong);
        let refused = key(folder.path(), &all);
        assert_eq!(
            (refused.status.code(), refused.stdout.len()),
            (Some(2), 0),
            "{wrong:?}"
        );
    }
}

#[test]
fn a_session_answers_only_to_whom_it_was_opened_for() {
    let folder = std::sync::Arc::new(tempfile::tempdir().expect("a folder"));
    let (one, other) = (
        bearer(&made(
            folder.path(),
            &["--campaign", "North", "--seat", "gm"],
        )),
        bearer(&made(
            folder.path(),
            &["--campaign", "South", "--seat", "gm"],
        )),
    );
    let server = Web::on(folder, &["--rate", "off"]);
    let id = server.session(&[("Authorization", &one)]);
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    let ask = |key: &str| {
        server
            .message(&[("Authorization", key), ("Mcp-Session-Id", &id)], &list)
            .status
    };
    assert_eq!((ask(&other), ask(&one)), (404, 200));
    let stolen = [
        ("Authorization", other.as_str()),
        ("Mcp-Session-Id", &id),
        ("Accept", "text/event-stream"),
    ];
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
        let headers = [
            ("Authorization", key.as_str()),
            ("Mcp-Session-Id", &session),
            ("Accept", "text/event-stream"),
        ];
        let mut first = server.connect();
        send(&mut first, &server.head("GET", "/mcp", &headers, 0), b"");
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
            "notifications": {"resourcesListChanged": true}, "_meta": meta(),
        }});
        let body = body.to_string();
        let headers = [
            ("Authorization", key.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "subscriptions/listen"),
        ];
        let mut second = server.connect();
        send(
            &mut second,
            &server.head("POST", "/mcp", &headers, body.len()),
            body.as_bytes(),
        );
        for stream in [&first, &second] {
            stream
                .set_read_timeout(Some(std::time::Duration::from_secs(12)))
                .expect("a limit");
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
        assert!(
            ended.is_ok() && all.starts_with(b"HTTP/1.1 200"),
            "{ended:?}: {}",
            String::from_utf8_lossy(&all)
        );
    }
    assert!(
        revoked.elapsed().as_secs() < 2,
        "within a second, and one for a busy machine: {:?}",
        revoked.elapsed()
    );
    for stream in &mut open {
        stream
            .set_read_timeout(Some(std::time::Duration::from_millis(300)))
            .expect("a limit");
        let ended = stream.read_to_end(&mut Vec::new());
        assert!(ended.is_err(), "the stream of another key stays open");
    }
}

#[test]
fn the_metadata_of_the_resource_names_no_authorization_server() {
    let server = Web::start();
    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
    ] {
        let metadata = server.get(path).json();
        let resource = format!("http://{}/mcp", server.address);
        assert_eq!(
            (&metadata["resource"], metadata.get("authorization_servers")),
            (&json!(resource), None)
        );
    }
}

// Campaigns of a server with keys that are renamed while it runs, and how much one may hold.

/// What a command prints that must end well.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    ran(folder, &[arguments, &["--db", "campaigns.db"]].concat())
        .ends(0)
        .out
        .clone()
}

fn gm_bearer(folder: &Path, campaign: &str) -> String {
    seat_bearer(folder, campaign, &["gm"])
}

fn seat_bearer(folder: &Path, campaign: &str, seat: &[&str]) -> String {
    let made = printed(
        folder,
        &[&["key", "new", "--campaign", campaign, "--seat"], seat].concat(),
    );
    format!("Bearer {}", made.trim())
}

fn entries(folder: &Path) -> Vec<(String, u64)> {
    let listed = printed(folder, &["campaigns", "list", "--json"]);
    let all: Vec<Value> = serde_json::from_str(&listed).expect("JSON");
    let name = |campaign: &Value| campaign["name"].as_str().expect("text").to_owned();
    all.iter()
        .map(|campaign| {
            (
                name(campaign),
                campaign["entries"].as_u64().expect("a count"),
            )
        })
        .collect()
}

#[test]
fn a_key_follows_its_campaign_and_never_plays_another_that_gets_the_former_name() {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    // `lockhouse` is the server's default as well.
    for (name, new) in [("lockhouse", "Summer"), ("North", "Winter")] {
        let (place, gm) = (folder.path(), gm_bearer(folder.path(), name));
        let player = seat_bearer(place, name, &["player", "--character", "Ana"]);
        let server = Web::on(folder.clone(), &["--rate", "off"]);
        let roll = |key: &str, word: &str| {
            server
                .call(
                    &[("Authorization", key)],
                    "roll_dice",
                    json!({"expression": "1d6", "context": word}),
                )
                .json()["result"]["structuredContent"]
                .clone()
        };
        assert_eq!(roll(&gm, "before")["log"], 4);
        printed(place, &["campaigns", "rename", name, new]);
        // At once, and once the key is looked up again: the same campaign, or a refusal that asks
        // for the call again.
        let mut next = 6;
        for _ in 0..24 {
            let player = server
                .call(&[("Authorization", &player)], "get_character", json!({}))
                .body;
            assert!(
                player.contains("Send the same call again") || !player.contains("unknown_campaign"),
                "{player}"
            );
            assert!(!player.contains(name) && !player.contains(new), "{player}");
            let answer = roll(&gm, "after");
            if answer["log"].is_null() {
                assert_eq!(answer["code"], "unknown_campaign", "{answer}");
                assert!(
                    answer.to_string().contains("Send the same call again"),
                    "{answer}"
                );
            } else {
                assert_eq!(answer["log"], next, "{answer}");
                next += 1;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        assert!(next > 10, "{next}");
        assert!(
            !entries(place).iter().any(|(campaign, _)| campaign == name),
            "none was begun under the former name"
        );
        let other = gm_bearer(place, name);
        let answer = roll(&other, "another");
        assert_eq!(answer["log"], 4, "{answer}");
        assert_eq!(roll(&gm, "on")["log"], next);
        let mine = server
            .call(
                &[("Authorization", &other)],
                "manage_session",
                json!({"action": "resume"}),
            )
            .body;
        assert!(
            mine.contains("another") && !mine.contains("before"),
            "{mine}"
        );
        server.signal("TERM");
        assert_eq!(server.wait().code(), Some(0));
        printed(place, &["verify"]);
    }
}

#[test]
fn a_full_campaign_reads_undoes_and_ends_and_nothing_is_rolled_in_it() {
    let bytes = |folder: &Path| {
        let all: Vec<Value> =
            serde_json::from_str(&printed(folder, &["campaigns", "list", "--json"])).expect("JSON");
        all[0]["bytes"].as_u64().expect("a count")
    };
    for (flag, most) in [("--campaign-entries", "6"), ("--campaign-bytes", "9000")] {
        let folder = Arc::new(TempDir::new().expect("a folder"));
        let server = Web::on(folder.clone(), &["--rate", "off", flag, most]);
        let call = |tool: &str, arguments: Value| {
            server.call(&[], tool, arguments).json()["result"]["structuredContent"].clone()
        };
        call(
            "manage_character",
            json!({"action": "create", "name": "Ana", "kind": "player"}),
        );
        let mut last = 4;
        let refused = loop {
            let answer = call("roll_dice", json!({"expression": "2d6"}));
            match answer["log"].as_u64() {
                Some(log) => last = log,
                None => break answer,
            }
            assert!(last < 40, "it fills");
        };
        assert_eq!(refused["code"], "limit_exceeded", "{refused}");
        let summary = refused["summary"]
            .as_str()
            .or(refused["error"].as_str())
            .unwrap_or_default()
            .to_owned();
        let words = if summary.is_empty() {
            refused.to_string()
        } else {
            summary
        };
        let onward = "`rollbook campaigns continue lockhouse --export FILE`";
        assert!(words.contains(flag) && words.contains(onward), "{words}");
        match flag {
            "--campaign-entries" => assert_eq!(last, 6),
            _ => assert!(
                (9000..12000).contains(&bytes(folder.path())),
                "{}",
                bytes(folder.path())
            ),
        }
        assert_eq!(entries(folder.path())[0].1, last, "nothing was written");
        assert_eq!(
            call("get_character", json!({"name": "Ana"}))["code"],
            Value::Null
        );
        assert_eq!(
            call("odds", json!({"expression": "2d6"}))["code"],
            Value::Null
        );
        let undone = call("manage_session", json!({"action": "undo", "entry": 4}));
        assert_eq!(undone["log"], last + 1, "{undone}");
        let ended = call("manage_session", json!({"action": "end"}));
        assert_eq!(ended["log"], last + 2, "{ended}");
        assert_eq!(
            call("manage_session", json!({"action": "start"}))["code"],
            "limit_exceeded"
        );
        // Another campaign of the same server has room, and a server with more room goes on.
        assert_eq!(
            call(
                "roll_dice",
                json!({"expression": "2d6", "campaign": "Next"})
            )["log"],
            4
        );
        server.signal("TERM");
        assert_eq!(server.wait().code(), Some(0));
        let server = Web::on(folder.clone(), &["--rate", "off", flag, most]);
        let again = server
            .call(&[], "roll_dice", json!({"expression": "2d6"}))
            .body;
        assert!(
            again.contains("limit_exceeded"),
            "counted when it is opened: {again}"
        );
        server.signal("TERM");
        assert_eq!(server.wait().code(), Some(0));
        let server = Web::on(folder.clone(), &["--rate", "off"]);
        assert_eq!(
            server
                .call(&[], "roll_dice", json!({"expression": "2d6"}))
                .content()["log"],
            last + 4
        );
        printed(folder.path(), &["verify"]);
    }
}

#[test]
fn a_campaign_has_as_many_characters_as_the_server_lets_it() {
    let server = Web::with(&["--rate", "off", "--campaign-characters", "3"]);
    let call = |tool: &str, arguments: Value| {
        server.call(&[], tool, arguments).json()["result"]["structuredContent"].clone()
    };
    let create = |name: &str, count: u32| {
        call(
            "manage_character",
            json!({"action": "create", "name": name, "kind": "npc", "count": count}),
        )
    };
    assert!(create("Rat", 2)["log"].is_number());
    let refused = create("Cat", 2);
    assert_eq!(refused["code"], "limit_exceeded", "{refused}");
    assert!(
        refused.to_string().contains("--campaign-characters"),
        "{refused}"
    );
    let fight = json!({"action": "start", "combatants": [{"name": "Dog", "side": "foes", "count": 2, "hp": 3}]});
    let refused = call("manage_combat", fight);
    assert_eq!(refused["code"], "limit_exceeded", "{refused}");
    assert!(create("Cat", 1)["log"].is_number(), "one is left");
    assert_eq!(create("Bat", 1)["code"], "limit_exceeded");
    assert!(call("roll_dice", json!({"expression": "d6"}))["log"].is_number());
}

#[test]
fn a_campaign_begun_with_its_first_key_has_no_adventure_until_one_is_played_in_it() {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let gm = gm_bearer(folder.path(), "North");
    let listed = || {
        let table = printed(folder.path(), &["campaigns", "list"]);
        let json: Vec<Value> =
            serde_json::from_str(&printed(folder.path(), &["campaigns", "list", "--json"]))
                .expect("JSON");
        let row: Vec<String> = table
            .lines()
            .nth(1)
            .expect("a row")
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        (row[1].clone(), json[0]["adventure"].clone())
    };
    assert_eq!(listed(), ("-".to_owned(), Value::Null));
    let server = Web::on(folder.clone(), &["--rate", "off"]);
    let call = |tool: &str, arguments: Value| {
        server
            .call(&[("Authorization", &gm)], tool, arguments)
            .content()
    };
    assert_eq!(call("roll_dice", json!({"expression": "1d6"}))["log"], 4);
    let first = call("search_log", json!({"entry": 1})).to_string();
    assert!(first.contains("The campaign North begins."), "{first}");
    assert_eq!(listed(), ("lockhouse".to_owned(), json!("lockhouse")));
    printed(folder.path(), &["verify"]);
}
