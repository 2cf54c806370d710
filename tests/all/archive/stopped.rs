//! Archiving that is stopped, by an error at each step or by a kill at any moment: the campaign is whole in the database, or archived.

use std::sync::Arc;
use std::time::Duration;

use rollbook::session::archive::Step;
use serde_json::json;
use tempfile::TempDir;

use super::{archived, archived_with, copies, play, sound};
use crate::process::{Process, rollbook};
use crate::table::{Record, Table};

#[test]
fn an_error_at_any_step_leaves_the_campaign_whole_and_the_next_attempt_goes_on() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        let (entries, before) = (sound(&table), copies(&table, "before"));
        for stop in [Step::Verify, Step::Write, Step::ReadBack, Step::Move, Step::Commit] {
            let told = &mut |step: Step| if step == stop { Err(format!("stopped at {step:?}")) } else { Ok(()) };
            let why = archived_with(&mut table, 3, None, told).expect_err("it is stopped");
            assert_eq!(why, format!("stopped at {stop:?}"));
            assert_eq!(sound(&table), entries, "{stop:?}");
            assert_eq!(table.record().number("select min(seq) from log"), 1);
            assert_eq!(table.record().number("select count(*) from segments"), 0);
        }
        let mut steps = Vec::new();
        archived_with(&mut table, 3, None, &mut |step| {
            steps.push(step);
            Ok(())
        })
        .expect("is archived");
        assert_eq!(steps, Step::ALL);
        assert_eq!(sound(&table), entries + 1);
        let after = copies(&table, "after");
        assert!(before.iter().zip(&after).all(|(before, after)| after.starts_with(before)));
    }
}

#[test]
fn a_database_that_was_not_made_smaller_is_archived() {
    let mut table = Table::with_party();
    play(&mut table);
    let entries = sound(&table);
    let told = &mut |step: Step| if step == Step::Shrink { Err("no room".to_owned()) } else { Ok(()) };
    archived_with(&mut table, 3, None, told).expect_err("it is stopped");
    assert_eq!(sound(&table), entries + 1);
    assert!(table.record().number("select min(seq) from log") > 1);
}

#[test]
fn a_segment_that_was_changed_before_the_entries_went_is_not_relied_on() {
    let mut table = Table::with_party();
    play(&mut table);
    let entries = sound(&table);
    let told = &mut |step: Step| if step == Step::ReadBack { Err("stopped".to_owned()) } else { Ok(()) };
    archived_with(&mut table, 3, None, told).expect_err("it is stopped");
    let folder = rollbook::store::segment::folder(&table.location()).expect("a folder");
    let file = std::fs::read_dir(folder).expect("a folder").next().expect("a file").expect("a file").path();
    let record = Record::new(table.runtime(), file.clone());
    record.execute("update roll_rows set total = total + 1").expect("the vandal succeeds");
    let why = archived_with(&mut table, 3, None, &mut |_| Ok(())).expect_err("is refused");
    assert!(why.contains("does not verify") && why.contains("nothing was archived. Remove it"), "{why}");
    assert_eq!(sound(&table), entries);
    std::fs::remove_file(file).expect("is removed");
    archived(&mut table, 3);
    sound(&table);
}

#[test]
fn a_process_that_is_killed_at_any_moment_leaves_the_campaign_whole_or_archived() {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let mut server = Process::hello(folder.clone());
    for session in 1..=3 {
        for _ in 0..40 {
            server.done("roll_dice", json!({"expression": "8d100"}));
        }
        if session < 3 {
            server.done("manage_session", json!({"action": "end"}));
        }
    }
    assert!(server.end().0.success());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let database = folder.path().join("campaigns.db");
    let verified =
        || runtime.block_on(rollbook::store::verify::verify(&database, None, None)).expect("can be verified");
    let entries = verified().campaigns[0].entries;
    let mut outcomes = [0, 0];
    for nth in 0..40u64 {
        let mut child = rollbook(folder.path())
            .args(["archive", "--before", "3", "--db", "campaigns.db"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(Duration::from_millis(nth * 15));
        child.kill().expect("is killed, or over");
        child.wait().expect("is over");
        let now = verified();
        assert!(now.is_sound(), "{nth}: {now:?}");
        let is_archived = now.campaigns[0].entries > entries;
        outcomes[usize::from(is_archived)] += 1;
        if is_archived {
            assert_eq!(now.campaigns[0].entries, entries + 1);
            break;
        }
    }
    assert!(outcomes[0] > 0, "it was killed in time: {outcomes:?}");
    if outcomes[1] == 0 {
        let done = rollbook(folder.path()).args(["archive", "--before", "3", "--db", "campaigns.db"]).output();
        assert!(done.expect("the program starts").status.success());
    }
    assert!(verified().is_sound());
    let mut server = Process::hello(folder.clone());
    server.done("roll_dice", json!({"expression": "d6"}));
    server.done("manage_session", json!({"action": "end"}));
    assert!(server.end().0.success());
    assert!(verified().is_sound());
}
