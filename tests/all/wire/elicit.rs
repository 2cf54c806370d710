//! Questions to the person behind the client, in both eras of the protocol, and what a client gets
//! that cannot ask.

use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::{Process, call, rollbook};

/// A server with two people at its table, and a client of 2025 that can be asked or not.
fn greeted(capabilities: Value) -> Process {
    let mut server = Process::start();
    server.ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "it asks", "version": "1"},
    }}));
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    seat_two(&mut |message| server.ask(message));
    server
}

fn seat_two(ask: &mut dyn FnMut(Value) -> Value) {
    for name in ["Sabeth Quoin", "Jory Penrake"] {
        let scores = json!({"STR": 12, "DEX": 15, "CON": 10, "INT": 10, "WIS": 10, "CHA": 10});
        let arguments =
            json!({"action": "create", "name": name, "kind": "player", "attributes": scores});
        let made = ask(call(json!(name), "manage_character", arguments));
        assert_ne!(made["result"]["isError"], true, "{made}");
    }
}

/// A check by nobody in particular.
fn check() -> Value {
    call(
        json!("check"),
        "skill_check",
        json!({"attribute": "DEX", "difficulty": 10}),
    )
}

fn answer(id: &Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

#[test]
fn a_client_of_2025_is_asked_which_character_and_the_call_goes_on() {
    let mut server = greeted(json!({"elicitation": {}}));
    let asked = server.ask(check());
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    let field = &asked["params"]["requestedSchema"]["properties"]["character"];
    assert_eq!(
        field["enum"],
        json!(["Sabeth Quoin", "Jory Penrake"]),
        "{asked}"
    );
    assert_eq!(
        asked["params"]["requestedSchema"]["required"],
        json!(["character"])
    );
    assert_eq!(asked["params"]["message"], "Which character?");
    let chosen = json!({"action": "accept", "content": {"character": "Jory Penrake"}});
    let done = server.ask(answer(&asked["id"], chosen));
    assert_eq!(done["id"], "check");
    let summary = done["result"]["structuredContent"]["summary"]
        .as_str()
        .expect("a summary");
    assert!(summary.contains("Jory Penrake"), "{done}");
}

#[test]
fn while_a_person_answers_the_client_is_notified_that_the_call_still_runs() {
    let mut server = greeted(json!({"elicitation": {}}));
    let mut check = check();
    check["params"]["_meta"] = json!({"progressToken": "asked"});
    let asked = server.ask(check);
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    let reply = server.receive().expect("a message");
    assert_eq!(
        json!([reply["method"], reply["params"]["progressToken"]]),
        json!(["notifications/progress", "asked"])
    );
    server.send(&answer(
        &asked["id"],
        json!({"action": "accept", "content": {"character": "Jory Penrake"}}),
    ));
    let done = loop {
        let message = server.receive().expect("an answer");
        if message["method"].is_null() {
            break message;
        }
    };
    assert_eq!(done["id"], "check", "{done}");
}

#[test]
fn who_declines_rolls_nothing_and_who_closes_the_form_leaves_the_refusal() {
    let mut server = greeted(json!({"elicitation": {"form": {}}}));
    let before = server.done("manage_session", json!({"action": "status"}));
    let asked = server.ask(check());
    let declined = server.ask(answer(&asked["id"], json!({"action": "decline"})));
    assert_eq!(
        declined["result"]["structuredContent"]["code"], "declined",
        "{declined}"
    );
    let asked = server.ask(check());
    let closed = server.ask(answer(&asked["id"], json!({"action": "cancel"})));
    assert_eq!(
        closed["result"]["structuredContent"]["code"], "which_character",
        "{closed}"
    );
    assert_eq!(
        server.done("manage_session", json!({"action": "status"}))["receipt"],
        before["receipt"]
    );
}

#[test]
fn a_client_that_cannot_ask_gets_what_to_send() {
    for capabilities in [json!({}), json!({"elicitation": {"url": {}}})] {
        let mut server = greeted(capabilities);
        let refused = server.ask(check());
        assert_eq!(
            refused["result"]["structuredContent"]["code"], "which_character",
            "{refused}"
        );
        let text = refused["result"]["content"][0]["text"]
            .as_str()
            .expect("text");
        assert!(
            text.contains("Send character=\"Sabeth Quoin\" or \"Jory Penrake\""),
            "{text}"
        );
    }
}

#[test]
fn an_ambiguous_target_is_chosen_from_those_it_could_be() {
    let mut server = greeted(json!({"elicitation": {}}));
    let foes = json!({"action": "start", "combatants": [
        {"name": "Sabeth Quoin"}, {"name": "Grey Watchman", "side": "foes", "hp": 9}, {"name": "Red Watchman", "side": "foes", "hp": 9},
    ]});
    server.done("manage_combat", foes);
    let asked = server.ask(call(
        json!("hit"),
        "apply_damage",
        json!({"target": "Watchman", "amount": 2}),
    ));
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    let field = &asked["params"]["requestedSchema"]["properties"]["target"];
    assert_eq!(
        field["enum"],
        json!(["Grey Watchman", "Red Watchman"]),
        "{asked}"
    );
    let done = server.ask(answer(
        &asked["id"],
        json!({"action": "accept", "content": {"target": "Red Watchman"}}),
    ));
    let summary = done["result"]["structuredContent"]["summary"]
        .as_str()
        .expect("a summary");
    assert!(summary.contains("Red Watchman"), "{done}");
}

#[test]
fn what_cannot_be_taken_back_is_asked_before_it_is_done() {
    let mut server = greeted(json!({"elicitation": {}}));
    let accept = || {
        call(
            json!("accept"),
            "manage_session",
            json!({"action": "accept_loss"}),
        )
    };
    let asked = server.ask(accept());
    assert_eq!(
        asked["params"]["requestedSchema"]["properties"]["confirm"]["enum"],
        json!(["accept loss"]),
        "{asked}"
    );
    let done = server.ask(answer(
        &asked["id"],
        json!({"action": "accept", "content": {"confirm": "accept loss"}}),
    ));
    assert_eq!(
        done["result"]["structuredContent"]["code"], "no_loss",
        "it was tried: {done}"
    );
    let asked = server.ask(accept());
    let declined = server.ask(answer(&asked["id"], json!({"action": "decline"})));
    assert_eq!(
        declined["result"]["structuredContent"]["code"], "declined",
        "{declined}"
    );
}

#[test]
fn an_answer_that_is_none_is_refused_as_if_it_were_sent() {
    let mut server = greeted(json!({"elicitation": {}}));
    let asked = server.ask(check());
    let wrong = server.ask(answer(
        &asked["id"],
        json!({"action": "accept", "content": {"character": "Mallory"}}),
    ));
    assert_eq!(
        wrong["result"]["structuredContent"]["code"], "unknown_character",
        "{wrong}"
    );
    let asked = server.ask(check());
    let shapeless = server.ask(answer(
        &asked["id"],
        json!({"action": "accept", "content": {"character": 3}}),
    ));
    assert_eq!(
        shapeless["result"]["structuredContent"]["code"], "which_character",
        "{shapeless}"
    );
    let asked = server.ask(check());
    let failed = json!({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32603, "message": "no window"}});
    let refused = server.ask(failed);
    assert_eq!(
        refused["result"]["structuredContent"]["code"], "which_character",
        "{refused}"
    );
}

