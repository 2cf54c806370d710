//! The toolbox: whatever a model sends, each call of a batch has one result; time limits; toolsets.
//! What the tool foundation asks for is in `tests/specifications/tool_foundation.rs`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rollbook_game::refusal::{Code, Refusal};
use rollbook_store::keys::Role;
use rollbook_table::session::adventure::Adventure;
use rollbook_table::session::{CallError, Caller, Host, Seat};
use rollbook_table::tools::{
    Answering, Category, External, Registry, ToolCall, ToolEntry, ToolResult,
};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::process::{LOCKHOUSE, ran, runtime};
use crate::table::{NOW, Script, Scripted, has};

/// A host on a database of its own, whose dice fall as they like.
pub struct Toolbox {
    pub host: Arc<Host>,
    pub registry: Registry,
    pub runtime: tokio::runtime::Runtime,
    _folder: TempDir,
}

impl Toolbox {
    pub fn new() -> Toolbox {
        rollbook::migrations::MIGRATIONS.hand_down();
        let folder = TempDir::new().expect("a folder");
        let adventure = Adventure::read(LOCKHOUSE.as_ref()).expect("the adventure");
        let script = Script::default();
        script.endless(7);
        let chance = move || Ok(Box::new(Scripted::new(script.clone())) as Box<_>);
        let database = folder.path().join("campaigns.db");
        let host = Host::new(adventure, database, None, Box::new(chance), || NOW).thrown_away();
        let runtime = runtime();
        Toolbox {
            host: Arc::new(host),
            registry: Registry::of(&Category::ALL),
            runtime,
            _folder: folder,
        }
    }

    pub fn batch(&self, calls: Vec<(&str, Value)>) -> Vec<ToolResult> {
        let calls = calls
            .into_iter()
            .enumerate()
            .map(|(nth, (name, arguments))| ToolCall {
                id: format!("call {nth}"),
                name: name.to_owned(),
                arguments,
            });
        let calls: Vec<ToolCall> = calls.collect();
        let (mut reported, caller) = (Vec::new(), Caller::default());
        let batch = self
            .registry
            .batch(&self.host, &caller, calls.clone(), |nth, call| {
                reported.push((nth, call.clone()));
            });
        let results = self.runtime.block_on(batch);
        assert_eq!(results.len(), calls.len());
        for (result, call) in results.iter().zip(&calls) {
            assert_eq!(
                (&result.id, &result.name),
                (&call.id, &call.name),
                "results stand in the order of the calls"
            );
            assert!(
                !result.summary().is_empty() || !result.is_error,
                "{result:?}"
            );
        }
        reported.sort_by_key(|(nth, _)| *nth);
        let reported: Vec<ToolResult> = reported.into_iter().map(|(_, result)| result).collect();
        assert_eq!(
            reported, results,
            "each result is reported as it comes, once"
        );
        results
    }

    pub fn one(&self, name: &str, arguments: Value) -> ToolResult {
        self.batch(vec![(name, arguments)]).remove(0)
    }

    pub fn mount(
        &mut self,
        name: &str,
        run: impl Fn(Map<String, Value>) -> Answering<'static> + Send + Sync + 'static,
    ) {
        self.registry
            .register(external(name, false, run))
            .expect("the name is free");
    }
}

pub fn external(
    name: &str,
    destructive: bool,
    run: impl Fn(Map<String, Value>) -> Answering<'static> + Send + Sync + 'static,
) -> ToolEntry {
    let input = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    let about = External {
        name: name.to_owned(),
        title: name.to_owned(),
        description: "Of somebody else.".to_owned(),
        category: "sky".to_owned(),
        input: input.as_object().expect("an object").clone(),
        destructive,
        ..External::default()
    };
    ToolEntry::external(about, run)
}

pub fn code(result: &ToolResult) -> &str {
    assert!(result.is_error, "{result:?}");
    result.content["code"].as_str().expect("a code")
}

