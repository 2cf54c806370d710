//! Segments that are not there, or lie elsewhere by now: what is whole is written without them, and every word names the right file.

use std::path::Path;
use std::sync::Arc;

use rollbook::session::adventure::Adventure;
use rollbook::session::{CallError, Caller, Host, Seat};
use rollbook::store::keys::Role;
use rollbook::tools::Registry;
use serde_json::json;

use super::{archived, play};
use crate::process::rollbook;
use crate::table::Table;

/// How a command ends, and what it says.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = rollbook(folder).args(arguments).output().expect("the program starts");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn what_lies_behind_a_lost_segment_is_written_with_a_warning() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        archived(&mut table, 2);
        let second = archived(&mut table, 3);
        let (folder, db) = (table.path(""), table.location().to_string());
        let export = |audience: &str, name: &str, more: &[&str]| {
            let common = ["export", "--db", &db, "--audience", audience, "--out", name];
            run(&folder, &[&common[..], more].concat())
        };
        let kept = |name: &str| std::fs::read_to_string(folder.join(name)).expect("is read");
        let part = ["--session", "last"];
        for audience in ["player", "gm"] {
            let (code, said) = export(audience, &format!("whole-{audience}.jsonl"), &part);
            assert!(code == Some(0) && !said.contains("warning"), "{said}");
        }
        let report = |name: &str, session: &str| {
            let common = ["report", "--db", &db, "--format", "markdown"];
            run(&folder, &[&common[..], &["--session", session, "--out", name]].concat())
        };
        let (code, said) = report("whole.md", "last");
        assert_eq!(code, Some(0), "{said}");

        let away = folder.join("away.db");
        std::fs::rename(&second.path, &away).expect("is moved");
        let file = second.path.file_name().and_then(|name| name.to_str()).expect("a name");
        for audience in ["player", "gm"] {
            let name = format!("part-{audience}.jsonl");
            let (code, said) = export(audience, &name, &part);
            assert!(code == Some(0) && said.contains(&format!("warning: {file} is missing")), "{said}");
        }
        let (code, said) = run(&folder, &["verify", "--copy", "part-player.jsonl"]);
        assert_eq!(code, Some(0), "{said}");
        // The GM's copy is the same; in the players' nothing is shown that depends on what was before.
        assert_eq!(kept("part-gm.jsonl"), kept("whole-gm.jsonl"));
        let seen = |name: &str| {
            let mut lines: Vec<serde_json::Value> =
                kept(name).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
            for line in &mut lines[1..] {
                let proof = line["proof"].as_object_mut().expect("a proof");
                proof.remove("body");
                proof.remove("salt");
            }
            lines
        };
        assert_eq!(seen("part-player.jsonl"), seen("whole-player.jsonl"));
        assert!(!kept("part-player.jsonl").contains("\"salt\""), "no body is shown");
        let (code, said) = export("gm", "since.csv", &["--format", "csv", "--since", "1970-01-02"]);
        assert!(code == Some(2) && said.contains("is missing"), "it begins in the segment: {said}");
        let (code, said) = export("gm", "one.jsonl", &["--session", "2"]);
        assert!(code == Some(2) && said.contains("is missing"), "{said}");

        let (code, said) = report("part.md", "last");
        assert!(code == Some(1) && said.contains("the log does not hold"), "{said}");
        let (whole, part) = (kept("whole.md"), kept("part.md"));
        assert!(part.contains("night 3"), "{part}");
        let sealed = "6 sealed entries that players do not see";
        assert!(whole.contains(sealed) && part.contains(sealed), "those of the segment count: {part}");
        let (code, said) = report("two.md", "2");
        assert!(code == Some(2) && said.contains("is missing"), "{said}");

        let (_, said) = run(&folder, &["doctor", "--db", &db]);
        assert!(said.contains("put a copy of it back as it was") && !said.contains("rollbook restore FILE"), "{said}");
        std::fs::rename(&away, &second.path).expect("is moved");
        assert!(!export("gm", "again.jsonl", &["--session", "last"]).1.contains("warning"));
    }
}