/// A request of 2026-07-28, of a client that shows forms or not.
fn of_2026(mut request: Value, capabilities: Value) -> Value {
    request["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "a client of 2026", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    request
}

#[test]
fn a_client_of_2026_gets_the_question_as_the_result_and_sends_the_call_again() {
    let mut server = Process::start();
    let forms = || json!({"elicitation": {"form": {}}});
    seat_two(&mut |message| server.ask(of_2026(message, forms())));
    let refused = server.ask(of_2026(check(), json!({})));
    assert_eq!(
        refused["result"]["structuredContent"]["code"], "which_character",
        "{refused}"
    );
    let asked = server.ask(of_2026(check(), forms()));
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    let request = &asked["result"]["inputRequests"]["character"];
    assert_eq!(request["method"], "elicitation/create", "{asked}");
    let field = &request["params"]["requestedSchema"]["properties"]["character"];
    assert_eq!(
        field["enum"],
        json!(["Sabeth Quoin", "Jory Penrake"]),
        "{asked}"
    );

    let again = |answer: Value| {
        let mut again = check();
        again["params"]["inputResponses"] = json!({"character": answer});
        again["params"]["requestState"] = asked["result"]["requestState"].clone();
        if asked["result"]["requestState"].is_null() {
            again["params"]
                .as_object_mut()
                .expect("an object")
                .remove("requestState");
        }
        of_2026(again, forms())
    };
    let chosen = json!({"action": "accept", "content": {"character": "Sabeth Quoin"}});
    let done = server.ask(again(chosen));
    let summary = done["result"]["structuredContent"]["summary"]
        .as_str()
        .expect("a summary");
    assert!(summary.contains("Sabeth Quoin"), "{done}");
    let declined = server.ask(again(json!({"action": "decline"})));
    assert_eq!(
        declined["result"]["structuredContent"]["code"], "declined",
        "{declined}"
    );
    let closed = server.ask(again(json!({"action": "cancel"})));
    assert_eq!(
        closed["result"]["structuredContent"]["code"], "which_character",
        "{closed}"
    );
}

#[test]
fn a_toolset_that_is_off_is_named_with_how_it_is_switched_on() {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let mut command = rollbook(folder.path());
    command.args([
        "serve",
        "--adventure",
        crate::process::LOCKHOUSE,
        "--toolsets",
        "dice,utility",
    ]);
    let mut server = Process::started(command, folder);
    let hello = server.initialize();
    let instructions = hello["result"]["instructions"]
        .as_str()
        .expect("instructions");
    assert!(
        instructions.contains("only: roll_dice, roll_multiple, odds, calculator, get_time."),
        "{instructions}"
    );
    let list = server.ask(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}));
    assert_eq!(list["result"]["tools"].as_array().map(Vec::len), Some(5));
    let off = server.ask(call(json!(3), "manage_combat", json!({"action": "status"})));
    let message = off["error"]["message"].as_str().expect("a message");
    assert!(
        message.contains("--toolsets dice,combat,utility")
            || message.contains("--toolsets dice,utility,combat"),
        "{off}"
    );
    assert_eq!(
        server.done("calculator", json!({"expression": "2 + 2"}))["result"],
        "4"
    );
    let prompts = server.ask(json!({"jsonrpc": "2.0", "id": 4, "method": "prompts/list"}));
    assert_eq!(
        prompts["result"]["prompts"],
        json!([]),
        "they lead to tools that are off"
    );
    let recap = server.ask(
        json!({"jsonrpc": "2.0", "id": 5, "method": "prompts/get", "params": {"name": "recap"}}),
    );
    let message = recap["error"]["message"].as_str().expect("a message");
    assert!(
        message.contains("manage_session is a tool of log") && message.contains("--toolsets"),
        "{recap}"
    );
    let rolled = server.done("roll_dice", json!({"expression": "2d6"}));
    assert!(rolled["total"].is_i64(), "{rolled}");
}

