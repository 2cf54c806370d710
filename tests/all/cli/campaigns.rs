//! `rollbook campaigns`: list, rename, remove, and servers that play what was renamed or removed.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Came, ran};
use crate::process::{Process, rollbook};
use crate::table::has;

fn campaigns(folder: &Path, arguments: &[&str]) -> Came {
    let mut all = vec!["campaigns"];
    all.extend(arguments);
    all.extend(["--db", "campaigns.db"]);
    ran(folder, &all)
}

#[track_caller]
fn done(folder: &Path, arguments: &[&str]) -> Came {
    let came = campaigns(folder, arguments);
    assert_eq!(came.code, 0, "{came:?}");
    came
}

/// What it says instead of doing it; the database is as it was.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let before = list(folder);
    let came = campaigns(folder, arguments);
    assert_eq!((came.code, came.out.as_str()), (2, ""), "{came:?}");
    assert_eq!(list(folder), before);
    came.err
}

fn list(folder: &Path) -> Value {
    serde_json::from_str(&done(folder, &["list", "--json"]).out).expect("JSON")
}

fn names(folder: &Path) -> Vec<String> {
    let all = list(folder);
    all.as_array()
        .expect("a list")
        .iter()
        .map(|row| row["name"].as_str().expect("text").to_owned())
        .collect()
}

#[track_caller]
fn verified(folder: &Path) -> String {
    let came = ran(folder, &["verify", "--db", "campaigns.db"]);
    assert_eq!(came.code, 0, "{came:?}");
    came.out
}

fn make_key(folder: &Path, campaign: &str) {
    let came = ran(
        folder,
        &[
            "key",
            "new",
            "--campaign",
            campaign,
            "--seat",
            "gm",
            "--db",
            "campaigns.db",
        ],
    );
    assert_eq!(came.code, 0, "{came:?}");
}

fn roll(server: &mut Process, campaign: &str) -> Value {
    server.done(
        "roll_dice",
        json!({"expression": "d6", "campaign": campaign}),
    )
}

/// A database with the campaigns lockhouse and Côte, each with a session that ended; Côte has a
/// character and a key.
fn played() -> Arc<TempDir> {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let mut server = Process::hello(folder.clone());
    for campaign in ["lockhouse", "Côte"] {
        roll(&mut server, campaign);
    }
    server.done(
        "manage_character",
        json!({"action": "create", "name": "Ana", "kind": "player", "campaign": "Côte"}),
    );
    for campaign in ["lockhouse", "Côte"] {
        server.done(
            "manage_session",
            json!({"action": "end", "campaign": campaign}),
        );
    }
    assert!(server.end().0.success());
    make_key(folder.path(), "cote");
    folder
}

#[test]
fn a_list_has_a_line_a_campaign_with_its_counts() {
    let folder = played();
    let all = list(folder.path());
    let cote = &all[0];
    for (field, value) in [
        ("name", json!("Côte")),
        ("adventure", json!("lockhouse")),
        ("entries", json!(6)),
        ("sessions", json!(1)),
        ("characters", json!(1)),
        ("keys", json!(1)),
    ] {
        assert_eq!(cote[field], value, "{all:#}");
    }
    assert!(
        cote["bytes"].as_u64().is_some_and(|bytes| bytes > 1000),
        "{all:#}"
    );
    let at = cote["last_written"].as_str().expect("a moment");
    assert!(at.starts_with("20") && at.ends_with('Z'), "{at}");
    assert_eq!(
        (&all[1]["name"], &all[1]["keys"]),
        (&json!("lockhouse"), &json!(0))
    );
    let table = done(folder.path(), &["list"]).out;
    let lines: Vec<&str> = table.lines().collect();
    assert!(
        lines.len() == 3 && lines[0].starts_with("NAME") && lines[1].starts_with("Côte  "),
        "{table}"
    );
    assert!(
        lines[1].contains(at) && lines[2].starts_with("lockhouse  lockhouse  "),
        "{table}"
    );
    let none = ran(folder.path(), &["campaigns", "list", "--db", "none.db"]);
    assert!(
        none.code == 2 && none.err.contains("there is no database at none.db"),
        "{none:?}"
    );
    assert!(!folder.path().join("none.db").exists());
}

