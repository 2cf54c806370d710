//! Every kind of tampering with a database, and under which keeping it is found: with nothing kept
//! outside, with the checkpoints beside the file, with a receipt. The answers are the table in
//! `docs/tampering.md`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::evening;
use super::forged::forge;
use crate::table::Table;

/// Takes the triggers away, as anybody with the file can, and puts them back when it is done.
fn unlocked(table: &Table, work: impl FnOnce()) {
    let record = table.record();
    let triggers = record.rows("select name, sql from sqlite_schema where type = 'trigger'");
    let text = |row: &Value, column: &str| row[column].as_str().expect("text").to_owned();
    for row in &triggers {
        record
            .execute(&format!("drop trigger {}", text(row, "name")))
            .expect("the vandal succeeds");
    }
    work();
    for row in &triggers {
        record
            .execute(&text(row, "sql"))
            .expect("the vandal succeeds");
    }
}

/// A person with SQLite in hand: what is done to the log, the answers and the tables beside it.
/// Entry 6 is a check, 7 a hidden one.
const BY_HAND: &[(&str, &str)] = &[
    (
        "a total in a body",
        "update log set body = cast(replace(cast(body as text), '\"total\":18', '\"total\":19') as blob) where seq = 6",
    ),
    (
        "a body that is no JSON",
        "update log set body = x'7b' where seq = 6",
    ),
    ("an empty body", "update log set body = x'' where seq = 6"),
    (
        "a space in a body",
        "update log set body = cast(cast(body as text) || ' ' as blob) where seq = 6",
    ),
    (
        "a name in what players see",
        "update log set public = cast(replace(cast(public as text), 'Sabeth', 'Jory') as blob) where seq = 6",
    ),
    (
        "what players see taken away",
        "update log set public = cast('{\"hidden\":true,\"seq\":6}' as blob) where seq = 6",
    ),
    (
        "a hidden entry shown",
        "update log set public = (select public from log where seq = 6) where seq = 7",
    ),
    (
        "another salt",
        "update log set salt = zeroblob(32) where seq = 6",
    ),
    (
        "another commitment",
        "update log set commitment = zeroblob(32) where seq = 6",
    ),
    (
        "another leaf",
        "update log set leaf = zeroblob(32) where seq = 6",
    ),
    (
        "another chain value",
        "update log set chain = zeroblob(32) where seq = 6",
    ),
    (
        "another link",
        "update log set prev = zeroblob(32) where seq = 6",
    ),
    (
        "the last chain value",
        "update log set chain = zeroblob(32) where seq = (select max(seq) from log)",
    ),
    (
        "body and salt of another entry",
        "update log set (body, salt) = (select body, salt from log where seq = 9) where seq = 6",
    ),
    (
        "all of another entry but its number",
        "update log set (body, salt, public, commitment, leaf, chain, prev) = (select body, salt, public, commitment, leaf, chain, prev from log where seq = 9) where seq = 6",
    ),
    (
        "the time in its column",
        "update log set at = 0 where seq = 6",
    ),
    (
        "the session in its column",
        "update log set session = 9 where seq = 6",
    ),
    (
        "the kind in its column",
        "update log set kind = 'roll' where seq = 6",
    ),
    (
        "the visibility in its column",
        "update log set visibility = 'blind' where seq = 6",
    ),
    (
        "the actor in its column",
        "update log set actor = 'nobody' where seq = 6",
    ),
    (
        "a hidden entry public in its column",
        "update log set visibility = 'public' where seq = 7",
    ),
    ("the first entry taken out", "delete from log where seq = 1"),
    ("an entry taken out", "delete from log where seq = 6"),
    ("a hidden entry taken out", "delete from log where seq = 7"),
    (
        "three entries taken out",
        "delete from log where seq between 6 and 8",
    ),
    ("two gaps", "delete from log where seq in (6, 11)"),
    (
        "an entry taken out, the later ones moved up",
        "delete from log where seq = 6; update log set seq = seq - 1 where seq > 6",
    ),
    (
        "two entries swapped",
        "update log set seq = 9999 where seq = 6; update log set seq = 6 where seq = 9; update log set seq = 9 where seq = 9999",
    ),
    (
        "an entry under a later number",
        "update log set seq = 9999 where seq = 6",
    ),
    (
        "an entry twice, at the end",
        "insert into log select null, campaign, (select max(seq) + 1 from log), prev, body, public, salt, commitment, leaf, chain, at, session, kind, visibility, actor from log where seq = 6",
    ),
    (
        "the last entry cut off",
        "update sessions set ended_at = null; delete from log where seq = (select max(seq) from log)",
    ),
    (
        "the last two cut off",
        "update sessions set ended_at = null; update combats set status = 'running', outcome = null; delete from log where seq > (select max(seq) - 2 from log)",
    ),
    (
        "everything but the first entry cut off",
        "delete from log where seq > 1",
    ),
    ("the whole log taken out", "delete from log"),
    (
        "the campaign's UUID",
        "update campaigns set uuid = '00000000-0000-7000-8000-0000000000ff'",
    ),
    (
        "the campaign's name",
        "update campaigns set name = 'another'",
    ),
    (
        "the campaign's adventure",
        "update campaigns set adventure = 'elsewhere'",
    ),
    (
        "the hash of the rules",
        "update campaigns set rules_hash = ''",
    ),
    (
        "when the campaign began",
        "update campaigns set created_at = 0",
    ),
    (
        "the campaign's row taken out",
        "pragma foreign_keys = off; delete from campaigns",
    ),
    (
        "a session's title",
        "update sessions set title = 'another evening'",
    ),
    ("when a session began", "update sessions set started_at = 0"),
    (
        "a session put in",
        "insert into sessions (campaign, number, title, started_at) values (1, 7, 'a better evening', 1)",
    ),
    ("a session taken out", "delete from sessions"),
    (
        "a character's level",
        "update characters set level = 9 where name = 'Jory'",
    ),
    (
        "a character's experience",
        "update characters set xp = 500 where name = 'Jory'",
    ),
    (
        "a character's score",
        "update characters set attributes = '{\"STR\":20}' where name = 'Jory'",
    ),
    (
        "a character's skill",
        "update characters set skills = '{\"Lockpicking\":20}' where name = 'Sabeth'",
    ),
    (
        "a character's notes",
        "update characters set notes = 'dry' where name = 'Sabeth'",
    ),
    (
        "the GM's notes",
        "update characters set gm_notes = '' where name = 'Sabeth'",
    ),
    (
        "a character's name",
        "update characters set name = 'Tib' where name = 'Sabeth'",
    ),
    (
        "a character taken out",
        "delete from characters where name = 'Sabeth'",
    ),
    (
        "hit points given back",
        "update tracks set value = max where value < max",
    ),
    ("a higher maximum", "update tracks set max = max + 5"),
    (
        "a track put in",
        "insert into tracks (campaign, character, name, value, min, max, fixed) values (1, 4, 'Luck', 3, 0, 3, 0)",
    ),
    ("a track taken out", "delete from tracks"),
    (
        "a condition put in",
        "insert into conditions (campaign, character, name, since, source, hidden) values (1, 4, 'blessed', 1, 'gm', 0)",
    ),
    ("the conditions taken out", "delete from conditions"),
    ("a condition's level", "update conditions set level = 3"),
    (
        "a fight's outcome",
        "update combats set outcome = 'they won'",
    ),
    ("a fight's round", "update combats set round = round + 1"),
    (
        "a fight open again",
        "update combats set status = 'running', outcome = null",
    ),
    ("a fight taken out", "delete from combats"),
    (
        "a combatant alive again",
        "update combatants set defeated = 1 - defeated",
    ),
    (
        "a combatant hidden",
        "update combatants set hidden = 1 - hidden",
    ),
    ("an initiative", "update combatants set initiative = 99"),
    (
        "a combatant taken out",
        "delete from combatants where side = 'players'",
    ),
    (
        "a kept answer",
        "update requests set reply = replace(reply, '8', '9')",
    ),
    (
        "the arguments of a kept answer",
        "update requests set arguments = zeroblob(32)",
    ),
    (
        "the tool of a kept answer",
        "update requests set tool = 'skill_check'",
    ),
    ("the entry of a kept answer", "update requests set seq = 6"),
    (
        "the salt of a kept answer",
        "update requests set salt = zeroblob(32)",
    ),
    ("a kept answer taken out", "delete from requests"),
    (
        "a kept answer put in",
        "insert into requests select campaign, 'mine', tool, arguments, seq, reply, salt from requests",
    ),
    (
        "the book's name",
        "update book set id = lower(hex(zeroblob(16)))",
    ),
    (
        "a second book",
        "insert into book (id) values (lower(hex(zeroblob(16))))",
    ),
    ("the book taken out", "delete from book"),
    (
        "a trigger that changes what is written",
        "create trigger mine after insert on log begin update characters set xp = 99; end",
    ),
    ("a table put in", "create table mine (secret text)"),
    ("a view put in", "create view mine as select * from log"),
    ("an index put in", "create index mine on log (at)"),
];