/// A server for rules in which a failed roll may be pushed, with Ann at its table, whose every roll
/// fails.
fn pushing(initialize: Option<Value>) -> (Process, TempDir) {
    asking("all", initialize)
}

/// The same, which asks that.
fn asking(questions: &str, initialize: Option<Value>) -> (Process, TempDir) {
    let adventure = TempDir::new().expect("a folder");
    let rules = "# Mine\n\n## Checks\n\n### Sneak\n- Roll: `1d6 + {modifier}`\n- Target: `7`\n- Again Push: reroll all; after failure\n";
    std::fs::write(adventure.path().join("System.md"), rules).expect("rules");
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let mut command = rollbook(folder.path());
    command
        .arg("serve")
        .arg("--adventure")
        .arg(adventure.path())
        .args(["--detail", "full", "--questions", questions]);
    let mut server = Process::started(command, folder);
    let made = |ask: &mut dyn FnMut(Value) -> Value| {
        let ann = json!({"action": "create", "name": "Ann", "kind": "player"});
        let made = ask(call(json!("ann"), "manage_character", ann));
        assert_ne!(made["result"]["isError"], true, "{made}");
    };
    match initialize {
        Some(capabilities) => {
            server.ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "it asks", "version": "1"},
            }}));
            server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
            made(&mut |message| server.ask(message));
        }
        None => made(&mut |message| server.ask(of_2026(message, json!({})))),
    }
    (server, adventure)
}

