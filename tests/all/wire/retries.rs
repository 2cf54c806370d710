//! A client's own id of a call, as Claude Code sends it: a call that is sent twice acts once, though nobody wrote a request_id.

use serde_json::{Value, json};

use crate::process::{Process, call};

/// The result of a call that carries that id.
fn sent(server: &mut Process, id: Value, tool: &str, arguments: Value) -> Value {
    let mut request = call(json!(9), tool, arguments);
    request["params"]["_meta"] = json!({"claudecode/toolUseId": id, "progressToken": 3});
    let result = server.ask(request)["result"].clone();
    assert_ne!(result["isError"], true, "{result}");
    result["structuredContent"].clone()
}

/// How many entries the log has.
fn length(server: &mut Process) -> Value {
    server.done("manage_session", json!({"action": "status"}))["log_length"].clone()
}

#[test]
fn a_call_that_is_sent_again_acts_once_also_after_a_restart() {
    let mut server = Process::start_and_greet();
    let id = json!("toolu_01A09q90qw90lq917835lq9");
    let first = sent(&mut server, id.clone(), "roll_dice", json!({"expression": "20d6"}));
    assert_eq!(first["replayed"], Value::Null);
    let (folder, before) = (server.folder(), length(&mut server));
    for _ in 0..2 {
        let mut again = sent(&mut server, id.clone(), "roll_dice", json!({"expression": "20d6"}));
        assert_eq!(again["replayed"], true);
        again.as_object_mut().expect("an object").remove("replayed");
        assert_eq!(again, first);
        assert_eq!(length(&mut server), before);
        assert!(server.end().0.success());
        server = Process::hello(folder.clone());
    }
}

#[test]
fn an_id_that_is_used_for_another_call_is_a_new_call() {
    let mut server = Process::start_and_greet();
    let id = json!("call_1");
    let one = sent(&mut server, id.clone(), "roll_dice", json!({"expression": "2d6"}));
    let other = sent(&mut server, id.clone(), "roll_dice", json!({"expression": "2d8"}));
    assert_eq!((&other["replayed"], other["log"].as_u64()), (&Value::Null, one["log"].as_u64().map(|log| log + 1)));
    let set = json!({"rolls": [{"expression": "2d6"}], "count": 2});
    assert_eq!(sent(&mut server, id.clone(), "roll_multiple", set)["replayed"], Value::Null);
    let verified = server.folder();
    assert!(server.end().0.success());
    let status = crate::process::rollbook(verified.path()).args(["verify", "--db", "campaigns.db"]).status();
    assert!(status.expect("it runs").success(), "one id in two calls is no finding");
}

#[test]
fn a_request_id_that_was_written_wins() {
    let mut server = Process::start_and_greet();
    let own = json!({"expression": "20d6", "request_id": "the tide"});
    let first = sent(&mut server, json!("toolu_1"), "roll_dice", own.clone());
    let other =
        sent(&mut server, json!("toolu_1"), "roll_dice", json!({"expression": "20d6", "request_id": "the ebb"}));
    assert_eq!(other["replayed"], Value::Null, "the same id of the client means nothing beside it");
    let again = sent(&mut server, json!("toolu_2"), "roll_dice", own);
    assert_eq!((&again["replayed"], &again["roll_id"]), (&json!(true), &first["roll_id"]));
}

#[test]
fn an_id_that_cannot_serve_is_ignored() {
    let mut server = Process::start_and_greet();
    for id in [
        json!(7),
        json!(null),
        json!(""),
        json!(" "),
        json!("\u{202e}x"),
        json!("a\u{0}b"),
        json!({}),
        json!("x".repeat(201)),
    ] {
        let first = sent(&mut server, id.clone(), "roll_dice", json!({"expression": "2d6"}));
        let second = sent(&mut server, id.clone(), "roll_dice", json!({"expression": "2d6"}));
        assert_eq!(
            (&second["replayed"], second["log"].as_u64()),
            (&Value::Null, first["log"].as_u64().map(|log| log + 1)),
            "{id}"
        );
    }
    let status = json!({"action": "status"});
    for log in [false, true] {
        let read = sent(&mut server, json!("toolu_3"), "manage_session", status.clone());
        assert_eq!(read["replayed"], Value::Null, "what only reads is read again");
        assert!(!(log && read["log_length"] == 0));
        sent(&mut server, json!("toolu_4"), "get_character", json!({"list": true}));
        server.done("roll_dice", json!({"expression": "d6"}));
    }
}
