//! The same server over HTTP: both eras of the protocol, plain JSON, who is turned away, how it
//! ends.

mod hostile;
pub mod keys;
mod logs;
mod players;
mod sessions;
pub mod web;

use std::io::{Read as _, Write as _};
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use serde_json::json;
use tempfile::TempDir;

use self::web::{Web, meta, receive, send};
use crate::process::rollbook;

#[test]
fn a_client_with_a_session_lists_and_calls() {
    let server = Web::start();
    let id = server.session(&[]);
    let headers = [
        ("Mcp-Session-Id", id.as_str()),
        ("MCP-Protocol-Version", "2025-11-25"),
    ];
    let listed = server
        .message(
            &headers,
            &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
        )
        .json();
    let expected = rollbook_table::tools::Registry::default().all().len();
    assert_eq!(
        listed["result"]["tools"].as_array().expect("tools").len(),
        expected
    );
    let call = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {
        "name": "roll_dice", "arguments": {"expression": "1d20"},
    }});
    let rolled = server.message(&headers, &call);
    assert_eq!(rolled.headers["content-type"], "text/event-stream");
    assert_eq!(rolled.content()["log"], 4);
    let ended = server.ask("DELETE", "/mcp", &headers, b"");
    assert_eq!(
        ended.status, 204,
        "clients take 202 for a failure: {ended:?}"
    );
    assert_eq!(
        server.message(&headers, &call).status,
        404,
        "a session that was ended is not there"
    );
}

#[test]
fn no_adventure_is_written_for_a_call() {
    let (empty, folder) = (
        TempDir::new().expect("a folder"),
        Arc::new(TempDir::new().expect("a folder")),
    );
    let mut command = rollbook(empty.path());
    command.args(["serve", "--http", "127.0.0.1:0"]);
    let server = Web::of(command, folder);
    for action in ["adventures", "begin"] {
        let arguments = match action {
            "begin" => json!({"action": action, "name": "lockhouse"}),
            _ => json!({"action": action}),
        };
        let refused = server.call(&[], "manage_session", arguments).content();
        let summary = refused["summary"].as_str().expect("text");
        assert!(summary.contains("with --adventure"), "{summary}");
    }
    assert!(!empty.path().join("lockhouse").exists());
}

#[test]
fn a_client_without_sessions_gets_plain_json() {
    let server = Web::start();
    let discovered = server.request(&[], "server/discover", None, json!({"_meta": meta()}));
    assert_eq!(discovered.status, 200, "{discovered:?}");
    let listed = server
        .request(&[], "tools/list", None, json!({"_meta": meta()}))
        .json();
    let expected = rollbook_table::tools::Registry::default().all().len();
    assert_eq!(
        listed["result"]["tools"].as_array().expect("tools").len(),
        expected
    );
    let rolled = server.call(&[], "roll_dice", json!({"expression": "1d20"}));
    assert_eq!(rolled.headers["content-type"], "application/json");
    assert_eq!(rolled.content()["log"], 4);
    assert!(!rolled.headers.contains_key("mcp-session-id"));
    let begun = server.request(&[], "initialize", None, json!({"_meta": meta()}));
    assert_eq!(
        (
            begun.status,
            &begun.json()["error"]["code"],
            &begun.json()["id"]
        ),
        (404, &json!(-32601), &json!(1))
    );
}

#[test]
fn scripts_roll_and_ask_for_odds_in_plain_json() {
    let server = Web::start();
    let rolled = server.post(
        "/api/roll",
        &json!({"expression": "2d6+3", "request_id": "one"}),
    );
    assert_eq!(rolled.status, 200);
    let rolled = rolled.json()["result"].clone();
    assert!(
        (5..=15).contains(&rolled["total"].as_i64().expect("a total")),
        "{rolled}"
    );
    assert_eq!(rolled["normalized_expression"], "2d6 + 3");
    let again = server
        .post(
            "/api/roll",
            &json!({"expression": "2d6+3", "request_id": "one"}),
        )
        .json()["result"]
        .clone();
    assert_eq!(
        (&again["roll_id"], &again["replayed"]),
        (&rolled["roll_id"], &json!(true))
    );
    assert_eq!(
        server
            .post(
                "/api/roll",
                &json!({"expression": "2d8", "request_id": "one"})
            )
            .status,
        409
    );
    assert_eq!(
        server
            .post("/api/odds", &json!({"expression": "2d6"}))
            .json()["mean"],
        "7.0000"
    );

    for (body, code) in [
        (&b"2d6"[..], "invalid_parameters"),
        (b"[]", "invalid_parameters"),
        (b"{\"expression\": 1", "invalid_parameters"),
        (b"{}", "invalid_parameters"),
        (b"{\"expression\": \"2d7\"}", "invalid_die"),
    ] {
        let refused = server.ask("POST", "/api/roll", &[], body);
        assert_eq!(
            (refused.status, &refused.json()["error"]["code"]),
            (400, &json!(code)),
            "{refused:?}"
        );
    }
    assert_eq!(server.get("/api/roll").status, 405);
    assert_eq!(server.get("/api/rolls").status, 404);
}

