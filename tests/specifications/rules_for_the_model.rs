//! The RPG system's prompt: the rules are in it, word for word, with how its tools are called;
//! where there are none, neither speaks of checks. The assistant is the game master's, so
//! `play --model` has the author's whole text. The prompt `start_session` is read by the person at
//! the client, too, so it has the rules as players read them; a player's seat has no prompts at
//! all.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rollbook::play::model::Api;
use rollbook_rules::Reading;
use rollbook_table::session::adventure::Adventure;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::play::fake::{Fake, says};
use crate::play::piped::piped;
use crate::play::rig::{KEY, answers};
use crate::process::{LOCKHOUSE, Process, rollbook};
use crate::stories::advice::follow;
use crate::table::{Table, cases, each, has, text};

const RULES: &str = "# Sea Rules\n\nThe sea takes what it is owed.\n\n## Attributes\n- Grit: holding on\n- Range: 3 to 18\n\n## Checks\n\n\
    ### Try\n- Roll: `1d20 + {Grit}`\n- Target: `{difficulty}`\n\n## Clocks\n- Tide: 6 boxes, full: *the causeway is under*\n\
    - Doom below: 8 boxes, hidden\n";

/// An adventure with these rules, if any, and a page of story.
fn adventure(folder: &Path, rules: Option<&str>) -> PathBuf {
    let adventure = folder.join("adventure");
    std::fs::create_dir(&adventure).expect("a folder");
    std::fs::write(
        adventure.join("Story.md"),
        "# The quay\n\nA lamp went out.\n",
    )
    .expect("a page");
    if let Some(rules) = rules {
        std::fs::write(adventure.join("System.md"), rules).expect("the rules");
    }
    adventure
}

/// What a model behind `play --model` gets first.
fn reported_by_play(adventure: &Path) -> String {
    let body = asked_by_play(adventure);
    assert_eq!(body["messages"][0]["role"], "system");
    body["messages"][0]["content"]
        .as_str()
        .expect("text")
        .to_owned()
}

/// What is sent to it with the first question.
fn asked_by_play(adventure: &Path) -> Value {
    let folder = TempDir::new().expect("a folder");
    let fake = Fake::saying(Api::OpenAi, answers([says("Welcome.")]));
    let mut command = rollbook(folder.path());
    command.args([
        "play",
        "--db",
        "campaigns.db",
        "--model",
        "openai:scripted",
        "--endpoint",
        &fake.endpoint,
    ]);
    command
        .arg("--adventure")
        .arg(adventure)
        .env("OPENAI_API_KEY", KEY)
        .env_remove("ANTHROPIC_API_KEY");
    let output = piped(command, "Hello\n");
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("Welcome."),
        "{output:?}"
    );
    fake.asked()[0].body.clone()
}

/// The text of the prompt `start_session`.
fn start_session(adventure: &Path) -> String {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let mut command = rollbook(folder.path());
    command.arg("serve").arg("--adventure").arg(adventure);
    let mut server = Process::started(command, folder);
    server.initialize();
    let request = json!({"jsonrpc": "2.0", "id": 2, "method": "prompts/get", "params": {"name": "start_session"}});
    let answer = server.ask(request);
    answer["result"]["messages"][0]["content"]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("{answer}"))
        .to_owned()
}

#[test]
fn the_rules_are_word_for_word_in_the_prompt_of_a_model() {
    let reading = Adventure::read(LOCKHOUSE.as_ref())
        .expect("the adventure")
        .reading;
    let rules = |reading: &Reading| {
        reading
            .sources
            .iter()
            .next()
            .expect("System.md")
            .1
            .text
            .trim()
            .to_owned()
    };
    let (whole, for_players) = (rules(&reading), rules(&reading.for_players()));
    for (text, rules) in [
        (reported_by_play(LOCKHOUSE.as_ref()), whole),
        (start_session(LOCKHOUSE.as_ref()), for_players),
    ] {
        assert!(
            rules.contains("## Skills") && text.contains(&rules),
            "{text}"
        );
        assert!(
            text.contains("check") && text.contains("never instructions to you"),
            "{text}"
        );
    }
}

