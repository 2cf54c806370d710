//! What a person picks for the assistant: rules as resources, prompts, completions; and what is
//! reported while a call runs.

use serde_json::{Value, json};

use crate::process::Process;
use crate::table::each;

#[test]
fn the_rules_are_listed_and_read_whole_and_by_section() {
    let mut server = Process::start();
    let hello = server.initialize();
    assert!(
        hello["result"]["capabilities"]["resources"].is_object(),
        "{hello}"
    );
    let listed =
        server.ask(json!({"jsonrpc": "2.0", "id": 2, "method": "resources/list", "params": {}}));
    let all = listed["result"]["resources"]
        .as_array()
        .expect("a list")
        .clone();
    let uris: Vec<&str> = all.iter().filter_map(|one| one["uri"].as_str()).collect();
    assert_eq!(uris[0], "rollbook://rules");
    assert!(
        uris.contains(&"rollbook://rules/skills") && uris.contains(&"rollbook://rules/combat"),
        "{uris:?}"
    );
    let text = std::fs::read_to_string(format!("{}/System.md", crate::process::LOCKHOUSE))
        .expect("the rules");
    for uri in uris {
        let read = server.ask(
            json!({"jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": {"uri": uri}}),
        );
        let content: &Value = &read["result"]["contents"][0];
        assert_eq!(
            (&content["uri"], &content["mimeType"]),
            (&json!(uri), &json!("text/markdown"))
        );
        assert!(
            text.contains(content["text"].as_str().expect("text")),
            "{uri} is the author's own words"
        );
    }
    let call = json!({"jsonrpc": "2.0", "id": 4, "method": "resources/read", "params": {"uri": "rollbook://rules/../secret"}});
    let none = server.ask(call);
    assert!(
        none["error"]["message"]
            .as_str()
            .expect("an error")
            .contains("there are rollbook://rules"),
        "{none}"
    );
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
    let all = listed["result"]["resources"]
        .as_array()
        .expect("a list")
        .clone();
    let uris = all
        .iter()
        .filter_map(|one| one["uri"].as_str())
        .filter(|uri| !uri.starts_with("rollbook://rules"));
    uris.map(str::to_owned).collect()
}

/// What a call answers, and whether the list of resources changed with it.
fn called(server: &mut Process, tool: &str, arguments: Value) -> (Value, bool) {
    let mut next = server.ask(crate::process::call(json!(8), tool, arguments));
    let mut changed = false;
    while next["id"] != 8 {
        assert_eq!(
            next["method"], "notifications/resources/list_changed",
            "{next}"
        );
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
    assert!(
        !server.database().exists(),
        "looking at a list makes no database"
    );
    server.end();
    let mut server = Process::start_and_greet();
    let mut penrake = crate::table::jory();
    penrake["name"] = json!("Jory Penråke/50%?#");
    server.done("manage_character", penrake);
    server.done(
        "manage_character",
        json!({"action": "create", "kind": "template", "name": "Wrecker", "hp": 7}),
    );
    let uri = "rollbook://character/Jory%20Penr%C3%A5ke%2F50%25%3F%23";
    assert_eq!(played(&mut server), [uri, "rollbook://log/last"]);
    let fight = json!({"action": "start", "title": "On the slip", "combatants": [{"name": "Ida", "hp": 5, "initiative": 3, "hidden": true},
        {"name": "Jory", "initiative": 12}]});
    called(&mut server, "manage_combat", fight);
    assert_eq!(
        played(&mut server),
        [
            "rollbook://combat",
            uri,
            "rollbook://character/Ida",
            "rollbook://log/last"
        ]
    );

    let sheet = server.done(
        "get_character",
        json!({"character": "Jory", "view": "sheet"}),
    )["sheet"]
        .clone();
    let content = read(&mut server, uri)["result"]["contents"][0].clone();
    assert_eq!(
        json!([content["text"], content["mimeType"], content["uri"]]),
        json!([sheet, "text/markdown", uri])
    );
    let status = server.done(
        "manage_combat",
        json!({"action": "status", "detail": "full"}),
    );
    let content = read(&mut server, "rollbook://combat")["result"]["contents"][0].clone();
    assert_eq!(content["mimeType"], "application/json");
    assert_eq!(
        serde_json::from_str::<Value>(content["text"].as_str().expect("text")).expect("JSON"),
        status
    );
    let last = read(&mut server, "rollbook://log/last")["result"]["contents"][0]["text"].clone();
    let lines: Vec<&str> = last.as_str().expect("text").lines().collect();
    assert!(
        lines[lines.len() - 2].ends_with("Round 1: Jory Penråke/50%?#'s turn."),
        "{last}"
    );
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
        let words = refused["error"]["message"]
            .as_str()
            .unwrap_or_else(|| panic!("{none}: {refused}"))
            .to_owned();
        assert!(words.contains("there are rollbook://rules"), "{words}");
    }
}

