//! What the database itself holds to: triggers, kept answers, indexes, and the chain worked out
//! again from its rows alone.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::evening;
use crate::table::Table;

#[test]
fn entries_are_never_changed_removed_replaced_or_squeezed_in() {
    let table = evening();
    let record = table.record();
    let before = record.everything();
    let copy = |seq: &str, prev: &str| {
        format!(
            "insert into log (campaign, seq, prev, body, public, salt, commitment, leaf, chain, at, session, kind, visibility, actor)
             select campaign, {seq}, {prev}, body, public, salt, commitment, leaf, chain, at, session, kind, visibility, actor
             from log where seq = 5"
        )
    };
    let next = "(select max(seq) + 1 from log)";
    let head = "(select chain from log order by seq desc limit 1)";
    for (sql, why) in [
        (
            "update log set actor = 'nobody' where seq = 5".to_owned(),
            "never changed",
        ),
        (
            "update log set seq = seq + 1000".to_owned(),
            "never changed",
        ),
        ("delete from log where seq = 5".to_owned(), "never removed"),
        (
            "delete from log where seq = (select max(seq) from log)".to_owned(),
            "never removed",
        ),
        (copy(&format!("{next} + 1"), head), "seq must be the next"),
        (copy("5", head), "seq must be the next"),
        (copy("0", head), "seq must be the next"),
        (
            copy(next, "zeroblob(32)"),
            "prev must be the last chain value",
        ),
        (
            copy("5", head).replace("insert into", "insert or replace into"),
            "append-only",
        ),
        (
            copy("5", head).replace("insert into", "replace into"),
            "append-only",
        ),
        (
            copy(next, head)
                .replace("(campaign, seq", "(id, campaign, seq")
                .replace("select campaign,", "select 5, campaign,")
                .replace("insert into", "insert or replace into"),
            "append-only",
        ),
        (
            "update requests set reply = '{}'".to_owned(),
            "kept as they were given",
        ),
        ("delete from requests".to_owned(), "kept as they were given"),
    ] {
        let error = record
            .execute(&format!("pragma recursive_triggers = on; {sql}"))
            .expect_err(&sql);
        assert!(error.contains(why), "{sql}: {error}");
        assert_eq!(record.everything(), before, "{sql}");
    }
}

#[test]
fn an_insert_or_replace_without_recursive_triggers_is_found_by_verification_at_the_latest() {
    let table = evening();
    let record = table.record();
    // SQLite fires no delete trigger for `replace` unless recursive_triggers is on; the insert
    // trigger still refuses.
    let sql = "pragma recursive_triggers = off; insert or replace into log select * from log where seq = 5";
    let error = record.execute(sql).expect_err("is refused");
    assert!(error.contains("append-only"), "{error}");
    record.is_sound();
}

#[test]
fn what_the_columns_may_hold_is_checked_too() {
    let table = evening();
    let record = table.record();
    for sql in [
        "update tracks set value = max + 1",
        "update tracks set value = min - 1",
        "update characters set attributes = 'no json' where id = (select min(id) from characters)",
        "update characters set kind = 'god'",
        "update combats set status = 'paused'",
        "update roll_rows set visible = 2",
        "insert into sessions (campaign, number, started_at) values (99, 1, 0)",
    ] {
        record
            .execute(&format!("pragma foreign_keys = on; {sql}"))
            .expect_err(sql);
    }
    record.is_sound();
}

/// Kept answers are bound to the log: a forged one is found, and never given.
const UNLOCK: &str =
    "drop trigger requests_are_never_updated; drop trigger requests_are_never_deleted;";

fn hit() -> Value {
    json!({"expression": "1d12+2", "character": "Jory", "request_id": "hit"})
}

#[test]
fn a_forged_answer_is_found() {
    for (sql, words) in [
        (
            "update requests set reply = replace(reply, '\"total\":8', '\"total\":14')",
            "is not the one that was given",
        ),
        (
            "update requests set reply = reply || ' '",
            "is not the one that was given",
        ),
        ("update requests set reply = 'x'", "it was changed"),
        (
            "update requests set reply = replace(reply, '\"log\":', '\"log\":\"x\",\"was\":')",
            "is not the one that was given",
        ),
        (
            "update requests set tool = 'skill_check'",
            "is not the one that was given",
        ),
        (
            "update requests set arguments = zeroblob(32)",
            "is not the one that was given",
        ),
        (
            "update requests set salt = zeroblob(32)",
            "is not the one that was given",
        ),
        ("update requests set seq = seq - 1", "names another entry"),
        (
            "update requests set request_id = 'another'",
            "belongs to no call",
        ),
        ("delete from requests", "is gone"),
        (
            "insert into requests select campaign, 'more', tool, arguments, seq, reply, salt from requests",
            "belongs to no call",
        ),
    ] {
        let table = evening();
        table
            .record()
            .execute(&format!("{UNLOCK} {sql}"))
            .expect(sql);
        let report = table.record().verify();
        assert!(
            report
                .findings
                .iter()
                .any(|finding| finding.what.contains(words)),
            "{sql}: {report:?}"
        );
    }
}