#[test]
fn a_renamed_campaign_goes_on_with_its_log_and_its_keys() {
    let folder = played();
    let came = done(folder.path(), &["rename", "COTE", " Winter "]);
    assert!(
        came.out
            .starts_with("\"Côte\" is called \"Winter\" from now on. Receipt: #7 "),
        "{came:?}"
    );
    assert!(came.err.contains("--campaign \"Winter\""), "{came:?}");
    assert_eq!(names(folder.path()), ["Winter", "lockhouse"]);
    assert_eq!(list(folder.path())[0]["keys"], 1);
    let text = verified(folder.path());
    assert!(text.contains("Winter: verified. 7 entries"), "{text}");
    let keys = ran(folder.path(), &["key", "list", "--db", "campaigns.db"]).out;
    assert!(keys.contains("  Winter  gm"), "{keys}");

    // Exports of both audiences have the entry, and the copies verify.
    for audience in ["player", "gm"] {
        let out = format!("{audience}.jsonl");
        let export = [
            "export",
            "--db",
            "campaigns.db",
            "--campaign",
            "winter",
            "--audience",
            audience,
            "--out",
            &out,
        ];
        assert_eq!(ran(folder.path(), &export).code, 0);
        let text = std::fs::read_to_string(folder.path().join(&out)).expect("text");
        assert!(
            text.contains("The campaign Côte is called Winter from now on."),
            "{text}"
        );
        let copy = ran(folder.path(), &["verify", "--copy", &out]);
        assert_eq!(copy.code, 0, "{copy:?}");
    }

    let mut server = Process::hello(folder.clone());
    let recap = server.done(
        "manage_session",
        json!({"action": "recap", "campaign": "winter"}),
    );
    assert!(
        recap.to_string().contains("is called Winter from now on"),
        "{recap}"
    );
    let on = server.done(
        "roll_dice",
        json!({"expression": "d6", "campaign": "Winter"}),
    );
    assert_eq!(
        (&on["log"], &on["history_lost"]),
        (&json!(9), &Value::Null),
        "{on}"
    );
    let undo = server.call(
        "manage_session",
        json!({"action": "undo", "entry": 7, "campaign": "Winter"}),
    );
    assert_eq!(
        undo["structuredContent"]["code"], "nothing_to_undo",
        "{undo}"
    );
    assert!(
        undo.to_string().contains("rollbook campaigns rename"),
        "{undo}"
    );
    assert!(server.end().0.success());
    verified(folder.path());
}

#[test]
fn the_former_name_is_free_and_who_uses_it_reads_which_campaign_had_it() {
    let folder = played();
    done(folder.path(), &["rename", "Côte", "Winter"]);
    let mut server = Process::hello(folder.clone());
    let read = server.call("get_character", json!({"list": true, "campaign": "Côte"}));
    let text = read.to_string();
    assert_eq!(read["structuredContent"]["code"], "unknown_campaign");
    assert!(
        text.contains("is called \\\"Winter\\\" now") || text.contains("is called \"Winter\" now"),
        "{text}"
    );
    let new = roll(&mut server, "Côte");
    let summary = new["summary"].as_str().expect("text");
    assert!(
        summary.starts_with("A new campaign, \"Côte\", is made by this call"),
        "{summary}"
    );
    assert!(
        summary.contains("The campaign that had this name is called \"Winter\" now"),
        "{summary}"
    );
    assert_eq!(new["log"], 4);
    assert!(
        !roll(&mut server, "Côte")["summary"]
            .as_str()
            .expect("text")
            .contains("Winter")
    );
    server.done(
        "manage_session",
        json!({"action": "end", "campaign": "Côte"}),
    );
    assert!(server.end().0.success());
    assert_eq!(names(folder.path()), ["Côte", "Winter", "lockhouse"]);
    verified(folder.path());
    // And back, in a ring.
    done(folder.path(), &["rename", "Côte", "Spring"]);
    done(folder.path(), &["rename", "Winter", "Côte"]);
    verified(folder.path());
    let mut server = Process::hello(folder.clone());
    assert_eq!(roll(&mut server, "Côte")["log"], 10);
    assert!(server.end().0.success());
}