#[test]
fn a_fight_that_began_in_a_lost_segment_is_reported_from_where_it_is_known() {
    let mut table = Table::with_party();
    table
        .dice([15, 9])
        .manage_combat(
            json!({"action": "start", "title": "The Mess", "combatants": [{"name": "Jory"}, {"name": "Sabeth"}]}),
        )
        .is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    table.manage_session(json!({"action": "start"})).is_fine();
    table.manage_combat(json!({"action": "next_turn"})).is_fine();
    table.manage_combat(json!({"action": "next_turn"})).is_fine();
    table.apply_damage(json!({"target": "Jory", "amount": 2})).is_fine();
    table.manage_combat(json!({"action": "end", "outcome": "they let go"})).is_fine();
    let first = archived(&mut table, 2);
    let db = table.location().to_string();
    let told = |name: &str| {
        run(&table.path(""), &["report", "--db", &db, "--format", "markdown", "--session", "last", "--out", name]);
        std::fs::read_to_string(table.path(name)).expect("is read")
    };
    let whole = told("whole.md");
    assert!(whole.contains("The Mess") && !whole.contains("Its beginning is in a file"), "{whole}");
    std::fs::remove_file(&first.path).expect("is taken away");
    let part = told("part.md");
    assert!(part.contains("Its beginning is in a file of archived entries that is not there"), "{part}");
    for known in ["It ended: they let go.", "Jory takes 2 damage", "how those who were hurt stood"] {
        assert!(whole.contains(known) && part.contains(known), "{known}: {whole}\n{part}");
    }
}

#[test]
fn the_segment_that_holds_what_was_asked_for_is_named_where_it_lies() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        let (first, second) = (archived(&mut table, 2), archived(&mut table, 3));
        let (folder, db) = (table.path(""), table.location().to_string());
        let [of_first, of_second] = [&first, &second].map(|own| own.path.display().to_string());
        for (session, file) in [("1", &of_first), ("2", &of_second)] {
            let (_, said) = run(&folder, &["log", "--db", &db, "--session", session]);
            assert!(said.contains(file.as_str()), "session {session}: {said}");
        }
        for (call, file) in [
            (json!({"text": "lantern", "session": 1}), &of_first),
            (json!({"text": "lantern", "session": 2}), &of_second),
            (json!({"text": "lantern"}), &of_first),
            (json!({"text": "lantern"}), &of_second),
        ] {
            let found = table.call("search_log", call.clone());
            let told = format!("{} {}", found.is_fine()["summary"], found.is_fine()["noted"]);
            assert!(told.contains(file.as_str()), "{call}: {told}");
            // What each of these commands shows.
            let sessions = ["1", "2"].iter().filter(|night| {
                let mut commands = told.split('`').filter_map(|own| own.strip_prefix("rollbook "));
                let shows =
                    |own: &str| run(&folder, &own.split(' ').collect::<Vec<_>>()).1.contains(&format!("night {night}"));
                commands.any(shows)
            });
            assert_eq!(sessions.count(), if call["session"].is_null() { 2 } else { 1 }, "{call}: {told}");
        }
        let told = table.call("search_log", json!({"entry": 3})).refused("too_old")["summary"].to_string();
        assert!(told.contains(&of_first) && told.contains("--session 1"), "{told}");
    }
}

#[test]
fn of_a_segment_that_is_not_there_every_call_says_where_it_belongs() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        let (first, second) = (archived(&mut table, 2), archived(&mut table, 3));
        let inside = first.segment.first + 2;
        let of_second = second.path.display().to_string();
        std::fs::rename(&first.path, table.path("away.db")).expect("is moved");
        let file = first.path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let mut told = Vec::new();
        for (tool, call) in [
            ("search_log", json!({"session": 1})),
            ("search_log", json!({"entry": inside})),
            ("search_log", json!({"text": "lantern"})),
            ("manage_session", json!({"action": "undo", "entry": inside})),
            ("manage_session", json!({"action": "entry", "entry": inside})),
            ("manage_session", json!({"action": "reveal", "entry": inside})),
            ("skill_check", json!({"again": inside})),
            ("apply_damage", json!({"target": "Jory", "roll": inside})),
            ("manage_session", json!({"action": "compare", "entry": inside})),
        ] {
            let answer = table.call(tool, call.clone());
            if answer.is_refused() {
                answer.refused("too_old");
            }
            told.push((format!("{tool} {call}"), answer.value().to_string()));
        }
        for (call, told) in &told {
            let belongs = format!("{file} is missing, which holds {}. Put it into ", first.segment.entries());
            assert!(told.contains(&belongs), "{call}: {told}");
            assert!(!told.contains(&first.path.display().to_string()), "{call}: {told}");
        }
        assert!(told[2].1.contains(&of_second), "the other is named: {}", told[2].1);
        std::fs::rename(&second.path, table.path("second.db")).expect("is moved");
        let after = json!({"action": "status", "after": second.segment.first});
        let told = table.manage_session(after).is_fine()["since"].to_string();
        assert!(told.contains(" is missing, which holds ") && !told.contains(&of_second), "{told}");
    }
}

