//! The smallest MCP server: JSON-RPC over standard input and output, and one tool.

use serde_json::{Value, json};

use crate::process::Process;

/// The handshake as the source has it: `initialize` names the version and nothing else.
fn greeted() -> Process {
    let mut server = Process::start();
    let hello = server.ask(
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2024-11-05",
        }}),
    );
    assert_eq!(
        (&hello["id"], &hello["result"]["protocolVersion"]),
        (&json!(1), &json!("2024-11-05")),
        "{hello}"
    );
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    server
}

/// The texts of a result's content.
fn texts(answer: &Value) -> Vec<&str> {
    let blocks = answer["result"]["content"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer}"));
    blocks
        .iter()
        .map(|block| {
            assert_eq!(block["type"], "text", "{block}");
            block["text"].as_str().expect("a text")
        })
        .collect()
}

fn roll(id: Value, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "roll_dice", "arguments": arguments}})
}

/// The source's first program answers `ping` with a sentence about the method. The protocol's own
/// answer is an empty result, and clients check for it, so that is what it is here; with no
/// handshake before it, as there.
#[test]
fn ping_is_answered_before_any_handshake() {
    let mut server = Process::start();
    server.send_raw(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
    assert_eq!(
        server.receive(),
        Some(json!({"jsonrpc": "2.0", "id": 1, "result": {}}))
    );
}

#[test]
fn the_handshake_needs_no_more_than_the_version() {
    let mut server = Process::start();
    let hello = server.ask(
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2024-11-05",
        }}),
    );
    let result = &hello["result"];
    assert_eq!(
        (&hello["id"], &result["protocolVersion"]),
        (&json!(1), &json!("2024-11-05"))
    );
    assert!(result["capabilities"]["tools"].is_object(), "{hello}");
    for field in ["name", "version"] {
        assert!(
            result["serverInfo"][field]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{hello}"
        );
    }
    assert!(result["instructions"].is_string(), "{hello}");
    // The notification is not answered: what comes next is the answer to the next request.
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let list = server.ask(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}));
    assert_eq!(list["id"], 2, "{list}");
    let (status, rest) = server.end();
    assert!(status.success() && rest.is_empty(), "{status} {rest:?}");
}

/// Another version is not refused (the source: error -2): the protocol lets the server answer with
/// a version of its own, and the client decides.
#[test]
fn a_version_that_is_not_known_is_answered_with_one_that_is() {
    let mut server = Process::start();
    let hello = server.ask(
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "1999-01-01",
        }}),
    );
    let version = hello["result"]["protocolVersion"]
        .as_str()
        .unwrap_or_else(|| panic!("{hello}"));
    assert!(version > "2024-11-05", "{hello}");
}

#[test]
fn the_one_tool_is_listed() {
    let mut server = greeted();
    let list = server.ask(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}));
    let tools = list["result"]["tools"]
        .as_array()
        .unwrap_or_else(|| panic!("{list}"));
    let tool = tools
        .iter()
        .find(|tool| tool["name"] == "roll_dice")
        .unwrap_or_else(|| panic!("{list}"));
    assert!(tool["description"].is_string(), "{tool}");
    let schema = &tool["inputSchema"];
    assert_eq!(schema["type"], "object", "{tool}");
    // `formula` is taken and not listed: each listed parameter is read by every model at every
    // start, and `expression` is the same.
    let expression = &schema["properties"]["expression"];
    assert!(
        expression["type"].to_string().contains("string") && expression["description"].is_string(),
        "{tool}"
    );
}

#[test]
fn a_formula_is_answered_with_the_sum_and_the_individual_results() {
    let mut server = greeted();
    let rolled = server.ask(roll(json!(3), json!({"formula": "3d6"})));
    assert_eq!(rolled["id"], 3, "{rolled}");
    let (sum, faces) = texts(&rolled)[0]
        .split_once('\n')
        .unwrap_or_else(|| panic!("{rolled}"));
    let number = |text: &str| text.parse::<i64>().unwrap_or_else(|_| panic!("{rolled}"));
    let sum = number(
        sum.strip_prefix("Sum: ")
            .unwrap_or_else(|| panic!("{rolled}")),
    );
    let faces = faces
        .strip_prefix("Individual results: ")
        .unwrap_or_else(|| panic!("{rolled}"));
    let faces: Vec<i64> = faces.split(' ').map(number).collect();
    assert!(
        faces.len() == 3 && faces.iter().all(|face| (1..=6).contains(face)),
        "{rolled}"
    );
    assert_eq!(sum, faces.iter().sum::<i64>());

    // The very dice of the source, as a player's hand rolled them; a text id comes back as text.
    let entered = server.ask(roll(
        json!("three"),
        json!({"formula": "3d6", "entered": [1, 6, 5]}),
    ));
    assert_eq!(
        (&entered["id"], texts(&entered)[0]),
        (&json!("three"), "Sum: 12\nIndividual results: 1 6 5")
    );
    // By its own name for the expression the tool keeps its own sentence.
    let answer = server.ask(roll(json!(5), json!({"expression": "3d6"})));
    assert!(!texts(&answer)[0].starts_with("Sum: "), "{answer}");
}

