//! `rollbook init`: from a program alone to a table, for each client.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::{Came, Process, rollbook, run};

/// A folder to play in, and a home of its own beside it.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = TempDir::new().expect("a folder");
        for name in ["home", "project"] {
            std::fs::create_dir(folder.path().join(name)).expect("is made");
        }
        Place { folder }
    }

    fn project(&self) -> PathBuf {
        self.folder
            .path()
            .join("project")
            .canonicalize()
            .expect("is there")
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn command(&self) -> Command {
        let mut command = rollbook(&self.project());
        for name in [
            "XDG_DATA_HOME",
            "XDG_CONFIG_HOME",
            "CLAUDE_CONFIG_DIR",
            "APPDATA",
        ] {
            command.env_remove(name);
        }
        command.env("HOME", self.home()).stdin(Stdio::null());
        command
    }

    /// What it printed, where it did what it was asked.
    #[track_caller]
    fn init(&self, arguments: &[&str]) -> String {
        let (code, out, err) = self.tried(arguments);
        assert_eq!(code, 0, "{arguments:?}: {err}");
        out
    }

    /// Why it refused.
    #[track_caller]
    fn refused(&self, arguments: &[&str]) -> String {
        let (code, out, err) = self.tried(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
        err
    }

    fn tried(&self, arguments: &[&str]) -> (i32, String, String) {
        let Came { code, out, err } = run(self.command().arg("init").args(arguments));
        (code, out, err)
    }
}

fn json_in(file: &Path) -> Value {
    let text =
        std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The server that settings name, started as they say.
/// The same of a project's settings, whose folder the client puts in, or starts the server in.
fn started_in(server: &Value, project: &Path) -> Process {
    let text = server
        .to_string()
        .replace("${workspaceFolder}", &project.display().to_string());
    started(&serde_json::from_str(&text).expect("JSON"), project)
}

fn started(server: &Value, somewhere: &Path) -> Process {
    let mut command = Command::new(server["command"].as_str().expect("a command"));
    let arguments = server["args"]
        .as_array()
        .expect("arguments")
        .iter()
        .filter_map(Value::as_str);
    command
        .args(arguments)
        .current_dir(somewhere)
        .env_remove("CLAUDE_PROJECT_DIR");
    let mut server = Process::serving(command, Arc::new(TempDir::new().expect("a folder")));
    server.initialize();
    server
}

#[cfg(target_os = "linux")]
#[test]
fn every_client_s_settings_start_the_server_with_the_campaign() {
    let config = "home/.config";
    for (client, place, file, key) in [
        (
            "claude-code",
            "project",
            "project/.mcp.json".to_owned(),
            "mcpServers",
        ),
        (
            "claude-code",
            "user",
            "home/.claude.json".to_owned(),
            "mcpServers",
        ),
        (
            "claude-desktop",
            "user",
            format!("{config}/Claude/claude_desktop_config.json"),
            "mcpServers",
        ),
        (
            "vscode",
            "project",
            "project/.vscode/mcp.json".to_owned(),
            "servers",
        ),
        (
            "vscode",
            "user",
            format!("{config}/Code/User/mcp.json"),
            "servers",
        ),
        (
            "cursor",
            "project",
            "project/.cursor/mcp.json".to_owned(),
            "mcpServers",
        ),
        (
            "cursor",
            "user",
            "home/.cursor/mcp.json".to_owned(),
            "mcpServers",
        ),
    ] {
        let here = Place::new();
        let text = here.init(&[
            "--adventure",
            "lockhouse",
            "--client",
            client,
            "--place",
            place,
        ]);
        let settings = json_in(&here.folder.path().join(&file));
        let server = &settings[key]["rollbook"];
        assert_eq!(
            server["type"].as_str(),
            (client == "vscode").then_some("stdio"),
            "{client}: {settings}"
        );
        let mut server = match place {
            "project" => started_in(server, &here.project()),
            _ => started(server, here.folder.path()),
        };
        let status = server.done(
            "manage_session",
            json!({"action": "status", "detail": "full"}),
        );
        assert_eq!(
            (&status["adventure"], &status["campaign"]),
            (&json!("lockhouse"), &json!("lockhouse")),
            "{client}"
        );
        assert!(
            status["log_length"].as_u64() > Some(0),
            "{client}: the campaign was made: {status}"
        );
        assert!(
            text.contains("Rollbook") && text.contains(file.rsplit('/').next().expect("a name")),
            "{text}"
        );
        assert!(here.project().join("lockhouse/Adventure.md").is_file());
    }
}

#[test]
fn what_is_in_the_settings_stays_and_a_copy_is_kept() {
    let here = Place::new();
    let file = here.project().join(".vscode/mcp.json");
    std::fs::create_dir(file.parent().expect("a folder")).expect("is made");
    let before = "{\n\t// mine\n\t\"inputs\": [],\n\t\"servers\": {\n\t\t\"other\": {\"command\": \"x\"},\n\t},\n}\n";
    std::fs::write(&file, before).expect("is written");
    let wanted = ["--adventure", "quorum", "--client", "vscode"];
    here.init(&wanted);
    let after = std::fs::read_to_string(&file).expect("text");
    for line in before.lines() {
        assert!(after.contains(line), "{line:?} in {after}");
    }
    assert!(after.contains("\"rollbook\""), "{after}");
    let backup = here.project().join(".vscode/mcp.json.bak");
    assert_eq!(std::fs::read_to_string(&backup).expect("text"), before);

    // Once more changes nothing and keeps no further copy; another campaign is not written over the
    // first unasked.
    assert!(here.init(&wanted).contains("knows Rollbook already"));
    assert_eq!(std::fs::read_to_string(&file).expect("text"), after);
    let other = [wanted.as_slice(), &["--campaign", "North"]].concat();
    assert!(here.refused(&other).contains("--replace"));
    assert_eq!(std::fs::read_to_string(&file).expect("text"), after);
    here.init(&[other.as_slice(), &["--replace"]].concat());
    assert!(
        std::fs::read_to_string(&file)
            .expect("text")
            .contains("\"North\"")
    );
    assert_eq!(
        std::fs::read_to_string(here.project().join(".vscode/mcp.json.bak1")).expect("text"),
        after
    );
}

#[test]
fn settings_that_cannot_be_read_are_left_alone_and_nothing_else_is_written() {
    for (text, words) in [
        ("{\"mcpServers\": {", "is not JSON at line 1"),
        ("[]", "no object"),
        ("{\"mcpServers\": 7}", "\"mcpServers\" is no object"),
    ] {
        let here = Place::new();
        let file = here.project().join(".mcp.json");
        std::fs::write(&file, text).expect("is written");
        let refused = here.refused(&["--adventure", "lockhouse", "--client", "claude-code"]);
        assert!(
            refused.contains(words) && refused.contains("nothing was changed"),
            "{refused}"
        );
        assert_eq!(std::fs::read_to_string(&file).expect("text"), text);
        assert!(!here.project().join("lockhouse").exists(), "{text}");
    }
    let here = Place::new();
    let long = "x".repeat(500);
    here.refused(&[
        "--adventure",
        "lockhouse",
        "--client",
        "claude-code",
        "--campaign",
        &long,
    ]);
    assert!(
        !here.project().join("lockhouse").exists(),
        "a name that cannot be one"
    );
}

#[test]
fn without_a_terminal_it_says_which_flags_to_send_and_sending_them_works() {
    let here = Place::new();
    for given in [
        &[][..],
        &["--client", "cursor"],
        &["--adventure", "lockhouse"],
    ] {
        let refused = here.refused(given);
        assert!(
            refused.contains("rollbook init --adventure lockhouse --client claude-code"),
            "{refused}"
        );
    }
    assert!(
        here.init(&["--adventure", "lockhouse", "--client", "claude-code"])
            .contains("type:")
    );
    assert!(
        here.refused(&["--adventure", "nowhere", "--client", "none"])
            .contains("lockhouse"),
        "names what there is"
    );
    let refused = here.refused(&[
        "--adventure",
        "lockhouse",
        "--client",
        "claude-desktop",
        "--place",
        "project",
    ]);
    assert!(refused.contains("--place user"), "{refused}");
}

#[test]
fn an_adventure_of_one_s_own_is_taken_where_it_lies_and_nothing_is_written_over() {
    let here = Place::new();
    std::fs::write(
        here.project().join("System.md"),
        "# Ours\n\n## Skills\n- Climbing (Strength)\n",
    )
    .expect("is written");
    let text = here.init(&["--client", "none", "--campaign", "Ours"]);
    assert!(
        text.contains("the campaign Ours, made") && text.contains("rollbook play"),
        "{text}"
    );
    assert!(
        here.init(&["--client", "none", "--campaign", "ours"])
            .contains("the campaign Ours, there already")
    );

    let here = Place::new();
    here.init(&["--adventure", "lockhouse", "--client", "none"]);
    let changed = here.project().join("lockhouse/Adventure.md");
    std::fs::write(&changed, "mine").expect("is written");
    here.init(&["--adventure", "lockhouse", "--client", "none"]);
    assert_eq!(std::fs::read_to_string(&changed).expect("text"), "mine");
}

/// What is printed opens that very table, pasted into a shell of another folder.
#[cfg(unix)]
#[test]
fn the_line_for_the_terminal_opens_the_table_that_was_set_up() {
    let here = Place::new();
    let folder = here.project().join("it's mine");
    std::fs::create_dir(&folder).expect("is made");
    std::fs::write(
        folder.join("System.md"),
        "# Ours\n\n## Skills\n- Climbing (Strength)\n",
    )
    .expect("is written");
    let db = here.folder.path().join("our games/c.db");
    let text = here.init(&[
        "--adventure",
        "it's mine",
        "--client",
        "none",
        "--db",
        db.to_str().expect("text"),
        "--campaign",
        "Our $HOME",
    ]);
    assert!(
        text.contains("The plugin of Claude Code opens the one adventure"),
        "{text}"
    );
    let line = text
        .lines()
        .rev()
        .find(|line| line.starts_with("  rollbook play"))
        .expect("a line");
    let program = env!("CARGO_BIN_EXE_rollbook");
    let script = format!(
        "printf '/session\n' | {}",
        line.trim().replacen("rollbook", &format!("'{program}'"), 1)
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(here.home())
        .env("HOME", here.home())
        .output()
        .expect("it runs");
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && out.contains("Our $HOME"),
        "{script}: {output:?}"
    );
}

#[test]
fn what_is_in_the_way_is_named_with_what_to_do_and_nothing_is_left() {
    let wanted = ["--adventure", "lockhouse", "--client", "claude-code"];
    let refused = |arguments: &[&str], prepare: &dyn Fn(&Path)| {
        let here = Place::new();
        prepare(&here.project());
        let why = here.refused(arguments);
        assert!(!here.project().join(".rollbook").exists(), "{why}");
        why
    };
    let with = |name: &'static str, text: &'static str| {
        move |project: &Path| std::fs::write(project.join(name), text).expect("is written")
    };
    assert!(refused(&wanted, &with("lockhouse", "x")).contains("Move it away"));
    assert!(
        refused(
            &wanted,
            &with(".mcp.json", "{\"mcpServers\": {\"x\": 1, \"x\": 2}}")
        )
        .contains("\"x\" twice")
    );
    assert!(
        refused(
            &["--adventure", "a.md", "--client", "none"],
            &with("a.md", "x")
        )
        .contains("a.md is a file")
    );
    assert!(
        refused(&["--adventure", "", "--client", "none"], &|_| ()).contains("--adventure is empty")
    );
    let empty = |project: &Path| std::fs::create_dir(project.join("lockhouse")).expect("is made");
    assert!(refused(&wanted, &empty).contains("is empty, so there is nothing to play. Remove it"));
    // A file where the folder of the settings should be.
    let vscode = ["--adventure", "lockhouse", "--client", "vscode"];
    assert!(refused(&vscode, &with(".vscode", "x")).contains("cannot "));
    #[cfg(unix)]
    for name in ["lockhouse", ".mcp.json"] {
        let link = |project: &Path| {
            std::os::unix::fs::symlink("/nowhere/at/all", project.join(name)).expect("is made")
        };
        assert!(
            refused(&wanted, &link).contains("a link that leads nowhere"),
            "{name}"
        );
    }
}

/// Nothing is written into /proc, by nobody. The settings of the user are elsewhere, and what the
/// refusal says works.
#[cfg(target_os = "linux")]
#[test]
fn in_a_folder_that_takes_no_settings_those_of_the_user_are_offered() {
    let here = Place::new();
    here.init(&["--adventure", "lockhouse", "--client", "none"]);
    let adventure = here.project().join("lockhouse");
    let init = |more: &[&str]| {
        let mut command = here.command();
        command
            .current_dir("/proc")
            .env("CLAUDE_PROJECT_DIR", "/proc")
            .arg("init")
            .arg("--adventure")
            .arg(&adventure);
        command
            .args(["--client", "claude-code"])
            .args(more)
            .output()
            .expect("the program starts")
    };
    let refused = init(&[]);
    let why = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{why}");
    assert!(
        why.contains("cannot write /proc/.mcp.json: ") && why.contains("Send --place user"),
        "{why}"
    );
    assert!(why.contains("nothing was changed"), "{why}");
    let homes = || {
        std::fs::read_dir(here.home())
            .expect("lists")
            .flatten()
            .map(|entry| entry.path())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        homes(),
        Vec::<PathBuf>::new(),
        "the folder for the database is gone again"
    );
    let done = init(&["--place", "user"]);
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    assert!(here.home().join(".claude.json").is_file(), "{:?}", homes());
}

/// Where nothing can be undone safely, the refusal says what was made.
#[test]
fn what_was_made_before_it_failed_is_named() {
    let here = Place::new();
    let db = here.project().join("campaigns.db");
    std::fs::write(&db, "no database").expect("is written");
    let why = here.refused(&[
        "--adventure",
        "lockhouse",
        "--client",
        "none",
        "--db",
        "campaigns.db",
    ]);
    assert!(
        why.contains("This was made before and stays: ") && why.contains("lockhouse"),
        "{why}"
    );
    assert_eq!(std::fs::read_to_string(&db).expect("text"), "no database");
}

/// The plugin's server is started without an adventure: it finds the one that `init` wrote into the
/// project.
#[test]
fn the_one_adventure_of_a_project_is_served_without_naming_it() {
    let here = Place::new();
    here.init(&["--adventure", "lockhouse", "--client", "none"]);
    let serve = || {
        let mut command = here.command();
        command.arg("serve");
        command
    };
    let mut server = Process::started(serve(), Arc::new(TempDir::new().expect("a folder")));
    server.initialize();
    let status = server.done(
        "manage_session",
        json!({"action": "status", "detail": "full"}),
    );
    assert_eq!(status["adventure"], "lockhouse");
    here.init(&["--adventure", "quorum", "--client", "none"]);
    let output = serve()
        .stdin(std::process::Stdio::null())
        .output()
        .expect("it runs");
    let why = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(2) && why.contains("lockhouse, quorum"),
        "of two neither is taken: {why}"
    );
}

/// npx empties its cache as it likes, and settings that fetch a program by its name start whatever
/// has that name then.
#[cfg(unix)]
#[test]
fn a_program_that_npx_fetched_writes_no_settings() {
    let here = Place::new();
    let cache = here.folder.path().join("_npx/1/node_modules");
    std::fs::create_dir_all(&cache).expect("is made");
    std::fs::copy(env!("CARGO_BIN_EXE_rollbook"), cache.join("rollbook")).expect("is copied");
    let mut command = Command::new(cache.join("rollbook"));
    command
        .current_dir(here.project())
        .env("HOME", here.home())
        .env_remove("CLAUDE_PROJECT_DIR");
    let output = command
        .args(["init", "--adventure", "lockhouse", "--client", "cursor"])
        .output()
        .expect("it runs");
    let why = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && why.contains("Install it (docs/install.md)"),
        "{why}"
    );
    assert!(!here.project().join(".cursor").exists());
}

