//! What no client should send, and what the server makes of it: an answer or silence, and it goes
//! on.

use serde_json::{Value, json};

use crate::process::{Process, call};

/// Sends one line and expects an error without a known id, before or after the greeting; then the
/// server still works.
fn is_answered(line: &[u8], code: i64) {
    is_answered_as(Value::Null, line, code);
}

/// The same under an id.
fn is_answered_as(id: Value, line: &[u8], code: i64) {
    for greeted in [false, true] {
        let mut server = Process::start();
        if greeted {
            server.initialize();
        }
        server.send_raw(line);
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]);
        let answer = server
            .receive()
            .unwrap_or_else(|| panic!("{shown} ended the server, greeted: {greeted}"));
        assert_eq!(answer["error"]["code"], code, "{shown}: {answer}");
        assert_eq!(answer["id"], id, "{shown}: {answer}");
        goes_on(server, greeted);
    }
}

/// Sends one line and expects nothing; then the server still works.
fn is_ignored(line: &[u8]) {
    for greeted in [false, true] {
        let mut server = Process::start();
        if greeted {
            server.initialize();
        }
        server.send_raw(line);
        goes_on(server, greeted);
    }
}

fn goes_on(mut server: Process, greeted: bool) {
    let pong = server.ask(json!({"jsonrpc": "2.0", "id": "still there", "method": "ping"}));
    assert_eq!(pong["id"], "still there", "{pong}");
    if !greeted {
        let hello = server.initialize();
        assert_eq!(hello["result"]["serverInfo"]["name"], "rollbook", "{hello}");
    }
    server.done("roll_dice", json!({"expression": "d20"}));
    let (status, rest) = server.end();
    assert!(status.success() && rest.is_empty(), "{status} {rest:?}");
}

#[test]
fn a_line_that_is_not_json_is_a_parse_error() {
    is_answered(b"roll a d20, please\n", -32700);
    is_answered_as(
        json!(1),
        b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\":\n",
        -32700,
    );
    is_answered_as(
        json!("a 1"),
        b"{\"id\": \"a 1\", \"method\": nonsense, \"params\": {\"id\": 2}}\n",
        -32700,
    );
    is_answered_as(
        json!(1),
        b"{\"params\": {\"id\": 2, \"x\": 1e999}, \"id\": 1, \"method\": \"ping\"}\n",
        -32700,
    );
    is_answered(b"{\"params\": {\"id\": 2}, \"method\": nonsense}\n", -32700);
    is_answered(b"{}{}\n", -32700);
    is_answered(&[b"[".repeat(100_000), b"\n".to_vec()].concat(), -32700);
}

#[test]
fn bytes_that_are_not_utf8_are_a_parse_error() {
    is_answered_as(
        json!(1),
        b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"\xff\xfe\"}\n",
        -32700,
    );
    is_answered_as(
        json!(1),
        b"{\"jsonrpc\": \"2.0\", \"method\": \"\xff\xfe\", \"id\": 1}\n",
        -32700,
    );
    is_answered(b"\xff\xff\xff\n", -32700);
    is_answered(b"\0\n", -32700);
}

#[test]
fn what_is_json_but_no_request_is_an_invalid_request() {
    is_answered(
        b"[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}]\n",
        -32600,
    );
    is_answered(b"[]\n", -32600);
    is_answered(b"42\n", -32600);
    is_answered(b"null\n", -32600);
}

#[test]
fn a_line_of_five_million_bytes_is_skipped_and_answered_under_its_id() {
    let text = "x".repeat(5_000_000);
    let params = json!({"name": "roll_dice", "id": 9, "arguments": {"expression": text, "id": 8}});
    let first = format!("{{\"id\":1,\"method\":\"tools/call\",\"params\":{params}}}\n");
    is_answered_as(json!(1), first.as_bytes(), -32600);
    let last = format!("{{\"method\":\"tools/call\",\"params\":{params},\"id\":\"b\"}}\n");
    is_answered_as(json!("b"), last.as_bytes(), -32600);
    is_answered(
        format!("{{\"method\":\"tools/call\",\"params\":{params}}}\n").as_bytes(),
        -32600,
    );
}

#[test]
fn half_a_character_in_a_text_is_a_parse_error() {
    let line = b"{\"params\": {\"id\": 2, \"context\": \"a \\ud83d b\"}, \"id\": 1, \"method\": \"ping\"}\n";
    is_answered_as(json!(1), line, -32700);
}