/// A person with the program in hand: a body is changed, and every hash after it is made anew.
type Forger = fn(&mut Value);

const HASHED_ANEW: &[(&str, u64, Forger)] = &[
    ("a modifier more than the roll has", 6, |body| {
        let more = json!({"name": "situational", "value": 4, "from": "the call"});
        body["event"]["modifiers"]
            .as_array_mut()
            .expect("a list")
            .push(more);
    }),
    ("the modifiers taken away", 6, |body| {
        body["event"]["modifiers"] = json!([])
    }),
    ("a modifier's value", 6, |body| {
        body["event"]["modifiers"][0]["value"] = json!(-7)
    }),
    ("another difficulty", 6, |body| {
        body["event"]["difficulty"] = json!(10)
    }),
    ("another target", 6, |body| {
        body["event"]["target"] = json!(10)
    }),
    ("another outcome", 6, |body| {
        body["event"]["outcome"] = json!("failure")
    }),
    ("another margin", 6, |body| {
        body["event"]["margin"] = json!(9)
    }),
    ("a total that is not the sum", 6, |body| {
        body["rolls"][0]["roll"]["total"] = json!(25)
    }),
    ("a face that is not the total's", 6, |body| {
        body["rolls"][0]["roll"]["terms"][0]["dice"][0]["rolls"][0]["value"] = json!(20);
    }),
    ("a die that was not kept", 6, |body| {
        body["rolls"][0]["roll"]["terms"][0]["dice"][0]["kept"] = json!(false)
    }),
    ("another expression", 6, |body| {
        body["rolls"][0]["roll"]["expression"] = json!("1d20 + 9")
    }),
    ("a roll taken away", 6, |body| body["rolls"] = json!([])),
    ("the id of a roll", 6, |body| {
        body["rolls"][0]["roll_id"] = json!("00000000-0000-7000-8000-000000000001")
    }),
    ("who rolled", 6, |body| {
        body["rolls"][0]["by"] = json!("Jory")
    }),
    ("where the dice came from", 6, |body| {
        body["rolls"][0]["source"] = json!("entered")
    }),
    ("a place that is in no rules", 6, |body| {
        body["rule"] = json!("Elsewhere.md:12")
    }),
    ("a hidden check made public", 7, |body| {
        body["visibility"] = json!("public")
    }),
    ("a public check hidden", 6, |body| {
        body["visibility"] = json!("gm")
    }),
    ("an entry an hour earlier", 9, |body| {
        body["at"] = json!(body["at"].as_i64().expect("a time") - 3_600_000_000)
    }),
    ("an entry a microsecond later", 9, |body| {
        body["at"] = json!(body["at"].as_i64().expect("a time") + 1)
    }),
    ("a session that never was", 9, |body| {
        body["session"] = json!(9)
    }),
    ("an actor", 8, |body| body["actor"] = json!("Jory")),
    ("a body of a later version", 8, |body| body["v"] = json!(99)),
    ("a request that acted twice", 8, |body| {
        body["request_id"] = json!("hit");
        body["answer"] = json!("00");
    }),
    ("dice that fell and were not used", 8, |body| {
        body["discarded"] = json!([{"of": "1-20", "face": 20}])
    }),
    ("the seat of a call", 8, |body| {
        body["seat"] = json!("somebody")
    }),
    ("a call that belongs to another", 8, |body| {
        body["call"] = json!(6)
    }),
    ("a character's name when it was made", 4, |body| {
        body["changes"][0]["after"]["name"] = json!("Sabine");
        body["event"]["subject"]["name"] = json!("Sabine");
    }),
    ("what a row was before", 5, |body| {
        body["changes"][0]["before"] = body["changes"][0]["after"].clone()
    }),
    ("the changes taken away", 5, |body| {
        body["changes"] = json!([])
    }),
];

