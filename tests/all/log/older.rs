//! A database of schema 1: it verifies as it lies, is backed up and brought up to date by the next start, and verifies again.

use rollbook::store::chain;
use rollbook::store::sqlite::{backups, migrate};
use serde_json::{Value, json};

use crate::table::Table;

fn hex(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(bytes)
}

/// The bytes of a column.
fn blob(row: &Value, column: &str) -> Vec<u8> {
    base16ct::lower::decode_vec(row[column].as_str().expect("hex")).expect("hex")
}

/// An entry with another body and another public part.
struct Linked {
    /// For `update log set`.
    assignments: String,
    chain: [u8; 32],
}

fn relinked(table: &Table, row: &Value, body: &[u8], public: &[u8]) -> Linked {
    let uuid = table.record().rows("select uuid from campaigns")[0]["uuid"].as_str().expect("text").parse();
    let commitment = chain::commitment(&blob(row, "salt"), body);
    let leaf = chain::leaf(&uuid.expect("a UUID"), row["seq"].as_u64().expect("a number"), public, &commitment);
    let link = chain::link(&blob(row, "prev").try_into().expect("32 bytes"), &leaf);
    let assignments = format!(
        "body = x'{}', public = x'{}', commitment = x'{}', leaf = x'{}', chain = x'{}'",
        hex(body),
        hex(public),
        hex(&commitment),
        hex(&leaf),
        hex(&link)
    );
    Linked { assignments, chain: link }
}

/// Takes back what the later migrations did, and what this program wrote because of it: the bound answer of the last entry.
fn made_older(table: &Table) {
    let record = table.record();
    let row = record.rows("select * from log order by seq desc limit 1").remove(0);
    let mut body: Value = serde_json::from_slice(&blob(&row, "body")).expect("JSON");
    body.as_object_mut().expect("an object").remove("answer").expect("the answer was bound");
    let Linked { assignments, chain } = relinked(table, &row, body.to_string().as_bytes(), &blob(&row, "public"));
    let receipt = format!("#{} {}", row["seq"], &hex(&chain)[..12]);
    let triggers = record.rows("select sql from sqlite_schema where type = 'trigger' and name in ('log_is_never_updated', 'requests_are_never_updated')");
    let triggers: Vec<&str> = triggers.iter().map(|row| row["sql"].as_str().expect("text")).collect();
    let first = migrate::texts().next().expect("a migration");
    let table_of = |name: &str| {
        let table = &first[first.find(&format!("create table {name} (")).expect("a table")..];
        &table[..table.find(';').expect("its end")]
    };
    let (combats, characters, rolls) = (table_of("combats"), table_of("characters"), table_of("rolls"));
    let let_go = &first[first.find("create trigger log_is_never_deleted ").expect("a trigger")..];
    let let_go = &let_go[..let_go.find("end;").expect("its end") + "end".len()];
    let views =
        record.rows("select 'drop view ' || name as sql from sqlite_schema where type = 'view' and name <> 'entries'");
    let views = views.iter().map(|row| row["sql"].as_str().expect("text")).collect::<Vec<_>>().join(";");
    let sql = format!(
        "drop trigger log_is_never_updated; drop trigger requests_are_never_updated;
         update log set {assignments} where seq = {};
         update requests set reply = json_set(reply, '$.receipt', '{receipt}');
         alter table requests drop column salt; alter table conditions drop column level; drop table book;
         alter table conditions drop column lasts; alter table conditions drop column caused_by;
         alter table conditions drop column group_name; alter table conditions drop column until;
         alter table conditions drop column cause; alter table conditions drop column hidden; alter table combatants drop column from_round;
         alter table combatants drop column turn_at; alter table combatants drop column hidden;
         alter table combatants drop column waits; alter table combatants drop column ready; drop table combats; {combats};
         drop table items; drop table notes; drop table clocks; drop table decks; drop table keys; create temp table kept as select * from characters; drop table characters; {characters};
         insert into characters select campaign, id, name, kind, level, xp, attributes, skills, notes, gm_notes from kept;
         drop table kept; drop index log_by_entry;
         {views}; drop index roll_rows_by_session; drop index log_by_session; drop index log_undone; drop table zone_offsets; drop table words; drop table seen;
         drop trigger log_is_never_deleted; drop trigger log_of_a_segment_is_sealed; drop table archived; drop table segments; {let_go};
         {rolls}; insert into rolls select * from roll_rows; drop table roll_rows;
         delete from _sqlx_migrations where version > 1; pragma application_id = 0; {};",
        row["seq"],
        triggers.join(";")
    );
    record.execute(&sql).expect("is made older");
}