#[test]
fn a_last_line_without_newline_is_served() {
    for (last, code) in [("}", Value::Null), ("", json!(-32700))] {
        let mut server = Process::start();
        server.initialize();
        server.send_raw(
            format!("{{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"ping\"{last}").as_bytes(),
        );
        let (status, rest) = server.end();
        assert!(status.success() && rest.len() == 1, "{status} {rest:?}");
        assert_eq!(
            (&rest[0]["id"], &rest[0]["error"]["code"]),
            (&json!("last"), &code),
            "{rest:?}"
        );
    }
    let mut server = Process::start();
    server.initialize();
    server.send_raw(format!("{{\"id\":\"last\",\"x\":\"{}", "x".repeat(5_000_000)).as_bytes());
    let (status, rest) = server.end();
    assert!(status.success() && rest.len() == 1, "{status} {rest:?}");
    assert_eq!(
        (&rest[0]["id"], &rest[0]["error"]["code"]),
        (&json!("last"), &json!(-32600)),
        "{rest:?}"
    );
}

#[test]
fn a_byte_order_mark_at_the_start_is_skipped_and_nowhere_else() {
    let mut server = Process::start();
    server.send_raw("\u{feff}".as_bytes());
    server.initialize();
    server.send_raw("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\n".as_bytes());
    assert_eq!(
        server.receive().expect("an answer")["error"]["code"],
        -32700
    );
    server.done("roll_dice", json!({"expression": "d20"}));
}

#[test]
fn a_request_in_pieces_of_one_byte_is_one_request() {
    let mut server = Process::start();
    server.initialize();
    for byte in
        "{\"jsonrpc\":\"2.0\",\"id\":\"é\",\"method\":\"ping\",\"params\":{\"id\":2}}\n{\"id\":4,\"x\":".as_bytes()
    {
        server.send_raw(&[*byte]);
    }
    assert_eq!(
        server.receive().expect("an answer"),
        json!({"jsonrpc": "2.0", "id": "é", "result": {}})
    );
    server.send_raw(b"\n");
    assert_eq!(server.receive().expect("an answer")["id"], 4);
}

#[test]
fn an_initialize_that_names_only_the_version_is_accepted() {
    for params in [
        json!({"protocolVersion": "2025-06-18"}),
        json!({"protocolVersion": "2025-06-18", "capabilities": null, "clientInfo": {"name": "bare"}}),
    ] {
        let mut server = Process::start();
        let hello = server
            .ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
        assert_eq!(hello["result"]["protocolVersion"], "2025-06-18", "{hello}");
        server.done("roll_dice", json!({"expression": "d20"}));
    }
}

#[test]
fn a_cursor_that_was_never_given_out_is_refused() {
    let mut server = Process::start();
    server.initialize();
    for list in [
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
    ] {
        let ask =
            |params: Value| json!({"jsonrpc": "2.0", "id": 2, "method": list, "params": params});
        for cursor in [
            json!("page 2"),
            json!(5),
            json!(true),
            json!({}),
            json!(["page 2"]),
        ] {
            let refused = server.ask(ask(json!({"cursor": cursor})));
            assert_eq!(refused["error"]["code"], -32602, "{list}: {refused}");
            assert!(
                refused["error"]["message"]
                    .as_str()
                    .is_some_and(|text| text.contains("Leave cursor out")),
                "{refused}"
            );
        }
        for params in [json!({}), json!({"cursor": null})] {
            let listed = server.ask(ask(params));
            assert!(listed["result"].is_object(), "{list}: {listed}");
        }
    }
}

#[test]
fn a_line_just_under_the_limit_is_read() {
    let mut server = Process::start();
    server.initialize();
    let text = "x".repeat(4_000_000);
    let answer = server.ask(call(json!(1), "roll_dice", json!({"expression": text})));
    assert_eq!(
        answer["result"]["structuredContent"]["code"], "limit_exceeded",
        "{answer}"
    );
    server.done("roll_dice", json!({"expression": "d20"}));
}

#[test]
fn empty_lines_carriage_returns_and_a_stray_answer_are_ignored() {
    is_ignored(b"\n");
    is_ignored(b"  \t \r\n");
    is_ignored(b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}\n");
    is_ignored(
        b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"error\": {\"code\": 1, \"message\": \"no\"}}\n",
    );
    is_ignored(b"{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}\r\n");
    is_ignored(b"{\"jsonrpc\": \"2.0\", \"method\": \"tools/call\", \"params\": {\"name\": \"roll_dice\"}}\n");
}

