//! `rollbook doctor`: what is wrong around a table, each with its fix.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Came, ran, run};
use crate::process::{Process, rollbook};
use crate::table::Record;

/// What is found in a folder by a user whose home it is, too.
fn looked(folder: &Path, arguments: &[&str]) -> Came {
    let mut command = rollbook(folder);
    command
        .args(["doctor", "--db", "campaigns.db"])
        .args(arguments)
        .env("HOME", folder)
        .env_remove("CLAUDE_CONFIG_DIR");
    run(command
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("CLAUDE_PROJECT_DIR"))
}

/// The finding about something, with its fix.
#[track_caller]
fn finding(folder: &Path, at: &str) -> (String, String) {
    let came = looked(folder, &["--json", "--adventure", "rules"]);
    assert_eq!(came.code, 1, "{came:?}");
    let all: Vec<Value> = serde_json::from_str(&came.out).expect("JSON");
    let ill: Vec<&Value> = all
        .iter()
        .filter(|finding| finding["ok"] == false)
        .collect();
    assert_eq!(
        ill.iter().map(|finding| &finding["at"]).collect::<Vec<_>>(),
        [at],
        "{came:?}"
    );
    let text = |field: &str| ill[0][field].as_str().expect("text").to_owned();
    (text("found"), text("fix"))
}

/// A table that was played at, and whose session ended with a backup.
fn played() -> Arc<TempDir> {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    std::fs::create_dir(folder.path().join("rules")).expect("is made");
    std::fs::write(
        folder.path().join("rules/System.md"),
        "# Small\n\n## Checks\n\n- Roll: `d20 + {skill}`\n",
    )
    .expect("is written");
    let mut server = Process::hello(folder.clone());
    server.done("roll_dice", json!({"expression": "d6"}));
    server.done("manage_session", json!({"action": "end"}));
    assert!(server.end().0.success());
    folder
}

#[test]
fn a_table_in_order_is_well() {
    let folder = played();
    let came = looked(folder.path(), &["--adventure", "rules"]);
    assert_eq!(came.code, 0, "{came:?}");
    for line in [
        "ok  folder: ",
        "ok  file: campaigns.db holds 1 campaign and ",
        "ok  backups: ",
        "ok  checkpoints: 1 checkpoint",
        "ok  rules: Small",
        "ok  stdout: the server answers as rollbook ",
    ] {
        assert!(
            came.out
                .lines()
                .any(|found_line| found_line.starts_with(line)),
            "{line}: {came:?}"
        );
    }
    assert!(came.out.ends_with("All is well.\n"), "{came:?}");
}