#[test]
fn a_name_that_is_taken_or_is_none_is_refused() {
    let folder = played();
    for (from, to, words) in [
        (
            "lockhouse",
            "COTE",
            "There is a campaign \"Côte\" already. Take another name, or rename or remove that one first.",
        ),
        (
            "lockhouse",
            "lockhouse",
            "The campaign is called \"lockhouse\" already.",
        ),
        (
            "Nowhere",
            "Winter",
            "there is no campaign \"Nowhere\"; `rollbook campaigns list` shows",
        ),
        ("lockhouse", " ", "empty"),
        ("lockhouse", "two\nlines", "control character"),
    ] {
        let refusal = refused(folder.path(), &["rename", from, to]);
        assert!(
            refusal.contains(words) || (to.contains('\n') && refusal.contains("one line")),
            "{to}: {refusal}"
        );
    }
    // Its own name in capitals is its own.
    done(folder.path(), &["rename", "lockhouse", "Lockhouse"]);
    assert_eq!(names(folder.path()), ["Côte", "Lockhouse"]);
    let none = ran(
        folder.path(),
        &["campaigns", "rename", "a", "b", "--db", "none.db"],
    );
    assert!(
        none.code == 2 && !folder.path().join("none.db").exists(),
        "{none:?}"
    );
}

#[test]
fn a_running_server_plays_on_under_the_new_name() {
    let folder = played();
    let mut server = Process::hello(folder.clone());
    for campaign in ["lockhouse", "Côte"] {
        roll(&mut server, campaign);
    }
    done(folder.path(), &["rename", "lockhouse", "Summer"]);
    done(folder.path(), &["rename", "Côte", "Winter"]);
    // Calls that name no campaign go on with the one they had.
    let answer = server.done("roll_dice", json!({"expression": "d6"}));
    assert_eq!(
        (&answer["log"], &answer["history_lost"]),
        (&json!(9), &Value::Null),
        "{answer}"
    );
    let status = server.done("manage_session", json!({"action": "status"}));
    assert_eq!(
        (&status["campaign"], &status["history_lost"]),
        (&json!("Summer"), &Value::Null),
        "{status}"
    );
    let winter = server.done(
        "get_character",
        json!({"name": "Ana", "campaign": "winter"}),
    );
    assert_eq!(winter["campaign"], "Winter", "{winter}");
    // Calls that name one mean the name.
    let read = server.call("get_character", json!({"name": "Ana", "campaign": "Côte"}));
    assert_eq!(
        read["structuredContent"]["code"], "unknown_campaign",
        "{read}"
    );
    let new = roll(&mut server, "Côte");
    assert_eq!(
        (&new["log"], &new["campaign"]),
        (&json!(4), &json!("Côte")),
        "{new}"
    );
    // Once another campaign has the default's name, calls that name none mean that one.
    make_key(folder.path(), "lockhouse");
    let answer = server.done("roll_dice", json!({"expression": "d6"}));
    assert_eq!(answer["log"], 4, "{answer}");
    assert!(server.end().0.success());
    assert_eq!(
        names(folder.path()),
        ["Côte", "Summer", "Winter", "lockhouse"]
    );
    verified(folder.path());
}

#[test]
fn a_removed_campaign_leaves_its_export_and_a_line_that_says_so() {
    let folder = played();
    let came = done(folder.path(), &["remove", "cote", "--export", "cote.db"]);
    let export = folder.path().join("cote.db");
    assert!(
        came.out
            .starts_with("\"Côte\" is removed: 6 entries, receipt #6 "),
        "{came:?}"
    );
    assert!(came.out.contains(&export.display().to_string()), "{came:?}");
    assert_eq!(names(folder.path()), ["lockhouse"]);
    let receipt = came
        .out
        .split("receipt ")
        .nth(1)
        .and_then(|rest| rest.split('.').next())
        .expect("a receipt");
    let copy = ran(
        folder.path(),
        &["verify", "--db", "cote.db", "--receipt", receipt],
    );
    assert!(
        copy.code == 0 && copy.out.contains("Côte: verified. 6 entries"),
        "{copy:?}"
    );
    assert_eq!(
        ran(folder.path(), &["key", "list", "--db", "campaigns.db"]).out,
        "",
        "its keys are gone"
    );

    let text = verified(folder.path());
    let note = text
        .lines()
        .find(|line| line.contains("was removed on 20"))
        .expect("a note");
    assert!(
        note.starts_with("note: campaign \"Côte\" (") && note.contains(receipt),
        "{text}"
    );
    let lines = std::fs::read_to_string(folder.path().join("checkpoints.log")).expect("text");
    let last: Value = serde_json::from_str(lines.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["seq"], &last["name"]), (&json!(6), &json!("Côte")));
    assert!(Path::new(last["removed_to"].as_str().expect("a path")).ends_with("cote.db"));

    let mut server = Process::hello(folder.clone());
    let read = server.call("get_character", json!({"list": true, "campaign": "Côte"}));
    assert!(read.to_string().contains("was removed on 20"), "{read}");
    let new = roll(&mut server, "Côte");
    let summary = new["summary"].as_str().expect("text");
    assert!(
        summary.contains("is made by this call") && summary.contains("was removed on 20"),
        "{summary}"
    );
    assert_eq!(
        (&new["log"], &new["history_lost"]),
        (&json!(4), &Value::Null)
    );
    assert!(server.end().0.success());
    verified(folder.path());

    // The export is played on by itself.
    let mut command = rollbook(folder.path());
    command.args([
        "serve",
        "--adventure",
        crate::process::LOCKHOUSE,
        "--campaign",
        "Côte",
        "--db",
        "cote.db",
    ]);
    let came = super::run(command.stdin(Stdio::null()));
    assert_eq!(came.code, 0, "{came:?}");
}

