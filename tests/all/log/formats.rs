//! Copies that are tables, copies of a part of a log, and copies that say only how many entries are
//! hidden.

use std::path::{Path, PathBuf};

use rollbook_game::view::Audience;
use rollbook_record::export;
use rollbook_record::export::{Checked, Format, Seal, Sitting, Wanted};
use serde_json::{Value, json};

use super::evening;
use super::forged::forge;
use crate::table::{NOW, Record, Table};

/// Copies that are tables: what is in their cells is what their proofs make. And copies of a part
/// of a log.
const BOTH: [Audience; 2] = [Audience::Player, Audience::Gm];

fn check(table: &Table, path: &Path, receipt: Option<&str>) -> Checked {
    table
        .wait(export::check_copy(path, receipt))
        .expect("can be checked")
}

#[test]
fn a_table_verifies_and_an_edited_cell_is_found() {
    let table = evening();
    for audience in BOTH {
        let path = table.export(audience, Format::Csv, &format!("{audience:?}.csv"));
        let whole = check(&table, &path, None);
        let expected = (&[][..], "lockhouse", audience);
        assert_eq!(
            (
                whole.findings.as_slice(),
                whole.campaign.as_str(),
                whole.audience
            ),
            expected
        );
        assert_eq!(whole.head, table.record().verify().head);
        let text = std::fs::read_to_string(&path).expect("text");
        let edited = table.path("edited.csv");
        for (from, to) in [
            (",18,success,", ",19,success,"),
            (",Sabeth,", ",Jory,"),
            ("2d20", "3d20"),
            ("\nproof", "\nproof"),
        ] {
            if !text.contains(from) {
                continue;
            }
            std::fs::write(&edited, text.replacen(from, to, 1)).expect("is written");
            let found = check(&table, &edited, None).findings;
            assert!(
                found.len() == 1 && found[0].contains("what it shows is not what its proof says"),
                "{from}: {found:?}"
            );
        }
        assert_eq!(text.contains("THE GM'S COPY"), audience == Audience::Gm);
    }
}

#[test]
fn a_table_has_a_row_for_each_roll_and_is_marked_where_asked() {
    let mut table = evening();
    let sent = json!({"rolls": [{"expression": "d6"}, {"expression": "2d8"}]});
    table.dice([4, 6, 2]).call("roll_multiple", sent).is_fine();
    let wanted = Wanted {
        bom: true,
        ..Wanted::of(Audience::Player, Format::Csv)
    };
    let path = table.path("marked.csv");
    table
        .wait(export::export(table.location(), &wanted, &path, NOW))
        .expect("is written");
    assert!(check(&table, &path, None).findings.is_empty());
    let text = std::fs::read_to_string(&path).expect("text");
    assert!(
        text.starts_with("\u{feff}n,time,session,"),
        "{}",
        &text[..40]
    );
    let mut rows = csv::Reader::from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let names = rows.headers().expect("names").clone();
    let column = |name: &str| {
        names
            .iter()
            .position(|column| column == name)
            .expect("a column")
    };
    let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.expect("a row")).collect();
    let [.., first, second] = &rows[..] else {
        panic!("{text}")
    };
    let cells = |row: &csv::StringRecord| {
        ["n", "expression", "individual_rolls", "total"].map(|name| row[column(name)].to_owned())
    };
    assert_eq!(cells(first)[1..], ["1d6", "4", "4"]);
    assert_eq!(cells(second)[1..], ["2d8", "6 2", "8"]);
    assert_eq!(first[column("n")], second[column("n")]);
    assert!(
        !first[column("text")].is_empty() && second[column("text")].is_empty(),
        "the sentence stands once"
    );
}