#[test]
fn each_thing_that_is_wrong_is_one_finding_with_its_fix() {
    let folder = played();
    let place = folder.path();
    // A client that starts what is not there.
    let settings = place.join(".mcp.json");
    std::fs::write(
        &settings,
        json!({"mcpServers": {"rollbook": {"command": "/no/where", "args": []}}}).to_string(),
    )
    .expect("is written");
    let (found, fix) = finding(place, "client");
    assert!(
        found.contains("no program /no/where") && fix.contains("rollbook init --replace"),
        "{found} {fix}"
    );
    std::fs::write(&settings, "{").expect("is written");
    assert!(finding(place, "client").0.contains("is not JSON"));
    std::fs::remove_file(&settings).expect("is removed");
    // The place where `claude mcp add` enters it.
    let project = place
        .canonicalize()
        .expect("is there")
        .display()
        .to_string();
    let of_project = json!({"mcpServers": {"rollbook": {"command": "sh", "args": ["serve", "--adventure", "/no/where"]}}});
    std::fs::write(
        place.join(".claude.json"),
        json!({"projects": {project: of_project}}).to_string(),
    )
    .expect("is written");
    assert!(finding(place, "client").0.contains("no folder /no/where"));
    std::fs::remove_file(place.join(".claude.json")).expect("is removed");

    let checkpoints = place.join("checkpoints.log");
    std::fs::rename(&checkpoints, place.join("kept.log")).expect("is moved");
    let (found, fix) = finding(place, "checkpoints");
    assert!(
        found.contains("no line of campaign \"lockhouse\", though 1 of its sessions ended"),
        "{found}"
    );
    assert!(fix.contains("rollbook export --out FILE"), "{fix}");
    // As the fix says.
    let exported = ran(
        place,
        &["export", "--db", "campaigns.db", "--out", "out.jsonl"],
    );
    assert_eq!(exported.code, 0, "{exported:?}");
    assert_eq!(looked(place, &["--adventure", "rules"]).code, 0);
    std::fs::rename(place.join("kept.log"), &checkpoints).expect("is moved");

    let rules = place.join("rules/System.md");
    std::fs::rename(&rules, place.join("kept.md")).expect("is moved");
    assert!(finding(place, "rules").1.contains("rollbook init"));
    std::fs::rename(place.join("kept.md"), &rules).expect("is moved");

    let backups = place.join("campaigns.db.backups");
    std::fs::rename(&backups, place.join("kept")).expect("is moved");
    let (found, fix) = finding(place, "backups");
    assert!(
        found.contains("there is none in campaigns.db.backups that"),
        "{found}"
    );
    // As the fix says.
    let came = follow(place, &fix);
    assert_eq!(came.code, 0, "{came:?}");
    assert_eq!(looked(place, &["--adventure", "rules"]).code, 0);
    // One that is damaged is named, and gone back to is the one before it.
    std::fs::remove_dir_all(&backups).expect("is removed");
    std::fs::rename(place.join("kept"), &backups).expect("is moved");
    let made = std::fs::read_dir(&backups)
        .expect("a folder")
        .next()
        .expect("a backup")
        .expect("a file")
        .path();
    std::fs::write(backups.join("000002-2026-11-20T20-30-00Z.db"), "torn").expect("is written");
    let (found, fix) = finding(place, "backups");
    assert!(
        found.contains("campaigns.db.backups/000002-2026-11-20T20-30-00Z.db is damaged"),
        "{found}"
    );
    assert!(
        found.contains("the newest good one is campaigns.db.backups/000001-")
            && fix.contains("remove"),
        "{fix}"
    );
    std::fs::rename(&made, place.join("good.db")).expect("is moved");
    let (found, _) = finding(place, "backups");
    assert!(
        found.contains("20-30-00Z.db is damaged") && !found.contains("newest good"),
        "{found}"
    );
    std::fs::rename(place.join("good.db"), &made).expect("is moved");
    std::fs::remove_file(backups.join("000002-2026-11-20T20-30-00Z.db")).expect("is removed");

    // A line that is no checkpoint.
    let lines = std::fs::read_to_string(&checkpoints).expect("is read");
    std::fs::write(&checkpoints, format!("{lines}garbage\n")).expect("is written");
    let (found, fix) = finding(place, "checkpoints");
    assert!(
        found.contains("checkpoints.log line 2 is no checkpoint"),
        "{found}"
    );
    assert!(
        fix.contains("take that line alone out") && !fix.contains("restore"),
        "{fix}"
    );
    // As the fix says.
    std::fs::write(&checkpoints, lines).expect("is written");
    assert_eq!(looked(place, &["--adventure", "rules"]).code, 0);

    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let database = place.join("campaigns.db");
        std::fs::set_permissions(&database, std::fs::Permissions::from_mode(0o644))
            .expect("is set");
        assert_eq!(finding(place, "file").1, "chmod 600 campaigns.db");
        std::fs::set_permissions(&database, std::fs::Permissions::from_mode(0o600))
            .expect("is set");
    }

    let whole = std::fs::read(place.join("campaigns.db")).expect("is read");
    std::fs::write(place.join("campaigns.db"), "nothing of a database").expect("is written");
    let (_, fix) = finding(place, "file");
    assert!(
        fix.contains("`rollbook restore campaigns.db.backups/000001-"),
        "{fix}"
    );
    std::fs::write(place.join("campaigns.db"), whole).expect("is written");
    assert_eq!(looked(place, &["--adventure", "rules"]).code, 0);
}

/// Runs the command that is in a text between backticks.
#[track_caller]
fn follow(place: &Path, text: &str) -> Came {
    let command = text
        .split('`')
        .nth(1)
        .and_then(|command| command.strip_prefix("rollbook "))
        .expect("a command");
    ran(place, &command.split(' ').collect::<Vec<_>>())
}

