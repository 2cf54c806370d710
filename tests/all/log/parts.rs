//! Every format, for either audience, whole and of a part: each says what it is, holds the numbers
//! of its entries, and verifies.

use std::path::{Path, PathBuf};

use rollbook_game::view::Audience;
use rollbook_record::export::{self, Format, Seal, Sitting, Wanted};
use serde_json::{Value, json};

use super::evening;
use super::forged::forge;
use crate::table::{NOW, Record, Table};

/// What only the GM may find, in an entry of the second session.
const CANARY: &str = "Xanthippe";

/// The whole log, or a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    Second,
    Since,
}

/// An evening and another, with something hidden in either.
fn two_sessions() -> Table {
    let mut table = evening();
    let opened = table
        .dice([2])
        .roll_dice(json!({"expression": "d20", "visibility": "gm"}))["log"]
        .clone();
    table.manage_session(json!({"action": "end"})).is_fine();
    table
        .manage_session(json!({"action": "start", "title": "The cellar"}))
        .is_fine();
    table
        .dice([17])
        .roll_dice(json!({"expression": "d20", "visibility": "gm", "context": CANARY}))
        .is_fine();
    // What it opens lies before the second session.
    table
        .manage_session(json!({"action": "reveal", "entry": opened}))
        .is_fine();
    table
        .dice([4, 5])
        .roll_dice(json!({"expression": "2d6", "context": "the tide"}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Sabeth", "amount": 1}))
        .is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    table
}

/// When the second session begins in [`an_hour_apart`].
const LATER: i64 = NOW + 3_600_000_000;

/// The same, where the second begins an hour later: the clock of a table is still.
fn an_hour_apart() -> Table {
    let table = two_sessions();
    forge(&table, |_, body| {
        if body["session"] == 2 {
            body["at"] = json!(LATER);
        }
    });
    table
}

fn written(table: &Table, wanted: &Wanted, name: &str) -> Result<PathBuf, String> {
    let path = table.path(name);
    let written = table.wait(export::export(table.location(), wanted, &path, NOW));
    written.map(|_| path).map_err(|error| error.to_string())
}

/// The numbers that a copy tells: in the whole log, and for players where they see something.
fn numbers(path: &Path, format: Format, audience: Audience, part: Part) -> Vec<(u64, Option<u64>)> {
    let number = |value: &Value| value.as_u64();
    let counted = |text: &str| text.strip_prefix('P')?.parse().ok();
    match format {
        Format::Jsonl => {
            let text = std::fs::read_to_string(path).expect("text");
            let lines = text
                .lines()
                .skip(1)
                .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
            let players = |line: &Value| match audience {
                Audience::Gm => line["players_n"].as_str().and_then(counted),
                Audience::Player => line["n"].as_str().and_then(counted),
            };
            lines
                .map(|line| {
                    (
                        number(&line["proof"]["seq"]).expect("a number"),
                        players(&line),
                    )
                })
                .collect()
        }
        Format::Csv => {
            let mut reader = csv::Reader::from_path(path).expect("is read");
            let names = reader.headers().expect("names").clone();
            let column = |name: &str| {
                names
                    .iter()
                    .position(|column| column == name)
                    .expect("a column")
            };
            assert!(
                names
                    .iter()
                    .rev()
                    .take(7)
                    .all(|name| name.starts_with("proof_")),
                "proof stands last: {names:?}"
            );
            let rows = reader
                .records()
                .map(|row| row.expect("a row"))
                .filter(|row| !row[column("proof_of")].is_empty());
            let row = |row: csv::StringRecord| {
                (
                    row[column("proof_seq")].parse().expect("a number"),
                    counted(&row[column("players_n")]),
                )
            };
            rows.map(row).collect()
        }
        Format::Db => {
            let log = if audience == Audience::Gm && part == Part::Whole {
                "log"
            } else {
                "proof"
            };
            let sql = format!(
                "select all_of.seq, seen.n from {log} as all_of left join seen on seen.seq = all_of.seq order by all_of.seq"
            );
            let rows = Record::of(path).rows(&sql);
            rows.iter()
                .map(|row| (number(&row["seq"]).expect("a number"), number(&row["n"])))
                .collect()
        }
    }
}

#[test]
fn every_format_for_either_audience_whole_or_in_part_verifies_and_tells_both_numbers() {
    let (whole, apart) = (two_sessions(), an_hour_apart());
    let public = whole
        .record()
        .rows("select seq, cast(public as text) as public, session from log order by seq");
    let mut last = 0;
    let expected: Vec<(u64, Option<u64>, u64)> = public
        .iter()
        .map(|row| {
            let is_open = !row["public"]
                .as_str()
                .expect("text")
                .starts_with("{\"hidden\":true");
            last += u64::from(is_open);
            (
                row["seq"].as_u64().expect("a number"),
                is_open.then_some(last),
                row["session"].as_u64().expect("a number"),
            )
        })
        .collect();
    for audience in [Audience::Player, Audience::Gm] {
        for format in Format::ALL.iter().copied() {
            for part in [Part::Whole, Part::Second, Part::Since] {
                let wanted = Wanted {
                    session: (part == Part::Second).then_some(Sitting::Number(2)),
                    since: (part == Part::Since).then_some(LATER),
                    ..Wanted::of(audience, format)
                };
                let table = if part == Part::Since { &apart } else { &whole };
                let what = format!("{audience:?}-{part:?}.{}", format.name());
                let path = written(table, &wanted, &what).expect("is written");
                let checked = table
                    .wait(export::check_copy(&path, None))
                    .expect("can be checked");
                assert_eq!(
                    (checked.findings.as_slice(), checked.audience),
                    (&[][..], audience),
                    "{what}"
                );
                let wanted = expected
                    .iter()
                    .filter(|(.., session)| part == Part::Whole || *session == 2);
                let wanted: Vec<(u64, Option<u64>)> =
                    wanted.map(|(seq, n, _)| (*seq, *n)).collect();
                assert_eq!(numbers(&path, format, audience, part), wanted, "{what}");
                assert_eq!(
                    checked.after,
                    wanted
                        .first()
                        .map(|(seq, _)| seq - 1)
                        .filter(|seq| *seq > 0),
                    "{what}"
                );
                let receipt = checked.head.receipt();
                let again = table
                    .wait(export::check_copy(&path, Some(&receipt)))
                    .expect("can be checked");
                assert_eq!(again.receipted, Some(checked.head.seq), "{what}");
                let bytes = std::fs::read(&path).expect("bytes");
                let has = |words: &str| {
                    bytes
                        .windows(words.len())
                        .any(|wanted| wanted == words.as_bytes())
                };
                assert_eq!(
                    (has(CANARY), has("THE GM'S COPY")),
                    (audience == Audience::Gm, audience == Audience::Gm),
                    "{what}"
                );
                assert_eq!(
                    has("The stairs"),
                    part == Part::Whole,
                    "{what}: nothing of the first session is in a part of the second"
                );
            }
        }
    }
}

#[test]
fn whatever_is_edited_in_a_database_of_a_part_is_found() {
    let table = two_sessions();
    for audience in [Audience::Player, Audience::Gm] {
        let wanted = Wanted {
            session: Some(Sitting::Last),
            ..Wanted::of(audience, Format::Db)
        };
        let path = written(&table, &wanted, &format!("{audience:?}.db")).expect("is written");
        let found = |sql: &str| {
            let edited = table.path("edited.db");
            std::fs::copy(&path, &edited).expect("is copied");
            Record::of(edited.as_path())
                .execute(sql)
                .unwrap_or_else(|why| panic!("{sql}: {why}"));
            table
                .wait(export::check_copy(&edited, None))
                .map_or_else(|why| vec![why.to_string()], |copy| copy.findings)
        };
        assert_eq!(found("select 1"), Vec::<String>::new());
        for (sql, words) in [
            (
                "update entries set text = 'He cheated.' where kind = 'roll'",
                "its table entries is not",
            ),
            (
                "update roll_rows set total = 12",
                "its table roll_rows is not",
            ),
            (
                "update roll_rows set visible = 1 - visible",
                "its table roll_rows is not",
            ),
            (
                "update proof set players_n = players_n + 1 where seq = (select max(seq) from proof)",
                "its table proof is not",
            ),
            (
                "update campaign set after_chain = zeroblob(32)",
                "its chain value does not follow",
            ),
            (
                "update campaign set after_seq = after_seq - 1",
                "is missing before it",
            ),
            (
                "update campaign set after_seq = null, after_chain = null",
                "are missing before it",
            ),
            (
                "update campaign set after_chain = x'00'",
                "its table campaign",
            ),
            (
                "update campaign set uuid = '00000000-0000-7000-8000-0000000000ff'",
                "its chain value does not follow",
            ),
            (
                "update campaign set audience = 'everybody'",
                "names no audience",
            ),
            (
                "delete from proof where seq = (select min(seq) + 1 from proof)",
                "is missing before it",
            ),
            (
                "update proof set salt = zeroblob(32) where salt is not null",
                "not the one that was committed to",
            ),
            ("create table mine (secret text)", "its schema is not"),
        ] {
            let found = found(sql);
            assert!(
                found.iter().any(|finding| finding.contains(words)),
                "{audience:?} {sql}: no \"{words}\" in {found:?}"
            );
        }
    }
}

#[test]
fn a_gms_database_says_so_in_its_first_table_and_is_still_a_database_to_play_with() {
    let table = two_sessions();
    let path = table.export(Audience::Gm, Format::Db, "gm.db");
    let tables = "select name from sqlite_schema where type = 'table' order by name";
    let record = Record::of(path.as_path());
    assert_eq!(record.rows(tables)[0]["name"], "0_not_for_players");
    let notice = record.rows("select * from \"0_not_for_players\"")[0]["notice"].clone();
    assert!(notice.as_str().expect("text").starts_with("THE GM'S"));
    record.is_sound();
    record
        .execute("alter table \"0_not_for_players\" add column note text")
        .expect("is edited");
    let notes = record.verified(None).notes;
    assert!(
        notes
            .iter()
            .any(|note| note.contains("0_not_for_players is none of the program's")),
        "{notes:?}"
    );
}

#[test]
fn a_total_copy_is_refused_where_it_could_not_be_proven_and_the_refusal_says_what_to_send() {
    let table = two_sessions();
    let player = Wanted {
        seal: Seal::Total,
        ..Wanted::of(Audience::Player, Format::Jsonl)
    };
    for (wanted, why) in [
        (
            Wanted {
                audience: Audience::Gm,
                ..player.clone()
            },
            "seals nothing: say --audience player",
        ),
        (
            Wanted {
                format: Format::Db,
                ..player.clone()
            },
            "made of the numbers and the bodies",
        ),
        (
            Wanted {
                since: Some(NOW),
                ..player.clone()
            },
            "leave --session and --since out",
        ),
        (
            Wanted {
                session: Some(Sitting::Last),
                ..player.clone()
            },
            "leave --session and --since out",
        ),
    ] {
        let refused = written(&table, &wanted, "refused").expect_err("is refused");
        assert!(
            refused.contains(why) && !table.path("refused").exists(),
            "{refused}"
        );
    }
    for format in [Format::Jsonl, Format::Csv] {
        let path = written(
            &table,
            &Wanted {
                format,
                ..player.clone()
            },
            &format!("total.{}", format.name()),
        );
        let checked = table
            .wait(export::check_copy(&path.expect("is written"), None))
            .expect("can be checked");
        assert!(
            checked.findings.is_empty() && checked.bound.is_some_and(|bound| bound > 3),
            "{checked:?}"
        );
    }
}