#[test]
fn the_description_of_the_plain_interface_is_that_of_the_tools() {
    let server = Web::start();
    let described = server.get("/api/openapi.json").json();
    assert_eq!(described["openapi"], "3.1.0");
    for (path, tool) in [
        ("/api/roll", "roll_dice"),
        ("/api/roll_multiple", "roll_multiple"),
        ("/api/odds", "odds"),
    ] {
        let mut schema =
            described["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"].clone();
        let entry = rollbook_table::tools::tool_named(tool).expect("a tool");
        let page = server.get("/api").body;
        assert!(page.contains(&format!("POST {path}")));
        // Every parameter has words; those that the tool's own schema leaves without get them here.
        for (name, parameter) in schema["properties"].as_object_mut().expect("parameters") {
            let words = parameter["description"]
                .as_str()
                .map(str::to_owned)
                .unwrap_or_default();
            assert!(!words.is_empty(), "{path} {name} has no description");
            assert!(
                page.contains(&format!(
                    "<code>{name}</code><td>{}",
                    rollbook_text::names::for_markup(&words)
                )),
                "{path} {name}"
            );
            if entry.input["properties"][name].get("description").is_none() {
                parameter
                    .as_object_mut()
                    .expect("a schema")
                    .remove("description");
            }
        }
        assert_eq!(schema.as_object(), Some(&*entry.input));
    }
}

#[test]
fn every_refusal_of_a_route_and_of_the_protocol_is_json() {
    let server = Web::start();
    let unknown = [("Mcp-Session-Id", "none"), ("Accept", "text/event-stream")];
    let unasked = [
        ("Mcp-Session-Id", "none"),
        ("Accept", "application/json, text/event-stream"),
        ("Content-Type", "application/json"),
    ];
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    for (method, path, headers, body, status, code) in [
        ("GET", "/api/roll", &[][..], "", 405, "method"),
        ("DELETE", "/healthz", &[], "", 405, "method"),
        ("PUT", "/mcp", &[], "", 405, "method"),
        ("DELETE", "/mcp", &[], "", 400, "protocol"),
        ("DELETE", "/mcp", &unknown, "", 404, "no_session"),
        ("GET", "/mcp", &unknown, "", 404, "no_session"),
        ("POST", "/mcp", &unasked, ping.as_str(), 404, "no_session"),
        ("POST", "/mcp", &[], "{}", 406, "protocol"),
    ] {
        let refused = server.ask(method, path, headers, body.as_bytes());
        assert_eq!(refused.status, status, "{method} {path}: {refused:?}");
        let reply = refused.json();
        let error = &reply["error"];
        assert_eq!(error["code"], code, "{method} {path}: {error}");
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{method} {path}: {error}"
        );
        assert!(
            status != 405 || refused.headers.contains_key("allow"),
            "{method} {path}: {refused:?}"
        );
    }
}