#[test]
fn a_database_of_the_first_schema_is_verified_brought_up_to_date_and_played_on() {
    let mut table = Table::with_party();
    let roll = json!({"expression": "2d6", "request_id": "again"});
    let first = table.dice([3, 4]).roll_dice(roll.clone());
    let first_total = first["total"].clone();
    made_older(&table);

    let found = table.record().verified(None);
    assert!(found.is_sound(), "{found:?}");
    assert_eq!(found.campaigns[0].unbound_answers, 1, "and it says what could not be compared");

    table.restart();
    let again = table.roll_dice(roll);
    assert_eq!((&again["replayed"], &again["total"]), (&json!(true), &first_total));
    assert!(again["receipt"].as_str().expect("a receipt").starts_with('#'));
    table.dice([5]).roll_dice(json!({"expression": "d6", "request_id": "new"})).is_fine();
    let found = table.record().verified(None);
    assert!(found.is_sound(), "{found:?}");
    assert_eq!(found.campaigns[0].unbound_answers, 1);
    let backup = table.wait(backups::newest_good(table.database())).expect("a backup before the migration");
    let verified = table.wait(rollbook::store::verify::verify(&backup, None, None)).expect("can be verified");
    assert!(verified.is_sound(), "{verified:?}");

    let forge = "drop trigger requests_are_never_updated;
        update requests set reply = json_set(reply, '$.receipt', '#1 ffffffffffff') where salt is null";
    table.record().execute(forge).expect("the vandal succeeds");
    let report = table.record().verify();
    assert!(report.findings.iter().any(|finding| finding.what.contains("another receipt")), "{report:?}");
}

/// `tests/fixtures/log-1` was written by the first program that kept a log: the demo's evening, and rolls of every kind.
#[test]
fn a_log_of_the_first_program_still_verifies() {
    let table = Table::with_party();
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("campaigns.db");
    for name in ["campaigns.db", "checkpoints.log"] {
        let from = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/log-1").join(name);
        std::fs::copy(from, folder.path().join(name)).expect("can be copied");
    }
    let verify = || table.wait(rollbook::store::verify::verify(&database, None, None)).expect("can be verified");
    let as_it_lies = verify();
    assert!(as_it_lies.is_sound(), "{as_it_lies:?}");
    assert_eq!((as_it_lies.campaigns[0].entries, as_it_lies.campaigns[0].rolls), (61, 40));
    assert_eq!(as_it_lies.campaigns[0].earlier, 61, "and it says whose words they are");

    let store = table.wait(rollbook::store::sqlite::open(&database)).expect("is brought up to date");
    table.wait(store.close()).expect("closes");
    let brought_up = verify();
    assert!(brought_up.is_sound(), "{brought_up:?}");
}

/// A set of one roll was told as a set before it was told as that roll; its entry has no `single`.
#[test]
fn an_older_set_of_one_roll_verifies_with_the_words_that_it_had() {
    let mut table = Table::with_party();
    table.dice([3]).call("roll_multiple", json!({"rolls": [{"expression": "d6"}]})).is_fine();
    let older = "The GM makes 1 rolls: 1d6: [3] = 3.";
    for (text, is_sound) in [("The GM rolls 1d6: [3] = 3.", false), (older, true)] {
        let record = table.record();
        let row = record.rows("select * from log order by seq desc limit 1").remove(0);
        let json_of = |column: &str| -> Value { serde_json::from_slice(&blob(&row, column)).expect("JSON") };
        let (mut body, mut public) = (json_of("body"), json_of("public"));
        body["event"].as_object_mut().expect("an object").remove("single");
        public["text"] = json!(text);
        let Linked { assignments, .. } =
            relinked(&table, &row, body.to_string().as_bytes(), public.to_string().as_bytes());
        let trigger = "select sql from sqlite_schema where type = 'trigger' and name = 'log_is_never_updated'";
        let trigger = record.rows(trigger)[0]["sql"].as_str().expect("text").to_owned();
        let sql = format!(
            "drop trigger log_is_never_updated; update log set {assignments} where seq = {}; {trigger};",
            row["seq"]
        );
        record.execute(&sql).expect("is made older");
        let found = table.record().verified(None);
        assert_eq!(found.is_sound(), is_sound, "{found:?}");
    }
}