#[test]
fn a_players_file_of_sqlite_verifies_and_whatever_is_edited_in_it_is_found() {
    let table = evening();
    let path = table.export(Audience::Player, Format::Db, "players.db");
    let whole = check(&table, &path, None);
    assert_eq!(
        (whole.findings.as_slice(), whole.campaign.as_str()),
        (&[][..], "lockhouse")
    );
    assert_eq!(whole.head, table.record().verify().head);
    let receipt = whole.head.receipt();
    assert_eq!(
        check(&table, &path, Some(&receipt)).receipted,
        Some(whole.head.seq)
    );
    for (nth, (sql, words)) in [
        ("update entries set text = 'Sabeth fails.' where n = 5", "its table entries is not what its proofs make"),
        ("pragma foreign_keys = off; delete from entries where n = 5", "its table entries is not what its proofs make"),
        ("update campaign set name = 'another'", "its first line names campaign \"another\""),
        (
            "update proof set public = cast(replace(cast(public as text), 'Sabeth', 'Jory') as blob) where seq = 6",
            "its chain value does not follow",
        ),
        ("update proof set salt = zeroblob(32) where seq = 6", "not the one that was committed to"),
        ("update proof set commitment = zeroblob(32) where seq = 7", "its chain value does not follow"),
        ("delete from proof where seq = 6", "entry #6 is missing before it"),
        ("delete from proof where seq = 1", "entry #1 is missing before it"),
        ("create table mine (secret text)", "its schema is not what its proofs make"),
        ("create view verified as select 'yes' as answer", "its schema is not what its proofs make"),
    ]
    .into_iter()
    .enumerate()
    {
        let edited = table.path(&format!("edited-{nth}.db"));
        std::fs::copy(&path, &edited).expect("is copied");
        Record::of(edited.as_path()).execute(sql).unwrap_or_else(|why| panic!("{sql}: {why}"));
        let found = check(&table, &edited, None).findings;
        assert!(found.iter().any(|finding| finding.contains(words)), "{sql}: no \"{words}\" in {found:?}");
    }
    let cut = table.path("cut.db");
    std::fs::copy(&path, &cut).expect("is copied");
    let last = "delete from proof where seq = (select max(seq) from proof)";
    Record::of(cut.as_path())
        .execute(last)
        .expect("the vandal succeeds");
    assert!(
        check(&table, &cut, Some(&receipt))
            .findings
            .iter()
            .any(|finding| finding.contains("it was cut off"))
    );
}

#[test]
fn a_gms_database_is_checked_as_a_copy_too() {
    let table = evening();
    let path = table.export(Audience::Gm, Format::Db, "gm.db");
    let whole = check(&table, &path, None);
    assert_eq!(
        (whole.findings.as_slice(), whole.audience),
        (&[][..], Audience::Gm)
    );
    assert_eq!(
        check(&table, &path, Some(&whole.head.receipt())).receipted,
        Some(whole.head.seq)
    );
    let sql = "drop trigger log_is_never_updated; update log set salt = zeroblob(32) where seq = 6";
    Record::of(path.as_path())
        .execute(sql)
        .expect("the vandal succeeds");
    let edited = check(&table, &path, None);
    assert_eq!(edited.first_bad, Some(6), "{:?}", edited.findings);
}

/// Two sessions of an evening.
fn two_sessions() -> (Table, [String; 2]) {
    let mut table = evening();
    let first = table
        .manage_session(json!({"action": "end"}))
        .text("receipt")
        .to_owned();
    table
        .manage_session(json!({"action": "start", "title": "The cellar"}))
        .is_fine();
    table
        .dice([17])
        .roll_dice(json!({"expression": "d20", "visibility": "gm"}))
        .is_fine();
    table
        .dice([4])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
    let last = table
        .manage_session(json!({"action": "end"}))
        .text("receipt")
        .to_owned();
    (table, [first, last])
}

fn part(table: &Table, wanted: &Wanted, name: &str) -> PathBuf {
    let path = table.path(name);
    table
        .wait(export::export(table.location(), wanted, &path, NOW))
        .expect("is written");
    path
}

#[test]
fn a_part_of_a_log_verifies_with_the_receipts_of_its_own_entries() {
    let (table, [first, last]) = two_sessions();
    let before: u64 = first
        .trim_start_matches('#')
        .split(' ')
        .next()
        .expect("a number")
        .parse()
        .expect("a number");
    for audience in BOTH {
        for format in [Format::Jsonl, Format::Csv] {
            let wanted = |session| Wanted {
                session,
                ..Wanted::of(audience, format)
            };
            let name = |what: &str| format!("{what}-{audience:?}.{}", format.name());
            let second = part(&table, &wanted(Some(Sitting::Last)), &name("last"));
            let checked = check(&table, &second, Some(&last));
            assert_eq!(
                (checked.findings.as_slice(), checked.after),
                (&[][..], Some(before)),
                "{second:?}"
            );
            assert_eq!(checked.receipted, Some(checked.head.seq));
            let entries = checked.head.seq - before;
            assert!(
                checked.shown <= entries && checked.closed <= checked.shown,
                "only its own lines count: {checked:?}"
            );
            assert!(
                audience == Audience::Player || checked.shown == entries,
                "{checked:?}"
            );
            assert_eq!(
                check(&table, &second, Some(&first)).receipted,
                Some(before),
                "the entry before is the hook it hangs on"
            );
            let text = std::fs::read_to_string(&second).expect("text");
            assert!(
                text.contains("The cellar") && !text.contains("The stairs"),
                "{text}"
            );
            let old = check(&table, &second, Some("#3 9f3c21d07a44b81e6d05"));
            assert_eq!(
                (
                    old.findings.as_slice(),
                    old.incomparable.is_some(),
                    old.receipted
                ),
                (&[][..], true, None),
                "it lies before"
            );
            let whole = part(&table, &wanted(Some(Sitting::Number(1))), &name("first"));
            let checked = check(&table, &whole, Some(&first));
            // What was there before the first session is in no session.
            assert!(
                checked.findings.is_empty() && checked.after.is_some(),
                "{checked:?}"
            );
            let without = text
                .lines()
                .enumerate()
                .filter(|(nth, _)| *nth != 2)
                .map(|(_, line)| format!("{line}\n"));
            let shorter = table.path("shorter");
            std::fs::write(&shorter, without.collect::<String>()).expect("is written");
            assert!(!check(&table, &shorter, None).findings.is_empty());
        }
    }
    let since = Wanted {
        since: Some(NOW + 1_000_000_000_000),
        ..Wanted::of(Audience::Player, Format::Jsonl)
    };
    let path = table.path("none.jsonl");
    let refused = table
        .wait(export::export(table.location(), &since, &path, NOW))
        .expect_err("nothing is there");
    assert!(
        refused.to_string().contains("nothing was written since") && !path.exists(),
        "{refused}"
    );
}