#[test]
fn whatever_a_model_sends_has_a_result() {
    let toolbox = Toolbox::new();
    for (name, arguments, wrong) in [
        ("skill_chek", json!({}), "unknown_tool"),
        ("run_python", json!({"code": "1"}), "unknown_tool"),
        ("manage_combat", json!({}), "invalid_parameters"),
        (
            "manage_combat",
            json!({"action": "dance"}),
            "invalid_parameters",
        ),
        (
            "roll_dice",
            json!({"expression": "2d6", "luck": 3}),
            "invalid_parameters",
        ),
        ("roll_dice", json!(["2d6"]), "invalid_parameters"),
        ("roll_dice", json!("2d6"), "invalid_parameters"),
        ("roll_dice", json!({"expression": "2d7"}), "invalid_die"),
        (
            "calculator",
            json!({"expression": "__import__('os')"}),
            "invalid_parameters",
        ),
        ("calculator", json!({}), "invalid_parameters"),
        (
            "get_time",
            json!({"timezone": "Mars/Olympus"}),
            "invalid_parameters",
        ),
        (
            "search_rules",
            json!({"query": "xyzzyplugh"}),
            "unknown_rule",
        ),
    ] {
        let result = toolbox.one(name, arguments.clone());
        assert_eq!(code(&result), wrong, "{name} {arguments}: {result:?}");
    }
    let near = toolbox.one("skill_chek", json!({}));
    assert!(
        near.summary().contains("did you mean skill_check?"),
        "{}",
        near.summary()
    );
    let missing = toolbox.one("manage_combat", json!({}));
    assert!(
        missing.summary().contains("action: missing") && missing.summary().contains("next_turn")
    );
    let wrong = toolbox.one("manage_combat", json!({"action": "next_trun"}));
    assert!(
        wrong.summary().contains("near: next_turn"),
        "{}",
        wrong.summary()
    );
}

#[test]
fn a_call_that_fails_panics_or_hangs_is_a_result_and_leaves_the_others() {
    let mut toolbox = Toolbox::new();
    toolbox.mount("fails", |_| {
        Box::pin(async { Err(CallError::Failure("a secret of the machine".to_owned())) })
    });
    toolbox.mount("refuses", |_| {
        Box::pin(async { Err(Refusal::new(Code::ToolFailed, "No clouds today.").into()) })
    });
    toolbox.mount("panics", |_| Box::pin(async { panic!("the sky falls") }));
    let hangs = external("hangs", false, |_| Box::pin(std::future::pending()))
        .limited(Duration::from_millis(60));
    toolbox.registry.register(hangs).expect("the name is free");
    let since = Instant::now();
    let results = toolbox.batch(vec![
        ("fails", json!({})),
        ("roll_dice", json!({"expression": "1d6"})),
        ("refuses", json!({})),
        ("panics", json!({})),
        ("hangs", json!({})),
        ("roll_dice", json!({"expression": "2d6"})),
    ]);
    assert!(
        since.elapsed() < Duration::from_secs(20),
        "{:?}",
        since.elapsed()
    );
    let codes: Vec<Option<&str>> = results
        .iter()
        .map(|result| result.content.get("code").and_then(Value::as_str))
        .collect();
    let expected = [
        Some("failed"),
        None,
        Some("tool_failed"),
        Some("failed"),
        Some("timed_out"),
        None,
    ];
    assert_eq!(codes, expected, "{results:#?}");
    assert!(
        !results[0].summary().contains("secret"),
        "{}",
        results[0].summary()
    );
    assert_eq!(
        results[1].content["log"].as_u64().map(|log| log + 1),
        results[5].content["log"].as_u64()
    );
}

#[test]
fn writes_to_a_campaign_stay_in_the_order_sent_and_what_is_sent_after_them_sees_them() {
    let toolbox = Toolbox::new();
    let campaign = toolbox.host.default_campaign();
    let results = toolbox.batch(vec![
        ("roll_dice", json!({"expression": "1d6"})),
        (
            "manage_character",
            json!({"action": "create", "name": "Aria", "kind": "player"}),
        ),
        ("get_character", json!({"character": "Aria"})),
        (
            "roll_dice",
            json!({"expression": "1d8", "campaign": campaign}),
        ),
        (
            "roll_dice",
            json!({"expression": "1d8", "campaign": "another"}),
        ),
        ("roll_dice", json!({"expression": "1d10"})),
    ]);
    assert!(
        results.iter().all(|result| !result.is_error),
        "{results:#?}"
    );
    let log = |nth: usize| results[nth].content["log"].as_u64().expect("an entry");
    assert!(
        log(0) < log(1) && log(1) < log(3) && log(3) < log(5),
        "{results:#?}"
    );
    assert_eq!(log(4), log(0), "another campaign begins its own log");
}

