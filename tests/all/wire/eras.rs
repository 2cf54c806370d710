//! Both eras of the protocol: clients that begin with `initialize`, and those of 2026-07-28 that do not.

use rollbook_table::tools::Registry;
use serde_json::{Value, json};

use crate::process::{Process, call};

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
    let found =
        server.ask(with_meta(json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}}), meta()));
    assert!(
        found["result"]["supportedVersions"].as_array().expect("versions").contains(&json!("2026-07-28")),
        "{found}"
    );
    let listed =
        server.ask(with_meta(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}), meta()));
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(Registry::default().all().len()));
    let rolled = server.ask(with_meta(call(json!("a"), "roll_dice", json!({"expression": "d20"})), meta()));
    assert_eq!(rolled["result"]["structuredContent"]["log"], 4, "{rolled}");
    let again = server.ask(with_meta(call(json!("b"), "roll_dice", json!({"expression": "d20"})), meta()));
    assert_eq!(again["result"]["structuredContent"]["log"], 5, "{again}");
    let (status, rest) = server.end();
    assert!(status.success() && rest.is_empty(), "{status} {rest:?}");
}

#[test]
fn a_first_call_without_discover_is_answered_too() {
    let mut server = Process::start();
    let rolled = server.ask(with_meta(call(json!(1), "roll_dice", json!({"expression": "d20"})), meta()));
    assert_eq!(rolled["result"]["structuredContent"]["log"], 4, "{rolled}");
}

#[test]
fn a_version_without_initialize_that_nobody_knows_is_refused_with_those_that_work() {
    let mut server = Process::start();
    let mut odd = meta();
    odd["io.modelcontextprotocol/protocolVersion"] = json!("2099-12-31");
    let refused = server.ask(with_meta(call(json!(1), "roll_dice", json!({"expression": "d20"})), odd));
    assert_eq!(refused["id"], 1);
    assert!(refused["error"]["message"].is_string(), "{refused}");
    assert!(refused["error"].to_string().contains("2026-07-28"), "{refused}");
    let rolled = server.ask(with_meta(call(json!(2), "roll_dice", json!({"expression": "d20"})), meta()));
    assert_eq!(rolled["result"]["structuredContent"]["log"], 4, "{rolled}");
}

#[test]
fn half_the_metadata_is_an_error_and_a_stray_notification_behind_it_ends_nothing() {
    let mut server = Process::start();
    let half = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    let refused = server.ask(with_meta(call(json!(1), "roll_dice", json!({"expression": "d20"})), half));
    assert!(refused["error"]["code"].is_number(), "{refused}");
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let hello = server.initialize();
    assert_eq!(hello["result"]["serverInfo"]["name"], "rollbook");
}
