//! A campaign that goes on in a new log: everything is as it was, the two logs are bound to each
//! other, and nobody reads more than before.

use rollbook_game::view::Audience;
use rollbook_record::export::{self, Continued, Format, Wanted, continue_campaign};
use rollbook_store::location::Location;
use rollbook_store::verify::verify;
use rollbook_table::session::transfer::copy;
use serde_json::json;

use crate::table::{NOW, Table};

const NAME: &str = "lockhouse";
/// NOW is a day in UTC.
const FORMER: &str = "lockhouse (until 2026-11-20)";

fn continued(table: &mut Table, out: &str) -> Result<Continued, String> {
    table.away(|table| {
        let path = table.path(out);
        let done = table.wait(continue_campaign(&table.location(), NAME, &path, NOW));
        done.map_err(|error| error.to_string())
    })
}

/// Something of everything, with a fight that runs.
fn play(table: &mut Table) {
    let note = |text: &str, kind: &str, visibility: &str| json!({"action": "note", "text": text, "kind": kind, "visibility": visibility});
    table
        .manage_session(note("The harbour at night", "scene", "public"))
        .is_fine();
    table
        .manage_session(note("Who lit the lamp?", "thread", "public"))
        .is_fine();
    table
        .manage_session(note("Drownedreeve knows the key", "thread", "gm"))
        .is_fine();
    table
        .manage_session(json!({"action": "clock", "name": "Tide", "segments": 6}))
        .is_fine();
    table
        .manage_session(json!({"action": "clock", "name": "Tide", "tick": 2}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Jory", "amount": 3}))
        .is_fine();
    let side = |name: &str| json!({"name": name, "initiative": 12});
    let foe = json!({"name": "Wrecker", "initiative": 20, "hp": 9});
    table.start(json!([side("Sabeth"), side("Jory"), foe]));
    table
        .manage_combat(json!({"action": "next_turn"}))
        .is_fine();
}

/// What everybody's sheet says, and the fight.
fn standing(table: &mut Table) -> Vec<String> {
    let mut all: Vec<String> = ["Sabeth", "Jory", "Wrecker"]
        .map(|name| {
            let mut sheet = table
                .get_character(json!({"name": name, "detail": "full"}))
                .value()
                .clone();
            sheet.as_object_mut().expect("a sheet").remove("id");
            sheet.to_string()
        })
        .to_vec();
    all.push(table.manage_combat(json!({"action": "status"})).value()["order"].to_string());
    all.push(table.get_character(json!({"name": "company"})).value()["summary"].to_string());
    all
}

#[test]
fn a_campaign_goes_on_in_a_new_log_with_everything_as_it_was() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        let before = standing(&mut table);
        let old = continued(&mut table, "old.db").expect("goes on");
        assert_eq!((&*old.campaign, &*old.former), (NAME, FORMER));
        assert_eq!(standing(&mut table), before);
        table.record().is_sound_beside(2);

        // Play goes on: ids of new rows are free, the fight runs, a thread of before is closed.
        let turn = table.manage_combat(json!({"action": "next_turn"}));
        turn.is_fine();
        let call =
            json!({"action": "add", "combatants": [{"name": "Rat", "initiative": 1, "hp": 2}]});
        table.manage_combat(call).is_fine();
        table
            .apply_damage(json!({"target": "Wrecker", "amount": 9}))
            .is_fine();
        let resumed = table
            .manage_session(json!({"action": "resume"}))
            .value()
            .to_string();
        assert!(
            resumed.contains("Who lit the lamp?") && resumed.contains("Drownedreeve"),
            "{resumed}"
        );
        assert!(
            resumed.contains("The harbour at night") && resumed.contains("Tide"),
            "{resumed}"
        );
        // By the number that it has here, which is of before.
        let number = resumed
            .split(" Who lit the lamp?")
            .next()
            .and_then(|before| before.rsplit('#').next());
        let number: i64 = number
            .and_then(|number| number.parse().ok())
            .unwrap_or_else(|| panic!("{resumed}"));
        assert!(number < 0, "{number}");
        let closed = json!({"action": "note", "text": "Ana did.", "closes": number});
        table.manage_session(closed).is_fine();
        table.manage_combat(json!({"action": "end"})).is_fine();
        table.manage_session(json!({"action": "end"})).is_fine();
        let next = table.manage_session(json!({"action": "start"}));
        assert!(
            next.player_text().contains("Session 2"),
            "{}",
            next.player_text()
        );
        table.record().is_sound_beside(2);

        // And a second time, after the first.
        table.manage_session(json!({"action": "end"})).is_fine();
        let again = continued(&mut table, "older.db").expect("goes on");
        assert_eq!(
            again.former,
            format!("{}, 2)", FORMER.trim_end_matches(')'))
        );
        table
            .dice([4])
            .roll_dice(json!({"expression": "d6"}))
            .is_fine();
        table.record().is_sound_beside(3);
        for (file, receipt) in [
            ("old.db", old.exported.head.receipt()),
            ("older.db", again.exported.head.receipt()),
        ] {
            let path = table.path(file);
            let verified = table
                .wait(rollbook_store::verify::verify(&path, None, Some(&receipt)))
                .expect("verifies");
            assert!(verified.is_sound(), "{verified:?}");
        }

        // All of them can be copied: the name of each is free when the next one takes it.
        let copied = table.away(|table| {
            let there = Location::from(&table.path("copied.db"));
            table.wait(copy(&table.location(), &there, None, NOW))
        });
        let copied = copied.expect("is copied");
        assert_eq!(
            copied
                .iter()
                .map(|one| one.findings.len())
                .collect::<Vec<_>>(),
            [0; 3]
        );
    }
}

