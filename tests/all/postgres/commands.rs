//! The commands on a database on a server, and campaigns carried there and back.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use rollbook_store::Store;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::server::Database;
use crate::live::campaign_of;
use crate::process::{LOCKHOUSE, dialogue, ran, ran_with, rollbook};
use crate::table::{NOW, Script, Scripted, has};

/// What a command says that must be done.
#[track_caller]
pub(super) fn well(folder: &Path, arguments: &[&str]) -> String {
    let came = ran(folder, arguments);
    assert_eq!(came.code, 0, "{arguments:?}: {} {}", came.out, came.err);
    format!("{}{}", came.out, came.err)
}

/// Plays a short scene with the real program, and lets it end.
pub(super) fn play(folder: &Path, db: &str, campaign: &str) {
    play_with(folder, db, campaign, &[]);
}

/// The same with more flags.
pub(super) fn play_with(folder: &Path, db: &str, campaign: &str, flags: &[&str]) {
    let input = dialogue([
        (
            "manage_character",
            json!({"action": "create", "name": "Sabeth", "kind": "player"}),
        ),
        (
            "roll_dice",
            json!({"expression": "4d6kh3", "request_id": "r1"}),
        ),
        (
            "manage_session",
            json!({"action": "note", "text": "Ein Schloß, ein Riegel."}),
        ),
        ("manage_session", json!({"action": "end"})),
    ]);
    let mut command = rollbook(folder);
    command
        .args([
            "serve",
            "--adventure",
            LOCKHOUSE,
            "--db",
            db,
            "--campaign",
            campaign,
        ])
        .args(flags);
    let came = ran_with(&mut command, &input);
    let answers: Vec<Value> = came
        .out
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    for id in [3, 4, 5] {
        let answer = answers
            .iter()
            .find(|answer| answer["id"] == id)
            .expect("an answer");
        assert_ne!(
            answer["result"]["isError"],
            json!(true),
            "{answer} {}",
            came.err
        );
        assert!(answer.get("error").is_none(), "{answer}");
    }
}

