//! A person with SQLite in hand changes the book. Verification names the entry and goes on to the
//! end.

use rollbook_store::verify::Report;
use serde_json::json;

use super::evening;
use crate::table::{Table, has};

/// Takes the triggers away, as anybody with the file can.
const UNLOCK: &str = "drop trigger log_is_never_updated; drop trigger log_is_never_deleted; drop trigger log_grows_by_one_link;";

/// Does it, verifies, and demands that the first finding names that entry (0: the whole) with those
/// words, and that every entry was still looked at.
#[track_caller]
fn found(table: &Table, sql: &str, seq: u64, words: &str) -> Report {
    let record = table.record();
    record
        .execute(&format!("{UNLOCK} {sql}"))
        .expect("the vandal succeeds");
    let left = record.length();
    let report = record.verify();
    let first = report
        .findings
        .first()
        .unwrap_or_else(|| panic!("nothing was found after {sql}"));
    assert_eq!(first.seq, seq, "{sql}: {:?}", report.findings);
    assert!(
        report
            .findings
            .iter()
            .any(|finding| finding.seq == seq && finding.what.contains(words)),
        "{sql}: no \"{words}\" in {:?}",
        report.findings
    );
    assert_eq!(
        report.entries,
        u64::try_from(left).expect("a count"),
        "it went on to the end"
    );
    report
}

#[test]
fn a_body_that_was_edited() {
    found(
        &evening(),
        "update log set body = cast(replace(cast(body as text), '\"total\":18', '\"total\":19') as blob) where seq = 6",
        6,
        "not the one that was committed to",
    );
}

#[test]
fn a_body_that_was_edited_with_every_hash_of_its_own_entry_made_to_fit() {
    // Who also works out the hashes of one entry breaks the link of the next.
    let table = evening();
    let mut rows = table.record().rows("select * from log where seq = 6");
    let row = rows.remove(0);
    let hex = |column: &str| row[column].as_str().expect("hex").to_owned();
    let blob = |text: &str| base16ct::lower::decode_vec(text).expect("hex");
    let body = String::from_utf8(blob(&hex("body")))
        .expect("text")
        .replace("\"context\":null", "\"context\":\"x\"");
    let uuid = table.record().rows("select uuid from campaigns")[0]["uuid"]
        .as_str()
        .expect("text")
        .parse()
        .expect("a UUID");
    let commitment = rollbook_store::chain::commitment(&blob(&hex("salt")), body.as_bytes());
    let leaf = rollbook_store::chain::leaf(&uuid, 6, &blob(&hex("public")), &commitment);
    let chain =
        rollbook_store::chain::link(&blob(&hex("prev")).try_into().expect("32 bytes"), &leaf);
    let of = |bytes: &[u8]| base16ct::lower::encode_string(bytes);
    let sql = format!(
        "update log set body = x'{}', commitment = x'{}', leaf = x'{}', chain = x'{}' where seq = 6",
        of(body.as_bytes()),
        of(&commitment),
        of(&leaf),
        of(&chain)
    );
    let report = found(&table, &sql, 6, "rows in rolls differ");
    assert!(
        report
            .findings
            .iter()
            .any(|finding| finding.seq == 7 && finding.what.contains("link")),
        "{report:?}"
    );
}

#[test]
fn a_public_part_a_salt_or_a_hash_that_was_edited() {
    found(
        &evening(),
        "update log set public = cast(replace(cast(public as text), 'Sabeth', 'Jory') as blob) where seq = 6",
        6,
        "does not match its hash",
    );
    found(
        &evening(),
        "update log set salt = zeroblob(32) where seq = 9",
        9,
        "not the one that was committed to",
    );
    found(
        &evening(),
        "update log set commitment = zeroblob(32) where seq = 7",
        7,
        "not the one that was committed to",
    );
    found(
        &evening(),
        "update log set leaf = zeroblob(32) where seq = 7",
        7,
        "does not match its hash",
    );
    found(
        &evening(),
        "update log set chain = zeroblob(32) where seq = 7",
        7,
        "chain value does not follow",
    );
    found(
        &evening(),
        "update log set prev = zeroblob(32) where seq = 7",
        7,
        "does not name the entry before it",
    );
}

#[test]
fn a_hidden_roll_that_was_made_public_or_a_public_one_hidden() {
    found(
        &evening(),
        "update log set public = cast('{\"hidden\":true,\"seq\":6}' as blob) where seq = 6",
        6,
        "not what hiding makes",
    );
    found(
        &evening(),
        "update log set visibility = 'public' where seq = 7",
        7,
        "column beside the body",
    );
}

#[test]
fn a_column_that_was_edited() {
    for (column, value) in [
        ("at", "0"),
        ("session", "9"),
        ("kind", "'roll2'"),
        ("visibility", "'blind'"),
        ("actor", "'nobody'"),
    ] {
        found(
            &evening(),
            &format!("update log set {column} = {value} where seq = 6"),
            6,
            "column beside the body",
        );
    }
}

#[test]
fn an_entry_that_was_taken_out() {
    let report = found(
        &evening(),
        "delete from log where seq = 6",
        7,
        "entry #6 is missing",
    );
    assert_eq!(
        report.findings.len(),
        1,
        "one entry, one finding: {:?}",
        report.findings
    );
    let report = found(
        &evening(),
        "delete from log where seq = 3",
        4,
        "entry #3 is missing",
    );
    assert!(
        report.findings.len() == 1 && report.left_out > 0,
        "what follows from it is counted: {report:?}"
    );
    found(
        &evening(),
        "delete from log where seq = 1",
        2,
        "entry #1 is missing",
    );
}