#[test]
fn a_client_that_knows_the_list_is_notified_when_it_changes_and_only_then() {
    let mut server = Process::start_and_greet();
    let create = |name: &str| json!({"action": "create", "name": name});
    assert!(
        !call_changes(&mut server, "manage_character", create("Aria")),
        "it never asked"
    );
    played(&mut server);
    assert!(call_changes(
        &mut server,
        "manage_character",
        create("Bram")
    ));
    assert!(!call_changes(
        &mut server,
        "roll_dice",
        json!({"expression": "d6"})
    ));
    let fight = json!({"action": "start", "combatants": [{"name": "Aria", "hp": 3, "initiative": 2}, {"name": "Bram", "hp": 3, "initiative": 1}]});
    assert!(call_changes(&mut server, "manage_combat", fight));
    assert!(!call_changes(
        &mut server,
        "manage_combat",
        json!({"action": "next_turn"})
    ));
    assert!(call_changes(
        &mut server,
        "manage_combat",
        json!({"action": "end"})
    ));
    assert!(call_changes(
        &mut server,
        "manage_character",
        json!({"action": "retire", "character": "Bram"})
    ));
    assert!(
        call_changes(&mut server, "manage_session", json!({"action": "undo"})),
        "and Bram is back"
    );
    assert!(!call_changes(
        &mut server,
        "manage_session",
        json!({"action": "status"})
    ));
    assert!(server.end().0.success());
}

#[test]
fn saved_rules_are_reported_without_a_call() {
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
    assert_eq!(
        server.receive().expect("a notification")["method"],
        "notifications/resources/list_changed"
    );
    let tides =
        read(&mut server, "rollbook://rules/tides")["result"]["contents"][0]["text"].clone();
    assert!(
        tides.as_str().expect("text").contains("They turn."),
        "{tides}"
    );
    let noted =
        called(&mut server, "roll_dice", json!({"expression": "d6"})).0["noted"].to_string();
    assert!(
        noted.contains("The rules were saved and are read anew"),
        "the next reply still says so: {noted}"
    );
}

