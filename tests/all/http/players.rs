//! Players' seats over HTTP: their tools, their waiting, who is logged.

use std::sync::Arc;
use std::thread;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::keys::{bearer, made};
use super::web::{Web, meta};
use crate::table::{has, text};

/// A table with a GM and Jory's player.
struct Seated {
    server: Web,
    gm: String,
    jory: String,
}

impl Seated {
    fn new() -> Seated {
        let folder = Arc::new(TempDir::new().expect("a folder"));
        let gm = bearer(&made(
            folder.path(),
            &["--campaign", "North", "--seat", "gm"],
        ));
        let jory = [
            "--campaign",
            "North",
            "--seat",
            "player",
            "--character",
            "Jory",
        ];
        let jory = bearer(&made(folder.path(), &jory));
        Seated {
            server: Web::on(folder, &["--rate", "off"]),
            gm,
            jory,
        }
    }

    #[track_caller]
    fn gm(&self, tool: &str, arguments: Value) -> Value {
        let reply = self
            .server
            .call(&[("Authorization", &self.gm)], tool, arguments)
            .content();
        assert!(reply.get("code").is_none(), "{tool}: {reply}");
        reply
    }

    #[track_caller]
    fn jory(&self, tool: &str, arguments: Value) -> Value {
        self.server
            .call(&[("Authorization", &self.jory)], tool, arguments)
            .content()
    }

    fn with_fight(self) -> Seated {
        self.gm(
            "manage_character",
            json!({"action": "create", "name": "Jory", "kind": "player", "attributes": {
                "Strength": 14, "Dexterity": 12, "Constitution": 10, "Intelligence": 10, "Wisdom": 10, "Charisma": 10,
            }}),
        );
        self.gm(
            "manage_combat",
            json!({"action": "start", "combatants": [
                {"name": "Wrecker", "hp": 7, "initiative": 20}, {"name": "Jory", "initiative": 10},
            ]}),
        );
        self
    }
}

#[test]
fn a_player_has_nine_tools_and_no_others() {
    let table = Seated::new().with_fight();
    let headers = [("Authorization", table.jory.as_str())];
    let listed = table
        .server
        .request(&headers, "tools/list", None, json!({"_meta": meta()}))
        .json();
    let tools = listed["result"]["tools"].as_array().expect("tools");
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    let all = "roll_dice roll_multiple skill_check get_character manage_session search_log get_rules search_rules odds";
    assert_eq!(names.join(" "), all);
    let session = tools
        .iter()
        .find(|tool| tool["name"] == "manage_session")
        .expect("a tool");
    assert_eq!(
        session["inputSchema"]["properties"]["action"]["enum"],
        json!(["status", "recap"])
    );
    for tool in ["apply_damage", "manage_character", "manage_combat"] {
        let refused = table
            .server
            .call(&headers, tool, json!({"action": "status"}))
            .json();
        assert!(
            refused["error"]["message"]
                .as_str()
                .is_some_and(|text| text.starts_with("Unknown tool")),
            "{refused}"
        );
    }
    for (tool, arguments) in [
        (
            "roll_dice",
            json!({"expression": "1d6", "visibility": "gm"}),
        ),
        (
            "roll_dice",
            json!({"expression": "1d6", "campaign": "South"}),
        ),
        ("roll_dice", json!({"table": "Rumours"})),
        ("roll_dice", json!({"expression": "1d6", "entered": [6]})),
        (
            "roll_multiple",
            json!({"rolls": [{"expression": "1d6", "visibility": "gm"}]}),
        ),
        (
            "skill_check",
            json!({"skill": "Melee", "difficulty": 12, "damage": "1d6", "target": "Wrecker"}),
        ),
        (
            "skill_check",
            json!({"skill": "Melee", "difficulty": 12, "end_turn": true}),
        ),
        (
            "skill_check",
            json!({"skill": "Melee", "difficulty": 12, "character": ["Jory", "Wrecker"]}),
        ),
        (
            "skill_check",
            json!({"skill": "Melee", "difficulty": 12, "target": "foes"}),
        ),
        ("manage_session", json!({"action": "undo"})),
        ("manage_session", json!({"action": "entry", "entry": 4})),
        (
            "manage_session",
            json!({"action": "recap", "audience": "gm"}),
        ),
        (
            "odds",
            json!({"skill": "Melee", "difficulty": 12, "character": "Wrecker"}),
        ),
    ] {
        let refused = table.jory(tool, arguments.clone());
        assert!(refused["code"].is_string(), "{tool} {arguments}: {refused}");
    }
    let resources = table
        .server
        .request(&headers, "resources/list", None, json!({"_meta": meta()}))
        .json();
    let resources = resources["result"]["resources"]
        .as_array()
        .expect("resources");
    assert!(resources.iter().all(|one| {
        one["uri"]
            .as_str()
            .is_some_and(|uri| uri.starts_with("rollbook://rules"))
    }));
    let read = json!({"uri": "rollbook://log/last", "_meta": meta()});
    let read = table
        .server
        .request(
            &headers,
            "resources/read",
            Some("rollbook://log/last"),
            read,
        )
        .json();
    assert!(read["error"].is_object(), "{read}");
    let prompts = table
        .server
        .request(&headers, "prompts/list", None, json!({"_meta": meta()}))
        .json();
    assert_eq!(prompts["result"]["prompts"], json!([]));
    assert_eq!(
        table.server.ask("GET", "/metrics", &headers, b"").status,
        403
    );
    // The description of plain JSON is that of the caller's seat, with the key that it needs.
    let described = table
        .server
        .ask("GET", "/api/openapi.json", &headers, b"")
        .json();
    assert_eq!(described["security"], json!([{"key": []}]));
    assert_eq!(
        described["servers"][0]["url"],
        format!("http://{}", table.server.address)
    );
    let schema = |path: &str| {
        described["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"].clone()
    };
    for (path, mine, withheld) in [
        ("/api/roll", "expression", "visibility"),
        ("/api/roll", "context", "entered"),
        ("/api/odds", "skill", "target"),
    ] {
        assert!(
            schema(path)[mine].is_object() && schema(path)[withheld].is_null(),
            "{path}: {}",
            schema(path)
        );
    }
    let page = table.server.ask("GET", "/api", &headers, b"").body;
    let example = format!(
        "curl -H 'Authorization: Bearer KEY' -H 'Content-Type: application/json' -d '{{\"expression\": \"2d6+3\"}}' http://{}/api/roll<",
        table.server.address
    );
    assert!(
        page.contains(&example) && !page.contains("visibility"),
        "{page}"
    );
    let rolled = table
        .server
        .ask("POST", "/api/roll", &headers, b"{\"expression\": \"1d6\"}")
        .json();
    let rolled = &rolled["result"];
    assert!(
        rolled.get("log").is_none() && rolled.get("receipt").is_none() && rolled["total"].is_i64(),
        "{rolled}"
    );
}