#[test]
fn what_is_no_message_is_answered_by_an_error_of_json_rpc() {
    let server = Web::start();
    let id = server.session(&[]);
    let in_session = [
        ("Mcp-Session-Id", id.as_str()),
        ("MCP-Protocol-Version", "2025-11-25"),
    ];
    let without = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "ping"),
    ];
    let ping = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
    for (body, code, id) in [
        (String::new(), -32700, json!(null)),
        ("2d6".into(), -32700, json!(null)),
        (format!("\u{feff}{}", ping("7")), -32700, json!(null)),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"#.into(),
            -32700,
            json!(7),
        ),
        (ping("1e999"), -32700, json!(null)),
        (ping("null"), -32600, json!(null)),
        (ping("1.5"), -32600, json!(1.5)),
        (ping("99999999999999999999"), -32600, json!(1e20)),
        (ping("18446744073709551615"), -32600, json!(u64::MAX)),
        (ping("[1]"), -32600, json!(null)),
        (format!("[{}]", ping("7")), -32600, json!(null)),
        ("null".into(), -32600, json!(null)),
        ("{}".into(), -32600, json!(null)),
        (r#"{"id":7,"method":"ping"}"#.into(), -32600, json!(7)),
    ] {
        for reply in [&in_session, &without] {
            let kinds = [
                ("Content-Type", "application/json; charset=utf-8"),
                ("Accept", "application/json, text/event-stream"),
            ];
            let answer = server.ask(
                "POST",
                "/mcp",
                &[&kinds[..], reply].concat(),
                body.as_bytes(),
            );
            assert_eq!(
                (answer.status, answer.headers["content-type"].as_str()),
                (400, "application/json"),
                "{body}"
            );
            let refused = answer.json();
            assert_eq!(
                (&refused["jsonrpc"], &refused["id"]),
                (&json!("2.0"), &id),
                "{body}: {refused}"
            );
            assert_eq!(refused["error"]["code"], code, "{body}: {refused}");
            assert!(
                refused["error"]["message"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty()),
                "{body}: {refused}"
            );
        }
    }
    let text = [
        ("Content-Type", "text/plain"),
        ("Accept", "application/json, text/event-stream"),
    ];
    let refused = server.ask("POST", "/mcp", &text, ping("1").as_bytes());
    assert_eq!(
        (refused.status, &refused.json()["error"]["code"]),
        (415, &json!("protocol"))
    );
}

#[test]
fn the_protocol_is_served_with_a_slash_after_it_as_well() {
    let server = Web::start();
    let kinds = [
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a raw client", "version": "1"},
    }});
    let answer = server.ask("POST", "/mcp/", &kinds, hello.to_string().as_bytes());
    assert_eq!(
        (
            answer.status,
            &answer.json()["result"]["serverInfo"]["name"]
        ),
        (200, &json!("rollbook"))
    );
    let id = answer.headers["mcp-session-id"].as_str();
    assert_eq!(
        server
            .ask("DELETE", "/mcp/", &[("Mcp-Session-Id", id)], b"")
            .status,
        204
    );
}

#[test]
fn a_header_that_says_who_asks_is_sent_once() {
    let server = Web::start();
    for name in [
        "Authorization",
        "Mcp-Session-Id",
        "MCP-Protocol-Version",
        "Content-Type",
    ] {
        let twice = [(name, "Bearer one"), (name, "Bearer other")];
        for path in ["/mcp", "/api/roll"] {
            let refused = server.ask("POST", path, &twice, b"{\"expression\": \"1d6\"}");
            assert_eq!(
                (refused.status, &refused.json()["error"]["code"]),
                (400, &json!("header")),
                "{name}"
            );
        }
    }
}

#[test]
fn a_head_is_as_long_as_its_length_and_no_longer() {
    let server = Web::start();
    let sent = |length: usize, in_path: bool| {
        let bare = server.head("GET", "/healthz?", &[("X", "")], 0).len();
        let rest = "x".repeat(length - bare);
        let (path, value) = if in_path {
            (format!("/healthz?{rest}"), "")
        } else {
            ("/healthz?".to_owned(), &*rest)
        };
        let answer = server.ask("GET", &path, &[("X", value)], b"");
        (answer.status, answer.body)
    };
    for in_path in [false, true] {
        assert_eq!(sent(rollbook_server::http::HEAD_MAX, in_path).0, 200);
        for length in [rollbook_server::http::HEAD_MAX + 1, 33_000, 40_000] {
            let (status, body) = sent(length, in_path);
            assert_eq!(status, 431, "{length} bytes");
            assert!(
                body.contains("\"code\":\"head\""),
                "{length} bytes: {body:?}"
            );
        }
    }
}