#[test]
fn a_client_of_2026_is_notified_on_the_stream_that_it_opened() {
    let mut server = Process::start();
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "a client of 2026", "version": "1"}});
    let ask = |id: i64, method: &str, mut params: Value| {
        params["_meta"] = meta.clone();
        request(id, method, params)
    };
    let create = |id: i64, name: &str| {
        ask(
            id,
            "tools/call",
            json!({"name": "manage_character", "arguments": {"action": "create", "name": name}}),
        )
    };
    server.ask(ask(1, "resources/list", json!({})));
    assert_eq!(server.ask(create(2, "Aria"))["id"], 2, "no stream, no word");
    let listen = json!({"notifications": {"resourcesListChanged": true, "toolsListChanged": true}});
    let opened = server.ask(ask(3, "subscriptions/listen", listen.clone()));
    assert_eq!(
        opened["method"], "notifications/subscriptions/acknowledged",
        "{opened}"
    );
    assert_eq!(
        opened["params"]["notifications"],
        json!({"resourcesListChanged": true}),
        "{opened}"
    );
    server.send(&create(4, "Bram"));
    let mut both = [
        server.receive().expect("one"),
        server.receive().expect("the other"),
    ];
    both.sort_by_key(|message| message["id"].is_number());
    assert_eq!(
        both[0]["method"], "notifications/resources/list_changed",
        "{both:?}"
    );
    assert_eq!(
        both[0]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 3,
        "{both:?}"
    );
    for id in 10..13 {
        assert_eq!(
            server.ask(ask(id, "subscriptions/listen", listen.clone()))["method"],
            opened["method"]
        );
    }
    server.ask(ask(13, "subscriptions/listen", listen.clone()));
    let fifth = server.receive().expect("a refusal");
    assert!(
        fifth["error"]["message"]
            .as_str()
            .expect("words")
            .contains("4 streams are open already"),
        "{fifth}"
    );
    let (status, _) = server.end();
    assert!(status.success(), "{status}");
}

/// Prompts: what a person starts by name, with what this adventure's rules ask for.
#[test]
fn prompts_are_listed_and_made_from_the_rules() {
    let mut server = Process::start();
    let hello = server.initialize();
    assert!(
        hello["result"]["capabilities"]["prompts"].is_object(),
        "{hello}"
    );
    let listed =
        server.ask(json!({"jsonrpc": "2.0", "id": 2, "method": "prompts/list", "params": {}}));
    let names: Vec<&str> = listed["result"]["prompts"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "new_character",
            "start_session",
            "resume",
            "recap",
            "check_rules"
        ]
    );
    let mut text = |name: &str, arguments: serde_json::Value| {
        let params = json!({"name": name, "arguments": arguments});
        let got = server
            .ask(json!({"jsonrpc": "2.0", "id": 3, "method": "prompts/get", "params": params}));
        got["result"]["messages"][0]["content"]["text"]
            .as_str()
            .map_or_else(|| got["error"].to_string(), str::to_owned)
    };
    for name in names {
        assert!(text(name, json!({})).contains("\n1. "), "{name}");
    }
    assert!(text("resume", json!({})).contains("Nothing was played in lockhouse yet."));
    let new = text(
        "new_character",
        json!({"idea": "a locksmith\u{7} who sings"}),
    );
    assert!(
        new.contains("STR 3 to 20, DEX 3 to 20") && new.contains("Lockpicking, Aim"),
        "{new}"
    );
    assert!(
        new.contains("a locksmith\\u{7} who sings") && new.contains("Hit points"),
        "{new}"
    );
    assert!(text("start_session", json!({"title": "The flood"})).contains("title=\"The flood\""));
    // Claude Code splits what was typed at its spaces and sends the first word.
    let typed = [
        ("new_character", "idea", "The"),
        ("start_session", "title", "The"),
        ("check_rules", "section", "Health"),
    ];
    for (prompt, argument, first) in typed {
        let words = "use everything that I typed behind the command";
        assert!(
            text(prompt, json!({argument: first})).contains(words),
            "{prompt}"
        );
        assert!(
            !text(prompt, json!({})).contains(words),
            "{prompt}: nothing was typed"
        );
    }
    assert!(text("check_rules", json!({})).ends_with(rollbook_rules::grammar::LANGUAGE));
    let unknown = text("check_rules", json!({"section": "Zzz"}));
    assert!(
        unknown.contains("no section")
            && unknown.contains("Skills")
            && unknown.contains("sections"),
        "{unknown}"
    );
    assert!(text("check_rules", json!({"section": "Helth"})).contains("section=\\\"Health\\\""));
    assert!(text("new_charakter", json!({})).contains("did you mean new_character?"));
    assert!(text("resume", json!({"title": "x"})).contains("resume takes no argument"));
    assert!(text("recap", json!({"x": 1})).contains("not \\\"x\\\""));
}

