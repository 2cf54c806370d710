//! The rules as resources: what a person picks for the assistant to read.

use serde_json::{Value, json};

use crate::process::Process;

#[test]
fn the_rules_are_listed_and_read_whole_and_by_section() {
    let mut server = Process::start();
    let hello = server.initialize();
    assert!(hello["result"]["capabilities"]["resources"].is_object(), "{hello}");
    let listed = server.ask(json!({"jsonrpc": "2.0", "id": 2, "method": "resources/list", "params": {}}));
    let all = listed["result"]["resources"].as_array().expect("a list").clone();
    let uris: Vec<&str> = all.iter().filter_map(|one| one["uri"].as_str()).collect();
    assert_eq!(uris[0], "rollbook://rules");
    assert!(uris.contains(&"rollbook://rules/skills") && uris.contains(&"rollbook://rules/combat"), "{uris:?}");
    let text = std::fs::read_to_string(format!("{}/System.md", crate::process::LOCKHOUSE)).expect("the rules");
    for uri in uris {
        let read = server.ask(json!({"jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": {"uri": uri}}));
        let content: &Value = &read["result"]["contents"][0];
        assert_eq!((&content["uri"], &content["mimeType"]), (&json!(uri), &json!("text/markdown")));
        assert!(text.contains(content["text"].as_str().expect("text")), "{uri} is the author's own words");
    }
    let none = server.ask(
        json!({"jsonrpc": "2.0", "id": 4, "method": "resources/read", "params": {"uri": "rollbook://rules/../secret"}}),
    );
    assert!(none["error"]["message"].as_str().expect("an error").contains("there are rollbook://rules"), "{none}");
}

