//! What an assistant sees of the tools: committed as snapshots, bounded, and plain enough for every
//! client.
//!
//! Snapshots are made with `INSTA_UPDATE=always cargo test --test all surface`, and then read.

use std::path::Path;

use rollbook_rules::System;
use rollbook_server::mcp::server::tool;
use rollbook_table::session::adventure::Adventure;
use rollbook_table::tools::{
    INSTRUCTIONS_MAX, PLAYER_INSTRUCTIONS, Registry, all_tools, instructions, tool_named,
};
use serde_json::{Value, json};

/// Bytes of `tools/list` as compact JSON, and of the tools in it that clients load at once.
const LIST_MAX: usize = 40_000;
const HOT_MAX: usize = 16_000;
/// Bytes of a description or of the instructions; clients cut what is longer than 2048.
const WORDS_MAX: usize = 2000;

fn listed() -> Vec<Value> {
    all_tools()
        .iter()
        .map(|entry| serde_json::to_value(tool(entry)).expect("JSON"))
        .collect()
}

fn shipped(adventure: &str) -> System {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("adventures");
    let read = Adventure::read(&all.join(adventure)).expect("an adventure");
    read.reading.system.clone()
}

#[test]
fn every_tool_is_as_it_was_agreed() {
    for tool in listed() {
        let name = tool["name"].as_str().expect("a name").to_owned();
        insta::assert_snapshot!(name, serde_json::to_string_pretty(&tool).expect("JSON"));
    }
    insta::assert_snapshot!(
        "instructions",
        instructions(&shipped("lockhouse"), INSTRUCTIONS_MAX)
    );
}

#[test]
fn the_list_is_short_enough_to_be_read_at_every_start() {
    // The utilities are off by default.
    let on = Registry::default();
    let on: Vec<Value> = on
        .all()
        .iter()
        .map(|entry| serde_json::to_value(tool(entry)).expect("JSON"))
        .collect();
    let bytes = json!({"tools": on}).to_string().len();
    assert!(bytes < LIST_MAX, "{bytes} bytes");
    let hot = all_tools().iter().filter(|entry| entry.hot);
    let hot: Vec<Value> = hot
        .map(|entry| serde_json::to_value(tool(entry)).expect("JSON"))
        .collect();
    let bytes = json!({"tools": hot}).to_string().len();
    assert!(
        hot.len() >= 5 && bytes < HOT_MAX,
        "{bytes} bytes of {} hot tools",
        hot.len()
    );
}

#[test]
fn titles_are_at_the_top_and_what_is_answered_is_in_the_schema() {
    for tool in listed() {
        let name = tool["name"].as_str().expect("a name");
        assert!(
            tool["title"].is_string() && tool["title"] == tool["annotations"]["title"],
            "{name}: {}",
            tool["title"]
        );
        let answers = |field: &str| tool["outputSchema"]["properties"][field]["type"].is_string();
        let writes = tool["annotations"]["readOnlyHint"] != true;
        assert!(!writes || (answers("receipt") && answers("next")), "{name}");
        assert!(
            !["apply_damage", "manage_character"].contains(&name) || answers("undo"),
            "{name}"
        );
        assert!(
            name != "skill_check" || (answers("opposed") && answers("rank")),
            "{name}"
        );
    }
}

#[test]
fn no_client_cuts_the_words() {
    let lockhouse = instructions(&shipped("lockhouse"), INSTRUCTIONS_MAX);
    for words in [&*lockhouse, PLAYER_INSTRUCTIONS] {
        assert!(words.len() <= WORDS_MAX, "{} bytes", words.len());
    }
    for tool in all_tools() {
        assert!(
            tool.description.len() < WORDS_MAX,
            "{}: {} bytes",
            tool.name,
            tool.description.len()
        );
        assert!(
            lockhouse.contains(&*tool.name) || !tool.hot,
            "{} is hot and the instructions do not name it",
            tool.name
        );
    }
}

#[test]
fn instructions_are_of_the_adventure_at_hand() {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("adventures");
    for entry in std::fs::read_dir(all).expect("adventures") {
        let name = entry.expect("an entry").file_name();
        let system = shipped(name.to_str().expect("a name"));
        let words = instructions(&system, INSTRUCTIONS_MAX);
        assert!(words.len() <= WORDS_MAX, "{name:?}: {} bytes", words.len());
        let difficulties = system.difficulties.iter().map(|one| &one.name);
        let tracks = system.tracks.iter().map(|track| &track.name);
        let checks = system.checks.iter().map(|check| &check.name);
        for known in checks.chain(difficulties).chain(tracks) {
            assert!(
                words.contains(known.as_str()),
                "{name:?} lacks {known}: {words}"
            );
        }
        assert!(instructions(&system, 1700).len() <= 1700);
    }
    let lockhouse = instructions(&shipped("lockhouse"), INSTRUCTIONS_MAX);
    crate::table::has(
        &lockhouse,
        &[
            "Checks, by skill or attribute unless said: Check (difficulty, for saves); Strike (target, for attacks, Melee, Aim)",
            "Tracks: Hit points",
            "Assumed: advantage of a single d20 is 2d20kh1",
        ],
    );
    let narrative = System {
        narrative: true,
        ..System::default()
    };
    let words = instructions(&narrative, INSTRUCTIONS_MAX);
    assert!(
        !words.contains("skill_check") && !words.contains("System.md"),
        "{words}"
    );
    assert!(words.contains("roll_dice"), "{words}");
}