#[test]
fn the_earlier_log_is_read_only_and_says_where_play_goes_on() {
    for mut table in Table::with_party_in_each() {
        table
            .dice([4])
            .roll_dice(json!({"expression": "d6"}))
            .is_fine();
        continued(&mut table, "old.db").expect("goes on");
        let length = table.record().length();
        for (tool, call) in [
            ("roll_dice", json!({"expression": "d6"})),
            ("manage_session", json!({"action": "undo"})),
            ("manage_session", json!({"action": "end"})),
            (
                "manage_character",
                json!({"action": "update", "name": "Jory", "notes": "x"}),
            ),
        ] {
            let refused = table.call(tool, crate::table::with(call, json!({"campaign": FORMER})));
            let summary = refused.refused("continued")["summary"].to_string();
            assert!(
                summary.contains("send campaign=\\\"lockhouse\\\" to play on"),
                "{summary}"
            );
        }
        table
            .get_character(json!({"name": "Jory", "campaign": FORMER}))
            .is_fine();
        assert_eq!(table.record().length(), length, "nothing was written");
        let again = table.away(|table| {
            let path = table.path("more.db");
            table
                .wait(continue_campaign(&table.location(), FORMER, &path, NOW))
                .map_err(|error| error.to_string())
        });
        assert!(
            again
                .expect_err("is refused")
                .contains("goes on in \"lockhouse\" already")
        );

        // Over two logs, too, it is the last one that is played on.
        let second = continued(&mut table, "second.db").expect("goes on").former;
        for earlier in [FORMER, &second] {
            let refused = table.roll_dice(json!({"expression": "d6", "campaign": earlier}));
            let summary = refused.refused("continued")["summary"].to_string();
            assert!(
                summary.contains("send campaign=\\\"lockhouse\\\" to play on"),
                "{summary}"
            );
        }
        remove(&mut table, NAME, "last.db");
        let refused = table.roll_dice(json!({"expression": "d6", "campaign": FORMER}));
        refused.refused_with(
            "continued",
            &["goes on in one that is not in this database any more."],
        );
    }
}