#[test]
fn other_hosts_and_pages_of_elsewhere_are_turned_away_everywhere() {
    let server = Web::with(&[
        "--rate",
        "off",
        "--host",
        "table.example.org",
        "--origin",
        "https://app.example.org",
    ]);
    let roll = json!({"expression": "1d6"}).to_string();
    for path in [
        "/mcp",
        "/api/roll",
        "/api/odds",
        "/healthz",
        "/metrics",
        "/nowhere",
    ] {
        for (name, value) in [
            ("Host", "evil.example"),
            ("Host", "localhost.evil.example:80"),
            ("Origin", "http://evil.example"),
            ("Origin", "null"),
            ("Origin", "http://localhost:1"),
        ] {
            let refused = server.ask("POST", path, &[(name, value)], roll.as_bytes());
            assert_eq!(refused.status, 403, "{path} {name} {value}: {refused:?}");
        }
    }
    let allowed = server.ask(
        "POST",
        "/api/roll",
        &[("Host", "Table.example.org:80")],
        roll.as_bytes(),
    );
    assert_eq!(allowed.status, 200);
    let page = [("Origin", "https://app.example.org")];
    let asked = server.ask("POST", "/api/roll", &page, roll.as_bytes());
    assert_eq!(
        (
            asked.status,
            asked.headers["access-control-allow-origin"].as_str()
        ),
        (200, page[0].1)
    );
    assert_eq!(server.ask("OPTIONS", "/mcp", &page, b"").status, 204);
    let metrics = server.get("/metrics").body;
    assert!(
        metrics.contains("rollbook_turned_away_total{code=\"host\"} 12"),
        "{metrics}"
    );
    assert!(
        metrics.contains("rollbook_entries_total 5"),
        "three entries of the beginning and two rolls: {metrics}"
    );
}