#[test]
fn the_only_campaign_can_be_removed_and_verify_says_so() {
    let folder = played();
    for campaign in ["Côte", "lockhouse"] {
        done(
            folder.path(),
            &["remove", campaign, "--export", &format!("{campaign}.db")],
        );
    }
    assert_eq!(names(folder.path()), [""; 0]);
    assert!(
        done(folder.path(), &["list"])
            .err
            .contains("holds no campaign")
    );
    let text = verified(folder.path());
    assert_eq!(
        text.lines()
            .filter(|line| line.contains("was removed on"))
            .count(),
        2,
        "{text}"
    );
    let named = ran(
        folder.path(),
        &["verify", "--db", "campaigns.db", "--campaign", "lockhouse"],
    );
    assert_eq!(named.code, 0, "{named:?}");
    let other = ran(
        folder.path(),
        &["verify", "--db", "campaigns.db", "--campaign", "never"],
    );
    assert_eq!(other.code, 2, "{other:?}");
    let mut server = Process::hello(folder.clone());
    assert_eq!(
        server.done("roll_dice", json!({"expression": "d6"}))["history_lost"],
        Value::Null
    );
}

#[test]
fn a_removal_is_refused_while_a_server_plays_and_without_a_place_for_the_export() {
    let folder = played();
    std::fs::write(folder.path().join("mine.db"), "mine").expect("is written");
    for (arguments, words) in [
        (
            &["remove", "Nowhere", "--export", "out.db"][..],
            "there is no campaign \"Nowhere\"",
        ),
        (
            &["remove", "lockhouse", "--export", "mine.db"],
            "mine.db is there already; name another file with --export",
        ),
        (
            &["remove", "lockhouse", "--export", "none/out.db"],
            "none/out.db",
        ),
        (&["remove", "lockhouse"], "--export"),
    ] {
        has(refused(folder.path(), arguments), &[words]);
    }
    assert_eq!(
        std::fs::read_to_string(folder.path().join("mine.db")).expect("text"),
        "mine"
    );
    let mut server = Process::hello(folder.clone());
    roll(&mut server, "Côte");
    let words = refused(
        folder.path(),
        &["remove", "lockhouse", "--export", "out.db"],
    );
    assert!(words.contains("Stop every server of it"), "{words}");
    assert!(!folder.path().join("out.db").exists());
    assert!(server.end().0.success());
    done(
        folder.path(),
        &["remove", "lockhouse", "--export", "out.db"],
    );
    verified(folder.path());
}

#[test]
fn a_campaign_that_does_not_verify_is_not_removed() {
    let folder = played();
    let database = folder.path().join("campaigns.db");
    let forged = "update sessions set title = 'forged' where campaign = 1";
    crate::table::Record::of(&database)
        .execute(forged)
        .expect("forged");
    let words = refused(
        folder.path(),
        &["remove", "lockhouse", "--export", "out.db"],
    );
    assert!(
        words.contains("was not removed, because its export does not verify"),
        "{words}"
    );
    assert!(!folder.path().join("out.db").exists());
}

