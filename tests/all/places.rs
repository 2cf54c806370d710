//! Where a database lies: a disk that cannot be written, another person's folder, files that root
//! made beside it.

#![cfg(target_os = "linux")]

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use serde_json::json;
use tempfile::TempDir;

use crate::process::{Process, rollbook};

/// A user without rights, where this one is root.
const NOBODY: u32 = 65_534;

fn is_root() -> bool {
    fs::metadata("/proc/self").expect("is there").uid() == 0
}

/// The program as a user who may not write here.
fn as_nobody(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = rollbook(folder);
    if is_root() {
        let program = command.get_program().to_owned();
        command = Command::new("setpriv");
        command.args([
            &format!("--reuid={NOBODY}"),
            &format!("--regid={NOBODY}"),
            "--clear-groups",
        ]);
        command
            .arg(program)
            .current_dir(folder)
            .env("HOME", "/nonexistent");
    }
    command
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("it ends")
}

#[test]
fn a_closed_database_in_a_folder_that_cannot_be_written_is_read() {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let place = folder.path().to_owned();
    let mut server = Process::hello(folder.clone());
    for _ in 0..4 {
        server.done(
            "roll_dice",
            json!({"expression": "2d6", "context": "the lamp"}),
        );
    }
    server.end();
    let out = TempDir::new().expect("a folder");
    for (folder, mode) in [(&*place, 0o555), (out.path(), 0o777)] {
        fs::set_permissions(folder, Permissions::from_mode(mode)).expect("is set");
    }
    fs::set_permissions(place.join("campaigns.db"), Permissions::from_mode(0o444)).expect("is set");
    let file = |name: &str| out.path().join(name).display().to_string();
    let before = fs::read_dir(&place).expect("is read").count();
    for arguments in [
        vec!["verify", "--db", "campaigns.db"],
        vec!["log", "--db", "campaigns.db"],
        vec!["log", "--db", "campaigns.db", "--text", "lamp"],
        vec!["campaigns", "list", "--db", "campaigns.db"],
        vec!["receipt", "--db", "campaigns.db"],
        vec![
            "report",
            "--db",
            "campaigns.db",
            "--out",
            &file("report.html"),
        ],
        vec![
            "export",
            "--format",
            "jsonl",
            "--db",
            "campaigns.db",
            "--out",
            &file("copy.jsonl"),
        ],
        vec![
            "export",
            "--format",
            "db",
            "--audience",
            "gm",
            "--db",
            "campaigns.db",
            "--out",
            &file("copy.db"),
        ],
        vec![
            "backup",
            "--db",
            "campaigns.db",
            "--out",
            &file("backup.db"),
        ],
    ] {
        let came = as_nobody(&place, &arguments);
        assert!(
            came.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&came.stderr)
        );
    }
    assert_eq!(
        fs::read_dir(&place).expect("is read").count(),
        before,
        "nothing was made there"
    );
    fs::set_permissions(&place, Permissions::from_mode(0o755)).expect("is set");
}

/// A command that root types by hand leaves nothing behind that the service could not write.
#[test]
fn what_root_makes_beside_a_database_is_its_owners() {
    if !is_root() {
        return;
    }
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let place = folder.path().to_owned();
    let mut server = Process::hello(folder.clone());
    server.done("roll_dice", json!({"expression": "2d6"}));
    server.end();
    for file in fs::read_dir(&place).expect("is read").flatten() {
        match file.file_name() == "campaigns.db" {
            true => chown(file.path(), Some(NOBODY), Some(NOBODY)).expect("is given"),
            false => fs::remove_file(file.path()).expect("is removed"),
        }
    }
    chown(&place, Some(NOBODY), Some(NOBODY)).expect("is given");
    let run = |arguments: &[&str]| {
        let came = rollbook(&place)
            .args(arguments)
            .args(["--db", "campaigns.db"])
            .output()
            .expect("it ends");
        assert!(
            came.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&came.stderr)
        );
    };
    run(&["backup", "--out", "kept.db"]);
    run(&["export", "--format", "jsonl", "--out", "copy.jsonl"]);
    let mut server = Process::hello(folder.clone());
    server.done("manage_session", json!({"action": "end"}));
    server.end();
    for file in [
        "campaigns.db",
        "campaigns.db.lock",
        "checkpoints.log",
        "campaigns.db.backups",
    ] {
        let about =
            fs::metadata(place.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(about.uid(), NOBODY, "{file}");
    }
}