#[test]
fn a_forged_answer_is_not_given() {
    for forged in [
        "replace(reply, '\"total\":8', '\"total\":14')",
        "replace(reply, '\"log\":', '\"log\":\"x\",\"was\":')",
        "'x'",
    ] {
        let mut table = evening();
        let forge = format!("update requests set reply = {forged}");
        table
            .record()
            .execute(&format!("{UNLOCK} {forge}"))
            .expect("the vandal succeeds");
        let before = table.record().length();
        table.roll_dice(hit()).refused("damaged");
        assert_eq!(table.record().length(), before);
    }
}

#[test]
fn a_request_that_was_made_to_act_twice_is_found() {
    let mut table = evening();
    table
        .record()
        .execute(&format!("{UNLOCK} delete from requests"))
        .expect("the vandal succeeds");
    table.dice([12]).roll_dice(hit()).is_fine();
    let report = table.record().verify();
    assert!(
        report
            .findings
            .iter()
            .any(|finding| finding.what.contains("acted a second time")),
        "{report:?}"
    );
}

#[test]
fn an_answer_given_again_has_its_receipt() {
    let mut table = Table::with_party();
    let roll = json!({"expression": "2d6", "request_id": "again"});
    let first = table.dice([3, 4]).roll_dice(roll.clone());
    table
        .dice([1])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
    let again = table.roll_dice(roll);
    assert_eq!(
        again["receipt"], first["receipt"],
        "of its own entry, not of the last"
    );
    assert!(
        !table.record().rows("select reply from requests")[0]["reply"]
            .as_str()
            .expect("text")
            .contains("receipt")
    );
}

/// What a person asks of the log in its order is a walk along an index, however long the log is.
#[test]
fn a_view_in_the_order_of_its_entries_sorts_nothing() {
    let table = evening();
    let record = table.record();
    for view in ["entries"] {
        for asked in [
            "order by seq",
            "order by seq desc limit 20",
            "where campaign = 'lockhouse' order by seq",
            "where campaign = 'lockhouse' and kind = 'check' order by seq desc",
            "where session = 1 order by seq",
            "order by campaign, seq",
        ] {
            let plan = record.rows(&format!("explain query plan select * from {view} {asked}"));
            let steps: Vec<&str> = plan
                .iter()
                .filter_map(|step| step["detail"].as_str())
                .collect();
            assert!(
                !steps.iter().any(|step| step.contains("TEMP B-TREE")),
                "{view} {asked}: {steps:?}"
            );
        }
    }
}

#[test]
fn the_view_shows_each_entry_once_in_order() {
    let table = evening();
    let seqs: Vec<Value> = table
        .record()
        .rows("select seq from entries order by seq")
        .into_iter()
        .map(|row| row["seq"].clone())
        .collect();
    assert_eq!(
        seqs,
        (1..=table.record().length())
            .map(Value::from)
            .collect::<Vec<_>>()
    );
}

/// The chain, worked out again from the rows alone by another hand than the program's.
fn bytes(row: &Value, column: &str) -> Vec<u8> {
    base16ct::lower::decode_vec(row[column].as_str().expect("bytes as hex")).expect("hex")
}

/// `len64`: the number of bytes as 8 bytes, big end first, then the bytes.
fn sized(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u64).to_be_bytes()[..], bytes].concat()
}

fn hash(parts: &[&[u8]]) -> Vec<u8> {
    Sha256::digest(parts.concat()).to_vec()
}