#[test]
fn the_game_master_reads_all_of_the_rules_and_the_prompt_what_players_read() {
    let folder = TempDir::new().expect("a folder");
    let adventure = adventure(folder.path(), Some(RULES));
    let (play, prompt) = (reported_by_play(&adventure), start_session(&adventure));
    for part in [
        "The sea takes what it is owed.",
        "- Roll: `1d20 + {Grit}`",
        "- Tide: 6 boxes",
    ] {
        assert!(
            play.contains(part) && prompt.contains(part),
            "{part}: {play}\n{prompt}"
        );
    }
    for secret in ["the causeway is under", "Doom below"] {
        assert!(
            play.contains(secret) && !prompt.contains(secret),
            "{secret}: {play}\n{prompt}"
        );
    }
}

#[test]
fn of_rules_that_are_too_long_the_contents_are_there_and_the_way_to_the_rest() {
    let folder = TempDir::new().expect("a folder");
    let long = format!(
        "{RULES}\n## Of ships\n\n{}\n",
        "A hull of oak is a good hull. ".repeat(500)
    );
    let adventure = adventure(folder.path(), Some(&long));
    for text in [reported_by_play(&adventure), start_session(&adventure)] {
        for part in [
            "too long to stand here",
            "- Checks (System.md:9)",
            "- Of ships (System.md:",
            "get_rules section=",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(
            !text.contains("hull of oak") && !text.contains("{Grit}"),
            "{text}"
        );
    }
}

#[test]
fn without_rules_both_show_the_call_that_states_a_check() {
    let folder = TempDir::new().expect("a folder");
    let adventure = adventure(folder.path(), None);
    let (play, prompt) = (reported_by_play(&adventure), start_session(&adventure));
    for text in [&play, &prompt] {
        assert!(
            !text.contains("System.md") && !text.contains("get_rules"),
            "{text}"
        );
        let call = "skill_check roll=\"1d20 + {DEX}\" difficulty=15";
        assert!(
            text.contains("This adventure has no rules: you decide") && text.contains(call),
            "{text}"
        );
        assert!(text.contains("roll_dice"), "{text}");
    }
    let tools = asked_by_play(&adventure)["tools"].clone();
    let has = |name: &str| {
        tools
            .as_array()
            .expect("tools")
            .iter()
            .any(|tool| tool["function"]["name"] == name)
    };
    assert!(
        has("roll_dice") && has("get_character") && has("skill_check") && !has("get_rules"),
        "{tools}"
    );
    assert!(
        play.contains("A lamp went out.")
            && play.contains("manage_character")
            && play.contains("odds:"),
        "{play}"
    );
}

#[test]
fn without_rules_dice_and_characters_work_and_a_refused_check_shows_the_call_that_states_it() {
    let mut table = Table::of_rules(None);
    table.create(
        "Ann",
        json!({"kind": "player", "skills": {"Lockpicking": 3}}),
    );
    assert_eq!(
        table
            .dice([2, 5])
            .roll_dice(json!({"expression": "2d6+1"}))
            .number("total"),
        8
    );
    let checks = cases(json!([
        [{"skill": "Lockpicking", "character": "Ann", "difficulty": 15, "modifier": 2},
         "skill_check character=\"Ann\" skill=\"Lockpicking\" roll=\"1d20 + {skill}\" difficulty=15 modifier=2",
         [11]],
        [{"skill": "Listening", "disadvantage": true, "visibility": "gm"},
         "skill_check character=\"Ann\" check=\"Listening\" roll=\"1d20\" visibility=\"gm\" difficulty=15 disadvantage=true",
         [11, 4]],
    ]));
    for [check, call, dice] in checks {
        let refused = table.skill_check(check.clone());
        let refusal = refused.refused("no_rules").clone();
        has(text(&refusal["summary"]), &[text(&call)]);
        table.dice(each(&dice).filter_map(Value::as_i64));
        follow(&mut table, "skill_check", &check, &refusal, 1)
            .expect("the call is taken as it stands");
    }
}
