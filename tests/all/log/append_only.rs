//! The database itself refuses to forget: triggers against every way of changing what was written.

use super::evening;

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
        ("update log set actor = 'nobody' where seq = 5".to_owned(), "never changed"),
        ("update log set seq = seq + 1000".to_owned(), "never changed"),
        ("delete from log where seq = 5".to_owned(), "never removed"),
        ("delete from log where seq = (select max(seq) from log)".to_owned(), "never removed"),
        (copy(&format!("{next} + 1"), head), "seq must be the next"),
        (copy("5", head), "seq must be the next"),
        (copy("0", head), "seq must be the next"),
        (copy(next, "zeroblob(32)"), "prev must be the last chain value"),
        (copy("5", head).replace("insert into", "insert or replace into"), "append-only"),
        (copy("5", head).replace("insert into", "replace into"), "append-only"),
        (
            copy(next, head)
                .replace("(campaign, seq", "(id, campaign, seq")
                .replace("select campaign,", "select 5, campaign,")
                .replace("insert into", "insert or replace into"),
            "append-only",
        ),
        ("update requests set reply = '{}'".to_owned(), "kept as they were given"),
        ("delete from requests".to_owned(), "kept as they were given"),
    ] {
        let error = record.execute(&format!("pragma recursive_triggers = on; {sql}")).expect_err(&sql);
        assert!(error.contains(why), "{sql}: {error}");
        assert_eq!(record.everything(), before, "{sql}");
    }
}

#[test]
fn an_insert_or_replace_without_recursive_triggers_is_found_by_verification_at_the_latest() {
    let table = evening();
    let record = table.record();
    // SQLite fires no delete trigger for `replace` unless recursive_triggers is on; the insert trigger still refuses.
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
        record.execute(&format!("pragma foreign_keys = on; {sql}")).expect_err(sql);
    }
    record.is_sound();
}