#[test]
fn an_export_of_what_is_known_adds_no_checkpoint() {
    let (mut table, _) = two_sessions();
    let lines = |table: &Table| {
        std::fs::read_to_string(table.path("checkpoints.log"))
            .expect("text")
            .lines()
            .count()
    };
    let before = lines(&table);
    table.export(Audience::Player, Format::Jsonl, "one.jsonl");
    table.export(Audience::Gm, Format::Csv, "two.csv");
    assert_eq!(lines(&table), before, "the end of the session left it");
    table
        .dice([4])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
    table.export(Audience::Player, Format::Jsonl, "three.jsonl");
    table.export(Audience::Player, Format::Jsonl, "four.jsonl");
    assert_eq!(lines(&table), before + 1);
}

#[test]
fn of_a_roll_with_the_outcome_alone_players_do_not_learn_what_it_is_for() {
    let mut table = Table::with_party();
    let secret =
        json!({"expression": "d20", "visibility": "outcome_only", "context": "the warden listens"});
    let answer = table.dice([17]).roll_dice(secret);
    assert!(
        !answer.text("player_text").contains("warden"),
        "{}",
        answer["player_text"]
    );
    for format in Format::ALL {
        let path = table.export(
            Audience::Player,
            *format,
            &format!("players.{}", format.name()),
        );
        let bytes = std::fs::read(path).expect("bytes");
        assert!(
            !bytes.windows(6).any(|window| window == b"warden"),
            "{format:?}"
        );
    }
    let log: Vec<Value> = table.record().bodies();
    assert!(
        log.iter()
            .any(|body| body["event"]["context"] == "the warden listens"),
        "the log has it"
    );
}

// Copies that tell only how many entries are hidden: what the second chain proves, and what it does
// not.

/// An evening that ended, with a roll after it; and the receipt of the session's end.
fn ended() -> (Table, String) {
    let mut table = evening();
    let receipt = table
        .manage_session(json!({"action": "end"}))
        .text("receipt")
        .to_owned();
    table
        .dice([4])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
    (table, receipt)
}

fn total(table: &Table, name: &str) -> PathBuf {
    total_as(table, Format::Jsonl, name)
}

fn total_as(table: &Table, format: Format, name: &str) -> PathBuf {
    let path = table.path(name);
    let wanted = Wanted {
        seal: Seal::Total,
        ..Wanted::of(Audience::Player, format)
    };
    table
        .wait(export::export(table.location(), &wanted, &path, NOW))
        .expect("is written");
    path
}

fn total_check(table: &Table, lines: &[String], receipt: Option<&str>) -> Checked {
    let path = table.path("edited.jsonl");
    std::fs::write(
        &path,
        lines
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    )
    .expect("is written");
    table
        .wait(export::check_copy(&path, receipt))
        .expect("can be checked")
}