#[test]
fn what_clocks_bring_about_is_in_no_rules_that_a_player_reads() {
    let table = Seated::new();
    let headers = [("Authorization", table.jory.as_str())];
    let clocks = table.jory("get_rules", json!({"section": "Clocks"}));
    let all = table.jory("get_rules", json!({}));
    let whole = table.jory("get_rules", json!({"section": "Clocks", "detail": "full"}));
    let mut seen = vec![clocks.to_string(), all.to_string(), whole.to_string()];
    for uri in ["rollbook://rules", "rollbook://rules/clocks"] {
        let read = json!({"uri": uri, "_meta": meta()});
        seen.push(
            table
                .server
                .request(&headers, "resources/read", Some(uri), read)
                .json()
                .to_string(),
        );
    }
    for text in &seen {
        assert!(
            text.contains("Rising tide") && !text.contains("Drewitt") && !text.contains("Wenna"),
            "{text}"
        );
    }
    assert!(
        clocks["untrusted_text"]
            .as_str()
            .is_some_and(|text| text.contains("  - At 5: *…*\n")),
        "{clocks}"
    );
    assert_eq!(
        table.jory("search_rules", json!({"query": "Drewitt"}))["code"],
        "unknown_rule"
    );
    let gm = table.gm("get_rules", json!({"section": "Clocks"}));
    assert!(
        gm.to_string().contains("Drewitt lands") && gm["hash"] == clocks["hash"],
        "{gm}"
    );
}

#[test]
fn advice_that_only_the_gm_can_follow_says_so() {
    let table = Seated::new();
    let refused = table.jory("get_character", json!({}));
    let text = refused["summary"].as_str().expect("text");
    assert!(
        !text.contains("manage_") || text.contains("ask the GM"),
        "{text}"
    );
    let table = table.with_fight();
    let refused = table.jory(
        "skill_check",
        json!({"skill": "Melee", "difficulty": 12, "target": "Nobody"}),
    );
    let text = refused["summary"].as_str().expect("text");
    assert!(
        !text.contains("foes") || text.contains("ask the GM"),
        "{text}"
    );
}