#[test]
fn what_lies_in_the_place_of_a_segment_is_moved_away_and_not_named_with_db() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        let own = archived(&mut table, 3);
        let (folder, db) = (table.path(""), table.location().to_string());
        let whole = std::fs::read(&own.path).expect("is read");
        for (bytes, why) in [
            (&b"notes of mine"[..], "it does not begin as a SQLite file"),
            (&whole[..whole.len() / 2], "it is damaged: "),
        ] {
            std::fs::write(&own.path, bytes).expect("is written");
            for arguments in [
                &["verify", "--db", &db][..],
                &["export", "--db", &db, "--out", "x.jsonl"],
                &["report", "--db", &db, "--session", "1", "--out", "x.md", "--format", "markdown"],
            ] {
                let (code, said) = run(&folder, arguments);
                assert!(code != Some(0) && said.contains(why), "{arguments:?}: {said}");
                assert!(said.contains("Move it away, and put the segment there as it was archived"), "{said}");
                assert!(!said.contains("with --db") && !said.contains("no good backup"), "{said}");
            }
        }
        std::fs::write(&own.path, whole).expect("is written");
        super::sound(&table);
    }
}

#[test]
fn a_database_that_moved_names_the_segments_beside_it_and_players_hear_of_none() {
    let mut table = Table::with_party();
    play(&mut table);
    let own = archived(&mut table, 3);
    let moved = table.path("moved");
    std::fs::create_dir_all(moved.join("campaigns.db.archive")).expect("a folder");
    let segment = moved.join("campaigns.db.archive").join(own.path.file_name().expect("a name"));
    table.away(|table| {
        std::fs::copy(table.database(), moved.join("campaigns.db")).expect("is copied");
        std::fs::copy(&own.path, &segment).expect("is copied");
        let database = moved.join("campaigns.db");
        let host = Host::of_this_computer(Adventure::none(), &database, Some("lockhouse".to_owned()));
        let answered = |role: Role, tool: &str, arguments: serde_json::Value| {
            let seat = Arc::new(Seat { key: "000000000001".to_owned(), campaign: "lockhouse".to_owned(), role });
            let registry = Registry::default();
            let entry = registry.for_seat(Some(&seat), tool).expect("a tool of that seat");
            let arguments = arguments.as_object().expect("an object").clone();
            table.wait(entry.call_for(Caller::of(Some(seat)), &host, arguments))
        };
        let refused = |role: Role, tool: &str, arguments: serde_json::Value| match answered(role, tool, arguments) {
            Err(CallError::Refusal(refusal)) => refusal.summary,
            other => panic!("{tool}: {other:?}"),
        };
        let jory = || Role::Player { character: "Jory".to_owned() };
        let (entry, recap) = (json!({"entry": 1}), json!({"action": "recap", "session": 1}));
        let told = refused(Role::Gm, "search_log", entry.clone());
        assert!(told.contains(&segment.display().to_string()), "{told}");
        for role in [Role::Gm, jory()] {
            let told = format!("{:?}", answered(role, "manage_session", recap.clone()).expect("is recapped"));
            assert!(told.contains("The lantern burns, night 1."), "{told}");
        }
        // Once it is gone, the GM hears where it belongs.
        std::fs::remove_file(&segment).expect("is removed");
        std::fs::remove_file(&own.path).expect("is removed");
        let told = refused(Role::Gm, "manage_session", recap.clone());
        assert!(told.contains("is missing") && told.contains(&format!("{}.archive", database.display())), "{told}");
        answered(Role::Gm, "manage_session", json!({"action": "recap"})).expect("is recapped");
        for (tool, call) in [("manage_session", recap), ("search_log", entry)] {
            let told = refused(jory(), tool, call);
            assert!(told.contains("archived") && !told.contains(['#', '/']), "{told}");
        }
        table.wait(host.close());
    });
}

