//! What the program prints of a database, a copy and an adventure whose every name was chosen to
//! take a terminal over: it is shown, and never obeyed.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use tempfile::TempDir;

use crate::process::{Process, rollbook};
use crate::table::Record;

/// It clears the screen, names the window, hides what follows and colours it, turns the direction
/// of writing, begins the line anew and begins one of its own.
const NAME: &str = "x\u{1b}[2J\u{1b}]0;y\u{7}\u{1b}[8m\u{1b}[0;34m\u{202e}\u{9b}1A\r\u{1b}[Kz\nFORGED: verified\u{1b}[1G";

/// The colours of the program itself, none of which is the one above.
const COLOURS: [&str; 16] = [
    "0",
    "92",
    "1",
    "2",
    "4",
    "32",
    "30;47",
    "30m\u{1b}[47",
    "31",
    "33",
    "35",
    "91",
    "94",
    "1m\u{1b}[31",
    "1;31",
    "1m\u{1b}[91",
];

/// Runs a command in a terminal of its own (`script` of util-linux gives it one), and looks at each
/// byte that reaches it.
fn assert_harmless(folder: &Path, arguments: &[&str]) {
    let mut line = vec![env!("CARGO_BIN_EXE_rollbook").to_owned()];
    line.extend(
        arguments
            .iter()
            .map(|argument| format!("'{}'", argument.replace('\'', r"'\''"))),
    );
    let mut command = std::process::Command::new("script");
    rollbook(folder).get_envs().for_each(|(name, value)| {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    });
    let came = command
        .args(["--quiet", "--command", &line.join(" "), "/dev/null"])
        .current_dir(folder)
        .env("PAGER", "cat")
        .env("TERM", "xterm-256color")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("script runs (Debian: bsdutils)");
    let text = String::from_utf8_lossy(&came.stdout).replace("\r\n", "\n");
    let text = COLOURS.iter().fold(text, |text, colour| {
        text.replace(&format!("\u{1b}[{colour}m"), "")
    });
    // How the program takes away its line of what it does for longer than a second; the name above
    // has another sequence.
    let text = text.replace("\r\u{1b}[2K", "");
    let bad = |letter: char| {
        letter.is_control() && letter != '\n' && letter != '\t'
            || ('\u{202a}'..='\u{202e}').contains(&letter)
    };
    assert!(!text.contains(bad), "{arguments:?}: {text:?}");
    assert!(
        !text.lines().any(|line| line.starts_with("FORGED")),
        "{arguments:?}: {text}"
    );
    assert!(!text.trim().is_empty(), "{arguments:?} says something");
}

fn vandalised(file: &Path, sql: &str) {
    Record::of(file).execute(sql).expect("is done");
}

#[test]
fn nothing_of_a_hostile_database_copy_or_adventure_is_obeyed() {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let place = folder.path();
    let mut server = Process::hello(folder.clone());
    for name in ["Ann", "Bob"] {
        server.done(
            "manage_character",
            json!({"action": "create", "name": name, "kind": "player"}),
        );
    }
    server.done(
        "manage_session",
        json!({"action": "note", "text": "A note"}),
    );
    server.done(
        "roll_dice",
        json!({"expression": "2d6", "context": "the lamp"}),
    );
    server.done("manage_session", json!({"action": "end"}));
    server.end();
    let copied = |file: &str| {
        std::fs::copy(place.join("campaigns.db"), place.join(file)).expect("is copied");
        place.join(file)
    };
    let sql = NAME.replace('\'', "''");
    let plain = copied("plain.db");
    vandalised(
        &copied("names.db"),
        &format!(
            "update campaigns set name = '{sql}'; update characters set name = '{sql}' where name = 'Ann'"
        ),
    );
    vandalised(
        &copied("schema.db"),
        &format!(
            "create table \"{sql}\" (x); create view \"v{sql}\" as select 1; create trigger \"t{sql}\" after insert on log begin select 1; end"
        ),
    );
    vandalised(
        &copied("log.db"),
        &format!(
            "drop trigger log_is_never_updated; update log set actor = '{sql}', kind = '{sql}'; update log set body = cast(replace(cast(body as text), 'A note', '{sql}') as blob)"
        ),
    );
    for file in ["names.db", "schema.db", "log.db"] {
        for arguments in [
            vec!["verify"],
            vec!["log", "--audience", "gm"],
            vec!["campaigns", "list"],
            vec!["campaigns", "rename", "nobody", "x"],
            vec!["receipt"],
            vec!["report", "--out", "r.html"],
            vec!["export", "--format", "jsonl", "--out", "e.jsonl"],
            vec!["doctor", "--adventure", "."],
            vec!["odds", "1d20", "--campaign", "nobody"],
            vec!["key", "list"],
        ] {
            assert_harmless(place, &[arguments, vec!["--db", file]].concat());
            drop((
                std::fs::remove_file(place.join("r.html")),
                std::fs::remove_file(place.join("e.jsonl")),
            ));
        }
        assert_harmless(place, &["restore", file, "--db", "restored.db"]);
    }

    for format in ["jsonl", "csv"] {
        let out = format!("copy.{format}");
        let done = rollbook(place)
            .args([
                "export",
                "--format",
                format,
                "--audience",
                "gm",
                "--out",
                &out,
                "--db",
            ])
            .arg(&plain)
            .output()
            .expect("it ends");
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        let text = std::fs::read_to_string(place.join(&out)).expect("text");
        let json = serde_json::to_string(NAME).expect("JSON");
        let json = json.trim_matches('"');
        let forged = match format {
            "jsonl" => text
                .replace("\"lockhouse\"", &format!("\"{json}\""))
                .replace("A note", json),
            _ => text
                .replace("A note", &NAME.replace('"', "\"\""))
                .replace("lockhouse", "\u{1b}[2Jlockhouse"),
        };
        std::fs::write(place.join(&out), forged).expect("is written");
        assert_harmless(place, &["verify", "--copy", &out]);
        assert_harmless(
            place,
            &[
                "verify",
                "--copy",
                &out,
                "--receipt",
                "#3 aaaaaaaaaaaaaaaaaaaa",
            ],
        );
    }

    let rules = place.join("rules");
    std::fs::create_dir(&rules).expect("is made");
    let name = NAME.replace('\n', " ");
    let text = format!(
        "# {name}\n\n## Attributes\n\n| Attribute | Short |\n|---|---|\n| {name} | ST{name} |\n\n## Checks\n\n- {name}: 1d20 + {{{name}}} vs {{dc}}\n- {name}\n\n## {name}\n\n- A: {name}\n"
    );
    std::fs::write(rules.join("System.md"), text).expect("is written");
    std::fs::write(
        rules.join("Tests.md"),
        format!("# {name}\n\n- {name} rolls {name}\n"),
    )
    .expect("is written");
    for arguments in [
        vec!["check", "rules"],
        vec!["show", "rules"],
        vec!["test", "rules"],
    ] {
        assert_harmless(place, &arguments);
    }
    assert_harmless(place, &["roll", NAME]);
    assert_harmless(place, &["log", "--db", "plain.db", "--campaign", NAME]);
}