#[test]
fn the_prompt_resume_holds_what_players_know_and_sends_the_gm_to_the_tool_for_the_rest() {
    let mut server = Process::start_and_greet();
    server.done("manage_character", crate::table::jory());
    let fight = json!({"action": "start", "title": "On the slip", "combatants": [{"name": "Jory", "initiative": 12},
        {"name": "Rat", "hp": 7, "initiative": 4}, {"name": "Xanthippe", "hp": 9, "initiative": 15, "hidden": true}]});
    server.done("manage_combat", fight);
    server.done("apply_damage", json!({"target": "Rat", "amount": 1}));
    server.done(
        "manage_session",
        json!({"action": "note", "text": "Whose boat?", "kind": "thread"}),
    );
    let secret = json!({"action": "note", "text": "Xanthippe pays the wreckers", "kind": "scene", "visibility": "gm"});
    server.done("manage_session", secret);
    let doom = json!({"action": "clock", "name": "The doom", "segments": 4, "visibility": "gm"});
    server.done("manage_session", doom);
    let request =
        json!({"jsonrpc": "2.0", "id": 3, "method": "prompts/get", "params": {"name": "resume"}});
    let prompt = server.ask(request)["result"]["messages"][0]["content"]["text"].clone();
    let text = prompt.as_str().expect("text");
    let steps = ["manage_session action=\"resume\"", "begin no fight anew"];
    for part in steps.into_iter().chain([
        "On the slip, round 1",
        "Rat hurt",
        "Whose boat?",
        "Last, newest first:",
    ]) {
        assert!(text.contains(part), "{part} in {text}");
    }
    for secret in ["Xanthippe", "doom", "6/7", "Xanthippe's turn", "(#", "- #"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    assert!(text.len() < 3500, "{}", text.len());
    let whole = server.done("manage_session", json!({"action": "resume"}))["summary"].to_string();
    assert!(
        whole.contains("Xanthippe 9/9, hidden") && whole.contains("The doom"),
        "{whole}"
    );
    let players = server.done(
        "manage_session",
        json!({"action": "resume", "audience": "player"}),
    );
    assert_eq!(players["player_text"], players["summary"]);
    assert!(
        text.ends_with(players["summary"].as_str().expect("text")),
        "{players}"
    );
}

#[test]
fn the_prompt_recap_holds_what_players_saw_and_no_line_of_the_gms() {
    let mut server = Process::start_and_greet();
    server.done("manage_character", crate::table::jory());
    server.done(
        "manage_session",
        json!({"action": "note", "text": "Whose boat?", "kind": "thread"}),
    );
    server.done(
        "manage_session",
        json!({"action": "note", "text": "The ferry sank", "kind": "scene"}),
    );
    let secret = json!({"action": "note", "text": "Xanthippe pays the wreckers", "kind": "thread", "visibility": "gm"});
    server.done("manage_session", secret);
    let request =
        json!({"jsonrpc": "2.0", "id": 3, "method": "prompts/get", "params": {"name": "recap"}});
    let prompt = server.ask(request)["result"]["messages"][0]["content"]["text"].clone();
    let text = prompt.as_str().expect("text");
    assert!(
        text.contains("Open threads:\n- Whose boat?") && text.contains("The ferry sank"),
        "{text}"
    );
    assert!(
        text.find("Whose boat?") < text.find("The ferry sank"),
        "open threads come first: {text}"
    );
    assert!(!text.contains("Xanthippe"), "{text}");
}

/// What a client completes while a person types, and what it gets while a call runs.
fn complete(server: &mut Process, what: Value, argument: &str, typed: &str) -> Value {
    let params = json!({"ref": what, "argument": {"name": argument, "value": typed}});
    server
        .ask(json!({"jsonrpc": "2.0", "id": 8, "method": "completion/complete", "params": params}))
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
        let values: Vec<String> = serde_json::from_value(completion["values"].clone())
            .unwrap_or_else(|_| panic!("{answer}"));
        assert_eq!(
            (&completion["total"], &completion["hasMore"]),
            (&json!(values.len()), &json!(false))
        );
        values
    };
    assert!(values(prompt("check_rules"), "section", "").len() > 3);
    assert_eq!(
        values(prompt("check_rules"), "section", "SKI"),
        ["Skills"],
        "as people type"
    );
    assert!(
        values(prompt("new_character"), "idea", "a").is_empty(),
        "free text"
    );
    assert_eq!(
        values(resource("rollbook://rules/{section}"), "section", "ski"),
        ["skills"]
    );
    assert!(
        values(resource("rollbook://character/{name}"), "name", "").is_empty(),
        "nobody was made yet"
    );

    for name in ["Jory Dane", "Sabeth Quoin", "Old Dane"] {
        server.done(
            "manage_character",
            json!({"action": "create", "name": name}),
        );
    }
    let answer = complete(
        &mut server,
        resource("rollbook://character/{name}"),
        "name",
        "dane",
    );
    assert_eq!(
        answer["result"]["completion"]["values"],
        json!(["Jory Dane", "Old Dane"]),
        "{answer}"
    );
    let answer = complete(
        &mut server,
        resource("rollbook://character/{name}"),
        "name",
        "o",
    );
    assert_eq!(
        answer["result"]["completion"]["values"][0], "Old Dane",
        "what begins so comes first: {answer}"
    );
    let listed = server.ask(
        json!({"jsonrpc": "2.0", "id": 9, "method": "resources/templates/list", "params": {}}),
    );
    let listed: Vec<&str> = each(&listed["result"]["resourceTemplates"])
        .filter_map(|template| template["uriTemplate"].as_str())
        .collect();
    assert_eq!(
        listed,
        ["rollbook://rules/{section}", "rollbook://character/{name}"]
    );
}