#[test]
fn every_hash_is_the_one_that_is_written_down() {
    let table = evening();
    let record = table.record();
    let uuid = record.rows("select replace(uuid, '-', '') as uuid from campaigns")[0].clone();
    let campaign = bytes(&uuid, "uuid");
    let rows = record.rows("select * from log order by seq");
    assert!(rows.len() > 20, "{} entries", rows.len());
    let mut chain = vec![0; 32];
    for (row, seq) in rows.iter().zip(1u64..) {
        assert_eq!(row["seq"], seq, "from 1, no gaps");
        assert_eq!(bytes(row, "prev"), chain, "#{seq}");
        let commitment = hash(&[
            b"rollbook/v1 body\0",
            &sized(&bytes(row, "salt")),
            &sized(&bytes(row, "body")),
        ]);
        assert_eq!(bytes(row, "commitment"), commitment, "#{seq}");
        let leaf = hash(&[
            b"rollbook/v1 leaf\0",
            &campaign,
            &seq.to_be_bytes(),
            &sized(&bytes(row, "public")),
            &commitment,
        ]);
        assert_eq!(bytes(row, "leaf"), leaf, "#{seq}");
        chain = hash(&[b"rollbook/v1 link\0", &chain, &leaf]);
        assert_eq!(bytes(row, "chain"), chain, "#{seq}");
    }
}

#[test]
fn bodies_are_canonical_json_of_integers_and_the_columns_are_copies_of_them() {
    let table = evening();
    for row in table.record().rows(
        "select *, cast(body as text) as text, cast(public as text) as told from log order by seq",
    ) {
        for column in ["text", "told"] {
            let text = row[column].as_str().expect("text");
            let value: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(
                canonical(&value),
                text,
                "sorted keys, no white space, no fractions"
            );
        }
        let body: Value = serde_json::from_str(row["text"].as_str().expect("text")).expect("JSON");
        assert_eq!(row["kind"], body["event"]["kind"]);
        for column in ["at", "session", "visibility", "actor"] {
            assert_eq!(row[column], body[column], "{column} of {body}");
        }
        let hidden = body["visibility"] == "gm";
        assert_eq!(
            row["told"] == format!("{{\"hidden\":true,\"seq\":{}}}", row["seq"]),
            hidden,
            "{body}"
        );
    }
}

/// Canonical JSON by another hand: keys sorted by their bytes, nothing between, integers only.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(key, _)| *key);
            let fields: Vec<String> = fields
                .iter()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), canonical(value)))
                .collect();
            format!("{{{}}}", fields.join(","))
        }
        Value::Array(items) => format!(
            "[{}]",
            items.iter().map(canonical).collect::<Vec<_>>().join(",")
        ),
        Value::Number(number) => {
            assert!(!number.is_f64(), "{number} is no integer");
            number.to_string()
        }
        other => other.to_string(),
    }
}

#[test]
fn every_entry_has_a_salt_of_its_own() {
    let table = evening();
    let record = table.record();
    assert_eq!(
        record.number("select count(distinct salt) from log"),
        record.length()
    );
    let nonces = record.rows("select distinct json_extract(roll.value, '$.nonce') as nonce from log, json_each(cast(body as text), '$.rolls') as roll");
    assert_eq!(
        nonces.len() as i64,
        record.number("select count(*) from rolls")
    );
}

#[test]
fn a_receipt_is_the_head_of_the_chain_and_is_known_again() {
    let mut table: Table = evening();
    let rolled = table
        .dice([4])
        .roll_dice(serde_json::json!({"expression": "d6"}));
    let row = table
        .record()
        .rows("select seq, chain from log order by seq desc limit 1")
        .remove(0);
    let chain = row["chain"].as_str().expect("hex");
    assert_eq!(
        rolled["receipt"],
        format!("#{} {}", row["seq"], &chain[..20])
    );
    let receipt = rolled.text("receipt").to_owned();
    table
        .dice([4])
        .roll_dice(serde_json::json!({"expression": "d6"}))
        .is_fine();
    assert!(
        table
            .record()
            .verify_with(Some(&receipt))
            .findings
            .is_empty(),
        "an old receipt holds for ever"
    );
    assert!(
        table.record().verified(Some(&receipt)).notes.is_empty(),
        "a whole receipt needs no remark"
    );
    let short = &receipt[..receipt.len() - 8];
    let verified = table.record().verified(Some(short));
    assert!(
        verified.is_sound(),
        "a shorter one still fits: {verified:?}"
    );
    let [note] = &verified.notes[..] else {
        panic!("{:?}", verified.notes)
    };
    assert!(
        note.starts_with("the receipt has 12 of its 20 digits: "),
        "{note}"
    );
    let forged = format!("{}000000", &receipt[..receipt.len() - 6]);
    assert_eq!(table.record().verify_with(Some(&forged)).findings.len(), 1);
}