const KEPT: usize = 3;

/// Whether it is found with nothing kept, with the checkpoints beside the file, and with a receipt.
fn found(table: &Table, receipt: &str) -> [bool; KEPT] {
    let is_found = |receipt: Option<&str>| {
        let verified = table.wait(rollbook_store::verify::verify(
            table.database(),
            None,
            receipt,
        ));
        verified.map_or(true, |verified| !verified.is_sound())
    };
    let beside = is_found(None);
    std::fs::remove_file(table.path("checkpoints.log")).expect("the vandal is thorough");
    [is_found(None), beside, is_found(Some(receipt))]
}

fn played() -> (Table, String) {
    let mut table = evening();
    let ended = table.manage_session(json!({"action": "end"}));
    let receipt = ended.text("receipt").to_owned();
    (table, receipt)
}

#[test]
fn what_is_found_of_each_kind_of_tampering_is_what_the_documentation_says() {
    let mut rows = Vec::new();
    for (name, sql) in BY_HAND {
        let (table, receipt) = played();
        unlocked(&table, || {
            table
                .record()
                .execute(sql)
                .unwrap_or_else(|why| panic!("{name}: {why}"))
        });
        rows.push((*name, "by hand", found(&table, &receipt)));
    }
    for (name, entry, change) in HASHED_ANEW {
        let (table, receipt) = played();
        let triggers = table
            .record()
            .rows("select sql from sqlite_schema where name = 'log_is_never_updated'");
        forge(&table, |seq, body| {
            if seq == *entry {
                change(body);
            }
        });
        table
            .record()
            .execute(triggers[0]["sql"].as_str().expect("text"))
            .expect("the vandal succeeds");
        rows.push((*name, "hashed anew", found(&table, &receipt)));
    }
    assert!(rows.len() >= 110, "{} kinds", rows.len());
    let mark = |found: bool| if found { "found" } else { "not found" };
    let mut groups: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for (name, how, marks) in &rows {
        groups.entry((how, marks)).or_default().push(name);
    }
    let written = groups.iter().map(|((how, marks), names)| {
        let [bare, beside, receipt] = marks.map(mark);
        let names = names.join("; ");
        format!("| {how} | {bare} | {beside} | {receipt} | {names} |\n")
    });
    let written: String = written.collect();
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/tampering.md"))
        .expect("is there");
    assert!(
        page.contains(&written),
        "docs/tampering.md has another table than:\n{written}"
    );
    for (name, how, [_, beside, receipt]) in rows {
        assert!(
            beside && receipt || how == "by hand",
            "{name}: a receipt finds whatever was hashed anew"
        );
    }
}
