//! What Claude Code's plugin runs: its start script, and `rollbook hook`. tests/plugin/run tries
//! the whole with the real client.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::{LOCKHOUSE, Process, ran_with, rollbook};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What a command printed, with that on its input; it must end well.
#[track_caller]
fn printed(mut command: Command, input: &str) -> String {
    ran_with(&mut command, input).ends(0).out.clone()
}

fn hook(folder: &Path, moment: &str) -> Command {
    let mut command = rollbook(folder);
    command.args(["hook", moment]);
    command
}

/// A game of the Lockhouse whose database lies where the hook looks for it.
fn game(folder: &TempDir) -> Process {
    let data = folder.path().join(".rollbook");
    std::fs::create_dir_all(&data).expect("is made");
    let mut server = rollbook(folder.path());
    server
        .args(["serve", "--adventure", LOCKHOUSE, "--db"])
        .arg(data.join("campaigns.db"));
    let mut server = Process::serving(server, Arc::new(TempDir::new().expect("a folder")));
    server.initialize();
    server
}

fn at_lockhouse(folder: &Path, moment: &str) -> Command {
    let mut command = hook(folder, moment);
    command.args(["--adventure", LOCKHOUSE]);
    command
}

#[test]
fn a_conversation_begins_with_where_the_game_is() {
    let folder = TempDir::new().expect("a folder");
    assert_eq!(
        printed(hook(folder.path(), "session-start"), "{}"),
        "",
        "nothing is played here"
    );
    assert!(
        !folder.path().join(".rollbook").exists(),
        "and nothing was made"
    );
    assert!(
        printed(at_lockhouse(folder.path(), "session-start"), "{}").contains("/rollbook:table")
    );

    let mut server = game(&folder);
    server.done(
        "manage_session",
        json!({"action": "start", "title": "Half past nine"}),
    );
    server.done(
        "manage_session",
        json!({"action": "note", "kind": "thread", "text": "Whose boat?"}),
    );
    let text = printed(at_lockhouse(folder.path(), "session-start"), "{}");
    assert!(
        text.contains("Half past nine") && text.contains("Whose boat?"),
        "{text}"
    );
    assert_eq!(
        text.lines().last(),
        server.done("manage_session", json!({"action": "resume"}))["summary"]
            .as_str()
            .expect("text")
            .lines()
            .last()
    );
}

#[test]
fn a_system_md_of_something_else_begins_no_conversation() {
    let page = "# System\n\nThe ordering system stores customers.\n\n## Deployment\n\nTwo nodes.\n";
    for place in ["System.md", "docs/System.md"] {
        let folder = TempDir::new().expect("a folder");
        std::fs::create_dir(folder.path().join("docs")).expect("is made");
        std::fs::write(folder.path().join(place), page).expect("is written");
        assert_eq!(
            printed(hook(folder.path(), "session-start"), "{}"),
            "",
            "{place}"
        );
        // Of several folders of which one has a game's rules, that one.
        std::fs::create_dir(folder.path().join("game")).expect("is made");
        std::fs::copy(
            Path::new(LOCKHOUSE).join("System.md"),
            folder.path().join("game/System.md"),
        )
        .expect("is copied");
        let text = printed(hook(folder.path(), "session-start"), "{}");
        assert_eq!(
            text.contains("/rollbook:table"),
            place == "docs/System.md",
            "{text}"
        );
        // Where several games are, it begins none.
        std::fs::create_dir(folder.path().join("other")).expect("is made");
        std::fs::copy(
            Path::new(LOCKHOUSE).join("System.md"),
            folder.path().join("other/System.md"),
        )
        .expect("is copied");
        assert_eq!(
            printed(hook(folder.path(), "session-start"), "{}"),
            "",
            "{place}"
        );
    }
}

