//! Backups of campaigns on a server, and how they are put back.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::commands::{play, play_with, verified, well};
use super::server::Database;
use crate::process::ran;

/// The files that sessions left, by name.
fn made(here: &Path) -> Vec<PathBuf> {
    let folder = here.join(".local/share/rollbook/backups");
    let files = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(|file| file.expect("a file").path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.is_file()).collect();
    files.sort();
    files
}

fn name(file: &Path) -> &str {
    file.file_name().expect("a name").to_str().expect("text")
}

fn shown(file: &Path) -> &str {
    file.to_str().expect("text")
}

/// Where a campaign's log ends, of what `verify` says.
#[track_caller]
fn end(found: &str, campaign: &str) -> String {
    let line = found
        .lines()
        .find(|line| line.starts_with(&format!("{campaign}: verified")))
        .expect(found);
    line.split('#').nth(1).expect("an entry").to_owned()
}

#[test]
fn the_end_of_a_session_leaves_a_backup_of_its_campaign_that_is_put_back_while_others_play() {
    let Some(database) = Database::empty() else {
        return;
    };
    let (folder, db) = (TempDir::new().expect("a folder"), database.url());
    let here = folder.path();
    play(here, &db, "The Lockhouse");
    play(here, &db, "The Quorum");
    let files = made(here);
    let [lockhouse, quorum] = &files[..] else {
        panic!("{files:?}")
    };
    assert!(
        name(lockhouse).starts_with("the-lockhouse-") && name(lockhouse).contains("-000001-"),
        "{files:?}"
    );
    assert!(name(quorum).starts_with("the-quorum-"), "{files:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(
            lockhouse.metadata().expect("is there").permissions().mode() & 0o777,
            0o600
        );
    }
    let backed_up = end(&verified(here, shown(lockhouse)), "The Lockhouse");
    assert_eq!(
        end(&verified(here, &db), "The Lockhouse"),
        backed_up,
        "the file holds the same log"
    );
    let doctor = ran(here, &["doctor", "--db", &db]);
    assert!(
        doctor
            .out
            .contains("ok  backups: every campaign has a good one"),
        "{}",
        doctor.out
    );

    // What is played since, in both; within the hour no other backup is made.
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
    play(here, &db, "The Lockhouse");
    play(here, &db, "The Quorum");
    assert_eq!(made(here), files);
    let quorum_ends = end(&verified(here, &db), "The Quorum");
    let output = well(here, &["restore", shown(lockhouse), "--db", &db]);
    assert!(
        output.contains("put back. Receipt: #") && output.contains("lost: The Lockhouse: "),
        "{output}"
    );
    let found = verified(here, &db);
    assert!(
        found.contains("the database was put back from the-lockhouse-"),
        "{found}"
    );
    assert_eq!(
        end(&found, "The Quorum"),
        quorum_ends,
        "the other campaign is as it was"
    );
    assert!(
        well(here, &["key", "list", "--db", &db]).contains("The Lockhouse"),
        "its keys open it as before"
    );

    // What it was before is kept, and can be put back itself.
    let kept = here.join(".local/share/rollbook/backups/replaced-1.db");
    assert!(output.contains("replaced-1.db"), "{output}");
    let before = end(&verified(here, shown(&kept)), "The Lockhouse");
    assert_ne!(before, backed_up);
    well(here, &["restore", shown(&kept), "--db", &db]);
    assert!(verified(here, &db).contains("put back from replaced-1.db"));
    play(here, &db, "The Lockhouse");
    verified(here, &db);
    database.execute("do $$ begin assert (select count(*) from campaigns) = 2; end $$");
}

#[test]
fn a_whole_backup_is_put_back_where_nothing_is_left() {
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
    let output = well(here, &["backup", "--db", &db, "--out", "club.db"]);
    assert!(output.contains("2 campaigns in it"), "{output}");
    let (there, copy) = (verified(here, &db), verified(here, "club.db"));
    for campaign in ["The Lockhouse", "The Quorum"] {
        assert_eq!(end(&there, campaign), end(&copy, campaign));
    }
    let exported = |db: &str, out: &str| {
        well(
            here,
            &[
                "export",
                "--db",
                db,
                "--campaign",
                "The Quorum",
                "--audience",
                "gm",
                "--out",
                out,
            ],
        );
        std::fs::read_to_string(here.join(out)).expect("an export")
    };
    assert_eq!(
        exported(&db, "one.jsonl"),
        exported("club.db", "two.jsonl"),
        "byte for byte"
    );
    // It is played in as a file, too.
    std::fs::copy(here.join("club.db"), here.join("played.db")).expect("is copied");
    play(here, "played.db", "The Quorum");

    let other = Database::empty().expect("a server");
    well(here, &["restore", "club.db", "--db", &other.url()]);
    let found = verified(here, &other.url());
    assert_eq!(found.matches("put back from club.db").count(), 2, "{found}");
    assert!(
        well(here, &["key", "list", "--db", &other.url()]).contains("The Quorum"),
        "with its keys"
    );
    play(here, &other.url(), "The Quorum");
    // Checkpoints know it by the same name, so that the same copy is one of it again.
    well(here, &["restore", "club.db", "--db", &other.url()]);
    verified(here, &other.url());
}

