//! A table that plays on after its first sessions were archived.

use rollbook::session::archive::{Step, Wanted, archive};
use serde_json::json;

use super::{archived, copies, play, sound, sound_file};
use crate::table::{NOW, Table};

#[test]
fn a_campaign_is_played_on_archived_again_and_verifies_from_its_first_entry() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        let before = copies(&table, "before");
        let entries = sound(&table);
        let first = archived(&mut table, 2);
        assert_eq!(first.segment.first, 1);
        assert_eq!(first.segment.sessions.1, 1);
        assert_eq!(sound(&table), entries + 1, "one more says so");
        assert_eq!(table.record().number("select min(seq) from log"), i64::try_from(first.segment.last).unwrap() + 1);
        assert_eq!(sound_file(&table, &first.path), first.segment.last);

        let after = copies(&table, "after");
        for (before, after) in before.iter().zip(&after) {
            assert!(after.starts_with(before), "a copy goes on where it ended");
        }

        table.dice([4]).roll_dice(json!({"expression": "d6"})).is_fine();
        table.manage_session(json!({"action": "end"})).is_fine();
        table.manage_session(json!({"action": "start"})).is_fine();
        table
            .dice([11])
            .skill_check(json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15}))
            .is_fine();
        sound(&table);
        let second = archived(&mut table, 4);
        assert_eq!((second.segment.first, second.segment.sessions), (first.segment.last + 1, (2, 3)));
        let entries = sound(&table);
        assert_eq!(sound_file(&table, &second.path), second.segment.last, "with the segment before it");
        // What players had seen goes on over both, which the end of the session says and `verify` compares.
        table.manage_session(json!({"action": "end"})).is_fine();
        assert_eq!(sound(&table), entries + 1);
    }
}

#[test]
fn what_players_had_seen_is_known_where_no_end_of_a_session_is_left() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        archived(&mut table, 3);
        let ends = "select count(*) from log where kind = 'session_ended'";
        assert_eq!(table.record().number(ends), 0);
        table.manage_session(json!({"action": "end"})).is_fine();
        sound(&table);
    }
}

#[test]
fn what_a_call_needs_of_the_archive_is_answered_or_refused_with_its_file() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        let own = archived(&mut table, 3);
        let file = own.path.display().to_string();
        // A call that comes again acts once, though its entry is archived.
        let again = table.roll_dice(json!({"expression": "2d6", "request_id": "tide 1"}));
        assert_eq!((&again["replayed"], &again["total"]), (&json!(true), &json!(7)));
        let other = table.roll_dice(json!({"expression": "3d6", "request_id": "tide 1"}));
        other.refused("request_id_conflict");

        let refused = |table: &mut Table, call: serde_json::Value| {
            let answer = table.manage_session(call.clone());
            let told = answer.refused("too_old")["summary"].to_string();
            // Whoever is told of it is the GM, who has numbers of the whole log.
            assert!(told.contains(&file) && told.contains(" --audience gm`"), "{call}: {told}");
        };
        for call in [
            json!({"action": "entry", "entry": 2}),
            json!({"action": "compare", "entry": 6}),
            json!({"action": "undo", "entry": 5}),
            json!({"action": "reveal", "entry": 6}),
        ] {
            refused(&mut table, call);
        }

        let found = table.call("search_log", json!({"text": "lantern"}));
        assert_eq!(found.is_fine()["found"].as_array().expect("a list").len(), 1);
        let noted = found["noted"][0].as_str().expect("a note");
        assert!(noted.contains(&file) && noted.contains(" --audience gm`"), "{noted}");
        let gone = table.call("search_log", json!({"entry": 3}));
        gone.refused("too_old");
        let here = table.call("search_log", json!({"text": "lantern", "session": 3}));
        assert!(here.is_fine().get("noted").is_none(), "nothing of it is archived");

        let since = table.manage_session(json!({"action": "status", "after": 4}));
        let told = since.is_fine()["since"][0].as_str().expect("a line").to_owned();
        assert!(told.contains(&format!("were archived in {file}.")), "{told}");
        let sittings = table.manage_session(json!({"action": "list"}));
        assert!(
            sittings.is_fine()["sessions"].as_array().is_some_and(|all| all.len() == 3),
            "{:?}",
            sittings["sessions"]
        );
        // What is left can be undone, up to where the archive begins.
        let damage = table.record().number("select seq from log where kind = 'damage'");
        table.manage_session(json!({"action": "undo", "entry": damage})).is_fine();
        sound(&table);
    }
}