#[test]
fn before_the_conversation_is_shortened_the_log_gets_a_note_that_players_do_not_see() {
    let folder = TempDir::new().expect("a folder");
    let mut server = game(&folder);
    server.done("manage_session", json!({"action": "start"}));
    server.done("manage_session", json!({"action": "end"}));
    assert_eq!(
        printed(at_lockhouse(folder.path(), "pre-compact"), "{}"),
        "",
        "no sitting is open"
    );
    server.done("manage_session", json!({"action": "start"}));
    let text = printed(
        at_lockhouse(folder.path(), "pre-compact"),
        "{\"trigger\": \"auto\"}",
    );
    assert!(
        text.contains("resume") && text.contains("GM's plans"),
        "{text}"
    );
    let recap = |server: &mut Process, audience: &str| {
        server
            .done(
                "manage_session",
                json!({"action": "recap", "audience": audience}),
            )
            .to_string()
    };
    assert!(recap(&mut server, "gm").contains("was shortened here"));
    assert!(!recap(&mut server, "player").contains("was shortened here"));
}

#[test]
fn rules_that_were_saved_are_checked() {
    let folder = TempDir::new().expect("a folder");
    let saved = |file: &Path| {
        let account = json!({"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": {"file_path": file}});
        printed(hook(folder.path(), "rules-saved"), &account.to_string())
    };
    let rules = folder.path().join("System.md");
    std::fs::write(
        &rules,
        "# Ours\n\n## Skills\n- Climbing (Strenght)\n\n## Attributes\n- Strength\n",
    )
    .expect("is written");
    let reply: Value = serde_json::from_str(&saved(&rules)).expect("JSON");
    let text = reply
        .pointer("/hookSpecificOutput/additionalContext")
        .or(reply.get("reason"))
        .and_then(Value::as_str);
    assert!(
        text.is_some_and(|text| text.contains("System.md:4") && text.contains("Strenght")),
        "{reply}"
    );
    assert_eq!(
        saved(&Path::new(LOCKHOUSE).join("System.md")),
        "",
        "sound rules need no word"
    );
    assert_eq!(saved(&folder.path().join("Adventure.md")), "", "no rules");
    assert_eq!(
        saved(Path::new("/System.md")),
        "",
        "no such file, and the whole disk below it"
    );
    // A System.md of another kind is none of ours, unless the plugin's setting names its folder.
    let other = folder.path().join("other");
    std::fs::create_dir(&other).expect("is made");
    let page = other.join("System.md");
    for text in [
        "# System design\n\n## Overview\nTwo services and a queue.\n\n## Health\nGET /healthz answers 200.\n",
        "# Prompt\n\nYou are a helper.\n\n## Skills\n- Python\n- SQL\n\n## Examples\n- say hello\n",
        "# Platform\n\n## Checks\nRun the linter.\n\n## Health\nAlerts go to the duty phone.\n",
    ] {
        std::fs::write(&page, text).expect("is written");
        assert_eq!(saved(&page), "", "{text}");
    }
    let mut named = hook(folder.path(), "rules-saved");
    named.arg("--adventure").arg(&other);
    let account = json!({"tool_input": {"file_path": page}}).to_string();
    assert!(
        printed(named, &account).contains("System.md"),
        "its author hears that nothing was read"
    );
    // Nor is a first draft where nothing is played; where a game is kept it is one.
    let draft = folder.path().join("draft/System.md");
    std::fs::create_dir(folder.path().join("draft")).expect("is made");
    std::fs::write(&draft, "# Draft\n\n## Skils\n- Climbing (Strenght)\n").expect("is written");
    assert_eq!(saved(&draft), "");
    game(&folder).done("manage_session", json!({"action": "start"}));
    assert!(saved(&draft).contains("Skils"));
    // What is no account of a hook is refused with what sends one.
    let mut bad = hook(folder.path(), "rules-saved");
    let output = bad.stdin(Stdio::null()).output().expect("it runs");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("Claude Code"),
        "{output:?}"
    );
}