/// The texts of the program and of its documentation.
fn texts(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            texts(&path, found);
        } else if path
            .extension()
            .is_some_and(|end| end == "rs" || end == "md")
        {
            found.push((
                path.display().to_string(),
                std::fs::read_to_string(&path).expect("text"),
            ));
        }
    }
}

#[test]
fn every_action_that_a_text_names_is_one_of_its_tool() {
    let actions = |tool: &str| {
        let tool = tool_named(tool).unwrap_or_else(|| panic!("no tool {tool}"));
        let words = tool.input["properties"]["action"]["enum"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        words
            .iter()
            .map(|word| word.as_str().expect("a word").to_owned())
            .collect::<Vec<_>>()
    };
    let all: Vec<String> = all_tools()
        .iter()
        .flat_map(|tool| actions(&tool.name))
        .collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = vec![(
        "README.md".to_owned(),
        std::fs::read_to_string(root.join("README.md")).expect("text"),
    )];
    texts(&root.join("docs"), &mut found);
    texts(&root.join("plugin"), &mut found);
    texts(&root.join("src"), &mut found);
    let mut named = 0;
    for (file, text) in &found {
        for (at, sign) in text.match_indices("action=") {
            let word = text[at + sign.len()..].trim_start_matches(['\\', '"']);
            let word = word
                .split(|letter: char| !(letter.is_ascii_lowercase() || letter == '_'))
                .next()
                .expect("a part");
            if word.is_empty() {
                continue;
            }
            let before =
                text[..at].trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric());
            let before = before
                .rsplit(|letter: char| !(letter.is_ascii_lowercase() || letter == '_'))
                .next()
                .expect("a part");
            let fits = match before.starts_with("manage_") {
                true => actions(before).iter().any(|action| action == word),
                false => all.iter().any(|action| action == word),
            };
            assert!(
                fits,
                "{file} names {before} action=\"{word}\", which is none"
            );
            named += 1;
        }
    }
    assert!(named > 50, "{named} are no more than a few");
}

#[test]
fn schemas_are_plain() {
    for tool in listed() {
        let name = tool["name"].as_str().expect("a name");
        for side in ["inputSchema", "outputSchema"] {
            let schema = &tool[side];
            assert_eq!(schema["type"], "object", "{name} {side}");
            plain(schema, &format!("{name} {side}"));
        }
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
        assert_eq!(
            tool["outputSchema"]["required"],
            json!(["summary"]),
            "{name}"
        );
        assert_ne!(
            tool["outputSchema"]["additionalProperties"], false,
            "{name}: a refusal's fields fit too"
        );
    }
}

/// No references, no property without one type or a few alternatives.
fn plain(schema: &Value, path: &str) {
    let fields = schema
        .as_object()
        .unwrap_or_else(|| panic!("{path} is {schema}"));
    for word in [
        "oneOf", "allOf", "not", "$ref", "$defs", "const", "format", "default",
    ] {
        assert!(!fields.contains_key(word), "{path} has {word}");
    }
    // Lists of types are what some clients do not take.
    let alternatives = schema["anyOf"].as_array().map_or(&[][..], Vec::as_slice);
    let typed = schema["type"].is_string() && schema["anyOf"].is_null();
    assert!(
        typed || (schema["type"].is_null() && alternatives.len() > 1),
        "{path} has no type: {schema}"
    );
    for inner in alternatives {
        assert!(inner["type"].is_string(), "{path} has {inner}");
        plain(inner, path);
    }
    assert!(
        schema["type"] != "array" || schema["items"].is_object(),
        "{path} is a list of anything"
    );
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        plain(inner, &format!("{path}.{name}"));
    }
    for word in ["items", "additionalProperties"] {
        if schema[word].is_object() {
            plain(&schema[word], &format!("{path}.{word}"));
        }
    }
}

#[test]
fn descriptions_are_for_assistants_and_not_for_programmers() {
    for tool in listed() {
        let text = tool.to_string();
        for word in ["crate::", "[`", "`]", "serde", "Option<", "struct "] {
            assert!(!text.contains(word), "{} says {word}", tool["name"]);
        }
    }
}

#[test]
fn annotations_are_as_designed() {
    for tool in listed() {
        let (name, hints) = (tool["name"].as_str().expect("a name"), &tool["annotations"]);
        let reads = hints["readOnlyHint"] == true;
        assert_eq!(hints["openWorldHint"], false, "{name}");
        assert_eq!(
            hints["destructiveHint"],
            ["manage_session", "manage_character"].contains(&name),
            "{name}"
        );
        let has = |argument: &str| tool["inputSchema"]["properties"][argument].is_object();
        assert!(
            reads || (has("request_id") && has("after")),
            "{name} writes, so it can be repeated"
        );
    }
}

#[test]
fn every_refusal_fits_every_schema() {
    let detail = json!({"parameter": "a", "issue": "b", "valid_range": "c"});
    let refusal = json!({
        "code": "x", "summary": "y", "did_you_mean": ["z"], "source": "System.md:1", "details": [detail], "rolled": false,
    });
    for tool in all_tools() {
        crate::schema::assert_fits(&Value::Object((*tool.output).clone()), &refusal, &tool.name);
    }
}