/// There was no structured content then, so all of a reply is a second text.
#[test]
fn clients_older_than_structured_content_get_all_of_a_reply_as_a_second_text() {
    for (version, is_old) in [
        ("2024-11-05", true),
        ("2025-03-26", true),
        ("2025-06-18", false),
    ] {
        let mut server = Process::start();
        server.ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": version}}));
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        let rolled = server.ask(roll(
            json!(2),
            json!({"formula": "3d6", "entered": [1, 6, 5], "detail": "brief"}),
        ));
        let texts = texts(&rolled);
        assert_eq!(texts[0], "Sum: 12\nIndividual results: 1 6 5");
        let rest: Vec<Value> = texts[1..]
            .iter()
            .map(|text| serde_json::from_str(text).expect("JSON"))
            .collect();
        let whole = rolled["result"]["structuredContent"].clone();
        assert!(whole["total"] == 12 && whole["log"].is_number(), "{rolled}");
        assert_eq!(rest, if is_old { vec![whole] } else { vec![] }, "{version}");
        let refused = server.ask(roll(json!(3), json!({"formula": "3x6"})));
        let texts = self::texts(&refused);
        let rest = texts[1..]
            .iter()
            .map(|text| serde_json::from_str(text).expect("JSON"));
        let whole = refused["result"]["structuredContent"].clone();
        assert!(
            refused["result"]["isError"] == true && whole["code"].is_string(),
            "{refused}"
        );
        assert_eq!(
            rest.collect::<Vec<Value>>(),
            if is_old { vec![whole] } else { vec![] },
            "{version}"
        );
    }
}

/// The source has numbers of its own for its two refusals (-4 for a formula, -5 for a tool). Here
/// an unknown tool is the protocol's own error for bad parameters, and a formula that cannot be
/// rolled is a result with `isError`: an error of the protocol is not shown to the model, which is
/// who has to write another formula.
#[test]
fn what_cannot_be_done_is_a_clear_error() {
    let mut server = greeted();
    let method = server.ask(json!({"jsonrpc": "2.0", "id": 4, "method": "tools/burn"}));
    assert_eq!(
        (&method["id"], &method["error"]["code"]),
        (&json!(4), &json!(-32601)),
        "{method}"
    );
    assert!(
        method["error"]["message"]
            .as_str()
            .is_some_and(|text| text.contains("tools/burn")),
        "{method}"
    );

    let call = json!({"jsonrpc": "2.0", "id": "five", "method": "tools/call", "params": {"name": "roll_dies"}});
    let tool = server.ask(call);
    assert_eq!(
        (&tool["id"], &tool["error"]["code"]),
        (&json!("five"), &json!(-32602)),
        "{tool}"
    );
    assert!(
        tool["error"]["message"]
            .as_str()
            .is_some_and(|text| text.contains("roll_dies")),
        "{tool}"
    );

    for arguments in [
        json!({"formula": "three dice"}),
        json!({"formula": "0d6"}),
        json!({"formula": ["3d6"]}),
        json!({}),
    ] {
        let refused = server.ask(roll(json!(6), arguments.clone()));
        assert_eq!(
            json!([refused["id"], refused["result"]["isError"]]),
            json!([6, true]),
            "{arguments}: {refused}"
        );
        assert!(
            texts(&refused)[0].contains("Nothing was rolled."),
            "{arguments}: {refused}"
        );
    }
    let broken = server.ask(
        json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "roll_dice", "arguments": [1]}}),
    );
    assert_eq!(
        (&broken["id"], &broken["error"]["code"]),
        (&json!(7), &json!(-32602)),
        "{broken}"
    );
    assert!(
        texts(&server.ask(roll(json!(8), json!({"formula": "3d6"}))))[0].starts_with("Sum: "),
        "it goes on"
    );
}

/// The source answers a call before the handshake under no id; here it is answered under its own.
#[test]
fn a_call_before_the_handshake_is_refused_and_a_second_handshake_is_not() {
    let mut server = Process::start();
    let early = server.ask(roll(json!(3), json!({"formula": "3d6"})));
    assert_eq!(
        (&early["id"], &early["error"]["code"]),
        (&json!(3), &json!(-32600)),
        "{early}"
    );
    for id in [4, 5] {
        let params = json!({"protocolVersion": "2024-11-05"});
        let hello = server
            .ask(json!({"jsonrpc": "2.0", "id": id, "method": "initialize", "params": params}));
        assert_eq!(
            (&hello["id"], &hello["result"]["protocolVersion"]),
            (&json!(id), &json!("2024-11-05")),
            "{hello}"
        );
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    }
    assert!(texts(&server.ask(roll(json!(6), json!({"formula": "3d6"}))))[0].starts_with("Sum: "));
}