fn sneak() -> Value {
    call(json!("sneak"), "skill_check", json!({"character": "Ann"}))
}

fn log(answer: &Value) -> u64 {
    answer["result"]["structuredContent"]["log"]
        .as_u64()
        .unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn the_player_of_a_failed_roll_is_asked_whether_to_push_it() {
    let (mut server, _adventure) = pushing(Some(json!({"elicitation": {}})));
    let asked = server.ask(sneak());
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    let options = &asked["params"]["requestedSchema"]["properties"]["follow_up"]["enum"];
    let push = options[0].as_str().expect("a word").to_owned();
    assert!(
        push.ends_with(" push") && options[1] == "leave it",
        "{asked}"
    );
    let pushed = server.ask(answer(
        &asked["id"],
        json!({"action": "accept", "content": {"follow_up": push}}),
    ));
    let first: u64 = push
        .trim_start_matches('#')
        .split(' ')
        .next()
        .and_then(|word| word.parse().ok())
        .expect("a number");
    assert_eq!(
        pushed["result"]["structuredContent"]["again"]["entry"], first,
        "{pushed}"
    );
    assert_eq!(log(&pushed), first + 1, "rolled twice, and no more");
    for leave in [
        json!({"action": "accept", "content": {"follow_up": "leave it"}}),
        json!({"action": "decline"}),
    ] {
        let asked = server.ask(sneak());
        let left = server.ask(answer(&asked["id"], leave));
        assert_eq!(
            left["result"]["structuredContent"]["outcome"], "failure",
            "the roll stands: {left}"
        );
        assert!(
            left["result"]["structuredContent"]["again"].is_null(),
            "{left}"
        );
    }
}

#[test]
fn a_roll_that_was_made_is_answered_whatever_becomes_of_its_follow_up() {
    let (mut server, _adventure) = pushing(Some(json!({"elicitation": {}})));
    // A word that was not offered.
    let asked = server.ask(sneak());
    let left = server.ask(answer(
        &asked["id"],
        json!({"action": "accept", "content": {"follow_up": "push #1"}}),
    ));
    assert_eq!(
        left["result"]["structuredContent"]["outcome"], "failure",
        "{left}"
    );
    // An id that leaves no room for more.
    let mut long = sneak();
    long["params"]["arguments"]["request_id"] = json!("x".repeat(199));
    let asked = server.ask(long);
    let push = asked["params"]["requestedSchema"]["properties"]["follow_up"]["enum"][0].clone();
    let pushed = server.ask(answer(
        &asked["id"],
        json!({"action": "accept", "content": {"follow_up": push}}),
    ));
    assert_eq!(log(&pushed), log(&left) + 2, "rolled and pushed: {pushed}");
    // By result: a follow-up that is refused leaves the reply to the roll.
    let (mut server, _adventure) = pushing(None);
    let forms = || json!({"elicitation": {"form": {}}});
    let asked = server.ask(of_2026(sneak(), forms()));
    let mut again = sneak();
    again["params"]["inputResponses"] =
        json!({"follow_up": {"action": "accept", "content": {"follow_up": "#1 push"}}});
    again["params"]["requestState"] = asked["result"]["requestState"].clone();
    let left = server.ask(of_2026(again, forms()));
    assert_eq!(
        left["result"]["structuredContent"]["outcome"], "failure",
        "{left}"
    );
    let summary = left["result"]["structuredContent"]["summary"]
        .as_str()
        .expect("a summary");
    assert!(
        summary.contains("The roll stands; following it was refused: "),
        "{summary}"
    );
}

/// Tables that push seldom leave the question out; what a call cannot go on without is asked all
/// the same, or not even that.
#[test]
fn a_server_may_be_started_to_ask_less() {
    let forms = || json!({"elicitation": {"form": {}}});
    let nobody = || {
        call(
            json!("accept"),
            "manage_session",
            json!({"action": "accept_loss"}),
        )
    };
    for (questions, is_asked) in [("needed", true), ("none", false)] {
        let (mut server, _adventure) = asking(questions, Some(forms()));
        let rolled = server.ask(sneak());
        assert_eq!(
            rolled["result"]["structuredContent"]["outcome"], "failure",
            "{questions}: {rolled}"
        );
        let next = rolled["result"]["structuredContent"]["next"]
            .as_str()
            .expect("the next call");
        assert!(
            next.contains("again="),
            "the reply says how it is pushed: {next}"
        );
        let asked = server.ask(nobody());
        match is_asked {
            true => assert_eq!(asked["method"], "elicitation/create", "{asked}"),
            false => assert_eq!(
                asked["result"]["structuredContent"]["code"], "not_confirmed",
                "{asked}"
            ),
        }
        let (mut server, _adventure) = asking(questions, None);
        let rolled = server.ask(of_2026(sneak(), forms()));
        assert_eq!(
            rolled["result"]["structuredContent"]["outcome"], "failure",
            "{questions}: {rolled}"
        );
        let asked = server.ask(of_2026(nobody(), forms()));
        let is_question = asked["result"]["resultType"] == "input_required";
        assert_eq!(is_question, is_asked, "{questions}: {asked}");
    }
}

#[test]
fn a_client_that_cannot_ask_reads_how_the_roll_is_pushed() {
    let (mut server, _adventure) = pushing(Some(json!({})));
    let rolled = server.ask(sneak());
    let next = rolled["result"]["structuredContent"]["next"]
        .as_str()
        .expect("the next call")
        .to_owned();
    let again = next.split('"').nth(1).expect("a word");
    let pushed = server.ask(call(json!("push"), "skill_check", json!({"again": again})));
    assert_eq!(
        pushed["result"]["structuredContent"]["again"]["entry"],
        log(&rolled),
        "{pushed}"
    );
}

#[test]
fn a_client_of_2026_is_asked_about_the_roll_by_its_result_and_nothing_is_rolled_twice() {
    let (mut server, _adventure) = pushing(None);
    let forms = || json!({"elicitation": {"form": {}}});
    let answered = |asked: &Value, answer: Value| {
        let mut again = sneak();
        again["params"]["inputResponses"] = json!({"follow_up": answer});
        again["params"]["requestState"] = asked["result"]["requestState"].clone();
        of_2026(again, forms())
    };
    let word = |asked: &Value| {
        let field = &asked["result"]["inputRequests"]["follow_up"]["params"]["requestedSchema"]["properties"]
            ["follow_up"];
        field["enum"][0]
            .as_str()
            .unwrap_or_else(|| panic!("{asked}"))
            .to_owned()
    };
    let asked = server.ask(of_2026(sneak(), forms()));
    let first = word(&asked);
    let chosen = json!({"action": "accept", "content": {"follow_up": first}});
    let pushed = server.ask(answered(&asked, chosen.clone()));
    assert_eq!(
        format!(
            "#{} push",
            pushed["result"]["structuredContent"]["again"]["entry"]
        ),
        first,
        "{pushed}"
    );
    let retried = server.ask(answered(&asked, chosen));
    assert_eq!(log(&retried), log(&pushed), "a call sent twice pushes once");
    let asked = server.ask(of_2026(sneak(), forms()));
    let left = server.ask(answered(&asked, json!({"action": "decline"})));
    assert_eq!(
        format!("#{} push", log(&left)),
        word(&asked),
        "the roll that stands, not another: {left}"
    );
    assert_eq!(log(&left), log(&pushed) + 1);
}