#[test]
fn an_id_that_is_no_id_ends_nothing() {
    for id in ["null", "1.5", "{}", "[1]", "true"] {
        let echoed = if id == "1.5" { json!(1.5) } else { Value::Null };
        let line = format!("{{\"jsonrpc\": \"2.0\", \"id\": {id}, \"method\": \"ping\"}}\n");
        is_answered_as(echoed, line.as_bytes(), -32600);
    }
}

#[test]
fn a_request_before_initialize_is_asked_to_begin() {
    let mut server = Process::start();
    let early = server.ask(call(json!(4), "roll_dice", json!({"expression": "d20"})));
    assert_eq!(
        (&early["id"], &early["error"]["code"]),
        (&json!(4), &json!(-32600)),
        "{early}"
    );
    assert!(
        early["error"]["message"]
            .as_str()
            .is_some_and(|text| text.contains("initialize")),
        "{early}"
    );
    assert!(!server.database().exists(), "nothing was touched");
    goes_on(server, false);
}

#[test]
fn an_initialize_that_is_broken_can_be_followed_by_one_that_is_not() {
    for params in [
        json!({}),
        json!({"protocolVersion": 7}),
        json!("hello"),
        Value::Null,
    ] {
        let mut server = Process::start();
        let broken = server
            .ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
        assert!(broken["error"]["code"].is_number(), "{broken}");
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        goes_on(server, false);
    }
}

#[test]
fn another_version_of_json_rpc_ends_nothing() {
    is_answered_as(json!(1), b"{\"id\": 1, \"method\": \"ping\"}\n", -32600);
    is_answered_as(
        json!(1),
        b"{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"ping\"}\n",
        -32600,
    );
}

#[test]
fn many_bad_lines_after_each_other_are_each_answered() {
    let mut server = Process::start();
    server.initialize();
    server.send_raw(&b"nonsense\n".repeat(300));
    for _ in 0..300 {
        assert_eq!(
            server.receive().expect("an answer")["error"]["code"],
            -32700
        );
    }
    server.done("roll_dice", json!({"expression": "d20"}));
}

/// A request that was cut, or with a byte put in, taken out or changed, anywhere but at its id:
/// answered as itself or as nobody's, and the server goes on.
#[test]
fn damaged_requests_are_answered_under_their_own_id_or_none() {
    let mut server = Process::start();
    server.initialize();
    let mut seed: u64 = 20_260_728;
    let mut below = |limit: usize| {
        // Knuth's MMIX generator; its high bits will do here.
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).expect("a small number") % limit
    };
    let mut answered = 0;
    for nth in 0..400 {
        let id = if nth % 2 == 0 {
            json!(1000 + nth)
        } else {
            json!(format!("id {nth}"))
        };
        let (head, field) = ("{\"jsonrpc\":\"2.0\",", format!("\"id\":{id}"));
        let rest = "\"method\":\"tools/call\",\"params\":{\"name\":\"odds\",\"id\":5,\"arguments\":{\"expression\":\"d6\",\"id\":[6,{\"id\":7}]}}";
        let (mut line, from) = match nth % 3 {
            0 => (
                format!("{head}{rest},{field}}}").into_bytes(),
                head.len() + rest.len() + 1,
            ),
            _ => (format!("{head}{field},{rest}}}").into_bytes(), head.len()),
        };
        let at = below(line.len());
        if (from..=from + field.len()).contains(&at) {
            continue;
        }
        let byte = [
            b'"', b'\\', b'{', b'}', b'[', b']', b',', b':', b'0', b' ', 0xff, 0xed,
        ][below(12)];
        match below(4) {
            0 => line.truncate(at),
            1 => line.insert(at, byte),
            2 => line[at] = byte,
            _ => drop(line.remove(at)),
        }
        line.push(b'\n');
        server.send_raw(&line);
        server.send(&json!({"jsonrpc": "2.0", "id": "behind", "method": "ping"}));
        loop {
            let answer = server.receive().expect("it goes on");
            if answer["id"] == "behind" {
                break;
            }
            assert!(
                answer["id"] == id || answer["id"].is_null(),
                "{answer} to {}",
                String::from_utf8_lossy(&line)
            );
            answered += usize::from(answer["id"] == id);
        }
    }
    assert!(
        answered > 100,
        "only {answered} were answered as themselves"
    );
    server.done("roll_dice", json!({"expression": "d20"}));
}