#[test]
fn what_is_too_large_is_refused_unread() {
    let server = Web::start();
    let body = vec![b' '; rollbook_server::http::BODY_MAX + 1];
    for path in ["/mcp", "/api/roll"] {
        assert_eq!(server.ask("POST", path, &[], &body).status, 413, "{path}");
    }
    let long = "x".repeat(200_000);
    assert_eq!(
        server
            .ask("GET", "/healthz", &[("X-Long", &long)], b"")
            .status,
        431
    );
    let many: Vec<(String, String)> = (0..80)
        .map(|nth| (format!("X-{nth}"), "x".to_owned()))
        .collect();
    let many: Vec<(&str, &str)> = many
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    assert_eq!(server.ask("GET", "/healthz", &many, b"").status, 431);
    let mut stream = server.connect();
    stream
        .write_all(b"\x16\x03\x01 this is no HTTP\r\n\r\n")
        .expect("it is sent");
    assert_eq!(receive(&mut stream).status, 400);
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn calls_that_come_too_fast_are_notified_when_to_come_back() {
    let server = Web::with(&["--rate", "strict"]);
    let roll = || server.post("/api/roll", &json!({"expression": "1d6"}));
    let answers: Vec<_> = (0..20).map(|_| roll()).collect();
    let refused: Vec<_> = answers
        .iter()
        .filter(|answer| answer.status == 429)
        .collect();
    assert_eq!(answers[0].status, 200);
    assert!(!refused.is_empty(), "twenty in a row are not 200 ms apart");
    assert!(
        refused
            .iter()
            .all(|answer| answer.headers["retry-after"] == "1"
                && answer.json()["error"]["code"] == "rate")
    );
    // The same over the protocol; what is no call is not counted as one.
    let listed = server.request(&[], "tools/list", None, json!({"_meta": meta()}));
    assert_eq!(listed.status, 200);
    std::thread::sleep(std::time::Duration::from_secs(1));
    let calls: Vec<_> = (0..20)
        .map(|_| {
            server
                .call(&[], "roll_dice", json!({"expression": "1d6"}))
                .status
        })
        .collect();
    assert_eq!(calls[0], 200, "who waits as long as was said is answered");
    assert!(calls.contains(&429), "{calls:?}");
}

#[test]
fn it_ends_in_good_order_also_with_streams_open() {
    for signal in ["TERM", "INT"] {
        let server = Web::start();
        let id = server.session(&[]);
        let headers = [
            ("Mcp-Session-Id", id.as_str()),
            ("Accept", "text/event-stream"),
        ];
        let mut stream = server.connect();
        send(&mut stream, &server.head("GET", "/mcp", &headers, 0), b"");
        let mut first = [0; 12];
        stream.read_exact(&mut first).expect("the stream begins");
        assert_eq!(&first, b"HTTP/1.1 200");
        let mut idle = server.connect();
        server.post("/api/roll", &json!({"expression": "1d6"}));
        server.signal(signal);
        let database = server.database();
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        let _ = idle.read_to_end(&mut rest);
        assert_eq!(server.wait().code(), Some(0), "{signal}");
        assert!(
            !database.with_extension("db-wal").exists(),
            "the database is whole by itself"
        );
    }
}

#[test]
fn who_watches_is_notified_how_it_goes() {
    let server = Web::start();
    assert_eq!(
        (server.get("/healthz").status, server.get("/readyz").status),
        (200, 200)
    );
    server.call(&[], "roll_dice", json!({"expression": "1d6"}));
    server.call(&[], "roll_dice", json!({"expression": "1d7"}));
    let id = server.session(&[]);
    let metrics = server.get("/metrics");
    assert!(metrics.headers["content-type"].starts_with("application/openmetrics-text"));
    for line in [
        "rollbook_calls_total{tool=\"roll_dice\"} 2",
        "rollbook_refusals_total{code=\"invalid_die\"} 1",
        "rollbook_commits_total 1",
        "rollbook_sessions 1",
        "rollbook_queue 0",
    ] {
        assert!(
            metrics.body.lines().any(|shown| shown == line),
            "{line} in {}",
            metrics.body
        );
    }
    server.ask("DELETE", "/mcp", &[("Mcp-Session-Id", &id)], b"");
    assert!(server.get("/metrics").body.contains("rollbook_sessions 0"));
    let torn = Web::start();
    std::fs::write(torn.database(), "a shopping list").expect("written");
    assert_eq!(
        (torn.get("/healthz").status, torn.get("/readyz").status),
        (200, 503)
    );
    torn.says("not ready");
}

#[test]
fn it_speaks_tls_with_a_certificate() {
    // A certificate of localhost that signed itself, good for a hundred years, and its key.
    const CERTIFICATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/tls/cert.pem");
    const KEY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/tls/key.pem");
    let server = Web::with(&["--tls-cert", CERTIFICATE, "--tls-key", KEY]);
    server.says("https://");

    let mut roots = rustls::RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_file(CERTIFICATE).expect("a certificate"))
        .expect("a root");
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let config =
        rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = "localhost".try_into().expect("a name");
    let connection = rustls::ClientConnection::new(std::sync::Arc::new(config.clone()), name)
        .expect("a connection");
    let mut stream = rustls::StreamOwned::new(connection, server.connect());
    send(&mut stream, &server.head("GET", "/healthz", &[], 0), b"");
    assert_eq!(receive(&mut stream).status, 200);
    // A client that knows HTTP/2 as well is offered what is served.
    let mut config = config;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let connection = rustls::ClientConnection::new(
        std::sync::Arc::new(config),
        "localhost".try_into().expect("a name"),
    );
    let mut stream = rustls::StreamOwned::new(connection.expect("a connection"), server.connect());
    send(&mut stream, &server.head("GET", "/healthz", &[], 0), b"");
    assert_eq!(receive(&mut stream).status, 200);
    assert_eq!(stream.conn.alpn_protocol(), Some(&b"http/1.1"[..]));
    // Who speaks plainly to it is not answered, and harms nobody.
    let mut plain = server.connect();
    send(&mut plain, &server.head("GET", "/healthz", &[], 0), b"");
    let mut bytes = Vec::new();
    let _ = plain.read_to_end(&mut bytes);
    assert!(
        !bytes.starts_with(b"HTTP"),
        "{:?}",
        String::from_utf8_lossy(&bytes)
    );

    let folder = tempfile::tempdir().expect("a folder");
    let ended = Web::command(
        &folder,
        "127.0.0.1:0",
        &["--tls-cert", KEY, "--tls-key", KEY],
    )
    .output()
    .expect("it ends");
    let text = String::from_utf8_lossy(&ended.stderr);
    assert!(
        ended.status.code() == Some(2) && text.contains("cannot be used"),
        "{text}"
    );
}

#[test]
fn anybody_elses_network_is_not_served_without_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    for address in ["0.0.0.0:0", "[::]:0"] {
        let ended = Web::command(&folder, address, &[])
            .output()
            .expect("it ends");
        let text = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(2), "{text}");
        assert!(
            text.contains("anybody who reaches") && text.contains("rollbook key new"),
            "{text}"
        );
    }
}
