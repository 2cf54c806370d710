//! The real program over raw lines: what it answers, what it ignores, what it survives, how it
//! ends.

mod elicit;
mod ends;
mod noise;
mod pressure;
mod resources;
#[cfg(target_os = "linux")]
mod streams;

use rollbook_table::tools::Registry;
use serde_json::{Value, json};

use crate::process::{Process, call};

#[test]
fn the_tools_are_listed_and_called() {
    let mut server = Process::start();
    let hello = server.initialize();
    assert_eq!(hello["result"]["serverInfo"]["name"], "rollbook");
    assert!(
        hello["result"]["instructions"]
            .as_str()
            .is_some_and(|text| text.contains("record"))
    );

    let list = server.ask(json!({"jsonrpc": "2.0", "id": "list", "method": "tools/list"}));
    assert_eq!(list["id"], "list", "a text id comes back as text");
    let tools = list["result"]["tools"].as_array().expect("tools");
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(
        names,
        Registry::default()
            .all()
            .iter()
            .map(|tool| &*tool.name)
            .collect::<Vec<&str>>()
    );

    let rolled = server.ask(call(json!(7), "roll_dice", json!({"expression": "2d6+3"})));
    assert_eq!(rolled["id"], 7, "a number id comes back as a number");
    let reply = &rolled["result"]["structuredContent"];
    assert!(
        (5..=15).contains(&reply["total"].as_i64().expect("a total")),
        "{reply}"
    );
    assert_eq!(reply["rng"]["source"], "os-chacha12");
    let (status, rest) = server.end();
    assert!(status.success() && rest.is_empty(), "{status} {rest:?}");
}

#[test]
fn a_text_block_says_what_the_structured_content_says() {
    let mut server = Process::start_and_greet();
    let refused = server.call("roll_dice", json!({"expression": "2d7"}));
    assert_eq!(refused["isError"], true);
    let text = refused["content"][0]["text"].as_str().expect("text");
    assert!(
        text.starts_with("[INVALID_DIE] ") && text.len() <= 700,
        "{text}"
    );
    assert_eq!(refused["structuredContent"]["code"], "invalid_die");
    for detail in ["brief", "full"] {
        for (visibility, players) in [
            ("public", "same"),
            ("gm", "nothing"),
            ("blind", "Dice fall behind the screen."),
        ] {
            let call = json!({"expression": "2d6", "visibility": visibility, "detail": detail});
            let rolled = server.call("roll_dice", call);
            let (text, reply) = (&rolled["content"][0]["text"], &rolled["structuredContent"]);
            let (text, summary) = (text.as_str(), reply["summary"].as_str());
            let (text, summary) = text.zip(summary).expect("texts");
            let log = reply["log"].as_u64().expect("a number");
            assert!(
                text.starts_with(&format!("{summary}\nPlayers: {players}"))
                    && text.ends_with(&format!("\n#{log}"))
                    && text.len() <= summary.len() + 120,
                "{rolled}"
            );
        }
    }
}

#[test]
fn near_names_and_bad_parameters_reach_clients_that_show_only_text() {
    let mut server = Process::start_and_greet();
    server.done(
        "manage_character",
        json!({"action": "create", "name": "Jory", "kind": "player"}),
    );
    for (tool, arguments) in [
        ("get_character", json!({"character": "Jorry"})),
        ("skill_check", json!({"skill": "Stelth", "difficulty": 10})),
        ("roll_dice", json!({"dice_sides": 1, "dice_count": 0})),
        (
            "apply_damage",
            json!({"target": 7, "amount": "much", "half": "perhaps"}),
        ),
    ] {
        let refused = server.call(tool, arguments);
        assert_eq!(refused["isError"], true, "{refused}");
        let text = refused["content"][0]["text"].as_str().expect("text");
        let structured = &refused["structuredContent"];
        let near = structured["did_you_mean"].as_array().into_iter().flatten();
        let bad = structured["details"].as_array().into_iter().flatten();
        let lines: Vec<&str> = near
            .chain(bad.flat_map(|bad| [&bad["issue"], &bad["valid_range"]]))
            .filter_map(Value::as_str)
            .collect();
        assert!(
            !lines.is_empty() && lines.iter().all(|lines| text.contains(lines)),
            "{text} without one of {lines:?}"
        );
    }
}

#[test]
fn an_unknown_method_and_an_unknown_tool_are_errors_and_the_server_goes_on() {
    let mut server = Process::start();
    server.initialize();
    let method = server.ask(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/burn"}));
    assert_eq!(
        (&method["id"], &method["error"]["code"]),
        (&json!(2), &json!(-32601)),
        "{method}"
    );
    let tool = server.ask(call(json!(3), "roll_dies", json!({})));
    assert_eq!(
        (&tool["id"], &tool["error"]["code"]),
        (&json!(3), &json!(-32602)),
        "{tool}"
    );
    assert!(
        tool["error"]["message"]
            .as_str()
            .is_some_and(|text| text.contains("roll_dice")),
        "{tool}"
    );
    server.done("roll_dice", json!({"expression": "d20"}));
}

#[test]
fn notifications_get_no_answer() {
    let mut server = Process::start();
    server.initialize();
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}));
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/nobody/knows"}));
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}));
    let pong = server.ask(json!({"jsonrpc": "2.0", "id": 5, "method": "ping"}));
    assert_eq!(pong, json!({"jsonrpc": "2.0", "id": 5, "result": {}}));
    let (status, rest) = server.end();
    assert!(status.success() && rest.is_empty(), "{status} {rest:?}");
}

#[test]
fn parameters_of_another_shape_are_reported_as_such() {
    let mut server = Process::start();
    server.initialize();
    for params in [
        json!({}),
        json!({"name": 7}),
        json!([1]),
        json!({"name": "roll_dice", "arguments": [1]}),
        json!("roll"),
    ] {
        let answer = server
            .ask(json!({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": params}));
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(4), &json!(-32602)),
            "{params}: {answer}"
        );
        assert!(
            answer["error"]["message"]
                .as_str()
                .is_some_and(|text| text.contains("arguments")),
            "{answer}"
        );
    }
    let answer = server.ask(json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call"}));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    server.done("roll_dice", json!({"expression": "d20"}));
}

#[test]
fn what_was_not_declared_is_not_served() {
    let mut server = Process::start();
    let hello = server.initialize();
    let expected =
        json!({"completions": {}, "prompts": {}, "resources": {"listChanged": true}, "tools": {}});
    assert_eq!(hello["result"]["capabilities"], expected);
    let asked = json!({"jsonrpc": "2.0", "id": 6, "method": "logging/setLevel", "params": {"level": "info"}});
    let answer = server.ask(asked);
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
}