#[test]
fn a_recap_of_an_archived_session_is_what_it_was_and_leaves_out_what_was_undone_later() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        table.manage_session(json!({"action": "end"})).is_fine();
        table.manage_session(json!({"action": "start"})).is_fine();
        let note = json!({"action": "note", "text": "The reeve swims."});
        let note = table.manage_session(note).number("log");
        table.manage_session(json!({"action": "end"})).is_fine();
        table.manage_session(json!({"action": "start"})).is_fine();
        // It lies behind the segment with what it takes back.
        table.manage_session(json!({"action": "undo", "entry": note})).is_fine();
        let recaps = |table: &mut Table| {
            let mut told = Vec::new();
            for session in 1..=4 {
                for audience in ["gm", "player"] {
                    let recap = json!({"action": "recap", "session": session, "audience": audience});
                    told.push(table.manage_session(recap).is_fine()["summary"].clone());
                }
            }
            told
        };
        let before = recaps(&mut table);
        assert!(before[0].to_string().contains("The lantern burns, night 1."), "{before:?}");
        assert!(!before[6].to_string().contains("swims"), "{before:?}");
        archived(&mut table, 4);
        archived(&mut table, 5);
        assert_eq!(recaps(&mut table), before);
        sound(&table);
    }
}

#[test]
fn numbers_for_players_stay_as_they_were() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        let seen = "select seq, n from seen order by seq";
        table.call("search_log", json!({"text": "lantern"})).is_fine();
        let before = table.record().rows(seen);
        archived(&mut table, 3);
        assert_eq!(table.record().rows(seen), before);
        table.manage_session(json!({"action": "note", "text": "The lantern is out."})).is_fine();
        table.call("search_log", json!({"text": "lantern"})).is_fine();
        let after = table.record().rows(seen);
        assert!(after.starts_with(&before) && after.len() == before.len() + 1, "{after:?}");
        assert_eq!(after.last().expect("a row")["n"], json!(before.len() + 1));
    }
}

#[test]
fn a_server_that_was_behind_reads_what_the_campaign_has_come_to() {
    for mut table in Table::with_party_in_each().into_iter().filter(|table| table.location().file().is_none()) {
        let mut behind = table.beside();
        behind.manage_session(json!({"action": "status"})).is_fine();
        play(&mut table);
        archived(&mut table, 3);
        let points = |table: &mut Table| table.get_character(json!({"character": "Jory"})).is_fine()["tracks"].clone();
        assert_eq!(points(&mut behind), points(&mut table));
        behind.dice([4]).roll_dice(json!({"expression": "d6"})).is_fine();
        behind.manage_session(json!({"action": "end"})).is_fine();
        sound(&table);
    }
}

#[test]
fn other_campaigns_of_the_database_are_as_they_were() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        let two = |call: serde_json::Value| crate::table::with(call, json!({"campaign": "two"}));
        table.manage_session(two(json!({"action": "note", "text": "A lantern elsewhere."}))).is_fine();
        table.manage_session(two(json!({"action": "end"}))).is_fine();
        table.manage_session(two(json!({"action": "start"}))).is_fine();
        let rows = "select seq, chain from log where campaign = 2 order by seq";
        let before = table.record().rows(rows);
        let wanted = Wanted { campaign: Some("Lockhouse".to_owned()), before: 3, out: None };
        let told = &mut |_: Step| Ok(());
        let own = table.away(|table| table.wait(archive(&table.location(), &wanted, NOW, told))).expect("is archived");
        assert_eq!(own.campaign, "lockhouse");
        assert_eq!(table.record().rows(rows), before);
        table.record().is_sound_beside(2);
        let found = table.call("search_log", two(json!({"text": "lantern"})));
        assert_eq!(found.is_fine()["found"].as_array().expect("a list").len(), 1);
        assert!(found.is_fine().get("noted").is_none(), "nothing of it is archived");
        let again = Wanted { campaign: Some("two".to_owned()), before: 2, out: None };
        table.away(|table| table.wait(archive(&table.location(), &again, NOW, told))).expect("is archived");
        table.record().is_sound_beside(2);
    }
}