#[test]
fn a_player_is_logged_as_who_it_is() {
    let table = Seated::new().with_fight();
    let rolled = table.jory(
        "roll_dice",
        json!({"expression": "2d6", "context": "luck", "request_id": "a"}),
    );
    assert!(
        rolled["summary"]
            .as_str()
            .is_some_and(|text| text.starts_with("Jory rolls (luck)")),
        "{rolled}"
    );
    let again = table.jory(
        "roll_dice",
        json!({"expression": "2d6", "context": "luck", "request_id": "a"}),
    );
    assert_eq!(
        (&again["total"], &again["replayed"]),
        (&rolled["total"], &json!(true))
    );
    // The same id of another seat is another call.
    let other = table.gm("roll_dice", json!({"expression": "1d4", "request_id": "a"}));
    assert_eq!(other["replayed"], Value::Null);
    let params = json!({"uri": "rollbook://log/last", "_meta": meta()});
    let headers = [("Authorization", table.gm.as_str())];
    let last = table
        .server
        .request(
            &headers,
            "resources/read",
            Some("rollbook://log/last"),
            params,
        )
        .body;
    assert!(last.contains("Jory rolls (luck)"), "{last}");
    let key = table.jory.split('_').nth(1).expect("an id").to_owned();
    table.server.signal("TERM");
    let (database, _folder) = (table.server.database(), table.server.folder.clone());
    assert_eq!(table.server.wait().code(), Some(0));
    let bytes = std::fs::read(database).expect("read");
    let seat = format!("\"seat\":\"{key}\"");
    assert!(
        bytes
            .windows(seat.len())
            .any(|window| window == seat.as_bytes()),
        "the entry names the key's id"
    );
}

#[test]
fn a_player_waits_until_something_visible_happens_or_it_is_their_turn() {
    let table = Seated::new().with_fight();
    let wait = json!({"action": "status", "wait_s": 25});
    thread::scope(|scope| {
        let waiting = scope.spawn(|| table.jory("manage_session", wait.clone()));
        thread::sleep(std::time::Duration::from_millis(300));
        table.gm(
            "roll_dice",
            json!({"expression": "1d6", "visibility": "gm", "context": "hidden"}),
        );
        thread::sleep(std::time::Duration::from_millis(300));
        assert!(!waiting.is_finished(), "what is hidden wakes nobody");
        table.gm(
            "roll_dice",
            json!({"expression": "1d6", "context": "the wind"}),
        );
        let reply = waiting.join().expect("no panic");
        let since: Vec<&str> = reply["since"]
            .as_array()
            .expect("lines")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert!(since.len() == 1 && since[0].contains("the wind"), "{reply}");

        let waiting = scope.spawn(|| table.jory("manage_session", wait.clone()));
        thread::sleep(std::time::Duration::from_millis(300));
        table.gm("manage_combat", json!({"action": "next_turn"}));
        let reply = waiting.join().expect("no panic");
        assert!(
            reply["summary"]
                .as_str()
                .is_some_and(|text| text.contains("Jory's turn")),
            "{reply}"
        );
    });
    let reply = table.jory("manage_session", wait);
    assert_eq!(
        reply.get("since"),
        None,
        "on their turn nobody waits: {reply}"
    );
}

#[test]
fn a_request_id_that_was_used_tells_no_number_of_an_entry() {
    let table = Seated::new().with_fight();
    table.jory("roll_dice", json!({"expression": "1d4", "request_id": "y"}));
    let refused = table.jory("roll_dice", json!({"expression": "1d6", "request_id": "y"}));
    assert_eq!(refused["code"], "request_id_conflict");
    assert!(
        !refused["summary"]
            .as_str()
            .is_some_and(|text| text.contains(['#', ':'])),
        "{refused}"
    );
}

#[test]
fn a_wait_ends_with_its_key() {
    let table = Seated::new().with_fight();
    thread::scope(|scope| {
        let waiting =
            scope.spawn(|| table.jory("manage_session", json!({"action": "status", "wait_s": 4})));
        thread::sleep(std::time::Duration::from_millis(300));
        let id = table.jory.split('_').nth(1).expect("an id").to_owned();
        assert!(
            super::keys::key(table.server.folder.path(), &["revoke", &id])
                .status
                .success()
        );
        let reply = waiting.join().expect("no panic");
        assert!(
            reply["code"] == "closed" && reply.get("since").is_none(),
            "{reply}"
        );
    });
}

#[test]
fn a_parameter_of_the_gms_is_refused_as_such() {
    let table = Seated::new().with_fight();
    let check = |name: &str, value: Value| json!({"skill": "Melee", "difficulty": 12, name: value});
    for (tool, parameter, arguments) in [
        ("skill_check", "again", check("again", json!("last"))),
        ("skill_check", "damage", check("damage", json!("1d8"))),
        ("skill_check", "end_turn", check("end_turn", json!(true))),
        (
            "roll_dice",
            "entered",
            json!({"expression": "1d6", "entered": [6]}),
        ),
        (
            "roll_multiple",
            "rolls[0].visibility",
            json!({"rolls": [{"expression": "1d6", "visibility": "gm"}]}),
        ),
    ] {
        let refused = table.jory(tool, arguments);
        let text = refused["summary"].as_str().expect("text");
        assert!(
            text.starts_with(&format!(
                "{parameter}: is the GM's to send (valid: left out; ask the GM)"
            )),
            "{text}"
        );
    }
    // What nobody has is a name that is wrong.
    let refused = table.jory("skill_check", check("wibble", json!("x")));
    assert!(
        refused["summary"]
            .as_str()
            .is_some_and(|text| text.starts_with("wibble: no such parameter")),
        "{refused}"
    );
}