#[test]
fn a_call_over_its_time_leaves_as_a_cancelled_one_does() {
    let toolbox = Toolbox::new();
    let entry = toolbox.registry.get("manage_session").expect("a tool");
    let entry = ToolEntry::clone(entry).limited(Duration::from_millis(80));
    toolbox.one("manage_session", json!({"action": "start"}));
    let arguments = json!({"action": "status", "wait_s": 25})
        .as_object()
        .expect("an object")
        .clone();
    let since = Instant::now();
    let answer = toolbox
        .runtime
        .block_on(entry.call(&toolbox.host, arguments));
    assert!(
        since.elapsed() < Duration::from_secs(20),
        "it does not wait its 25 seconds: {:?}",
        since.elapsed()
    );
    match answer {
        Ok(_) => {}
        Err(CallError::Refusal(refusal)) => assert_eq!(refusal.code, Code::TimedOut, "{refusal}"),
        Err(CallError::Failure(why)) => panic!("{why}"),
    }
}

#[test]
fn a_refusal_that_names_a_tool_which_is_off_says_so() {
    let mut toolbox = Toolbox::new();
    let check = |toolbox: &Toolbox| {
        toolbox
            .one(
                "skill_check",
                json!({"character": "A", "skill": "Melee", "difficulty": 12}),
            )
            .summary()
            .to_owned()
    };
    let whole = check(&toolbox);
    assert!(
        whole.contains("manage_character action=\"create\"") && !whole.contains("--toolsets"),
        "{whole}"
    );
    toolbox.registry = Registry::of(&[Category::Dice, Category::Rules]);
    let narrow = check(&toolbox);
    has(
        &narrow,
        &[
            "manage_character is a tool of characters",
            "--toolsets dice,rules,characters",
        ],
    );
}

#[test]
fn a_players_search_finds_the_rules_alone() {
    let toolbox = Toolbox::new();
    // The story's page names what no rule does.
    let secret = "wall levy warehouses";
    let gm = toolbox.one("search_rules", json!({"query": secret}));
    assert!(!gm.is_error, "{gm:?}");
    let places = |result: &ToolResult| -> Vec<String> {
        let all = result
            .content
            .get("places")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        all.iter()
            .map(|row| row["place"].as_str().expect("a place").to_owned())
            .collect()
    };
    assert!(
        places(&gm).iter().any(|place| !place.starts_with("System")),
        "{gm:?}"
    );
    let role = Role::Player {
        character: "Jory".to_owned(),
    };
    let seat = Seat {
        key: "000000000001".to_owned(),
        campaign: "one".to_owned(),
        role,
    };
    let player = Caller::of(Some(Arc::new(seat)));
    for query in [
        secret, "Drewitt", "king-pin", "lodgers", "sluice", "Sorley", "check",
    ] {
        let call = ToolCall {
            id: "1".to_owned(),
            name: "search_rules".to_owned(),
            arguments: json!({"query": query}),
        };
        let batch = toolbox
            .registry
            .batch(&toolbox.host, &player, vec![call], |_, _| {});
        let result = toolbox.runtime.block_on(batch).remove(0);
        assert!(
            places(&result)
                .iter()
                .all(|place| place.starts_with("System")),
            "{query}: {result:?}"
        );
    }
}

#[test]
fn the_program_lists_its_tools_without_an_adventure() {
    let folder = TempDir::new().expect("a folder");
    let listed = ran(folder.path(), &["tools"]).ends(0).out.clone();
    for tool in Registry::of(&Category::ALL).all() {
        assert!(listed.contains(&*tool.name), "{} in\n{listed}", tool.name);
    }
    assert!(listed.contains("utility (off by default)"), "{listed}");
    let json = ran(
        folder.path(),
        &[
            "tools",
            "--json",
            "--toolsets",
            "utility",
            "--form",
            "function",
        ],
    )
    .out;
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&json[0]["name"], &json[0]["on_by_default"]),
        (&json!("calculator"), &json!(false))
    );
    assert_eq!(
        json[0]["tool"]["function"]["parameters"]["required"],
        json!(["expression"])
    );
    assert!(
        json[0]["bytes"].as_u64().is_some_and(|bytes| bytes > 300)
            && json[0]["time_limit_seconds"] == 30.0
    );
    let wrong = ran(folder.path(), &["tools", "--toolsets", "utilty"]);
    has(
        &wrong.ends(2).err,
        &["a similar value exists: 'utility'", "characters"],
    );
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        0,
        "nothing is left behind"
    );
}