#[test]
fn a_database_that_is_gone_is_found_by_what_is_left_beside_it() {
    let folder = played();
    let place = folder.path();
    let gone = |says: &str| {
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(place.join(format!("campaigns.db{end}")));
        }
        let (found, fix) = finding(place, "file");
        assert!(
            found.contains("it is empty or gone") && found.contains(says),
            "{found}"
        );
        let refused = ran(place, &["verify", "--db", "campaigns.db"]);
        assert!(
            refused.code == 2 && refused.err.contains(says),
            "{refused:?}"
        );
        let came = follow(place, &fix);
        assert_eq!(came.code, 0, "{came:?}");
        assert_eq!(looked(place, &["--adventure", "rules"]).code, 0);
    };
    gone("checkpoints.log says that it held campaign \"lockhouse\" up to entry #");
    std::fs::remove_file(place.join("checkpoints.log")).expect("is removed");
    gone("backups of it are still beside it");
}

#[cfg(unix)]
#[test]
fn of_a_link_the_file_itself_is_named() {
    let folder = played();
    let place = folder.path();
    let there = place.join("there");
    std::fs::create_dir(&there).expect("is made");
    for name in ["campaigns.db", "checkpoints.log", "campaigns.db.backups"] {
        std::fs::rename(place.join(name), there.join(name)).expect("is moved");
    }
    std::os::unix::fs::symlink(there.join("campaigns.db"), place.join("campaigns.db"))
        .expect("a link");
    let (_, fix) = finding(place, "file");
    let itself = there
        .join("campaigns.db")
        .canonicalize()
        .expect("is there")
        .display()
        .to_string();
    assert!(
        fix.contains(&format!("Name the file itself, {itself}, with --db")),
        "{fix}"
    );
    assert!(!fix.contains("restore"), "{fix}");
    std::fs::remove_file(there.join("campaigns.db")).expect("is removed");
    assert!(
        finding(place, "file")
            .1
            .contains("Name the file itself with --db"),
        "leads nowhere"
    );
}

#[test]
fn a_missing_adventure_is_one_finding() {
    let folder = played();
    let came = looked(folder.path(), &["--adventure", "nowhere"]);
    assert_eq!(
        came.out
            .lines()
            .filter(|line| line.starts_with("!!"))
            .count(),
        1,
        "{came:?}"
    );
}

#[test]
fn an_older_copy_in_the_place_of_the_database_is_found() {
    let folder = played();
    let place = folder.path();
    std::fs::copy(place.join("campaigns.db"), place.join("older.db")).expect("is copied");
    let mut server = Process::hello(folder.clone());
    server.done("roll_dice", json!({"expression": "d6"}));
    server.done("manage_session", json!({"action": "end"}));
    assert!(server.end().0.success());
    std::fs::rename(place.join("older.db"), place.join("campaigns.db")).expect("is moved");
    let came = looked(place, &["--adventure", "rules"]);
    assert_eq!(came.code, 1, "{came:?}");
    assert!(
        came.out.contains("!!  checkpoints: ") && came.out.contains("put the newer database back"),
        "{came:?}"
    );
}

#[test]
fn tables_that_differ_from_a_sound_log_are_made_anew_from_it() {
    let folder = played();
    let place = folder.path();
    let mut server = Process::hello(folder.clone());
    for name in ["Ann", "Bob"] {
        server.done(
            "manage_character",
            json!({"action": "create", "name": name, "kind": "player"}),
        );
    }
    server.done(
        "manage_character",
        json!({"action": "update", "name": "Ann", "level": 3}),
    );
    server.end();
    let file = place.join("campaigns.db");
    let execute = |sql: &str| Record::of(&file).execute(sql).expect("is done");
    execute(
        "update characters set level = 9 where name = 'Ann'; delete from characters where name = 'Bob'; delete from sessions",
    );
    let verify = |place: &Path| ran(place, &["verify", "--db", "campaigns.db"]);
    assert_eq!(verify(place).code, 1);
    let came = looked(place, &["--adventure", "rules"]);
    assert!(
        came.out
            .contains("differed from what the log adds up to, and were made anew from it"),
        "{came:?}"
    );
    assert_eq!((came.code, verify(place).code), (0, 0), "{came:?}");

    // A log that was changed is nothing to make tables of.
    execute(
        "drop trigger log_is_never_updated; update log set actor = 'x' where seq = 2; update characters set level = 9",
    );
    let came = looked(place, &["--adventure", "rules"]);
    assert!(
        came.code == 1 && !came.out.contains("anew from it"),
        "{came:?}"
    );
    assert_eq!(verify(place).code, 1);
}