fn lines(path: &PathBuf) -> Vec<String> {
    std::fs::read_to_string(path)
        .expect("text")
        .lines()
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_end_of_a_session_binds_the_lines_before_it_and_nothing_says_where_hidden_ones_are() {
    let (table, receipt) = ended();
    table.record().is_sound();
    let lines = lines(&total(&table, "total.jsonl"));
    let checked = total_check(&table, &lines, Some(&receipt));
    let hidden = table
        .record()
        .number("select count(*) from log where cast(public as text) like '{\"hidden\":true%'");
    let count = u64::try_from(lines.len()).expect("a count") - 1;
    // After it stand the end itself, the next session and a roll.
    assert_eq!(
        (checked.findings.as_slice(), checked.bound, checked.shown),
        (&[][..], Some(count - 3), count)
    );
    assert_eq!(i64::try_from(checked.sealed).expect("a count"), hidden);
    assert_eq!(checked.receipted, Some(checked.head.seq));
    let numbered = lines.iter().filter(|line| line.contains("\"seq\"")).count();
    assert_eq!(numbered, 1, "the end of the session alone has its number");
    for line in &lines[1..] {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert!(
            line["proof"]["seen"].is_string() && line["proof"].get("seq").is_none(),
            "{line}"
        );
    }
    let bound = checked.head.seq;
    // An older receipt is as honest, and a later one says that something is missing.
    let older = total_check(&table, &lines, Some("#3 9f3c21d07a44b81e6d05"));
    assert!(
        older.findings.is_empty() && older.receipted.is_none(),
        "{older:?}"
    );
    assert!(
        older
            .incomparable
            .is_some_and(|why| why.contains(&format!("only that of #{bound},")))
    );
    let later = total_check(
        &table,
        &lines,
        Some(&format!("#{} 9f3c21d07a44b81e6d05", bound + 1)),
    );
    assert!(
        later.findings.len() == 1 && later.findings[0].contains("cut off"),
        "{later:?}"
    );
}

#[test]
fn a_table_has_the_name_that_its_sentences_tell() {
    let (table, _) = ended();
    let named = |path: PathBuf| {
        table
            .wait(export::check_copy(&path, None))
            .expect("can be checked")
            .campaign
    };
    let name = named(total(&table, "total.jsonl"));
    assert_eq!(named(total_as(&table, Format::Csv, "total.csv")), name);
}

#[test]
fn whatever_is_edited_in_it_is_found() {
    let (table, receipt) = ended();
    let whole = lines(&total(&table, "total.jsonl"));
    let bound = whole
        .iter()
        .position(|line| line.contains("\"bound\""))
        .expect("is bound");
    let edited = |line: usize, from: &str, to: &str| {
        let mut edited = whole.clone();
        assert!(edited[line].contains(from), "{from} in {}", edited[line]);
        edited[line] = edited[line].replacen(from, to, 1);
        let checked = total_check(&table, &edited, Some(&receipt));
        checked
            .findings
            .into_iter()
            .chain(checked.incomparable)
            .collect::<Vec<_>>()
    };
    for (line, from, to) in [
        (5, "\"text\":\"", "\"text\":\"Well, "),
        (5, "\"n\":\"P5\"", "\"n\":\"P6\""),
        (5, "\"seen\":\"", "\"seen\":\"0"),
        (5, "\"proof\":", "\"note\":1,\"proof\":"),
        (bound, "\"salt\":\"", "\"salt\":\"0"),
        (bound, "\"prev\":\"", "\"prev\":\"0"),
        (bound, "\"commitment\":\"", "\"commitment\":\"0"),
        (bound, "\"body\":{", "\"body\":{ "),
        (bound, "\"seq\":", "\"seq\":1"),
        (0, "\"seal\":\"total\"", "\"seal\":\"none\""),
        (0, "\"seal\":\"total\",", ""),
    ] {
        assert!(!edited(line, from, to).is_empty(), "{line}: {from} to {to}");
    }
    for line in 1..bound {
        let mut shorter = whole.clone();
        shorter.remove(line);
        assert!(
            !total_check(&table, &shorter, Some(&receipt))
                .findings
                .is_empty(),
            "line {line} was left out"
        );
    }
    let mut swapped = whole.clone();
    swapped.swap(3, 4);
    assert!(
        !total_check(&table, &swapped, Some(&receipt))
            .findings
            .is_empty()
    );
    let cut: Vec<String> = whole[..bound].to_vec();
    let found = total_check(&table, &cut, Some(&receipt)).findings;
    assert_eq!(
        found,
        ["no end of a session binds it, so that no receipt can be compared with it"]
    );
    // What stands after the end of the session is not bound yet.
    assert!(
        total_check(&table, &whole[..bound + 1], Some(&receipt))
            .findings
            .is_empty()
    );
}

#[test]
fn an_end_of_a_session_that_names_other_lines_is_found_in_the_database() {
    let (table, _) = ended();
    let end = u64::try_from(
        table
            .record()
            .number("select seq from log where kind = 'session_ended'"),
    )
    .expect("a number");
    let report = forge(&table, |seq, body| {
        if seq == end {
            body["event"]["seen"]["n"] = json!(3);
        }
    });
    let names_it = |words: &str| {
        report
            .findings
            .iter()
            .any(|finding| finding.seq == end && finding.what.contains(words))
    };
    assert!(
        names_it("players had seen") && report.findings.len() == 2,
        "beside the checkpoint's: {:?}",
        report.findings
    );
}