fn remove(table: &mut Table, campaign: &str, out: &str) {
    table.away(|table| {
        let path = table.path(out);
        table
            .wait(export::remove(&table.location(), campaign, &path, NOW))
            .expect("is removed")
    });
}

#[test]
fn a_receipt_of_before_is_one_of_the_earlier_log() {
    for mut table in Table::with_party_in_each() {
        table
            .apply_damage(json!({"target": "Jory", "amount": 3}))
            .is_fine();
        let receipt = |done: &Continued| done.exported.head.receipt();
        let first = receipt(&continued(&mut table, "first.db").expect("goes on"));
        table
            .apply_damage(json!({"target": "Jory", "amount": 1}))
            .is_fine();
        let second = receipt(&continued(&mut table, "second.db").expect("goes on"));
        let verified = |table: &mut Table, receipt: &str| {
            let found = table
                .wait(verify(table.location(), Some(NAME), Some(receipt)))
                .expect("is verified");
            (
                found.is_sound(),
                found.notes.join("; "),
                found.first_finding().unwrap_or_default(),
            )
        };
        // Of the log before it, of the one before that, and of none.
        for (receipt, notes) in [(&first, true), (&second, false)] {
            let (sound, noted, found) = verified(&mut table, receipt);
            assert!(sound, "{found}");
            assert!(
                !notes || noted.contains(&format!("the receipt {receipt} is of {FORMER}")),
                "{noted}"
            );
        }
        let (sound, _, found) =
            verified(&mut table, &format!("{} 00000000000000000000", &first[..2]));
        assert!(
            !sound && found.contains("fits none of these campaigns"),
            "{found}"
        );

        // Where the earlier logs are gone, their exports have it, and each of them verifies in its
        // folder.
        let earlier = format!("{}, 2)", FORMER.trim_end_matches(')'));
        remove(&mut table, FORMER, "removed-1.db");
        remove(&mut table, &earlier, "removed-2.db");
        let (sound, _, found) = verified(&mut table, &first);
        let hint = "This log goes on from #";
        assert!(
            !sound
                && found.contains(hint)
                && found.contains("rollbook verify --db second.db --receipt"),
            "{found}"
        );
        let (sound, _, found) = verified(&mut table, &second);
        assert!(sound, "its first entry holds that end: {found}");
        for (file, receipt) in [
            ("first.db", &first),
            ("second.db", &second),
            ("removed-1.db", &first),
        ] {
            let path = table.path(file);
            let found = table
                .wait(verify(&path, None, Some(receipt)))
                .expect("is verified");
            assert!(found.is_sound(), "{file}: {:?}", found.first_finding());
        }

        for (format, audience) in [
            (Format::Jsonl, Audience::Player),
            (Format::Csv, Audience::Gm),
        ] {
            let out = table.path(&format!("copy.{}", format.name()));
            let wanted = Wanted::of(audience, format).campaign(NAME);
            table
                .wait(export::export(table.location(), &wanted, &out, NOW))
                .expect("is written");
            let checked = table
                .wait(export::check_copy(&out, Some(&first)))
                .expect("is checked")
                .findings
                .join("; ");
            assert!(
                checked.contains("It may be of an earlier log, from which this one goes on"),
                "{checked}"
            );
        }
    }
}

#[test]
fn without_a_name_the_log_that_is_played_is_meant() {
    for mut table in Table::with_party_in_each() {
        continued(&mut table, "old.db").expect("goes on");
        let out = table.path("copy.jsonl");
        let wanted = Wanted::of(Audience::Player, Format::Jsonl);
        assert_eq!(
            table
                .wait(export::export(table.location(), &wanted, &out, NOW))
                .expect("is written")
                .campaign,
            NAME
        );
    }
}