#[test]
fn a_log_that_was_changed_is_put_back_and_kept_as_it_was() {
    let Some(database) = Database::empty() else {
        return;
    };
    let (folder, db) = (TempDir::new().expect("a folder"), database.url());
    let here = folder.path();
    play(here, &db, "The Lockhouse");
    let backup = made(here).remove(0);
    database.execute(
        "alter table log disable trigger user; update log set chain = leaf where seq = 2; delete from log where seq = 3;
         alter table log enable trigger user; update characters set level = 20",
    );
    assert_eq!(ran(here, &["verify", "--db", &db]).code, 1);
    let doctor = ran(here, &["doctor", "--db", &db]);
    assert!(
        doctor
            .out
            .contains("`rollbook restore FILE` puts a backup in its place"),
        "{}",
        doctor.out
    );
    well(here, &["restore", shown(&backup), "--db", &db]);
    verified(here, &db);
    let kept = here.join(".local/share/rollbook/backups/replaced-1.db");
    let found = ran(here, &["verify", "--db", shown(&kept)]);
    assert!(
        found.code == 1 && found.out.contains("#2"),
        "{} {}",
        found.out,
        found.err
    );
}

#[test]
fn what_is_no_campaign_is_refused_and_nothing_is_changed() {
    let Some(database) = Database::empty() else {
        return;
    };
    let (folder, db) = (TempDir::new().expect("a folder"), database.url());
    let here = folder.path();
    play(here, &db, "The Lockhouse");
    let backup = made(here).remove(0);
    play(here, "other.db", "The Lockhouse");
    let mut torn = std::fs::read(&backup).expect("is read");
    let at = torn
        .windows(7)
        .rposition(|window| window == b"\"total\"")
        .expect("a roll");
    torn[at + 8] ^= 1;
    std::fs::write(here.join("torn.db"), torn).expect("is written");
    std::fs::write(here.join("text.db"), "text").expect("is written");
    let before = verified(here, &db);
    let refused = |from: &str, says: &str| {
        let came = ran(here, &["restore", from, "--db", &db]);
        assert!(
            came.code == 2 && came.err.contains(says),
            "{from}: {}",
            came.err
        );
        assert_eq!(verified(here, &db), before, "{from}");
    };
    refused("other.db", "is no copy of postgres://");
    refused("torn.db", "does not verify");
    refused("text.db", "text.db");
    refused("none.db", "none.db");
    // Its name is another's by now.
    well(
        here,
        &[
            "campaigns",
            "rename",
            "The Lockhouse",
            "Winter",
            "--db",
            &db,
        ],
    );
    play(here, &db, "The Lockhouse");
    let before = verified(here, &db);
    let came = ran(here, &["restore", shown(&backup), "--db", &db]);
    assert!(
        came.code == 2
            && came
                .err
                .contains("has another campaign \"The Lockhouse\" by now"),
        "{}",
        came.err
    );
    assert_eq!(verified(here, &db), before);
    well(
        here,
        &[
            "campaigns",
            "rename",
            "The Lockhouse",
            "Spring",
            "--db",
            &db,
        ],
    );
    well(here, &["restore", shown(&backup), "--db", &db]);
    let found = verified(here, &db);
    assert!(
        found.contains("The Lockhouse: verified") && found.contains("Spring: verified"),
        "{found}"
    );
    assert!(!found.contains("Winter: verified"), "{found}");
}

#[test]
fn a_server_that_is_backed_up_otherwise_leaves_no_files() {
    let Some(database) = Database::empty() else {
        return;
    };
    let (folder, db) = (TempDir::new().expect("a folder"), database.url());
    play_with(
        folder.path(),
        &db,
        "The Lockhouse",
        &["--no-session-backups"],
    );
    assert_eq!(made(folder.path()), [""; 0].map(PathBuf::from));
    let doctor = ran(folder.path(), &["doctor", "--db", &db]);
    assert!(
        doctor
            .out
            .contains("!!  backups: of \"The Lockhouse\" there is none"),
        "{}",
        doctor.out
    );
    // As the fix says.
    let fix = "Fix: `rollbook backup --out FILE.db`";
    assert!(doctor.out.contains(fix), "{}", doctor.out);
}
