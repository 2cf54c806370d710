//! Where the database lies when nobody says it.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Came, ran, run};
use crate::process::{LOCKHOUSE, dialogue, ran_with, rollbook};
use crate::table::has;

/// Starts `rollbook serve`, says hello, asks for the status after a roll, and lets it end.
fn status(command: &mut Command) -> (Value, Came) {
    let calls = [
        ("roll_dice", json!({"expression": "d6"})),
        ("manage_session", json!({"action": "status"})),
    ];
    let came = ran_with(
        command.args(["serve", "--adventure", LOCKHOUSE, "--detail", "full"]),
        &dialogue(calls),
    );
    let answer = came
        .out
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find(|line| line["id"] == 3);
    (
        answer.unwrap_or_default()["result"]["structuredContent"].clone(),
        came,
    )
}

fn lies_at(status: &Value, file: &Path) {
    assert!(file.is_file(), "{} is there", file.display());
    let path = Path::new(status["database"].as_str().expect("the database's path"));
    assert_eq!(
        path.canonicalize().expect("resolves"),
        file.canonicalize().expect("resolves"),
        "{status}"
    );
    assert!(path.is_absolute());
}

#[test]
fn in_the_current_folder_unless_a_project_is_named() {
    let (here, project) = (
        TempDir::new().expect("a folder"),
        TempDir::new().expect("a folder"),
    );
    let (reply, came) = status(&mut rollbook(here.path()));
    lies_at(&reply, &here.path().join(".rollbook/campaigns.db"));
    assert_eq!((came.code, came.err.as_str()), (0, ""));
    let ignored = std::fs::read_to_string(here.path().join(".rollbook/.gitignore")).expect("text");
    assert!(
        ignored.ends_with("*\n"),
        "the record of play is not committed"
    );

    let (reply, _) = status(rollbook(here.path()).env("CLAUDE_PROJECT_DIR", project.path()));
    lies_at(&reply, &project.path().join(".rollbook/campaigns.db"));
    for command in ["verify", "export"] {
        let arguments: &[&str] = if command == "export" {
            &["export", "--out", "out.jsonl"]
        } else {
            &["verify"]
        };
        let near = ran(here.path(), arguments);
        assert_eq!(near.code, 0, "{near:?}");
        std::fs::remove_file(here.path().join("out.jsonl")).unwrap_or_default();
        let far = run(rollbook(here.path())
            .args(arguments)
            .env("CLAUDE_PROJECT_DIR", project.path()));
        let words = format!("{}{}", far.out, far.err);
        assert!(
            far.code == 0 && words.contains(&project.path().display().to_string()),
            "{far:?}"
        );
    }
}

#[test]
fn in_the_data_folder_when_the_project_cannot_be_written_and_not_in_silence() {
    let (here, data) = (
        TempDir::new().expect("a folder"),
        TempDir::new().expect("a folder"),
    );
    // A file where the folder should be stops everybody, the administrator too.
    std::fs::write(here.path().join(".rollbook"), "in the way").expect("is written");
    let (reply, came) = status(rollbook(here.path()).env("XDG_DATA_HOME", data.path()));
    let file = data.path().join("rollbook/campaigns.db");
    lies_at(&reply, &file);
    has(
        &came.err,
        &["WARN", &format!("are kept in {} instead", file.display())],
    );
    let verified = run(rollbook(here.path())
        .arg("verify")
        .env("XDG_DATA_HOME", data.path()));
    assert!(
        verified.code == 0 && verified.out.starts_with(&file.display().to_string()),
        "{verified:?}"
    );
    // Without XDG_DATA_HOME it is under HOME, which `rollbook` sets to the folder.
    let (reply, _) = status(&mut rollbook(here.path()));
    lies_at(
        &reply,
        &here.path().join(".local/share/rollbook/campaigns.db"),
    );
}

#[test]
fn nowhere_when_nothing_can_be_written() {
    let here = TempDir::new().expect("a folder");
    std::fs::write(here.path().join(".rollbook"), "in the way").expect("is written");
    let (_, came) =
        status(rollbook(here.path()).env("XDG_DATA_HOME", here.path().join(".rollbook")));
    assert_eq!((came.code, came.out.as_str()), (2, ""), "{came:?}");
    assert!(came.err.contains("Name a file with --db"), "{came:?}");
}

#[cfg(unix)]
#[test]
fn never_where_a_link_leads() {
    let (here, elsewhere) = (
        TempDir::new().expect("a folder"),
        TempDir::new().expect("a folder"),
    );
    std::os::unix::fs::symlink(elsewhere.path(), here.path().join(".rollbook")).expect("a link");
    let (_, came) = status(&mut rollbook(here.path()));
    assert_eq!(came.code, 2, "{came:?}");
    assert!(
        came.err.contains(".rollbook is a symbolic link"),
        "{came:?}"
    );
    assert_eq!(ran(here.path(), &["verify"]).code, 2);
    assert_eq!(
        std::fs::read_dir(elsewhere.path()).expect("lists").count(),
        0,
        "nothing was written there"
    );
}

#[test]
fn the_help_of_each_command_says_what_its_campaign_is() {
    let here = TempDir::new().expect("a folder");
    for (command, words) in [
        ("serve", "The campaign of calls that name none"),
        ("export", "The campaign [default: the only one there is]"),
        (
            "verify",
            "Check this campaign only [default: every one there is]",
        ),
    ] {
        let came = ran(here.path(), &[command, "--help"]);
        let text = came.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(came.code == 0 && text.contains(words), "{command}: {text}");
    }
}

#[test]
fn no_password_of_a_server_is_printed() {
    let folder = TempDir::new().expect("a folder");
    let passwords = folder.path().join("pgpass");
    // A line of another form, which a reader of such files may report.
    std::fs::write(
        &passwords,
        "hunter2\ntable.example:5432:rollbook:gm:hunter2\n",
    )
    .expect("is written");
    #[cfg(unix)]
    std::fs::set_permissions(
        &passwords,
        std::os::unix::fs::PermissionsExt::from_mode(0o600),
    )
    .expect("is private");
    for address in [
        "mysql://gm:hunter2@127.0.0.1/rollbook",
        "postgres://gm:hunter2#@127.0.0.1:1/rollbook",
        "postgres://gm:hunter2@127.0.0.1:1/rollbook?sslmod=hunter2",
        "postgres://gm:hunter2@127.0.0.1:1/rollbook",
        "postgres://gm@127.0.0.1:1/rollbook?password=hunter2",
        "postgres://gm@127.0.0.1:1/rollbook",
    ] {
        for command in [
            &["verify"][..],
            &["campaigns", "list"],
            &["key", "list"],
            &["export", "--out", "a.jsonl"],
            &["serve"],
        ] {
            let mut rollbook = rollbook(folder.path());
            rollbook
                .args(command)
                .args(["--db", address])
                .env("PGPASSFILE", &passwords)
                .env("ROLLBOOK_LOG", "trace");
            let came = run(&mut rollbook);
            let words = format!("{}{}", came.out, came.err);
            // A server on pipes looks at its database when it is first asked.
            assert!(
                (came.code != 0 || command == ["serve"]) && !words.contains("hunter2"),
                "{command:?} {address}: {words}"
            );
        }
    }
    let names = std::fs::read_dir(folder.path())
        .expect("lists")
        .map(|entry| entry.expect("a file").file_name());
    let odd: Vec<_> = names
        .filter(|name| name.to_string_lossy().contains(':'))
        .collect();
    assert!(odd.is_empty(), "no file is named after an address: {odd:?}");
}