/// Does something with the campaign `long` and kills it, later and later until it ends by itself;
/// the database verifies each time. `is_done` says whether it was done; then its export verifies,
/// too.
fn killed(action: &str, is_done: impl Fn(&Path) -> bool) {
    let folder = played();
    let mut server = Process::hello(folder.clone());
    let rolls = json!({"rolls": [{"expression": "20d6"}], "repeat": 50, "campaign": "long"});
    for _ in 0..20 {
        server.call("roll_multiple", rolls.clone());
        roll(&mut server, "long");
    }
    assert!(server.end().0.success());
    let keep =
        |name: &str, to: &Path| std::fs::copy(folder.path().join(name), to.join(name)).map(drop);
    let mut ends = std::collections::BTreeSet::new();
    let mut wait = Duration::ZERO;
    loop {
        let folder = TempDir::new().expect("a folder");
        for name in ["campaigns.db", "checkpoints.log"] {
            keep(name, folder.path()).expect("is copied");
        }
        let mut child = rollbook(folder.path())
            .args([
                "campaigns",
                action,
                "long",
                "--export",
                "long.db",
                "--db",
                "campaigns.db",
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(wait);
        let ended = child.try_wait().expect("can be asked").is_some();
        let _ = child.kill();
        child.wait().expect("it ends");
        let is_done = is_done(folder.path());
        verified(folder.path());
        if is_done {
            let copy = ran(folder.path(), &["verify", "--db", "long.db"]);
            assert!(
                copy.code == 0 && copy.out.contains("long: verified"),
                "{copy:?}"
            );
        }
        ends.insert(is_done);
        if ended {
            break;
        }
        wait += Duration::from_micros(1500);
    }
    assert_eq!(
        ends.into_iter().collect::<Vec<_>>(),
        [false, true],
        "killed before and ended after"
    );
}

#[test]
fn a_removal_that_is_killed_leaves_the_campaign_whole_or_removed_with_its_export() {
    killed("remove", |folder| {
        !names(folder).contains(&"long".to_owned())
    });
}

#[test]
fn a_continuation_that_is_killed_leaves_the_campaign_as_it_was_or_goes_on_whole() {
    killed("continue", |folder| {
        let all = names(folder);
        assert_eq!(
            all.iter().filter(|name| *name == "long").count(),
            1,
            "{all:?}"
        );
        all.iter().any(|name| name.starts_with("long (until 20"))
    });
}

#[test]
fn a_campaign_goes_on_in_a_new_log_with_its_name_and_its_keys() {
    let folder = played();
    let mut server = Process::hello(folder.clone());
    roll(&mut server, "Côte");
    let words = refused(folder.path(), &["continue", "Côte", "--export", "cote.db"]);
    assert!(words.contains("Stop every server of it"), "{words}");
    assert!(!folder.path().join("cote.db").exists());
    assert!(server.end().0.success());
    let came = done(folder.path(), &["continue", "cote", "--export", "cote.db"]);
    assert!(
        came.out
            .starts_with("\"Côte\" goes on in a new log, receipt #2 "),
        "{came:?}"
    );
    let all = list(folder.path());
    let former = all[1]["name"].as_str().expect("text").to_owned();
    assert!(
        all[0]["name"] == "Côte" && former.starts_with("Côte (until 20"),
        "{all:#}"
    );
    assert_eq!(
        (&all[0]["keys"], &all[1]["keys"], &all[0]["characters"]),
        (&json!(1), &json!(0), &json!(1)),
        "{all:#}"
    );
    verified(folder.path());

    let mut server = Process::hello(folder.clone());
    let new = roll(&mut server, "Côte");
    assert_eq!(
        (&new["log"], &new["history_lost"]),
        (&json!(4), &Value::Null),
        "{new}"
    );
    let closed = server.call("roll_dice", json!({"expression": "d6", "campaign": former}));
    assert!(closed.to_string().contains("continued"), "{closed}");
    assert!(server.end().0.success());
    verified(folder.path());

    // What is not needed any more is removed; the new log says where the export is.
    done(folder.path(), &["remove", &former, "--export", "old.db"]);
    let text = verified(folder.path());
    assert!(
        text.contains("it goes on from a log that is not in this database"),
        "{text}"
    );
    let words = refused(folder.path(), &["rename", "Nowhere", "x"]);
    assert!(words.contains("there is no campaign"), "{words}");
}