/// The rules' text is in an entry whole, with what the GM alone reads of it.
#[test]
fn the_entry_of_the_rules_is_never_opened() {
    for mut table in Table::with_party_in_each() {
        let refused = table.manage_session(json!({"action": "reveal", "entry": 2}));
        refused.refused_with(
            "not_sealed",
            &["the rules with what the GM alone reads of them"],
        );
    }
}

#[test]
fn an_undo_does_not_go_before_the_first_entry() {
    let mut table = Table::with_party();
    table
        .apply_damage(json!({"target": "Jory", "amount": 3}))
        .is_fine();
    continued(&mut table, "old.db").expect("goes on");
    table
        .manage_session(json!({"action": "undo"}))
        .refused("nothing_to_undo");
    for entry in [1, 2] {
        table
            .manage_session(json!({"action": "undo", "entry": entry}))
            .refused("nothing_to_undo");
    }
    table
        .manage_session(json!({"action": "reveal", "entry": 1}))
        .refused("not_sealed");
    table
        .apply_damage(json!({"target": "Jory", "amount": 1}))
        .is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    table.record().is_sound_beside(2);
}

#[test]
fn copies_for_players_tell_nothing_of_what_the_new_log_begins_with() {
    for mut table in Table::with_party_in_each() {
        play(&mut table);
        table
            .manage_character(
                json!({"action": "update", "name": "Jory", "gm_notes": "Drownedreeve's son"}),
            )
            .is_fine();
        continued(&mut table, "old.db").expect("goes on");
        table
            .manage_combat(json!({"action": "next_turn"}))
            .is_fine();
        table.manage_session(json!({"action": "end"})).is_fine();
        for (nth, format) in [Format::Jsonl, Format::Csv, Format::Db]
            .into_iter()
            .enumerate()
        {
            for audience in [Audience::Player, Audience::Gm] {
                let out = table.path(&format!("{nth}-{audience:?}.{}", format.name()));
                let wanted = Wanted::of(audience, format).campaign(NAME);
                let written = table
                    .wait(export::export(table.location(), &wanted, &out, NOW))
                    .expect("is written");
                let receipt = written.bound.expect("an end").receipt();
                let text =
                    String::from_utf8_lossy(&std::fs::read(&out).expect("is read")).into_owned();
                assert_eq!(
                    text.contains("Drownedreeve"),
                    audience == Audience::Gm,
                    "{format:?} {audience:?}"
                );
                if format == Format::Db && audience == Audience::Gm {
                    continue;
                }
                let checked = table
                    .wait(export::check_copy(&out, Some(&receipt)))
                    .expect("can be checked");
                assert!(
                    checked.findings.is_empty(),
                    "{format:?} {audience:?}: {:?}",
                    checked.findings
                );
                assert_eq!(checked.campaign, NAME);
            }
        }
    }
}

#[test]
fn a_link_between_the_two_logs_that_was_changed_is_found() {
    let broken = |sql: &str| {
        let mut table = Table::with_party();
        table
            .apply_damage(json!({"target": "Jory", "amount": 3}))
            .is_fine();
        continued(&mut table, "old.db").expect("goes on");
        let record = table.record();
        let sql =
            format!("drop trigger log_is_never_deleted; drop trigger log_is_never_updated; {sql}");
        record.execute(&sql).expect("the vandal succeeds");
        let verified = record.verified(None);
        verified
            .campaigns
            .iter()
            .flat_map(|report| report.findings.iter().map(ToString::to_string))
            .collect::<Vec<_>>()
            .join("; ")
    };
    let other = broken("update tracks set value = value - 1 where campaign = 1");
    assert!(
        other.contains("is not the one in which that log ended"),
        "{other}"
    );
    let open = broken(
        "delete from log where campaign = 1 and seq = (select max(seq) from log where campaign = 1)",
    );
    assert!(open.contains("that log is not closed there"), "{open}");
    let first = broken("delete from log where campaign = 2 and seq = 1");
    assert!(
        first.contains("which does not begin with its end"),
        "{first}"
    );
}
