//! `rollbook restore`: a database put back from a backup.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;
use tempfile::TempDir;

use super::{Came, ran};
use crate::process::Process;
use crate::table::has;

fn restore(folder: &Path, from: &str) -> Came {
    ran(folder, &["restore", from, "--db", "campaigns.db"])
}

fn rolls(server: &mut Process, campaign: &str, many: usize) {
    for _ in 0..many {
        server.done(
            "roll_dice",
            json!({"expression": "d6", "campaign": campaign}),
        );
    }
}

/// Two campaigns, a backup from before the second, one with both, and what was played in one of
/// them since, to the end of its session.
fn played() -> Arc<TempDir> {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let mut server = Process::hello(folder.clone());
    let backup = |name: &str| {
        let came = ran(
            folder.path(),
            &["backup", "--out", name, "--db", "campaigns.db"],
        );
        assert_eq!(came.code, 0, "{came:?}");
    };
    rolls(&mut server, "lockhouse", 3);
    backup("early.db");
    rolls(&mut server, "Côte", 1);
    backup("backup.db");
    rolls(&mut server, "lockhouse", 2);
    server.done(
        "manage_session",
        json!({"action": "end", "campaign": "lockhouse"}),
    );
    assert!(server.end().0.success());
    folder
}

/// What lies there; reading a database leaves SQLite's own files beside it.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let all = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|file| file.expect("a file").path());
    let ours = |path: &PathBuf| {
        path.is_file()
            && !["-wal", "-shm", ".lock"]
                .iter()
                .any(|end| path.to_string_lossy().ends_with(end))
    };
    let read = |path: PathBuf| (path.clone(), std::fs::read(path).expect("is read"));
    let mut files: Vec<(PathBuf, Vec<u8>)> = all.filter(ours).map(read).collect();
    files.sort();
    files
}

#[test]
fn a_backup_is_put_back_and_the_log_says_what_is_lost() {
    let folder = played();
    let place = folder.path();
    let newer = std::fs::read(place.join("campaigns.db")).expect("is read");
    let came = restore(place, "backup.db");
    assert_eq!(came.code, 0, "{came:?}");
    assert!(
        came.out
            .contains("lockhouse: 6 entries put back. Receipt: #7 "),
        "{came:?}"
    );
    assert!(
        came.err
            .contains("lost: lockhouse: The log ends at #6, and a checkpoint"),
        "{came:?}"
    );
    assert!(!came.err.contains("lost: Côte"), "{came:?}");
    let kept = place.join("campaigns.db.replaced-1/campaigns.db");
    has(
        &came.err,
        &["what it was before lies in ", "campaigns.db.replaced-1"],
    );
    assert_eq!(std::fs::read(kept).expect("is kept"), newer);

    // It is played on without being asked about the loss.
    let mut server = Process::hello(folder.clone());
    rolls(&mut server, "lockhouse", 1);
    let entry = server.done(
        "manage_session",
        json!({"action": "entry", "entry": 7, "campaign": "lockhouse"}),
    );
    let summary = entry["summary"].as_str().expect("text");
    assert!(
        summary.contains(
            "The database was put back from backup.db, up to #6; what came after is lost."
        ),
        "{summary}"
    );
    assert!(server.end().0.success());
    let verified = ran(place, &["verify", "--db", "campaigns.db"]);
    assert_eq!(verified.code, 0, "{verified:?}");
    assert!(
        verified
            .out
            .contains("the database was put back from backup.db. The log ends at #6"),
        "{verified:?}"
    );
    assert!(
        verified
            .out
            .contains("were lost, as this entry says: 1 checkpoint knows of it"),
        "{verified:?}"
    );
    // What replaced it can be replaced again, by what it was.
    let came = restore(place, "campaigns.db.replaced-1/campaigns.db");
    assert_eq!(came.code, 0, "{came:?}");
    assert!(place.join("campaigns.db.replaced-2/campaigns.db").exists());
    let verified = ran(place, &["verify", "--db", "campaigns.db"]);
    assert!(
        verified.code == 0
            && verified
                .out
                .contains("entries of another history up to #7 were given up"),
        "{verified:?}"
    );
    // The same backup once more.
    for _ in 0..2 {
        assert_eq!(restore(place, "backup.db").code, 0);
        let verified = ran(place, &["verify", "--db", "campaigns.db"]);
        assert!(
            verified.code == 0 && verified.out.contains("entries #7 to #"),
            "{verified:?}"
        );
    }
    let doctor = ran(place, &["doctor", "--db", "campaigns.db"]);
    assert!(
        doctor
            .out
            .contains("were lost, and the log says so since #7"),
        "{doctor:?}"
    );
}