/// A message that asks for something.
fn request(id: i64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn read(server: &mut Process, uri: &str) -> Value {
    server.ask(request(3, "resources/read", json!({"uri": uri})))
}

/// The addresses of what is played.
fn played(server: &mut Process) -> Vec<String> {
    let listed = server.ask(request(2, "resources/list", json!({})));
    let all = listed["result"]["resources"].as_array().expect("a list").clone();
    let uris = all.iter().filter_map(|one| one["uri"].as_str()).filter(|uri| !uri.starts_with("rollbook://rules"));
    uris.map(str::to_owned).collect()
}

/// What a call answers, and whether the list of resources changed with it.
fn called(server: &mut Process, tool: &str, arguments: Value) -> (Value, bool) {
    let mut next = server.ask(crate::process::call(json!(8), tool, arguments));
    let mut changed = false;
    while next["id"] != 8 {
        assert_eq!(next["method"], "notifications/resources/list_changed", "{next}");
        assert!(!changed, "a call is told of once");
        changed = true;
        next = server.receive().expect("an answer");
    }
    assert_ne!(next["result"]["isError"], true, "{next}");
    (next["result"]["structuredContent"].clone(), changed)
}

fn call_changes(server: &mut Process, tool: &str, arguments: Value) -> bool {
    called(server, tool, arguments).1
}

#[test]
fn people_the_fight_and_the_last_entries_are_listed_and_read_as_the_tools_answer() {
    let mut server = Process::start_and_greet();
    assert!(played(&mut server).is_empty());
    assert!(!server.database().exists(), "looking at a list makes no database");
    server.end();
    let mut server = Process::start_and_greet();
    let mut penrake = crate::table::jory();
    penrake["name"] = json!("Jory Penråke/50%?#");
    server.done("manage_character", penrake);
    server.done("manage_character", json!({"action": "create", "kind": "template", "name": "Wrecker", "hp": 7}));
    let uri = "rollbook://character/Jory%20Penr%C3%A5ke%2F50%25%3F%23";
    assert_eq!(played(&mut server), [uri, "rollbook://log/last"]);
    let fight = json!({"action": "start", "title": "On the slip", "combatants": [{"name": "Ida", "hp": 5, "initiative": 3, "hidden": true},
        {"name": "Jory", "initiative": 12}]});
    called(&mut server, "manage_combat", fight);
    assert_eq!(played(&mut server), ["rollbook://combat", uri, "rollbook://character/Ida", "rollbook://log/last"]);

    let sheet = server.done("get_character", json!({"character": "Jory", "view": "sheet"}))["sheet"].clone();
    let content = read(&mut server, uri)["result"]["contents"][0].clone();
    assert_eq!(
        (&content["text"], &content["mimeType"], &content["uri"]),
        (&sheet, &json!("text/markdown"), &json!(uri))
    );
    let status = server.done("manage_combat", json!({"action": "status", "detail": "full"}));
    let content = read(&mut server, "rollbook://combat")["result"]["contents"][0].clone();
    assert_eq!(content["mimeType"], "application/json");
    assert_eq!(serde_json::from_str::<Value>(content["text"].as_str().expect("text")).expect("JSON"), status);
    let last = read(&mut server, "rollbook://log/last")["result"]["contents"][0]["text"].clone();
    let lines: Vec<&str> = last.as_str().expect("text").lines().collect();
    assert!(lines[lines.len() - 2].ends_with("Round 1: Jory Penråke/50%?#'s turn."), "{last}");
    assert!(lines[lines.len() - 1].starts_with("Receipt: #"), "{last}");

    called(&mut server, "manage_combat", json!({"action": "end"}));
    for none in [
        "rollbook://combat",
        "rollbook://character/",
        "rollbook://character/Jo",
        "rollbook://character/%ff",
        "rollbook://log/first",
    ] {
        let refused = read(&mut server, none);
        let words = refused["error"]["message"].as_str().unwrap_or_else(|| panic!("{none}: {refused}")).to_owned();
        assert!(words.contains("there are rollbook://rules"), "{words}");
    }
}

#[test]
fn a_client_that_knows_the_list_is_told_when_it_changes_and_only_then() {
    let mut server = Process::start_and_greet();
    let create = |name: &str| json!({"action": "create", "name": name});
    assert!(!call_changes(&mut server, "manage_character", create("Aria")), "it never asked");
    played(&mut server);
    assert!(call_changes(&mut server, "manage_character", create("Bram")));
    assert!(!call_changes(&mut server, "roll_dice", json!({"expression": "d6"})));
    let fight = json!({"action": "start", "combatants": [{"name": "Aria", "hp": 3, "initiative": 2}, {"name": "Bram", "hp": 3, "initiative": 1}]});
    assert!(call_changes(&mut server, "manage_combat", fight));
    assert!(!call_changes(&mut server, "manage_combat", json!({"action": "next_turn"})));
    assert!(call_changes(&mut server, "manage_combat", json!({"action": "end"})));
    assert!(call_changes(&mut server, "manage_character", json!({"action": "retire", "character": "Bram"})));
    assert!(call_changes(&mut server, "manage_session", json!({"action": "undo"})), "and Bram is back");
    assert!(!call_changes(&mut server, "manage_session", json!({"action": "status"})));
    assert!(server.end().0.success());
}

#[test]
fn saved_rules_are_told_of_without_a_call() {
    let folder = std::sync::Arc::new(tempfile::TempDir::new().expect("a folder"));
    let adventure = folder.path().join("adventure");
    std::fs::create_dir(&adventure).expect("a folder");
    let save = |text: &str| std::fs::write(adventure.join("System.md"), text).expect("is written");
    save("# A\n\n## Checks\n\n### Act\n- Roll: `2d6`\n");
    let mut command = crate::process::rollbook(folder.path());
    command.args(["serve", "--adventure"]).arg(&adventure);
    let mut server = Process::started(command, folder);
    server.initialize();
    played(&mut server);
    save("# A\n\n## Checks\n\n### Act\n- Roll: `2d6`\n\n## Tides\n\nThey turn.\n");
    assert_eq!(server.receive().expect("a notification")["method"], "notifications/resources/list_changed");
    let tides = read(&mut server, "rollbook://rules/tides")["result"]["contents"][0]["text"].clone();
    assert!(tides.as_str().expect("text").contains("They turn."), "{tides}");
    let noted = called(&mut server, "roll_dice", json!({"expression": "d6"})).0["noted"].to_string();
    assert!(noted.contains("The rules were saved and are read anew"), "the next reply still says so: {noted}");
}

#[test]
fn a_client_of_2026_is_told_on_the_stream_that_it_opened() {
    let mut server = Process::start();
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "a client of 2026", "version": "1"}});
    let ask = |id: i64, method: &str, mut params: Value| {
        params["_meta"] = meta.clone();
        request(id, method, params)
    };
    let create = |id: i64, name: &str| {
        ask(id, "tools/call", json!({"name": "manage_character", "arguments": {"action": "create", "name": name}}))
    };
    server.ask(ask(1, "resources/list", json!({})));
    assert_eq!(server.ask(create(2, "Aria"))["id"], 2, "no stream, no word");
    let listen = json!({"notifications": {"resourcesListChanged": true, "toolsListChanged": true}});
    let opened = server.ask(ask(3, "subscriptions/listen", listen.clone()));
    assert_eq!(opened["method"], "notifications/subscriptions/acknowledged", "{opened}");
    assert_eq!(opened["params"]["notifications"], json!({"resourcesListChanged": true}), "{opened}");
    server.send(&create(4, "Bram"));
    let mut both = [server.receive().expect("one"), server.receive().expect("the other")];
    both.sort_by_key(|message| message["id"].is_number());
    assert_eq!(both[0]["method"], "notifications/resources/list_changed", "{both:?}");
    assert_eq!(both[0]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 3, "{both:?}");
    for id in 10..13 {
        assert_eq!(server.ask(ask(id, "subscriptions/listen", listen.clone()))["method"], opened["method"]);
    }
    server.ask(ask(13, "subscriptions/listen", listen.clone()));
    let fifth = server.receive().expect("a refusal");
    assert!(fifth["error"]["message"].as_str().expect("words").contains("4 streams are open already"), "{fifth}");
    let (status, _) = server.end();
    assert!(status.success(), "{status}");
}
