//! The chain, worked out again from the rows alone by another hand than the program's.

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::evening;
use crate::table::Table;

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
        let commitment = hash(&[b"rollbook/v1 body\0", &sized(&bytes(row, "salt")), &sized(&bytes(row, "body"))]);
        assert_eq!(bytes(row, "commitment"), commitment, "#{seq}");
        let leaf =
            hash(&[b"rollbook/v1 leaf\0", &campaign, &seq.to_be_bytes(), &sized(&bytes(row, "public")), &commitment]);
        assert_eq!(bytes(row, "leaf"), leaf, "#{seq}");
        chain = hash(&[b"rollbook/v1 link\0", &chain, &leaf]);
        assert_eq!(bytes(row, "chain"), chain, "#{seq}");
    }
}

#[test]
fn bodies_are_canonical_json_of_integers_and_the_columns_are_copies_of_them() {
    let table = evening();
    for row in
        table.record().rows("select *, cast(body as text) as text, cast(public as text) as told from log order by seq")
    {
        for column in ["text", "told"] {
            let text = row[column].as_str().expect("text");
            let value: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(canonical(&value), text, "sorted keys, no white space, no fractions");
        }
        let body: Value = serde_json::from_str(row["text"].as_str().expect("text")).expect("JSON");
        assert_eq!(row["kind"], body["event"]["kind"]);
        for column in ["at", "session", "visibility", "actor"] {
            assert_eq!(row[column], body[column], "{column} of {body}");
        }
        let hidden = body["visibility"] == "gm";
        assert_eq!(row["told"] == format!("{{\"hidden\":true,\"seq\":{}}}", row["seq"]), hidden, "{body}");
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
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
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
    assert_eq!(record.number("select count(distinct salt) from log"), record.length());
    let nonces = record.rows("select distinct json_extract(roll.value, '$.nonce') as nonce from log, json_each(cast(body as text), '$.rolls') as roll");
    assert_eq!(nonces.len() as i64, record.number("select count(*) from rolls"));
}

#[test]
fn a_receipt_is_the_head_of_the_chain_and_is_known_again() {
    let mut table: Table = evening();
    let rolled = table.dice([4]).roll_dice(serde_json::json!({"expression": "d6"}));
    let row = table.record().rows("select seq, chain from log order by seq desc limit 1").remove(0);
    let chain = row["chain"].as_str().expect("hex");
    assert_eq!(rolled["receipt"], format!("#{} {}", row["seq"], &chain[..20]));
    let receipt = rolled.text("receipt").to_owned();
    table.dice([4]).roll_dice(serde_json::json!({"expression": "d6"})).is_fine();
    assert!(table.record().verify_with(Some(&receipt)).findings.is_empty(), "an old receipt holds for ever");
    assert!(table.record().verified(Some(&receipt)).notes.is_empty(), "a whole receipt needs no remark");
    let short = &receipt[..receipt.len() - 8];
    let verified = table.record().verified(Some(short));
    assert!(verified.is_sound(), "a shorter one still fits: {verified:?}");
    let [note] = &verified.notes[..] else { panic!("{:?}", verified.notes) };
    assert!(note.starts_with("the receipt has 12 of its 20 digits: "), "{note}");
    let forged = format!("{}000000", &receipt[..receipt.len() - 6]);
    assert_eq!(table.record().verify_with(Some(&forged)).findings.len(), 1);
}