#[test]
fn a_campaign_is_known_by_what_it_is_and_not_by_its_name() {
    let folder = played();
    let place = folder.path();
    let came = ran(
        place,
        &[
            "campaigns",
            "rename",
            "lockhouse",
            "Winter",
            "--db",
            "campaigns.db",
        ],
    );
    assert_eq!(came.code, 0, "{came:?}");
    let came = restore(place, "backup.db");
    assert_eq!(came.code, 0, "{came:?}");
    assert!(
        came.out.contains("lockhouse: 6 entries put back"),
        "{came:?}"
    );
    assert_eq!(ran(place, &["verify", "--db", "campaigns.db"]).code, 0);
}

#[cfg(unix)]
#[test]
fn nothing_is_put_back_where_no_checkpoint_can_be_written() {
    let folder = played();
    let place = folder.path();
    let log = place.join("checkpoints.log");
    let kept = std::fs::read(&log).expect("is read");
    std::fs::remove_file(&log).expect("is removed");
    std::fs::write(place.join("elsewhere"), kept).expect("is written");
    std::os::unix::fs::symlink(place.join("elsewhere"), &log).expect("a link");
    let newer = std::fs::read(place.join("campaigns.db")).expect("is read");
    let came = restore(place, "backup.db");
    assert_eq!(came.code, 2, "{came:?}");
    assert!(!place.join("campaigns.db.replaced-1").exists());
    assert_eq!(
        std::fs::read(place.join("campaigns.db")).expect("is there"),
        newer
    );
}

#[test]
fn a_damaged_or_missing_database_is_put_back() {
    let folder = played();
    let place = folder.path();
    std::fs::write(place.join("campaigns.db"), b"nothing of a database").expect("is written");
    let came = restore(place, "backup.db");
    assert_eq!(came.code, 0, "{came:?}");
    std::fs::remove_file(place.join("campaigns.db")).expect("is removed");
    let came = restore(place, "backup.db");
    assert_eq!(came.code, 0, "{came:?}");
    let mut server = Process::hello(folder.clone());
    rolls(&mut server, "lockhouse", 1);
    assert!(server.end().0.success());
}

#[test]
fn a_campaign_that_only_checkpoints_know_is_given_up_by_name_alone() {
    for is_damaged in [true, false] {
        let folder = played();
        let place = folder.path();
        let mut server = Process::hello(folder.clone());
        server.done(
            "manage_session",
            json!({"action": "end", "campaign": "Côte"}),
        );
        assert!(server.end().0.success());
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(place.join(format!("campaigns.db{end}")));
        }
        let left = if is_damaged {
            "nothing of a database"
        } else {
            ""
        };
        std::fs::write(place.join("campaigns.db"), left).expect("is written");
        let came = restore(place, "early.db");
        assert!(
            came.code == 2
                && came
                    .err
                    .contains("early.db lacks \"Côte\", which reached #"),
            "{came:?}"
        );
        assert!(came.err.contains("add --without 'Côte'"), "{came:?}");
        assert_eq!(
            std::fs::read_to_string(place.join("campaigns.db")).expect("is read"),
            left,
            "nothing was changed"
        );
        let other = ran(
            place,
            &[
                "restore",
                "early.db",
                "--db",
                "campaigns.db",
                "--without",
                "Cote d'Azur",
            ],
        );
        assert_eq!(other.code, 2, "{other:?}");

        let came = ran(
            place,
            &[
                "restore",
                "early.db",
                "--db",
                "campaigns.db",
                "--without",
                "Côte",
            ],
        );
        assert!(
            came.code == 0
                && came
                    .err
                    .contains("given up: campaign \"Côte\", which reached #"),
            "{came:?}"
        );
        let verified = ran(place, &["verify", "--db", "campaigns.db"]);
        assert!(
            verified.code == 0 && verified.out.contains("campaign \"Côte\" ("),
            "{verified:?}"
        );
        has(
            &verified.out,
            &["was given up on ", "early.db, which was put back then"],
        );
        let doctor = ran(place, &["doctor", "--db", "campaigns.db"]);
        assert!(
            doctor.out.contains("ok  file: ") && !doctor.out.contains("restore"),
            "{doctor:?}"
        );
        // It is not asked about again, and comes back with a copy that has it.
        assert_eq!(restore(place, "early.db").code, 0);
        assert_eq!(restore(place, "backup.db").code, 0);
        let verified = ran(place, &["verify", "--db", "campaigns.db"]);
        assert!(
            verified.code == 0 && !verified.out.contains("given up on"),
            "{verified:?}"
        );
    }
}

#[test]
fn a_campaign_that_an_earlier_restore_dropped_is_reported_with_the_way_to_give_it_up() {
    let folder = played();
    let place = folder.path();
    let mut server = Process::hello(folder.clone());
    server.done(
        "manage_session",
        json!({"action": "end", "campaign": "Côte"}),
    );
    assert!(server.end().0.success());
    for end in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(place.join(format!("campaigns.db{end}")));
    }
    std::fs::copy(place.join("early.db"), place.join("campaigns.db")).expect("is copied");
    let doctor = ran(place, &["doctor", "--db", "campaigns.db"]);
    assert!(
        doctor
            .out
            .contains("`rollbook restore FILE --without 'Côte'`"),
        "{doctor:?}"
    );
    let came = ran(
        place,
        &[
            "restore",
            "early.db",
            "--db",
            "campaigns.db",
            "--without",
            "Côte",
        ],
    );
    assert_eq!(came.code, 0, "{came:?}");
    assert_eq!(ran(place, &["verify", "--db", "campaigns.db"]).code, 0);
}