#[test]
fn a_backup_is_put_back_beside_its_segments_or_says_where_they_belong() {
    let mut table = Table::with_party();
    play(&mut table);
    let own = archived(&mut table, 3);
    let folder = table.path("");
    assert_eq!(run(&folder, &["backup", "--db", "campaigns.db", "--out", "kept.db"]).0, Some(0));
    let elsewhere = folder.join("elsewhere");
    std::fs::create_dir(&elsewhere).expect("a folder");
    let new = elsewhere.join("new.db").display().to_string();
    let away = folder.join("away.db");
    std::fs::rename(&own.path, &away).expect("is moved");
    let (code, said) = run(&folder, &["restore", "kept.db", "--db", &new]);
    assert!(code == Some(2) && said.contains(&format!("Put it into {new}.archive")), "{said}");
    assert!(!said.contains(".part"), "{said}");
    assert_eq!(std::fs::read_dir(&elsewhere).expect("a folder").count(), 0, "nothing is left behind");
    // What it says works.
    std::fs::create_dir(format!("{new}.archive")).expect("a folder");
    let put = Path::new(&format!("{new}.archive")).join(own.path.file_name().expect("a name"));
    std::fs::copy(&away, put).expect("is copied");
    let (code, said) = run(&folder, &["restore", "kept.db", "--db", &new]);
    assert_eq!(code, Some(0), "{said}");
    super::sound_file(&table, Path::new(&new));
    // What a database was before is no table of a league, and a segment is a part of one, wherever it lies.
    let (code, said) = run(&folder, &["restore", "kept.db", "--db", &new]);
    assert!(code == Some(0) && elsewhere.join("new.db.replaced-1/new.db").exists(), "{said}");
    std::fs::copy(&away, elsewhere.join("old-sessions.db")).expect("is copied");
    let (code, said) = run(&folder, &["verify", "--all", "elsewhere"]);
    assert!(code == Some(0) && said.contains("1 of 1 database verified"), "{said}");
    std::fs::rename(&away, &own.path).expect("is moved");
}

#[test]
fn a_backup_is_put_back_without_a_segment_that_is_lost_for_good() {
    let mut table = Table::with_party();
    play(&mut table);
    let both = [archived(&mut table, 2), archived(&mut table, 3)];
    let folder = table.path("");
    table.away(|_| {
        let backups = folder.join("campaigns.db.backups");
        std::fs::create_dir_all(&backups).expect("a folder");
        let backup = "campaigns.db.backups/000009-2026-11-26T08-00-00Z.db";
        let _ = std::fs::remove_file(folder.join(backup));
        assert_eq!(run(&folder, &["backup", "--db", "campaigns.db", "--out", backup]).0, Some(0));
        let [file, other] = both.each_ref().map(|own| {
            std::fs::remove_file(&own.path).expect("is lost");
            own.path.file_name().and_then(|name| name.to_str()).expect("a name")
        });
        let flags = format!("--without {file} --without {other}");
        let (_, said) = run(&folder, &["doctor", "--db", "campaigns.db"]);
        assert!(said.contains(&format!("`rollbook restore` refuses it: {file} is missing")), "{said}");
        assert!(said.contains(&format!("{flags}`")), "{said}");
        let restore = ["restore", backup, "--db", "campaigns.db"];
        let (code, said) = run(&folder, &restore);
        assert!(code == Some(2) && said.contains(&format!("add {flags}:")), "{said}");
        let (code, said) = run(&folder, &[&restore[..], &["--without", file]].concat());
        assert!(code == Some(2) && said.contains(&format!("add {flags}:")), "{said}");
        let flags = ["--without", file, "--without", other];
        let (code, said) = run(&folder, &[&restore[..], &flags].concat());
        assert!(code == Some(0) && said.contains(&format!("given up: {file} is missing")), "{said}");
        let (code, said) = run(&folder, &["verify", "--db", "campaigns.db"]);
        assert!(code == Some(1) && said.contains("is missing"), "{said}");
        // What does not verify for another reason is refused all the same.
        let mut torn = std::fs::read(folder.join(backup)).expect("is read");
        let at = torn.windows(7).rposition(|own| own == b"\"total\"").expect("a roll");
        torn[at + 8] ^= 1;
        std::fs::write(folder.join("torn.db"), torn).expect("is written");
        let (code, said) = run(&folder, &[&["restore", "torn.db", "--db", "campaigns.db"][..], &flags].concat());
        assert!(code == Some(2) && said.contains("torn.db does not verify"), "{said}");
    });
    // It is played on.
    table.dice([4]).roll_dice(json!({"expression": "d6"})).is_fine();
}
