//! Campaigns of a server with keys that are renamed while it runs, and how much one may hold.

use std::path::Path;
use std::process::Output;
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::web::Web;
use crate::process::rollbook;

fn ran(folder: &Path, arguments: &[&str]) -> Output {
    let output = rollbook(folder).args(arguments).args(["--db", "campaigns.db"]).output().expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn bearer(folder: &Path, campaign: &str) -> String {
    key(folder, campaign, &["gm"])
}

fn key(folder: &Path, campaign: &str, seat: &[&str]) -> String {
    let made = ran(folder, &[&["key", "new", "--campaign", campaign, "--seat"], seat].concat());
    format!("Bearer {}", String::from_utf8(made.stdout).expect("text").trim())
}

fn entries(folder: &Path) -> Vec<(String, u64)> {
    let listed = ran(folder, &["campaigns", "list", "--json"]).stdout;
    let all: Vec<Value> = serde_json::from_slice(&listed).expect("JSON");
    let name = |own: &Value| own["name"].as_str().expect("text").to_owned();
    all.iter().map(|own| (name(own), own["entries"].as_u64().expect("a count"))).collect()
}

#[test]
fn a_key_follows_its_campaign_and_never_plays_another_that_gets_the_former_name() {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    // `lockhouse` is the server's default as well.
    for (name, new) in [("lockhouse", "Summer"), ("North", "Winter")] {
        let (place, gm) = (folder.path(), bearer(folder.path(), name));
        let player = key(place, name, &["player", "--character", "Ana"]);
        let server = Web::on(folder.clone(), &["--rate", "off"]);
        let roll = |key: &str, word: &str| {
            server.call(&[("Authorization", key)], "roll_dice", json!({"expression": "1d6", "context": word})).json()
                ["result"]["structuredContent"]
                .clone()
        };
        assert_eq!(roll(&gm, "before")["log"], 4);
        ran(place, &["campaigns", "rename", name, new]);
        // At once, and once the key is looked up again: the same campaign, or a refusal that asks for the call again.
        let mut next = 6;
        for _ in 0..24 {
            let player = server.call(&[("Authorization", &player)], "get_character", json!({})).body;
            assert!(player.contains("Send the same call again") || !player.contains("unknown_campaign"), "{player}");
            assert!(!player.contains(name) && !player.contains(new), "{player}");
            let answer = roll(&gm, "after");
            if answer["log"].is_null() {
                assert_eq!(answer["code"], "unknown_campaign", "{answer}");
                assert!(answer.to_string().contains("Send the same call again"), "{answer}");
            } else {
                assert_eq!(answer["log"], next, "{answer}");
                next += 1;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        assert!(next > 10, "{next}");
        assert!(!entries(place).iter().any(|(own, _)| own == name), "none was begun under the former name");
        let other = bearer(place, name);
        let answer = roll(&other, "another");
        assert_eq!(answer["log"], 4, "{answer}");
        assert_eq!(roll(&gm, "on")["log"], next);
        let mine = server.call(&[("Authorization", &other)], "manage_session", json!({"action": "resume"})).body;
        assert!(mine.contains("another") && !mine.contains("before"), "{mine}");
        server.signal("TERM");
        assert_eq!(server.wait().code(), Some(0));
        ran(place, &["verify"]);
    }
}

#[test]
fn a_full_campaign_reads_undoes_and_ends_and_nothing_is_rolled_in_it() {
    let bytes = |folder: &Path| {
        let all: Vec<Value> =
            serde_json::from_slice(&ran(folder, &["campaigns", "list", "--json"]).stdout).expect("JSON");
        all[0]["bytes"].as_u64().expect("a count")
    };
    for (flag, most) in [("--campaign-entries", "6"), ("--campaign-bytes", "6000")] {
        let folder = Arc::new(TempDir::new().expect("a folder"));
        let server = Web::on(folder.clone(), &["--rate", "off", flag, most]);
        let call = |tool: &str, arguments: Value| {
            server.call(&[], tool, arguments).json()["result"]["structuredContent"].clone()
        };
        call("manage_character", json!({"action": "create", "name": "Ana", "kind": "player"}));
        let mut last = 4;
        let refused = loop {
            let answer = call("roll_dice", json!({"expression": "2d6"}));
            match answer["log"].as_u64() {
                Some(log) => last = log,
                None => break answer,
            }
            assert!(last < 40, "it fills");
        };
        assert_eq!(refused["code"], "limit_exceeded", "{refused}");
        let summary = refused["summary"].as_str().or(refused["error"].as_str()).unwrap_or_default().to_owned();
        let words = if summary.is_empty() { refused.to_string() } else { summary };
        let onward = "`rollbook campaigns continue lockhouse --export FILE`";
        assert!(words.contains(flag) && words.contains(onward), "{words}");
        match flag {
            "--campaign-entries" => assert_eq!(last, 6),
            _ => assert!((6000..9000).contains(&bytes(folder.path())), "{}", bytes(folder.path())),
        }
        assert_eq!(entries(folder.path())[0].1, last, "nothing was written");
        assert_eq!(call("get_character", json!({"name": "Ana"}))["code"], Value::Null);
        assert_eq!(call("odds", json!({"expression": "2d6"}))["code"], Value::Null);
        let undone = call("manage_session", json!({"action": "undo", "entry": 4}));
        assert_eq!(undone["log"], last + 1, "{undone}");
        let ended = call("manage_session", json!({"action": "end"}));
        assert_eq!(ended["log"], last + 2, "{ended}");
        assert_eq!(call("manage_session", json!({"action": "start"}))["code"], "limit_exceeded");
        // Another campaign of the same server has room, and a server with more room goes on.
        assert_eq!(call("roll_dice", json!({"expression": "2d6", "campaign": "Next"}))["log"], 4);
        server.signal("TERM");
        assert_eq!(server.wait().code(), Some(0));
        let server = Web::on(folder.clone(), &["--rate", "off", flag, most]);
        let again = server.call(&[], "roll_dice", json!({"expression": "2d6"})).body;
        assert!(again.contains("limit_exceeded"), "counted when it is opened: {again}");
        server.signal("TERM");
        assert_eq!(server.wait().code(), Some(0));
        let server = Web::on(folder.clone(), &["--rate", "off"]);
        assert_eq!(server.call(&[], "roll_dice", json!({"expression": "2d6"})).content()["log"], last + 4);
        ran(folder.path(), &["verify"]);
    }
}

#[test]
fn a_campaign_has_as_many_characters_as_the_server_lets_it() {
    let server = Web::with(&["--rate", "off", "--campaign-characters", "3"]);
    let call =
        |tool: &str, arguments: Value| server.call(&[], tool, arguments).json()["result"]["structuredContent"].clone();
    let create = |name: &str, count: u32| {
        call("manage_character", json!({"action": "create", "name": name, "kind": "npc", "count": count}))
    };
    assert!(create("Rat", 2)["log"].is_number());
    let refused = create("Cat", 2);
    assert_eq!(refused["code"], "limit_exceeded", "{refused}");
    assert!(refused.to_string().contains("--campaign-characters"), "{refused}");
    let fight = json!({"action": "start", "combatants": [{"name": "Dog", "side": "foes", "count": 2, "hp": 3}]});
    let refused = call("manage_combat", fight);
    assert_eq!(refused["code"], "limit_exceeded", "{refused}");
    assert!(create("Cat", 1)["log"].is_number(), "one is left");
    assert_eq!(create("Bat", 1)["code"], "limit_exceeded");
    assert!(call("roll_dice", json!({"expression": "d6"}))["log"].is_number());
}

#[test]
fn a_campaign_begun_with_its_first_key_has_no_adventure_until_one_is_played_in_it() {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let gm = bearer(folder.path(), "North");
    let listed = || {
        let table = String::from_utf8(ran(folder.path(), &["campaigns", "list"]).stdout).expect("text");
        let json: Vec<Value> =
            serde_json::from_slice(&ran(folder.path(), &["campaigns", "list", "--json"]).stdout).expect("JSON");
        let row: Vec<String> = table.lines().nth(1).expect("a row").split_whitespace().map(str::to_owned).collect();
        (row[1].clone(), json[0]["adventure"].clone())
    };
    assert_eq!(listed(), ("-".to_owned(), Value::Null));
    let server = Web::on(folder.clone(), &["--rate", "off"]);
    let call = |tool: &str, arguments: Value| server.call(&[("Authorization", &gm)], tool, arguments).content();
    assert_eq!(call("roll_dice", json!({"expression": "1d6"}))["log"], 4);
    let first = call("search_log", json!({"entry": 1})).to_string();
    assert!(first.contains("The campaign North begins."), "{first}");
    assert_eq!(listed(), ("lockhouse".to_owned(), json!("lockhouse")));
    ran(folder.path(), &["verify"]);
}