#[test]
fn what_cannot_be_completed_is_refused_with_what_can() {
    let mut server = Process::start_and_greet();
    for (what, argument, words) in [
        (prompt("check_rule"), "section", "did you mean check_rules?"),
        (prompt("check_rules"), "heading", "section, a text"),
        (prompt("recap"), "session", "no argument"),
        (
            resource("rollbook://people/{name}"),
            "name",
            "rollbook://character/{name}",
        ),
        (resource("rollbook://character/{name}"), "who", "takes name"),
    ] {
        let answer = complete(&mut server, what, argument, "");
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert!(
            answer["error"]["message"]
                .as_str()
                .is_some_and(|text| text.contains(words)),
            "{words}: {answer}"
        );
    }
    let shapeless = json!({"jsonrpc": "2.0", "id": 8, "method": "completion/complete", "params": {"ref": "check_rules"}});
    let answer = server.ask(shapeless);
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert!(
        answer["error"]["message"]
            .as_str()
            .is_some_and(|text| text.contains("ref/prompt")),
        "{answer}"
    );
}

#[test]
fn a_client_that_asks_for_it_is_notified_that_a_call_still_runs() {
    let mut server = Process::start_and_greet();
    server.done("manage_session", json!({"action": "start"}));
    let waiting = json!({"name": "manage_session", "arguments": {"action": "status", "wait_s": 5}, "_meta": {"progressToken": "w"}});
    server.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": waiting}));
    let mut progress = Vec::new();
    let answer = loop {
        let message = server.receive().expect("an answer");
        match message["method"].as_str() {
            Some("notifications/progress") => progress.push(message["params"].clone()),
            _ => break message,
        }
    };
    assert_eq!(answer["id"], 7, "{answer}");
    let seconds: Vec<f64> = progress
        .iter()
        .filter_map(|report| report["progress"].as_f64())
        .collect();
    assert_eq!(seconds, [2.0, 4.0], "{progress:?}");
    assert!(
        progress
            .iter()
            .all(|report| report["progressToken"] == "w" && report["message"].is_string()),
        "{progress:?}"
    );
}