#[test]
fn what_a_readable_database_holds_and_a_copy_lacks_can_be_given_up() {
    let folder = played();
    let place = folder.path();
    let came = ran(
        place,
        &[
            "restore",
            "early.db",
            "--db",
            "campaigns.db",
            "--without",
            "côte",
        ],
    );
    assert!(
        came.code == 0 && came.err.contains("given up: campaign \"Côte\""),
        "{came:?}"
    );
    let verified = ran(place, &["verify", "--db", "campaigns.db"]);
    assert!(
        verified.code == 0 && verified.out.contains("was given up on "),
        "{verified:?}"
    );
}

#[test]
fn of_a_copy_that_cannot_be_read_another_copy_is_advised() {
    let folder = played();
    let place = folder.path();
    std::fs::write(place.join("text.db"), "text").expect("is written");
    let whole = std::fs::read(place.join("backup.db")).expect("is read");
    std::fs::write(place.join("cut.db"), &whole[..whole.len() / 2]).expect("is written");
    std::fs::create_dir(place.join("folder")).expect("is made");
    assert_eq!(restore(place, "backup.db").code, 0);
    for from in ["text.db", "cut.db", "folder", "campaigns.db.replaced-1"] {
        let came = restore(place, from);
        assert_eq!((came.code, came.out.as_str()), (2, ""), "{from}: {came:?}");
        assert!(
            !came.err.contains("with --db") && !came.err.contains("another with"),
            "{from}: {came:?}"
        );
        let named = if from.contains("replaced") {
            "campaigns.db.replaced-1/campaigns.db"
        } else {
            "campaigns.db.backups/"
        };
        let command = came
            .err
            .split('`')
            .nth(1)
            .and_then(|part| part.strip_prefix("rollbook "))
            .expect("a command");
        assert!(command.contains(named), "{from}: {came:?}");
        let came = ran(place, &command.split(' ').collect::<Vec<_>>());
        assert_eq!(came.code, 0, "{from}: {came:?}");
    }
}

#[test]
fn what_is_no_database_is_refused_and_nothing_is_changed() {
    let folder = played();
    let place = folder.path();
    let other = TempDir::new().expect("a folder");
    let other = Arc::new(other);
    let mut server = Process::hello(other.clone());
    rolls(&mut server, "lockhouse", 1);
    assert!(server.end().0.success());
    std::fs::copy(other.path().join("campaigns.db"), place.join("other.db")).expect("is copied");
    let export = [
        "--campaign",
        "Côte",
        "--out",
        "one.db",
        "--db",
        "campaigns.db",
    ];
    let came = ran(
        place,
        &[
            &["export", "--format", "db", "--audience", "gm"][..],
            &export,
        ]
        .concat(),
    );
    assert_eq!(came.code, 0, "{came:?}");
    let mut torn = std::fs::read(place.join("backup.db")).expect("is read");
    let at = torn
        .windows(7)
        .rposition(|window| window == b"\"total\"")
        .expect("a roll");
    torn[at + 8] ^= 1;
    std::fs::write(place.join("torn.db"), torn).expect("is written");
    std::fs::write(place.join("text.db"), "text").expect("is written");
    let before = files(place);
    for (from, says) in [
        ("other.db", "other.db is no copy of"),
        ("one.db", "but another database, with \"Côte\" in it as "),
        ("early.db", "early.db lacks \"Côte\""),
        ("torn.db", "torn.db does not verify"),
        ("text.db", "text.db"),
        ("none.db", "none.db"),
        ("campaigns.db", "is the database itself"),
    ] {
        let came = restore(place, from);
        assert_eq!((came.code, came.out.as_str()), (2, ""), "{came:?}");
        assert!(came.err.contains(says), "{from}: {came:?}");
        assert!(files(place) == before, "{from}");
    }
    // While a server plays.
    let mut server = Process::hello(folder.clone());
    rolls(&mut server, "lockhouse", 1);
    let came = restore(place, "backup.db");
    assert!(
        came.code == 2 && came.err.contains("Stop every server of it"),
        "{came:?}"
    );
    rolls(&mut server, "lockhouse", 1);
    assert!(server.end().0.success());
    let server = "postgres://nobody@127.0.0.1:1/nothing";
    let came = ran(
        place,
        &["restore", "backup.db", "--db", server, "--without", "Côte"],
    );
    assert!(
        came.code == 2 && came.err.contains("--without is for a file"),
        "{came:?}"
    );
    let came = ran(place, &["restore", "backup.db", "--db", server]);
    assert!(
        came.code == 2 && came.err.contains("postgres://nobody@127.0.0.1:1/nothing"),
        "{came:?}"
    );
}
