//! What a client completes while somebody types, and what it is told while a call runs.

use serde_json::{Value, json};

use crate::process::Process;

fn complete(server: &mut Process, what: Value, argument: &str, typed: &str) -> Value {
    let params = json!({"ref": what, "argument": {"name": argument, "value": typed}});
    server.ask(json!({"jsonrpc": "2.0", "id": 8, "method": "completion/complete", "params": params}))
}

fn prompt(name: &str) -> Value {
    json!({"type": "ref/prompt", "name": name})
}

fn resource(uri: &str) -> Value {
    json!({"type": "ref/resource", "uri": uri})
}

#[test]
fn arguments_of_prompts_and_names_in_addresses_are_completed() {
    let mut server = Process::start_and_greet();
    let mut values = |what: Value, argument: &str, typed: &str| -> Vec<String> {
        let answer = complete(&mut server, what, argument, typed);
        let completion = &answer["result"]["completion"];
        let values: Vec<String> =
            serde_json::from_value(completion["values"].clone()).unwrap_or_else(|_| panic!("{answer}"));
        assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(values.len()), &json!(false)));
        values
    };
    assert!(values(prompt("check_rules"), "section", "").len() > 3);
    assert_eq!(values(prompt("check_rules"), "section", "SKI"), ["Skills"], "as people type");
    assert!(values(prompt("new_character"), "idea", "a").is_empty(), "free text");
    assert_eq!(values(resource("rollbook://rules/{section}"), "section", "ski"), ["skills"]);
    assert!(values(resource("rollbook://character/{name}"), "name", "").is_empty(), "nobody was made yet");

    for name in ["Jory Dane", "Sabeth Quoin", "Old Dane"] {
        server.done("manage_character", json!({"action": "create", "name": name}));
    }
    let answer = complete(&mut server, resource("rollbook://character/{name}"), "name", "dane");
    assert_eq!(answer["result"]["completion"]["values"], json!(["Jory Dane", "Old Dane"]), "{answer}");
    let answer = complete(&mut server, resource("rollbook://character/{name}"), "name", "o");
    assert_eq!(answer["result"]["completion"]["values"][0], "Old Dane", "what begins so comes first: {answer}");
    let listed = server.ask(json!({"jsonrpc": "2.0", "id": 9, "method": "resources/templates/list", "params": {}}));
    let listed: Vec<&str> = listed["result"]["resourceTemplates"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|own| own["uriTemplate"].as_str())
        .collect();
    assert_eq!(listed, ["rollbook://rules/{section}", "rollbook://character/{name}"]);
}

#[test]
fn what_cannot_be_completed_is_refused_with_what_can() {
    let mut server = Process::start_and_greet();
    for (what, argument, words) in [
        (prompt("check_rule"), "section", "did you mean check_rules?"),
        (prompt("check_rules"), "heading", "section, a text"),
        (prompt("recap"), "session", "no argument"),
        (resource("rollbook://people/{name}"), "name", "rollbook://character/{name}"),
        (resource("rollbook://character/{name}"), "who", "takes name"),
    ] {
        let answer = complete(&mut server, what, argument, "");
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert!(answer["error"]["message"].as_str().is_some_and(|text| text.contains(words)), "{words}: {answer}");
    }
    let shapeless =
        json!({"jsonrpc": "2.0", "id": 8, "method": "completion/complete", "params": {"ref": "check_rules"}});
    let answer = server.ask(shapeless);
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert!(answer["error"]["message"].as_str().is_some_and(|text| text.contains("ref/prompt")), "{answer}");
}

#[test]
fn a_client_that_asks_for_it_is_told_that_a_call_still_runs() {
    let mut server = Process::start_and_greet();
    server.done("manage_session", json!({"action": "start"}));
    let waiting = json!({"name": "manage_session", "arguments": {"action": "status", "wait_s": 5}, "_meta": {"progressToken": "w"}});
    server.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": waiting}));
    let mut told = Vec::new();
    let answer = loop {
        let message = server.receive().expect("an answer");
        match message["method"].as_str() {
            Some("notifications/progress") => told.push(message["params"].clone()),
            _ => break message,
        }
    };
    assert_eq!(answer["id"], 7, "{answer}");
    let seconds: Vec<f64> = told.iter().filter_map(|own| own["progress"].as_f64()).collect();
    assert_eq!(seconds, [2.0, 4.0], "{told:?}");
    assert!(told.iter().all(|own| own["progressToken"] == "w" && own["message"].is_string()), "{told:?}");
}
