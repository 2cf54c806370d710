//! What lines mean at a table whose names are known; most of them stand in lines.txt.

use std::sync::Arc;

use serde_json::{Value, json};

use super::fight::actions;
use super::*;
use rollbook_table::tools::tool_named;
use rollbook_text::diagnostic::SourceFile;

fn names() -> Names {
    let rules = "# A\n\n## Attributes\n- Strength (STR)\n- Dexterity (DEX)\n\n## Skills\n- Lockpicking (DEX)\n";
    let list = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect();
    Names {
        people: list(&["Sabeth Quoin", "Jory Penrake", "Wrecker 1", "Wrecker 2"]),
        party: list(&["Sabeth Quoin", "Jory Penrake"]),
        attacks: list(&["boat hook", "Crossbow"]),
        skills: list(&["Lockpicking", "Sleight of Hand", "Melee"]),
        attributes: list(&["STR", "DEX"]),
        checks: list(&["Save"]),
        difficulties: list(&["Hard", "Very hard"]),
        conditions: list(&["prone", "frightened"]),
        damage_types: list(&["cold", "slashing"]),
        rests: list(&["Long rest"]),
        sheets: list(&["Characters.md#Fenner Loy"]),
        foes: list(&["Foes.md#Wrecker"]),
        sections: list(&["Checks", "Health"]),
        clocks: list(&["Flooding"]),
        turn: None,
        is_without_turns: false,
        system: Arc::new(rollbook_rules::read(vec![SourceFile::new("System.md", rules)]).system),
    }
}

