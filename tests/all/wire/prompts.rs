//! Prompts: what a person starts by name, with what this adventure's rules ask for.

use serde_json::json;

use crate::process::Process;

#[test]
fn prompts_are_listed_and_made_from_the_rules() {
    let mut server = Process::start();
    let hello = server.initialize();
    assert!(hello["result"]["capabilities"]["prompts"].is_object(), "{hello}");
    let listed = server.ask(json!({"jsonrpc": "2.0", "id": 2, "method": "prompts/list", "params": {}}));
    let names: Vec<&str> =
        listed["result"]["prompts"].as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["new_character", "start_session", "resume", "recap", "check_rules"]);
    let mut text = |name: &str, arguments: serde_json::Value| {
        let params = json!({"name": name, "arguments": arguments});
        let got = server.ask(json!({"jsonrpc": "2.0", "id": 3, "method": "prompts/get", "params": params}));
        got["result"]["messages"][0]["content"]["text"].as_str().map_or_else(|| got["error"].to_string(), str::to_owned)
    };
    for name in names {
        assert!(text(name, json!({})).contains("\n1. "), "{name}");
    }
    assert!(text("resume", json!({})).contains("Nothing was played in lockhouse yet."));
    let new = text("new_character", json!({"idea": "a locksmith\u{7} who sings"}));
    assert!(new.contains("STR 3 to 20, DEX 3 to 20") && new.contains("Lockpicking, Aim"), "{new}");
    assert!(new.contains("a locksmith\\u{7} who sings") && new.contains("Hit points"), "{new}");
    assert!(text("start_session", json!({"title": "The flood"})).contains("title=\"The flood\""));
    // Claude Code splits what was typed at its spaces and sends the first word.
    let typed =
        [("new_character", "idea", "The"), ("start_session", "title", "The"), ("check_rules", "section", "Health")];
    for (prompt, argument, first) in typed {
        let words = "use everything that I typed behind the command";
        assert!(text(prompt, json!({argument: first})).contains(words), "{prompt}");
        assert!(!text(prompt, json!({})).contains(words), "{prompt}: nothing was typed");
    }
    assert!(text("check_rules", json!({})).ends_with(rollbook_rules::grammar::LANGUAGE));
    let unknown = text("check_rules", json!({"section": "Zzz"}));
    assert!(unknown.contains("no section") && unknown.contains("Skills") && unknown.contains("sections"), "{unknown}");
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
    server.done("manage_session", json!({"action": "note", "text": "Whose boat?", "kind": "thread"}));
    let secret = json!({"action": "note", "text": "Xanthippe pays the wreckers", "kind": "scene", "visibility": "gm"});
    server.done("manage_session", secret);
    let doom = json!({"action": "clock", "name": "The doom", "segments": 4, "visibility": "gm"});
    server.done("manage_session", doom);
    let request = json!({"jsonrpc": "2.0", "id": 3, "method": "prompts/get", "params": {"name": "resume"}});
    let prompt = server.ask(request)["result"]["messages"][0]["content"]["text"].clone();
    let text = prompt.as_str().expect("text");
    let steps = ["manage_session action=\"resume\"", "begin no fight anew"];
    for part in steps.into_iter().chain(["On the slip, round 1", "Rat hurt", "Whose boat?", "Last, newest first:"]) {
        assert!(text.contains(part), "{part} in {text}");
    }
    for secret in ["Xanthippe", "doom", "6/7", "Xanthippe's turn", "(#", "- #"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    assert!(text.len() < 3500, "{}", text.len());
    let whole = server.done("manage_session", json!({"action": "resume"}))["summary"].to_string();
    assert!(whole.contains("Xanthippe 9/9, hidden") && whole.contains("The doom"), "{whole}");
    let players = server.done("manage_session", json!({"action": "resume", "audience": "player"}));
    assert_eq!(players["player_text"], players["summary"]);
    assert!(text.ends_with(players["summary"].as_str().expect("text")), "{players}");
}

#[test]
fn the_prompt_recap_holds_what_players_saw_and_no_line_of_the_gms() {
    let mut server = Process::start_and_greet();
    server.done("manage_character", crate::table::jory());
    server.done("manage_session", json!({"action": "note", "text": "Whose boat?", "kind": "thread"}));
    server.done("manage_session", json!({"action": "note", "text": "The ferry sank", "kind": "scene"}));
    let secret = json!({"action": "note", "text": "Xanthippe pays the wreckers", "kind": "thread", "visibility": "gm"});
    server.done("manage_session", secret);
    let request = json!({"jsonrpc": "2.0", "id": 3, "method": "prompts/get", "params": {"name": "recap"}});
    let prompt = server.ask(request)["result"]["messages"][0]["content"]["text"].clone();
    let text = prompt.as_str().expect("text");
    assert!(text.contains("Open threads:\n- Whose boat?") && text.contains("The ferry sank"), "{text}");
    assert!(text.find("Whose boat?") < text.find("The ferry sank"), "open threads come first: {text}");
    assert!(!text.contains("Xanthippe"), "{text}");
}