#[test]
fn a_tail_that_was_cut_off_is_shown_by_a_receipt_or_a_checkpoint() {
    let mut table = evening();
    let receipt = table
        .dice([4])
        .roll_dice(json!({"expression": "d6"}))
        .text("receipt")
        .to_owned();
    let ended = table.manage_session(json!({"action": "end"})).number("log");
    let last = table.record().length();
    let record = table.record();
    let cut = "delete from roll_rows where seq = (select max(seq) from log) - 1;
         update sessions set ended_at = null;
         delete from log where seq >= (select max(seq) from log) - 1;";
    record
        .execute(&format!("{UNLOCK} {cut}"))
        .expect("the vandal succeeds");
    let report = record.verify();
    assert_eq!(
        report.findings.len(),
        1,
        "the chain alone is whole: {:?}",
        report.findings
    );
    assert_eq!(
        report.findings[0].seq,
        u64::try_from(ended).expect("a number")
    );
    has(
        &report.findings[0].what,
        &["a checkpoint of campaigns.db says the log reached"],
    );
    std::fs::remove_file(table.path("checkpoints.log")).expect("the vandal is thorough");
    assert!(
        table.record().verify().findings.is_empty(),
        "and now nothing inside shows it"
    );
    let report = table.record().verify_with(Some(&receipt));
    assert_eq!(
        report.findings[0].seq,
        u64::try_from(last - 1).expect("a number")
    );
    assert!(
        report.findings[0].what.contains("its tail was cut off"),
        "{:?}",
        report.findings
    );
}

#[test]
fn a_row_of_any_state_table_that_was_edited_added_or_removed() {
    for (sql, table) in [
        ("update campaigns set adventure = 'elsewhere'", "campaigns"),
        ("update sessions set title = 'another evening'", "sessions"),
        (
            "update characters set level = 9 where name = 'Jory'",
            "characters",
        ),
        (
            "update characters set gm_notes = '' where name = 'Sabeth'",
            "characters",
        ),
        ("delete from characters where name = 'Sabeth'", "characters"),
        ("update tracks set value = max where value = 0", "tracks"),
        ("delete from conditions", "conditions"),
        ("update conditions set level = 3", "conditions"),
        (
            "insert into conditions (campaign, character, name, since, source, hidden) values (1, 4, 'blessed', 1, 'gm', 0)",
            "conditions",
        ),
        (
            "update conditions set lasts = '{\"left\":3,\"unit\":\"rounds\",\"anchor\":1,\"at\":\"end\"}'",
            "conditions",
        ),
        (
            "update conditions set caused_by = 4, group_name = 'focus'",
            "conditions",
        ),
        ("update combats set outcome = 'they won'", "combats"),
        ("update combats set advanced = 3", "combats"),
        ("update combatants set defeated = 0", "combatants"),
        ("update combatants set hidden = 1 - hidden", "combatants"),
        ("update combatants set turn_at = 3", "combatants"),
        ("update combatants set waits = 'delayed'", "combatants"),
        (
            "update combatants set ready = 'the door opens', from_round = 7",
            "combatants",
        ),
        (
            "delete from combatants where side = 'players'",
            "combatants",
        ),
    ] {
        found(&evening(), sql, 0, &format!("the table {table} differs"));
    }
}

#[test]
fn a_row_of_rolls_that_was_edited_added_or_removed() {
    found(
        &evening(),
        "update roll_rows set total = 20 where seq = 6",
        6,
        "rows in rolls differ",
    );
    found(
        &evening(),
        "update roll_rows set individual_rolls = '[20]' where seq = 6",
        6,
        "rows in rolls differ",
    );
    found(
        &evening(),
        "update roll_rows set visible = 1 where seq = 7",
        7,
        "rows in rolls differ",
    );
    found(
        &evening(),
        "delete from roll_rows where seq = 6",
        6,
        "rows in rolls differ",
    );
    found(
        &evening(),
        "update roll_rows set seq = 9999 where seq = 6",
        6,
        "rows in rolls differ",
    );
    let stray =
        "create temp table stray as select * from roll_rows where seq = 6; update stray set id = 'stray', seq = 9999;
                 insert into roll_rows select * from stray";
    found(&evening(), stray, 0, "1 rows of rolls belong to no entry");
}

#[test]
fn several_wounds_are_all_found() {
    let table = evening();
    let report = found(
        &table,
        "update log set actor = 'x' where seq in (4, 9); update roll_rows set total = 1 where seq = 6; update characters set xp = 5",
        4,
        "column beside the body",
    );
    let named = |seq: u64| report.findings.iter().any(|finding| finding.names(seq));
    assert!(
        [0, 4, 6, 9].into_iter().all(named) && !named(5),
        "{:?}",
        report.findings
    );
}

#[test]
fn a_campaign_whose_chain_was_moved_to_another_is_found() {
    let table = evening();
    let report = found(
        &table,
        "update campaigns set uuid = '00000000-0000-7000-8000-0000000000ff'",
        1,
        "does not match its hash",
    );
    let [all, of_table] = &report.findings[..] else {
        panic!("one fault is not a finding an entry: {:?}", report.findings)
    };
    assert!(
        (1..=report.entries).all(|seq| all.names(seq)) && of_table.seq == 0,
        "{:?}",
        report.findings
    );
}
