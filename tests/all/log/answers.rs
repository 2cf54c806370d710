//! Kept answers are bound to the log: a forged one is found, and never given.

use serde_json::{Value, json};

use super::evening;
use crate::table::Table;

const UNLOCK: &str = "drop trigger requests_are_never_updated; drop trigger requests_are_never_deleted;";

fn hit() -> Value {
    json!({"expression": "1d12+2", "character": "Jory", "request_id": "hit"})
}

#[test]
fn a_forged_answer_is_found() {
    for (sql, words) in [
        ("update requests set reply = replace(reply, '\"total\":8', '\"total\":14')", "is not the one that was given"),
        ("update requests set reply = reply || ' '", "is not the one that was given"),
        ("update requests set reply = 'x'", "it was changed"),
        (
            "update requests set reply = replace(reply, '\"log\":', '\"log\":\"x\",\"was\":')",
            "is not the one that was given",
        ),
        ("update requests set tool = 'skill_check'", "is not the one that was given"),
        ("update requests set arguments = zeroblob(32)", "is not the one that was given"),
        ("update requests set salt = zeroblob(32)", "is not the one that was given"),
        ("update requests set seq = seq - 1", "names another entry"),
        ("update requests set request_id = 'another'", "belongs to no call"),
        ("delete from requests", "is gone"),
        (
            "insert into requests select campaign, 'more', tool, arguments, seq, reply, salt from requests",
            "belongs to no call",
        ),
    ] {
        let table = evening();
        table.record().execute(&format!("{UNLOCK} {sql}")).expect(sql);
        let report = table.record().verify();
        assert!(report.findings.iter().any(|finding| finding.what.contains(words)), "{sql}: {report:?}");
    }
}

#[test]
fn a_forged_answer_is_not_given() {
    for forged in
        ["replace(reply, '\"total\":8', '\"total\":14')", "replace(reply, '\"log\":', '\"log\":\"x\",\"was\":')", "'x'"]
    {
        let mut table = evening();
        let forge = format!("update requests set reply = {forged}");
        table.record().execute(&format!("{UNLOCK} {forge}")).expect("the vandal succeeds");
        let before = table.record().length();
        table.roll_dice(hit()).refused("damaged");
        assert_eq!(table.record().length(), before);
    }
}

#[test]
fn a_request_that_was_made_to_act_twice_is_found() {
    let mut table = evening();
    table.record().execute(&format!("{UNLOCK} delete from requests")).expect("the vandal succeeds");
    table.dice([12]).roll_dice(hit()).is_fine();
    let report = table.record().verify();
    assert!(report.findings.iter().any(|finding| finding.what.contains("acted a second time")), "{report:?}");
}

#[test]
fn an_answer_given_again_has_its_receipt() {
    let mut table = Table::with_party();
    let roll = json!({"expression": "2d6", "request_id": "again"});
    let first = table.dice([3, 4]).roll_dice(roll.clone());
    table.dice([1]).roll_dice(json!({"expression": "d6"})).is_fine();
    let again = table.roll_dice(roll);
    assert_eq!(again["receipt"], first["receipt"], "of its own entry, not of the last");
    assert!(!table.record().rows("select reply from requests")[0]["reply"].as_str().expect("text").contains("receipt"));
}