/// Where each campaign's log ends, as `campaigns list` and `verify` say it.
pub(super) fn verified(folder: &Path, db: &str) -> String {
    let came = ran(folder, &["verify", "--db", db]);
    assert_eq!(came.code, 0, "{} {}", came.out, came.err);
    came.out.lines().skip(1).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_command_takes_a_server() {
    let Some(database) = Database::empty() else {
        return;
    };
    let (folder, db) = (TempDir::new().expect("a folder"), database.url());
    let here = folder.path();
    play(here, &db, "The Lockhouse");
    let found = verified(here, &db);
    assert!(found.contains("The Lockhouse"), "{found}");
    let listed = well(here, &["campaigns", "list", "--db", &db]);
    assert!(listed.contains("The Lockhouse"), "{listed}");
    well(
        here,
        &[
            "key",
            "new",
            "--campaign",
            "The Lockhouse",
            "--seat",
            "gm",
            "--db",
            &db,
        ],
    );
    let keys = well(here, &["key", "list", "--db", &db]);
    let id = keys.split_whitespace().next().expect("an id").to_owned();
    well(here, &["key", "revoke", &id, "--db", &db]);
    assert!(well(here, &["key", "list", "--db", &db]).contains("revoked"));
    for (format, audience) in [
        ("jsonl", "player"),
        ("csv", "gm"),
        ("db", "gm"),
        ("db", "player"),
    ] {
        let out = format!("{format}-{audience}");
        well(
            here,
            &[
                "export",
                "--db",
                &db,
                "--format",
                format,
                "--audience",
                audience,
                "--out",
                &out,
            ],
        );
    }
    let end = |found: &str| {
        found
            .split("the log ends at")
            .nth(1)
            .map(|end| end.trim().to_owned())
    };
    assert_eq!(
        end(&verified(here, "db-gm")),
        end(&found),
        "the copy holds the same log"
    );
    assert!(end(&found).is_some_and(|end| end.starts_with('#')));
    well(
        here,
        &[
            "campaigns",
            "rename",
            "The Lockhouse",
            "The Quorum",
            "--db",
            &db,
        ],
    );
    assert!(well(here, &["campaigns", "list", "--db", &db]).contains("The Quorum"));
    assert!(verified(here, &db).contains("The Quorum"));
    let lines = std::fs::read_to_string(here.join(".local/share/rollbook/checkpoints.log"))
        .expect("checkpoints");
    assert!(
        lines.lines().count() >= 3 && lines.contains("\"book\":"),
        "{lines}"
    );
    database.execute("do $$ begin assert (select count(*) from checkpoints) >= 3; end $$");
}

#[test]
fn campaigns_are_carried_to_a_server_and_back_with_their_chain() {
    let Some(database) = Database::empty() else {
        return;
    };
    let (folder, db) = (TempDir::new().expect("a folder"), database.url());
    let here = folder.path();
    play(here, "first.db", "The Lockhouse");
    play(here, "first.db", "The Quorum");
    let output = well(here, &["copy", "--from", "first.db", "--to", &db]);
    assert!(
        output.contains("2 campaigns of first.db copied to postgres://"),
        "{output}"
    );
    well(
        here,
        &[
            "copy",
            "--from",
            &db,
            "--to",
            "second.db",
            "--campaign",
            "the quorum",
        ],
    );
    well(
        here,
        &[
            "copy",
            "--from",
            &db,
            "--to",
            "second.db",
            "--campaign",
            "The Lockhouse",
        ],
    );
    let whole = |db: &str| {
        for campaign in ["The Lockhouse", "The Quorum"] {
            let out = format!("{campaign}-{}.jsonl", db.len());
            let _ = std::fs::remove_file(here.join(&out));
            well(
                here,
                &[
                    "export",
                    "--db",
                    db,
                    "--campaign",
                    campaign,
                    "--audience",
                    "gm",
                    "--out",
                    &out,
                ],
            );
        }
        ["The Lockhouse", "The Quorum"].map(|campaign| {
            std::fs::read_to_string(here.join(format!("{campaign}-{}.jsonl", db.len())))
                .expect("an export")
        })
    };
    let first = whole("first.db");
    assert_eq!(
        whole(&db),
        first,
        "every byte that was hashed is on the server"
    );
    let (_, third) = (whole("second.db"), whole("second.db"));
    assert_eq!(third, first, "and came back");
    let again = ran(here, &["copy", "--from", "first.db", "--to", &db]);
    assert!(
        again.code == 2 && again.err.contains("has this very campaign already"),
        "{}",
        again.err
    );
    play(here, "third.db", "The Quorum");
    let other = ran(here, &["copy", "--from", "third.db", "--to", &db]);
    assert!(
        other.code == 2
            && other
                .err
                .contains("has another campaign \"The Quorum\" already"),
        "{}",
        other.err
    );
    // Played on where it arrived, with the answer that was kept for a call.
    play(here, &db, "The Lockhouse");
    verified(here, &db);
}

#[test]
fn what_does_not_verify_is_not_carried() {
    let Some(database) = Database::empty() else {
        return;
    };
    let (folder, db) = (TempDir::new().expect("a folder"), database.url());
    play(folder.path(), &db, "The Lockhouse");
    database.execute("update characters set level = 20");
    let refused = ran(folder.path(), &["copy", "--from", &db, "--to", "first.db"]);
    assert!(
        refused.code == 2 && refused.err.contains("does not verify"),
        "{}",
        refused.err
    );
    assert!(!folder.path().join("first.db").exists());
    let nothing = ran(
        folder.path(),
        &[
            "copy",
            "--from",
            &db,
            "--to",
            "first.db",
            "--campaign",
            "The Quorum",
        ],
    );
    has(
        &nothing.err,
        &["there is no campaign \"The Quorum\"", "The Lockhouse"],
    );
}

#[test]
fn a_backup_is_a_whole_copy_that_is_played_on_from() {
    let Some(database) = Database::empty() else {
        return;
    };
    let folder = TempDir::new().expect("a folder");
    let (url, out) = (database.url(), folder.path().join("club.dump"));
    play(folder.path(), &url, "lockhouse");
    // As docs/hosting.md has it.
    let mut dump = Command::new("pg_dump");
    let dumped = dump
        .args(["--format=custom", "--no-owner"])
        .arg(format!("--dbname={url}"))
        .arg("--file")
        .arg(&out)
        .output();
    assert!(dumped.expect("pg_dump runs").status.success());
    let other = Database::empty().expect("a server");
    let restored = Command::new("pg_restore")
        .arg(format!("--dbname={}", other.url()))
        .arg(&out)
        .output();
    let restored = restored.expect("pg_restore runs");
    assert!(restored.status.success(), "{restored:?}");
    let verified = well(folder.path(), &["verify", "--db", &other.url()]);
    assert!(verified.contains("lockhouse: verified"), "{verified}");
    let file = folder.path().join("club.db");
    well(
        folder.path(),
        &["copy", "--from", &url, "--to", &file.display().to_string()],
    );
    let copy = folder.path().join("copy.db");
    let output = well(
        folder.path(),
        &[
            "backup",
            "--db",
            &file.display().to_string(),
            "--out",
            &copy.display().to_string(),
        ],
    );
    assert!(
        output.contains("1 campaign in it") && output.contains("backed up to"),
        "{output}"
    );
    let again = ran(
        folder.path(),
        &["backup", "--db", &url, "--out", &copy.display().to_string()],
    );
    assert!(
        again.code == 2 && again.err.contains("is there already"),
        "{}",
        again.err
    );
    well(
        folder.path(),
        &["verify", "--db", &copy.display().to_string()],
    );
}

#[test]
fn a_campaign_is_removed_from_a_server_on_which_others_play() {
    let Some(database) = Database::empty() else {
        return;
    };
    let (folder, db) = (TempDir::new().expect("a folder"), database.url());
    let here = folder.path();
    play(here, &db, "The Lockhouse");
    play(here, &db, "The Quorum");
    well(
        here,
        &[
            "key",
            "new",
            "--campaign",
            "The Quorum",
            "--seat",
            "gm",
            "--db",
            &db,
        ],
    );
    let quorum = verified(here, &db);
    let (location, script) = (database.location(None), Script::default());
    script.add([3, 4]);
    super::server::blocking(async || {
        let store = Arc::new(Store::open(&location).await.expect("opens"));
        let live = campaign_of(store, "The Quorum", Box::new(Scripted::new(script)), || NOW).await;
        assert!(live.exists().await.expect("is read"));
        let output = well(
            here,
            &[
                "campaigns",
                "remove",
                "the quorum",
                "--export",
                "quorum.db",
                "--db",
                &db,
            ],
        );
        assert!(
            output.contains("\"The Quorum\" is removed")
                && output.contains("quorum.db holds all of it"),
            "{output}"
        );
        // A server that has it open finds it gone and nothing lost, and begins a new one under its
        // name.
        assert!(!live.exists().await.expect("is read"));
        assert_eq!(live.history_lost().await, None);
        let before = live.before().await.expect("what became of it");
        assert!(before.contains("was removed on"), "{before}");
    });
    let rest = verified(here, &db);
    assert!(
        !rest.contains("The Quorum: verified") && rest.contains("The Lockhouse: verified"),
        "{rest}"
    );
    let end = |found: &str| {
        found
            .split("The Quorum: verified")
            .nth(1)
            .and_then(|part| part.split('#').nth(1).map(str::to_owned))
    };
    assert_eq!(end(&verified(here, "quorum.db")), end(&quorum));
    assert!(!well(here, &["key", "list", "--db", &db]).contains("Quorum"));
    database.execute("do $$ begin assert (select count(*) from log) > 0; end $$");
    let refused = ran(
        here,
        &[
            "campaigns",
            "remove",
            "The Quorum",
            "--export",
            "again.db",
            "--db",
            &db,
        ],
    );
    assert!(
        refused.code == 2 && refused.err.contains("The Lockhouse"),
        "{}",
        refused.err
    );
    assert!(!here.join("again.db").exists());
    play(here, &db, "The Quorum");
    verified(here, &db);
}

#[test]
fn a_user_who_may_only_read_is_notified_who_may_write() {
    let Some(database) = Database::empty() else {
        return;
    };
    let (folder, db) = (TempDir::new().expect("a folder"), database.url());
    play(folder.path(), &db, "The Lockhouse");
    let guest = format!("guest_of_{}", database.name());
    database.execute(&format!(
        "create role {guest} login; grant select on all tables in schema public to {guest}"
    ));
    let read = well(folder.path(), &["verify", "--db", &database.url_of(&guest)]);
    assert!(read.contains("The Lockhouse: verified"), "{read}");
    let refused = ran(
        folder.path(),
        &[
            "campaigns",
            "rename",
            "The Lockhouse",
            "Other",
            "--db",
            &database.url_of(&guest),
        ],
    );
    assert_eq!(refused.code, 2, "{}", refused.out);
    has(&refused.err, &["permission denied", "who made the tables"]);
    assert_eq!(
        well(folder.path(), &["verify", "--db", &db]),
        read.replace(&guest, "postgres")
    );
}