/// A folder with its settings is copied, and moved: it opens its own table.
#[cfg(unix)]
#[test]
fn settings_of_a_folder_open_the_table_of_the_folder_they_lie_in() {
    for (client, file, key) in [
        ("claude-code", ".mcp.json", "mcpServers"),
        ("vscode", ".vscode/mcp.json", "servers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
    ] {
        let here = Place::new();
        here.init(&[
            "--adventure",
            "lockhouse",
            "--client",
            client,
            "--place",
            "project",
        ]);
        let text = std::fs::read_to_string(here.project().join(file)).expect("text");
        let project = here.project().display().to_string();
        assert!(!text.contains(&project), "{text}");
        let copied = here.folder.path().join("copied");
        let done = Command::new("cp")
            .arg("-r")
            .arg(here.project())
            .arg(&copied)
            .status()
            .expect("cp runs");
        assert!(done.success());
        let mut server = started_in(&json_in(&copied.join(file))[key]["rollbook"], &copied);
        assert!(server.done("roll_dice", json!({"expression": "1d6"}))["log"].is_u64());
        server.end();
        let entries = |folder: &Path| {
            let came = here
                .command()
                .args(["campaigns", "list", "--json", "--db"])
                .arg(folder.join(".rollbook/campaigns.db"))
                .output();
            let all: Value = serde_json::from_slice(&came.expect("it runs").stdout).expect("JSON");
            all[0]["entries"].as_u64().expect("a count")
        };
        assert!(
            entries(&copied) > entries(&here.project()),
            "{client}: the first one was written to"
        );

        // What names another folder is reported, with what to do.
        let other = text
            .replace("\"lockhouse\"", &format!("\"{project}/lockhouse\""))
            .replace("${workspaceFolder}", &project);
        if other != text {
            std::fs::write(copied.join(file), other).expect("is written");
            let came = here
                .command()
                .arg("doctor")
                .current_dir(&copied)
                .output()
                .expect("it runs");
            let text = String::from_utf8_lossy(&came.stdout);
            assert!(
                text.contains("opens a table of another folder") && text.contains("--replace"),
                "{client}: {text}"
            );
        }
    }
}