#[cfg(unix)]
#[test]
fn the_start_script_takes_the_plugin_s_own_program_first_then_the_one_on_path() {
    let folder = TempDir::new().expect("a folder");
    let script = folder.path().join("start.sh");
    std::fs::copy(format!("{ROOT}/plugin/start.sh"), &script).expect("is copied");
    let program = |path: &Path, text: &str| {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("is made");
        std::fs::write(path, format!("#!/bin/sh\necho {text} \"$@\"\n")).expect("is written");
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("is allowed");
    };
    let run = |arguments: &[&str], adventure: &str| {
        let mut command = Command::new("sh");
        command
            .arg(&script)
            .args(arguments)
            .env("CLAUDE_PLUGIN_OPTION_ADVENTURE", adventure);
        command.env(
            "PATH",
            format!("{}:/usr/bin:/bin", folder.path().join("path").display()),
        );
        command.output().expect("sh runs")
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let none = run(&["serve"], "");
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("Put it on PATH"), "{none:?}");
    let reply: Value =
        serde_json::from_slice(&run(&["hook", "session-start"], "").stdout).expect("JSON");
    assert!(
        reply["systemMessage"]
            .as_str()
            .is_some_and(|text| text.contains("Put it on PATH")),
        "{reply}"
    );
    for quiet in ["pre-compact", "rules-saved"] {
        let output = run(&["hook", quiet], "");
        assert!(
            output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(),
            "{quiet}: {output:?}"
        );
    }
    program(&folder.path().join("path/rollbook"), "path");
    assert_eq!(text(&run(&["serve"], "").stdout), "path serve\n");
    program(&folder.path().join("bin/rollbook"), "ours");
    assert_eq!(text(&run(&["serve"], "").stdout), "ours serve\n");
    assert_eq!(
        text(&run(&["hook", "pre-compact"], "/a b").stdout),
        "ours hook pre-compact --adventure /a b\n"
    );
}

#[test]
fn the_adviser_carries_the_page_of_the_language() {
    let text = std::fs::read_to_string(format!("{ROOT}/plugin/agents/rules-adviser.md"))
        .expect("the adviser");
    assert!(
        text.ends_with(rollbook_rules::grammar::LANGUAGE),
        "behind its last line `---` stands what `rollbook explain language` says, as it is"
    );
}

/// The program, the plugin and its commands are of one version and speak of tools that there are.
#[test]
fn the_plugin_s_words_name_what_there_is() {
    let read = |file: &str| std::fs::read_to_string(format!("{ROOT}/{file}")).expect(file);
    let manifest: Value =
        serde_json::from_str(&read("plugin/.claude-plugin/plugin.json")).expect("JSON");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    let tools: Vec<&str> = rollbook_table::tools::all_tools()
        .iter()
        .map(|tool| &*tool.name)
        .collect();
    for file in [
        "plugin/commands/table.md",
        "plugin/commands/fight.md",
        "plugin/commands/recap.md",
        "plugin/commands/check-rules.md",
        "plugin/agents/rules-adviser.md",
        "plugin/skills/run-a-table/SKILL.md",
    ] {
        let text = read(file);
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let named = words.map(|word| word.trim_start_matches("mcp__plugin_rollbook_rollbook__"));
        let named: Vec<&str> = named
            .filter(|word| {
                word.starts_with("manage_") || word.starts_with("roll_") || word.starts_with("get_")
            })
            .collect();
        assert!(!named.is_empty(), "{file} names no tool");
        for word in named {
            assert!(tools.contains(&word), "{file} names {word}");
        }
    }
}

#[test]
fn completions_and_manual_pages_need_nothing_but_the_program() {
    let folder = TempDir::new().expect("a folder");
    let ran = |arguments: &[&str]| {
        let mut command = rollbook(folder.path());
        command.args(arguments);
        printed(command, "")
    };
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = ran(&["completions", shell]);
        assert!(
            text.contains("campaigns") && text.contains("adventure"),
            "{shell}: {text}"
        );
    }
    assert!(ran(&["man"]).contains(".TH rollbook 1"));
    assert_eq!(ran(&["man", "pages"]), "");
    let pages: Vec<_> = std::fs::read_dir(folder.path().join("pages"))
        .expect("lists")
        .flatten()
        .collect();
    assert!(
        pages
            .iter()
            .any(|page| page.file_name() == "rollbook-serve.1"),
        "{pages:?}"
    );
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("lists").count(),
        1,
        "no database was made"
    );
}