fn arguments(line: &str, names: &Names) -> Value {
    match read(line, names) {
        Ok(Deed::Call { arguments, .. }) => Value::Object(arguments),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn each_line_is_what_the_text_says() {
    let text = include_str!("lines.txt")
        .lines()
        .filter(|line| !line.starts_with("# ") && !line.is_empty());
    let (lines, meant): (Vec<_>, Vec<_>) = text.partition(|line| !line.starts_with("    "));
    assert!(lines.len() == meant.len() && lines.len() > 100);
    for (line, meant) in lines.into_iter().zip(meant) {
        let meant = meant.trim_start();
        if let Some((tool, refusal)) = line.split_once(" > ") {
            assert_eq!(as_commands(tool, refusal), meant);
        } else if let Some((before, typed)) = line.split_once('|') {
            let line = format!("{before}{typed}");
            let found: Vec<String> = serde_json::from_str(meant).expect(meant);
            assert_eq!(
                complete(&line, line.len(), &names()),
                (before.len(), found),
                "{line}"
            );
        } else if let Some(why) = meant.strip_prefix("! ") {
            let refused = read(line, &names()).unwrap_err();
            assert!(refused.contains(why), "{line}: {refused}");
        } else {
            let Ok(Deed::Call { tool, arguments }) = read(line, &names()) else {
                panic!("{line}")
            };
            let (name, fields) = meant.split_once(' ').expect(meant);
            let fields: Value = serde_json::from_str(fields).expect(meant);
            assert_eq!(
                (tool.as_str(), Value::Object(arguments)),
                (name, fields),
                "{line}"
            );
        }
    }
}

#[test]
fn every_example_is_a_command_whose_fields_its_tool_has() {
    for entry in all() {
        assert!(
            entry.example.starts_with(&format!("/{}", entry.name())),
            "{}",
            entry.example
        );
        assert!(
            entry.about.len() <= 80 && entry.about.ends_with('.'),
            "{}",
            entry.about
        );
        if let Deed::Call { tool, arguments } = read(entry.example, &names()).expect(entry.example)
        {
            let tool = tool_named(&tool).expect("a tool");
            let known = tool.input["properties"].as_object().expect("properties");
            let unknown: Vec<&String> = arguments
                .keys()
                .filter(|key| !known.contains_key(*key))
                .collect();
            assert!(unknown.is_empty(), "{}: {unknown:?}", entry.example);
        }
    }
    let words = || all().flat_map(CommandEntry::words);
    assert_eq!(
        words().collect::<BTreeSet<_>>().len(),
        words().count(),
        "no word means two commands"
    );
    let known = &tool_named("manage_combat").unwrap().input["properties"]["action"]["enum"];
    assert!(actions().all(|(_, action)| known.as_array().unwrap().contains(&json!(action))));
    assert_eq!(actions().next().unwrap().0, "start");
}

#[test]
fn nobody_strikes_themselves_by_a_word_that_is_missing() {
    let names = Names {
        turn: Some((2, Some("Jory Penrake".to_owned()))),
        ..names()
    };
    for line in [
        "/attack Jory with Melee",
        "/attack Jory Penrake with Crossbow",
    ] {
        let refused = read(line, &names).expect_err(line);
        assert!(
            refused.contains("Whom does Jory Penrake attack?"),
            "{refused}"
        );
    }
    let struck = arguments("/attack Sabeth Quoin with Melee", &names);
    assert_eq!(
        (&struck["character"], &struck["target"]),
        (&json!("Jory Penrake"), &json!("Sabeth Quoin"))
    );
}

#[test]
fn what_may_not_be_meant_is_asked() {
    let fighting = || Names {
        turn: Some((1, None)),
        ..names()
    };
    for (line, names, says, instead) in [
        (
            "/new Fenner Loy",
            names(),
            "ready to be played",
            "/new Characters.md#Fenner Loy",
        ),
        (
            "/new loy",
            names(),
            "of your own is /new loy:",
            "/new Characters.md#Fenner Loy",
        ),
        (
            "/session end",
            fighting(),
            "A fight is on",
            "/session end anyway",
        ),
    ] {
        let Ok(Deed::Asked {
            question,
            line: does,
        }) = read(line, &names)
        else {
            panic!("{line}")
        };
        assert!(question.contains(says), "{question}");
        assert_eq!(does, instead);
        assert!(
            matches!(read(&does, &names), Ok(Deed::Call { .. })),
            "{does}"
        );
    }
}

#[test]
fn what_goes_on_at_the_table_changes_what_a_line_means() {
    let turn = Some((2, Some("Sabeth Quoin".to_owned())));
    let sabeth = json!({"character": "Sabeth Quoin", "target": "Wrecker 1", "attack": "Crossbow", "end_turn": true});
    let named = json!({"target": "Wrecker", "amount": 1, "reason": "abc"});
    let untyped = json!({"target": "Jory", "amount": 2, "damage_type": "abc"});
    for (line, names, sent) in [
        (
            "/attack Wrecker 1 with Crossbow end_turn=true",
            Names { turn, ..names() },
            sabeth,
        ),
        // No name ends at the number.
        (
            "/damage Wrecker 1 # abc",
            Names {
                people: vec!["Wrecker".to_owned()],
                ..names()
            },
            named,
        ),
        (
            "/damage Jory 2 abc",
            Names {
                damage_types: Vec::new(),
                ..names()
            },
            untyped,
        ),
        (
            "/n",
            Names {
                is_without_turns: true,
                ..names()
            },
            json!({"action": "next_round"}),
        ),
        // Rules may need no more.
        (
            "/attack Jory Rat",
            Names {
                attacks: Vec::new(),
                ..names()
            },
            json!({"character": "Jory", "target": "Rat"}),
        ),
    ] {
        assert_eq!(arguments(line, &names), sent, "{line}");
    }
    assert!(matches!(read("QUIT", &names()), Ok(Deed::Quit)));
}

#[test]
fn a_sheet_that_lacks_something_has_the_line_that_makes_it_whole() {
    let dexterity = "Dexterity (DEX), 3 to 18";
    let update = "/call manage_character action=update character=\"Cobb\" attributes={\"DEX\":10}";
    for (name, missing, is_of_block, line) in [
        (
            "Nobody",
            vec![dexterity, "Hit points"],
            false,
            "/new Nobody: DEX 10",
        ),
        (
            "Nobody",
            vec!["Hit points"],
            false,
            "/new Nobody: Hit points 10",
        ),
        ("Cobb", vec![dexterity], true, update),
    ] {
        let lacks = incomplete(name, &missing, is_of_block, &names().system);
        assert_eq!(lacks.rsplit_once("your own: ").unwrap().1, line, "{lacks}");
        assert!(!is_of_block || arguments(line, &names())["attributes"] == json!({"DEX": 10}));
    }
}

#[test]
fn any_place_of_a_line_can_be_completed() {
    assert_eq!(
        complete("/sheet Sab 15", 10, &names()),
        (7, vec!["Sabeth Quoin".to_owned()]),
        "a blank is there"
    );
    for line in ["", "/", "/check żółw ż", "/check  ", "=,=", "/new Ö:"] {
        for at in 0..=line.len() {
            assert!(complete(line, at, &names()).0 <= at, "{line} {at}");
        }
    }
}
