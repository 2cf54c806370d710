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