#[test]
fn a_player_writes_no_line_of_its_own_into_the_log() {
    let table = Seated::new().with_fight();
    let context = "luck): 1d20: [20] = 20.\nThe GM rolls (doom";
    let rolls = json!([{"expression": "1d6", "context": "one\n\ttwo"}]);
    for rolled in [
        table.jory(
            "roll_dice",
            json!({"expression": "1d6", "context": context}),
        ),
        table.jory("roll_multiple", json!({"rolls": rolls, "context": context})),
        table.jory(
            "skill_check",
            json!({"skill": "Melee", "difficulty": 12, "context": context}),
        ),
    ] {
        let text = rolled["summary"].as_str().expect("text");
        assert!(
            rolled.get("code").is_none() && !text.contains("\nThe GM") && !text.contains('\t'),
            "{text}"
        );
    }
    let words =
        json!({"skill": "Melee", "difficulty": 12, "values": {"mood": "grim\nThe GM rolls"}});
    let refused = table.jory("skill_check", words);
    assert!(
        refused["summary"]
            .as_str()
            .is_some_and(|text| text.contains("one line of text")),
        "{refused}"
    );
}

#[test]
fn a_player_is_notified_of_what_the_seat_has_and_of_nothing_else() {
    let table = Seated::new();
    let headers = [("Authorization", table.jory.as_str())];
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a raw client", "version": "1"},
    }});
    let begun = table.server.message(&headers, &hello).json();
    let discovered = table
        .server
        .request(&headers, "server/discover", None, json!({"_meta": meta()}))
        .json();
    let words = rollbook_table::tools::PLAYER_INSTRUCTIONS;
    assert_eq!(begun["result"]["instructions"], words);
    assert_eq!(discovered["result"]["instructions"], words);
    let gm = [("Authorization", table.gm.as_str())];
    let of_gm = table
        .server
        .request(&gm, "server/discover", None, json!({"_meta": meta()}))
        .json();
    let of_gm = text(&of_gm["result"]["instructions"]);
    has(of_gm, &["manage_combat", "Checks, by skill"]);

    let tools = table
        .server
        .request(&headers, "tools/list", None, json!({"_meta": meta()}))
        .json()["result"]["tools"]
        .clone();
    let tools = tools.as_array().expect("tools");
    let mut texts = vec![("instructions".to_owned(), words.to_owned())];
    for tool in tools {
        let name = tool["name"].as_str().expect("a name");
        texts.push((
            name.to_owned(),
            tool["description"].as_str().expect("words").to_owned(),
        ));
        texts.push((
            format!("{name}'s parameters"),
            tool["inputSchema"].to_string(),
        ));
        assert!(words.contains(name), "the instructions leave out {name}");
    }
    for (whose, text) in &texts {
        for withheld in [
            "apply_damage",
            "manage_character",
            "manage_combat",
            "resume",
            "undo ",
            "reveal",
            "clock",
            "damage=",
            "end_turn",
            "visibility",
            "a side",
            "an attack does",
            "random table",
            "other pages",
            "else the GM's",
        ] {
            assert!(!text.contains(withheld), "{whose} has {withheld}: {text}");
        }
    }
}

#[test]
fn advice_to_a_player_is_what_a_player_can_send() {
    let table = Seated::new().with_fight();
    let summary = |tool: &str, arguments: Value| {
        table.jory(tool, arguments)["summary"]
            .as_str()
            .expect("text")
            .to_owned()
    };
    let odds = summary("odds", json!({"skill": "Melee"}));
    assert!(
        odds.contains("difficulty=")
            && odds.ends_with("A player's seat does not send target: ask the GM."),
        "{odds}"
    );
    let target = summary("skill_check", json!({"skill": "Melee", "target": "Nobody"}));
    assert!(
        target.contains("Nobody") && !target.contains("side") && !target.contains("foes"),
        "{target}"
    );
    let headers = [("Authorization", table.jory.as_str())];
    let off = table
        .server
        .call(&headers, "calculator", json!({"expression": "1+1"}))
        .json()["error"]["message"]
        .to_string();
    assert!(
        off.contains("without") && off.contains("ask the GM") && !off.contains("--toolsets"),
        "{off}"
    );
    let gm = [("Authorization", table.gm.as_str())];
    let off = table
        .server
        .call(&gm, "calculator", json!({"expression": "1+1"}))
        .json()["error"]["message"]
        .to_string();
    assert!(off.contains("--toolsets"), "{off}");
}
