//! What is not archived, and what a sealed file does not take.

use super::{archived, archived_with, play, sound};
use crate::process::rollbook;
use crate::table::{NOW, Record, Table};
use rollbook::session::archive::{Wanted, archive};
use rollbook::store::segment::file_name;

#[test]
fn what_cannot_be_archived_is_refused_with_what_can() {
    for mut table in Table::with_party_in_each() {
        let refused = |table: &mut Table, before: u32, words: &str| {
            let everything = table.record().everything();
            let why = archived_with(table, before, None, &mut |_| Ok(())).expect_err("is refused");
            assert!(why.contains(words), "--before {before}: {why}");
            assert_eq!(table.record().everything(), everything);
        };
        refused(
            &mut table,
            2,
            "session 1 is the last one, and stays. There is nothing to archive before session 2 begins",
        );
        play(&mut table);
        refused(&mut table, 1, "nothing lies before session 1. Say --before with a session from 2 to 3");
        refused(&mut table, 0, "Say --before with a session from 2 to 3");
        refused(&mut table, 4, "session 3 is the last one, and stays. Say --before with a session from 2 to 3");
        archived(&mut table, 2);
        refused(&mut table, 2, "the sessions up to 1 are archived already. Say --before 3");
        archived(&mut table, 3);
        refused(
            &mut table,
            3,
            "the sessions up to 2 are archived already. There is nothing to archive before session 4 begins",
        );
        sound(&table);
    }
}

#[test]
fn a_file_that_somebody_plays_in_is_left_alone_and_so_is_one_that_does_not_verify() {
    let mut table = Table::with_party();
    play(&mut table);
    let wanted = Wanted { campaign: None, before: 3, out: None };
    if table.location().file().is_some() {
        let why = table.wait(archive(&table.location(), &wanted, NOW, &mut |_| Ok(()))).expect_err("is refused");
        assert!(why.contains("only while nobody plays. Stop the server"), "{why}");
    }
    table.record().execute("update characters set level = 9 where name = 'Jory'").expect("the vandal succeeds");
    let why = archived_with(&mut table, 3, None, &mut |_| Ok(())).expect_err("is refused");
    assert!(why.contains("does not verify (the table characters differs"), "{why}");
    assert!(!table.path("campaigns.db.archive").exists() && !table.path("archive").exists());
}

#[test]
fn a_file_in_the_segments_place_is_not_overwritten() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        let out = table.path("old");
        std::fs::create_dir(&out).expect("a folder");
        let last = table.record().number("select max(seq) from log where session < 3");
        let uuid = table.record().rows("select uuid from campaigns")[0]["uuid"].as_str().expect("text").to_owned();
        let file = out.join(file_name("lockhouse", &uuid, 1, u64::try_from(last).expect("a number")));
        std::fs::write(&file, "mine").expect("is written");
        let why = archived_with(&mut table, 3, Some(out.clone()), &mut |_| Ok(())).expect_err("is refused");
        assert!(why.contains("lockhouse-") && why.contains("move it away, or name another folder with --out"), "{why}");
        assert!(!why.contains("--db"), "{why}");
        assert_eq!(std::fs::read_to_string(&file).expect("is read"), "mine");
        std::fs::rename(&file, table.path("mine.db")).expect("is moved");
        let own = archived_with(&mut table, 3, Some(out), &mut |_| Ok(())).expect("is archived");
        assert_eq!(own.path, file);
        sound(&table);
    }
}

#[test]
fn a_segment_is_neither_played_in_nor_written() {
    let mut table = Table::with_party();
    play(&mut table);
    let own = archived(&mut table, 3);
    let bytes = std::fs::read(&own.path).expect("is read");
    let db = own.path.display().to_string();
    for arguments in [
        &["campaigns", "rename", "lockhouse", "Winter", "--db", &db][..],
        &["archive", "--before", "2", "--db", &db],
        &["campaigns", "zone", "--zone", "Europe/Berlin", "--db", &db],
        &["restore", &db, "--db", "new.db"],
        &["copy", "--from", &db, "--to", "newer.db"],
        &["backup", "--db", &db, "--out", "new.db"],
        &["export", "--db", &db, "--format", "db", "--audience", "gm", "--out", "new.db"],
        &["export", "--all", "--db", &db, "--format", "db", "--audience", "gm", "--out", "new.db"],
    ] {
        let names = || {
            let listed = std::fs::read_dir(table.path("")).expect("a folder");
            let mut names: Vec<_> = listed.map(|own| own.expect("a file").file_name()).collect();
            names.sort();
            names
        };
        let before = names();
        let output = rollbook(&table.path("")).args(arguments).output().expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(names(), before, "{arguments:?} leaves nothing behind");
        assert!(output.status.code() == Some(2) && said.contains("segment"), "{arguments:?}: {said}");
        assert_eq!(std::fs::read(&own.path).expect("is read"), bytes, "{arguments:?}");
    }
    assert!(!table.path("new.db").exists());
}

#[test]
fn nobody_takes_more_out_of_the_log_than_a_segment_holds() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        let own = archived(&mut table, 2);
        let (first, last) = (own.segment.last + 1, table.record().number("select max(seq) from log"));
        let seal = if table.location().file().is_some() { "zeroblob(32)" } else { "decode(repeat('00', 32), 'hex')" };
        for (sql, why) in [
            (format!("delete from log where seq = {first}"), "entries are never removed"),
            ("delete from log".to_owned(), "entries are never removed"),
            ("update segments set last = last + 1".to_owned(), "kept as they were sealed"),
            ("delete from segments".to_owned(), "kept as they were sealed"),
            ("update archived set session = 3".to_owned(), "kept as they were"),
            ("delete from archived".to_owned(), "kept as they were"),
            (
                format!(
                    "insert into archived (campaign, seq, session, at, chain) select campaign, seq, session, at, chain from log where seq = {first}"
                ),
                "only an entry of the log that lies in a segment",
            ),
            (
                format!(
                    "insert into segments select campaign, {first}, {last}, 2, 3, {seal}, 0, {seal}, null, 'x', 'x', 1, {seal} from segments"
                ),
                "the last entry of a log is not archived",
            ),
            (
                format!(
                    "insert into segments select campaign, {first} + 1, {last} - 1, 2, 3, {seal}, 0, {seal}, null, 'x', 'x', 1, {seal} from segments"
                ),
                "begins behind the one before it",
            ),
        ] {
            let everything = table.record().everything();
            let error = table.record().execute(&sql).expect_err(&sql);
            assert!(error.contains(why), "{sql}: {error}");
            assert_eq!(table.record().everything(), everything, "{sql}");
        }
        if table.location().file().is_some() {
            let record = Record::new(table.runtime(), own.path.clone());
            let error = record.execute(
                "insert into log select null, campaign, seq + 1, chain, body, public, salt, commitment, leaf, chain, at, session, kind, visibility,
                    actor from log order by seq desc limit 1",
            );
            assert!(error.expect_err("is refused").contains("a segment is sealed"));
            assert!(record.execute("delete from log").expect_err("is refused").contains("never removed"));
        }
        sound(&table);
    }
}
